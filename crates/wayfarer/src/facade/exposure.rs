//! Who sees a path, and what it costs to be seen.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{CostMultiplier, Location};
use wayfarer_world::field::DiscAgent;
use wayfarer_world::objects::{BodyId, BodyShape, Contacts};

use super::World;
use super::agent::Registered;
use super::path::Path;
use super::request::{Request, Watcher};
use super::sight::WorldSight;
use crate::Position;

/// What one watcher sees of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenPath {
    /// Which of the watchers.
    pub watcher: usize,
    /// Where it sees somebody on the path, in order; no farther apart than a cell on foot and a
    /// voxel in the air where it sees a whole piece.
    pub positions: Vec<Position>,
    /// At how many positions along the path it looked.
    pub n_looked_at: usize,
}

impl World {
    /// Who of the watchers sees somebody on a path, over the ground, through the air and past
    /// other bodies; those who see nothing are left out. On foot the agent is looked at in the
    /// middle of its height, in the air where it is; its [own body](Path::body) hides nothing.
    ///
    /// Takes a line of sight for each watcher and position along the path.
    pub fn who_sees(&self, path: &Path, watchers: &[Watcher]) -> Vec<SeenPath> {
        let mut contacts = Contacts::default();
        let height = self.registered(path.who).map_or(0, Registered::height);
        let along = self.along(path, self.half_of(height));
        let sight = self.sight();
        let mut told = Vec::new();
        for (number, watcher) in watchers.iter().enumerate() {
            let seen = along
                .iter()
                .filter(|(at, by)| sees(&sight, watcher, at.raised(*by), path.body, &mut contacts));
            let positions: Vec<Position> = seen.map(|(at, _)| *at).collect();
            if !positions.is_empty() {
                told.push(SeenPath {
                    watcher: number,
                    positions,
                    n_looked_at: along.len(),
                });
            }
        }
        told
    }

    /// How far the middle of a body is above its feet, in 1/65,536 of a unit.
    fn half_of(&self, height: i32) -> i64 {
        let [_, step, _] = self.scale.lengths();
        i64::from(height).saturating_mul(step) / 2
    }
}

/// True if a watcher sees a place.
fn sees(
    sight: &WorldSight<'_>,
    watcher: &Watcher,
    at: Position,
    body: Option<BodyId>,
    contacts: &mut Contacts,
) -> bool {
    let apart = |a: i64, b: i64| i128::from(a) - i128::from(b);
    let eye = watcher.eye;
    let square = |by: i128| by.saturating_mul(by);
    let far = square(apart(at.x, eye.x))
        .saturating_add(square(apart(at.y, eye.y)))
        .saturating_add(square(apart(at.z, eye.z)));
    if watcher.reach < 0 || far > square(watcher.reach.into()) {
        return false;
    }
    if let Some(footprint) = &watcher.footprint {
        let point = sight.scale.point(at);
        if !point.is_some_and(|point| footprint.overlaps(point, BodyShape::Point)) {
            return false;
        }
    }
    let both: Vec<BodyId> = watcher.body.into_iter().chain(body).collect();
    sight.is_clear_past((eye, at), &both, contacts)
}

/// What a request lays over cells and voxels: exposure to watchers, and movers to keep clear of.
pub(super) struct Tolls<'a> {
    world: &'a World,
    request: &'a Request,
    sight: WorldSight<'a>,
    height: i32,
    /// Who keeps clear of movers, if that is asked for.
    agent: Option<DiscAgent>,
    known: FastMap<Location, CostMultiplier>,
    contacts: Contacts,
}

impl<'a> Tolls<'a> {
    pub(super) fn new(world: &'a World, request: &'a Request, known: &Registered) -> Self {
        Self {
            world,
            request,
            sight: world.sight(),
            height: known.height(),
            agent: world.mover_agent(request.movers, known),
            known: FastMap::default(),
            contacts: Contacts::default(),
        }
    }

    pub(super) fn are_none(&self) -> bool {
        self.request.watchers.is_empty() && self.agent.is_none()
    }

    /// The tolls at both ends of a step; `None` if a mover bars it.
    pub(super) fn on(
        &mut self,
        from: Location,
        to: Location,
    ) -> Option<(CostMultiplier, CostMultiplier)> {
        if let Some(agent) = self.agent
            && self.world.is_barred((from, to), agent)
        {
            return None;
        }
        Some((self.at(from), self.at(to)))
    }

    /// The toll of a place.
    fn at(&mut self, place: Location) -> CostMultiplier {
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let toll = self.look_at(place);
        self.known.insert(place, toll);
        toll
    }

    fn look_at(&mut self, place: Location) -> CostMultiplier {
        let Self { world, request, .. } = self;
        let mut at = world.position_of(place);
        if matches!(place, Location::Cell(_)) {
            at = at.raised(world.half_of(self.height));
        }
        let (sight, contacts) = (&self.sight, &mut self.contacts);
        let seers = request.watchers.iter();
        let n_seers = seers
            .filter(|watcher| sees(sight, watcher, at, request.body, contacts))
            .count();
        (0..n_seers).fold(CostMultiplier::ONE, |sum, _| {
            sum.stacked_with(request.exposure)
        })
    }
}

#[cfg(test)]
mod tests;

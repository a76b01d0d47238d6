//! Who sees a path, and what it costs to be seen.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{CostMultiplier, Location};
use wayfarer_world::bodies::{BodyId, BodyShape, Contacts};
use wayfarer_world::obstacles::DiscAgent;

use super::World;
use super::agent::Registered;
use super::path::Path;
use super::request::{PathRequest, Viewer};
use super::sight::WorldVisibility;
use crate::Position;

/// What one watcher sees of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathExposure {
    /// Which of the watchers.
    pub viewer: usize,
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
    pub fn path_exposure(&self, path: &Path, viewers: &[Viewer]) -> Vec<PathExposure> {
        let mut contacts = Contacts::default();
        let height = self
            .registered(path.agent_type)
            .map_or(0, Registered::height);
        let along = self.along(path, self.half_of(height));
        let sight = self.sight();
        let mut exposures = Vec::new();
        for (number, viewer) in viewers.iter().enumerate() {
            let seen = along
                .iter()
                .filter(|(at, by)| sees(&sight, viewer, at.raised(*by), path.body, &mut contacts));
            let positions: Vec<Position> = seen.map(|(at, _)| *at).collect();
            if !positions.is_empty() {
                exposures.push(PathExposure {
                    viewer: number,
                    positions,
                    n_looked_at: along.len(),
                });
            }
        }
        exposures
    }

    /// How far the middle of a body is above its feet, in 1/65,536 of a unit.
    fn half_of(&self, height: i32) -> i64 {
        let [_, step, _] = self.scale.lengths();
        i64::from(height).saturating_mul(step) / 2
    }
}

/// True if a watcher sees a place.
fn sees(
    sight: &WorldVisibility<'_>,
    viewer: &Viewer,
    at: Position,
    body: Option<BodyId>,
    contacts: &mut Contacts,
) -> bool {
    let apart = |a: i64, b: i64| i128::from(a) - i128::from(b);
    let eye = viewer.eye;
    let square = |by: i128| by.saturating_mul(by);
    let far = square(apart(at.x, eye.x))
        .saturating_add(square(apart(at.y, eye.y)))
        .saturating_add(square(apart(at.z, eye.z)));
    if viewer.reach < 0 || far > square(viewer.reach.into()) {
        return false;
    }
    if let Some(footprint) = &viewer.footprint {
        let point = sight.scale.point(at);
        if !point.is_some_and(|point| footprint.overlaps(point, BodyShape::Point)) {
            return false;
        }
    }
    let both: Vec<BodyId> = viewer.body.into_iter().chain(body).collect();
    sight.is_clear_past((eye, at), &both, contacts)
}

/// What a request lays over cells and voxels: exposure to watchers, and movers to keep clear of.
pub(super) struct RequestCosts<'a> {
    world: &'a World,
    request: &'a PathRequest,
    sight: WorldVisibility<'a>,
    height: i32,
    /// Who keeps clear of movers, if that is asked for.
    agent: Option<DiscAgent>,
    known: FastMap<Location, CostMultiplier>,
    contacts: Contacts,
}

impl<'a> RequestCosts<'a> {
    pub(super) fn new(world: &'a World, request: &'a PathRequest, known: &Registered) -> Self {
        Self {
            world,
            request,
            sight: world.sight(),
            height: known.height(),
            agent: world.mover_agent(request.avoided_obstacles, known),
            known: FastMap::default(),
            contacts: Contacts::default(),
        }
    }

    pub(super) fn are_none(&self) -> bool {
        self.request.viewers.is_empty() && self.agent.is_none()
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
    fn at(&mut self, location: Location) -> CostMultiplier {
        if let Some(known) = self.known.get(&location) {
            return *known;
        }
        let cost_fn = self.look_at(location);
        self.known.insert(location, cost_fn);
        cost_fn
    }

    fn look_at(&mut self, location: Location) -> CostMultiplier {
        let Self { world, request, .. } = self;
        let mut at = world.position_of(location);
        if matches!(location, Location::Cell(_)) {
            at = at.raised(world.half_of(self.height));
        }
        let (sight, contacts) = (&self.sight, &mut self.contacts);
        let seers = request.viewers.iter();
        let n_seers = seers
            .filter(|viewer| sees(sight, viewer, at, request.own_body, contacts))
            .count();
        (0..n_seers).fold(CostMultiplier::ONE, |sum, _| {
            sum.stacked_with(request.exposure_cost)
        })
    }
}

#[cfg(test)]
mod tests;

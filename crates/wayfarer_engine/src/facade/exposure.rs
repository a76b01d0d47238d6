//! Exposure: which viewers see which positions of a path, and the cost that a request adds to
//! cells and voxels in their sight. Lines of sight are tested per viewer and location and cached
//! for the duration of a search.

use wayfarer_base::collections::FastMap;
use wayfarer_base::{Cell, Column, CostMultiplier, Location};
use wayfarer_world::bodies::{BodyId, BodyShape, Contacts};

use super::World;
use super::agent::Registered;
use super::body_obstacles::AvoidingAgent;
use super::path::Path;
use super::request::{PathRequest, Viewer};
use super::sight::WorldVisibility;
use crate::Position;

/// The part of a path in sight of one viewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathExposure {
    /// Index of the viewer.
    pub viewer: usize,
    /// The samples in sight, in path order. Samples are at most a cell apart on the ground and a
    /// voxel in the air.
    pub positions: Vec<Position>,
    /// Number of samples along the path.
    pub n_samples: usize,
}

impl World {
    /// The exposure of a path to each viewer that sees any of it, past ground, air and bodies. On
    /// the ground the target is half the agent's height above the floor, in the air the voxel
    /// center; the agent's [own body](Path::body) does not occlude.
    ///
    /// Takes one line of sight per viewer and sample.
    pub fn path_exposure(&self, path: &Path, viewers: &[Viewer]) -> Vec<PathExposure> {
        let mut contacts = Contacts::default();
        let height = self
            .registered(path.agent_type)
            .map_or(0, Registered::height);
        let samples = self.samples(path, self.half_height(height));
        let visibility = self.visibility();
        let mut exposures = Vec::new();
        for (number, viewer) in viewers.iter().enumerate() {
            let visible = samples.iter().filter(|(at, by)| {
                is_visible(
                    &visibility,
                    viewer,
                    at.raised(*by),
                    path.body,
                    &mut contacts,
                )
            });
            let positions: Vec<Position> = visible.map(|(at, _)| *at).collect();
            if !positions.is_empty() {
                exposures.push(PathExposure {
                    viewer: number,
                    positions,
                    n_samples: samples.len(),
                });
            }
        }
        exposures
    }

    /// The floors in view of a viewer, of targets `height` above them in 1/65,536 of a unit; by row,
    /// column and height. `None` if its range spans more than 2^20 columns.
    pub fn field_of_view(&self, viewer: &Viewer, height: i64) -> Option<Vec<Cell>> {
        const MAX_COLUMNS: i64 = 1 << 20;
        let [cell, _, _] = self.scale.lengths();
        let reach = viewer.range / cell.max(1) + 1;
        if reach > MAX_COLUMNS || (2 * reach + 1).pow(2) > MAX_COLUMNS {
            return None;
        }
        let Some(eye) = self.scale.cell(viewer.eye) else {
            return Some(Vec::new());
        };
        let reach = i32::try_from(reach).ok()?;
        let around = |at: i32| at.saturating_sub(reach)..=at.saturating_add(reach);
        let visibility = self.visibility();
        let mut contacts = Contacts::default();
        let mut seen = Vec::new();
        for column in around(eye.y).flat_map(|y| around(eye.x).map(move |x| Column::new(x, y))) {
            for (z, _) in self.ground.floors(column) {
                let at = self.scale.cell_center(column.at(z)).raised(height);
                if is_visible(&visibility, viewer, at, None, &mut contacts) {
                    seen.push(column.at(z));
                }
            }
        }
        Some(seen)
    }

    /// Half of a height in steps, in 1/65,536 of a unit.
    fn half_height(&self, height: i32) -> i64 {
        let [_, step, _] = self.scale.lengths();
        i64::from(height).saturating_mul(step) / 2
    }
}

/// True if `at` is within the viewer's range and footprint, and in line of sight.
fn is_visible(
    visibility: &WorldVisibility<'_>,
    viewer: &Viewer,
    at: Position,
    body: Option<BodyId>,
    contacts: &mut Contacts,
) -> bool {
    let apart = |a: i64, b: i64| i128::from(a) - i128::from(b);
    let eye = viewer.eye;
    let square = |by: i128| by.saturating_mul(by);
    let distance2 = square(apart(at.x, eye.x))
        .saturating_add(square(apart(at.y, eye.y)))
        .saturating_add(square(apart(at.z, eye.z)));
    if viewer.range < 0 || distance2 > square(viewer.range.into()) {
        return false;
    }
    if let Some(footprint) = &viewer.footprint {
        let point = visibility.scale.point(at);
        if !point.is_some_and(|point| footprint.overlaps(point, BodyShape::Point)) {
            return false;
        }
    }
    let (one, both);
    let ignored: &[BodyId] = match (viewer.body, body) {
        (Some(viewer), Some(body)) => {
            both = [viewer, body];
            &both
        }
        (Some(body), None) | (None, Some(body)) => {
            one = [body];
            &one
        }
        (None, None) => &[],
    };
    visibility.is_clear_past((eye, at), ignored, contacts)
}

/// The cost function of a request: exposure multipliers, and steps blocked by avoided obstacles.
pub(super) struct RequestCosts<'a> {
    world: &'a World,
    request: &'a PathRequest,
    visibility: WorldVisibility<'a>,
    height: i32,
    /// The disc that avoids obstacles, if the request avoids any.
    agent: Option<AvoidingAgent>,
    cache: FastMap<Location, CostMultiplier>,
    contacts: Contacts,
}

impl<'a> RequestCosts<'a> {
    pub(super) fn new(world: &'a World, request: &'a PathRequest, registered: &Registered) -> Self {
        Self {
            world,
            request,
            visibility: world.visibility(),
            height: registered.height(),
            agent: world.avoiding((request.avoided_obstacles, request.own_body), registered),
            cache: FastMap::default(),
            contacts: Contacts::default(),
        }
    }

    pub(super) fn request(&self) -> &'a PathRequest {
        self.request
    }

    pub(super) fn is_empty(&self) -> bool {
        self.request.viewers.is_empty() && self.agent.is_none()
    }

    /// The multipliers at both ends of a step; `None` if an avoided obstacle blocks it.
    pub(super) fn step(
        &mut self,
        from: Location,
        to: Location,
    ) -> Option<(CostMultiplier, CostMultiplier)> {
        if let Some(agent) = self.agent
            && self.world.is_step_blocked((from, to), agent)
        {
            return None;
        }
        Some((self.multiplier(from), self.multiplier(to)))
    }

    /// The cached multiplier of a location.
    fn multiplier(&mut self, location: Location) -> CostMultiplier {
        if let Some(cached) = self.cache.get(&location) {
            return *cached;
        }
        let multiplier = self.compute(location);
        self.cache.insert(location, multiplier);
        multiplier
    }

    /// The exposure multiplier, stacked once per viewer in sight.
    fn compute(&mut self, location: Location) -> CostMultiplier {
        let Self { world, request, .. } = self;
        let mut at = world.position_of(location);
        if matches!(location, Location::Cell(_)) {
            at = at.raised(world.half_height(self.height));
        }
        let (visibility, contacts) = (&self.visibility, &mut self.contacts);
        let viewers = request.viewers.iter();
        let n_viewers = viewers
            .filter(|viewer| is_visible(visibility, viewer, at, request.own_body, contacts))
            .count();
        (0..n_viewers).fold(CostMultiplier::ONE, |sum, _| {
            sum.stacked_with(request.exposure_cost)
        })
    }
}

#[cfg(test)]
mod tests;

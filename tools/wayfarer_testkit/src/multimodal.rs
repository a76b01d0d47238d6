//! Reference multimodal graph: ground, air and transitions, searched by Dijkstra.

use wayfarer_base::{Cost, Location, Profile};

use crate::{ReferenceVoxels, ReferenceWorld, dijkstra_until};

/// Ground, air and the transitions between them.
#[derive(Clone, Debug)]
pub struct ReferenceMultimodal {
    /// The ground.
    pub ground: ReferenceWorld,
    /// The ground profile of the agent.
    pub profile: Profile,
    /// The air.
    pub space: ReferenceVoxels,
    /// The flight cost of a move, from its cost in voxels.
    pub flight_cost: fn(Cost) -> Cost,
    /// Take-offs and landings: from, to and cost.
    pub transitions: Vec<(Location, Location, Cost)>,
}

impl ReferenceMultimodal {
    /// The successors of a location with costs.
    pub fn successors(&self, from: Location) -> Vec<(Location, Cost)> {
        let mut successors: Vec<(Location, Cost)> = match from {
            Location::Cell(cell) => {
                let cells = self.ground.successors(cell, &self.profile).into_iter();
                cells.map(|(to, cost)| (Location::Cell(to), cost)).collect()
            }
            Location::Voxel(voxel) => {
                let voxels = self.space.successors(voxel).into_iter();
                voxels
                    .map(|(to, cost)| (Location::Voxel(to), (self.flight_cost)(cost)))
                    .collect()
            }
            Location::Point(_) => Vec::new(),
        };
        let transitions = self.transitions.iter();
        let transitions = transitions.filter(|(start, to, _)| *start == from && self.fits(*to));
        successors.extend(transitions.map(|(_, to, cost)| (*to, *cost)));
        successors
    }

    /// True if the agent fits at the location.
    pub fn fits(&self, at: Location) -> bool {
        match at {
            Location::Cell(cell) => self.ground.is_walkable(cell, &self.profile),
            Location::Voxel(voxel) => self.space.is_free(voxel),
            Location::Point(_) => false,
        }
    }

    /// The optimal cost from one location to another; `None` if unreachable.
    pub fn path_cost(&self, from: Location, to: Location) -> Option<Cost> {
        if !self.fits(from) || !self.fits(to) {
            return None;
        }
        let costs = dijkstra_until(from, Some(to), |at| self.successors(at));
        costs.get(&to).copied()
    }

    /// The cost of a path of legal steps.
    ///
    /// # Errors
    /// A description of the first illegal step.
    pub fn check_path(&self, path: &[Location]) -> Result<Cost, String> {
        let start = path.first().ok_or("the path is empty")?;
        if !self.fits(*start) {
            return Err(format!("the agent does not fit at the start {start}"));
        }
        let mut total: u32 = 0;
        for pair in path.windows(2) {
            let successors = self.successors(pair[0]);
            let costs = successors.iter().filter(|(to, _)| *to == pair[1]);
            let cost = costs.map(|(_, cost)| cost.units()).min();
            let cost = cost.ok_or_else(|| format!("no step from {} to {}", pair[0], pair[1]))?;
            total = total.saturating_add(cost);
        }
        Ok(Cost::from_units(total))
    }
}

#[cfg(test)]
mod tests;

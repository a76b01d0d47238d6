//! Reference multimodal graph: ground, air and transitions, searched by Dijkstra.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use wayfarer_base::{Cost, Location, Profile};

use crate::{ReferenceVoxels, ReferenceWorld};

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
        let mut costs = BTreeMap::from([(from, Cost::ZERO)]);
        let mut open = BinaryHeap::from([Reverse((Cost::ZERO, from))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if at == to {
                return Some(cost);
            }
            if cost > costs[&at] {
                continue;
            }
            for (next, step_cost) in self.successors(at) {
                let units = cost.units().saturating_add(step_cost.units());
                let cost = Cost::from_units(units);
                if costs.get(&next).is_none_or(|known| cost < *known) {
                    costs.insert(next, cost);
                    open.push(Reverse((cost, next)));
                }
            }
        }
        None
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

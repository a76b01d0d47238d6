//! Ground and space as one plain graph: where one can walk and fly to, by trying everything.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use wayfarer_base::{Cost, Location, Profile};

use crate::{ReferenceVoxels, ReferenceWorld};

/// Ground and space, and every way between them by hand.
#[derive(Clone, Debug)]
pub struct ReferenceMultimodal {
    /// Where one walks.
    pub ground: ReferenceWorld,
    /// Who walks.
    pub profile: Profile,
    /// Where one flies.
    pub space: ReferenceVoxels,
    /// What a move through space costs that costs so much in voxels.
    pub fly: fn(Cost) -> Cost,
    /// Take-offs and landings: from, to and cost.
    pub between: Vec<(Location, Location, Cost)>,
}

impl ReferenceMultimodal {
    /// Every step from a place with its cost.
    pub fn steps(&self, from: Location) -> Vec<(Location, Cost)> {
        let mut steps: Vec<(Location, Cost)> = match from {
            Location::Cell(cell) => {
                let walked = self.ground.steps(cell, &self.profile).into_iter();
                walked
                    .map(|(to, cost)| (Location::Cell(to), cost))
                    .collect()
            }
            Location::Voxel(voxel) => {
                let flown = self.space.steps(voxel).into_iter();
                flown
                    .map(|(to, cost)| (Location::Voxel(to), (self.fly)(cost)))
                    .collect()
            }
            Location::Point(_) => Vec::new(),
        };
        let between = self.between.iter();
        let between = between.filter(|(begin, to, _)| *begin == from && self.fits(*to));
        steps.extend(between.map(|(_, to, cost)| (*to, *cost)));
        steps
    }

    /// True if one can be there.
    pub fn fits(&self, at: Location) -> bool {
        match at {
            Location::Cell(cell) => self.ground.stands(cell, &self.profile),
            Location::Voxel(voxel) => self.space.is_free(voxel),
            Location::Point(_) => false,
        }
    }

    /// The least cost from one place to another, or `None` if there is no way.
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
            for (next, step_cost) in self.steps(at) {
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

    /// What a way costs, checked step by step.
    ///
    /// # Errors
    /// A sentence that names the first place where it goes wrong.
    pub fn check_path(&self, path: &[Location]) -> Result<Cost, String> {
        let start = path.first().ok_or("the way has no place")?;
        if !self.fits(*start) {
            return Err(format!("nobody can be at the start {start}"));
        }
        let mut total: u32 = 0;
        for pair in path.windows(2) {
            let steps = self.steps(pair[0]);
            let costs = steps.iter().filter(|(to, _)| *to == pair[1]);
            let cost = costs.map(|(_, cost)| cost.units()).min();
            let cost = cost.ok_or_else(|| format!("no step from {} to {}", pair[0], pair[1]))?;
            total = total.saturating_add(cost);
        }
        Ok(Cost::from_units(total))
    }
}

#[cfg(test)]
mod tests;

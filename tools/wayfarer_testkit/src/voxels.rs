//! Space as a plain block of cubes, solid or free, and every question answered by trying all.
//!
//! The block reaches from (0, 0, 0) to its size; outside it nothing is free. A move leads to one
//! of the 26 voxels around and is allowed if every voxel of the box that source and target span
//! is free (2, 4 or 8 voxels). It costs 1463, 2069 or 2534 units by the number of axes it changes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use wayfarer_base::{Cost, Voxel};

pub mod clearance;

/// A block of voxels, each solid or free.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_testkit::voxels::ReferenceVoxels;
/// let mut space = ReferenceVoxels::new([2, 2, 2]);
/// let (low, high) = (Voxel::new(0, 0, 0), Voxel::new(1, 1, 1));
/// assert_eq!(space.path_cost(low, high).unwrap().units(), 2534);
/// space.set(Voxel::new(1, 0, 0), true); // in the box of the diagonal
/// assert_eq!(space.path_cost(low, high).unwrap().units(), 2069 + 1463);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferenceVoxels {
    size: [i32; 3],
    solid: Vec<bool>,
}

impl ReferenceVoxels {
    /// A block of free voxels, `size` in x, y and z.
    ///
    /// # Panics
    /// If a side is negative or the block has more than 2^31 voxels: a defect of the test.
    pub fn new(size: [i32; 3]) -> Self {
        let [x, y, z] = size.map(|side| i64::from(side).max(-1));
        assert!(x >= 0 && y >= 0 && z >= 0, "sides of {size:?}");
        let n_voxels = x.checked_mul(y).and_then(|area| area.checked_mul(z));
        let n_voxels = n_voxels.filter(|n| *n <= 1 << 31);
        let n_voxels = n_voxels.and_then(|n| usize::try_from(n).ok());
        Self {
            size,
            solid: vec![false; n_voxels.expect("a block of at most 2^31 voxels")],
        }
    }

    /// Extent in x, y and z.
    pub fn size(&self) -> [i32; 3] {
        self.size
    }

    /// Makes a voxel solid or free; nothing happens outside the block.
    pub fn set(&mut self, voxel: Voxel, solid: bool) {
        if let Some(index) = self.index(voxel) {
            self.solid[index] = solid;
        }
    }

    /// True if the voxel lies in the block and is not solid.
    pub fn is_free(&self, voxel: Voxel) -> bool {
        self.index(voxel).is_some_and(|index| !self.solid[index])
    }

    /// True if one can fly straight from the middle of one voxel to that of another: many points
    /// of the line are looked at one by one, with all voxels that meet there. For worlds of some 40
    /// voxels: in those a line that does not touch an edge passes it by 0.02 voxels or more.
    pub fn is_straight_clear(&self, from: Voxel, to: Voxel) -> bool {
        const NEAR: f64 = 0.012;
        let part = |a: i32, b: i32, t: f64| f64::from(a) + 0.5 + t * f64::from(b - a);
        (0..=2_000).all(|step| {
            let t = f64::from(step) / 2_000.0;
            let at = [
                part(from.x, to.x, t),
                part(from.y, to.y, t),
                part(from.z, to.z, t),
            ];
            (0..8).all(|corner| {
                let mut near = at;
                for (axis, near) in near.iter_mut().enumerate() {
                    *near += if corner >> axis & 1 == 1 { NEAR } else { -NEAR };
                }
                #[expect(clippy::cast_possible_truncation, reason = "small worlds")]
                let [x, y, z] = near.map(|at| at.floor() as i32);
                self.is_free(Voxel::new(x, y, z))
            })
        })
    }

    /// True if the voxel lies in the block and is solid.
    pub fn is_solid(&self, voxel: Voxel) -> bool {
        self.index(voxel).is_some_and(|index| self.solid[index])
    }

    /// Every voxel of the block, by z, then y, then x.
    pub fn voxels(&self) -> impl Iterator<Item = Voxel> {
        let [width, depth, height] = self.size;
        (0..height).flat_map(move |z| {
            (0..depth).flat_map(move |y| (0..width).map(move |x| Voxel::new(x, y, z)))
        })
    }

    /// Every solid voxel, in the same order.
    pub fn solid_voxels(&self) -> impl Iterator<Item = Voxel> {
        let [width, depth, _] = self.size;
        (0..)
            .zip(&self.solid)
            .filter(|(_, solid)| **solid)
            .map(move |(index, _): (i32, _)| {
                let row = index / width;
                Voxel::new(index % width, row % depth, row / depth)
            })
    }

    fn index(&self, voxel: Voxel) -> Option<usize> {
        let [width, depth, height] = self.size;
        let inside = (0..width).contains(&voxel.x)
            && (0..depth).contains(&voxel.y)
            && (0..height).contains(&voxel.z);
        let [width, depth] = [width, depth].map(i64::from);
        let index = (i64::from(voxel.z) * depth + i64::from(voxel.y)) * width + i64::from(voxel.x);
        usize::try_from(index).ok().filter(|_| inside)
    }

    /// Every move from `from` with its cost, targets by z, then y, then x; none if `from` is
    /// solid.
    pub fn steps(&self, from: Voxel) -> Vec<(Voxel, Cost)> {
        let mut steps = Vec::new();
        for to in around(from) {
            if self.is_box_free(from, to) {
                let n_axes = [to.x != from.x, to.y != from.y, to.z != from.z];
                let units = match n_axes.iter().filter(|changes| **changes).count() {
                    1 => 1463,
                    2 => 2069,
                    _ => 2534,
                };
                steps.push((to, Cost::from_units(units)));
            }
        }
        steps
    }

    /// True if every voxel of the box spanned by two voxels is free.
    pub fn is_box_free(&self, a: Voxel, b: Voxel) -> bool {
        (a.z.min(b.z)..=a.z.max(b.z)).all(|z| {
            (a.y.min(b.y)..=a.y.max(b.y))
                .all(|y| (a.x.min(b.x)..=a.x.max(b.x)).all(|x| self.is_free(Voxel::new(x, y, z))))
        })
    }

    /// The least cost from `from` to `to`, or `None` if there is no way.
    pub fn path_cost(&self, from: Voxel, to: Voxel) -> Option<Cost> {
        self.dijkstra_until(from, Some(to)).get(&to).copied()
    }

    fn dijkstra_until(&self, from: Voxel, goal: Option<Voxel>) -> BTreeMap<Voxel, Cost> {
        let mut costs = BTreeMap::new();
        if !self.is_free(from) {
            return costs;
        }
        let mut open = BinaryHeap::from([Reverse((Cost::ZERO, from))]);
        costs.insert(from, Cost::ZERO);
        while let Some(Reverse((cost, voxel))) = open.pop() {
            if cost > costs[&voxel] {
                continue;
            }
            if goal == Some(voxel) {
                break;
            }
            for (next, step_cost) in self.steps(voxel) {
                let units = cost.units().saturating_add(step_cost.units());
                let cost = Cost::from_units(units);
                if costs.get(&next).is_none_or(|known| cost < *known) {
                    costs.insert(next, cost);
                    open.push(Reverse((cost, next)));
                }
            }
        }
        costs
    }
}

fn around(voxel: Voxel) -> Vec<Voxel> {
    let mut found = Vec::new();
    for dz in -1..=1 {
        for dy in -1..=1 {
            for dx in -1..=1 {
                if (dx, dy, dz) != (0, 0, 0) {
                    found.push(Voxel::new(voxel.x + dx, voxel.y + dy, voxel.z + dz));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;

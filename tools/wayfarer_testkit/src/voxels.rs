//! Reference model of the air: a dense voxel block with brute-force queries.
//!
//! The block extends from (0, 0, 0) to its size; outside nothing is free. A move leads to one of
//! the 26 neighbors and is legal if every voxel of the box spanned by source and target is free (2,
//! 4 or 8 voxels). It costs 1463, 2069 or 2534 units by the number of changed axes.

use wayfarer_base::{Cost, Voxel};

use crate::dijkstra_until;

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

    /// Extent in x, y and z, in voxels.
    pub fn size(&self) -> [i32; 3] {
        self.size
    }

    /// Sets a voxel solid or free; no effect outside the block.
    pub fn set(&mut self, voxel: Voxel, solid: bool) {
        if let Some(index) = self.index(voxel) {
            self.solid[index] = solid;
        }
    }

    /// True if the voxel lies in the block and is not solid.
    pub fn is_free(&self, voxel: Voxel) -> bool {
        self.index(voxel).is_some_and(|index| !self.solid[index])
    }

    /// True if the segment between the centers of two voxels touches no solid voxel. Samples 2,001
    /// points with all voxels around them; valid up to some 40 voxels, where a segment that does
    /// not touch an edge has a distance of at least 0.02 voxels from it.
    pub fn is_segment_clear(&self, from: Voxel, to: Voxel) -> bool {
        const MARGIN: f64 = 0.012;
        let interpolate = |a: i32, b: i32, t: f64| f64::from(a) + 0.5 + t * f64::from(b - a);
        (0..=2_000).all(|step| {
            let t = f64::from(step) / 2_000.0;
            let at = [
                interpolate(from.x, to.x, t),
                interpolate(from.y, to.y, t),
                interpolate(from.z, to.z, t),
            ];
            (0..8).all(|corner| {
                let mut near = at;
                for (axis, near) in near.iter_mut().enumerate() {
                    *near += if corner >> axis & 1 == 1 {
                        MARGIN
                    } else {
                        -MARGIN
                    };
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

    /// Every voxel of the block, sorted by (z, y, x).
    pub fn voxels(&self) -> impl Iterator<Item = Voxel> {
        let [width, depth, height] = self.size;
        (0..height).flat_map(move |z| {
            (0..depth).flat_map(move |y| (0..width).map(move |x| Voxel::new(x, y, z)))
        })
    }

    /// Every solid voxel, sorted by (z, y, x).
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
        let is_inside = (0..width).contains(&voxel.x)
            && (0..depth).contains(&voxel.y)
            && (0..height).contains(&voxel.z);
        let [width, depth] = [width, depth].map(i64::from);
        let index = (i64::from(voxel.z) * depth + i64::from(voxel.y)) * width + i64::from(voxel.x);
        usize::try_from(index).ok().filter(|_| is_inside)
    }

    /// The successors of `from` with costs, sorted by (z, y, x); none if `from` is solid.
    pub fn successors(&self, from: Voxel) -> Vec<(Voxel, Cost)> {
        let mut successors = Vec::new();
        for to in neighbors(from) {
            if self.is_box_free(from, to) {
                let is_changed = [to.x != from.x, to.y != from.y, to.z != from.z];
                let units = match is_changed.iter().filter(|changed| **changed).count() {
                    1 => 1463,
                    2 => 2069,
                    _ => 2534,
                };
                successors.push((to, Cost::from_units(units)));
            }
        }
        successors
    }

    /// True if every voxel of the box spanned by two voxels is free.
    pub fn is_box_free(&self, a: Voxel, b: Voxel) -> bool {
        (a.z.min(b.z)..=a.z.max(b.z)).all(|z| {
            (a.y.min(b.y)..=a.y.max(b.y))
                .all(|y| (a.x.min(b.x)..=a.x.max(b.x)).all(|x| self.is_free(Voxel::new(x, y, z))))
        })
    }

    /// The optimal cost from `from` to `to`; `None` if unreachable.
    pub fn path_cost(&self, from: Voxel, to: Voxel) -> Option<Cost> {
        if !self.is_free(from) {
            return None;
        }
        let costs = dijkstra_until(from, Some(to), |voxel| self.successors(voxel));
        costs.get(&to).copied()
    }
}

fn neighbors(voxel: Voxel) -> Vec<Voxel> {
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

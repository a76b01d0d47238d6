//! Dense voxel oracle: solidity, ray casts, connected components.

use wayfarer_engine::base::{Voxel, VoxelSet};
use wayfarer_engine::world::air::Air;

use crate::flight::lines::Bits;

/// The solid voxels that the line between two centers meets first; none if it meets nothing.
/// Where it passes an edge or corner, all voxels that meet there count.
pub(super) fn met(bits: &Bits, from: [u32; 3], to: [u32; 3]) -> Vec<[u32; 3]> {
    let from = from.map(i64::from);
    let ahead: [i64; 3] = std::array::from_fn(|axis| i64::from(to[axis]) - from[axis]);
    let mut at = from;
    let solid = |at: [i64; 3]| {
        let voxel = at.map(|at| u32::try_from(at).expect("between two voxels of the box"));
        bits.is_solid(at).then_some(voxel)
    };
    if let Some(start) = solid(at) {
        return vec![start];
    }
    loop {
        // Steps left along an axis, halved at both ends: the next crossing comes after
        // (2 n + 1) / (2 m) of the segment after n of m steps.
        let crossing = |axis: usize| {
            let (done, all) = ((at[axis] - from[axis]).abs(), ahead[axis].abs());
            (done < all).then_some((2 * done + 1, all))
        };
        let earlier = |a: (i64, i64), b: (i64, i64)| a.0 * b.1 < b.0 * a.1;
        let next = (0..3).filter_map(crossing);
        let Some(first) = next.reduce(|a, b| if earlier(b, a) { b } else { a }) else {
            return Vec::new();
        };
        let crossed = |axis: &usize| {
            crossing(*axis).is_some_and(|time| !earlier(first, time) && !earlier(time, first))
        };
        let axes: Vec<usize> = (0..3).filter(crossed).collect();
        let mut met = Vec::new();
        for some in 1..1_usize << axes.len() {
            let mut beside = at;
            for (_, &axis) in axes.iter().enumerate().filter(|(n, _)| some >> n & 1 == 1) {
                beside[axis] += ahead[axis].signum();
            }
            met.extend(solid(beside));
        }
        if !met.is_empty() {
            return met;
        }
        for axis in axes {
            at[axis] += ahead[axis].signum();
        }
    }
}

/// The difference of an air whose bounds begin at the origin from `voxels`, if any: solid voxels, and
/// connected components, found row by row.
pub(super) fn differs(air: &Air, voxels: &VoxelSet) -> Option<String> {
    let n_solid = voxels.solid().len() as u64;
    if air.n_solid() != n_solid {
        return Some(format!("has {} solid voxels, not {n_solid}", air.n_solid()));
    }
    let mut solid = voxels.solid().iter().map(|at| voxel(*at));
    if let Some(at) = solid.find(|at| !air.is_solid(*at)) {
        return Some(format!("voxel {at} is free, expected solid"));
    }
    let rows = Rows::of(voxels);
    let mut parents: Vec<usize> = (0..rows.runs.len()).collect();
    rows.touching(|a, b| unite(&mut parents, a, b));
    let mut names = vec![None; rows.runs.len()];
    let mut n_parts = 0;
    for run in 0..rows.runs.len() {
        let (first, last) = rows.ends(run);
        let component = air.component(first);
        let Some(known) = component.filter(|_| air.component(last) == component) else {
            return Some(format!("{first} and {last} do not reach each other"));
        };
        let part = find(&mut parents, run);
        let name = names[part].get_or_insert_with(|| {
            n_parts += 1;
            known
        });
        if *name != known {
            return Some(format!("{first} is cut off from what it reaches"));
        }
    }
    // As many names as parts, and each part one name: no name stands for two.
    let mut all: Vec<_> = names.into_iter().flatten().collect();
    all.sort_unstable();
    all.dedup();
    if all.len() != n_parts || air.n_components() != n_parts as u64 {
        let counted = air.n_components();
        return Some(format!("counts {counted} components, expected {n_parts}"));
    }
    None
}

pub(super) fn voxel(at: [u32; 3]) -> Voxel {
    let [x, y, z] = at.map(u32::cast_signed);
    Voxel::new(x, y, z)
}

/// The free voxels of a box as runs along x.
struct Rows {
    size: [u32; 3],
    /// Row, first and last x of each run, sorted.
    runs: Vec<(u32, u32, u32)>,
    /// The first run of each row, and the end.
    starts: Vec<usize>,
}

impl Rows {
    fn of(voxels: &VoxelSet) -> Self {
        let size = voxels.size();
        let mut solid = voxels.solid().iter().peekable();
        let mut rows = Self {
            size,
            runs: Vec::new(),
            starts: Vec::new(),
        };
        for row in 0..size[1] * size[2] {
            rows.starts.push(rows.runs.len());
            let mut from = 0;
            while let Some([x, ..]) = solid.next_if(|at| at[2] * size[1] + at[1] == row) {
                if *x > from {
                    rows.runs.push((row, from, x - 1));
                }
                from = x + 1;
            }
            if from < size[0] {
                rows.runs.push((row, from, size[0] - 1));
            }
        }
        rows.starts.push(rows.runs.len());
        rows
    }

    fn ends(&self, run: usize) -> (Voxel, Voxel) {
        let (row, from, to) = self.runs[run];
        let at = |x: u32| voxel([x, row % self.size[1], row / self.size[1]]);
        (at(from), at(to))
    }

    /// Calls `join` for every two runs that share a face.
    fn touching(&self, mut join: impl FnMut(usize, usize)) {
        let height = self.size[1];
        for row in 0..height * self.size[2] {
            let south = (row % height > 0).then(|| row - 1);
            for other in [south, row.checked_sub(height)].into_iter().flatten() {
                let range = |row: u32| self.starts[row as usize]..self.starts[row as usize + 1];
                let (mut a, mut b) = (range(row), range(other));
                let (mut one, mut two) = (a.next(), b.next());
                while let (Some(left), Some(right)) = (one, two) {
                    let ((_, from, to), (_, low, high)) = (self.runs[left], self.runs[right]);
                    if from <= high && low <= to {
                        join(left, right);
                    }
                    if to < high {
                        one = a.next();
                    } else {
                        two = b.next();
                    }
                }
            }
        }
    }
}

fn find(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

fn unite(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parents, a), find(parents, b));
    parents[a.max(b)] = a.min(b);
}

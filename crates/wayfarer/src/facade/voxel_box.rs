//! Boxes of voxels: where the air changed, and what a flight passes.

use wayfarer_engine::base::Voxel;
use wayfarer_engine::world::air::{Air, AirChanges};

/// A box of voxels, both ends included.
pub(crate) type VoxelBox = [[i64; 3]; 2];

/// The cubes in which a batch changed the air.
pub(crate) fn changed_cubes(air: &Air, changes: &AirChanges) -> impl Iterator<Item = VoxelBox> {
    changes.dirty_sectors.iter().map(|dirty| {
        let low = coordinates(air.sector_low(dirty.sector.first_sector()));
        let last = i64::from(dirty.sector.side()) - 1;
        [low, low.map(|at| at + last)]
    })
}

/// True if two boxes have a voxel in common.
pub(crate) fn overlap(a: &VoxelBox, b: &VoxelBox) -> bool {
    (0..3).all(|axis| a[0][axis] <= b[1][axis] && b[0][axis] <= a[1][axis])
}

/// The box within `margin` voxels of some; `None` around nothing.
pub(crate) fn box_around(voxels: impl Iterator<Item = Voxel>, margin: i64) -> Option<VoxelBox> {
    let boxes = voxels.map(|at| {
        let at = coordinates(at);
        [at.map(|at| at - margin), at.map(|at| at + margin)]
    });
    boxes.reduce(|a, b| {
        [
            std::array::from_fn(|axis| a[0][axis].min(b[0][axis])),
            std::array::from_fn(|axis| a[1][axis].max(b[1][axis])),
        ]
    })
}

/// True if a box lies within `margin` voxels of the segment between two; in parts of it, whose boxes are
/// small.
pub(crate) fn is_near_segment(boxes: &[VoxelBox], (from, to): (Voxel, Voxel), margin: i64) -> bool {
    let whole = box_around([from, to].into_iter(), margin);
    let Some(whole) = whole.filter(|whole| boxes.iter().any(|other| overlap(whole, other))) else {
        return false;
    };
    let (from, to) = (coordinates(from), coordinates(to));
    let length = (0..3).map(|axis| (to[axis] - from[axis]).abs()).max();
    let n_parts = length.unwrap_or(0) / PART_VOXELS + 1;
    // Points between are rounded.
    let margin = margin + 1;
    let at = |part: i64| -> [i64; 3] {
        std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * part / n_parts)
    };
    boxes
        .iter()
        .filter(|other| overlap(&whole, other))
        .any(|other| {
            (0..n_parts).any(|part| {
                let (a, b) = (at(part), at(part + 1));
                let around = [
                    std::array::from_fn(|axis| a[axis].min(b[axis]) - margin),
                    std::array::from_fn(|axis| a[axis].max(b[axis]) + margin),
                ];
                overlap(&around, other)
            })
        })
}

/// Voxels along a part of a segment.
const PART_VOXELS: i64 = 8;

fn coordinates(at: Voxel) -> [i64; 3] {
    [at.x, at.y, at.z].map(i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_near_the_boxes_that_it_passes() {
        let (from, to) = (Voxel::new(0, 0, 5), Voxel::new(100, 40, 5));
        for x in 0..=100_i32 {
            for (y, margin) in [(x * 2 / 5, 1), (x * 2 / 5 + 3, 3), (x * 2 / 5 - 2, 2)] {
                let at = [x, y, 6].map(i64::from);
                assert!(is_near_segment(&[[at, at]], (from, to), margin), "{at:?}");
            }
            let off = [x, x * 2 / 5 + 12, 5].map(i64::from);
            assert!(!is_near_segment(&[[off, off]], (from, to), 2), "{off:?}");
            let above = [x, x * 2 / 5, 9].map(i64::from);
            assert!(
                !is_near_segment(&[[above, above]], (from, to), 2),
                "{above:?}"
            );
        }
        assert!(!is_near_segment(&[], (from, to), 2));
    }
}

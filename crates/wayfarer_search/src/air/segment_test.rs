//! Line of sight and cost of straight segments, for one agent.

use wayfarer_base::{Cost, Fixed, Point3, Voxel, math};
use wayfarer_world::air::{Air, VolumeRule};

use super::node_source::LocalVoxel;

/// Tests of straight segments between voxel centers for an agent of one radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentTest<'a> {
    air: &'a Air,
    radius: Fixed,
    has_volumes: bool,
}

impl<'a> SegmentTest<'a> {
    pub(super) fn new(air: &'a Air, radius: Fixed) -> Self {
        let has_volumes = air.volumes().next().is_some();
        Self {
            air,
            radius,
            has_volumes,
        }
    }

    /// [`SegmentTest::is_clear`] for local voxels.
    #[inline]
    pub(super) fn is_clear_local(&self, from: LocalVoxel, to: LocalVoxel) -> bool {
        let voxel = |at: LocalVoxel| self.air.to_world(at.map(i32::cast_unsigned));
        self.is_clear(voxel(from), voxel(to))
    }

    /// True if the swept agent overlaps nothing solid and touches no closed volume.
    pub(super) fn is_clear(&self, from: Voxel, to: Voxel) -> bool {
        if !self.air.has_line_of_sight(from, to) {
            return false;
        }
        if self.radius.raw() > 0 {
            let (Some(a), Some(b)) = (center(from), center(to)) else {
                return false;
            };
            if self.air.sweep(a, b, self.radius).is_some() {
                return false;
            }
        }
        !self.has_volumes || !self.enters_closed(from, to)
    }

    fn enters_closed(&self, from: Voxel, to: Voxel) -> bool {
        let mut volumes = self.air.volumes();
        volumes.any(|(_, volume)| {
            volume.rule == VolumeRule::Closed && touches((from, to), (volume.low, volume.high))
        })
    }

    /// True if volumes may change the cost of a segment.
    pub(super) const fn is_weighted(&self) -> bool {
        self.has_volumes
    }

    /// Cost of a segment in voxels, multipliers included, not rounded.
    pub(super) fn cost(&self, from: LocalVoxel, to: LocalVoxel) -> f64 {
        let delta: [f64; 3] =
            std::array::from_fn(|axis| f64::from(to[axis]) - f64::from(from[axis]));
        let length = math::length_3(delta[0], delta[1], delta[2]);
        if !self.has_volumes {
            return length;
        }
        let voxel = |at: LocalVoxel| self.air.to_world(at.map(i32::cast_unsigned));
        length * self.mean_multiplier(voxel(from), voxel(to))
    }

    /// The mean multiplier along a segment, at most 4,096. Constant between the faces of volumes,
    /// where it is sampled at the midpoint.
    fn mean_multiplier(&self, from: Voxel, to: Voxel) -> f64 {
        let start = center_of(from);
        let delta: [f64; 3] = std::array::from_fn(|axis| center_of(to)[axis] - start[axis]);
        let point = |time: f64| -> [f64; 3] {
            std::array::from_fn(|axis| start[axis] + delta[axis] * time)
        };
        let mut at = 0.0;
        let mut sum = 0.0;
        while at < 1.0 {
            // The next face of a volume.
            let mut next = 1.0_f64;
            for (_, volume) in self.air.volumes() {
                let ends = [
                    (f64::from(volume.low.x), f64::from(volume.high.x) + 1.0),
                    (f64::from(volume.low.y), f64::from(volume.high.y) + 1.0),
                    (f64::from(volume.low.z), f64::from(volume.high.z) + 1.0),
                ];
                for axis in (0..3).filter(|axis| delta[*axis] != 0.0) {
                    for edge in [ends[axis].0, ends[axis].1] {
                        let time = (edge - start[axis]) / delta[axis];
                        if time > at + 1e-12 && time < next {
                            next = time;
                        }
                    }
                }
            }
            sum += (next - at) * self.multiplier_at(point(f64::midpoint(at, next)));
            at = next;
        }
        sum
    }

    fn multiplier_at(&self, at: [f64; 3]) -> f64 {
        #[expect(clippy::cast_possible_truncation, reason = "between two voxels")]
        let [x, y, z] = at.map(|at| at.floor() as i32);
        let multiplier = self.air.cost_multiplier(Voxel::new(x, y, z));
        multiplier.map_or(4096.0, |multiplier| {
            f64::from(multiplier.sixteenths()) / 16.0
        })
    }

    /// Cost of a segment in whole units: a multiple of a step along an axis or a diagonal, else
    /// the length rounded down.
    pub(super) fn leg_cost(&self, from: Voxel, to: Voxel) -> Cost {
        let delta = [
            from.x.abs_diff(to.x),
            from.y.abs_diff(to.y),
            from.z.abs_diff(to.z),
        ];
        let max = delta.iter().copied().max().unwrap_or(0);
        let base = if delta.iter().all(|side| *side == 0 || *side == max) {
            Cost::voxel_octile(delta[0], delta[1], delta[2])
        } else {
            let [x, y, z] = delta.map(f64::from);
            Cost::from_cells(math::length_3(x, y, z))
        };
        if !self.has_volumes {
            return base;
        }
        let multiplier = self.mean_multiplier(from, to);
        // A multiplier of 1 leaves the base cost unchanged to the unit.
        if (multiplier - 1.0).abs() <= 1e-9 {
            return base;
        }
        Cost::from_cells(base.to_cells() * multiplier)
    }
}

fn center_of(at: Voxel) -> [f64; 3] {
    [at.x, at.y, at.z].map(|at| f64::from(at) + 0.5)
}

/// The center of a voxel; `None` beyond the range of [`Fixed`].
pub(super) fn center(at: Voxel) -> Option<Point3> {
    let coordinate = |at: i32| {
        Some(Fixed::from_raw(
            Fixed::from_cell(at)?.raw().checked_add(128)?,
        ))
    };
    Some(Point3 {
        x: coordinate(at.x)?,
        y: coordinate(at.y)?,
        z: coordinate(at.z)?,
    })
}

/// True if the segment between the centers of two voxels touches a box of voxels.
///
/// Separating axis test over the box's axes and their cross products with the segment. Exact.
pub(super) fn touches((from, to): (Voxel, Voxel), (low, high): (Voxel, Voxel)) -> bool {
    let doubled = |v: Voxel| [v.x, v.y, v.z].map(|at| i128::from(at) * 2 + 1);
    let (low, high) = (
        [low.x, low.y, low.z].map(|at| i128::from(at) * 2),
        [high.x, high.y, high.z].map(|at| i128::from(at) * 2 + 2),
    );
    let (from, to) = (doubled(from), doubled(to));
    // Scaled by four, relative to the center of the box.
    let a: [i128; 3] = std::array::from_fn(|axis| 2 * from[axis] - low[axis] - high[axis]);
    let b: [i128; 3] = std::array::from_fn(|axis| 2 * to[axis] - low[axis] - high[axis]);
    let half: [i128; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    let along: [i128; 3] = std::array::from_fn(|axis| b[axis] - a[axis]);
    let is_apart_on_axis =
        (0..3).any(|axis| a[axis].min(b[axis]) > half[axis] || a[axis].max(b[axis]) < -half[axis]);
    let is_apart_on_cross = (0..3).any(|axis| {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let reach = half[j] * along[k].abs() + half[k] * along[j].abs();
        (a[j] * along[k] - a[k] * along[j]).abs() > reach
    });
    !is_apart_on_axis && !is_apart_on_cross
}

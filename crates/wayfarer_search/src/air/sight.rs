//! Whether an agent can fly straight from one voxel to another, and what that costs.

use wayfarer_base::{Cost, Fixed, Point3, Voxel, math};
use wayfarer_world::air::{Air, VolumeRule};

use super::node_source::At;

/// Straight flight of one agent through the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    air: &'a Air,
    radius: Fixed,
    has_volumes: bool,
}

impl<'a> Sight<'a> {
    pub(super) fn new(air: &'a Air, radius: Fixed) -> Self {
        let has_volumes = air.volumes().next().is_some();
        Self {
            air,
            radius,
            has_volumes,
        }
    }

    /// True if the agent meets nothing solid on the straight path between the middles of two
    /// voxels, and enters no volume that is closed.
    #[inline]
    pub(super) fn sees(&self, from: At, to: At) -> bool {
        let voxel = |at: At| self.air.voxel(at.map(i32::cast_unsigned));
        self.sees_voxel(voxel(from), voxel(to))
    }

    pub(super) fn sees_voxel(&self, from: Voxel, to: Voxel) -> bool {
        if !self.air.has_line_of_sight(from, to) {
            return false;
        }
        if self.radius.raw() > 0 {
            let (Some(a), Some(b)) = (middle(from), middle(to)) else {
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

    /// True if some places cost more than others.
    pub(super) const fn is_weighted(&self) -> bool {
        self.has_volumes
    }

    /// What the straight path costs, cost multipliers of volumes included, in voxels.
    pub(super) fn cost(&self, from: At, to: At) -> f64 {
        let apart: [f64; 3] =
            std::array::from_fn(|axis| f64::from(to[axis]) - f64::from(from[axis]));
        let length = math::length_3(apart[0], apart[1], apart[2]);
        if !self.has_volumes {
            return length;
        }
        let voxel = |at: At| self.air.voxel(at.map(i32::cast_unsigned));
        length * self.mean_multiplier(voxel(from), voxel(to))
    }

    /// The mean cost multiplier along a straight path, at most 4,096: it changes where a volume begins or
    /// ends, and in between it is that of the middle.
    fn mean_multiplier(&self, from: Voxel, to: Voxel) -> f64 {
        let start = parts(from);
        let delta: [f64; 3] = std::array::from_fn(|axis| parts(to)[axis] - start[axis]);
        let place = |time: f64| -> [f64; 3] {
            std::array::from_fn(|axis| start[axis] + delta[axis] * time)
        };
        let mut at = 0.0;
        let mut sum = 0.0;
        while at < 1.0 {
            // The next moment at which some volume begins or ends.
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
            sum += (next - at) * self.multiplier_at(place(f64::midpoint(at, next)));
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

    /// What a leg costs, in whole units: a multiple of a step if it leads along an axis or a
    /// diagonal, else its length rounded down.
    pub(super) fn leg_cost(&self, from: Voxel, to: Voxel) -> Cost {
        let apart = [
            from.x.abs_diff(to.x),
            from.y.abs_diff(to.y),
            from.z.abs_diff(to.z),
        ];
        let most = apart.iter().copied().max().unwrap_or(0);
        let plain = if apart.iter().all(|side| *side == 0 || *side == most) {
            Cost::voxel_octile(apart[0], apart[1], apart[2])
        } else {
            let [x, y, z] = apart.map(f64::from);
            Cost::from_cells(math::length_3(x, y, z))
        };
        if !self.has_volumes {
            return plain;
        }
        let multiplier = self.mean_multiplier(from, to);
        // Where nothing is costlier it costs what it costs without volumes, to the unit.
        if (multiplier - 1.0).abs() <= 1e-9 {
            return plain;
        }
        Cost::from_cells(plain.to_cells() * multiplier)
    }
}

fn parts(at: Voxel) -> [f64; 3] {
    [at.x, at.y, at.z].map(|at| f64::from(at) + 0.5)
}

/// The middle of a voxel; `None` beyond the numbers of a point.
pub(super) fn middle(at: Voxel) -> Option<Point3> {
    let part = |at: i32| {
        Some(Fixed::from_raw(
            Fixed::from_cell(at)?.raw().checked_add(128)?,
        ))
    };
    Some(Point3 {
        x: part(at.x)?,
        y: part(at.y)?,
        z: part(at.z)?,
    })
}

/// True if the straight line between the middles of two voxels touches the box between two others.
///
/// Two convex bodies are apart if they are on one of the box's axes or on one square to the line
/// and to one of those.
pub(super) fn touches((from, to): (Voxel, Voxel), (low, high): (Voxel, Voxel)) -> bool {
    let doubled = |v: Voxel| [v.x, v.y, v.z].map(|at| i128::from(at) * 2 + 1);
    let (low, high) = (
        [low.x, low.y, low.z].map(|at| i128::from(at) * 2),
        [high.x, high.y, high.z].map(|at| i128::from(at) * 2 + 2),
    );
    let (from, to) = (doubled(from), doubled(to));
    // Four times everything, around the middle of the box.
    let a: [i128; 3] = std::array::from_fn(|axis| 2 * from[axis] - low[axis] - high[axis]);
    let b: [i128; 3] = std::array::from_fn(|axis| 2 * to[axis] - low[axis] - high[axis]);
    let half: [i128; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    let along: [i128; 3] = std::array::from_fn(|axis| b[axis] - a[axis]);
    let beside =
        (0..3).any(|axis| a[axis].min(b[axis]) > half[axis] || a[axis].max(b[axis]) < -half[axis]);
    let around = (0..3).any(|axis| {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let reach = half[j] * along[k].abs() + half[k] * along[j].abs();
        (a[j] * along[k] - a[k] * along[j]).abs() > reach
    });
    !beside && !around
}

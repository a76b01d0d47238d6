//! Path smoothing: string pulling by line of sight, then corner cutting.
//!
//! String pulling finds the farthest visible waypoint by doubling and bisection: O(log n) tests
//! per waypoint kept. In weighted air, a shortcut must not raise the cost.

use super::node_source::LocalVoxel;
use super::segment_test::SegmentTest;

/// String-pulls the waypoints, then cuts corners for `rounds` rounds. Every leg must be clear, and
/// is afterwards.
pub(super) fn smooth(
    points: &mut Vec<LocalVoxel>,
    spare: &mut Vec<LocalVoxel>,
    rounds: u8,
    test: &SegmentTest<'_>,
) {
    pull(points, spare, test);
    for _ in 0..rounds {
        if points.len() < 3 || !cut_corners(points, spare, test) {
            break;
        }
    }
    if rounds > 0 && points.len() > 2 {
        pull(points, spare, test);
    }
}

/// Replaces each waypoint's successor by a far visible one: doubles the range until a leg is
/// blocked, then bisects.
fn pull(points: &mut Vec<LocalVoxel>, spare: &mut Vec<LocalVoxel>, test: &SegmentTest<'_>) {
    let may_skip = |points: &[LocalVoxel]| {
        let (from, to) = (points[0], points[points.len() - 1]);
        test.is_clear_local(from, to)
            && (!test.is_weighted() || is_cheaper(test, &[from, to], points))
    };
    spare.clear();
    let Some(last) = points.len().checked_sub(1) else {
        return;
    };
    let mut at = 0;
    spare.push(points[0]);
    while at < last {
        let (mut visible, mut range) = (at + 1, 2);
        let mut blocked = None;
        while visible < last {
            let next = (at + range).min(last);
            if !may_skip(&points[at..=next]) {
                blocked = Some(next);
                break;
            }
            visible = next;
            range *= 2;
        }
        if let Some(mut blocked) = blocked {
            while blocked - visible > 1 {
                let midpoint = usize::midpoint(visible, blocked);
                if may_skip(&points[at..=midpoint]) {
                    visible = midpoint;
                } else {
                    blocked = midpoint;
                }
            }
        }
        at = visible;
        spare.push(points[at]);
    }
    std::mem::swap(points, spare);
}

/// Replaces corners by two points on their legs, at 1/2, 1/4 or 1/8 of each, if that is clear and
/// cheaper; false if no corner is cut.
fn cut_corners(
    points: &mut Vec<LocalVoxel>,
    spare: &mut Vec<LocalVoxel>,
    test: &SegmentTest<'_>,
) -> bool {
    spare.clear();
    spare.push(points[0]);
    let mut is_cut = false;
    for index in 1..points.len() - 1 {
        let before = *spare.last().expect("never empty");
        let (corner, after) = (points[index], points[index + 1]);
        let mut found = None;
        for divisor in [2, 4, 8] {
            let (a, b) = (
                towards(corner, before, divisor),
                towards(corner, after, divisor),
            );
            if a == corner || b == corner {
                break;
            }
            let are_legs_clear = || {
                (a == before || test.is_clear_local(before, a))
                    && (b == after || test.is_clear_local(b, after))
            };
            // Rounded to voxels, the points may lie beside the legs and lengthen the path.
            let (new, old) = ([before, a, b, after], [before, corner, after]);
            if is_cheaper(test, &new, &old) && test.is_clear_local(a, b) && are_legs_clear() {
                found = Some((a, b));
                break;
            }
        }
        if let Some((a, b)) = found {
            is_cut = true;
            if a != before {
                spare.push(a);
            }
            spare.push(b);
        } else {
            spare.push(corner);
        }
    }
    let last = points[points.len() - 1];
    if spare.last() != Some(&last) {
        spare.push(last);
    }
    std::mem::swap(points, spare);
    is_cut
}

fn is_cheaper(test: &SegmentTest<'_>, new: &[LocalVoxel], old: &[LocalVoxel]) -> bool {
    let cost = |path: &[LocalVoxel]| {
        path.windows(2)
            .map(|leg| test.cost(leg[0], leg[1]))
            .sum::<f64>()
    };
    cost(new) < cost(old)
}

/// The voxel at 1 / `divisor` of the segment, rounded.
fn towards(from: LocalVoxel, to: LocalVoxel, divisor: i32) -> LocalVoxel {
    std::array::from_fn(|axis| {
        let delta = to[axis] - from[axis];
        from[axis] + (2 * delta + delta.signum() * divisor) / (2 * divisor)
    })
}

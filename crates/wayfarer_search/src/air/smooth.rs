//! Waypoints pulled tight: what can be seen is flown to directly, and corners are cut.

use super::node_source::At;
use super::sight::Sight;

/// Pulls the waypoints tight, then cuts corners for so many rounds. Each waypoint must be in sight
/// of the next, and is afterwards. Where volumes have cost multipliers, nothing becomes costlier.
pub(super) fn smooth(points: &mut Vec<At>, spare: &mut Vec<At>, rounds: u8, sight: &Sight<'_>) {
    pull(points, spare, sight);
    for _ in 0..rounds {
        if points.len() < 3 || !cut(points, spare, sight) {
            break;
        }
    }
    if rounds > 0 && points.len() > 2 {
        pull(points, spare, sight);
    }
}

/// From each waypoint to a far one in sight: the reach is doubled until the view is blocked, then
/// halved.
fn pull(points: &mut Vec<At>, spare: &mut Vec<At>, sight: &Sight<'_>) {
    let may_skip = |points: &[At]| {
        let (from, to) = (points[0], points[points.len() - 1]);
        sight.sees(from, to) && (!sight.is_weighted() || is_cheaper(sight, &[from, to], points))
    };
    spare.clear();
    let Some(last) = points.len().checked_sub(1) else {
        return;
    };
    let mut at = 0;
    spare.push(points[0]);
    while at < last {
        let (mut seen, mut reach) = (at + 1, 2);
        let mut hidden = None;
        while seen < last {
            let next = (at + reach).min(last);
            if !may_skip(&points[at..=next]) {
                hidden = Some(next);
                break;
            }
            seen = next;
            reach *= 2;
        }
        if let Some(mut hidden) = hidden {
            while hidden - seen > 1 {
                let center = usize::midpoint(seen, hidden);
                if may_skip(&points[at..=center]) {
                    seen = center;
                } else {
                    hidden = center;
                }
            }
        }
        at = seen;
        spare.push(points[at]);
    }
    std::mem::swap(points, spare);
}

/// Replaces corners by two points on their legs, as far from the corner as the view allows; false
/// if no corner was cut.
fn cut(points: &mut Vec<At>, spare: &mut Vec<At>, sight: &Sight<'_>) -> bool {
    spare.clear();
    spare.push(points[0]);
    let mut is_cut = false;
    for index in 1..points.len() - 1 {
        let before = *spare.last().expect("the first was put there");
        let (corner, after) = (points[index], points[index + 1]);
        let mut found = None;
        for share in [2, 4, 8] {
            let (a, b) = (
                towards(corner, before, share),
                towards(corner, after, share),
            );
            if a == corner || b == corner {
                break;
            }
            let legs =
                || (a == before || sight.sees(before, a)) && (b == after || sight.sees(b, after));
            // Voxels beside the legs may make it longer.
            let (new, old) = ([before, a, b, after], [before, corner, after]);
            if is_cheaper(sight, &new, &old) && sight.sees(a, b) && legs() {
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

/// True if the first way costs less than the second.
fn is_cheaper(sight: &Sight<'_>, new: &[At], old: &[At]) -> bool {
    let cost = |path: &[At]| {
        path.windows(2)
            .map(|leg| sight.cost(leg[0], leg[1]))
            .sum::<f64>()
    };
    cost(new) < cost(old)
}

/// The voxel that lies 1 / `share` of the way from one to another.
fn towards(from: At, to: At, share: i32) -> At {
    std::array::from_fn(|axis| {
        let direction = to[axis] - from[axis];
        from[axis] + (2 * direction + direction.signum() * share) / (2 * share)
    })
}

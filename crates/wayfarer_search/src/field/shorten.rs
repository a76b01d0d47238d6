//! A way pulled taut, by exact rays.

use wayfarer_base::Point2;
use wayfarer_world::field::{Field, FieldAgent};

use super::distance;

/// Times that turns are moved to corners.
const ROUNDS: u32 = 3;

/// Leaves out every turn that the straight way from the turn before to the turn after makes
/// needless.
pub(super) fn drop_turns(field: &Field, agent: FieldAgent, points: &mut Vec<Point2>) {
    let mut kept = 1;
    for next in 1..points.len() {
        let point = points[next];
        while kept >= 2 && field.is_clear(points[kept - 2], point, agent) {
            kept -= 1;
        }
        points[kept] = point;
        kept += 1;
    }
    points.truncate(kept);
}

/// Leaps from point to point as far as one sees: twice as far each time until something is in
/// the way, then as far as halving the rest tells.
pub(super) fn leap(field: &Field, agent: FieldAgent, points: &mut Vec<Point2>) {
    let (mut kept, mut at) = (1, 0);
    while at + 1 < points.len() {
        let from = points[at];
        let (mut seen, mut stride) = (at + 1, 2);
        let mut hidden = loop {
            let next = at + stride;
            if next >= points.len() {
                break points.len();
            }
            if !field.is_clear(from, points[next], agent) {
                break next;
            }
            (seen, stride) = (next, stride * 2);
        };
        while seen + 1 < hidden {
            let middle = usize::midpoint(seen, hidden);
            if field.is_clear(from, points[middle], agent) {
                seen = middle;
            } else {
                hidden = middle;
            }
        }
        points[kept] = points[seen];
        kept += 1;
        at = seen;
    }
    points.truncate(kept);
}

/// Pulls a way taut: leaps, then moves each turn to the corner of what stands in the way of
/// leaving it out, where that is shorter and free.
pub(super) fn pull(field: &Field, agent: FieldAgent, points: &mut Vec<Point2>) {
    leap(field, agent, points);
    for _ in 0..ROUNDS {
        drop_turns(field, agent, points);
        let mut is_changed = false;
        for turn in 1..points.len().saturating_sub(1) {
            let (before, at, after) = (points[turn - 1], points[turn], points[turn + 1]);
            if let Some(better) = better_turn(field, agent, before, at, after) {
                points[turn] = better;
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
    }
    drop_turns(field, agent, points);
}

/// A corner of what stands between `before` and `after` over which the way is shorter than
/// over `at`, and free.
fn better_turn(
    field: &Field,
    agent: FieldAgent,
    before: Point2,
    at: Point2,
    after: Point2,
) -> Option<Point2> {
    let over = |turn: Point2| distance(before, turn, 1.0) + distance(turn, after, 1.0);
    let mut best = over(at);
    let mut found = None;
    // What is met going there, and what is met coming back, may be two different things.
    for (from, to) in [(before, after), (after, before)] {
        let hit = field.first_on(from, to, agent)?;
        let outline = field.outline_at(hit.entity.index(), agent);
        for number in 0..outline.n_corners() {
            let corner = outline.corner(number);
            let length = over(corner);
            if length < best
                && field.is_inside(corner)
                && field.is_clear(before, corner, agent)
                && field.is_clear(corner, after, agent)
            {
                best = length;
                found = Some(corner);
            }
        }
    }
    found
}

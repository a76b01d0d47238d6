//! When a body on its way touches a ring: not while it is wholly in the hole.

use super::super::body::Extent;
use super::{Moments, Mover, Seen, corners_of, meet};

/// From the first to the last touch of a ring around the origin, given its inner and its outer
/// radius and whether the body is in the hole at the first and at the last moment.
///
/// Who is in the hole at both ends never leaves it. Who comes from outside touches the edge first,
/// who comes from the hole what is around the hole, however thin the ring is.
pub(super) fn moments(
    mover: Mover,
    in_hole: (bool, bool),
    (inner, outer): (f64, f64),
    extent: Extent,
) -> Moments {
    if in_hole == (true, true) {
        return None;
    }
    let all = Seen::Round((0.0, 0.0), (0.0, 0.0), outer).moments(mover, extent);
    let (mut enter, mut leave) = match (all, in_hole) {
        (Some(all), _) => all,
        (None, (true, _)) => (0.0, 0.0),
        (None, (_, true)) => (1.0, 1.0),
        (None, _) => return None,
    };
    let hole = wholly_in_disc(mover, inner, extent);
    if in_hole.0 {
        enter = hole.map_or(0.0, |(_, end)| end.clamp(0.0, leave));
    }
    if in_hole.1 {
        leave = hole.map_or(1.0, |(begin, _)| begin.clamp(enter, 1.0));
    }
    Some((enter, leave))
}

/// While every point of the body is nearer than `radius` to the origin, before and after the tick,
/// too.
fn wholly_in_disc(mover: Mover, radius: f64, extent: Extent) -> Moments {
    let center = (0.0, 0.0);
    if extent.half_y < 0 {
        return mover.line_in_disc(center, radius - f64::from(extent.half_x));
    }
    corners_of(extent)
        .into_iter()
        .map(|corner| mover.shifted(corner).line_in_disc(center, radius))
        .reduce(meet)
        .flatten()
}

//! Contact times with a ring: none while the body lies wholly in the hole.

use super::super::body::Extent;
use super::{ContactInterval, LocalShape, MovingPoint, corners_of, intersect};

/// From the first to the last contact with a ring around the origin, given whether the body lies in
/// the hole at the start and at the end.
///
/// A body in the hole at both ends never leaves it. A body from outside first touches the outer
/// edge, a body from the hole first the inner edge, however thin the ring is.
pub(super) fn contact_interval(
    point: MovingPoint,
    in_hole: (bool, bool),
    (inner, outer): (f64, f64),
    extent: Extent,
) -> ContactInterval {
    if in_hole == (true, true) {
        return None;
    }
    let outer_interval =
        LocalShape::Capsule((0.0, 0.0), (0.0, 0.0), outer).contact_interval(point, extent);
    let (mut enter, mut leave) = match (outer_interval, in_hole) {
        (Some(outer_interval), _) => outer_interval,
        (None, (true, _)) => (0.0, 0.0),
        (None, (_, true)) => (1.0, 1.0),
        (None, _) => return None,
    };
    let hole = line_inside_disc(point, inner, extent);
    if in_hole.0 {
        enter = hole.map_or(0.0, |(_, end)| end.clamp(0.0, leave));
    }
    if in_hole.1 {
        leave = hole.map_or(1.0, |(begin, _)| begin.clamp(enter, 1.0));
    }
    Some((enter, leave))
}

/// While every point of the body is nearer than `radius` to the origin, on the infinite line.
fn line_inside_disc(point: MovingPoint, radius: f64, extent: Extent) -> ContactInterval {
    let center = (0.0, 0.0);
    if extent.half_y < 0 {
        return point.line_in_disc(center, radius - f64::from(extent.half_x));
    }
    corners_of(extent)
        .into_iter()
        .map(|corner| point.translated(corner).line_in_disc(center, radius))
        .reduce(intersect)
        .flatten()
}

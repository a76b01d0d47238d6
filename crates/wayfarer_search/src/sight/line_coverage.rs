//! How much of somebody is seen, who stands in the way, and where one is out of sight.

use wayfarer_base::{Column, Direction, Fixed, Point2, Point3, math};
use wayfarer_world::bodies::{BodyFilter, BodyId, BodySet, BodyShape, Contacts, ShapeError};

use super::{FieldOfView, LineOfSightTest, OpacityGrid};

/// How many of nine points of a body are seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Visibility {
    /// Points in sight, 0 to 9.
    pub n_seen: u8,
}

impl Visibility {
    /// Points that are looked at.
    pub const POINTS: u8 = 9;

    /// True if every point is seen.
    pub const fn is_whole(self) -> bool {
        self.n_seen == Self::POINTS
    }
}

/// How much of a body is seen from `eye`: its feet, middle and top, each in its own middle and at
/// both sides as seen from there. The body is `half` wide to both sides of `center`, from `feet`
/// to `top`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "half a width, turned, rounded to 1/256"
)]
pub fn visibility(
    medium: &impl LineOfSightTest,
    eye: Point3,
    center: Point2,
    half: Fixed,
    (feet, top): (Fixed, Fixed),
) -> Visibility {
    let x = f64::from(center.x.raw()) - f64::from(eye.x.raw());
    let y = f64::from(center.y.raw()) - f64::from(eye.y.raw());
    let length = math::length(x, y).max(1.0);
    let across = |part: f64| (part / length * f64::from(half.raw())).round() as i32;
    let (side_x, side_y) = (across(-y), across(x));
    let between = feet.raw() / 2 + top.raw() / 2;
    let mut n_seen = 0;
    for z in [feet.raw(), between, top.raw()] {
        for side in [-1, 0, 1] {
            let point = Point3 {
                x: Fixed::from_raw(center.x.raw().saturating_add(side * side_x)),
                y: Fixed::from_raw(center.y.raw().saturating_add(side * side_y)),
                z: Fixed::from_raw(z),
            };
            n_seen += u8::from(medium.is_clear(eye, point));
        }
    }
    Visibility { n_seen }
}

/// True if no body that `filter` wants, but those in `but`, stands in the line: none whose outline
/// the line touches at a height between its feet and its top. The same from both ends.
///
/// # Errors
/// Positions beyond the limits of objects, or a line longer than 16,384 cells.
pub fn is_clear_of_bodies(
    bodies: &BodySet,
    (from, to): (Point3, Point3),
    filter: &BodyFilter,
    but: &[BodyId],
    contacts: &mut Contacts,
) -> Result<bool, ShapeError> {
    // From the same end whoever asks, so that rounding cannot tell them apart.
    let key = |point: &Point3| (point.y, point.x, point.z);
    let (from, to) = if key(&from) <= key(&to) {
        (from, to)
    } else {
        (to, from)
    };
    let flat = |point: Point3| Point2::new(point.x, point.y);
    bodies.along(flat(from), flat(to), Fixed::default(), filter, contacts)?;
    let (low, rise) = (
        f64::from(from.z.raw()),
        f64::from(to.z.raw()) - f64::from(from.z.raw()),
    );
    let blocks = |(id, contact): (BodyId, wayfarer_world::bodies::Contact)| {
        let Ok(body) = bodies.body(id) else {
            return false;
        };
        // A point is too thin to hide anybody.
        if but.contains(&id) || body.outline == BodyShape::Point {
            return false;
        }
        let (a, b) = (low + contact.enter * rise, low + contact.leave * rise);
        let feet = f64::from(body.z.raw());
        a.min(b) <= feet + f64::from(body.height.raw()) && a.max(b) >= feet
    };
    Ok(!contacts.ids(bodies).any(blocks))
}

/// A place that nobody of those who threaten sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoverPoint {
    /// Where to hide.
    pub column: Column,
    /// A neighbor from which one of them is seen: a step out of cover, if there is one.
    pub peek: Option<Column>,
}

/// The clear columns within `radius` cells of `around` that no threat sees within
/// [`super::MAX_SIGHT_RADIUS`] cells and that touch something opaque or a wall: the nearest first, of
/// equals row by row.
pub fn cover_points(
    board: &OpacityGrid,
    threats: &[Column],
    around: Column,
    radius: i32,
) -> Vec<CoverPoint> {
    let fovs: Vec<FieldOfView> = threats
        .iter()
        .map(|&threat| {
            let mut fov = FieldOfView::default();
            fov.compute(board, threat, super::MAX_SIGHT_RADIUS);
            fov
        })
        .collect();
    let Ok(radius) = u32::try_from(radius) else {
        return Vec::new();
    };
    let is_seen = |column: Column| fovs.iter().any(|fov| fov.contains(column));
    let mut points = Vec::new();
    let rect = board.rect();
    // Outside the board all is opaque.
    let span = |center: i32, low: i32, high: i32| {
        center.saturating_sub_unsigned(radius).max(low)
            ..=center.saturating_add_unsigned(radius).min(high)
    };
    for y in span(around.y, rect.low.y, rect.high.y) {
        for x in span(around.x, rect.low.x, rect.high.x) {
            let column = Column::new(x, y);
            let square = |length: u32| u64::from(length) * u64::from(length);
            let away = square(x.abs_diff(around.x)) + square(y.abs_diff(around.y));
            if away > square(radius) || board.is_opaque(column) || is_seen(column) {
                continue;
            }
            let neighbors = || {
                let straight = Direction::STRAIGHT.into_iter();
                straight.filter_map(|direction| Some((direction, column.step(direction)?)))
            };
            let is_cover = |(direction, next): (Direction, Column)| {
                board.is_opaque(next) || board.bars(column, direction)
            };
            if neighbors().any(is_cover) {
                let mut peeks = neighbors()
                    .filter(|(direction, _)| !board.bars(column, *direction))
                    .map(|(_, next)| next);
                let peek = peeks.find(|next| is_seen(*next));
                points.push((away, CoverPoint { column, peek }));
            }
        }
    }
    points.sort_by_key(|(away, point)| (*away, point.column.y, point.column.x));
    points.into_iter().map(|(_, point)| point).collect()
}

//! Visibility of bodies, occlusion by bodies, and cover points.

use wayfarer_base::{Column, Direction, Fixed, Point2, Point3, math};
use wayfarer_world::bodies::{BodyFilter, BodyId, BodySet, BodyShape, Contacts, ShapeError};

use super::{FieldOfView, LineOfSightTest, OpacityGrid};

/// How many of nine points of a body are visible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Visibility {
    /// Visible points, 0 to 9.
    pub n_seen: u8,
}

impl Visibility {
    /// Points tested.
    pub const POINTS: u8 = 9;

    /// True if every point is visible.
    pub const fn is_whole(self) -> bool {
        self.n_seen == Self::POINTS
    }
}

/// Tests nine points of a body from `eye`: at its feet, half height and top, each at the center
/// and at both silhouette edges. The body extends `half` to both sides of `center`, from `feet` to
/// `top`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "half a width, rotated, rounded to 1/256"
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
    let across = |component: f64| (component / length * f64::from(half.raw())).round() as i32;
    let (side_x, side_y) = (across(-y), across(x));
    let half_height = feet.raw() / 2 + top.raw() / 2;
    let mut n_seen = 0;
    for z in [feet.raw(), half_height, top.raw()] {
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

/// True if no body that passes `filter`, except those in `excluded`, occludes the line: a body
/// whose shape the line touches at a height between its feet and its top. Point bodies never
/// occlude. Symmetric.
///
/// # Errors
/// Positions beyond the limits of bodies, or a line longer than 16,384 cells.
pub fn is_clear_of_bodies(
    bodies: &BodySet,
    (from, to): (Point3, Point3),
    filter: &BodyFilter,
    excluded: &[BodyId],
    contacts: &mut Contacts,
) -> Result<bool, ShapeError> {
    // Ordered ends, so that rounding is symmetric.
    let key = |point: &Point3| (point.y, point.x, point.z);
    let (from, to) = if key(&from) <= key(&to) {
        (from, to)
    } else {
        (to, from)
    };
    let flat = |point: Point3| Point2::new(point.x, point.y);
    bodies.sweep_disc(flat(from), flat(to), Fixed::default(), filter, contacts)?;
    let (low, rise) = (
        f64::from(from.z.raw()),
        f64::from(to.z.raw()) - f64::from(from.z.raw()),
    );
    let blocks = |(id, contact): (BodyId, wayfarer_world::bodies::Contact)| {
        let Ok(body) = bodies.body(id) else {
            return false;
        };
        if excluded.contains(&id) || body.shape == BodyShape::Point {
            return false;
        }
        let (a, b) = (low + contact.enter * rise, low + contact.leave * rise);
        let feet = f64::from(body.z.raw());
        a.min(b) <= feet + f64::from(body.height.raw()) && a.max(b) >= feet
    };
    Ok(!contacts.ids(bodies).any(blocks))
}

/// A column hidden from all threats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoverPoint {
    /// The hidden column.
    pub column: Column,
    /// A neighbor visible to a threat, if there is one: a step out of cover.
    pub peek: Option<Column>,
}

/// The transparent columns within `radius` cells of `around` that are outside the field of view of
/// every threat ([`super::MAX_SIGHT_RADIUS`] cells) and next to an opaque column or a wall. Sorted
/// by distance, then y, then x.
pub fn cover_points(
    grid: &OpacityGrid,
    threats: &[Column],
    around: Column,
    radius: i32,
) -> Vec<CoverPoint> {
    let fovs: Vec<FieldOfView> = threats
        .iter()
        .map(|&threat| {
            let mut fov = FieldOfView::default();
            fov.compute(grid, threat, super::MAX_SIGHT_RADIUS);
            fov
        })
        .collect();
    let Ok(radius) = u32::try_from(radius) else {
        return Vec::new();
    };
    let is_seen = |column: Column| fovs.iter().any(|fov| fov.contains(column));
    let mut points = Vec::new();
    let rect = grid.rect();
    // Everything out of bounds is opaque.
    let span = |center: i32, low: i32, high: i32| {
        center.saturating_sub_unsigned(radius).max(low)
            ..=center.saturating_add_unsigned(radius).min(high)
    };
    for y in span(around.y, rect.low.y, rect.high.y) {
        for x in span(around.x, rect.low.x, rect.high.x) {
            let column = Column::new(x, y);
            let square = |length: u32| u64::from(length) * u64::from(length);
            let distance = square(x.abs_diff(around.x)) + square(y.abs_diff(around.y));
            if distance > square(radius) || grid.is_opaque(column) || is_seen(column) {
                continue;
            }
            let neighbors = || {
                let straight = Direction::STRAIGHT.into_iter();
                straight.filter_map(|direction| Some((direction, column.step(direction)?)))
            };
            let is_cover = |(direction, next): (Direction, Column)| {
                grid.is_opaque(next) || grid.is_wall_between(column, direction)
            };
            if neighbors().any(is_cover) {
                let mut peeks = neighbors()
                    .filter(|(direction, _)| !grid.is_wall_between(column, *direction))
                    .map(|(_, next)| next);
                let peek = peeks.find(|next| is_seen(*next));
                points.push((distance, CoverPoint { column, peek }));
            }
        }
    }
    points.sort_by_key(|(distance, point)| (*distance, point.column.y, point.column.x));
    points.into_iter().map(|(_, point)| point).collect()
}

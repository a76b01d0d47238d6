//! Marks of bodies: footprints with the grid bins they cover, query results, fields of view.

use std::ops::ControlFlow;

use wayfarer_base::{Aabb2, Column, Fixed, Point2, Point3};
use wayfarer_search::sight::FieldOfView;
use wayfarer_world::bodies::{BodyId, BodySet, Footprint, Heading, ShapeError};

use super::{Mark, Picture, Role};

impl Picture {
    /// Adds the outline of a footprint and the grid bins that it covers fully or in part.
    ///
    /// ```
    /// use wayfarer_engine::base::{Fixed, Point2};
    /// use wayfarer_engine::picture::{Mark, Picture};
    /// use wayfarer_engine::world::bodies::{Footprint, BodySet};
    /// let bodies = BodySet::new(Fixed::from_raw(4 * 256));
    /// let circle = Footprint::circle(Point2::default(), Fixed::from_raw(10 * 256));
    /// let mut picture = Picture::default();
    /// picture.add_footprint(&bodies, &circle)?;
    /// let is_inside = |mark: &&Mark| matches!(mark, Mark::GridBin { is_inside: true, .. });
    /// assert_eq!(picture.marks().iter().filter(is_inside).count(), 12);
    /// # Ok::<(), wayfarer_engine::world::bodies::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// The footprint is out of range.
    pub fn add_footprint(
        &mut self,
        bodies: &BodySet,
        footprint: &Footprint,
    ) -> Result<&mut Self, ShapeError> {
        footprint.for_each_bin(bodies.bin_shift(), |bin| {
            let far = |at: Fixed| Fixed::from_raw(at.raw().saturating_add(bin.side.raw()));
            let high = Point2::new(far(bin.low.x), far(bin.low.y));
            let area = Aabb2 { low: bin.low, high };
            let is_inside = bin.is_inside;
            self.add(Mark::GridBin { area, is_inside });
            ControlFlow::Continue(())
        })?;
        for points in outlines(footprint) {
            self.add(Mark::Outline { points });
        }
        Ok(self)
    }

    /// Adds a body; no effect if the id is dead.
    pub fn add_body(&mut self, bodies: &BodySet, id: BodyId, role: Role) -> &mut Self {
        if let Ok(body) = bodies.body(id) {
            let (x, y, z) = (body.position.x, body.position.y, body.z);
            let at = Point3 { x, y, z };
            self.add(Mark::Body { at, role });
        }
        self
    }

    /// Adds the visible columns, at floor height `z`.
    pub fn add_field_of_view(&mut self, fov: &FieldOfView, z: i32) -> &mut Self {
        let mut run: Option<(Column, u32)> = None;
        for column in fov.columns() {
            match &mut run {
                Some((from, length))
                    if from.y == column.y
                        && from.x.checked_add_unsigned(*length) == Some(column.x) =>
                {
                    *length += 1;
                }
                _ => {
                    self.end_visible_run(run.replace((column, 1)), z);
                }
            }
        }
        self.end_visible_run(run, z);
        self
    }

    fn end_visible_run(&mut self, run: Option<(Column, u32)>, z: i32) {
        if let Some((from, length)) = run {
            let from = from.at(z);
            self.add(Mark::InSight { from, length });
        }
    }
}

/// Segments of a full circle.
const N_SEGMENTS: usize = 96;
/// Cosine and sine of 3.75 degrees: a full circle in [`N_SEGMENTS`] segments.
const TURN: (f64, f64) = (0.997_858_923_238_603_5, 0.065_403_129_230_143_06);

type Direction = (f64, f64);

/// The closed outlines of a footprint, curves as polylines.
fn outlines(footprint: &Footprint) -> Vec<Vec<Point2>> {
    let circle = |center: Point2, radius: Fixed| {
        let directions = turn((1.0, 0.0)).take(N_SEGMENTS + 1);
        directions.map(|to| away(center, to, radius)).collect()
    };
    match *footprint {
        Footprint::Circle { center, radius } => vec![circle(center, radius)],
        Footprint::Ring {
            center,
            inner,
            outer,
        } => vec![circle(center, outer), circle(center, inner)],
        Footprint::Capsule { from, to, radius } => {
            let Ok(heading) = Heading::between(from, to) else {
                return vec![circle(from, radius)];
            };
            // A half circle around each end, clockwise.
            let (x, y) = unit(heading);
            let half = |center: Point2, first: Direction| {
                let directions = turn(first).take(N_SEGMENTS / 2 + 1);
                directions.map(move |to| away(center, to, radius))
            };
            let mut points: Vec<Point2> = half(to, (y, -x)).chain(half(from, (-y, x))).collect();
            points.extend(points.first().copied());
            vec![points]
        }
        Footprint::Wedge {
            tip,
            radius,
            left,
            right,
        } => {
            let (first, last) = (unit(left), unit(right));
            // Stops at the last edge: a direction is past it if it is less than two segments beyond.
            let is_past = |at: &Direction| {
                let across = at.0 * last.1 - at.1 * last.0;
                let along = at.0 * last.0 + at.1 * last.1;
                along > 0.0 && across <= 0.0 && -across < 2.0 * TURN.1
            };
            let mut points = vec![tip, away(tip, first, radius)];
            let between = turn(first).take(N_SEGMENTS).skip(1);
            points.extend(
                between
                    .take_while(|at| !is_past(at))
                    .map(|at| away(tip, at, radius)),
            );
            points.extend([away(tip, last, radius), tip]);
            vec![points]
        }
        Footprint::OrientedBox {
            center,
            heading,
            half_along,
            half_across,
        } => {
            let (x, y) = unit(heading);
            let corner = |along: i32, across: i32| {
                let end = away(center, (x, y), Fixed::from_raw(along * half_along.raw()));
                away(end, (-y, x), Fixed::from_raw(across * half_across.raw()))
            };
            let corners = [(1, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
            vec![
                corners
                    .map(|(along, across)| corner(along, across))
                    .to_vec(),
            ]
        }
        Footprint::Polygon(corners) => {
            let mut points = corners.points().to_vec();
            points.extend(points.first().copied());
            vec![points]
        }
    }
}

/// Directions clockwise from `from`, one per segment.
fn turn(from: Direction) -> impl Iterator<Item = Direction> {
    std::iter::successors(Some(from), |(x, y)| {
        Some((x * TURN.0 - y * TURN.1, x * TURN.1 + y * TURN.0))
    })
}

fn unit(heading: Heading) -> Direction {
    let (x, y) = heading.components();
    let (x, y) = (f64::from(x), f64::from(y));
    let length = wayfarer_base::math::length(x, y);
    (x / length, y / length)
}

/// The point at `distance` from `from` in a direction.
fn away(from: Point2, (x, y): Direction, distance: Fixed) -> Point2 {
    let part = |from: Fixed, by: f64| {
        let cells = from.to_cells() + by * distance.to_cells();
        Fixed::from_cells(cells).unwrap_or(from)
    };
    Point2::new(part(from.x, x), part(from.y, y))
}

#[cfg(test)]
mod tests;

//! Objects as marks: footprints with the squares they cover, who was found, what is in sight.

use std::ops::ControlFlow;

use wayfarer_base::{Aabb2, Column, Fixed, Point2, Point3};
use wayfarer_search::sight::FieldOfView;
use wayfarer_world::bodies::{BodyId, BodySet, Footprint, Heading, ShapeError};

use super::{Mark, Picture, Role};

impl Picture {
    /// Adds the squares that a footprint covers, those inside and those covered in part, and its
    /// edge.
    ///
    /// ```
    /// use wayfarer::base::{Fixed, Point2};
    /// use wayfarer::picture::{Mark, Picture};
    /// use wayfarer::world::bodies::{Footprint, BodySet};
    /// let bodies = BodySet::new(Fixed::from_raw(4 * 256));
    /// let circle = Footprint::circle(Point2::default(), Fixed::from_raw(10 * 256));
    /// let mut picture = Picture::default();
    /// picture.add_footprint(&bodies, &circle)?;
    /// let is_inside = |mark: &&Mark| matches!(mark, Mark::Square { is_inside: true, .. });
    /// assert_eq!(picture.marks().iter().filter(is_inside).count(), 12);
    /// # Ok::<(), wayfarer::world::bodies::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A footprint beyond the limits.
    pub fn add_footprint(
        &mut self,
        bodies: &BodySet,
        footprint: &Footprint,
    ) -> Result<&mut Self, ShapeError> {
        footprint.squares(bodies.square_shift(), |square| {
            let far = |at: Fixed| Fixed::from_raw(at.raw().saturating_add(square.side.raw()));
            let high = Point2::new(far(square.low.x), far(square.low.y));
            let area = Aabb2 {
                low: square.low,
                high,
            };
            let is_inside = square.is_inside;
            self.add(Mark::Square { area, is_inside });
            ControlFlow::Continue(())
        })?;
        for points in outlines(footprint) {
            self.add(Mark::Outline { points });
        }
        Ok(self)
    }

    /// Adds an object where it is; a dead one adds nothing.
    pub fn add_body(&mut self, bodies: &BodySet, id: BodyId, role: Role) -> &mut Self {
        if let Ok(body) = bodies.body(id) {
            let (x, y, z) = (body.position.x, body.position.y, body.z);
            let at = Point3 { x, y, z };
            self.add(Mark::Body { at, role });
        }
        self
    }

    /// Adds the columns in sight, at floor height `z`.
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
                    self.end_slice(run.replace((column, 1)), z);
                }
            }
        }
        self.end_slice(run, z);
        self
    }

    fn end_slice(&mut self, run: Option<(Column, u32)>, z: i32) {
        if let Some((from, length)) = run {
            let from = from.at(z);
            self.add(Mark::InSight { from, length });
        }
    }
}

/// How many straight pieces a whole turn is drawn with.
const PIECES: usize = 96;
/// Cosine and sine of 3.75 degrees: a whole turn in [`PIECES`] pieces.
const TURN: (f64, f64) = (0.997_858_923_238_603_5, 0.065_403_129_230_143_06);

type Direction = (f64, f64);

/// The edges of a footprint, closed, curves as many short lines.
fn outlines(footprint: &Footprint) -> Vec<Vec<Point2>> {
    let whole = |center: Point2, radius: Fixed| {
        let directions = turn((1.0, 0.0)).take(PIECES + 1);
        directions.map(|to| away(center, to, radius)).collect()
    };
    match *footprint {
        Footprint::Circle {
            center: centre,
            radius,
        } => vec![whole(centre, radius)],
        Footprint::Ring {
            center: centre,
            inner,
            outer,
        } => vec![whole(centre, outer), whole(centre, inner)],
        Footprint::Capsule { from, to, radius } => {
            let Ok(heading) = Heading::between(from, to) else {
                return vec![whole(from, radius)];
            };
            // A half turn around each end, clockwise as seen on the map.
            let (x, y) = unit(heading);
            let half = |center: Point2, first: Direction| {
                let directions = turn(first).take(PIECES / 2 + 1);
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
            // Up to the last edge: before it lies what it is clockwise of, by less than a piece.
            let is_past = |at: &Direction| {
                let across = at.0 * last.1 - at.1 * last.0;
                let along = at.0 * last.0 + at.1 * last.1;
                along > 0.0 && across <= 0.0 && -across < 2.0 * TURN.1
            };
            let mut points = vec![tip, away(tip, first, radius)];
            let between = turn(first).take(PIECES).skip(1);
            points.extend(
                between
                    .take_while(|at| !is_past(at))
                    .map(|at| away(tip, at, radius)),
            );
            points.extend([away(tip, last, radius), tip]);
            vec![points]
        }
        Footprint::Turned {
            center: centre,
            heading,
            half_along,
            half_across,
        } => {
            let (x, y) = unit(heading);
            let corner = |along: i32, across: i32| {
                let end = away(centre, (x, y), Fixed::from_raw(along * half_along.raw()));
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

/// From a direction on, clockwise as seen on the map, piece by piece.
fn turn(from: Direction) -> impl Iterator<Item = Direction> {
    std::iter::successors(Some(from), |(x, y)| {
        Some((x * TURN.0 - y * TURN.1, x * TURN.1 + y * TURN.0))
    })
}

fn unit(heading: Heading) -> Direction {
    let (x, y) = heading.parts();
    let (x, y) = (f64::from(x), f64::from(y));
    let length = wayfarer_base::math::length(x, y);
    (x / length, y / length)
}

/// The point that lies `distance` away.
fn away(from: Point2, (x, y): Direction, distance: Fixed) -> Point2 {
    let part = |from: Fixed, by: f64| {
        let cells = from.to_cells() + by * distance.to_cells();
        Fixed::from_cells(cells).unwrap_or(from)
    };
    Point2::new(part(from.x, x), part(from.y, y))
}

#[cfg(test)]
mod tests;

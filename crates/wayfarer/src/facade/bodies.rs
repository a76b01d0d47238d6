//! The registry of bodies: edits, range queries, overlaps, influence.

use std::ops::ControlFlow;

use wayfarer_engine as engine;
use wayfarer_engine::base::{Fixed, Point2};
use wayfarer_engine::world::bodies::{self, Contacts, NearestHits};
use wayfarer_engine::{BodyEdit, Edit, EditError};

use super::World;
use crate::body::{Body, BodyError, BodyFilter, BodyId, place_of, point, size};
use crate::footprint::{Footprint, MAX_RANGE};
use crate::units::{Position, Rounding};

/// From this share of all bodies on, moving them all in bulk is cheaper: 1 of 8.
const BULK_SHARE: usize = 8;

impl World {
    /// Registers a body. Its id is never reused.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    ///
    /// let mut world = World::new(Scale::meters(1.0))?;
    /// let position = Position::new(3.0, 4.0, 0.0);
    /// let unit = world.add_body(Body { position, team: 1, ..Body::default() })?;
    /// world.move_bodies(&[(unit, Position::new(5.0, 4.0, 0.0))])?;
    /// let near = world.bodies_in(&Footprint::disc(position, 2.5), BodyFilter::enemies_of(2))?;
    /// assert_eq!(near, [unit]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A number is not finite or out of range.
    pub fn add_body(&mut self, body: Body) -> Result<BodyId, BodyError> {
        let body = body.to_engine(self.frame)?;
        let changes = self.edit_bodies([BodyEdit::Register(body)])?;
        let id = changes.new_bodies().next();
        Ok(id.expect("a batch that registers a body reports its id"))
    }

    /// Removes a body. Sensors that detect it report that it left.
    ///
    /// # Errors
    /// The id is unknown.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), BodyError> {
        self.edit_bodies([BodyEdit::Unregister { id }]).map(|_| ())
    }

    /// A body, its numbers rounded as [`Body`] says.
    ///
    /// # Errors
    /// The id is unknown.
    pub fn body(&self, id: BodyId) -> Result<Body, BodyError> {
        let body = self.engine.bodies().body(id);
        let body = body.map_err(|_error| BodyError::UnknownBody { id })?;
        Ok(Body::from_engine(&body, self.frame))
    }

    /// The ids of all bodies, ascending.
    pub fn bodies(&self) -> Vec<BodyId> {
        let bodies = self.engine.bodies();
        let slots = 0..u32::try_from(bodies.n_slots()).unwrap_or(u32::MAX);
        slots.filter_map(|slot| bodies.id_at(slot)).collect()
    }

    /// Moves bodies in one batch; bodies that are not listed stay. The last of several positions
    /// for one body counts.
    ///
    /// # Errors
    /// An id is unknown or a position is outside the world; nothing moved.
    pub fn move_bodies(&mut self, moves: &[(BodyId, Position)]) -> Result<(), BodyError> {
        let bodies = self.engine.bodies();
        let is_continuous = self
            .engine
            .sensors()
            .any(|(_, sensor)| sensor.is_continuous);
        let is_bulk = is_continuous || moves.len() * BULK_SHARE >= bodies.len();
        let mut all = match is_bulk {
            true => bodies.positions().to_vec(),
            false => Vec::new(),
        };
        // What is left in vacant slots is not saved: it may not count in the digest of the batch.
        if bodies.len() < all.len() {
            for (slot, at) in (0..).zip(&mut all) {
                if bodies.id_at(slot).is_none() {
                    *at = Point2::default();
                }
            }
        }
        let (mut edits, mut heights) = (Vec::new(), Vec::new());
        for &(id, at) in moves {
            let place = bodies.place(id);
            let (_, height) = place.map_err(|_error| BodyError::UnknownBody { id })?;
            let (to, z) = place_of(self.frame, at)?;
            // Several moves of one body may set its height back.
            if z != height || !heights.is_empty() {
                heights.push(BodyEdit::SetHeight { id, z });
            }
            match all.get_mut(id.index() as usize) {
                Some(known) => *known = to,
                None => edits.push(BodyEdit::Teleport { id, to }),
            }
        }
        if is_bulk {
            edits.push(BodyEdit::MoveAll(all));
        }
        edits.append(&mut heights);
        self.edit_bodies(edits).map(|_| ())
    }

    /// Moves a body without crossing what lies between: continuous sensors there do not detect it.
    ///
    /// # Errors
    /// The id is unknown or the position is outside the world.
    pub fn teleport(&mut self, id: BodyId, to: Position) -> Result<(), BodyError> {
        let (to, z) = place_of(self.frame, to)?;
        let edits = [BodyEdit::Teleport { id, to }, BodyEdit::SetHeight { id, z }];
        self.edit_bodies(edits).map(|_| ())
    }

    /// The bodies that overlap a footprint, by id.
    ///
    /// # Errors
    /// The footprint or the filter is out of range.
    pub fn bodies_in(
        &self,
        footprint: &Footprint,
        filter: BodyFilter,
    ) -> Result<Vec<BodyId>, BodyError> {
        let mut found = Vec::new();
        self.bodies_in_into(footprint, filter, &mut found)?;
        Ok(found)
    }

    /// [`World::bodies_in`] into a list, which is cleared first.
    ///
    /// # Errors
    /// As [`World::bodies_in`].
    pub fn bodies_in_into(
        &self,
        footprint: &Footprint,
        filter: BodyFilter,
        found: &mut Vec<BodyId>,
    ) -> Result<(), BodyError> {
        found.clear();
        let footprint = footprint.to_engine(self.frame)?;
        self.visit_bodies(&footprint, &filter.to_engine(self.frame)?, |id| {
            found.push(id);
        });
        found.sort_unstable();
        Ok(())
    }

    /// The `count` bodies whose centers are nearest to a position on the plane, at most 16,384
    /// cells away; nearest first, of equals the one with the lower id.
    ///
    /// # Errors
    /// The position is outside the world, or the filter is out of range.
    pub fn nearest_bodies(
        &self,
        at: Position,
        count: usize,
        filter: BodyFilter,
    ) -> Result<Vec<BodyId>, BodyError> {
        let from = point(self.frame, "the position of a query", at)?;
        let filter = filter.to_engine(self.frame)?;
        let mut nearest = NearestHits::default();
        let bodies = self.engine.bodies();
        let found = bodies.nearest(from, count, MAX_RANGE, &filter, &mut nearest);
        found.expect("the position was checked");
        Ok(nearest.ids(bodies).map(|(id, _)| id).collect())
    }

    /// The bodies that a line on the plane touches, at most 16,384 cells long; first contact first.
    ///
    /// # Errors
    /// A position is outside the world, the line is too long, or the filter is out of range.
    pub fn bodies_along(
        &self,
        from: Position,
        to: Position,
        filter: BodyFilter,
    ) -> Result<Vec<BodyId>, BodyError> {
        let line = Footprint::capsule(from, to, 0.0).to_engine(self.frame)?;
        let filter = filter.to_engine(self.frame)?;
        let mut contacts = Contacts::default();
        let bodies = self.engine.bodies();
        if let bodies::Footprint::Capsule { from, to, radius } = line {
            let swept = bodies.sweep_disc(from, to, radius, &filter, &mut contacts);
            swept.expect("the line was checked");
        }
        Ok(contacts.ids(bodies).map(|(id, _)| id).collect())
    }

    /// The pairs of bodies that overlap or touch on the plane and in height, both accepted by the
    /// filter; each once with the lower id first, sorted. Points overlap nothing.
    ///
    /// # Errors
    /// The filter is out of range.
    pub fn overlapping_pairs(
        &self,
        filter: BodyFilter,
    ) -> Result<Vec<(BodyId, BodyId)>, BodyError> {
        let filter = filter.to_engine(self.frame)?;
        let bodies = self.engine.bodies();
        let mut pairs = Vec::new();
        for id in self.bodies() {
            let (true, Ok(body)) = (bodies.passes(id, &filter), bodies.body(id)) else {
                continue;
            };
            let Some(outline) = outline(&body) else {
                continue;
            };
            let top = Fixed::from_raw(body.z.raw().saturating_add(body.height.raw()));
            let in_height = bodies::BodyFilter {
                heights: Some((body.z, top)),
                ..filter
            };
            let begin = pairs.len();
            self.visit_bodies(&outline, &in_height, |other| {
                let is_point = |body: bodies::Body| body.shape == bodies::BodyShape::Point;
                if other > id
                    && bodies.passes(other, &filter)
                    && !bodies.body(other).is_ok_and(is_point)
                {
                    pairs.push((id, other));
                }
            });
            pairs[begin..].sort_unstable();
        }
        Ok(pairs)
    }

    /// The influence of bodies at a position: each adds 1 where it is, less with the distance from
    /// its outline, and 0 from `reach` on.
    ///
    /// # Errors
    /// The position is outside the world, or the reach or the filter is out of range.
    pub fn influence_at(
        &self,
        at: Position,
        reach: f64,
        filter: BodyFilter,
    ) -> Result<f64, BodyError> {
        let area = Footprint::disc(at, reach).to_engine(self.frame)?;
        let center = area.origin();
        let filter = filter.to_engine(self.frame)?;
        let reach = size(self.frame, "the reach", reach, Rounding::Down)?.raw();
        let reach = i64::from(reach.max(1));
        let bodies = self.engine.bodies();
        // In 1/65,536, so that the order of the sum does not matter.
        let mut sum = 0_i64;
        self.visit_bodies(&area, &filter, |id| {
            if let Ok(body) = bodies.body(id) {
                sum += 65_536 * (reach - distance(&body, center)).max(0) / reach;
            }
        });
        #[expect(clippy::cast_precision_loss, reason = "a sum of few bodies")]
        let influence = sum as f64 / 65_536.0;
        Ok(influence)
    }

    /// Applies edits of bodies in one batch.
    fn edit_bodies(
        &mut self,
        edits: impl IntoIterator<Item = BodyEdit>,
    ) -> Result<std::sync::Arc<engine::WorldChanges>, BodyError> {
        let edits = edits.into_iter().map(Edit::Body).collect();
        let applied = self.apply_logged(edits, &[], self.handles.next);
        let applied = applied.map(|changes| changes.engine);
        applied.map_err(|error| match error {
            EditError::Body {
                error: bodies::BodyError::UnknownBody { id },
                ..
            } => BodyError::UnknownBody { id },
            error => BodyError::Limit {
                reason: error.to_string(),
            },
        })
    }

    /// Visits the bodies in a footprint that was checked.
    fn visit_bodies(
        &self,
        footprint: &bodies::Footprint,
        filter: &bodies::BodyFilter,
        mut visit: impl FnMut(BodyId),
    ) {
        let bodies = self.engine.bodies();
        let visited = bodies.visit(footprint, filter, |slot| {
            bodies.id_at(slot).into_iter().for_each(&mut visit);
            ControlFlow::Continue(())
        });
        visited.expect("the footprint was checked");
    }

    /// The bodies whose outline contains a position on the plane.
    pub(super) fn bodies_at(&self, at: Position, found: &mut Vec<BodyId>) {
        if let Ok(center) = point(self.frame, "a position", at) {
            let footprint = bodies::Footprint::circle(center, Fixed::default());
            self.visit_bodies(&footprint, &bodies::BodyFilter::ALL, |id| found.push(id));
        }
    }
}

/// The outline of a body as a footprint; `None` for a point.
fn outline(body: &bodies::Body) -> Option<bodies::Footprint> {
    let center = body.position;
    match body.shape {
        bodies::BodyShape::Point => None,
        bodies::BodyShape::Disc { radius } => Some(bodies::Footprint::circle(center, radius)),
        bodies::BodyShape::Box { half_x, half_y } => Some(bodies::Footprint::OrientedBox {
            center,
            heading: bodies::Heading::EAST,
            half_along: half_x,
            half_across: half_y,
        }),
    }
}

/// The distance of a point from a body's outline, in 1/256 of a cell, rounded down.
fn distance(body: &bodies::Body, from: Point2) -> i64 {
    let apart = |a: Fixed, b: Fixed| (i64::from(a.raw()) - i64::from(b.raw())).abs();
    let (x, y) = (
        apart(body.position.x, from.x),
        apart(body.position.y, from.y),
    );
    let length = |x: i64, y: i64| (x * x + y * y).isqrt();
    match body.shape {
        bodies::BodyShape::Point => length(x, y),
        bodies::BodyShape::Disc { radius } => (length(x, y) - i64::from(radius.raw())).max(0),
        bodies::BodyShape::Box { half_x, half_y } => length(
            (x - i64::from(half_x.raw())).max(0),
            (y - i64::from(half_y.raw())).max(0),
        ),
    }
}

#[cfg(test)]
mod tests;

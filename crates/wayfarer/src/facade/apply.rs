//! One batch of edits over all parts of a world: all of it or nothing.
//!
//! What can be judged without doing is judged first: the field, the objects, and all of the air
//! but its room. Then the ground is changed, which undoes itself where it cannot be; then the air.
//! If that lacks room the ground is led back, its own revision two further on.

use std::sync::Arc;

use wayfarer_base::collections::{OrderedMap, OrderedSet};
use wayfarer_base::{Cell, Fixed, GroundEdit, Point2, Rect, Voxel};
use wayfarer_search::multimodal::AirLink;
use wayfarer_world::air::{Air, AirEdit};
use wayfarer_world::bodies::{Body, BodyError, BodyId, BodySet};
use wayfarer_world::obstacles::{Obstacle, ObstacleError, ObstacleId, ObstacleSet, ObstacleShape};

use super::World;
use super::change::{AirLinkDifference, BodyDifference, ObstacleDifference, WorldChanges, merged};
use super::edit::{BodyEdit, Edit, EditError, ObstacleEdit};
use super::solid::{self, Columns};
use crate::Position;
use crate::scale::Reach;

/// A batch, part by part.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) ground: Vec<GroundEdit>,
    /// Which edit of the batch each edit of the ground comes from.
    pub(super) ground_of: Vec<usize>,
    air: Vec<AirEdit>,
    obstacles: Vec<(usize, ObstacleEdit)>,
    pub(super) bodies: Vec<(usize, BodyEdit)>,
    /// Where, and what is there from now on.
    air_links: Vec<(Cell, Voxel, Option<AirLink>)>,
}

impl World {
    /// Applies a batch of edits to all parts of the world, all or none, and tells what became of
    /// it. Each edit may be one of a part or a [`Edit`].
    ///
    /// # Errors
    /// The first edit that cannot be done; the world is then as before.
    ///
    /// ```
    /// use wayfarer::{Position, World, Edit};
    /// use wayfarer::base::{Cell, Raster, Terrain, Voxel};
    /// use wayfarer::world::air::AirBuilder;
    ///
    /// let air = AirBuilder::new(Voxel::new(0, 0, 0), [9, 1, 8])?.build()?;
    /// let map = Raster::from_bytes(9, 1, vec![0; 9]).unwrap();
    /// let mut world = World::from_raster(&map).with_air(air);
    /// let eyes = [Position::new(0.5, 0.5, 1.5), Position::new(8.5, 0.5, 1.5)];
    /// assert!(world.sees(eyes[0], eyes[1]));
    ///
    /// // A wall goes up: it stands on the ground, in the air and in the line of sight.
    /// let (low, high) = (Position::new(4.0, 0.0, 0.0), Position::new(5.0, 1.0, 3.0));
    /// let changes = world.apply([Edit::FillBox { low, high, top: Terrain::GROUND }])?;
    /// assert!(!world.is_walkable(Cell::flat(4, 0)));
    /// assert!(world.air().unwrap().is_solid(Voxel::new(4, 0, 2)));
    /// assert!(!world.sees(eyes[0], eyes[1]));
    ///
    /// world.apply(changes.inverse())?; // and falls
    /// assert!(world.is_walkable(Cell::flat(4, 0)) && world.sees(eyes[0], eyes[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply<E: Into<Edit>>(
        &mut self,
        edits: impl IntoIterator<Item = E>,
    ) -> Result<Arc<WorldChanges>, EditError> {
        let mut parts = self.part(edits.into_iter().map(Into::into).collect())?;
        check_obstacles(self.obstacles.as_ref(), &parts.obstacles)?;
        check_bodies(&self.bodies, &parts.bodies)?;
        self.follow(&mut parts)?;
        if let Some(air) = &self.air {
            air.check(&parts.air)?;
        }
        let ground = if parts.ground.is_empty() {
            None
        } else {
            let number = |of: usize| parts.ground_of.get(of).copied().unwrap_or(of);
            let applied = self.ground.apply(&parts.ground);
            Some(applied.map_err(|error| error.clone().about(number(error.edit())))?)
        };
        let air = match &mut self.air {
            Some(air) if !parts.air.is_empty() => match air.apply(&parts.air) {
                Ok(changes) => Some(changes),
                Err(error) => {
                    if let Some(changes) = ground {
                        let back = self.ground.apply(&changes.inverse());
                        let back = back.expect("the ground had room for what it was");
                        self.ground_log.push(changes.changes);
                        self.ground_log.push(back.changes);
                    }
                    return Err(error.into());
                }
            },
            _ => None,
        };
        let obstacles = self.obstacles.as_mut();
        let obstacles = obstacles.map_or(Vec::new(), |obstacles| {
            change_obstacles(obstacles, &parts.obstacles)
        });
        let bodies = change_bodies(&mut self.bodies, parts.bodies);
        let air_links = change_air_links(&mut self.air_links, &parts.air_links);
        self.settle_attached();
        if let Some(ground) = &ground {
            self.ground_log.push(ground.changes.clone());
        }
        if let Some(air) = &air {
            self.air_log.push(air.clone());
        }
        let before = self.revision;
        self.revision = before.next();
        let mut changes = WorldChanges {
            before,
            after: self.revision,
            ground,
            air,
            obstacles,
            bodies,
            air_links,
            invalidated: Vec::new(),
        };
        changes.invalidated = self.notice(&changes);
        let changes = Arc::new(changes);
        if self.history.len() == Self::CHANGE_LOG_CAPACITY {
            self.history.pop_front();
        }
        self.history.push_back(Arc::clone(&changes));
        Ok(changes)
    }

    /// Sorts a batch by parts; boxes become floors and voxels.
    fn part(&self, edits: Vec<Edit>) -> Result<Parts, EditError> {
        let is_solid = |edit: &Edit| matches!(edit, Edit::FillBox { .. } | Edit::CarveBox { .. });
        // Floors need following only up to the last box.
        let n_followed = edits.iter().rposition(is_solid).map_or(0, |last| last + 1);
        let mut columns = Columns::of(&self.ground);
        let mut parts = Parts::default();
        for (number, edit) in edits.into_iter().enumerate() {
            match edit {
                Edit::Ground(edit) => {
                    if number < n_followed && solid::is_about_floors(&edit) {
                        columns.follow(&edit);
                    }
                    parts.ground.push(edit);
                }
                Edit::Air(edit) => {
                    if self.air.is_none() {
                        let part = "air";
                        return Err(EditError::NoSuchPart { edit: number, part });
                    }
                    parts.air.push(edit);
                }
                Edit::Obstacle(edit) => parts.obstacles.push((number, edit)),
                Edit::Body(edit) => parts.bodies.push((number, edit)),
                Edit::PutAirLink(air_link) => {
                    let put = (air_link.cell, air_link.voxel, Some(air_link));
                    parts.air_links.push(put);
                }
                Edit::RemoveAirLink { cell, voxel } => parts.air_links.push((cell, voxel, None)),
                Edit::FillBox { low, high, top } => {
                    let reach = self.reach(number, low, high)?;
                    let rect = Rect::around(reach.columns.0, reach.columns.1);
                    let ground = &mut parts.ground;
                    columns.build(rect, reach.steps, top, |edit| ground.push(edit));
                    parts.air.extend(self.air_box(reach, true));
                }
                Edit::CarveBox { low, high, floor } => {
                    let reach = self.reach(number, low, high)?;
                    let rect = Rect::around(reach.columns.0, reach.columns.1);
                    let ground = &mut parts.ground;
                    columns.raze(rect, reach.steps, floor, |edit| ground.push(edit));
                    parts.air.extend(self.air_box(reach, false));
                }
            }
            parts.ground_of.resize(parts.ground.len(), number);
        }
        Ok(parts)
    }

    fn reach(&self, edit: usize, low: Position, high: Position) -> Result<Reach, EditError> {
        let reach = self.scale.reach_of(low, high);
        let reach = reach.ok_or(EditError::BadBox { edit, low, high })?;
        let rect = Rect::around(reach.columns.0, reach.columns.1);
        let found = u64::from(rect.width()) * u64::from(rect.height());
        if found > solid::MAX_COLUMNS {
            let limit = solid::MAX_COLUMNS;
            return Err(EditError::TooWide { edit, found, limit });
        }
        Ok(reach)
    }

    /// A box of voxels as far as it lies in the air.
    fn air_box(&self, reach: Reach, is_solid: bool) -> Option<AirEdit> {
        let air = self.air.as_ref()?;
        let (low, high) = clipped(air, reach.voxels)?;
        Some(if is_solid {
            AirEdit::Fill { low, high }
        } else {
            AirEdit::Clear { low, high }
        })
    }
}

fn clipped(air: &Air, (low, high): (Voxel, Voxel)) -> Option<(Voxel, Voxel)> {
    let (first, last) = (air.low(), air.high());
    let low = Voxel::new(low.x.max(first.x), low.y.max(first.y), low.z.max(first.z));
    let high = Voxel::new(high.x.min(last.x), high.y.min(last.y), high.z.min(last.z));
    (low.x <= high.x && low.y <= high.y && low.z <= high.z).then_some((low, high))
}

/// Whether edits of the field can be done one after another.
fn check_obstacles(
    obstacles: Option<&ObstacleSet>,
    edits: &[(usize, ObstacleEdit)],
) -> Result<(), EditError> {
    let Some(obstacles) = obstacles else {
        return match edits.first() {
            Some((edit, _)) => Err(EditError::NoSuchPart {
                edit: *edit,
                part: "field",
            }),
            None => Ok(()),
        };
    };
    let mut known: OrderedMap<ObstacleId, Option<Obstacle>> = OrderedMap::new();
    let mut n_obstacles = obstacles.len();
    for (edit, action) in edits {
        let living = |known: &OrderedMap<ObstacleId, Option<Obstacle>>, id: ObstacleId| {
            let found = known.get(&id).copied();
            let found = found.unwrap_or_else(|| obstacles.obstacle(id));
            found.ok_or(ObstacleError::Dead { id })
        };
        let mut check = || match *action {
            ObstacleEdit::Insert(obstacle) => {
                n_obstacles += 1;
                if n_obstacles > ObstacleSet::MAX_OBSTACLES as usize {
                    return Err(ObstacleError::Full);
                }
                obstacle.check()
            }
            ObstacleEdit::Set {
                id,
                obstacle: entity,
            } => {
                living(&known, id)?;
                known.insert(id, Some(entity));
                entity.check()
            }
            ObstacleEdit::MoveTo { id, low } => moved(living(&known, id)?, low).check(),
            ObstacleEdit::Remove { id } => {
                living(&known, id)?;
                known.insert(id, None);
                n_obstacles -= 1;
                Ok(())
            }
        };
        let edit = *edit;
        check().map_err(|error| EditError::Obstacle { edit, error })?;
    }
    Ok(())
}

/// An obstacle with the north-west corner of the box around it at `low`.
fn moved(obstacle: Obstacle, low: Point2) -> Obstacle {
    let add = |a: Fixed, b: i64| {
        let raw = i64::from(a.raw()) + b;
        // Beyond the numbers is beyond the limits, too.
        Fixed::from_raw(i32::try_from(raw).unwrap_or(i32::MAX))
    };
    let size = |low: Fixed, high: Fixed| i64::from(high.raw()) - i64::from(low.raw());
    let shape = match obstacle.shape {
        ObstacleShape::Box(area) => {
            let x = size(area.low.x, area.high.x);
            let y = size(area.low.y, area.high.y);
            let high = Point2::new(add(low.x, x), add(low.y, y));
            ObstacleShape::Box(wayfarer_base::Aabb2 { low, high })
        }
        ObstacleShape::Disc { radius, .. } => {
            let by = i64::from(radius.raw());
            let center = Point2::new(add(low.x, by), add(low.y, by));
            ObstacleShape::Disc { center, radius }
        }
    };
    Obstacle { shape, ..obstacle }
}

/// Does what was found to be possible; one revision of the field.
fn change_obstacles(
    obstacles: &mut ObstacleSet,
    edits: &[(usize, ObstacleEdit)],
) -> Vec<ObstacleDifference> {
    let mut differences = Vec::with_capacity(edits.len());
    let mut batch = obstacles.edit();
    for (_, edit) in edits {
        const CHECKED: &str = "looked at before anything was done";
        let difference = match *edit {
            ObstacleEdit::Insert(obstacle) => ObstacleDifference {
                id: batch.insert(&obstacle).expect(CHECKED),
                before: None,
                after: Some(obstacle),
            },
            ObstacleEdit::Set { id, .. } | ObstacleEdit::MoveTo { id, .. } => {
                let before = batch.obstacle(id);
                match *edit {
                    ObstacleEdit::MoveTo { low, .. } => batch.move_to(id, low).expect(CHECKED),
                    ObstacleEdit::Set {
                        obstacle: entity, ..
                    } => batch.set(id, &entity).expect(CHECKED),
                    _ => {}
                }
                let after = batch.obstacle(id);
                ObstacleDifference { id, before, after }
            }
            ObstacleEdit::Remove { id } => ObstacleDifference {
                id,
                before: Some(batch.remove(id).expect(CHECKED)),
                after: None,
            },
        };
        if difference.before != difference.after {
            differences.push(difference);
        }
    }
    drop(batch);
    merged(differences, |one| one.id, ObstacleDifference::then)
}

/// Whether edits of the objects can be done one after another.
fn check_bodies(bodies: &BodySet, edits: &[(usize, BodyEdit)]) -> Result<(), EditError> {
    let mut dead: OrderedSet<BodyId> = OrderedSet::new();
    let mut n_places = bodies.n_slots();
    let mut n_free = n_places - bodies.len();
    for (edit, action) in edits {
        let living = |dead: &OrderedSet<BodyId>, id: BodyId| {
            if bodies.is_alive(id) && !dead.contains(&id) {
                Ok(())
            } else {
                Err(BodyError::Dead { id })
            }
        };
        let mut check = || match action {
            BodyEdit::Register(body) => {
                body.check()?;
                if n_free > 0 {
                    n_free -= 1;
                } else {
                    n_places += 1;
                }
                Ok(())
            }
            BodyEdit::Unregister { id } => {
                living(&dead, *id)?;
                dead.insert(*id);
                n_free += 1;
                Ok(())
            }
            BodyEdit::MoveTo { id, to } | BodyEdit::Teleport { id, to } => {
                living(&dead, *id)?;
                Ok(Body::at(*to).check()?)
            }
            BodyEdit::Lift { id, z } => {
                living(&dead, *id)?;
                let body = Body {
                    z: *z,
                    ..Body::at(Point2::default())
                };
                Ok(body.check()?)
            }
            BodyEdit::MoveAll(to) if to.len() != n_places => Err(BodyError::Length {
                found: to.len(),
                expected: n_places,
            }),
            BodyEdit::MoveAll(to) => {
                to.iter().try_for_each(|to| Body::at(*to).check())?;
                Ok(())
            }
        };
        let edit = *edit;
        check().map_err(|error| EditError::Body { edit, error })?;
    }
    Ok(())
}

/// Does what was found to be possible.
fn change_bodies(bodies: &mut BodySet, edits: Vec<(usize, BodyEdit)>) -> Vec<BodyDifference> {
    const CHECKED: &str = "looked at before anything was done";
    let mut differences = Vec::new();
    for (_, edit) in edits {
        match edit {
            BodyEdit::Register(body) => {
                let id = bodies.register(&body).expect(CHECKED);
                let body = Box::new(body);
                differences.push(BodyDifference::Came { id, body });
            }
            BodyEdit::Unregister { id } => {
                let body = Box::new(bodies.body(id).expect(CHECKED));
                bodies.unregister(id).expect(CHECKED);
                differences.push(BodyDifference::Went { id, body });
            }
            BodyEdit::MoveTo { id, .. }
            | BodyEdit::Teleport { id, .. }
            | BodyEdit::Lift { id, .. } => {
                let place = |bodies: &BodySet| {
                    let body = bodies.body(id).expect(CHECKED);
                    (body.position, body.z)
                };
                let from = place(bodies);
                match edit {
                    BodyEdit::MoveTo { to, .. } => bodies.move_to(id, to),
                    BodyEdit::Teleport { to, .. } => bodies.teleport(id, to),
                    BodyEdit::Lift { z, .. } => bodies.set_height(id, z),
                    _ => Ok(()),
                }
                .expect(CHECKED);
                let to = place(bodies);
                if from != to {
                    differences.push(BodyDifference::Moved { id, from, to });
                }
            }
            BodyEdit::MoveAll(to) => {
                let places = u32::try_from(bodies.n_slots()).expect("places have 32 bits");
                differences.reserve(bodies.len());
                for (index, to) in (0..places).zip(&to) {
                    let Some(id) = bodies.id_at(index) else {
                        continue;
                    };
                    let body = bodies.body(id).expect(CHECKED);
                    if body.position != *to {
                        let from = (body.position, body.z);
                        let to = (*to, body.z);
                        differences.push(BodyDifference::Moved { id, from, to });
                    }
                }
                bodies.move_all(&to).expect(CHECKED);
            }
        }
    }
    merged(differences, BodyDifference::id, BodyDifference::then)
}

/// Puts air links up and takes them away.
fn change_air_links(
    air_links: &mut Vec<AirLink>,
    edits: &[(Cell, Voxel, Option<AirLink>)],
) -> Vec<AirLinkDifference> {
    let mut differences = Vec::new();
    for &(cell, voxel, after) in edits {
        let name = |air_link: &AirLink| (air_link.cell, air_link.voxel);
        let found = air_links.binary_search_by_key(&(cell, voxel), name);
        let before = found.ok().map(|at| air_links[at]);
        match (found, after) {
            (Ok(at), Some(air_link)) => air_links[at] = air_link,
            (Ok(at), None) => {
                air_links.remove(at);
            }
            (Err(at), Some(air_link)) => air_links.insert(at, air_link),
            (Err(_), None) => {}
        }
        if before != after {
            differences.push(AirLinkDifference { before, after });
        }
    }
    merged(
        differences,
        AirLinkDifference::name,
        AirLinkDifference::then,
    )
}

#[cfg(test)]
pub(super) mod tests;

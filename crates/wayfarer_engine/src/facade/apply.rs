//! Atomic batches of edits over all domains.
//!
//! Obstacles, bodies and the air (except its capacity) are validated first. Then the ground is
//! edited, which rolls back on an error by itself, then the air. If the air runs out of capacity,
//! the inverse of the ground edit is applied, which leaves the ground's own revision two higher.
//! Obstacles, bodies and air links change last and cannot fail.

use std::sync::Arc;

use wayfarer_base::collections::{OrderedMap, OrderedSet};
use wayfarer_base::{BatchDigest, Cell, Fixed, GroundEdit, Point2, Rect, SolidId, Voxel};
use wayfarer_search::multimodal::AirLink;
use wayfarer_world::air::{Air, AirEdit, AirError};
use wayfarer_world::bodies::{Body, BodyError, BodyId, BodySet};
use wayfarer_world::ground::{Ground, GroundEditError};
use wayfarer_world::obstacles::{Obstacle, ObstacleError, ObstacleId, ObstacleSet, ObstacleShape};

use super::World;
use super::change::{AirLinkDifference, BodyDifference, ObstacleDifference, WorldChanges, merged};
use super::edit::{BodyEdit, Edit, EditError, ObstacleEdit};
use super::solid::{self, Solid};
use crate::Position;
use crate::scale::BoxExtent;

/// A batch split by domain.
#[derive(Default)]
pub(super) struct EditBatch {
    pub(super) ground: Vec<GroundEdit>,
    /// For each ground edit, the index of the edit it comes from.
    pub(super) ground_sources: Vec<usize>,
    air: Vec<AirEdit>,
    obstacles: Vec<(usize, ObstacleEdit)>,
    pub(super) bodies: Vec<(usize, BodyEdit)>,
    /// Cell, voxel and the new link; `None` removes it.
    air_links: Vec<(Cell, Voxel, Option<AirLink>)>,
    n_new_solids: u64,
}

impl World {
    /// Applies a batch of edits atomically and returns the change set. An item may be an [`Edit`]
    /// or an edit of one domain.
    ///
    /// # Errors
    /// The first invalid edit; the world is unchanged.
    ///
    /// ```
    /// use wayfarer_engine::{Position, World, Edit};
    /// use wayfarer_engine::base::{Cell, Raster, Terrain, Voxel};
    /// use wayfarer_engine::world::air::AirBuilder;
    ///
    /// let air = AirBuilder::new(Voxel::new(0, 0, 0), [9, 1, 8])?.build()?;
    /// let map = Raster::from_bytes(9, 1, vec![0; 9]).unwrap();
    /// let mut world = World::from_raster(&map).with_air(air);
    /// let eyes = [Position::new(0.5, 0.5, 1.5), Position::new(8.5, 0.5, 1.5)];
    /// assert!(world.has_line_of_sight(eyes[0], eyes[1]));
    ///
    /// // A wall blocks the ground, the air and the line of sight.
    /// let (low, high) = (Position::new(4.0, 0.0, 0.0), Position::new(5.0, 1.0, 3.0));
    /// let changes = world.apply([Edit::FillBox { low, high, top: Terrain::GROUND }])?;
    /// assert!(!world.is_walkable(Cell::flat(4, 0)));
    /// assert!(world.air().unwrap().is_solid(Voxel::new(4, 0, 2)));
    /// assert!(!world.has_line_of_sight(eyes[0], eyes[1]));
    ///
    /// world.apply(changes.inverse())?; // undo
    /// assert!(world.is_walkable(Cell::flat(4, 0)));
    /// assert!(world.has_line_of_sight(eyes[0], eyes[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply<E: Into<Edit>>(
        &mut self,
        edits: impl IntoIterator<Item = E>,
    ) -> Result<Arc<WorldChanges>, EditError> {
        let mut batch = self.split(edits.into_iter().map(Into::into).collect())?;
        check_obstacles(self.obstacles.as_ref(), &batch.obstacles)?;
        check_bodies(&self.bodies, &batch.bodies)?;
        self.add_attached_edits(&mut batch)?;
        if let Some(air) = &self.air {
            air.check(&batch.air)?;
        }
        let ground = if batch.ground.is_empty() {
            None
        } else {
            let number = |edit: usize| batch.ground_sources.get(edit).copied().unwrap_or(edit);
            let applied = self.ground.apply(&batch.ground);
            Some(applied.map_err(|error| error.clone().with_edit(number(error.edit())))?)
        };
        let air = match &mut self.air {
            Some(air) if !batch.air.is_empty() => match air.apply(&batch.air) {
                Ok(changes) => Some(changes),
                Err(error) => {
                    if let Some(changes) = ground {
                        let back = self.ground.apply(&changes.inverse());
                        let back = back.expect("the ground had capacity for its earlier state");
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
            change_obstacles(obstacles, &batch.obstacles)
        });
        let digest = BatchDigest::of(&(
            ground.as_ref().map(|ground| ground.changes.after),
            air.as_ref().map(|air| air.after),
            self.obstacles.as_ref().map(ObstacleSet::revision),
            &batch.bodies,
            &batch.air_links,
        ));
        let bodies = change_bodies(&mut self.bodies, batch.bodies);
        self.mirror_differences(&bodies);
        let air_links = change_air_links(&mut self.air_links, &batch.air_links);
        self.sync_attached();
        self.next_solid += batch.n_new_solids;
        if let Some(ground) = &ground {
            self.ground_log.push(ground.changes.clone());
        }
        if let Some(air) = &air {
            self.air_log.push(air.clone());
        }
        let before = self.revision;
        self.revision = before.next(digest);
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
        changes.invalidated = self.find_invalidated(&changes);
        let changes = Arc::new(changes);
        if self.history.len() >= self.log_capacity {
            self.history.pop_front();
        }
        self.history.push_back(Arc::clone(&changes));
        Ok(changes)
    }

    /// What `look` sees in the ground after a batch of edits, which is then rolled back: content,
    /// revision, ids and log stay. Caches of searchers are built anew, as node ids may differ.
    ///
    /// # Errors
    /// The first invalid edit; only the capacity of the air is not tried.
    pub fn after_edits<R>(
        &mut self,
        edits: Vec<Edit>,
        look: impl FnOnce(&Self) -> R,
    ) -> Result<R, EditError> {
        let mut batch = self.split(edits)?;
        check_obstacles(self.obstacles.as_ref(), &batch.obstacles)?;
        check_bodies(&self.bodies, &batch.bodies)?;
        self.add_attached_edits(&mut batch)?;
        if let Some(air) = &self.air {
            air.check(&batch.air)?;
        }
        let number = |edit: usize| batch.ground_sources.get(edit).copied().unwrap_or(edit);
        let applied = self.ground.apply(&batch.ground);
        let applied = applied.map_err(|error| error.clone().with_edit(number(error.edit())))?;
        let seen = look(self);
        self.ground.roll_back(&applied);
        Ok(seen)
    }

    /// Splits a batch by domain.
    fn split(&self, edits: Vec<Edit>) -> Result<EditBatch, EditError> {
        let mut batch = EditBatch::default();
        for (number, edit) in edits.into_iter().enumerate() {
            match edit {
                Edit::Ground(edit) => {
                    self.check_solid_id(&batch, (number, &edit))?;
                    batch.ground.push(edit);
                }
                Edit::Air(edit) => {
                    if self.air.is_none() {
                        let domain = "air";
                        return Err(EditError::NoSuchDomain {
                            edit: number,
                            domain,
                        });
                    }
                    self.check_geometry_id(&batch, &edit)?;
                    batch.air.push(edit);
                }
                Edit::Obstacle(edit) => batch.obstacles.push((number, edit)),
                Edit::Body(edit) => batch.bodies.push((number, edit)),
                Edit::PutAirLink(air_link) => {
                    let put = (air_link.cell, air_link.voxel, Some(air_link));
                    batch.air_links.push(put);
                }
                Edit::RemoveAirLink { cell, voxel } => batch.air_links.push((cell, voxel, None)),
                Edit::AddSolid(solid) => self.split_solid(&mut batch, (number, &solid))?,
                Edit::RemoveSolid(id) => {
                    batch.ground.push(GroundEdit::RemoveSolid(id));
                    let geometry = solid::geometry_of(id);
                    let is_old = |air: &Air| air.geometry(geometry).is_some();
                    let is_new =
                        (self.next_solid..self.next_solid + batch.n_new_solids).contains(&id.0);
                    if self.air.as_ref().is_some_and(is_old) || (is_new && self.air.is_some()) {
                        batch.air.push(AirEdit::Remove { id: geometry });
                    }
                }
                Edit::FillBox { low, high, top } => {
                    let extent = self.box_extent(number, low, high)?;
                    batch.ground.push(GroundEdit::FillBox {
                        rect: Rect::around(extent.columns.0, extent.columns.1),
                        bottom: extent.steps.0,
                        top: extent.steps.1,
                        terrain: top,
                    });
                    batch.air.extend(self.air_box(extent, true));
                }
                Edit::CarveBox { low, high, floor } => {
                    let extent = self.box_extent(number, low, high)?;
                    batch.ground.push(GroundEdit::CarveBox {
                        rect: Rect::around(extent.columns.0, extent.columns.1),
                        bottom: extent.steps.0,
                        top: extent.steps.1,
                        terrain: floor,
                    });
                    batch.air.extend(self.air_box(extent, false));
                }
            }
            batch.ground_sources.resize(batch.ground.len(), number);
        }
        Ok(batch)
    }

    /// Adds the edits that place a solid.
    fn split_solid(
        &self,
        batch: &mut EditBatch,
        (edit, solid): (usize, &Solid),
    ) -> Result<(), EditError> {
        let id = SolidId(self.next_solid + batch.n_new_solids);
        if id.0 >= solid::FIRST_GEOMETRY {
            let reason = "has no id left";
            return Err(EditError::BadSolid { edit, reason });
        }
        batch.n_new_solids += 1;
        let (solid, geometry) = self.rasterized(edit, solid)?;
        batch.ground.push(GroundEdit::PutSolid { id, solid });
        if self.air.is_some() {
            let id = solid::geometry_of(id);
            batch.air.push(AirEdit::Put { id, geometry });
        }
        Ok(())
    }

    /// Checks that a solid is put under an id that was assigned, as an inverse does.
    fn check_solid_id(
        &self,
        batch: &EditBatch,
        (edit, ground): (usize, &GroundEdit),
    ) -> Result<(), EditError> {
        match ground {
            GroundEdit::PutSolid { id, .. } if id.0 >= self.next_solid + batch.n_new_solids => {
                let id = *id;
                Err(GroundEditError::UnknownSolid { edit, id }.into())
            }
            _ => Ok(()),
        }
    }

    /// Checks that a geometry is not put under the id of a solid to come.
    fn check_geometry_id(&self, batch: &EditBatch, edit: &AirEdit) -> Result<(), EditError> {
        let first_unknown = solid::FIRST_GEOMETRY + self.next_solid + batch.n_new_solids;
        match edit {
            AirEdit::Put { id, .. } if id.0 >= first_unknown => Err(AirError::InvalidId.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn box_extent(
        &self,
        edit: usize,
        low: Position,
        high: Position,
    ) -> Result<BoxExtent, EditError> {
        let extent = self.scale.box_extent(low, high);
        let extent = extent.ok_or(EditError::BadBox { edit, low, high })?;
        let rect = Rect::around(extent.columns.0, extent.columns.1);
        let found = Ground::limited_columns(rect);
        if found > Ground::MAX_BOX_COLUMNS {
            let limit = Ground::MAX_BOX_COLUMNS;
            return Err(EditError::TooWide { edit, found, limit });
        }
        Ok(extent)
    }

    /// The edit of the box's voxels, clipped to the bounds of the air.
    fn air_box(&self, extent: BoxExtent, is_solid: bool) -> Option<AirEdit> {
        let air = self.air.as_ref()?;
        let (low, high) = clipped(air, extent.voxels)?;
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

/// Validates the edits of obstacles in sequence.
fn check_obstacles(
    obstacles: Option<&ObstacleSet>,
    edits: &[(usize, ObstacleEdit)],
) -> Result<(), EditError> {
    let Some(obstacles) = obstacles else {
        return match edits.first() {
            Some((edit, _)) => Err(EditError::NoSuchDomain {
                edit: *edit,
                domain: "obstacle set",
            }),
            None => Ok(()),
        };
    };
    let mut edited: OrderedMap<ObstacleId, Option<Obstacle>> = OrderedMap::new();
    let mut n_obstacles = obstacles.len();
    for (edit, action) in edits {
        let living = |edited: &OrderedMap<ObstacleId, Option<Obstacle>>, id: ObstacleId| {
            let found = edited.get(&id).copied();
            let found = found.unwrap_or_else(|| obstacles.obstacle(id));
            found.ok_or(ObstacleError::UnknownObstacle { id })
        };
        let mut check = || match *action {
            ObstacleEdit::Insert(obstacle) => {
                n_obstacles += 1;
                if n_obstacles > ObstacleSet::MAX_OBSTACLES as usize {
                    return Err(ObstacleError::Full);
                }
                obstacle.check()
            }
            ObstacleEdit::Set { id, obstacle } => {
                living(&edited, id)?;
                edited.insert(id, Some(obstacle));
                obstacle.check()
            }
            ObstacleEdit::MoveTo { id, low } => moved(living(&edited, id)?, low).check(),
            ObstacleEdit::Remove { id } => {
                living(&edited, id)?;
                edited.insert(id, None);
                n_obstacles -= 1;
                Ok(())
            }
        };
        let edit = *edit;
        check().map_err(|error| EditError::Obstacle { edit, error })?;
    }
    Ok(())
}

/// An obstacle with the low corner of its AABB at `low`.
fn moved(obstacle: Obstacle, low: Point2) -> Obstacle {
    let add = |a: Fixed, b: i64| {
        let raw = i64::from(a.raw()) + b;
        // Saturates; out of range of `Fixed` is out of range of an obstacle.
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

/// Applies validated edits in one revision of the obstacle set.
fn change_obstacles(
    obstacles: &mut ObstacleSet,
    edits: &[(usize, ObstacleEdit)],
) -> Vec<ObstacleDifference> {
    let mut differences = Vec::with_capacity(edits.len());
    let mut batch = obstacles.edit();
    for (_, edit) in edits {
        const CHECKED: &str = "the batch was validated";
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
                    ObstacleEdit::Set { obstacle, .. } => {
                        batch.set(id, &obstacle).expect(CHECKED);
                    }
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

/// Validates the edits of bodies in sequence.
fn check_bodies(bodies: &BodySet, edits: &[(usize, BodyEdit)]) -> Result<(), EditError> {
    let mut removed: OrderedSet<BodyId> = OrderedSet::new();
    let mut n_slots = bodies.n_slots();
    let mut n_free = n_slots - bodies.len();
    for (edit, action) in edits {
        let living = |removed: &OrderedSet<BodyId>, id: BodyId| {
            if bodies.contains(id) && !removed.contains(&id) {
                Ok(())
            } else {
                Err(BodyError::UnknownBody { id })
            }
        };
        let mut check = || match action {
            BodyEdit::Register(body) => {
                body.check()?;
                if n_free > 0 {
                    n_free -= 1;
                } else {
                    n_slots += 1;
                }
                Ok(())
            }
            BodyEdit::Unregister { id } => {
                living(&removed, *id)?;
                removed.insert(*id);
                n_free += 1;
                Ok(())
            }
            BodyEdit::MoveTo { id, to } | BodyEdit::Teleport { id, to } => {
                living(&removed, *id)?;
                Ok(Body::at(*to).check()?)
            }
            BodyEdit::SetHeight { id, z } => {
                living(&removed, *id)?;
                let body = Body {
                    z: *z,
                    ..Body::at(Point2::default())
                };
                Ok(body.check()?)
            }
            BodyEdit::MoveAll(to) if to.len() != n_slots => Err(BodyError::Length {
                found: to.len(),
                expected: n_slots,
            }),
            BodyEdit::MoveAll(to) => {
                to.iter().try_for_each(|to| Body::check_position(*to))?;
                Ok(())
            }
        };
        let edit = *edit;
        check().map_err(|error| EditError::Body { edit, error })?;
    }
    Ok(())
}

/// Applies validated edits.
fn change_bodies(bodies: &mut BodySet, edits: Vec<(usize, BodyEdit)>) -> Vec<BodyDifference> {
    const CHECKED: &str = "the batch was validated";
    let mut differences = Vec::new();
    for (_, edit) in edits {
        match edit {
            BodyEdit::Register(body) => {
                let id = bodies.register(&body).expect(CHECKED);
                let body = Box::new(body);
                differences.push(BodyDifference::Added { id, body });
            }
            BodyEdit::Unregister { id } => {
                let body = Box::new(bodies.body(id).expect(CHECKED));
                bodies.unregister(id).expect(CHECKED);
                differences.push(BodyDifference::Removed { id, body });
            }
            BodyEdit::MoveTo { id, .. }
            | BodyEdit::Teleport { id, .. }
            | BodyEdit::SetHeight { id, .. } => {
                let location = |bodies: &BodySet| bodies.place(id).expect(CHECKED);
                let from = location(bodies);
                match edit {
                    BodyEdit::MoveTo { to, .. } => bodies.move_to(id, to),
                    BodyEdit::Teleport { to, .. } => bodies.teleport(id, to),
                    BodyEdit::SetHeight { z, .. } => bodies.set_height(id, z),
                    _ => Ok(()),
                }
                .expect(CHECKED);
                let to = location(bodies);
                if from != to {
                    differences.push(BodyDifference::Moved { id, from, to });
                }
            }
            BodyEdit::MoveAll(to) => {
                let n_slots = u32::try_from(bodies.n_slots()).expect("slots have 32 bits");
                differences.reserve(bodies.len());
                for (index, to) in (0..n_slots).zip(&to) {
                    let Some(id) = bodies.id_at(index) else {
                        continue;
                    };
                    let from = bodies.place(id).expect(CHECKED);
                    if from.0 != *to {
                        let to = (*to, from.1);
                        differences.push(BodyDifference::Moved { id, from, to });
                    }
                }
                bodies.move_all(&to).expect(CHECKED);
            }
        }
    }
    merged(differences, BodyDifference::id, BodyDifference::then)
}

/// Inserts, replaces and removes air links, which are sorted by cell and voxel.
fn change_air_links(
    air_links: &mut Vec<AirLink>,
    edits: &[(Cell, Voxel, Option<AirLink>)],
) -> Vec<AirLinkDifference> {
    let mut differences = Vec::new();
    for &(cell, voxel, after) in edits {
        let key = |air_link: &AirLink| (air_link.cell, air_link.voxel);
        let found = air_links.binary_search_by_key(&(cell, voxel), key);
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
    merged(differences, AirLinkDifference::key, AirLinkDifference::then)
}

#[cfg(test)]
pub(super) mod tests;

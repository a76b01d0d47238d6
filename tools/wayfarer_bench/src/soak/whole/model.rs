//! The reference model: the world as plain lists, updated by every batch.

use wayfarer_engine::base::collections::OrderedMap;
use wayfarer_engine::base::{Aabb2, Cell, Fixed, Point2, Voxel};
use wayfarer_engine::search::multimodal::AirLink;
use wayfarer_engine::world::air::{AirEdit, BoxContent, Geometry, GeometryId, Volume, VolumeId};
use wayfarer_engine::world::bodies::{Body, BodyId};
use wayfarer_engine::world::obstacles::{Obstacle, ObstacleId, ObstacleShape};
use wayfarer_engine::{BodyDifference, BodyEdit, Edit, ObstacleEdit, Scale, World, WorldChanges};
use wayfarer_measure::check::cost_modifier_edits;
use wayfarer_testkit::{ReferenceVoxels, ReferenceWorld};

use super::draw::{HEIGHT, SIDE};
use super::ensure;
use crate::soak::compare;

/// What should be there.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) ground: ReferenceWorld,
    /// Solid voxels that have no name.
    painted: ReferenceVoxels,
    pub(super) things: OrderedMap<GeometryId, (Voxel, Voxel)>,
    pub(super) volumes: OrderedMap<VolumeId, Volume>,
    pub(super) obstacles: OrderedMap<ObstacleId, Obstacle>,
    pub(super) bodies: OrderedMap<BodyId, Body>,
    air_links: OrderedMap<(Cell, Voxel), AirLink>,
}

impl Model {
    /// A model of a world without obstacles, bodies and air links.
    pub(super) fn new(ground: ReferenceWorld, painted: ReferenceVoxels) -> Self {
        Self {
            ground,
            painted,
            things: OrderedMap::default(),
            volumes: OrderedMap::default(),
            obstacles: OrderedMap::default(),
            bodies: OrderedMap::default(),
            air_links: OrderedMap::default(),
        }
    }

    /// All solid voxels, named or not.
    pub(super) fn space(&self) -> ReferenceVoxels {
        let mut space = self.painted.clone();
        for (low, high) in self.things.values() {
            for_box(*low, *high, |voxel| space.set(voxel, true));
        }
        space
    }

    /// The solid voxels that have no name.
    pub(super) fn painted(&self) -> &ReferenceVoxels {
        &self.painted
    }

    /// Applies a batch to the model, and compares the reported changes.
    pub(super) fn follow(
        &mut self,
        world: &World,
        edits: &[Edit],
        changes: &WorldChanges,
        has_followers: bool,
    ) -> Result<(), String> {
        let (obstacles, bodies) = (self.obstacles.clone(), self.bodies.clone());
        let (mut born, mut registered) = (Vec::new(), Vec::new());
        let mut is_uniform = !has_followers;
        let mut on_ground = Vec::new();
        for edit in edits {
            match edit {
                Edit::Ground(edit) => on_ground.push(edit.clone()),
                Edit::Air(edit) => self.air(edit),
                Edit::Obstacle(edit) => self.obstacles(*edit, &mut born),
                Edit::Body(edit) => self.body(edit, &mut registered),
                Edit::PutAirLink(air_link) => {
                    self.air_links
                        .insert((air_link.cell, air_link.voxel), *air_link);
                }
                Edit::RemoveAirLink { cell, voxel } => {
                    self.air_links.remove(&(*cell, *voxel));
                }
                // The soak places no solids by id.
                Edit::AddSolid(_) | Edit::RemoveSolid(_) => is_uniform = false,
                Edit::FillBox { low, high, .. } | Edit::CarveBox { low, high, .. } => {
                    is_uniform = false;
                    let is_solid = matches!(edit, Edit::FillBox { .. });
                    let (low, high) = grown(world.scale(), *low, *high);
                    for_box(low, high, |voxel| self.painted.set(voxel, is_solid));
                }
            }
        }
        // What boxes and attached cost modifiers do to floors is not modeled a second
        // time: the ground is taken as it is, and what holds of it then is compared elsewhere.
        if is_uniform {
            self.ground.apply(&on_ground);
        } else {
            self.ground = plain_ground(world);
        }
        self.compare_obstacles(&obstacles, born, changes)?;
        self.compare_bodies(&bodies, registered, changes)
    }

    fn air(&mut self, edit: &AirEdit) {
        match *edit {
            AirEdit::Fill { low, high } => {
                for_box(low, high, |voxel| self.painted.set(voxel, true));
            }
            AirEdit::Clear { low, high } => {
                for_box(low, high, |voxel| self.painted.set(voxel, false));
            }
            AirEdit::Replace {
                low,
                high,
                ref content,
            } => for_box(low, high, |at| self.painted.set(at, is_in(content, at))),
            AirEdit::Put {
                id: name,
                ref geometry,
            } => {
                if let Geometry::Box { low, high } = *geometry {
                    self.things.insert(name, (low, high));
                }
            }
            AirEdit::Remove { id: name } => {
                self.things.remove(&name);
            }
            AirEdit::PutVolume { id: name, volume } => {
                self.volumes.insert(name, volume);
            }
            AirEdit::RemoveVolume { id: name } => {
                self.volumes.remove(&name);
            }
        }
    }

    fn obstacles(&mut self, edit: ObstacleEdit, born: &mut Vec<Obstacle>) {
        match edit {
            ObstacleEdit::Insert(obstacle) => born.push(obstacle),
            ObstacleEdit::Set { id, obstacle } => {
                self.obstacles.insert(id, obstacle);
            }
            ObstacleEdit::MoveTo { id, low } => {
                if let Some(obstacle) = self.obstacles.get_mut(&id) {
                    *obstacle = moved(obstacle, low);
                }
            }
            ObstacleEdit::Remove { id } => {
                self.obstacles.remove(&id);
            }
        }
    }

    fn body(&mut self, edit: &BodyEdit, registered: &mut Vec<Body>) {
        match edit {
            BodyEdit::Register(body) => registered.push(*body),
            BodyEdit::Unregister { id } => {
                self.bodies.remove(id);
            }
            BodyEdit::MoveTo { id, to } | BodyEdit::Teleport { id, to } => {
                if let Some(body) = self.bodies.get_mut(id) {
                    body.position = *to;
                }
            }
            BodyEdit::SetHeight { id, z } => {
                if let Some(body) = self.bodies.get_mut(id) {
                    body.z = *z;
                }
            }
            BodyEdit::MoveAll(to) => {
                for (id, body) in &mut self.bodies {
                    body.position = to[id.index() as usize];
                }
            }
        }
    }

    fn compare_obstacles(
        &mut self,
        before: &OrderedMap<ObstacleId, Obstacle>,
        mut born: Vec<Obstacle>,
        changes: &WorldChanges,
    ) -> Result<(), String> {
        let mut expected = Vec::new();
        for (id, obstacle) in before {
            let after = self.obstacles.get(id).copied();
            if after != Some(*obstacle) {
                expected.push((*id, Some(*obstacle), after));
            }
        }
        let mut reported = Vec::new();
        for one in &changes.obstacles {
            match (one.before, one.after) {
                (None, Some(obstacle)) => {
                    let place = born.iter().position(|born| *born == obstacle);
                    ensure!(
                        place.is_some(),
                        "reported obstacle {one:?}, which was not inserted"
                    );
                    born.swap_remove(place.unwrap_or(0));
                    self.obstacles.insert(one.id, obstacle);
                }
                (before, after) => reported.push((one.id, before, after)),
            }
        }
        ensure!(born.is_empty(), "obstacles not reported: {born:?}");
        ensure!(
            reported == expected,
            "obstacles: reported {reported:?}, expected {expected:?}"
        );
        Ok(())
    }

    fn compare_bodies(
        &mut self,
        before: &OrderedMap<BodyId, Body>,
        mut registered: Vec<Body>,
        changes: &WorldChanges,
    ) -> Result<(), String> {
        let mut expected = Vec::new();
        for (&id, body) in before {
            match self.bodies.get(&id) {
                None => expected.push(BodyDifference::Removed {
                    id,
                    body: Box::new(*body),
                }),
                Some(now) if now != body => expected.push(BodyDifference::Moved {
                    id,
                    from: (body.position, body.z),
                    to: (now.position, now.z),
                }),
                Some(_) => {}
            }
        }
        let mut reported = Vec::new();
        for one in &changes.bodies {
            if let BodyDifference::Added { id, body } = one {
                let place = registered.iter().position(|known| known == &**body);
                ensure!(
                    place.is_some(),
                    "reported body {one:?}, which was not added"
                );
                registered.swap_remove(place.unwrap_or(0));
                self.bodies.insert(*id, **body);
            } else {
                reported.push(one.clone());
            }
        }
        ensure!(registered.is_empty(), "bodies not reported: {registered:?}");
        ensure!(
            reported == expected,
            "bodies: reported {reported:?}, expected {expected:?}"
        );
        Ok(())
    }

    /// Compares air, field, objects and air links with what should be there.
    pub(super) fn compare(&self, world: &World) -> Result<(), String> {
        if let Some(air) = world.air() {
            let space = self.space();
            for voxel in space.voxels() {
                let (found, expected) = (air.is_solid(voxel), space.is_solid(voxel));
                ensure!(
                    found == expected,
                    "voxel {voxel} solid: {found}, expected {expected}"
                );
            }
        }
        if let Some(obstacles) = world.obstacles() {
            let found: OrderedMap<ObstacleId, Obstacle> = obstacles.obstacles().collect();
            ensure!(
                found == self.obstacles,
                "entities are {found:?}, expected {:?}",
                self.obstacles
            );
        }
        let body_set = world.bodies();
        ensure!(
            body_set.len() == self.bodies.len(),
            "{} objects, expected {}",
            body_set.len(),
            self.bodies.len()
        );
        for (id, body) in &self.bodies {
            let found = body_set.body(*id);
            ensure!(
                found == Ok(*body),
                "object {id:?} is {found:?}, expected {body:?}"
            );
        }
        let air_links: Vec<AirLink> = self.air_links.values().copied().collect();
        let found = world.air_links();
        ensure!(
            found == air_links,
            "perches are {found:?}, expected {air_links:?}"
        );
        Ok(())
    }

    /// Compares the ground with its oracle, cell by cell.
    pub(super) fn compare_ground(&self, world: &World) -> Result<(), String> {
        compare(world.ground(), &self.ground).map_err(|unequal| format!("ground: {unequal}"))
    }
}

/// The ground's oracle rebuilt from its primary state.
pub(super) fn plain_ground(world: &World) -> ReferenceWorld {
    let ground = world.ground();
    let mut plain = ReferenceWorld::new(&ground.to_data());
    plain.apply(&cost_modifier_edits(ground));
    plain
}

/// Every voxel of a box that lies in the air.
pub(super) fn for_box(low: Voxel, high: Voxel, mut each: impl FnMut(Voxel)) {
    for z in low.z.max(0)..=high.z.min(HEIGHT - 1) {
        for y in low.y.max(0)..=high.y.min(SIDE - 1) {
            for x in low.x.max(0)..=high.x.min(SIDE - 1) {
                each(Voxel::new(x, y, z));
            }
        }
    }
}

/// The voxels that a box in world units reaches into; cells, steps and voxels are of one length
/// here.
pub(super) fn grown(
    scale: Scale,
    low: wayfarer_engine::Position,
    high: wayfarer_engine::Position,
) -> (Voxel, Voxel) {
    let [length, _, _] = scale.lengths();
    let origin = scale.origin();
    let down = |at: i64, origin: i64| (at - origin).div_euclid(length);
    let up = |at: i64, origin: i64| (at - origin - 1).div_euclid(length);
    let whole = |at: i64| i32::try_from(at).unwrap_or(i32::MAX);
    (
        Voxel::new(
            whole(down(low.x, origin.x)),
            whole(down(low.y, origin.y)),
            whole(down(low.z, origin.z)),
        ),
        Voxel::new(
            whole(up(high.x, origin.x)),
            whole(up(high.y, origin.y)),
            whole(up(high.z, origin.z)),
        ),
    )
}

/// An obstacle with the corner of the box around it at `low`.
fn moved(obstacle: &Obstacle, low: Point2) -> Obstacle {
    let add = |a: Fixed, b: i32| Fixed::from_raw(a.raw() + b);
    let shape = match obstacle.shape {
        ObstacleShape::Box(area) => ObstacleShape::Box(Aabb2 {
            low,
            high: Point2::new(
                add(low.x, area.high.x.raw() - area.low.x.raw()),
                add(low.y, area.high.y.raw() - area.low.y.raw()),
            ),
        }),
        ObstacleShape::Disc { radius, .. } => ObstacleShape::Disc {
            center: Point2::new(add(low.x, radius.raw()), add(low.y, radius.raw())),
            radius,
        },
    };
    Obstacle { shape, ..*obstacle }
}

/// True if a voxel of the box is solid.
fn is_in(content: &BoxContent, at: Voxel) -> bool {
    let cubes = match content {
        BoxContent::Free => return false,
        BoxContent::Solid => return true,
        BoxContent::Cubes(cubes) => cubes,
    };
    cubes.iter().any(|(layer, low, voxels)| {
        let offset = [at.x - low.x, at.y - low.y, at.z - low.z];
        let is_inside = offset.iter().all(|by| (0..4 << layer).contains(by));
        let [x, y, z] = offset.map(|by| by & 3);
        is_inside && (*layer > 0 || voxels >> (x + 4 * y + 16 * z) & 1 == 1)
    })
}

//! The world as one thing: what is there, what happened to it lately, and how to change it.

mod agent;
mod apply;
mod attach;
mod change;
mod dynamic_obstacles;
mod edit;
mod exposure;
mod files;
mod find;
mod hierarchical;
mod path;
mod request;
mod searcher;
mod sight;
mod snapshot;
mod solid;
mod status;
mod subscriptions;

use std::collections::VecDeque;
use std::sync::Arc;

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{
    Cell, ChangeLog, Column, Cost, CostModifierId, Fixed, Profile, Raster, Revision, Terrain,
    WorldData,
};
use wayfarer_search::air::AirLog;
use wayfarer_search::multimodal::AirLink;
use wayfarer_search::sight::OcclusionRules;
use wayfarer_world::air::{Air, AirBuilder, AirImportError};
use wayfarer_world::bodies::{Body, BodySet, Sensors};
use wayfarer_world::ground::{
    BuildError, Canonical, Ground, GroundDifference, ProfileError, SuccessorBuffer,
};
use wayfarer_world::obstacles::{Obstacle, ObstacleSet};

pub use agent::{AgentType, AgentTypeError, AgentTypeId};
pub use attach::AttachError;
pub use change::{
    AirLinkDifference, BodyDifference, ChangeCursor, ObstacleDifference, WorldChanges,
};
pub use edit::{BodyEdit, Edit, EditError, ObstacleEdit};
pub use exposure::PathExposure;
pub use files::WorldFileError;
pub use path::{ModeTransition, Path, PathLeg};
pub use request::{PathRequest, Viewer};
pub use searcher::{PathResult, Searcher, SearcherPool};
pub use sight::WorldVisibility;
pub use snapshot::LoadError;

use crate::Scale;
use agent::Registered;
use attach::Attached;
use subscriptions::SubscribedPaths;

/// A world that changes: ground, field, objects and air, as many of them as a game has, one
/// transform from world units, and the last batches of edits.
///
/// Ground and objects are always there and cost nothing while they are empty; field and air have
/// bounds and are there if they were given. Everything that asks borrows the world, from any
/// number of threads; only [`World::apply`] changes what is there.
///
/// ```
/// use wayfarer::World;
/// use wayfarer::base::{Cell, Edit, Revision};
///
/// let (mut world, report) = World::from_file("lane.map", b"\
/// type octile
/// height 1
/// width 5
/// map
/// ..T..
/// ")?;
/// assert_eq!(report.to_string(), "4 floors; left out: 1 trees, first (2, 0, 0)");
///
/// let (west, east) = (Cell::flat(0, 0), Cell::flat(4, 0));
/// assert_eq!(world.is_connected(west, east), Some(false));
/// let fell = Edit::PutCell { cell: Cell::flat(2, 0), terrain: Default::default() };
/// let changes = world.apply([fell])?;
/// assert_eq!(changes.joined().len(), 1); // the batch says what it joined
/// assert_eq!(world.is_connected(west, east), Some(true));
///
/// world.apply(changes.inverse())?; // and can be undone
/// assert_eq!(world.revision(), Revision(2));
/// assert_eq!(world.changes_since(Revision(0)).unwrap().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    scale: Scale,
    rules: OcclusionRules,
    ground: Ground,
    obstacles: Option<ObstacleSet>,
    bodies: BodySet,
    sensors: Sensors,
    air: Option<Air>,
    revision: Revision,
    history: VecDeque<Arc<WorldChanges>>,
    ground_log: ChangeLog<GroundDifference>,
    air_log: AirLog,
    agent_types: Vec<Registered>,
    air_links: Vec<AirLink>,
    subscribed_path: SubscribedPaths,
    attached: OrderedMap<CostModifierId, Attached>,
}

/// All of a world without numbers that depend on history: equal worlds are equal here, whatever
/// was done to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldCanonical {
    /// Floors, walls, nav links, cost multipliers, regions, portals, components.
    pub ground: Canonical,
    /// The digest of the air, if there is air.
    pub air: Option<u64>,
    /// The obstacles, sorted by where and what they are, if there is a field.
    pub obstacles: Option<Vec<Obstacle>>,
    /// The bodies, sorted by where and what they are.
    pub bodies: Vec<Body>,
    /// The air links, sorted.
    pub air_links: Vec<AirLink>,
}

impl World {
    /// Batches of edits that are remembered.
    pub const CHANGE_LOG_CAPACITY: usize = 64;

    /// A world without ground, for a walker.
    ///
    /// # Errors
    /// A profile that cannot be the world's own.
    pub fn new(profile: Profile) -> Result<Self, ProfileError> {
        Ok(Self::from_ground(Ground::new(profile)?))
    }

    /// The world of a flat map.
    pub fn from_raster(raster: &Raster) -> Self {
        Self::from_ground(Ground::from_raster(raster))
    }

    /// The world of a plan: its ground; what is solid in its air is left out, see
    /// [`World::with_air`].
    ///
    /// # Errors
    /// What the plan does beyond the limits.
    pub fn from_plan(plan: &WorldData) -> Result<Self, BuildError> {
        Ok(Self::from_ground(Ground::from_plan(plan)?))
    }

    /// The world with this ground, at the ground's revision. Objects are registered in squares of
    /// 4 cells.
    pub fn from_ground(ground: Ground) -> Self {
        let revision = ground.revision();
        let walker = Registered {
            agent_type: ground.default_profile().clone().into(),
            profile_id: None,
        };
        Self {
            scale: Scale::UNIT,
            rules: OcclusionRules::default(),
            ground_log: ChangeLog::starting_at(revision, Self::CHANGE_LOG_CAPACITY),
            ground,
            obstacles: None,
            bodies: BodySet::new(Fixed::from_raw(4 * Fixed::PARTS)),
            sensors: Sensors::default(),
            air: None,
            air_log: ChangeLog::new(Self::CHANGE_LOG_CAPACITY),
            revision,
            history: VecDeque::new(),
            agent_types: vec![walker],
            air_links: Vec::new(),
            subscribed_path: SubscribedPaths::default(),
            attached: OrderedMap::new(),
        }
    }

    /// The same world measured by another scale. Nothing moves: what changes is the numbers in
    /// world units that its places have.
    #[must_use]
    pub fn with_scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// The same world with other rules of what blocks the eye.
    #[must_use]
    pub fn with_sight(mut self, rules: OcclusionRules) -> Self {
        self.rules = rules;
        self
    }

    /// The same world with this air; history begins anew.
    #[must_use]
    pub fn with_air(mut self, air: Air) -> Self {
        self.air_log = ChangeLog::starting_at(air.revision(), Self::CHANGE_LOG_CAPACITY);
        self.air = Some(air);
        self.history.clear();
        self
    }

    /// The same world with the air of a plan: its boxes and voxels, a voxel of ground under each
    /// floor, and `margin` voxels of free air on every side; a voxel is a cell wide and a step
    /// high.
    ///
    /// # Errors
    /// If there is nothing in the plan, or it does not fit an air.
    pub fn with_air_of(self, plan: &WorldData, margin: u32) -> Result<Self, AirImportError> {
        let air = AirBuilder::from_plan(plan, margin)?.build()?;
        Ok(self.with_air(air))
    }

    /// The same world with this field; history begins anew.
    #[must_use]
    pub fn with_obstacles(mut self, obstacles: ObstacleSet) -> Self {
        self.obstacles = Some(obstacles);
        self.history.clear();
        self
    }

    /// The same world with these objects, instead of those it had; history begins anew.
    #[must_use]
    pub fn with_bodies(mut self, bodies: BodySet) -> Self {
        self.bodies = bodies;
        self.attached.clear();
        self.history.clear();
        self
    }

    /// How long cells, steps and voxels are in world units.
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// What blocks the eye besides floors.
    pub const fn sight_rules(&self) -> OcclusionRules {
        self.rules
    }

    /// The ground: floors, walls, nav links, effects, and all that follows from them.
    pub const fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The air, if there is any.
    pub const fn air(&self) -> Option<&Air> {
        self.air.as_ref()
    }

    /// The field, if there is one.
    pub const fn obstacles(&self) -> Option<&ObstacleSet> {
        self.obstacles.as_ref()
    }

    /// Everybody who is registered.
    pub const fn bodies(&self) -> &BodySet {
        &self.bodies
    }

    /// How many batches of edits have been applied.
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// What happened since `revision`, oldest first; `None` if that is longer ago than
    /// [`World::CHANGE_LOG_CAPACITY`] batches or has not come yet.
    pub fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = &WorldChanges>> {
        let behind = usize::try_from(self.revision.0.checked_sub(revision.0)?).ok()?;
        let skipped = self.history.len().checked_sub(behind)?;
        Some(self.history.iter().skip(skipped).map(Arc::as_ref))
    }

    /// A cursor for somebody who wants to hear of what happens from now on.
    pub const fn change_cursor(&self) -> ChangeCursor {
        ChangeCursor {
            seen: self.revision,
        }
    }

    /// What happened since the cursor was last asked, oldest first, and moves it on. `None` if
    /// some of that is forgotten: look at everything anew.
    pub fn poll_changes(
        &self,
        cursor: &mut ChangeCursor,
    ) -> Option<impl Iterator<Item = &WorldChanges>> {
        let since = std::mem::replace(&mut cursor.seen, self.revision);
        self.changes_since(since)
    }

    /// The latest changes of the ground, at the ground's own revisions; for
    /// [`wayfarer_search::ground::status`] and repair.
    pub const fn ground_log(&self) -> &ChangeLog<GroundDifference> {
        &self.ground_log
    }

    /// The latest changes of the air, at the air's own revisions; for
    /// [`wayfarer_search::air::status`].
    pub const fn air_log(&self) -> &AirLog {
        &self.air_log
    }

    /// Everything in canonical form. Goes through the whole world: for tests and comparisons.
    pub fn canonical(&self) -> WorldCanonical {
        let key = |text: &dyn std::fmt::Debug| format!("{text:?}");
        let obstacles = self.obstacles.as_ref().map(|obstacles| {
            let mut obstacle_set: Vec<Obstacle> = obstacles
                .obstacles()
                .map(|(_, obstacle)| obstacle)
                .collect();
            obstacle_set.sort_by_cached_key(|obstacle| key(obstacle));
            obstacle_set
        });
        let places = 0..u32::try_from(self.bodies.n_slots()).unwrap_or(u32::MAX);
        let living = places.filter_map(|index| self.bodies.id_at(index));
        let mut bodies: Vec<Body> = living.filter_map(|id| self.bodies.body(id).ok()).collect();
        bodies.sort_by_cached_key(|body| key(body));
        WorldCanonical {
            ground: self.ground.canonical(),
            air: self.air.as_ref().map(Air::digest),
            obstacles,
            bodies,
            air_links: self.air_links.clone(),
        }
    }

    /// True if the world's walker can stand there.
    pub fn is_walkable(&self, cell: Cell) -> bool {
        self.ground.node(cell).is_some()
    }

    /// What the floor there is made of, if there is one, walkable or not.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.ground.terrain(cell)
    }

    /// The walkable cell of a column whose floor is nearest to height `z`; of two the lower.
    pub fn project_to_floor(&self, column: Column, z: i32) -> Option<Cell> {
        let node = self.ground.project_to_floor(column, z)?;
        Some(self.ground.cell(node))
    }

    /// The walkable cell nearest to a place, no more than `reach` columns away in x and y.
    pub fn nearest_walkable(&self, column: Column, z: i32, reach: u16) -> Option<Cell> {
        let node = self.ground.nearest_walkable(column, z, reach)?;
        Some(self.ground.cell(node))
    }

    /// Whether a chain of steps joins two cells, taking one-way steps either way: if not, there
    /// is no path. `None` if the walker cannot stand in one of them.
    pub fn is_connected(&self, a: Cell, b: Cell) -> Option<bool> {
        let (a, b) = (self.ground.node(a)?, self.ground.node(b)?);
        Some(self.ground.component(a) == self.ground.component(b))
    }

    /// Every step of the world's walker from a cell, with its cost; none if it cannot stand
    /// there. Searches use [`Ground::successors`], which asks for no memory.
    pub fn steps(&self, from: Cell) -> Vec<(Cell, Cost)> {
        let mut buffer = SuccessorBuffer::default();
        let Some(node) = self.ground.node(from) else {
            return Vec::new();
        };
        let steps = self.ground.successors(node, &mut buffer);
        steps
            .map(|(to, cost)| (self.ground.cell(to), cost))
            .collect()
    }
}

#[cfg(test)]
mod tests;

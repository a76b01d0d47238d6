//! [`World`]: ground, air, obstacles and bodies under one revision and one scale, with its
//! builders, accessors, change log and queries of the ground.

mod agent;
mod any_angle;
mod apply;
mod attach;
mod body_obstacles;
mod change;
mod command;
mod distance;
mod dynamic_obstacles;
mod edit;
mod exposed_walk;
mod exposure;
mod files;
mod find;
mod flight_ends;
mod ground_edit;
mod hierarchical;
mod multimodal;
mod observe;
mod path;
#[cfg(test)]
mod random;
mod refined;
mod request;
mod searcher;
mod session;
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
use wayfarer_search::sight::{OcclusionCache, OcclusionRules};
use wayfarer_world::air::{Air, AirBuilder, AirImportError};
use wayfarer_world::bodies::{Body, BodyId, BodySet, Sensors};
use wayfarer_world::ground::{
    BuildError, Canonical, Ground, GroundDifference, ProfileError, SuccessorBuffer,
};
use wayfarer_world::obstacles::{Obstacle, ObstacleId, ObstacleSet};

pub use agent::{AgentType, AgentTypeError, AgentTypeId};
pub use attach::AttachError;
pub use body_obstacles::BodyRoles;
pub use change::{
    AirLinkDifference, BodyDifference, ChangeCursor, ObstacleDifference, WorldChanges,
};
pub use command::{Command, CommandError, CommandResult};
pub use edit::{BodyEdit, Edit, EditError, ObstacleEdit};
pub use exposure::PathExposure;
pub use files::WorldFileError;
pub use multimodal::MULTIMODAL_BOUND;
pub use observe::ObservedSearch;
pub use path::{ModeTransition, Path, PathLeg};
pub use request::{GroundOptions, PathRequest, Viewer};
pub use searcher::{PathResult, Searcher, SearcherPool};
pub use session::{PathSession, SessionMethod};
pub use sight::WorldVisibility;
pub use snapshot::LoadError;
pub use solid::Solid;

use crate::Scale;
use agent::Registered;
use attach::Attached;
use subscriptions::Subscriptions;

/// A dynamic world: ground, bodies, and optionally obstacles and air, with the transform from
/// world units and a log of the last batches of edits.
///
/// Ground and bodies always exist and take no memory while empty; obstacles and air have fixed
/// bounds and exist if given. Queries borrow the world and may run on any number of threads;
/// [`World::apply`] is the only edit.
///
/// ```
/// use wayfarer_engine::World;
/// use wayfarer_engine::base::{Cell, GroundEdit, Revision};
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
/// let first = world.revision();
/// let (west, east) = (Cell::flat(0, 0), Cell::flat(4, 0));
/// assert_eq!(world.is_connected(west, east), Some(false));
/// let fell_tree = GroundEdit::PutCell { cell: Cell::flat(2, 0), terrain: Default::default() };
/// let changes = world.apply([fell_tree])?;
/// assert_eq!(changes.merged_pairs().len(), 1); // two components became one
/// assert_eq!(world.is_connected(west, east), Some(true));
///
/// world.apply(changes.inverse())?; // undo
/// assert_eq!(world.revision().number, 2);
/// assert_eq!(world.changes_since(first).unwrap().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    scale: Scale,
    rules: OcclusionRules,
    ground: Ground,
    obstacles: Option<ObstacleSet>,
    bodies: BodySet,
    body_roles: BodyRoles,
    /// The obstacles of the bodies that block movement.
    body_obstacles: OrderedMap<BodyId, ObstacleId>,
    sensors: Sensors,
    /// What the ground occludes, for sensors.
    occlusion_cache: OcclusionCache,
    air: Option<Air>,
    revision: Revision,
    history: VecDeque<Arc<WorldChanges>>,
    /// Number of batches that the change log keeps.
    log_capacity: usize,
    ground_log: ChangeLog<GroundDifference>,
    air_log: AirLog,
    agent_types: Vec<Registered>,
    air_links: Vec<AirLink>,
    subscriptions: Subscriptions,
    attached: OrderedMap<CostModifierId, Attached>,
    /// The id of the next solid.
    next_solid: u64,
}

/// The state of a world without ids and revisions, which depend on history: worlds with the same
/// content compare equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldCanonical {
    /// Floors, walls, nav links, cost multipliers, regions, portals, components.
    pub ground: Canonical,
    /// The digest of the air, if the world has air.
    pub air: Option<u64>,
    /// The obstacles, sorted by content, if the world has an obstacle set.
    pub obstacles: Option<Vec<Obstacle>>,
    /// The bodies, sorted by content.
    pub bodies: Vec<Body>,
    /// The air links, sorted by cell and voxel.
    pub air_links: Vec<AirLink>,
}

impl World {
    /// Number of batches that the change log keeps at first.
    pub const CHANGE_LOG_CAPACITY: usize = 64;

    /// A world without floors, with the default profile `profile`.
    ///
    /// # Errors
    /// A value of the profile is out of range.
    pub fn new(profile: Profile) -> Result<Self, ProfileError> {
        Ok(Self::from_ground(Ground::new(profile)?))
    }

    /// The world of a flat map, with floors at height 0.
    pub fn from_raster(raster: &Raster) -> Self {
        Self::from_ground(Ground::from_raster(raster))
    }

    /// The world with the ground of `data`. Solid boxes and voxels are ignored; see
    /// [`World::with_air_from_data`].
    ///
    /// # Errors
    /// An item of `data` is out of range.
    pub fn from_data(data: &WorldData) -> Result<Self, BuildError> {
        Ok(Self::from_ground(Ground::from_data(data)?))
    }

    /// The world with this ground, at the ground's revision. Bodies are binned on a grid of 4 by
    /// 4 cells.
    pub fn from_ground(ground: Ground) -> Self {
        let revision = ground.revision();
        let default_type = Registered {
            agent_type: ground.default_profile().clone().into(),
            profile_id: None,
        };
        Self {
            scale: Scale::UNIT,
            rules: OcclusionRules::default(),
            ground_log: ChangeLog::starting_at(revision, Self::CHANGE_LOG_CAPACITY),
            ground,
            obstacles: None,
            bodies: BodySet::new(Fixed::from_raw(4 * Fixed::UNITS_PER_CELL)),
            body_roles: BodyRoles::default(),
            body_obstacles: OrderedMap::new(),
            sensors: Sensors::default(),
            occlusion_cache: OcclusionCache::default(),
            air: None,
            air_log: ChangeLog::new(Self::CHANGE_LOG_CAPACITY),
            revision,
            history: VecDeque::new(),
            log_capacity: Self::CHANGE_LOG_CAPACITY,
            agent_types: vec![default_type],
            air_links: Vec::new(),
            subscriptions: Subscriptions::default(),
            attached: OrderedMap::new(),
            next_solid: 0,
        }
    }

    /// Sets the transform to world units. Cells, voxels and points keep their coordinates.
    #[must_use]
    pub fn with_scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Sets the rules by which the ground blocks lines of sight.
    #[must_use]
    pub fn with_occlusion_rules(mut self, rules: OcclusionRules) -> Self {
        self.rules = rules;
        self
    }

    /// Sets the air and clears the change log.
    #[must_use]
    pub fn with_air(mut self, air: Air) -> Self {
        self.air_log = ChangeLog::starting_at(air.revision(), self.log_capacity);
        self.revision.branch = self.revision.next(air.revision().branch).branch;
        self.air = Some(air);
        self.history.clear();
        self
    }

    /// Sets the air to that of `data`: its boxes and voxels, a solid voxel under each floor, and
    /// `margin` free voxels on every side. A voxel is one cell wide and one step high.
    ///
    /// # Errors
    /// `data` is empty, or exceeds the size of an octree.
    pub fn with_air_from_data(self, data: &WorldData, margin: u32) -> Result<Self, AirImportError> {
        let air = AirBuilder::from_data(data, margin)?.build()?;
        Ok(self.with_air(air))
    }

    /// Sets the obstacles and clears the change log.
    #[must_use]
    pub fn with_obstacles(mut self, obstacles: ObstacleSet) -> Self {
        self.revision.branch = self.revision.next(obstacles.revision().branch).branch;
        self.obstacles = Some(obstacles);
        self.history.clear();
        self
    }

    /// Replaces the bodies, detaches all cost modifiers and clears the change log.
    #[must_use]
    pub fn with_bodies(mut self, bodies: BodySet) -> Self {
        self.bodies = bodies;
        self.attached.clear();
        self.history.clear();
        self
    }

    /// The transform between world units and cells, steps and voxels.
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// The rules by which the ground blocks lines of sight.
    pub const fn occlusion_rules(&self) -> OcclusionRules {
        self.rules
    }

    /// The ground: floors, walls, nav links, cost modifiers and the data derived from them.
    pub const fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The air, if the world has any.
    pub const fn air(&self) -> Option<&Air> {
        self.air.as_ref()
    }

    /// The obstacles, if the world has an obstacle set.
    pub const fn obstacles(&self) -> Option<&ObstacleSet> {
        self.obstacles.as_ref()
    }

    /// The registered bodies.
    pub const fn bodies(&self) -> &BodySet {
        &self.bodies
    }

    /// The batches applied so far: their number and a digest of them.
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// The changes after `revision`, oldest first. `None` if `revision` is in the future, of a clone
    /// that diverged, or more than [`World::CHANGE_LOG_CAPACITY`] batches old.
    pub fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = &WorldChanges>> {
        let behind = self.revision.number.checked_sub(revision.number)?;
        let skipped = self.history.len().checked_sub(behind.try_into().ok()?)?;
        let next = self.history.get(skipped);
        let at = next.map_or(self.revision, |changes| changes.before);
        (at == revision).then(|| self.history.iter().skip(skipped).map(Arc::as_ref))
    }

    /// A cursor at the present revision, for [`World::poll_changes`].
    pub const fn change_cursor(&self) -> ChangeCursor {
        ChangeCursor {
            revision: self.revision,
        }
    }

    /// The changes since the cursor was last polled, oldest first; advances the cursor. `None` if
    /// the log has evicted some of them: the listener must read the whole state again.
    pub fn poll_changes(
        &self,
        cursor: &mut ChangeCursor,
    ) -> Option<impl Iterator<Item = &WorldChanges>> {
        let since = std::mem::replace(&mut cursor.revision, self.revision);
        self.changes_since(since)
    }

    /// Sets how many batches the change log keeps, at least 1; [`World::CHANGE_LOG_CAPACITY`] at
    /// first.
    pub fn set_change_log_capacity(&mut self, capacity: usize) {
        self.log_capacity = capacity.max(1);
        while self.history.len() > self.log_capacity {
            self.history.pop_front();
        }
        self.ground_log.set_capacity(self.log_capacity);
        self.air_log.set_capacity(self.log_capacity);
    }

    /// Takes over the revision of the world that this one is a copy of, after edits that gave the
    /// same content in other batches. Clears the change log but for those of ground and air.
    pub fn adopt_revision(&mut self, revision: Revision) {
        self.revision = revision;
        self.history.clear();
    }

    /// The change log of the ground, by the ground's own revisions; for
    /// [`wayfarer_search::ground::status`] and repair.
    pub const fn ground_log(&self) -> &ChangeLog<GroundDifference> {
        &self.ground_log
    }

    /// The change log of the air, by the air's own revisions.
    pub const fn air_log(&self) -> &AirLog {
        &self.air_log
    }

    /// The canonical form of the whole world, for tests. Linear in its size.
    pub fn canonical(&self) -> WorldCanonical {
        let key = |item: &dyn std::fmt::Debug| format!("{item:?}");
        let obstacles = self.obstacles.as_ref().map(|obstacles| {
            let mut sorted: Vec<Obstacle> = obstacles
                .obstacles()
                .map(|(_, obstacle)| obstacle)
                .collect();
            sorted.sort_by_cached_key(|obstacle| key(obstacle));
            sorted
        });
        let slots = 0..u32::try_from(self.bodies.n_slots()).unwrap_or(u32::MAX);
        let ids = slots.filter_map(|index| self.bodies.id_at(index));
        let mut bodies: Vec<Body> = ids.filter_map(|id| self.bodies.body(id).ok()).collect();
        bodies.sort_by_cached_key(|body| key(body));
        WorldCanonical {
            ground: self.ground.canonical(),
            air: self.air.as_ref().map(Air::digest),
            obstacles,
            bodies,
            air_links: self.air_links.clone(),
        }
    }

    /// True if an agent of the default profile can stand in `cell`; false outside the world.
    pub fn is_walkable(&self, cell: Cell) -> bool {
        self.ground.node(cell).is_some()
    }

    /// The terrain of the floor in `cell`, walkable or not; `None` without a floor.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.ground.terrain(cell)
    }

    /// The walkable cell of a column whose floor is nearest to height `z`, in steps; ties go to the
    /// lower. `None` if the column has none.
    pub fn project_to_floor(&self, column: Column, z: i32) -> Option<Cell> {
        let node = self.ground.project_to_floor(column, z)?;
        Some(self.ground.cell(node))
    }

    /// The walkable cell nearest to a column, at most `radius` columns away in x and in y: by Euclidean
    /// distance of centers, then height difference to `z`, in steps. `None` if there is none.
    pub fn nearest_walkable(&self, column: Column, z: i32, radius: u16) -> Option<Cell> {
        let node = self.ground.nearest_walkable(column, z, radius)?;
        Some(self.ground.cell(node))
    }

    /// True if two cells lie in the same weakly connected component for the default profile:
    /// `false` proves that no path exists, `true` does not prove one across one-way edges. `None`
    /// if a cell is not walkable. Constant time up to the depth of the hierarchy.
    pub fn is_connected(&self, a: Cell, b: Cell) -> Option<bool> {
        let (a, b) = (self.ground.node(a)?, self.ground.node(b)?);
        Some(self.ground.component(a) == self.ground.component(b))
    }

    /// The successors of a cell for the default profile, with step costs; empty if the cell is not
    /// walkable. [`Ground::successors`] is the version that does not allocate.
    pub fn successors(&self, from: Cell) -> Vec<(Cell, Cost)> {
        let mut buffer = SuccessorBuffer::default();
        let Some(node) = self.ground.node(from) else {
            return Vec::new();
        };
        let successors = self.ground.successors(node, &mut buffer);
        successors
            .map(|(to, cost)| (self.ground.cell(to), cost))
            .collect()
    }
}

#[cfg(test)]
mod tests;

//! [`World`]: a dynamic world in world units.

mod air;
mod air_links;
mod bodies;
mod edits;
mod find;
mod log;
mod queries;
mod sensors;
mod subscriptions;
mod tiles;
mod validity;
pub(crate) mod voxel_box;
mod waypoints;

pub(crate) use edits::{Handles, edit_error};
use log::Log;
pub use queries::ReachablePlace;
pub(crate) use subscriptions::Subscriptions;

use std::sync::Arc;

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::{Profile, Revision};
use wayfarer_engine::world::baked::BakedAbstraction;

use crate::agent_type::{AgentType, AgentTypeError, AgentTypeId};
use crate::body;
use crate::units::{BadNumber, Frame, Scale};

/// A world that changes: ground, air and bodies under one scale and one revision.
///
/// Queries borrow the world and may run on any number of threads; edits need `&mut`.
///
/// A clone diverges from the original with its first own edit. Paths, subscriptions and cursors know
/// that they belong to another branch. Ids are numbers: what one of them adds afterwards has an id that
/// the other gives to something else, so an id is valid in the world that gave it and in clones made
/// of that later.
///
/// ```
/// use wayfarer::prelude::*;
///
/// let map = b"type octile\nheight 2\nwidth 5\nmap\n..T..\n.....\n";
/// let mut world = World::import("lane.map", map, Scale::meters(2.0))?;
/// let tank = world.add_agent_type(AgentType { radius: 1.0, ..AgentType::GROUND })?;
/// let (from, to) = (Position::new(1.0, 1.0, 0.0), Position::new(9.5, 1.0, 0.0));
/// let request = PathRequest { agent_type: tank, ..PathRequest::new(from, to) };
/// let path = world.find_path(&mut Searcher::default(), &request)?;
/// assert_eq!(path.start(), Some(from));
/// assert_eq!(path.end(), Some(to));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    engine: engine::World,
    frame: Frame,
    /// The registered types in units; the default type has none.
    agent_types: Vec<Option<AgentType>>,
    import_report: String,
    handles: Handles,
    subscriptions: Subscriptions,
    /// The abstraction of [`World::bake`].
    baked: Option<Arc<BakedAbstraction>>,
    log: Log,
}

/// Why a world could not be made.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A number of the scale is not finite or out of range.
    #[error(transparent)]
    Scale(#[from] BadNumber),
    /// The file is invalid, holds no ground, or needs a cargo feature that is off.
    #[error("{reason}")]
    File {
        /// What is wrong with it, and where.
        reason: String,
    },
}

pub(super) fn bad_file(error: &engine::WorldFileError) -> ImportError {
    let reason = error.to_string();
    ImportError::File { reason }
}

impl World {
    /// A world without floors.
    ///
    /// # Errors
    /// A number of the scale is not finite or out of range.
    pub fn new(scale: Scale) -> Result<Self, BadNumber> {
        let engine = engine::World::new(Profile::DEFAULT);
        let engine = engine.expect("the default profile is valid");
        Ok(Self::from_engine(engine, scale.frame()?))
    }

    /// A world from a file: a flat map (`.map`, PNG), a world (`.world`), a height map (16-bit gray
    /// PNG), a mesh (OBJ, glTF) or a tile map (Tiled, LDtk; see [`World::import_tiles`]). Its content
    /// identifies the format; `name` decides only if that is ambiguous. PNG needs the cargo feature
    /// `images`, meshes need `meshes`, tile maps `tilemaps`.
    ///
    /// # Errors
    /// The file is invalid, holds no ground or needs a cargo feature that is off; a number of the
    /// scale is out of range.
    pub fn import(name: &str, bytes: &[u8], scale: Scale) -> Result<Self, ImportError> {
        let frame = scale.frame()?;
        let (engine, report) =
            engine::World::from_file(name, bytes).map_err(|error| bad_file(&error))?;
        let mut world = Self::from_engine(engine, frame);
        world.import_report = report.to_string();
        Ok(world)
    }

    pub(crate) fn from_engine(engine: engine::World, frame: Frame) -> Self {
        let n_types = engine.agent_types().count();
        let mut engine = engine.with_scale(frame.scale);
        engine.set_body_roles(body::ROLES);
        let handles = Handles::of(&engine);
        Self {
            engine,
            frame,
            agent_types: vec![None; n_types],
            import_report: String::new(),
            handles,
            subscriptions: Subscriptions::default(),
            baked: None,
            log: Log::default(),
        }
    }

    pub(crate) fn from_parts(
        engine: engine::World,
        frame: Frame,
        agent_types: Vec<Option<AgentType>>,
        import_report: String,
        handles: Handles,
    ) -> Self {
        Self {
            engine,
            frame,
            agent_types,
            import_report,
            handles,
            subscriptions: Subscriptions::default(),
            baked: None,
            log: Log::default(),
        }
    }

    pub(crate) const fn baked_abstraction(&self) -> Option<&Arc<BakedAbstraction>> {
        self.baked.as_ref()
    }

    pub(crate) fn set_baked(&mut self, baked: Option<BakedAbstraction>) {
        self.baked = baked.map(Arc::new);
    }

    pub(crate) const fn subscriptions(&self) -> &Subscriptions {
        &self.subscriptions
    }

    pub(crate) const fn frame(&self) -> Frame {
        self.frame
    }

    /// The registered types by index; `None` for the default type.
    pub(crate) fn agent_types(&self) -> &[Option<AgentType>] {
        &self.agent_types
    }

    pub(crate) const fn handles(&self) -> &Handles {
        &self.handles
    }

    /// What the import read and what it left out; empty unless the world was imported.
    pub fn import_report(&self) -> &str {
        &self.import_report
    }

    /// The scale, its lengths rounded to 2^-31 unit.
    pub fn scale(&self) -> Scale {
        self.frame.user_scale()
    }

    /// The number of batches of edits applied so far.
    pub fn revision(&self) -> Revision {
        self.engine.revision()
    }

    /// Registers an agent type. Its derived data is built now and repaired by every edit.
    ///
    /// # Errors
    /// A number is out of range, or a field is set that the movement does not use.
    pub fn add_agent_type(&mut self, agent_type: AgentType) -> Result<AgentTypeId, AgentTypeError> {
        let converted = agent_type.to_engine(self.frame)?;
        let wide = agent_type.with_clearance(self.frame)?;
        let mut register = |converted| {
            let id = self.engine.add_agent_type(converted);
            id.map_err(|error| AgentTypeError::Limit {
                reason: error.to_string(),
            })
        };
        let id = register(converted)?;
        let has_clearance = wide.is_some();
        wide.map(register).transpose()?;
        self.agent_types.push(Some(agent_type));
        if has_clearance {
            self.agent_types.push(None);
        }
        Ok(id)
    }

    /// A registered agent type; `None` for [`AgentTypeId::DEFAULT`], which is one cell wide at any
    /// scale, and for an unknown id.
    pub fn agent_type(&self, id: AgentTypeId) -> Option<&AgentType> {
        self.agent_types.get(id.index())?.as_ref()
    }

    /// For an agent type that keeps off walls: the type as wide as its clearance, which is registered
    /// after it, and the cost multiplier of cells where that does not fit.
    pub(crate) fn clearance(&self, id: AgentTypeId) -> Option<(AgentTypeId, f64)> {
        let agent_type = self.agent_type(id).filter(|one| one.clearance > 0.0)?;
        let wide = self.engine.agent_type_id(id.index() + 1)?;
        Some((wide, agent_type.clearance_cost))
    }

    /// The world in the engine's units, without promises.
    #[doc(hidden)]
    pub const fn engine(&self) -> &engine::World {
        &self.engine
    }
}

#[cfg(test)]
mod tests;

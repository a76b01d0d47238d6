//! Worlds larger than memory: tiles that are loaded where they are needed, and a graph of the whole world
//! that always is.
//!
//! A [`StreamedWorld`] is divided into square tiles. A loaded tile is a [`World`] of its floors and its air and a
//! margin around them; others are in a [`TileStore`], or are drawn again by a [`TileSource`]. For every agent type
//! the components of all tiles and where they cross into the next tile stay in memory, true
//! after every edit. Therefore
//!
//! * whether two places are connected is known exactly, whichever tiles are loaded;
//! * a path is planned through the whole world at once, says which tiles it needs, and becomes waypoints
//!   leg by leg, a tile each;
//! * edits load the tiles that they touch;
//! * no answer depends on which tiles are loaded.
//!
//! The design, and what it does not do, is in `docs/adr/0020-streaming-by-tiles.md` of the project.
//!
//! ```
//! use wayfarer::prelude::*;
//! use wayfarer::streaming::{MemoryStore, StreamedLayout, StreamedWorld, TileDraft, TileSource};
//!
//! /// Open ground with a wall every hundred meters, and gaps in it.
//! #[derive(Debug)]
//! struct Walls;
//!
//! impl TileSource for Walls {
//!     fn draw(&self, draft: &mut TileDraft) {
//!         let ((x, y), (width, height)) = (draft.first_cell(), draft.n_cells());
//!         let is_free = |x: i32, y: i32| x % 100 != 0 || y % 40 == x / 100;
//!         for y in y..y + height.cast_signed() {
//!             let floors = (x..x + width.cast_signed()).map(|x| is_free(x, y));
//!             draft.set_row((x, y), floors.map(|free| free.then_some(Terrain::GROUND)));
//!         }
//!     }
//! }
//!
//! let (low, high) = (Position::new(0.0, 0.0, 0.0), Position::new(1_000.0, 500.0, 0.0));
//! let layout = StreamedLayout { tile_cells: 128, ..StreamedLayout::new(Scale::UNIT, low, high) };
//! let store = Box::new(MemoryStore::default());
//! let mut world = StreamedWorld::create(&layout, Box::new(Walls), store, 1)?;
//! world.set_memory_limit(400_000)?;
//!
//! let (from, to) = (Position::new(5.5, 5.5, 0.0), Position::new(990.5, 490.5, 0.0));
//! let mut path = world.find_path(AgentTypeId::DEFAULT, from, to)?;
//! assert!(path.tiles().len() >= 8);
//! let mut searcher = Searcher::default();
//! let mut at = from;
//! while let Some(leg) = world.next_leg(&mut searcher, &mut path)? {
//!     at = leg.end().unwrap();
//!     assert!(world.memory().total() <= 400_000);
//! }
//! assert_eq!(at, to);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod air_lines;
mod bake;
mod city;
mod clip;
mod edits;
mod graph;
mod layout;
mod lines;
mod manifest;
mod parts;
mod path;
mod residency;
mod source;
mod store;

use std::collections::BTreeMap;

use thiserror::Error;
use wayfarer_engine::base::NavLinkId;

pub use bake::{Assembly, BakedTile, TilePlan};
pub use city::CitySource;
pub use edits::StreamedChanges;
pub use layout::{StreamedLayout, TileId};
pub use path::StreamedPath;
pub use residency::StreamedMemory;
pub use source::{TileDraft, TileSource};
pub use store::{MemoryStore, StoreFault, TileStore};

use crate::agent_type::{AgentTypeError, AgentTypeId};
use crate::edit::{CostAreaId, EditError, LinkId, SolidId};
use crate::facade::World;
use crate::request::NoPath;
use crate::snapshot::LoadError;
use crate::units::{BadNumber, Position};
use graph::Graph;
use layout::Grid;
use residency::{Resident, Versions};

/// A world larger than memory; see the [module](self).
#[derive(Debug)]
pub struct StreamedWorld {
    grid: Grid,
    /// By agent type, in the order of the layout.
    graphs: Vec<Graph>,
    /// By tile; `None` while it is not loaded.
    tiles: Vec<Option<Box<Resident>>>,
    versions: Vec<Versions>,
    things: Things,
    source: Option<Box<dyn TileSource>>,
    store: Box<dyn TileStore>,
    /// The number of batches applied so far.
    revision: u64,
    /// The limit of [`StreamedWorld::set_memory_limit`], and the bytes of the loaded tiles.
    memory_limit: usize,
    tiles_bytes: usize,
    /// Counts uses of tiles, for the order in which they are unloaded.
    n_uses: u64,
    n_loads: u64,
}

/// What was added by id, and the tiles that have it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Things {
    solids: BTreeMap<SolidId, Vec<u32>>,
    cost_areas: BTreeMap<CostAreaId, Vec<u32>>,
    links: BTreeMap<LinkId, (u32, NavLinkId)>,
    /// The next solid, and the last id of a link or cost area.
    next_solid: u64,
    last_handle: u64,
}

/// Why a streamed world could not do what it was asked for.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum StreamError {
    /// A number of the scale is not finite or out of range.
    #[error(transparent)]
    Scale(#[from] BadNumber),
    /// An agent type is invalid.
    #[error(transparent)]
    AgentType(#[from] AgentTypeError),
    /// The layout or what a source drew is invalid.
    #[error("{reason}")]
    Layout {
        /// What is wrong.
        reason: String,
    },
    /// The store failed.
    #[error("the store failed: {0}")]
    Store(#[from] StoreFault),
    /// A saved world or tile is damaged.
    #[error("{name}: {error}")]
    Damaged {
        /// Its name in the store.
        name: String,
        /// What is wrong.
        error: LoadError,
    },
    /// The store has no such name, and no source draws the tile.
    #[error("{name} is not in the store")]
    Missing {
        /// The name.
        name: String,
    },
    /// A tile that was loaded does not fit its neighbors: the source drew something else than before,
    /// or the store returned other bytes.
    #[error("{tile} is not the tile that it was before")]
    Changed {
        /// The tile.
        tile: TileId,
    },
    /// A batch was rejected; the world is unchanged.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// An edit that a streamed world does not support; the world is unchanged.
    #[error("edit {edit}: {reason}")]
    Unsupported {
        /// Index in the batch, from 0.
        edit: usize,
        /// Why not.
        reason: &'static str,
    },
    /// There is no path.
    #[error(transparent)]
    NoPath(#[from] NoPath),
}

impl StreamedWorld {
    /// The memory limit of a new world: 256 MiB.
    pub const MEMORY_LIMIT: usize = 256 << 20;

    /// The agent types: the default one, then those of the layout in order.
    pub fn agent_types(&self) -> &[AgentTypeId] {
        &self.grid.types
    }

    /// The number of batches applied so far.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The number of tiles along both horizontal axes.
    pub const fn n_tiles(&self) -> (u32, u32) {
        (self.grid.n_x, self.grid.n_y)
    }

    /// The tile of a position; `None` outside the world.
    pub fn tile_at(&self, at: Position) -> Option<TileId> {
        let cell = self.grid.template.frame().cell(at)?;
        let index = self.grid.index_of(cell.column())?;
        Some(self.grid.tile(index))
    }

    /// A loaded tile with its margin, for queries close to one place: lines of sight, flow fields, and all
    /// others of [`World`]. `None` if it is not loaded.
    ///
    /// What it says about the tile itself is true for the whole world; floors beyond the margin are missing, and
    /// where agents wider than a voxel fly, the outermost columns of its air are solid.
    pub fn tile_world(&self, tile: TileId) -> Option<&World> {
        let index = self.grid.index(tile)?;
        let resident = self.tiles[index as usize].as_ref()?;
        Some(&resident.world)
    }
}

#[cfg(test)]
mod tests;

//! Loading and unloading tiles.

use wayfarer_engine::base::{Cell, Column};

use super::layout::TileId;
use super::lines::{Labels, Lines};
use super::source::TileDraft;
use super::{StreamError, StreamedWorld};
use crate::agent_type::AgentTypeId;
use crate::facade::World;
use crate::units::Position;

/// A loaded tile.
#[derive(Debug)]
pub(super) struct Resident {
    pub(super) world: World,
    /// By agent type: the labels of the components that reach a border.
    pub(super) labels: Vec<Labels>,
    bytes: usize,
    last_use: u64,
    /// True if it differs from what the store or the source has.
    is_dirty: bool,
}

/// Which version of a tile is where; 0 is what the source draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Versions {
    /// The newest in the store.
    pub(super) newest: u64,
    /// That of the last [`StreamedWorld::flush`].
    pub(super) flushed: u64,
}

/// The memory of a streamed world, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StreamedMemory {
    /// The loaded tiles.
    pub tiles: usize,
    /// The graph of the whole world.
    pub graph: usize,
}

impl StreamedMemory {
    /// Both.
    pub const fn total(&self) -> usize {
        self.tiles + self.graph
    }
}

/// Bytes of a tile besides its ground and its air.
const TILE_OVERHEAD: usize = 8 << 10;

/// The name of a version of a tile in the store.
pub(super) fn tile_name(tile: TileId, version: u64) -> String {
    format!("tile_{}_{}_{version}", tile.x, tile.y)
}

impl StreamedWorld {
    /// The tiles that are loaded, row by row.
    pub fn loaded_tiles(&self) -> Vec<TileId> {
        let loaded = (0..).zip(&self.tiles).filter(|(_, tile)| tile.is_some());
        loaded.map(|(index, _)| self.grid.tile(index)).collect()
    }

    /// How many tiles were loaded so far, each time counted.
    pub const fn n_loads(&self) -> u64 {
        self.n_loads
    }

    /// The memory of the loaded tiles and of the graph.
    pub fn memory(&self) -> StreamedMemory {
        let versions = self.versions.len() * (size_of::<Versions>() + size_of::<usize>());
        let graphs = self.graphs.iter().map(super::Graph::heap_bytes);
        StreamedMemory {
            tiles: self.tiles_bytes,
            graph: graphs.sum::<usize>() + versions,
        }
    }

    /// Sets how many bytes [`StreamedWorld::memory`] may reach; [`StreamedWorld::MEMORY_LIMIT`] in a new
    /// world. The graph counts too. The least recently used tiles are unloaded until the rest fits; one tile
    /// stays, however large.
    ///
    /// # Errors
    /// The store failed.
    pub fn set_memory_limit(&mut self, bytes: usize) -> Result<(), StreamError> {
        self.memory_limit = bytes;
        self.shrink(&[])
    }

    /// Loads the tiles within `radius` of a position, nearest first, as many as the memory limit allows.
    /// They count as used now.
    ///
    /// # Errors
    /// A tile could not be loaded, or the store failed.
    pub fn focus(&mut self, center: Position, radius: f64) -> Result<(), StreamError> {
        let frame = self.grid.template.frame();
        let (at, cells) = (frame.plane(center), radius / frame.cell_size());
        let mut near = Vec::new();
        for index in self.grid.within(at, cells) {
            let (low, side) = (self.grid.corner(index), f64::from(self.grid.side));
            let away = |at: f64, low: i32| {
                let low = f64::from(low);
                (low - at).max(at - low - side).max(0.0)
            };
            let (x, y) = (away(at[0], low.x), away(at[1], low.y));
            let square = x * x + y * y;
            if square <= cells * cells {
                near.push((square, index));
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept = Vec::new();
        let (mut bytes, mut largest) = (self.memory().graph, 0);
        for (_, index) in near {
            if !kept.is_empty() && bytes + largest > self.memory_limit {
                break;
            }
            let tile = self.ensure(index)?.bytes;
            (bytes, largest) = (bytes + tile, largest.max(tile));
            kept.push(index);
        }
        // The nearest is unloaded last.
        for index in kept.into_iter().rev() {
            if self.tiles[index as usize].is_some() {
                self.ensure(index)?;
            }
        }
        Ok(())
    }

    /// Loads a tile; nothing happens outside the world.
    ///
    /// # Errors
    /// It could not be loaded, or the store failed.
    pub fn load_tile(&mut self, tile: TileId) -> Result<(), StreamError> {
        match self.grid.index(tile) {
            Some(index) => self.ensure(index).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Unloads a tile, saving it first if it was edited.
    ///
    /// # Errors
    /// The store failed; the tile stays loaded.
    pub fn unload_tile(&mut self, tile: TileId) -> Result<(), StreamError> {
        match self.grid.index(tile) {
            Some(index) => self.unload(index),
            None => Ok(()),
        }
    }

    /// The tile of a number, loaded.
    pub(super) fn ensure(&mut self, index: u32) -> Result<&mut Resident, StreamError> {
        self.n_uses += 1;
        let last_use = self.n_uses;
        if self.tiles[index as usize].is_none() {
            self.insert(index)?;
        }
        // An edit or the join of components may have taken memory since the last load.
        self.shrink(&[index])?;
        let resident = self.tiles[index as usize].as_mut();
        let resident = resident.expect("it was loaded just now, and is not unloaded by itself");
        resident.last_use = last_use;
        Ok(resident)
    }

    /// Reads a tile from the store or draws it, and checks that it is what the graph knows.
    fn read(&self, index: u32) -> Result<Resident, StreamError> {
        let tile = self.grid.tile(index);
        let version = self.versions[index as usize].newest;
        let name = tile_name(tile, version);
        let stored = match version {
            0 => None,
            _ => self.store.load(&name)?,
        };
        let world = match (stored, &self.source) {
            (Some(bytes), _) => {
                let loaded = World::load(&bytes);
                let mut world = loaded.map_err(|error| StreamError::Damaged { name, error })?;
                world.set_change_log_capacity(1);
                world
            }
            (None, Some(source)) if version == 0 => {
                let frame = self.grid.template.frame();
                let mut draft = TileDraft::new(frame, self.grid.window(index));
                source.draw(&mut draft);
                draft.build(&self.grid)?
            }
            (None, _) => return Err(StreamError::Missing { name }),
        };
        let mut labels = Vec::with_capacity(self.grid.types.len());
        for (id, graph) in self.grid.types.iter().zip(&self.graphs) {
            let (lines, found) = Lines::read(&self.grid, index, &world, *id);
            if lines != *graph.lines(index) {
                return Err(StreamError::Changed { tile });
            }
            labels.push(found);
        }
        Ok(Resident {
            bytes: bytes_of(&world, &labels),
            world,
            labels,
            last_use: 0,
            is_dirty: false,
        })
    }

    /// Brings the graph up to date with an edit of a loaded tile.
    pub(super) fn edited(&mut self, index: u32) {
        let Some(resident) = &mut self.tiles[index as usize] else {
            return;
        };
        resident.is_dirty = true;
        let types = self.grid.types.iter().zip(&mut self.graphs);
        for ((id, graph), labels) in types.zip(&mut resident.labels) {
            let (lines, found) = Lines::read(&self.grid, index, &resident.world, *id);
            graph.set(index, lines);
            *labels = found;
        }
        let bytes = bytes_of(&resident.world, &resident.labels);
        self.tiles_bytes = self.tiles_bytes + bytes - resident.bytes;
        resident.bytes = bytes;
    }

    /// Loads tiles that are needed at once, however large they are together.
    pub(super) fn ensure_all(&mut self, tiles: &[u32]) -> Result<(), StreamError> {
        for index in tiles {
            self.n_uses += 1;
            let last_use = self.n_uses;
            if self.tiles[*index as usize].is_none() {
                self.insert(*index)?;
            }
            if let Some(resident) = &mut self.tiles[*index as usize] {
                resident.last_use = last_use;
            }
        }
        self.shrink(tiles)
    }

    fn insert(&mut self, index: u32) -> Result<(), StreamError> {
        let resident = self.read(index)?;
        self.tiles_bytes += resident.bytes;
        self.n_loads += 1;
        self.tiles[index as usize] = Some(Box::new(resident));
        Ok(())
    }

    /// Unloads least recently used tiles until the rest is within the limit; those of `kept` stay, and
    /// one in any case.
    pub(super) fn shrink(&mut self, kept: &[u32]) -> Result<(), StreamError> {
        while self.memory().total() > self.memory_limit {
            let loaded = (0..).zip(&self.tiles);
            let others = loaded.filter(|(index, _)| !kept.contains(index));
            let oldest = others
                .filter_map(|(index, tile)| Some((tile.as_ref()?.last_use, index)))
                .min();
            let Some((_, index)) = oldest else {
                return Ok(());
            };
            if kept.is_empty() && self.tiles.iter().flatten().count() == 1 {
                return Ok(());
            }
            self.unload(index)?;
        }
        Ok(())
    }

    fn unload(&mut self, index: u32) -> Result<(), StreamError> {
        self.save_tile(index)?;
        if let Some(resident) = self.tiles[index as usize].take() {
            self.tiles_bytes -= resident.bytes;
        }
        Ok(())
    }

    /// Saves a tile as a new version if it was edited. The version of the last flush stays, so that the
    /// store always holds a whole world.
    pub(super) fn save_tile(&mut self, index: u32) -> Result<(), StreamError> {
        let Some(resident) = &mut self.tiles[index as usize] else {
            return Ok(());
        };
        if !resident.is_dirty {
            return Ok(());
        }
        let (tile, versions) = (self.grid.tile(index), &mut self.versions[index as usize]);
        let version = versions.newest + 1;
        let bytes = resident.world.save();
        self.store.save(&tile_name(tile, version), &bytes)?;
        resident.is_dirty = false;
        let old = std::mem::replace(&mut versions.newest, version);
        if old != versions.flushed {
            self.store.remove(&tile_name(tile, old))?;
        }
        Ok(())
    }

    /// The floor nearest in height to a position where an agent of a type fits; its horizontal
    /// coordinates stay. Loads the tile. `None` if there is none, outside the world and for a type that
    /// the world does not have.
    ///
    /// # Errors
    /// A tile could not be loaded, or the store failed.
    pub fn project_to_floor(
        &mut self,
        agent_type: AgentTypeId,
        at: Position,
    ) -> Result<Option<Position>, StreamError> {
        match self.column_of(at).and_then(|at| self.grid.index_of(at)) {
            Some(index) if self.grid.type_index(agent_type).is_some() => {
                let resident = self.ensure(index)?;
                Ok(resident.world.project_to_floor(agent_type, at))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn column_of(&self, at: Position) -> Option<Column> {
        self.grid.template.frame().cell(at).map(Cell::column)
    }
}

fn bytes_of(world: &World, labels: &[Labels]) -> usize {
    let report = world.engine().ground().memory_report();
    let air = world.engine().air().map_or(0, |air| air.memory().total());
    let labels: usize = labels.iter().map(Labels::heap_bytes).sum();
    report.total() + report.scratch + air + labels + TILE_OVERHEAD
}

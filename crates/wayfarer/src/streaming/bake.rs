//! Building tiles: each is a function of the layout and its source, so they are built in any order, on
//! any number of threads and machines.

use std::sync::atomic::{AtomicU32, Ordering};

use super::graph::Graph;
use super::layout::{Grid, StreamedLayout, TileId};
use super::lines::Lines;
use super::manifest::{put_grid, read_digested, take_grid, with_digest};
use super::residency::{Versions, tile_name};
use super::source::{TileDraft, TileSource};
use super::store::TileStore;
use super::{StreamError, StreamedWorld, Things};
use crate::facade::World;
use crate::planner::save::codec::{Source, Stored};
use crate::snapshot::LoadError;

/// A tile that was built, with what its neighbors need to know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BakedTile {
    index: u32,
    tile: TileId,
    /// The saved tile.
    world: Vec<u8>,
    /// By agent type.
    lines: Vec<Lines>,
}

const MAGIC: &[u8; 8] = b"WFTILE01";

/// A checked layout: what every machine that builds tiles needs besides the source.
#[derive(Clone, Debug)]
pub struct TilePlan(Grid);

const PLAN_MAGIC: &[u8; 8] = b"WFTPLN01";

impl TilePlan {
    /// The plan of a layout.
    ///
    /// # Errors
    /// The layout is invalid.
    pub fn new(layout: &StreamedLayout) -> Result<Self, StreamError> {
        Grid::new(layout).map(Self)
    }

    /// The tiles of the world, row by row.
    pub fn tiles(&self) -> Vec<TileId> {
        let all = 0..self.0.n_tiles();
        all.map(|index| self.0.tile(index)).collect()
    }

    /// Builds a tile, for [`StreamedWorld::assemble`].
    ///
    /// # Errors
    /// What the source draws is invalid, or the tile is outside the world.
    pub fn bake(&self, source: &dyn TileSource, tile: TileId) -> Result<BakedTile, StreamError> {
        let index = self.0.index(tile).ok_or(StreamError::Layout {
            reason: format!("{tile} is outside the world"),
        })?;
        let (world, lines) = build(&self.0, source, index)?;
        Ok(BakedTile {
            index,
            tile,
            world: world.save(),
            lines,
        })
    }

    /// The plan as bytes.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = PLAN_MAGIC.to_vec();
        put_grid(&self.0, &mut bytes);
        with_digest(bytes)
    }

    /// A plan of [`TilePlan::save`].
    ///
    /// # Errors
    /// The bytes are damaged.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let what = "the first bytes are not `WFTPLN01`";
        read_digested(bytes, (PLAN_MAGIC, what), take_grid).map(Self)
    }
}

impl BakedTile {
    /// Which tile it is.
    pub const fn tile(&self) -> TileId {
        self.tile
    }

    /// The tile as bytes; equal tiles give equal bytes on every platform.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        (self.index, (self.tile.x, self.tile.y)).put(&mut bytes);
        self.world.len().put(&mut bytes);
        bytes.extend(&self.world);
        self.lines.put(&mut bytes);
        with_digest(bytes)
    }

    /// A digest of [`BakedTile::save`]: the last 8 bytes of it, little-endian.
    pub fn hash(&self) -> u64 {
        let bytes = self.save();
        let digest = bytes.last_chunk().expect("it ends with a digest");
        u64::from_le_bytes(*digest)
    }

    /// A tile of [`BakedTile::save`].
    ///
    /// # Errors
    /// The bytes are damaged.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let what = "the first bytes are not `WFTILE01`";
        read_digested(bytes, (MAGIC, what), Self::take)
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (index, (x, y)) = Stored::take(source)?;
        let length = usize::take(source)?;
        let (world, rest) = source.rest.split_at_checked(length)?;
        source.rest = rest;
        Some(Self {
            index,
            tile: TileId { x, y },
            world: world.to_vec(),
            lines: Stored::take(source)?,
        })
    }
}

/// Puts a world together from tiles that were built elsewhere, in any order: equal to
/// [`StreamedWorld::create`] with the source that they were built from, but all of its tiles are in the
/// store.
#[derive(Debug)]
pub struct Assembly {
    grid: Grid,
    store: Box<dyn TileStore>,
    /// By tile.
    lines: Vec<Option<Vec<Lines>>>,
}

impl Assembly {
    /// A world without tiles yet.
    pub fn new(plan: &TilePlan, store: Box<dyn TileStore>) -> Self {
        let grid = plan.0.clone();
        Self {
            lines: vec![None; grid.n_tiles() as usize],
            grid,
            store,
        }
    }

    /// Adds a tile.
    ///
    /// # Errors
    /// It is repeated or of another layout, or the store failed.
    pub fn add(&mut self, tile: BakedTile) -> Result<(), StreamError> {
        let BakedTile {
            index,
            tile,
            world,
            lines,
        } = tile;
        let is_ours = self.grid.index(tile) == Some(index) && lines.len() == self.grid.types.len();
        let place = self.lines.get_mut(index as usize);
        let place = place.filter(|place| is_ours && place.is_none());
        let Some(place) = place else {
            let reason = format!("{tile} is repeated or of another layout");
            return Err(StreamError::Layout { reason });
        };
        self.store.save(&tile_name(tile, 1), &world)?;
        *place = Some(lines);
        Ok(())
    }

    /// The world, saved in the store.
    ///
    /// # Errors
    /// A tile is missing, or the store failed.
    pub fn finish(self) -> Result<StreamedWorld, StreamError> {
        let missing = (0..).zip(&self.lines).find(|(_, lines)| lines.is_none());
        if let Some((index, _)) = missing {
            let reason = format!("{} is missing", self.grid.tile(index));
            return Err(StreamError::Layout { reason });
        }
        let lines = self.lines.into_iter().flatten();
        let mut world = StreamedWorld::of_lines(self.grid, lines, None, self.store);
        for versions in &mut world.versions {
            versions.newest = 1;
        }
        world.flush()?;
        Ok(world)
    }
}

/// A tile and its lines by agent type.
type Built = (u32, Vec<Lines>);

/// Draws a tile and reads its lines.
fn build(
    grid: &Grid,
    source: &dyn TileSource,
    index: u32,
) -> Result<(World, Vec<Lines>), StreamError> {
    let mut draft = TileDraft::new(grid.template.frame(), grid.window(index));
    source.draw(&mut draft);
    let world = draft.build(grid)?;
    let types = grid.types.iter();
    let lines = types.map(|id| Lines::read(grid, index, &world, *id).0);
    let lines = lines.collect();
    Ok((world, lines))
}

impl StreamedWorld {
    /// A world whose tiles a source draws: now, to know how they connect, on `n_threads` threads, at
    /// least 1, and again whenever one is loaded that was not edited. Nothing is loaded at first.
    ///
    /// # Errors
    /// The layout or what the source draws is invalid.
    pub fn create(
        layout: &StreamedLayout,
        source: Box<dyn TileSource>,
        store: Box<dyn TileStore>,
        n_threads: usize,
    ) -> Result<Self, StreamError> {
        let grid = Grid::new(layout)?;
        let n_tiles = grid.n_tiles();
        let next = AtomicU32::new(0);
        let work = || {
            let mut built = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= n_tiles {
                    return Ok(built);
                }
                let (_, lines) = build(&grid, source.as_ref(), index)?;
                built.push((index, lines));
            }
        };
        let parts: Vec<Result<Vec<Built>, StreamError>> = if n_threads <= 1 {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
                let joined = threads.into_iter().map(|thread| thread.join());
                joined
                    .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            })
        };
        let mut built = Vec::with_capacity(n_tiles as usize);
        for part in parts {
            built.extend(part?);
        }
        built.sort_unstable_by_key(|(index, _)| *index);
        let lines = built.into_iter().map(|(_, lines)| lines);
        Ok(Self::of_lines(grid, lines, Some(source), store))
    }

    /// A world of tiles that were built elsewhere; see [`Assembly`].
    ///
    /// # Errors
    /// A tile is missing, repeated or of another layout, or the store failed.
    pub fn assemble(
        plan: &TilePlan,
        tiles: impl IntoIterator<Item = BakedTile>,
        store: Box<dyn TileStore>,
    ) -> Result<Self, StreamError> {
        let mut assembly = Assembly::new(plan, store);
        for tile in tiles {
            assembly.add(tile)?;
        }
        assembly.finish()
    }

    /// The world of the lines of all tiles.
    pub(super) fn of_lines(
        grid: Grid,
        lines: impl Iterator<Item = Vec<Lines>>,
        source: Option<Box<dyn TileSource>>,
        store: Box<dyn TileStore>,
    ) -> Self {
        let n_tiles = grid.n_tiles() as usize;
        let mut by_type = vec![Vec::with_capacity(n_tiles); grid.types.len()];
        for lines in lines {
            for (all, lines) in by_type.iter_mut().zip(lines) {
                all.push(lines);
            }
        }
        let top = |id| grid.heights().filter(|_| grid.flies(id));
        let graphs = grid.types.iter().zip(by_type).map(|(id, lines)| {
            let top = top(*id).map(|(_, top)| top);
            Graph::new(lines, top)
        });
        Self {
            graphs: graphs.collect(),
            tiles: (0..n_tiles).map(|_| None).collect(),
            versions: vec![Versions::default(); n_tiles],
            grid,
            things: Things::default(),
            source,
            store,
            revision: 0,
            memory_limit: Self::MEMORY_LIMIT,
            tiles_bytes: 0,
            n_uses: 0,
            n_loads: 0,
        }
    }
}

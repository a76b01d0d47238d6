//! Saving and opening: the manifest has everything but the tiles.
//!
//! Layout, numbers little-endian and lists after their length: `WFSTRM01`; a saved world without floors
//! (scale, axes, agent types); the agent types, cells of a tile, first tile and number of tiles; revision;
//! solids, cost areas and links with their tiles; the version of each tile; the lines of each agent type and tile, after
//! the one-way links;
//! the FNV-1a digest of all before it.

use wayfarer_engine::base::{Cell, Column, Digest, Rect};

use super::layout::Grid;
use super::lines::{Lines, OneWay, Run};
use super::residency::{Versions, tile_name};
use super::source::TileSource;
use super::store::TileStore;
use super::{StreamError, StreamedWorld, Things};
use crate::agent_type::AgentTypeId;
use crate::edit::{CostAreaId, LinkId, SolidId};
use crate::facade::World;
use crate::planner::save::codec::{Source, Stored};
use crate::snapshot::LoadError;

const MAGIC: &[u8; 8] = b"WFSTRM01";
const NAME: &str = "manifest";

impl Stored for Run {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.z.put(bytes);
        (u32::from(self.start) << 16 | u32::from(self.len)).put(bytes);
        self.label.put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let z = i32::take(source)?;
        let both = u32::take(source)?;
        let (start, len) = (
            u16::try_from(both >> 16).ok()?,
            u16::try_from(both & 0xffff).ok()?,
        );
        let is_valid = u32::from(start) + u32::from(len) <= 4_096;
        let label = u32::take(source)?;
        is_valid.then_some(Self {
            z,
            start,
            len,
            label,
        })
    }
}

impl Stored for Lines {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.n_labels.put(bytes);
        let links = self.one_way.iter();
        let links = links.map(|link| ((link.from, link.to), link.labels));
        links.collect::<Vec<_>>().put(bytes);
        for side in &self.sides {
            side.len().put(bytes);
            side.iter().for_each(|run| run.put(bytes));
        }
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let n_labels = u32::take(source)?;
        let links: Vec<((Cell, Cell), (u32, u32))> = Stored::take(source)?;
        let links = links.into_iter().map(|((from, to), labels)| {
            let is_valid = labels.0 < n_labels && labels.1 < n_labels;
            is_valid.then_some(OneWay { from, to, labels })
        });
        let one_way: Box<[OneWay]> = links.collect::<Option<_>>()?;
        let mut sides = <[Box<[Run]>; 4]>::default();
        for side in &mut sides {
            let runs: Vec<Run> = Stored::take(source)?;
            let is_sorted = runs.windows(2).all(|pair| {
                let (a, b) = (pair[0], pair[1]);
                (a.z, u32::from(a.start) + u32::from(a.len)) <= (b.z, b.start.into()) || a.z < b.z
            });
            let is_labeled = runs.iter().all(|run| run.label < n_labels);
            *side = (is_sorted && is_labeled).then_some(runs)?.into();
        }
        Some(Self {
            sides,
            one_way,
            n_labels,
        })
    }
}

impl StreamedWorld {
    /// Saves the tiles that were edited, and then the state of the whole world, to the store. If the
    /// program ends before the next flush, [`StreamedWorld::open`] finds the world of this one.
    ///
    /// # Errors
    /// The store failed: it holds the world of the flush before.
    pub fn flush(&mut self) -> Result<(), StreamError> {
        for index in 0..self.grid.n_tiles() {
            self.save_tile(index)?;
        }
        let manifest = self.manifest();
        self.store.save(NAME, &manifest)?;
        for index in 0..self.grid.n_tiles() {
            let (tile, versions) = (self.grid.tile(index), &mut self.versions[index as usize]);
            let old = std::mem::replace(&mut versions.flushed, versions.newest);
            if old != versions.newest && old > 0 {
                self.store.remove(&tile_name(tile, old))?;
            }
        }
        Ok(())
    }

    /// A digest of the state of the whole world but the tiles themselves: how all of them connect, what was
    /// added by id, and the revision. Equal worlds have equal ones, whichever tiles are loaded.
    pub fn hash(&self) -> u64 {
        let mut digest = Digest::default();
        digest.bytes(&self.content(&[]));
        digest.value()
    }

    fn manifest(&self) -> Vec<u8> {
        let newest: Vec<u64> = self.versions.iter().map(|one| one.newest).collect();
        with_digest(self.content(&newest))
    }

    fn content(&self, versions: &[u64]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put_grid(&self.grid, &mut bytes);
        self.revision.put(&mut bytes);
        let things = &self.things;
        (things.next_solid, things.last_handle).put(&mut bytes);
        let solids = things
            .solids
            .iter()
            .map(|(id, tiles)| (id.0, tiles.clone()));
        solids.collect::<Vec<_>>().put(&mut bytes);
        let cost_areas = things.cost_areas.iter();
        let cost_areas = cost_areas.map(|(id, tiles)| (id.0, tiles.clone()));
        cost_areas.collect::<Vec<_>>().put(&mut bytes);
        let links = things.links.iter();
        let links = links.map(|(id, (tile, link))| (id.0, (*tile, *link)));
        links.collect::<Vec<_>>().put(&mut bytes);
        versions.len().put(&mut bytes);
        versions.iter().for_each(|version| version.put(&mut bytes));
        for graph in &self.graphs {
            (0..self.grid.n_tiles()).for_each(|tile| graph.lines(tile).put(&mut bytes));
        }
        bytes
    }

    /// The world of the last [`StreamedWorld::flush`] to a store, with the source that drew its tiles, or
    /// none if all of them are in the store. Nothing is loaded at first.
    ///
    /// # Errors
    /// The store has no world, the world is damaged, or the store failed.
    pub fn open(
        store: Box<dyn TileStore>,
        source: Option<Box<dyn TileSource>>,
    ) -> Result<Self, StreamError> {
        let name = NAME.to_owned();
        let Some(bytes) = store.load(NAME)? else {
            return Err(StreamError::Missing { name });
        };
        let what = "the first bytes are not `WFSTRM01`";
        let read = read_digested(&bytes, (MAGIC, what), take);
        let (grid, read) = read.map_err(|error| StreamError::Damaged { name, error })?;
        let mut lines = read.lines.into_iter();
        let n_types = grid.types.len();
        let n_tiles = grid.n_tiles() as usize;
        let mut by_tile = vec![Vec::with_capacity(n_types); n_tiles];
        for _ in 0..n_types {
            for tile in &mut by_tile {
                tile.extend(lines.next());
            }
        }
        let mut world = Self::of_lines(grid, by_tile.into_iter(), source, store);
        world.revision = read.revision;
        world.things = read.things;
        world.versions = read.versions;
        Ok(world)
    }
}

/// Bytes with their digest behind them.
pub(super) fn with_digest(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut digest = Digest::default();
    digest.bytes(&bytes);
    bytes.extend(digest.value().to_le_bytes());
    bytes
}

/// Reads all of what [`with_digest`] made, after its first bytes.
pub(super) fn read_digested<T>(
    bytes: &[u8],
    (magic, not_ours): (&[u8; 8], &'static str),
    take: impl FnOnce(&mut Source<'_>) -> Option<T>,
) -> Result<T, LoadError> {
    let damaged = |what| LoadError::Damaged { what };
    let (content, digest) = bytes.split_last_chunk::<8>().ok_or(damaged("too short"))?;
    let mut found = Digest::default();
    found.bytes(content);
    if found.value() != u64::from_le_bytes(*digest) {
        return Err(damaged("its digest does not match"));
    }
    let rest = content.strip_prefix(magic.as_slice());
    let rest = rest.ok_or(damaged(not_ours))?;
    // Nothing in it refers to ids of a world.
    let world = &World::new(crate::Scale::UNIT).expect("the unit scale is valid");
    let mut source = Source { rest, world };
    let read = take(&mut source).filter(|_| source.rest.is_empty());
    read.ok_or(damaged("a value is out of range"))
}

pub(super) fn put_grid(grid: &Grid, bytes: &mut Vec<u8>) {
    let template = grid.template.save();
    template.len().put(bytes);
    bytes.extend(template);
    let types = grid.types.iter().map(|id| id.index());
    types.collect::<Vec<usize>>().put(bytes);
    grid.side.put(bytes);
    grid.columns().put(bytes);
}

pub(super) fn take_grid(source: &mut Source<'_>) -> Option<Grid> {
    let length = usize::take(source)?;
    let (template, rest) = source.rest.split_at_checked(length)?;
    source.rest = rest;
    let template = World::load(template).ok()?;
    let types: Vec<usize> = Stored::take(source)?;
    let types: Option<Vec<AgentTypeId>> = types.into_iter().map(AgentTypeId::from_index).collect();
    let side = u32::try_from(i32::take(source)?).ok()?;
    let columns = Rect::take(source)?;
    let far = 1 << 22;
    let is_near = |at: Column| at.x.unsigned_abs() <= far && at.y.unsigned_abs() <= far;
    let is_valid = !columns.is_empty() && is_near(columns.low) && is_near(columns.high);
    is_valid.then(|| Grid::of_parts(template, types?, side, columns).ok())?
}

struct Read {
    revision: u64,
    things: Things,
    versions: Vec<Versions>,
    /// By agent type, then by tile.
    lines: Vec<Lines>,
}

/// The parts of a manifest; `None` where something is out of range.
fn take(source: &mut Source<'_>) -> Option<(Grid, Read)> {
    let grid = take_grid(source)?;
    let revision = u64::take(source)?;
    let (next_solid, last_handle) = Stored::take(source)?;
    let is_tile = |tile: &u32| *tile < grid.n_tiles();
    let mut things = Things {
        next_solid,
        last_handle,
        ..Things::default()
    };
    for (id, tiles) in <Vec<(u64, Vec<u32>)>>::take(source)? {
        let is_valid = id < next_solid && tiles.iter().all(is_tile);
        is_valid.then(|| things.solids.insert(SolidId(id), tiles))?;
    }
    for (id, tiles) in <Vec<(u64, Vec<u32>)>>::take(source)? {
        let is_valid = id <= last_handle && tiles.iter().all(is_tile);
        is_valid.then(|| things.cost_areas.insert(CostAreaId(id), tiles))?;
    }
    for (id, (tile, link)) in <Vec<(u64, (u32, _))>>::take(source)? {
        let is_valid = id <= last_handle && is_tile(&tile);
        is_valid.then(|| things.links.insert(LinkId(id), (tile, link)))?;
    }
    let versions: Vec<u64> = Stored::take(source)?;
    let versions = versions.into_iter().map(|newest| Versions {
        newest,
        flushed: newest,
    });
    let versions: Vec<Versions> = versions.collect();
    (versions.len() == grid.n_tiles() as usize).then_some(())?;
    let n_lines = grid.types.len() * versions.len();
    let lines: Option<Vec<Lines>> = (0..n_lines).map(|_| Stored::take(source)).collect();
    let read = Read {
        revision,
        things,
        versions,
        lines: lines?,
    };
    Some((grid, read))
}

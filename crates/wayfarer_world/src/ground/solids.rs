//! Solids by id, and the terrain they cover.
//!
//! The sheets of the ground hold the floors that agents see: terrain, with solids placed in the
//! order of their ids. In columns with solids the terrain itself is kept here, in blocks of floors
//! by sector, height and terrain, so that removing a solid shows it again. Memory is proportional to
//! the sectors that solids cover. Placing or removing a solid composes its own columns anew: linear
//! in its columns times the solids of their sectors.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Cell, Column, GroundSolid, SectorId, SolidExtent, SolidId, Terrain};

use super::Ground;
use super::bitboard::{self, Bitboard, EMPTY};
use super::column::{Floors, fill_column};
use super::page::{Directory, local_of};

/// All solids.
#[derive(Clone, Debug, Default)]
pub(super) struct Solids {
    by_id: OrderedMap<SolidId, GroundSolid>,
    sectors: Vec<SectorSolids>,
    directory: Directory,
    /// Columns of all solids, as [`counted_columns`] counts them.
    n_columns: u64,
}

/// The columns of a solid as the limit of all solids counts them: those of a long thin box by the
/// sectors that they store.
fn counted_columns(solid: &GroundSolid) -> u64 {
    const LONG: u32 = 256;
    match &solid.extent {
        SolidExtent::Box { rect, .. } if rect.width().max(rect.height()) > LONG => {
            Ground::limited_columns(*rect)
        }
        extent => extent.n_columns(),
    }
}

/// The solids of one sector; stored only if there are any.
#[derive(Clone, Debug)]
struct SectorSolids {
    sector: SectorId,
    /// Those with a column here, sorted.
    ids: Vec<SolidId>,
    /// The columns with a solid.
    covered: Bitboard,
    /// The floors of the terrain in covered columns, sorted by height.
    terrain: Vec<TerrainBlock>,
}

/// Floors of one height and terrain.
#[derive(Clone, Copy, Debug)]
struct TerrainBlock {
    z: i32,
    terrain: Terrain,
    columns: Bitboard,
}

impl Solids {
    pub(super) fn get(&self, id: SolidId) -> Option<&GroundSolid> {
        self.by_id.get(&id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (SolidId, &GroundSolid)> {
        self.by_id.iter().map(|(id, solid)| (*id, solid))
    }

    /// Adds, replaces or removes a solid, not yet in its sectors.
    pub(super) fn set(&mut self, id: SolidId, solid: Option<GroundSolid>) {
        self.n_columns = self.columns_with(id, solid.as_ref());
        match solid {
            Some(solid) => self.by_id.insert(id, solid),
            None => self.by_id.remove(&id),
        };
    }

    /// The columns of all solids if this one were added, replaced or removed.
    pub(super) fn columns_with(&self, id: SolidId, solid: Option<&GroundSolid>) -> u64 {
        let before = self.by_id.get(&id).map_or(0, counted_columns);
        self.n_columns - before + solid.map_or(0, counted_columns)
    }

    fn at(&self, sector: SectorId) -> Option<&SectorSolids> {
        if self.sectors.is_empty() {
            return None;
        }
        let index = self.directory.find(sector.x, sector.y)?;
        Some(&self.sectors[index as usize])
    }

    fn at_mut(&mut self, sector: SectorId) -> &mut SectorSolids {
        let index = self.directory.find(sector.x, sector.y).unwrap_or_else(|| {
            let index = u32::try_from(self.sectors.len()).expect("fewer sectors than u32 values");
            self.directory.insert(sector.x, sector.y, index);
            self.sectors.push(SectorSolids {
                sector,
                ids: Vec::new(),
                covered: EMPTY,
                terrain: Vec::new(),
            });
            index
        });
        &mut self.sectors[index as usize]
    }

    /// The number of solids in a sector.
    pub(super) fn n_in(&self, sector: SectorId) -> usize {
        self.at(sector).map_or(0, |here| here.ids.len())
    }

    /// Lists a solid in a sector, or not.
    pub(super) fn set_listed(&mut self, sector: SectorId, id: SolidId, is_listed: bool) {
        let ids = &mut self.at_mut(sector).ids;
        match (ids.binary_search(&id), is_listed) {
            (Err(at), true) => ids.insert(at, id),
            (Ok(at), false) => {
                ids.remove(at);
            }
            _ => {}
        }
        self.drop_if_empty(sector);
    }

    /// Forgets a sector without solids.
    fn drop_if_empty(&mut self, sector: SectorId) {
        let Some(index) = self.directory.find(sector.x, sector.y) else {
            return;
        };
        let here = &self.sectors[index as usize];
        if !here.ids.is_empty() || !bitboard::is_empty(&here.covered) {
            return;
        }
        self.directory.remove(sector.x, sector.y);
        self.sectors.swap_remove(index as usize);
        if let Some(moved) = self.sectors.get(index as usize).map(|moved| moved.sector) {
            self.directory.remove(moved.x, moved.y);
            self.directory.insert(moved.x, moved.y, index);
        }
    }

    /// True if a solid stands in a column.
    #[inline]
    pub(super) fn covers(&self, column: Column) -> bool {
        let here = self.at(SectorId::from_column(column));
        here.is_some_and(|here| bitboard::has(&here.covered, local_of(column)))
    }

    /// The highest top of a solid with `cell` in its inside.
    pub(super) fn top_over(&self, cell: Cell) -> Option<i32> {
        let here = self.at(SectorId::from_column(cell.column()))?;
        let solids = here.ids.iter().filter_map(|id| self.by_id.get(id));
        let runs = solids.flat_map(|solid| solid.extent.runs_in(cell.column()));
        let around = runs.filter(|(bottom, top)| (*bottom..*top).contains(&cell.z));
        around.map(|(_, top)| top).max()
    }

    /// Appends the terrain's floors of a covered column, lowest first.
    pub(super) fn terrain_of(&self, column: Column, floors: &mut Floors) {
        let local = local_of(column);
        let here = self.at(SectorId::from_column(column));
        let blocks = here.into_iter().flat_map(|here| &here.terrain);
        let own = blocks.filter(|block| bitboard::has(&block.columns, local));
        floors.extend(own.map(|block| (block.z, block.terrain)));
    }

    /// Replaces the terrain's floors of a covered column, or forgets a column no longer covered.
    pub(super) fn set_terrain(&mut self, column: Column, floors: Option<&Floors>) {
        let sector = SectorId::from_column(column);
        let local = local_of(column);
        let here = self.at_mut(sector);
        bitboard::put(&mut here.covered, local, floors.is_some());
        here.terrain.retain_mut(|block| {
            bitboard::put(&mut block.columns, local, false);
            !bitboard::is_empty(&block.columns)
        });
        for &(z, terrain) in floors.into_iter().flatten() {
            let key = |block: &TerrainBlock| (block.z, block.terrain);
            let at = here.terrain.binary_search_by_key(&(z, terrain), key);
            let at = at.unwrap_or_else(|at| {
                let columns = EMPTY;
                here.terrain.insert(
                    at,
                    TerrainBlock {
                        z,
                        terrain,
                        columns,
                    },
                );
                at
            });
            bitboard::put(&mut here.terrain[at].columns, local, true);
        }
        if floors.is_none() {
            self.drop_if_empty(sector);
        }
    }

    /// Places the solids of a column on its terrain; true if there are any.
    pub(super) fn place(&self, column: Column, floors: &mut Floors) -> bool {
        let here = self.at(SectorId::from_column(column));
        let mut is_covered = false;
        for id in here.into_iter().flat_map(|here| &here.ids) {
            let solid = &self.by_id[id];
            for (bottom, top) in solid.extent.runs_in(column) {
                fill_column(floors, (bottom, top), solid.top);
                is_covered = true;
            }
        }
        is_covered
    }

    /// The columns with solids and the floors of the terrain there.
    pub(super) fn covered_terrain(&self) -> impl Iterator<Item = (Column, Floors)> {
        self.sectors.iter().flat_map(move |here| {
            let origin = here.sector.origin();
            bitboard::cells(&here.covered).map(move |local| {
                let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
                let column = Column::new(origin.x + x, origin.y + y);
                let mut floors = Vec::new();
                self.terrain_of(column, &mut floors);
                (column, floors)
            })
        })
    }

    /// Bytes on the heap, but for what shapes share.
    pub(super) fn heap_bytes(&self) -> usize {
        let lists = |here: &SectorSolids| {
            here.ids.capacity() * size_of::<SolidId>()
                + here.terrain.capacity() * size_of::<TerrainBlock>()
        };
        self.sectors.capacity() * size_of::<SectorSolids>()
            + self.directory.heap_bytes()
            + self.sectors.iter().map(lists).sum::<usize>()
            + self.by_id.len() * size_of::<(SolidId, GroundSolid)>()
    }
}

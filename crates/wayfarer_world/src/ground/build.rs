//! Construction of a whole ground: from a flat map, sector by sector, or from world data.
//!
//! Everything is dirty once; the stages of `ground::repair` run over all sectors without recording
//! old connectivity.

use std::hash::{Hash, Hasher};

use thiserror::Error;
use wayfarer_base::{
    BatchDigest, Cell, Column, GroundEdit, Profile, Raster, Revision, SectorId, Terrain, WorldData,
};

use super::apply::check_cell;
use super::bitboard::{Bitboard, EMPTY, is_empty};
use super::change::GroundEditError;
use super::page::{PageKey, position_of};
use super::sheet::Sheet;
use super::{Ground, ProfileError};

/// A ground that could not be built.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The profile cannot be the default profile.
    #[error("the profile cannot be the default profile: {0}")]
    Profile(#[from] ProfileError),
    /// Invalid world data; the edit number counts cells first, then walls, then nav links.
    #[error("invalid world data: {0}")]
    Data(#[from] GroundEditError),
}

impl Ground {
    /// The ground of a flat map, every floor at height 0, its first column at (0, 0).
    ///
    /// Ground, swamp and water become floors; trees and cells without terrain do not.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Raster};
    /// use wayfarer_world::ground::Ground;
    /// let map = Raster::from_bytes(4, 1, vec![0, 0, 255, 0]).unwrap();
    /// let ground = Ground::from_raster(&map);
    /// assert!(ground.node(Cell::flat(1, 0)).is_some());
    /// assert!(ground.node(Cell::flat(2, 0)).is_none());
    /// assert_eq!(ground.counts(), (3, 2, 1)); // cells, regions, sheets
    /// ```
    pub fn from_raster(raster: &Raster) -> Self {
        let mut ground = Self::new(Profile::DEFAULT).expect("the default profile is valid");
        ground.revision = Revision::initial(BatchDigest::of(raster));
        ground.begin_batch();
        let side = SectorId::SIDE.unsigned_abs();
        let signed = |n: u32| i32::try_from(n).expect("a raster has at most 2^30 cells");
        for y in 0..raster.height().div_ceil(side) {
            for x in 0..raster.width().div_ceil(side) {
                let sector = SectorId::new(signed(x), signed(y));
                ground.add_sector(raster, (x * side, y * side), sector);
            }
        }
        ground.repair_fresh();
        ground.trim();
        ground
    }

    /// The ground of a flat world of any size, sector by sector, every floor at height 0. Cells of
    /// a raster beyond 16 x 16 are ignored, and so is a sector that repeats. No raster is held
    /// longer than its sector takes.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Raster, SectorId};
    /// use wayfarer_world::ground::Ground;
    /// let lane = Raster::from_bytes(16, 1, vec![0; 16]).unwrap();
    /// let far = |x: i32| (SectorId::new(x, 0), lane.clone());
    /// let ground = Ground::from_sectors([far(500_000), far(500_001)])?;
    /// let ends = [8_000_000, 8_000_031].map(|x| ground.node(Cell::flat(x, 0)).unwrap());
    /// assert_eq!(ground.component(ends[0]), ground.component(ends[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A sector outside the world; the edit number is its index among the sectors.
    pub fn from_sectors(
        sectors: impl IntoIterator<Item = (SectorId, Raster)>,
    ) -> Result<Self, GroundEditError> {
        let mut ground = Self::new(Profile::DEFAULT).expect("the default profile is valid");
        ground.begin_batch();
        let mut content = BatchDigest::default();
        for (index, (sector, raster)) in sectors.into_iter().enumerate() {
            let side = i64::from(SectorId::SIDE);
            let corner = |at: i32, more: i64| i32::try_from(i64::from(at) * side + more);
            for more in [0, side - 1] {
                let x = corner(sector.x, more).unwrap_or(i32::MAX);
                let y = corner(sector.y, more).unwrap_or(i32::MAX);
                check_cell(index, Cell::flat(x, y))?;
            }
            (sector, &raster).hash(&mut content);
            if ground.sheets_at(sector).next().is_none() {
                ground.add_sector(&raster, (0, 0), sector);
            }
        }
        ground.revision = Revision::initial(content.finish());
        ground.repair_fresh();
        ground.trim();
        Ok(ground)
    }

    /// Adds the sector whose first column is at (`left`, `top`) of the raster.
    fn add_sector(&mut self, raster: &Raster, (left, top): (u32, u32), sector: SectorId) {
        let side = SectorId::SIDE.unsigned_abs() as usize;
        let (width, height) = (raster.width() as usize, raster.height() as usize);
        let (left, top) = (left as usize, top as usize);
        let (n_columns, n_rows) = (side.min(width - left), side.min(height - top));
        let mut walkable = EMPTY;
        let mut others = false;
        for (y, bits) in walkable.iter_mut().enumerate().take(n_rows) {
            let start = (top + y) * width + left;
            let row = &raster.bytes()[start..start + n_columns];
            let (ground, other) = classify_row(row);
            *bits = ground;
            others |= other;
        }
        if !is_empty(&walkable) {
            self.add_uniform_sheet(sector, &walkable);
        }
        if others {
            let origin = sector.origin();
            for y in 0..n_rows {
                for x in 0..n_columns {
                    let small = |n: usize| i32::try_from(n).expect("within a raster");
                    let column = Column::new(origin.x + small(x), origin.y + small(y));
                    let terrain = raster.get(small(left + x), small(top + y));
                    let floor = |t: &Terrain| *t != Terrain::GROUND && *t != Terrain::TREES;
                    if let Some(terrain) = terrain.filter(floor) {
                        self.mark_dirty(column, None);
                        self.put_floor(column.at(0), terrain)
                            .expect("one floor is below the limit");
                    }
                }
            }
        }
    }

    /// Adds a uniform sheet of ground at height 0 to an empty sector.
    fn add_uniform_sheet(&mut self, sector: SectorId, walkable: &Bitboard) {
        let page = self.make_page(PageKey::from_sector(sector), 0);
        let mut sheet = Sheet::new(position_of(sector), 0, Terrain::GROUND);
        sheet.walkable.set_board(walkable);
        self.mark_dirty(sector.origin(), None);
        self.page_mut(page).add(sheet);
    }

    /// The ground of world data.
    ///
    /// # Errors
    /// A profile or an item outside the limits.
    pub fn from_data(data: &WorldData) -> Result<Self, BuildError> {
        let mut ground = Self::new(data.profile.clone())?;
        let cells = data
            .cells
            .iter()
            .map(|&(cell, terrain)| GroundEdit::PutCell { cell, terrain });
        let walls = data.walls.iter().map(|wall| GroundEdit::PutWall(*wall));
        let nav_links = data
            .nav_links
            .iter()
            .map(|nav_link| GroundEdit::PutNavLink(*nav_link));
        let edits: Vec<GroundEdit> = cells.chain(walls).chain(nav_links).collect();
        ground.apply(&edits)?;
        ground.revision = Revision::initial(ground.revision.branch);
        ground.trim();
        Ok(ground)
    }

    /// The world data that rebuilds this ground: all primary state but solids and cost modifiers,
    /// sorted.
    pub fn to_data(&self) -> WorldData {
        let mut cells = Vec::new();
        for page in self.pages.iter().flatten() {
            for sheet in &page.sheets {
                let origin = page.key.sector(sheet.position).origin();
                for local in super::bitboard::cells(&sheet.present()) {
                    let at = Column::new(
                        origin.x + i32::from(local & 15),
                        origin.y + i32::from(local >> 4),
                    );
                    if !self.solids.covers(at) {
                        cells.push((at.at(sheet.height(local)), sheet.terrain_of(local)));
                    }
                }
            }
        }
        for (at, floors) in self.solids.covered_terrain() {
            cells.extend(floors.iter().map(|(z, terrain)| (at.at(*z), *terrain)));
        }
        cells.sort_unstable();
        let mut nav_links: Vec<_> = self.features.nav_links().copied().collect();
        nav_links.sort_unstable();
        let mut walls: Vec<_> = self.features.walls().copied().collect();
        walls.sort_unstable();
        WorldData {
            profile: self.default_profile.clone(),
            cells,
            nav_links,
            walls,
            ..WorldData::default()
        }
    }

    /// All cost modifiers, sorted by id.
    pub fn cost_modifiers(
        &self,
    ) -> impl Iterator<Item = &(wayfarer_base::CostModifierId, wayfarer_base::CostModifier)> {
        self.features.modifiers()
    }

    /// Frees unused capacity and all scratch buffers.
    pub fn trim(&mut self) {
        self.scratch = None;
        self.pages.shrink_to_fit();
        for page in self.pages.iter_mut().flatten() {
            page.sheets.shrink_to_fit();
        }
        self.hierarchy.trim();
    }
}

/// For up to 16 cells: which are ground, and whether any is another floor (neither ground nor trees
/// nor empty).
fn classify_row(row: &[u8]) -> (u16, bool) {
    let mut cells = [u8::MAX; 16];
    cells[..row.len()].copy_from_slice(row);
    let (low, high) = cells.split_at(8);
    let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("eight bytes"));
    let (low, other_low) = classify_word(word(low));
    let (high, other_high) = classify_word(word(high));
    (low | high << 8, other_low || other_high)
}

/// [`classify_row`] for eight cells in a word.
fn classify_word(word: u64) -> (u16, bool) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit of each zero byte.
    let zeros = |word: u64| {
        let low = !(ONES << 7);
        !(((word & low) + low) | word | low)
    };
    let ground = zeros(word);
    let trees = zeros(word ^ (ONES * u64::from(Terrain::TREES.number())));
    let nothing = zeros(!word);
    // The multiplication gathers the eight high bits.
    let bits = (ground >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let bits = u16::try_from(bits).expect("eight bits");
    (bits, ground | trees | nothing != ONES << 7)
}

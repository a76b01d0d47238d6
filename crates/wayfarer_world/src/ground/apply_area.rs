//! Edits of areas and solids: sector by sector, each column as a whole, recorded in blocks.

use wayfarer_base::{
    Cell, Column, CostChange, FloorBlock, GroundEdit, GroundSolid, Raster, Rect, SectorId, Shape,
    SolidExtent, SolidId, Terrain, WorldData,
};

use super::Ground;
use super::apply::{MAX_COORDINATE, check_cell, check_corners, check_shape};
use super::bitboard;
use super::change::{FloorsDifference, GroundDifference, GroundEditError, SolidDifference};
use super::column::{Floors, carve_column, fill_column, put};
use super::floor_changes::FloorChanges;
use super::node::NodeId;
use super::page::PageKey;

/// What an edit of an area changed so far, with buffers for the column at hand.
#[derive(Default)]
pub(super) struct AreaRecord {
    /// Floors of columns without solids.
    floors: FloorChanges,
    /// The terrain's floors under solids.
    covered: FloorChanges,
    /// The floors that agents see there.
    shown: FloorChanges,
    before: Floors,
    after: Floors,
}

impl AreaRecord {
    fn finish(self) -> FloorsDifference {
        FloorsDifference {
            floors: self.floors.finish(),
            covered: self.covered.finish(),
            shown: self.shown.finish(),
        }
    }
}

impl Ground {
    /// Columns of one [`GroundEdit::FillBox`], [`GroundEdit::CarveBox`] or box-shaped solid, at
    /// most; see [`Ground::limited_columns`].
    pub const MAX_BOX_COLUMNS: u64 = 1 << 24;
    /// Runs of one solid that is not a box, at most.
    pub const MAX_SOLID_RUNS: u64 = 1 << 20;
    /// Columns and runs of all solids of a ground together, at most: a few bytes of a saved ground name
    /// them, and loading places them all. In a box longer than 256, a side below 16 counts as 16.
    pub const MAX_ALL_SOLID_COLUMNS: u64 = 1 << 26;
    /// Solids with columns in one sector of 16 x 16, at most.
    pub const MAX_SOLIDS_PER_SECTOR: usize = 1 << 12;

    /// The solid with this id.
    pub fn solid(&self, id: SolidId) -> Option<&GroundSolid> {
        self.solids.get(id)
    }

    /// All solids, by ascending id.
    pub fn solids(&self) -> impl Iterator<Item = (SolidId, &GroundSolid)> {
        self.solids.iter()
    }

    /// Top of the highest solid whose inside contains a cell: its height is at least that of the
    /// solid's bottom and below its top.
    pub fn solid_top_over(&self, cell: Cell) -> Option<i32> {
        self.solids.top_over(cell)
    }

    /// The floors of the terrain in a column, under solids too, lowest first.
    pub fn terrain_floors(&self, column: Column) -> Vec<(i32, Terrain)> {
        let mut floors = Vec::new();
        self.read_terrain(column, &mut floors);
        floors
    }

    fn read_terrain(&self, column: Column, floors: &mut Floors) {
        if self.solids.covers(column) {
            self.solids.terrain_of(column, floors);
        } else {
            floors.extend(self.floors(column));
        }
    }

    /// Applies an edit of an area; what it changed is recorded, also if it fails midway.
    pub(super) fn apply_area(
        &mut self,
        index: usize,
        edit: &GroundEdit,
        differences: &mut Vec<GroundDifference>,
    ) -> Result<(), GroundEditError> {
        let mut record = AreaRecord::default();
        let result = self.edit_area(index, edit, &mut record);
        let difference = record.finish();
        if !difference.is_empty() {
            differences.push(GroundDifference::Floors(Box::new(difference)));
        }
        result
    }

    fn edit_area(
        &mut self,
        index: usize,
        edit: &GroundEdit,
        record: &mut AreaRecord,
    ) -> Result<(), GroundEditError> {
        match edit {
            GroundEdit::PutCell { cell, terrain } => {
                self.set_floor(index, *cell, Some(*terrain), record)
            }
            GroundEdit::RemoveCell { cell } => self.set_floor(index, *cell, None, record),
            GroundEdit::Fill { shape, z, terrain } => {
                self.fill_shape(index, shape, (*z, *terrain), record)
            }
            GroundEdit::Clear { shape, heights } => self.clear(index, shape, *heights, record),
            GroundEdit::Patch { at, z, raster } => self.patch(index, *at, (*z, raster), record),
            GroundEdit::SetFloors(blocks) => self.set_floors(index, blocks, record),
            GroundEdit::FillBox {
                rect,
                bottom,
                top,
                terrain,
            } => self.edit_box(index, (*rect, *bottom, *top), record, |floors| {
                fill_column(floors, (*bottom, *top), *terrain);
            }),
            GroundEdit::CarveBox {
                rect,
                bottom,
                top,
                terrain,
            } => self.edit_box(index, (*rect, *bottom, *top), record, |floors| {
                carve_column(floors, (*bottom, *top), *terrain);
            }),
            _ => Ok(()),
        }
    }

    fn fill_shape(
        &mut self,
        index: usize,
        shape: &Shape,
        (z, terrain): (i32, Terrain),
        record: &mut AreaRecord,
    ) -> Result<(), GroundEditError> {
        check_shape(index, shape, z)?;
        if Self::exceeds_fill_limit(shape) {
            let limit = Self::MAX_FILL;
            return Err(GroundEditError::TooWide { edit: index, limit });
        }
        if let Shape::Box(rect) = shape {
            for column in columns_by_sector(*rect) {
                self.set_floor(index, column.at(z), Some(terrain), record)?;
            }
            return Ok(());
        }
        for column in shape.columns() {
            self.set_floor(index, column.at(z), Some(terrain), record)?;
        }
        Ok(())
    }

    fn clear(
        &mut self,
        index: usize,
        shape: &Shape,
        heights: (i32, i32),
        record: &mut AreaRecord,
    ) -> Result<(), GroundEditError> {
        check_corners(index, shape)?;
        // Only columns with floors: a shape may be far larger than the ground.
        let mut columns = Vec::new();
        self.for_each_column_in(shape, |column| columns.push(column));
        for column in columns {
            self.edit_column(index, column, record, |floors| {
                floors.retain(|(z, _)| !(heights.0..=heights.1).contains(z));
            })?;
        }
        Ok(())
    }

    fn patch(
        &mut self,
        index: usize,
        at: Column,
        (z, raster): (i32, &Raster),
        record: &mut AreaRecord,
    ) -> Result<(), GroundEditError> {
        for inside in raster.rect().columns() {
            let x = at.x.saturating_add(inside.x);
            let y = at.y.saturating_add(inside.y);
            let terrain = raster.get(inside.x, inside.y);
            self.set_floor(index, Cell::new(x, y, z), terrain, record)?;
        }
        Ok(())
    }

    /// Sets blocks of floors; of each column, removed floors go first, and under solids all floors
    /// change at once, so that no limit is passed in between.
    fn set_floors(
        &mut self,
        index: usize,
        blocks: &[FloorBlock],
        record: &mut AreaRecord,
    ) -> Result<(), GroundEditError> {
        let limit = MAX_COORDINATE >> 4;
        let mut under_solids: Vec<(Cell, Option<Terrain>)> = Vec::new();
        for is_removal in [true, false] {
            for block in blocks
                .iter()
                .filter(|one| one.terrain.is_none() == is_removal)
            {
                let within = |at: i32| (-limit - 1..=limit).contains(&at);
                if !within(block.sector.x) || !within(block.sector.y) {
                    let far = Cell::new(i32::MAX, i32::MAX, block.z);
                    check_cell(index, far)?;
                }
                for cell in block.cells() {
                    if self.solids.covers(cell.column()) {
                        under_solids.push((cell, block.terrain));
                    } else {
                        self.set_floor(index, cell, block.terrain, record)?;
                    }
                }
            }
        }
        under_solids.sort_by_key(|(cell, _)| SectorId::from_column(cell.column()));
        under_solids.sort_by_key(|(cell, _)| cell.column());
        for changes in under_solids.chunk_by(|a, b| a.0.column() == b.0.column()) {
            for (cell, _) in changes {
                check_cell(index, *cell)?;
            }
            self.edit_column(index, changes[0].0.column(), record, |floors| {
                for (cell, after) in changes {
                    set(floors, cell.z, *after);
                }
            })?;
        }
        Ok(())
    }

    fn edit_box(
        &mut self,
        index: usize,
        (rect, bottom, top): (Rect, i32, i32),
        record: &mut AreaRecord,
        change: impl Fn(&mut Floors),
    ) -> Result<(), GroundEditError> {
        self.check_box(index, rect, (bottom, top))?;
        for column in columns_by_sector(rect) {
            self.edit_column(index, column, record, &change)?;
        }
        Ok(())
    }

    fn check_box(
        &self,
        index: usize,
        rect: Rect,
        (bottom, top): (i32, i32),
    ) -> Result<(), GroundEditError> {
        if Self::limited_columns(rect) > Self::MAX_BOX_COLUMNS {
            return Err(GroundEditError::TooWide {
                edit: index,
                limit: Self::MAX_BOX_COLUMNS,
            });
        }
        if bottom >= top {
            let reason = "has its top not above its bottom";
            return Err(GroundEditError::BadSolid {
                edit: index,
                reason,
            });
        }
        if !rect.is_empty() {
            check_cell(index, rect.low.at(bottom))?;
            check_cell(index, rect.high.at(top))?;
        }
        Ok(())
    }

    /// Puts or removes one floor of the terrain.
    fn set_floor(
        &mut self,
        index: usize,
        cell: Cell,
        after: Option<Terrain>,
        record: &mut AreaRecord,
    ) -> Result<(), GroundEditError> {
        if self.solids.covers(cell.column()) {
            check_cell(index, cell)?;
            return self.edit_column(index, cell.column(), record, |floors| {
                set(floors, cell.z, after);
            });
        }
        let before = match after {
            Some(terrain) => self.put(index, cell, terrain)?,
            None => self.remove(cell).map(Some),
        };
        if let Some(before) = before {
            record.floors.add(cell, before, after);
        }
        Ok(())
    }

    /// Changes the terrain's floors of a column as a whole.
    fn edit_column(
        &mut self,
        index: usize,
        column: Column,
        record: &mut AreaRecord,
        change: impl FnOnce(&mut Floors),
    ) -> Result<(), GroundEditError> {
        let AreaRecord { before, after, .. } = record;
        before.clear();
        self.read_terrain(column, before);
        after.clone_from(before);
        change(after);
        if before == after {
            return Ok(());
        }
        self.check_floors(index, column, after)?;
        if !self.solids.covers(column) {
            self.write_column(column, before, after, &mut record.floors);
            return Ok(());
        }
        let mut shown = after.clone();
        self.solids.place(column, &mut shown);
        self.check_floors(index, column, &shown)?;
        for_each_difference(before, after, |z, before, after| {
            record.covered.add(column.at(z), before, after);
        });
        self.solids.set_terrain(column, Some(after));
        let seen: Floors = self.floors(column).collect();
        self.write_column(column, &seen, &shown, &mut record.shown);
        Ok(())
    }

    /// Checks that a column can have these floors.
    fn check_floors(
        &self,
        edit: usize,
        column: Column,
        floors: &Floors,
    ) -> Result<(), GroundEditError> {
        let Some(&(z, _)) = floors.last() else {
            return Ok(());
        };
        let limit = WorldData::MAX_FLOORS;
        if floors.len() > limit {
            let cell = column.at(z);
            return Err(GroundEditError::TooManyFloors { edit, cell, limit });
        }
        self.check_page(edit, column.at(z))
    }

    /// Checks that there is a page for a floor.
    pub(super) fn check_page(&self, edit: usize, cell: Cell) -> Result<(), GroundEditError> {
        let limit = NodeId::MAX_PAGES;
        let is_full = self.pages.len() >= limit as usize && self.free_pages.is_empty();
        let sector = SectorId::from_column(cell.column());
        if is_full && self.page_at(PageKey::from_sector(sector)).is_none() {
            return Err(GroundEditError::WorldFull { edit, cell, limit });
        }
        Ok(())
    }

    /// Turns the floors that agents see in a column from `before` into `after`, which fit.
    fn write_column(
        &mut self,
        column: Column,
        before: &Floors,
        after: &Floors,
        changes: &mut FloorChanges,
    ) {
        if before == after {
            return;
        }
        let cost_change = match (before.len(), after.len()) {
            (0, 1) => CostChange::Decrease,
            (1, 0) => CostChange::Increase,
            _ => CostChange::Mixed,
        };
        self.mark_dirty(column, Some(cost_change));
        for_each_difference(before, after, |z, old, new| {
            changes.add(column.at(z), old, new);
        });
        for (z, _) in before.iter().filter(|(z, _)| !has_floor(after, *z)) {
            self.remove_floor(column.at(*z));
        }
        for floor in after.iter().filter(|floor| !before.contains(floor)) {
            let put = self.put_floor(column.at(floor.0), floor.1);
            debug_assert!(put.is_ok(), "the number of floors was checked");
        }
    }

    /// Places, replaces (`Some`) or removes (`None`) a solid.
    pub(super) fn set_solid(
        &mut self,
        index: usize,
        id: SolidId,
        after: Option<&GroundSolid>,
        differences: &mut Vec<GroundDifference>,
    ) -> Result<(), GroundEditError> {
        let before = self.solids.get(id).cloned();
        if before.as_ref() == after {
            return Ok(());
        }
        if let Some(solid) = after {
            self.check_solid(index, solid)?;
            let limit = Self::MAX_ALL_SOLID_COLUMNS;
            if self.solids.columns_with(id, after) > limit {
                return Err(GroundEditError::SolidsTooWide { edit: index, limit });
            }
        }
        let both = [before.as_ref(), after];
        let mut sectors: Vec<SectorId> = both
            .iter()
            .flatten()
            .flat_map(|solid| solid.extent.sectors())
            .collect();
        sectors.sort_unstable();
        sectors.dedup();
        let mut shown = FloorChanges::default();
        for done in 0..sectors.len() {
            let changed = self.set_solid_in(index, sectors[done], (id, both), &mut shown);
            if let Err(error) = changed {
                let back = [after, before.as_ref()];
                let unseen = &mut FloorChanges::default();
                for sector in sectors[..done].iter().rev() {
                    self.set_solid_in(index, *sector, (id, back), unseen)
                        .expect("the sector had the solid before");
                }
                return Err(error);
            }
        }
        self.solids.set(id, after.cloned());
        let difference = SolidDifference {
            id,
            before,
            after: after.cloned(),
            shown: shown.finish(),
        };
        differences.push(GroundDifference::Solid(Box::new(difference)));
        Ok(())
    }

    fn check_solid(&self, edit: usize, solid: &GroundSolid) -> Result<(), GroundEditError> {
        let extent = &solid.extent;
        let (found, limit) = match extent {
            SolidExtent::Box { rect, .. } => (Self::limited_columns(*rect), Self::MAX_BOX_COLUMNS),
            SolidExtent::Runs(_) => (extent.n_columns(), Self::MAX_SOLID_RUNS),
        };
        if found > limit {
            return Err(GroundEditError::TooWide { edit, limit });
        }
        if !extent.is_valid() {
            let reason = "has runs that overlap, or a top not above its bottom";
            return Err(GroundEditError::BadSolid { edit, reason });
        }
        if let Some((bottom, top)) = extent.heights() {
            let bounds = extent.bounds();
            if bounds.is_empty() {
                return Ok(());
            }
            check_cell(edit, bounds.low.at(bottom))?;
            check_cell(edit, bounds.high.at(top))?;
        }
        Ok(())
    }

    /// Replaces a solid in one sector.
    fn set_solid_in(
        &mut self,
        index: usize,
        sector: SectorId,
        (id, [before, after]): (SolidId, [Option<&GroundSolid>; 2]),
        shown: &mut FloorChanges,
    ) -> Result<(), GroundEditError> {
        let columns_of = |solid: Option<&GroundSolid>| {
            solid.map_or(bitboard::EMPTY, |solid| solid.extent.columns_in(sector))
        };
        let (old, new) = (columns_of(before), columns_of(after));
        let limit = Self::MAX_SOLIDS_PER_SECTOR;
        let is_new_here = bitboard::is_empty(&old);
        if is_new_here && self.solids.n_in(sector) >= limit {
            return Err(GroundEditError::TooManySolids {
                edit: index,
                sector,
                limit,
            });
        }
        self.solids.set(id, after.cloned());
        self.solids
            .set_listed(sector, id, !bitboard::is_empty(&new));
        let origin = sector.origin();
        let mut affected = old;
        (affected.iter_mut().zip(new)).for_each(|(row, more)| *row |= more);
        let at = |local: u8| {
            let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
            Column::new(origin.x + x, origin.y + y)
        };
        let mut composed: Vec<(Column, Floors, Floors, bool)> = Vec::new();
        for column in bitboard::cells(&affected).map(at) {
            let terrain = self.terrain_floors(column);
            let mut floors = terrain.clone();
            let is_covered = self.solids.place(column, &mut floors);
            if let Err(error) = self.check_floors(index, column, &floors) {
                self.solids.set(id, before.cloned());
                self.solids.set_listed(sector, id, !is_new_here);
                return Err(error);
            }
            composed.push((column, terrain, floors, is_covered));
        }
        for (column, terrain, floors, is_covered) in composed {
            let seen: Floors = self.floors(column).collect();
            self.solids
                .set_terrain(column, is_covered.then_some(&terrain));
            self.write_column(column, &seen, &floors, shown);
        }
        Ok(())
    }
}

/// Sets or removes a floor.
fn set(floors: &mut Floors, z: i32, terrain: Option<Terrain>) {
    match terrain {
        Some(terrain) => put(floors, z, terrain),
        None => floors.retain(|floor| floor.0 != z),
    }
}

fn has_floor(floors: &Floors, z: i32) -> bool {
    floors.iter().any(|floor| floor.0 == z)
}

/// Calls `visit` with the height of every floor that differs, and its terrain before and after.
fn for_each_difference(
    before: &Floors,
    after: &Floors,
    mut visit: impl FnMut(i32, Option<Terrain>, Option<Terrain>),
) {
    let terrain_at = |floors: &Floors, z: i32| {
        let floor = floors.iter().find(|floor| floor.0 == z);
        floor.map(|floor| floor.1)
    };
    for &(z, terrain) in before {
        let now = terrain_at(after, z);
        if now != Some(terrain) {
            visit(z, Some(terrain), now);
        }
    }
    for &(z, terrain) in after {
        if !has_floor(before, z) {
            visit(z, None, Some(terrain));
        }
    }
}

/// The columns of a rectangle, sector by sector.
fn columns_by_sector(rect: Rect) -> impl Iterator<Item = Column> {
    let (low, high) = if rect.is_empty() {
        (SectorId::new(0, 0), SectorId::new(-1, -1))
    } else {
        let sector = SectorId::from_column;
        (sector(rect.low), sector(rect.high))
    };
    let rows = (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| (x, y)));
    rows.flat_map(move |(x, y)| columns_in_both(SectorId::new(x, y).rect(), rect))
}

/// The columns that two rectangles share, row by row.
fn columns_in_both(a: Rect, b: Rect) -> impl Iterator<Item = Column> {
    let low = Column::new(a.low.x.max(b.low.x), a.low.y.max(b.low.y));
    let high = Column::new(a.high.x.min(b.high.x), a.high.y.min(b.high.y));
    Rect { low, high }.columns()
}

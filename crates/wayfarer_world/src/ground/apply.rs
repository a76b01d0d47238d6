//! Batches of edits: atomic, one revision and one change set each.
//!
//! Each edit writes primary state and marks what it makes dirty *before* it writes, so that the old
//! connectivity is still there to be recorded. One repair follows for the whole batch. A batch that
//! fails is undone by the inverses of its differences, in reverse order.

use wayfarer_base::shape::SectorMasks;
use wayfarer_base::{
    BatchDigest, Cell, ChangeSet, Column, CostChange, CostModifier, CostModifierId, DirtySector,
    GroundEdit, LinkState, NavLink, NavLinkId, Rect, SectorId, Shape, Terrain, WorldData,
};

use super::Ground;
use super::bitboard::{self, EMPTY};
use super::change::{
    CostModifierDifference, GroundChanges, GroundDifference, GroundEditError, NavLinkDifference,
};
use super::floors::TooManyFloors;
use super::page::local_of;
use super::repair::{Dirty, SectorState};
use super::scratch::{BatchScratch, ModifierChange, OldCell};

/// Largest magnitude of x and y of a cell: positions are stored in 1/256 cells.
pub(crate) const MAX_COORDINATE: i32 = (1 << 23) - 1;
/// Largest magnitude of z of a cell.
pub(crate) const MAX_HEIGHT: i32 = 1 << 24;

impl Ground {
    /// Columns in the AABB of the shape of one [`GroundEdit::Fill`], at most.
    pub const MAX_FILL: u64 = 1 << 26;

    /// Corners of a polygon in an edit, at most; also limited by [`Ground::MAX_CROSSINGS`].
    pub const MAX_CORNERS: usize = 1 << 12;

    /// Corners of a polygon in an edit times the rows of its AABB, at most.
    pub const MAX_CROSSINGS: usize = 1 << 26;

    /// Cost modifiers of a ground, at most: so the sums of their multipliers are exact.
    pub const MAX_COST_MODIFIERS: usize = 1 << 16;

    /// True if the AABB of `shape` exceeds [`Ground::MAX_FILL`] columns.
    pub fn exceeds_fill_limit(shape: &Shape) -> bool {
        Self::limited_columns(shape.bounds()) > Self::MAX_FILL
    }

    /// The columns of a rectangle as limits count them: a side below 16 counts as 16, because sectors
    /// of 16 x 16 are stored whole.
    pub fn limited_columns(rect: Rect) -> u64 {
        if rect.is_empty() {
            return 0;
        }
        u64::from(rect.width().max(16)) * u64::from(rect.height().max(16))
    }

    /// Applies a batch of edits, all or none, and repairs the derived state once.
    ///
    /// Removing a floor, wall, nav link or cost modifier that does not exist is no difference;
    /// opening, closing or locking a nav link that does not exist is an error.
    ///
    /// # Errors
    /// The first edit that is invalid; the ground is unchanged then.
    pub fn apply(&mut self, edits: &[GroundEdit]) -> Result<GroundChanges, GroundEditError> {
        self.begin_batch();
        let batch = BatchDigest::of(edits);
        let mut differences = Vec::with_capacity(edits.len());
        let done = edits
            .iter()
            .enumerate()
            .try_for_each(|(index, edit)| self.apply_one(index, edit, &mut differences));
        if let Err(error) = done {
            for difference in differences.iter().rev() {
                let undo = wayfarer_base::Difference::inverse(difference).to_edit();
                let undone = self.apply_one(0, &undo, &mut Vec::new());
                debug_assert_eq!(undone, Ok(()), "the inverse of a valid edit is valid");
            }
            self.repair();
            self.identity.change(batch);
            return Err(error);
        }
        self.repair();
        let before = self.revision;
        self.revision = before.next(batch);
        let dirty = self.dirty_sectors();
        let after = self.revision;
        let scratch = self.scratch();
        Ok(GroundChanges {
            changes: ChangeSet {
                before,
                after,
                differences,
                dirty_sectors: dirty,
            },
            split_pairs: std::mem::take(&mut scratch.old.split_pairs),
            merged_pairs: std::mem::take(&mut scratch.old.merged_pairs),
        })
    }

    /// Undoes the last batch, `changes`: content and revision are those before it. Node ids may
    /// differ, so the identity changes.
    pub fn roll_back(&mut self, changes: &GroundChanges) {
        debug_assert_eq!(self.revision, changes.changes.after, "it is the last batch");
        self.begin_batch();
        for difference in changes.changes.differences.iter().rev() {
            let undo = wayfarer_base::Difference::inverse(difference).to_edit();
            let undone = self.apply_one(0, &undo, &mut Vec::new());
            debug_assert_eq!(undone, Ok(()), "the inverse of a valid edit is valid");
        }
        self.repair();
        self.identity
            .change(BatchDigest::of(&changes.changes.after));
        self.revision = changes.changes.before;
    }

    /// Clears what the previous batch made dirty.
    pub(crate) fn begin_batch(&mut self) {
        let scratch = self.scratch();
        scratch.batch.dirty.clear();
        scratch.batch.index.clear();
        scratch.old.cells.clear();
        scratch.old.regions.clear();
        scratch.batch.toggled_links.clear();
        scratch.batch.modifier_changes.clear();
        scratch.batch.cost_changes.clear();
    }

    fn dirty_sectors(&mut self) -> Vec<DirtySector> {
        let scratch = self.scratch();
        let mut dirty_sectors = Vec::with_capacity(scratch.batch.dirty.len());
        for (dirty, cost_change) in scratch.batch.dirty.iter().zip(&scratch.batch.cost_changes) {
            dirty_sectors.extend(cost_change.map(|cost_change| DirtySector {
                sector: dirty.sector,
                cost_change,
            }));
        }
        dirty_sectors.sort_unstable();
        dirty_sectors
    }

    /// Marks a column dirty before its floors, walls or cost modifiers change.
    #[inline]
    pub(crate) fn mark_dirty(&mut self, column: Column, cost_change: Option<CostChange>) {
        let index = self.mark_column(column, cost_change);
        self.scratch().batch.dirty[index].beyond_floors = true;
    }

    /// Marks a column dirty before its floors change; [`Ground::note_terrains`] says how.
    #[inline]
    fn mark_column(&mut self, column: Column, cost_change: Option<CostChange>) -> usize {
        let index = self.mark_sector(column, cost_change);
        if !self.scratch().batch.dirty[index].structural {
            self.mark_structural(index);
        }
        let local = local_of(column);
        let dirty = &mut self.scratch().batch.dirty[index];
        if dirty.before.levels.is_mixed && !bitboard::has(&dirty.changed_floors, local) {
            self.record_old_cells(column);
        }
        let dirty = &mut self.scratch().batch.dirty[index];
        bitboard::put(&mut dirty.changed_columns, local, true);
        bitboard::put(&mut dirty.changed_floors, local, true);
        index
    }

    /// Records the terrain of a floor before and after a change, in a sector marked dirty.
    #[inline]
    fn note_terrains(&mut self, index: usize, before: Option<Terrain>, after: Option<Terrain>) {
        let bit = |terrain: Option<Terrain>| terrain.map_or(0, Terrain::bit);
        let dirty = &mut self.scratch().batch.dirty[index];
        let known = if before.is_some() && after.is_some() {
            &mut dirty.exchanged
        } else {
            &mut dirty.added_or_removed
        };
        *known |= bit(before) | bit(after);
    }

    /// Marks the columns of a modifier in a sector dirty before it is added or removed.
    fn mark_modifier(&mut self, sector: SectorId, mut change: ModifierChange) {
        let cost_change = if change.is_added {
            CostChange::Increase
        } else {
            CostChange::Decrease
        };
        let index = self.mark_sector(sector.origin(), Some(cost_change));
        if !self.scratch().batch.dirty[index].structural {
            self.mark_structural(index);
        }
        let batch = &mut self.scratch().batch;
        let dirty = &mut batch.dirty[index];
        dirty.beyond_floors = true;
        for (changed, columns) in dirty.changed_columns.iter_mut().zip(change.columns) {
            *changed |= columns;
        }
        let number = u32::try_from(batch.modifier_changes.len()).expect("fewer than 2^32");
        change.previous = dirty.modifier_change.replace(number);
        batch.modifier_changes.push(change);
    }

    /// Marks the sector of a column dirty and merges the cost change; returns its index in the
    /// list.
    #[inline]
    fn mark_sector(&mut self, column: Column, cost_change: Option<CostChange>) -> usize {
        let sector = SectorId::from_column(column);
        let scratch = self.scratch();
        let index = match scratch.batch.dirty.last() {
            Some(last) if last.sector == sector => scratch.batch.dirty.len() - 1,
            _ => match scratch.batch.index.find(sector.x, sector.y) {
                Some(index) => index as usize,
                None => scratch.batch.push(sector),
            },
        };
        let known = &mut scratch.batch.cost_changes[index];
        *known = match (*known, cost_change) {
            (Some(a), Some(b)) => Some(a.combined_with(b)),
            (a, b) => a.or(b),
        };
        index
    }

    fn mark_structural(&mut self, index: usize) {
        let sector = self.scratch().batch.dirty[index].sector;
        let before = self.sector_state(sector);
        let mut recorded = std::mem::take(&mut self.scratch().old.regions);
        self.record_old_regions(sector, &before.levels, &mut recorded);
        self.scratch().old.regions = recorded;
        let dirty = &mut self.scratch().batch.dirty[index];
        (dirty.structural, dirty.before) = (true, before);
    }

    /// Records the labels of the walkable cells of a column before its floors change.
    fn record_old_cells(&mut self, column: Column) {
        let local = local_of(column);
        let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
        let mut recorded = std::mem::take(&mut self.scratch().old.cells);
        for (page, sheet) in self.sheets_at(SectorId::from_column(column)) {
            if !sheet.walkable.get(x, y) {
                continue;
            }
            let region = sheet.regions().get(usize::from(sheet.region_at(local)));
            recorded.extend(region.map(|region| OldCell {
                cell: column.at(sheet.height(local)),
                page,
                position: sheet.position,
                label: region.label,
            }));
        }
        self.scratch().old.cells = recorded;
    }

    fn apply_one(
        &mut self,
        index: usize,
        edit: &GroundEdit,
        differences: &mut Vec<GroundDifference>,
    ) -> Result<(), GroundEditError> {
        match edit {
            GroundEdit::PutCell { cell, .. } | GroundEdit::RemoveCell { cell }
                if self.solids.covers(cell.column()) =>
            {
                self.apply_area(index, edit, differences)?;
            }
            GroundEdit::PutCell { cell, terrain } => {
                let before = self.put(index, *cell, *terrain)?;
                differences.extend(before.map(|before| GroundDifference::Floor {
                    cell: *cell,
                    before,
                    after: Some(*terrain),
                }));
            }
            GroundEdit::RemoveCell { cell } => {
                let before = self.remove(*cell);
                differences.extend(before.map(|before| GroundDifference::Floor {
                    cell: *cell,
                    before: Some(before),
                    after: None,
                }));
            }
            GroundEdit::Fill { .. }
            | GroundEdit::Clear { .. }
            | GroundEdit::Patch { .. }
            | GroundEdit::SetFloors(_)
            | GroundEdit::FillBox { .. }
            | GroundEdit::CarveBox { .. } => self.apply_area(index, edit, differences)?,
            GroundEdit::PutSolid { id, solid } => {
                self.set_solid(index, *id, Some(solid), differences)?;
            }
            GroundEdit::RemoveSolid(id) => {
                if self.solid(*id).is_none() {
                    let (edit, id) = (index, *id);
                    return Err(GroundEditError::UnknownSolid { edit, id });
                }
                self.set_solid(index, *id, None, differences)?;
            }
            GroundEdit::PutWall(wall) => self.set_wall(index, *wall, true, differences)?,
            GroundEdit::RemoveWall(wall) => self.set_wall(index, *wall, false, differences)?,
            GroundEdit::PutNavLink(nav_link) => {
                self.check_nav_link(index, nav_link)?;
                self.set_nav_link(nav_link.into(), Some(*nav_link), differences);
            }
            GroundEdit::RemoveNavLink(id) => self.set_nav_link(*id, None, differences),
            GroundEdit::SetNavLinkState {
                nav_link: id,
                state,
            } => {
                let known = self.known_nav_link(index, *id)?;
                let changed = NavLink {
                    state: *state,
                    ..known
                };
                check_lock(index, &changed)?;
                self.set_nav_link(*id, Some(changed), differences);
            }
            GroundEdit::PutCostModifier { id, modifier } => {
                check_shape(index, &modifier.shape, 0)?;
                if self.features.n_modifiers() == Self::MAX_COST_MODIFIERS
                    && self.features.modifier(*id).is_none()
                {
                    return Err(GroundEditError::TooManyCostModifiers {
                        edit: index,
                        limit: Self::MAX_COST_MODIFIERS,
                    });
                }
                self.set_modifier(*id, Some(modifier), differences);
            }
            GroundEdit::RemoveCostModifier(id) => self.set_modifier(*id, None, differences),
        }
        Ok(())
    }

    /// Puts a floor in a column without solids; returns its previous terrain if that changed.
    pub(super) fn put(
        &mut self,
        index: usize,
        cell: Cell,
        terrain: Terrain,
    ) -> Result<Option<Option<Terrain>>, GroundEditError> {
        check_cell(index, cell)?;
        self.check_page(index, cell)?;
        self.mark_column(cell.column(), None);
        let before = self.put_floor(cell, terrain).map_err(|TooManyFloors| {
            GroundEditError::TooManyFloors {
                edit: index,
                cell,
                limit: WorldData::MAX_FLOORS,
            }
        })?;
        if before == Some(terrain) {
            return Ok(None);
        }
        let cost_change = match before {
            None => self.floor_cost_change(cell, CostChange::Decrease),
            Some(_) => CostChange::Mixed,
        };
        let index = self.mark_column(cell.column(), Some(cost_change));
        self.note_terrains(index, before, Some(terrain));
        Ok(Some(before))
    }

    /// Removes a floor of a column without solids; returns its terrain.
    pub(super) fn remove(&mut self, cell: Cell) -> Option<Terrain> {
        let (mut is_there, mut cost_change) = (false, CostChange::Increase);
        for (z, _) in self.floors(cell.column()) {
            if z == cell.z {
                is_there = true;
            } else {
                cost_change = CostChange::Mixed; // As in `floor_cost_change`.
            }
        }
        if !is_there {
            return None;
        }
        let index = self.mark_column(cell.column(), Some(cost_change));
        let before = self.remove_floor(cell);
        self.note_terrains(index, before, None);
        before
    }

    /// `alone`, unless the column has other floors: a floor may take their headroom or clear it.
    fn floor_cost_change(&self, cell: Cell, alone: CostChange) -> CostChange {
        if self.floors(cell.column()).any(|(z, _)| z != cell.z) {
            CostChange::Mixed
        } else {
            alone
        }
    }

    fn set_wall(
        &mut self,
        index: usize,
        wall: wayfarer_base::Wall,
        is_present: bool,
        differences: &mut Vec<GroundDifference>,
    ) -> Result<(), GroundEditError> {
        check_cell(index, wall.cell)?;
        let cost_change = if is_present {
            CostChange::Increase
        } else {
            CostChange::Decrease
        };
        self.mark_dirty(wall.cell.column(), None);
        if self.features.set_wall(wall, is_present) {
            self.mark_dirty(wall.cell.column(), Some(cost_change));
            differences.push(GroundDifference::Wall { wall, is_present });
        }
        Ok(())
    }

    fn set_nav_link(
        &mut self,
        id: NavLinkId,
        after: Option<NavLink>,
        differences: &mut Vec<GroundDifference>,
    ) {
        let before = self.features.nav_link(id);
        if before == after {
            return;
        }
        let cost_change = match (&before, &after) {
            (None, _) => CostChange::Decrease,
            (_, None) => CostChange::Increase,
            _ => CostChange::Mixed,
        };
        let stays = before.is_some() && after.is_some();
        for end in [id.from, id.to] {
            let index = self.mark_sector(end.column(), Some(cost_change));
            self.scratch().batch.dirty[index].nav_links = true;
            if !stays {
                self.mark_dirty(end.column(), None);
            }
        }
        self.features.set_nav_link(id, after);
        let keys = self.compiled.keys;
        if let (Some(before), Some(after)) = (before, after)
            && before.state.admits(keys) != after.state.admits(keys)
        {
            self.scratch().batch.toggled_links.push(after);
        }
        differences.push(GroundDifference::NavLink(Box::new(NavLinkDifference {
            id,
            before,
            after,
        })));
    }

    fn set_modifier(
        &mut self,
        id: CostModifierId,
        after: Option<&CostModifier>,
        differences: &mut Vec<GroundDifference>,
    ) {
        let before = self.features.modifier(id).cloned();
        if before.as_ref() == after {
            return;
        }
        for (modifier, is_added) in [(before.as_ref(), false), (after, true)] {
            let Some(modifier) = modifier else { continue };
            let mut sectors = Vec::new();
            self.for_each_sector_in(modifier.shape.bounds(), |sector| sectors.push(sector));
            let mut masks = SectorMasks::new(&modifier.shape);
            for sector in sectors {
                let columns = masks.mask(sector);
                if bitboard::is_empty(&columns) {
                    continue;
                }
                let change = ModifierChange {
                    columns,
                    heights: modifier.heights,
                    sixteenths: u32::from(modifier.multiplier.sixteenths()) - 16,
                    is_added,
                    previous: None,
                };
                self.mark_modifier(sector, change);
            }
        }
        self.features.set_modifier(id, after.cloned());
        differences.push(GroundDifference::CostModifier(Box::new(
            CostModifierDifference {
                id,
                before,
                after: after.cloned(),
            },
        )));
    }

    fn check_nav_link(&self, index: usize, nav_link: &NavLink) -> Result<(), GroundEditError> {
        check_cell(index, nav_link.from)?;
        check_cell(index, nav_link.to)?;
        let bad = |reason| GroundEditError::BadNavLink {
            edit: index,
            from: nav_link.from,
            to: nav_link.to,
            reason,
        };
        if nav_link.from == nav_link.to {
            return Err(bad("leads nowhere, expected two different cells"));
        }
        if nav_link.cost == wayfarer_base::Cost::ZERO || nav_link.cost.is_saturated() {
            return Err(bad(
                "costs nothing or is saturated, expected a cost between",
            ));
        }
        check_lock(index, nav_link)?;
        for cell in [nav_link.from, nav_link.to] {
            let known = self.features.sector(SectorId::from_column(cell.column()));
            let at_cell = known.map_or(0, |features| {
                let here = |p: &&NavLink| p.from == cell || p.to == cell;
                features.nav_links.iter().filter(here).count()
            });
            let limit = WorldData::MAX_NAV_LINKS_PER_CELL;
            if at_cell >= limit && self.features.nav_link(nav_link.into()).is_none() {
                return Err(GroundEditError::TooManyNavLinks {
                    edit: index,
                    cell,
                    limit,
                });
            }
        }
        Ok(())
    }

    /// The nav link of this id; an error says if it exists from the other end.
    fn known_nav_link(&self, index: usize, id: NavLinkId) -> Result<NavLink, GroundEditError> {
        let NavLinkId { from, to, kind } = id;
        let reversed = NavLinkId {
            from: to,
            to: from,
            kind,
        };
        self.features.nav_link(id).ok_or_else(|| {
            let reason = if self.features.nav_link(reversed).is_some() {
                "does not exist, but one of its kind from the second cell to the first does"
            } else {
                "does not exist, expected the cells and the kind of one that does"
            };
            GroundEditError::BadNavLink {
                edit: index,
                from,
                to,
                reason,
            }
        })
    }
}

/// An error if a shape leaves the world or is a polygon of too many corners.
pub(super) fn check_shape(index: usize, shape: &Shape, z: i32) -> Result<(), GroundEditError> {
    check_corners(index, shape)?;
    let bounds = shape.bounds();
    if bounds.is_empty() {
        return Ok(());
    }
    check_cell(index, bounds.low.at(z))?;
    check_cell(index, bounds.high.at(z))
}

pub(super) fn check_corners(edit: usize, shape: &Shape) -> Result<(), GroundEditError> {
    let Shape::Polygon(corners) = shape else {
        return Ok(());
    };
    let n_rows = shape.bounds().height().max(1) as usize;
    let limit = Ground::MAX_CORNERS.min(Ground::MAX_CROSSINGS / n_rows);
    if corners.len() > limit {
        let found = corners.len();
        return Err(GroundEditError::TooManyCorners { edit, found, limit });
    }
    Ok(())
}

impl BatchScratch {
    /// Appends a sector; returns its index.
    fn push(&mut self, sector: SectorId) -> usize {
        let index = self.dirty.len();
        let number = u32::try_from(index).expect("fewer sectors than u32 values");
        self.index.insert(sector.x, sector.y, number);
        self.cost_changes.push(None);
        self.dirty.push(Dirty {
            sector,
            before: SectorState::default(),
            nav_links: false,
            structural: false,
            changed_columns: EMPTY,
            changed_floors: EMPTY,
            modifier_change: None,
            added_or_removed: 0,
            exchanged: 0,
            beyond_floors: false,
            has_new_shapes: false,
        });
        index
    }
}

fn check_lock(index: usize, nav_link: &NavLink) -> Result<(), GroundEditError> {
    if nav_link.state == LinkState::Locked(0) {
        return Err(GroundEditError::BadNavLink {
            edit: index,
            from: nav_link.from,
            to: nav_link.to,
            reason: "has a lock that needs no key, expected at least one key bit",
        });
    }
    Ok(())
}

pub(crate) fn check_cell(edit: usize, cell: Cell) -> Result<(), GroundEditError> {
    let inside = |at: i32, limit: i32| (-limit..=limit).contains(&at);
    if inside(cell.x, MAX_COORDINATE)
        && inside(cell.y, MAX_COORDINATE)
        && inside(cell.z, MAX_HEIGHT)
    {
        Ok(())
    } else {
        Err(GroundEditError::OutOfWorld {
            edit,
            cell,
            limit: MAX_COORDINATE,
            z_limit: MAX_HEIGHT,
        })
    }
}

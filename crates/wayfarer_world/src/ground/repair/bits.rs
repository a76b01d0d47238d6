//! Stage *bits*: floors to walkable bits.
//!
//! Reads the floors of a dirty sector and its features; writes walkable bits in both orientations,
//! flags, walls, nav link ends and modifier sums, and compresses heights and terrains. Removes
//! sheets without floors. A uniform sector takes a fast path: its bits were edited in place.

use wayfarer_base::SectorId;

use super::Dirty;
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::hierarchy::block_of;
use crate::ground::page::{NONE, PageKey, position_of};
use crate::ground::scratch::{ModifierChange, Scratch};
use crate::ground::sheet::{self, Heights, SheetDetails};

impl Ground {
    /// Derives the bits of a dirty sector; pushes the blocks of removed sheets to the blocks of the
    /// components stage.
    pub(super) fn refresh_bits(&mut self, dirty: &Dirty, scratch: &mut Scratch) {
        let changes = &scratch.batch.modifier_changes;
        let emptied = &mut scratch.components.blocks;
        let pages = &mut scratch.sectors.pages;
        let sector = dirty.sector;
        let position = position_of(sector);
        let Some(lowest) = self.page_at(PageKey::from_sector(sector)) else {
            return;
        };
        let features = self.features.has_any(sector);
        if !features && self.is_uniform(sector) {
            let costly = self.compiled.costly_terrains;
            let page = self.page_mut(lowest);
            if let Some(sheet) = page.sheet_mut(position) {
                let board = sheet.walkable.board();
                if bitboard::is_empty(&board) {
                    page.remove(position);
                    emptied.push(block_of(lowest, position));
                } else {
                    sheet.set_column_bits(&board);
                    let is_weighted = costly & sheet.terrain.bit() != 0;
                    sheet.flags = if is_weighted { sheet::WEIGHTED_HERE } else { 0 };
                }
            }
            return;
        }
        pages.clear();
        let mut page = lowest;
        while page != NONE {
            let Some(sheet) = self.page_mut(page).sheet_mut(position) else {
                break;
            };
            let (mut base, mut terrain) = (sheet.base, sheet.terrain);
            sheet.details_mut().compress(&mut base, &mut terrain);
            (sheet.base, sheet.terrain) = (base, terrain);
            pages.push(page);
            page = self.page(page).above;
        }
        // Ranks have no gaps, so empty sheets are the highest.
        while let Some(&page) = pages.last() {
            let sheet = self.page(page).sheet(position).expect("just seen");
            if !bitboard::is_empty(&sheet.present()) {
                break;
            }
            self.page_mut(page).remove(position);
            emptied.push(block_of(page, position));
            pages.pop();
        }
        for (rank, &page) in pages.iter().enumerate() {
            let above = pages.get(rank + 1).copied();
            let walkable = self.walkable(page, above, position);
            let (walls, nav_links) = self.feature_bits(sector, page, position);
            let modifiers = self.modifier_sums(page, position, dirty, changes);
            let costly = self.compiled.costly_terrains;
            let several = pages.len() > 1;
            let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
            sheet.set_board(&walkable);
            let details = sheet
                .details
                .as_deref_mut()
                .expect("the loop above created it");
            [details.wall_east, details.wall_south] = walls;
            details.nav_links = nav_links;
            details.modifiers = modifiers;
            let irregular = several
                || !matches!(details.heights, Heights::Flat)
                || !bitboard::is_empty(&details.wall_east)
                || !bitboard::is_empty(&details.wall_south);
            let is_weighted = details.modifiers.is_some()
                || costly != 0
                    && details.terrains.as_deref().map_or(
                        costly & sheet.cells.terrain.bit() != 0,
                        |terrains| {
                            bitboard::cells(&walkable)
                                .any(|l| costly >> terrains[usize::from(l)] & 1 == 1)
                        },
                    );
            sheet.flags = if irregular { sheet::IRREGULAR } else { 0 }
                | if is_weighted { sheet::WEIGHTED_HERE } else { 0 };
        }
    }

    /// Cells of a sheet with an allowed terrain and headroom.
    pub(super) fn walkable(&self, page: u32, above: Option<u32>, position: u8) -> Bitboard {
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller checked that it exists");
        let over = above.and_then(|page| self.page(page).sheet(position));
        sheet.open_board(&self.compiled, over)
    }

    /// Thin walls east and south of a sheet's cells, and its cells with nav link ends.
    pub(super) fn feature_bits(
        &self,
        sector: SectorId,
        page: u32,
        position: u8,
    ) -> ([Bitboard; 2], Bitboard) {
        let mut walls = [EMPTY; 2];
        let mut nav_links = EMPTY;
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller checked that it exists");
        let present = sheet.present();
        let here = |cell: wayfarer_base::Cell| {
            let local = crate::ground::page::local_of(cell.column());
            (SectorId::from_column(cell.column()) == sector
                && bitboard::has(&present, local)
                && sheet.height(local) == cell.z)
                .then_some(local)
        };
        if let Some(features) = self.features.sector(sector) {
            for wall in &features.walls {
                if let Some(local) = here(wall.cell) {
                    let edge = usize::from(wall.side == wayfarer_base::WallSide::South);
                    bitboard::put(&mut walls[edge], local, true);
                }
            }
            for nav_link in &features.nav_links {
                for end in [nav_link.from, nav_link.to] {
                    if let Some(local) = here(end) {
                        bitboard::put(&mut nav_links, local, true);
                    }
                }
            }
        }
        (walls, nav_links)
    }

    /// The modifier sum of each cell: computed anew where floors changed; elsewhere the changes of
    /// modifiers are added.
    fn modifier_sums(
        &mut self,
        page: u32,
        position: u8,
        dirty: &Dirty,
        changes: &[ModifierChange],
    ) -> Option<Box<[u32; 256]>> {
        let sector = dirty.sector;
        let details = self.page_mut(page).sheet_mut(position);
        let details = details.and_then(|sheet| sheet.details.as_deref_mut());
        let previous = details.and_then(|details| details.modifiers.take());
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller checked that it exists");
        let present = sheet.present();
        if previous.is_none() && !self.features.has_modifiers(sector) {
            return None;
        }
        let mut modifiers = previous.unwrap_or_else(|| Box::new([0; 256]));
        let mut next = dirty.modifier_change;
        while let Some(change) = next.map(|number| changes[number as usize]) {
            let mut columns = change.columns;
            for ((row, present), floors) in
                columns.iter_mut().zip(present).zip(dirty.changed_floors)
            {
                *row &= present & !floors;
            }
            for local in bitboard::cells(&columns) {
                if (change.heights.0..=change.heights.1).contains(&sheet.height(local)) {
                    // Later changes come first, so a sum may be negative in between.
                    let sum = &mut modifiers[usize::from(local)];
                    *sum = if change.is_added {
                        sum.wrapping_add(change.sixteenths)
                    } else {
                        sum.wrapping_sub(change.sixteenths)
                    };
                }
            }
            next = change.previous;
        }
        let mut floors = dirty.changed_floors;
        for local in bitboard::cells(&floors) {
            modifiers[usize::from(local)] = 0;
        }
        floors
            .iter_mut()
            .zip(present)
            .for_each(|(row, present)| *row &= present);
        let height = |local: u8| sheet.height(local);
        self.features
            .add_modifiers(sector, &floors, height, &mut modifiers);
        modifiers.iter().any(|sum| *sum > 0).then_some(modifiers)
    }
}

impl SheetDetails {
    /// True if the sheet is described by its bits, base height and terrain alone.
    pub(in crate::ground) fn is_trivial(&self, walkable: &Bitboard) -> bool {
        self.present == *walkable
            && matches!(self.heights, Heights::Flat)
            && self.terrains.is_none()
            && self.modifiers.is_none()
            && self.moves.is_none()
            && self.wide.is_empty()
            && self.region_links.is_empty()
            && [&self.irregular, &self.wall_east, &self.wall_south]
                .into_iter()
                .all(bitboard::is_empty)
    }

    /// Compresses heights and terrains.
    pub(super) fn compress(&mut self, base: &mut i32, terrain: &mut wayfarer_base::Terrain) {
        let is_compressed = match &self.heights {
            Heights::Flat => true,
            Heights::Near(near) => {
                let rises = || bitboard::cells(&self.present).map(|local| near[usize::from(local)]);
                rises().any(|rise| rise == 0) && rises().any(|rise| rise > 0)
            }
            Heights::Far(_) => false,
        };
        if !is_compressed {
            let height = |local: u8| match &self.heights {
                Heights::Flat => *base,
                Heights::Near(near) => *base + i32::from(near[usize::from(local)]),
                Heights::Far(far) => far[usize::from(local)],
            };
            let heights = || bitboard::cells(&self.present).map(height);
            if let (Some(low), Some(high)) = (heights().min(), heights().max()) {
                let shortest = if low == high {
                    Heights::Flat
                } else if high.abs_diff(low) <= 255 {
                    let mut near = Box::new([0_u8; 256]);
                    for local in bitboard::cells(&self.present) {
                        let rise = height(local).abs_diff(low);
                        near[usize::from(local)] = u8::try_from(rise).unwrap_or(u8::MAX);
                    }
                    Heights::Near(near)
                } else {
                    let mut far = Box::new([low; 256]);
                    for local in bitboard::cells(&self.present) {
                        far[usize::from(local)] = height(local);
                    }
                    Heights::Far(far)
                };
                self.heights = shortest;
                *base = low;
            }
        }
        if let Some(terrains) = &self.terrains {
            let mut kinds =
                bitboard::cells(&self.present).map(|local| terrains[usize::from(local)]);
            if let Some(first) = kinds.next() {
                *terrain = wayfarer_base::Terrain::new(first).unwrap_or(*terrain);
                if kinds.all(|kind| kind == first) {
                    self.terrains = None;
                }
            }
        }
    }
}

//! Stage *regions*: the connected parts of each sheet within its sector.
//!
//! Reads walkable bits and, on irregular sheets, the table of their steps; writes regions,
//! their cells and ordinals. Regions are ordered by first cell, so ordinals follow from the cells.
//! A sheet has at most 128 regions (a checkerboard).

#![expect(
    clippy::cast_possible_truncation,
    reason = "a sheet has at most 128 regions"
)]

use wayfarer_base::SectorId;

use super::Ground;
use super::bitboard::{self, Bitboard, EMPTY};
use super::hierarchy::block_of;
use super::page::{NONE, PageKey, position_of};
use super::scratch::Scratch;
use super::sheet::{FEW_REGIONS, Region, RegionTable, Sheet};

mod parts;

pub(crate) use parts::Part;
use parts::{split, split_by_steps};

impl Ground {
    /// Finds the regions of a sector's sheets. Returns the directions of the neighbors that see another
    /// ordinal in a cell that stayed, a bit each. Marks the block dirty if the number of regions changed.
    pub(crate) fn refresh_regions(&mut self, sector: SectorId, scratch: &mut Scratch) -> u8 {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        let mut moved = EMPTY;
        while page != NONE {
            let Some(sheet) = self.page_mut(page).sheet_mut(position) else {
                break;
            };
            let before = sheet.n_regions;
            scratch.parts.clear();
            let board = sheet.walkable.board();
            let details = sheet.details.as_deref();
            match details.and_then(|details| details.moves.as_deref()) {
                Some(steps) => {
                    split_by_steps(&board, &steps.east, &steps.south, &mut scratch.parts);
                }
                None => split(&board, &mut scratch.parts),
            }
            if before > 1 || scratch.parts.len() > 1 {
                sheet.add_moved_cells(&scratch.parts, &mut moved);
            }
            scratch.old.has_renumbered_cells |= sheet.set_regions(&scratch.parts);
            if before != sheet.n_regions {
                scratch.components.blocks.push(block_of(page, position));
            }
            page = self.page(page).above;
        }
        bitboard::sides(&moved)
    }
}

impl RegionTable {
    /// True if a cell of a region moves to another ordinal among equally many.
    fn renumbers_cells(&self, parts: &[Part]) -> bool {
        let mut all = EMPTY;
        for board in &self.boards {
            for (all, row) in all.iter_mut().zip(board) {
                *all |= row;
            }
        }
        self.boards.iter().zip(parts).any(|(old, part)| {
            let others = std::array::from_fn(|y| all[y] & !old[y]);
            bitboard::overlap(&part.board, &others)
        })
    }

    /// Stores the cells of each region, and the ordinal of each cell if there are many regions.
    fn set_cells(&mut self, parts: &[Part]) {
        self.boards.clear();
        self.boards.extend(parts.iter().map(|part| part.board));
        if parts.len() <= FEW_REGIONS {
            self.ordinals = None;
            return;
        }
        let ordinals = self.ordinals.get_or_insert_with(|| Box::new([0; 256]));
        for (ordinal, part) in (0..).zip(parts) {
            part.for_each_cell(|local| ordinals[usize::from(local)] = ordinal);
        }
    }
}

impl Sheet {
    /// Adds the cells of `parts` that did not have the same ordinal.
    fn add_moved_cells(&self, parts: &[Part], moved: &mut Bitboard) {
        for (ordinal, part) in (0..=u8::MAX).zip(parts) {
            let kept = if ordinal < self.n_regions {
                self.board_of(ordinal)
            } else {
                EMPTY
            };
            for (y, moved) in moved.iter_mut().enumerate() {
                *moved |= part.board[y] & !kept[y];
            }
        }
    }

    /// Takes over new regions. If there are as many as before, each ordinal keeps its portals and
    /// label until the later stages replace them. Returns true in that case if a cell moved to
    /// another ordinal.
    fn set_regions(&mut self, parts: &[Part]) -> bool {
        let mut has_renumbered_cells = false;
        let same = parts.len() == usize::from(self.n_regions);
        self.n_regions = parts.len() as u8;
        let fresh = |part: &Part| Region {
            count: part.count,
            first: part.first,
            ..Region::default()
        };
        match &mut self.region_table {
            Some(table) if parts.len() > 1 || same => {
                if table.boards.len() < parts.len() {
                    table.boards.reserve_exact(parts.len() - table.boards.len());
                    table
                        .regions
                        .reserve_exact(parts.len() - table.regions.len());
                }
                if !same {
                    table.regions.clear();
                    table.regions.extend(parts.iter().map(fresh));
                    table.portals.clear();
                } else {
                    has_renumbered_cells = table.renumbers_cells(parts);
                    for (region, part) in table.regions.iter_mut().zip(parts) {
                        (region.count, region.first) = (part.count, part.first);
                    }
                }
                table.set_cells(parts);
            }
            None if parts.len() > 1 => {
                let mut table = Box::new(RegionTable {
                    regions: parts.iter().map(fresh).collect(),
                    boards: Vec::with_capacity(parts.len()),
                    ..RegionTable::default()
                });
                table.set_cells(parts);
                self.region_table = Some(table);
            }
            table => {
                *table = None;
                if let Some(part) = parts.first() {
                    if !same {
                        self.single_region = Region::default();
                    }
                    (self.single_region.count, self.single_region.first) = (part.count, part.first);
                }
            }
        }
        has_renumbered_cells
    }
}

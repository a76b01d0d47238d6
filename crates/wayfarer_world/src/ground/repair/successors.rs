//! Stage *successors*: tables of steps where the bits do not determine them.
//!
//! Reads bits and borders, heights and walls through a neighborhood of the columns next to changed
//! ones; writes `SheetDetails::moves` and `irregular` and the flag `MOVES`. A table that says what the
//! bits say is dropped.

use wayfarer_base::SectorId;

use crate::ground::Ground;
use crate::ground::bitboard::{self, EMPTY};
use crate::ground::irregular::Neighborhood;
use crate::ground::page::{NONE, PageKey, position_of};
use crate::ground::sheet::{self, Sheet};
use crate::ground::step_table::StepTable;
use crate::ground::window::Window;

impl Ground {
    /// Evaluates the steps of the cells in a window of a sector if it is irregular, else drops its
    /// tables. Of the other cells the surroundings are as before.
    pub(super) fn refresh_successors(
        &mut self,
        sector: SectorId,
        (is_irregular, touched): (bool, Option<Window>),
        neighborhood: &mut Neighborhood,
    ) {
        if !is_irregular {
            self.for_each_sheet_mut(sector, |sheet| {
                if let Some(details) = sheet.details.as_deref_mut() {
                    details.moves = None;
                    details.irregular = details.nav_links;
                    sheet.cells.flags &= !sheet::MOVES;
                    if !bitboard::is_empty(&details.irregular) {
                        sheet.cells.flags |= sheet::MOVES;
                    }
                    let walkable = sheet.cells.walkable.board();
                    if details.is_trivial(&walkable) {
                        sheet.details = None;
                    }
                }
            });
            return;
        }
        if let Some(window) = touched {
            neighborhood.gather(self, sector, window.grown(1));
        }
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        let mut rank = 0;
        while page != NONE {
            let above = self.page(page).above;
            let Some(sheet) = self.page_mut(page).sheet_mut(position) else {
                break;
            };
            let mut table = sheet
                .details
                .as_deref_mut()
                .and_then(|details| details.moves.take());
            if let Some(window) = touched {
                let cells = &self.page(page).sheet(position).expect("just seen").cells;
                let mut found = table.unwrap_or_else(|| Box::new(StepTable::from_bits(cells)));
                found.evaluate(rank, window, neighborhood, |floor| {
                    self.stored_cell(sector, neighborhood, floor)
                });
                table = (!found.is_as_bits(page, cells)).then_some(found);
            }
            let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
            sheet.set_step_table(page, table);
            (page, rank) = (above, rank + 1);
        }
    }
}

impl Sheet {
    /// Takes over the steps of its cells; `None` if bits determine them.
    fn set_step_table(&mut self, page: u32, table: Option<Box<StepTable>>) {
        self.cells.flags &= !sheet::MOVES;
        if table.is_none() && self.details.is_none() {
            return;
        }
        let walkable = self.cells.walkable.board();
        let details = self.details_mut();
        let irregular = table
            .as_deref()
            .map_or(EMPTY, |table| table.cells_between_ranks(page));
        details.irregular = std::array::from_fn(|y| irregular[y] | details.nav_links[y]);
        details.moves = table;
        let has_moves = details.moves.is_some() || !bitboard::is_empty(&details.irregular);
        let is_trivial = details.is_trivial(&walkable);
        if has_moves {
            self.cells.flags |= sheet::MOVES;
        }
        if is_trivial {
            self.details = None;
        }
    }
}

//! Stage *successors*: direction masks where the bits do not determine the steps.
//!
//! Reads bits and borders, heights and walls through a neighborhood; writes `SheetDetails::moves`
//! and `irregular` and the flag `MOVES`. Where the masks equal what the bits give, they are
//! dropped.

use wayfarer_base::SectorId;

use super::StepEvaluation;
use crate::ground::Ground;
use crate::ground::bitboard::{self, EMPTY};
use crate::ground::irregular::{NO_FLOOR, Neighborhood};
use crate::ground::sheet;
use crate::ground::successors::LEGAL_MOVES;

impl Ground {
    /// Evaluates the steps of a sector cell by cell if `is_irregular`, else drops its masks.
    pub(super) fn refresh_successors(
        &mut self,
        sector: SectorId,
        is_irregular: bool,
        neighborhood: &mut Neighborhood,
    ) -> StepEvaluation {
        if !is_irregular {
            let mut cleared = false;
            self.for_each_sheet_mut(sector, |sheet| {
                if let Some(details) = sheet.details.as_deref_mut() {
                    cleared |= details.moves.is_some();
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
            return if cleared {
                StepEvaluation::Dropped
            } else {
                StepEvaluation::Skipped
            };
        }
        neighborhood.gather(self, sector);
        let neighborhood = &*neighborhood;
        let mut rank = 0;
        self.for_each_sheet_mut(sector, |sheet| {
            let mut moves = Box::new([0_u8; 256]);
            let mut irregular = EMPTY;
            let mut is_uniform = true;
            for local in bitboard::cells(&sheet.walkable.board()) {
                let Some(floor) = neighborhood
                    .floors_at(local)
                    .find(|f| neighborhood.floor(*f).rank == rank)
                else {
                    continue;
                };
                let targets = neighborhood.successors(floor);
                let mut mask = 0;
                for (direction, target) in targets.iter().enumerate() {
                    if *target != NO_FLOOR {
                        mask |= 1 << direction;
                        if neighborhood.floor(*target).rank != rank {
                            bitboard::put(&mut irregular, local, true);
                        }
                    }
                }
                moves[usize::from(local)] = mask;
                let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
                is_uniform &= mask == LEGAL_MOVES[sheet.walkable.window(x, y)]
                    && neighborhood.one_way_predecessors(floor).next().is_none();
            }
            is_uniform &= bitboard::is_empty(&irregular);
            sheet.cells.flags &= !sheet::MOVES;
            if is_uniform {
                if let Some(details) = sheet.details.as_deref_mut() {
                    details.moves = None;
                    details.irregular = details.nav_links;
                }
            } else {
                let details = sheet.details_mut();
                details.moves = Some(moves);
                details.irregular = std::array::from_fn(|y| irregular[y] | details.nav_links[y]);
            }
            let walkable = sheet.cells.walkable.board();
            if let Some(details) = sheet.details.as_deref() {
                if details.moves.is_some() || !bitboard::is_empty(&details.irregular) {
                    sheet.cells.flags |= sheet::MOVES;
                }
                if details.is_trivial(&walkable) {
                    sheet.details = None;
                }
            }
            rank += 1;
        });
        StepEvaluation::Done
    }
}

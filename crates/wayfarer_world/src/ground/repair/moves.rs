//! Which steps are legal where the bits do not tell.

use wayfarer_base::SectorId;

use super::Judged;
use crate::ground::Ground;
use crate::ground::bitboard::{self, EMPTY};
use crate::ground::irregular::{NOWHERE, Neighborhood};
use crate::ground::sheet;
use crate::ground::successors::LEGAL;

impl Ground {
    /// Steps: which are legal where the bits do not tell.
    pub(super) fn refresh_moves(
        &mut self,
        sector: SectorId,
        judge: bool,
        hood: &mut Neighborhood,
    ) -> Judged {
        if !judge {
            let mut cleared = false;
            self.for_sheets_mut(sector, |sheet| {
                if let Some(side) = sheet.side.as_deref_mut() {
                    cleared |= side.moves.is_some();
                    side.moves = None;
                    side.irregular = side.nav_links;
                    sheet.flags &= !sheet::MOVES;
                    if !bitboard::is_empty(&side.irregular) {
                        sheet.flags |= sheet::MOVES;
                    }
                    let walkable = sheet.plane.board();
                    if side.is_trivial(&walkable) {
                        sheet.side = None;
                    }
                }
            });
            return if cleared {
                Judged::NoLonger
            } else {
                Judged::No
            };
        }
        hood.gather(self, sector);
        let hood = &*hood;
        let mut rank = 0;
        self.for_sheets_mut(sector, |sheet| {
            let mut moves = Box::new([0_u8; 256]);
            let mut irregular = EMPTY;
            let mut plain = true;
            for local in bitboard::cells(&sheet.plane.board()) {
                let Some(floor) = hood.at(local).find(|f| hood.floor(*f).rank == rank) else {
                    continue;
                };
                let targets = hood.moves(floor);
                let mut mask = 0;
                for (direction, target) in targets.iter().enumerate() {
                    if *target != NOWHERE {
                        mask |= 1 << direction;
                        if hood.floor(*target).rank != rank {
                            bitboard::put(&mut irregular, local, true);
                        }
                    }
                }
                moves[usize::from(local)] = mask;
                let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
                plain &= mask == LEGAL[sheet.plane.window(x, y)]
                    && hood.one_way_arrivals(floor).next().is_none();
            }
            plain &= bitboard::is_empty(&irregular);
            sheet.flags &= !sheet::MOVES;
            if plain {
                if let Some(side) = sheet.side.as_deref_mut() {
                    side.moves = None;
                    side.irregular = side.nav_links;
                }
            } else {
                let side = sheet.side_mut();
                side.moves = Some(moves);
                side.irregular = std::array::from_fn(|y| irregular[y] | side.nav_links[y]);
            }
            let walkable = sheet.plane.board();
            if let Some(side) = sheet.side.as_deref() {
                if side.moves.is_some() || !bitboard::is_empty(&side.irregular) {
                    sheet.flags |= sheet::MOVES;
                }
                if side.is_trivial(&walkable) {
                    sheet.side = None;
                }
            }
            rank += 1;
        });
        Judged::Yes
    }
}

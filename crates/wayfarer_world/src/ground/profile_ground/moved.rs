//! What a changed sheet moves for the sheets beside it, so that only labels that may differ are found
//! anew.

use wayfarer_base::{Direction, SectorId};

use super::adjacency::CornerSteps;
use super::{Layer, LayerSheetRef};
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY};
use crate::ground::page::position_of;

/// What moved in a sheet, as far as its neighbors' edges are concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Moved {
    Nothing,
    /// Steps over its edge, where bits alone do not tell them.
    Steps,
    /// Ordinals of regions, but not the order of those at its edge.
    Ordinals,
    /// Regions at its edge.
    Regions,
}

impl Moved {
    pub(super) fn new((has_new_regions, has_new_steps): (bool, bool)) -> Self {
        match (has_new_regions, has_new_steps) {
            (true, _) => Self::Regions,
            (false, true) => Self::Steps,
            (false, false) => Self::Nothing,
        }
    }
}

impl Layer {
    /// True if edges of a sector may differ after what moved next door.
    pub(super) fn is_affected(&self, ground: &Ground, sector: SectorId, moved: Moved) -> bool {
        let position = position_of(sector);
        let is_affected = |sheet: LayerSheetRef<'_>| match moved {
            Moved::Nothing => false,
            // Stored edges follow from the steps of both sheets.
            Moved::Steps => !sheet.has_bit_steps(),
            // Edges over corners and nav links name regions; runs over sides keep their order.
            Moved::Ordinals => {
                sheet.may_have_nav_links() || sheet.corner_steps() != CornerSteps::default()
            }
            Moved::Regions => true,
        };
        let mut sheets = ground.sheets_at(sector);
        sheets.any(|(page, _)| self.sheet(ground, page, position).is_some_and(is_affected))
    }

    /// True if a sheet of one region has the same edges as the one it replaces, though perhaps by other
    /// steps: each run of steps over a side is an edge, and where the sheet beside it has one region,
    /// too, all of them lead there.
    pub(super) fn keeps_edges(
        &self,
        (ground, page): (&Ground, u32),
        known: LayerSheetRef<'_>,
        (found, n_found): (LayerSheetRef<'_>, usize),
    ) -> bool {
        let are_planar = known.has_bit_steps() && found.has_bit_steps();
        if !are_planar || known.n_regions() != 1 || n_found != 1 {
            return false;
        }
        let n_runs = |crossings: u16| (crossings & !(crossings << 1)).count_ones();
        let sides = Direction::STRAIGHT.into_iter();
        let crossings = known.all_crossings().into_iter().zip(found.all_crossings());
        let keeps_side = |(direction, (before, now)): (Direction, (u16, u16))| {
            before == now
                || n_runs(before) == n_runs(now) && {
                    let (next, there) = ground.next_sheet(page, found.cells.position, direction);
                    let beside = self.sheet(ground, next, there);
                    beside.is_some_and(|beside| beside.n_regions() == 1)
                }
        };
        sides.zip(crossings).all(keeps_side) && known.corner_steps() == found.corner_steps()
    }
}

/// True if two sheets have the same regions as far as others see them: in number and along the edge of
/// the sector, in the same order. Where bits do not determine the steps, which may lead to other ranks
/// then, all cells that stay must keep their ordinals: edges of the others are found anew.
pub(super) fn has_same_regions(
    known: LayerSheetRef<'_>,
    found: LayerSheetRef<'_>,
    boards: &[Bitboard],
) -> bool {
    let known_boards = known.regions().iter().map(|region| &region.board);
    match known.regions() {
        [] => boards.len() == 1,
        _ if known.has_bit_steps() && found.has_bit_steps() => {
            let are_same = |(a, b): (&Bitboard, &Bitboard)| has_same_border(a, b);
            known_boards.len() == boards.len() && known_boards.zip(boards).all(are_same)
        }
        _ => known_boards.len() == boards.len() && bitboard::is_empty(&moved_cells(known, boards)),
    }
}

/// The cells that stay, but in a region of another ordinal.
fn moved_cells(known: LayerSheetRef<'_>, boards: &[Bitboard]) -> Bitboard {
    let all = known.cells.walkable.board();
    let mut moved = EMPTY;
    for (ordinal, board) in (0_u8..).zip(boards) {
        let kept = match ordinal < known.n_regions() {
            true => known.board_of(ordinal),
            false => EMPTY,
        };
        for (y, moved) in moved.iter_mut().enumerate() {
            *moved |= board[y] & all[y] & !kept[y];
        }
    }
    moved
}

/// As [`has_same_regions`], but for regions that do not reach the edge of the sector.
pub(super) fn has_same_regions_outside(
    known: LayerSheetRef<'_>,
    found: LayerSheetRef<'_>,
    boards: &[Bitboard],
) -> bool {
    if !(known.has_bit_steps() && found.has_bit_steps()) {
        return false;
    }
    let reaches_edge = |board: &Bitboard| !has_same_border(board, &EMPTY);
    let known_boards = (0..known.n_regions()).map(|ordinal| known.board_of(ordinal));
    let mut before = known_boards.filter(reaches_edge);
    let mut now = boards.iter().filter(|board| reaches_edge(board));
    loop {
        match (before.next(), now.next()) {
            (None, None) => return true,
            (Some(before), Some(now)) if has_same_border(&before, now) => {}
            _ => return false,
        }
    }
}

/// The directions of the neighbors beside which a cell at the edge came, went, or moved to a region of
/// another ordinal, as bits: of sheets that bits do not describe, then and now. No other region is named
/// by a sheet beside it.
pub(super) fn moved_sides(
    known: LayerSheetRef<'_>,
    found: LayerSheetRef<'_>,
    boards: &[Bitboard],
) -> u8 {
    if known.has_bit_steps() || found.has_bit_steps() {
        return u8::MAX;
    }
    let mut changed = moved_cells(known, boards);
    let (before, now) = (known.cells.walkable.board(), found.cells.walkable.board());
    for (y, row) in changed.iter_mut().enumerate() {
        *row |= before[y] ^ now[y];
    }
    bitboard::sides(&changed)
}

/// True if two sheets have the same edges; edges where bits do not determine the steps are compared
/// when they are found.
pub(super) fn leads_as(known: LayerSheetRef<'_>, found: LayerSheetRef<'_>) -> bool {
    found.has_bit_steps() == known.has_bit_steps()
        && (!found.has_bit_steps()
            || known.all_crossings() == found.all_crossings()
                && known.corner_steps() == found.corner_steps())
}

/// True if two boards have the same cells along the edge of the sector.
pub(super) fn has_same_border(a: &Bitboard, b: &Bitboard) -> bool {
    let differs: Bitboard = std::array::from_fn(|y| a[y] ^ b[y]);
    let any = differs.iter().fold(0, |any, row| any | row);
    differs[0] | differs[15] | any & 0x8001 == 0
}

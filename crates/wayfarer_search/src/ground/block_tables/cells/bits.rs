//! Cells and steps of a block from the bits of its sheets, where they determine the steps.

use wayfarer_base::{Column, SectorId};
use wayfarer_world::ground::SheetBits;

use super::super::super::nav_graph::NavGraph;
use super::{AREA, Cells, NONE, SIDE};

/// The sectors that a block touches, as offsets: its own, east, south, south-east.
const SECTORS: [(i32, i32); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

/// A row of the block: bit x is column x.
type Row = u32;

impl Cells {
    /// Reads the block from the bits of its sheets; false if these do not say everything: several
    /// floors, several heights, walls, nav links, masks of diagonals.
    pub(super) fn read_bits(&mut self, nav_graph: NavGraph<'_>, origin: Column) -> bool {
        let Some(sheets) = level_sheets(nav_graph, origin) else {
            return false;
        };
        self.reset(0);
        self.nodes = Vec::new();
        self.sheets = sheets.map(|sheet| sheet.map_or(NONE, |sheet| sheet.number()));
        self.is_symmetric = true;
        let rows = rows_of(&sheets);
        self.set_moves(&rows);
        self.set_multipliers(nav_graph, &sheets, &rows);
        true
    }

    /// A diagonal needs both cells beside it.
    fn set_moves(&mut self, rows: &[Row; SIDE]) {
        self.moves.resize(AREA, 0);
        for (y, moves) in self.moves.chunks_exact_mut(SIDE).enumerate() {
            let (own, none) = (rows[y], &0);
            let north = own & *y.checked_sub(1).map_or(none, |y| &rows[y]);
            let south = own & *rows.get(y + 1).unwrap_or(none);
            let by_direction = [
                north,
                north & north >> 1,
                own & own >> 1,
                south & south >> 1,
                south,
                south & south << 1,
                own & own << 1,
                north & north << 1,
            ];
            for (x, moves) in moves.iter_mut().enumerate() {
                let bits = (0..8).map(|i| (by_direction[i] >> x & 1) << i);
                *moves = bits.sum::<u32>().to_le_bytes()[0];
            }
        }
    }

    fn set_multipliers(
        &mut self,
        nav_graph: NavGraph<'_>,
        sheets: &[Option<SheetBits<'_>>; 4],
        rows: &[Row; SIDE],
    ) {
        self.multipliers.resize(AREA, 0);
        let mut inside = [0; 256];
        if let Some(own) = &sheets[0] {
            nav_graph
                .profile_ground()
                .write_multipliers(own, &mut inside);
        }
        let rows_inside = inside.as_chunks::<16>().0;
        let at = |sheet: usize, x: usize, y: usize| {
            let sheet = sheets[sheet].as_ref()?;
            let [x, y] = [x, y].map(|at| u32::try_from(at).unwrap_or(0));
            Some(nav_graph.cost_multiplier(sheet.node(x, y)).sixteenths())
        };
        for (y, out) in self.multipliers.chunks_exact_mut(SIDE).enumerate() {
            let is_walkable = |x: usize| rows[y] >> x & 1 == 1;
            for (x, multiplier) in out.iter_mut().enumerate() {
                if !is_walkable(x) {
                    continue;
                }
                let found = match (x / 16, y / 16) {
                    (0, 0) => Some(rows_inside[y][x]),
                    (_, 0) => at(1, 0, y),
                    (0, _) => at(2, x, 0),
                    _ => at(3, 0, 0),
                };
                *multiplier = found.unwrap_or(0);
                self.max_multiplier = self.max_multiplier.max(*multiplier);
            }
        }
    }
}

/// The sheets of the sectors that a block touches, if there is at most one in each, all of one rank
/// and height, and their bits determine all steps.
fn level_sheets<'g>(nav_graph: NavGraph<'g>, origin: Column) -> Option<[Option<SheetBits<'g>>; 4]> {
    let ground = nav_graph.profile_ground();
    let first = SectorId::from_column(origin);
    let mut found = [None; 4];
    let mut level = None;
    for (found, (dx, dy)) in found.iter_mut().zip(SECTORS) {
        let sector = SectorId::new(first.x.checked_add(dx)?, first.y.checked_add(dy)?);
        let mut sheets = ground.sheets_in(sector);
        let Some(sheet) = sheets.next() else {
            continue;
        };
        let is_regular = sheet.has_regular_steps() && !sheet.has_diagonal_masks();
        if !is_regular || sheets.next().is_some() || !nav_graph.nav_links_in(sector).is_empty() {
            return None;
        }
        let own = (ground.rank(sheet.node(0, 0)), sheet.uniform_height()?);
        if *level.get_or_insert(own) != own {
            return None;
        }
        *found = Some(sheet);
    }
    Some(found)
}

/// The walkable cells of the block.
fn rows_of(sheets: &[Option<SheetBits<'_>>; 4]) -> [Row; SIDE] {
    let row = |sheet: usize, y: u32| sheets[sheet].map_or(0, |sheet| sheet.rows(y)[1]);
    std::array::from_fn(|y| match u32::try_from(y) {
        Ok(y @ 0..16) => row(0, y) | (row(1, y) & 1) << 16,
        _ => row(2, 0) | (row(3, 0) & 1) << 16,
    })
}

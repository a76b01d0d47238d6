//! Rows of a swept disc as bits: over sheets of one height whose steps follow their bits all floors are
//! joined, so that a row is clear if its bits are set and the columns under the line have one multiplier.
//! A body wider than a cell needs floors open to a point of it instead of cells where it fits.

use wayfarer_base::{Cell, Column, CostMultiplier, Direction, Fixed, SectorId};
use wayfarer_world::ground::{NodeId, SheetBits};

use super::SweptBody;
use crate::ground::nav_graph::NavGraph;

/// Radius up to which a body lies within its cell, and the bits of the profile are all that binds it.
const HALF_CELL: Fixed = Fixed::from_raw(128);

/// Columns along a side of a sheet.
const SIDE: i32 = 16;

/// Whether a disc that starts over the floor `start` in `column` and ends in cell `to` sweeps over set bits
/// alone; `None` if the steps of some of the sheets under it do not follow their bits.
///
/// Equal to what the floors one by one tell; a few instructions for each row.
pub(super) fn is_clear(
    nav_graph: NavGraph<'_>,
    body: &SweptBody,
    (start, column): (NodeId, Column),
    to: Cell,
) -> Option<bool> {
    let sheet = nav_graph.profile_ground().sheet_of_floor(start)?;
    let is_wide = nav_graph.profile().radius > HALF_CELL;
    // Masks add diagonals, which matter to cells where the body fits.
    let is_regular = sheet.has_bit_exact_steps() || is_wide && sheet.has_regular_steps();
    if !is_regular || sheet.uniform_height() != Some(to.z) {
        return None;
    }
    let rows = body.rows();
    let line = Line {
        nav_graph,
        multiplier: nav_graph.cost_multiplier(start),
        segment: body.line(),
        is_wide,
    };
    let begin = Rows::new(sheet, column);
    let first = match begin.sweep((body, &line), column.y..=column.y, None)? {
        Swept::Blocked => return Some(false),
        Swept::Clear(rows) => rows,
    };
    let up = (*rows.start()..column.y).rev();
    let down = column.y + 1..=*rows.end();
    let is_up_clear = first.sweep((body, &line), up, Some(Direction::North))?;
    if matches!(is_up_clear, Swept::Blocked) {
        return Some(false);
    }
    let is_down_clear = first.sweep((body, &line), down, Some(Direction::South))?;
    Some(matches!(is_down_clear, Swept::Clear(_)))
}

/// True if bits tell that no floor lies under a part of a disc, or one at another cost multiplier under
/// its line, whatever the steps: most lines that are blocked need no look at their floors. Always false
/// for a body wider than a cell.
pub(super) fn is_surely_blocked(
    nav_graph: NavGraph<'_>,
    body: &SweptBody,
    (start, column): (NodeId, Column),
) -> bool {
    if nav_graph.profile().radius > HALF_CELL {
        return false;
    }
    let (segment, multiplier) = (body.line(), nav_graph.cost_multiplier(start));
    let mut known: Option<(SectorId, SectorRows<'_>)> = None;
    for y in body.rows() {
        let Some((first, last)) = body.columns_in(y) else {
            continue;
        };
        let mut low = first;
        while low <= last {
            let sector = SectorId::from_column(Column::new(low, y));
            let rows = match &known {
                Some((at, rows)) if *at == sector => rows,
                _ => &known.insert((sector, SectorRows::new(nav_graph, sector))).1,
            };
            let (origin, high) = (low & !(SIDE - 1), last.min(low | (SIDE - 1)));
            let mut missing = (2_u32 << (high - origin)) - (1 << (low - origin));
            missing &= !rows.at(y);
            if y == column.y && column.x & !(SIDE - 1) == origin {
                // The first floor is known.
                missing &= !(1 << (column.x - origin));
            }
            if missing != 0 || rows.has_other_cost(nav_graph, (&segment, y), multiplier) {
                return true;
            }
            low = high + 1;
        }
    }
    false
}

/// The walkable cells of a sector, of all sheets.
struct SectorRows<'g> {
    rows: [u16; 16],
    /// Its sheet, if there is only one.
    only: Option<SheetBits<'g>>,
}

impl<'g> SectorRows<'g> {
    fn new(nav_graph: NavGraph<'g>, sector: SectorId) -> Self {
        let (mut rows, mut only, mut n_sheets) = ([0; 16], None, 0);
        for sheet in nav_graph.profile_ground().sheets_in(sector) {
            for (row, lane) in rows.iter_mut().zip(&sheet.row_lanes()[1..]) {
                *row |= lane;
            }
            n_sheets += 1;
            only = (n_sheets == 1).then_some(sheet);
        }
        Self { rows, only }
    }

    fn at(&self, y: i32) -> u32 {
        self.rows[(y & 15).cast_unsigned() as usize].into()
    }

    /// True if a column of row `y` that a segment crosses has another multiplier, as far as its only sheet
    /// tells.
    fn has_other_cost(
        &self,
        nav_graph: NavGraph<'g>,
        (segment, y): (&SweptBody, i32),
        multiplier: CostMultiplier,
    ) -> bool {
        self.only.is_some_and(|sheet| {
            if multiplier == CostMultiplier::ONE && !sheet.may_have_multipliers() {
                return false;
            }
            let columns = crossed(segment, &sheet, y);
            columns.is_some_and(|columns| !is_at_cost(nav_graph, &sheet, (y, columns), multiplier))
        })
    }
}

/// The columns of a sheet in row `y` that a segment crosses.
fn crossed(segment: &SweptBody, sheet: &SheetBits<'_>, y: i32) -> Option<(i32, i32)> {
    let (first, last) = segment.columns_in(y)?;
    let origin = sheet.origin().x;
    Some((first.max(origin), last.min(origin + SIDE - 1)))
}

/// True if columns of a sheet have this multiplier.
fn is_at_cost(
    nav_graph: NavGraph<'_>,
    sheet: &SheetBits<'_>,
    (y, (first, last)): (i32, (i32, i32)),
    multiplier: CostMultiplier,
) -> bool {
    if multiplier == CostMultiplier::ONE && !sheet.may_have_multipliers() {
        return true;
    }
    (first..=last).all(|x| {
        let [x, y] = [x, y].map(|at| (at & (SIDE - 1)).cast_unsigned());
        nav_graph.cost_multiplier(sheet.node(x, y)) == multiplier
    })
}

/// The segment that the disc is swept along.
struct Line<'g> {
    nav_graph: NavGraph<'g>,
    /// The cost multiplier at its start.
    multiplier: CostMultiplier,
    segment: SweptBody,
    /// True if the body is wider than a cell.
    is_wide: bool,
}

impl<'g> Line<'g> {
    /// The sheet beside another: inner `None` if there is no floor, outer `None` if its floors do not
    /// continue those of the other.
    fn next(&self, sheet: &SheetBits<'g>, direction: Direction) -> Option<Option<SheetBits<'g>>> {
        let Some(next) = sheet.neighbor(direction) else {
            // A wide body may fit nowhere in a sheet that has floors.
            return (!self.is_wide).then_some(None);
        };
        let is_regular = match self.is_wide {
            true => next.has_regular_steps() && next.uniform_height() == sheet.uniform_height(),
            false => sheet.steps_continue_in(&next),
        };
        is_regular.then_some(Some(next))
    }

    /// True if the columns of a sheet from `low` to `high` in row `y` have floors for the body.
    fn is_open(&self, sheet: &SheetBits<'g>, y: i32, (low, high): (i32, i32)) -> Option<bool> {
        let row = (y & 15).cast_unsigned();
        if self.is_wide {
            return sheet.is_row_open(row, (low.cast_unsigned(), high.cast_unsigned()));
        }
        let lane = u32::from(sheet.row_lanes()[row as usize + 1]);
        let mask = (2_u32 << high) - (1_u32 << low);
        Some(lane & mask == mask)
    }

    /// True if the columns of a sheet in row `y` that the line crosses have its multiplier.
    fn is_at_one_cost(&self, sheet: &SheetBits<'_>, y: i32) -> bool {
        if self.multiplier == CostMultiplier::ONE && !sheet.may_have_multipliers() {
            return true;
        }
        let columns = crossed(&self.segment, sheet, y);
        columns
            .is_none_or(|columns| is_at_cost(self.nav_graph, sheet, (y, columns), self.multiplier))
    }
}

/// The last row that was looked at.
#[derive(Clone, Copy)]
struct Rows<'g> {
    /// The sheet of `pivot`.
    sheet: SheetBits<'g>,
    /// A column of the row.
    pivot: Column,
    /// The columns of the row under the disc.
    columns: (i32, i32),
}

/// The result of some rows.
enum Swept<'g> {
    Blocked,
    Clear(Rows<'g>),
}

impl<'g> Rows<'g> {
    fn new(sheet: SheetBits<'g>, pivot: Column) -> Self {
        Self {
            sheet,
            pivot,
            columns: (pivot.x, pivot.x),
        }
    }

    /// Looks at rows one after the other, from the row beside the last in a direction, or at the row itself;
    /// `None` if a sheet does not continue the one before.
    fn sweep(
        mut self,
        (body, line): (&SweptBody, &Line<'g>),
        rows: impl Iterator<Item = i32>,
        direction: Option<Direction>,
    ) -> Option<Swept<'g>> {
        for y in rows {
            let Some((first, last)) = body.columns_in(y) else {
                break; // The disc is convex: no row beyond overlaps it either.
            };
            // Adjacent rows of a convex shape share a column.
            let pivot = first.max(self.columns.0);
            if pivot > last.min(self.columns.1) && direction.is_some() {
                return Some(Swept::Blocked);
            }
            if let Some(direction) = direction {
                // The sheets of the last row up to the shared column are known to continue each other.
                self.go_to(pivot)?;
                if (y ^ self.pivot.y) & !(SIDE - 1) != 0 {
                    match line.next(&self.sheet, direction)? {
                        Some(next) => self.sheet = next,
                        None => return Some(Swept::Blocked),
                    }
                }
                self.pivot.y = y;
            }
            self.columns = (first, last);
            if !self.is_row_clear(line)? {
                return Some(Swept::Blocked);
            }
        }
        Some(Swept::Clear(self))
    }

    /// Moves along the row to the sheet of a column.
    fn go_to(&mut self, x: i32) -> Option<()> {
        let direction = match x > self.pivot.x {
            true => Direction::East,
            false => Direction::West,
        };
        while (x ^ self.pivot.x) & !(SIDE - 1) != 0 {
            self.sheet = self.sheet.neighbor(direction)?;
            self.pivot.x += SIDE * direction.offset().0;
        }
        self.pivot.x = x;
        Some(())
    }

    /// True if all columns of the row are set, and those under the line have its multiplier; `None` if a
    /// sheet does not continue the one before.
    fn is_row_clear(&self, line: &Line<'g>) -> Option<bool> {
        let (first, last) = self.columns;
        let origin = self.pivot.x & !(SIDE - 1);
        let is_clear = |sheet: &SheetBits<'g>, origin: i32| {
            let columns = ((first - origin).max(0), (last - origin).min(SIDE - 1));
            let is_open = line.is_open(sheet, self.pivot.y, columns)?;
            Some(is_open && line.is_at_one_cost(sheet, self.pivot.y))
        };
        if !is_clear(&self.sheet, origin)? {
            return Some(false);
        }
        for (direction, step) in [(Direction::West, -SIDE), (Direction::East, SIDE)] {
            let (mut sheet, mut origin) = (self.sheet, origin + step);
            while origin + SIDE > first && origin <= last {
                match line.next(&sheet, direction)? {
                    Some(next) => sheet = next,
                    None => return Some(false),
                }
                if !is_clear(&sheet, origin)? {
                    return Some(false);
                }
                origin += step;
            }
        }
        Some(true)
    }
}

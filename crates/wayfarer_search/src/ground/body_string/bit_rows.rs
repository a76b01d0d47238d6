//! Rows of a swept disc as bits: over sheets of one height whose steps follow their bits all floors are
//! joined, so that a row is clear if its bits are set and the columns under the line have one multiplier.
//! A body wider than a cell needs floors open to a point of it instead of cells where it fits.

use wayfarer_base::{Cell, Column, CostMultiplier, Direction, Fixed};
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
        let Some((first, last)) = self.segment.columns_in(y) else {
            return true;
        };
        let origin = sheet.origin().x;
        let (first, last) = (first.max(origin), last.min(origin + SIDE - 1));
        (first..=last).all(|x| {
            let (x, y) = ((x - origin).cast_unsigned(), (y & 15).cast_unsigned());
            self.nav_graph.cost_multiplier(sheet.node(x, y)) == self.multiplier
        })
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

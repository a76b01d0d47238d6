//! Rows of a swept disc as bits: over uniform sheets of one height all floors are joined, so that a row
//! is clear if its bits are set.

use wayfarer_base::{Cell, Column, Direction, Fixed};
use wayfarer_world::ground::{NodeId, SheetBits};

use super::SweptBody;
use crate::ground::nav_graph::NavGraph;

/// Radius up to which a body lies within its cell, and the bits of the profile are all that binds it.
const HALF_CELL: Fixed = Fixed::from_raw(128);

/// Columns along a side of a sheet.
const SIDE: i32 = 16;

/// Whether a disc that starts over the floor `start` in `column` and ends in cell `to` sweeps over set bits
/// alone; `None` if some of the sheets under it are not uniform, or the body is wider than a cell.
///
/// Equal to what the floors one by one tell; a few instructions for each row.
pub(super) fn is_clear(
    nav_graph: NavGraph<'_>,
    body: &SweptBody,
    (start, column): (NodeId, Column),
    to: Cell,
) -> Option<bool> {
    if nav_graph.profile().radius > HALF_CELL {
        return None;
    }
    let sheet = nav_graph.profile_ground().bits(start);
    if !sheet.is_bit_exact() || sheet.uniform_height() != Some(to.z) {
        return None;
    }
    let rows = body.rows();
    let first = match Rows::new(sheet, column).sweep(body, column.y..=column.y, None)? {
        Swept::Blocked => return Some(false),
        Swept::Clear(rows) => rows,
    };
    let up = (*rows.start()..column.y).rev();
    let down = column.y + 1..=*rows.end();
    let is_up_clear = first.sweep(body, up, Some(Direction::North))?;
    if matches!(is_up_clear, Swept::Blocked) {
        return Some(false);
    }
    let is_down_clear = first.sweep(body, down, Some(Direction::South))?;
    Some(matches!(is_down_clear, Swept::Clear(_)))
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
        body: &SweptBody,
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
                    match self.sheet.neighbor(direction) {
                        Some(next) if self.sheet.continues_in(&next) && next.is_bit_exact() => {
                            self.sheet = next;
                        }
                        Some(_) => return None,
                        None => return Some(Swept::Blocked),
                    }
                }
                self.pivot.y = y;
            }
            self.columns = (first, last);
            if !self.is_row_set()? {
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

    /// True if all columns of the row are set; `None` if a sheet does not continue the one before.
    fn is_row_set(&self) -> Option<bool> {
        let (first, last) = self.columns;
        let origin = self.pivot.x & !(SIDE - 1);
        let is_set = |sheet: &SheetBits<'_>, origin: i32| {
            let lane = u32::from(sheet.row_lanes()[usize::try_from(self.pivot.y & 15).ok()? + 1]);
            let (low, high) = ((first - origin).max(0), (last - origin).min(SIDE - 1));
            let mask = (2_u32 << high) - (1_u32 << low);
            Some(lane & mask == mask)
        };
        if !is_set(&self.sheet, origin)? {
            return Some(false);
        }
        for (direction, step) in [(Direction::West, -SIDE), (Direction::East, SIDE)] {
            let (mut sheet, mut origin) = (self.sheet, origin + step);
            while origin + SIDE > first && origin <= last {
                match sheet.neighbor(direction) {
                    Some(next) if sheet.continues_in(&next) && next.is_bit_exact() => sheet = next,
                    Some(_) => return None,
                    None => return Some(false),
                }
                if !is_set(&sheet, origin)? {
                    return Some(false);
                }
                origin += step;
            }
        }
        Some(true)
    }
}

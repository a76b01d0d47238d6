//! Box edits on the ground: filling and carving as edits of the floors of each column.
//!
//! In a column a solid spans from a floor of [`Terrain::SOLID`] to the next other floor above, its
//! top. The edits of a batch are tracked per column, so that a box applies to the state that the
//! edits before it produce. Linear in the columns of the box.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Cell, Column, GroundEdit, Point2, Rect, Terrain};
use wayfarer_world::ground::Ground;

/// The floors of a column, ascending by height.
type Floors = Vec<(i32, Terrain)>;

/// The columns that a batch has edited so far, in their future state.
pub(super) struct Columns<'g> {
    ground: &'g Ground,
    dirty: OrderedMap<Column, Floors>,
}

impl<'g> Columns<'g> {
    pub(super) fn new(ground: &'g Ground) -> Self {
        Self {
            ground,
            dirty: OrderedMap::new(),
        }
    }

    fn floors(&mut self, column: Column) -> &mut Floors {
        let ground = self.ground;
        let floors = self.dirty.entry(column);
        floors.or_insert_with(|| ground.floors(column).collect())
    }

    /// Tracks an edit of the ground.
    pub(super) fn apply(&mut self, edit: &GroundEdit) {
        match edit {
            GroundEdit::PutCell { cell, terrain } => {
                put(self.floors(cell.column()), cell.z, *terrain);
            }
            GroundEdit::RemoveCell { cell } => {
                self.floors(cell.column()).retain(|(z, _)| *z != cell.z);
            }
            // Rejected by the ground.
            GroundEdit::Fill { shape, .. } if Ground::exceeds_fill_limit(shape) => {}
            GroundEdit::Fill { shape, z, terrain } => {
                for column in shape.columns() {
                    put(self.floors(column), *z, *terrain);
                }
            }
            GroundEdit::Clear { shape, heights } => {
                let mut columns: Vec<Column> = self.dirty.keys().copied().collect();
                self.ground.for_each_column_in(shape, |at| columns.push(at));
                for column in columns {
                    let center = Point2::center_of(column);
                    if center.is_some_and(|center| shape.contains(center)) {
                        let range = heights.0..=heights.1;
                        self.floors(column).retain(|(z, _)| !range.contains(z));
                    }
                }
            }
            GroundEdit::Patch { at, z, raster } => {
                for Column { x, y } in raster.rect().columns() {
                    let target = (at.x.checked_add(x), at.y.checked_add(y));
                    let (Some(to_x), Some(to_y)) = target else {
                        continue; // Rejected by the ground.
                    };
                    let floors = self.floors(Column::new(to_x, to_y));
                    match raster.get(x, y) {
                        Some(terrain) => put(floors, *z, terrain),
                        None => floors.retain(|(height, _)| height != z),
                    }
                }
            }
            _ => {}
        }
    }

    /// The edits that fill a rectangle of columns from `bottom` to `top`.
    pub(super) fn fill(
        &mut self,
        rect: Rect,
        (bottom, top): (i32, i32),
        terrain: Terrain,
        mut push: impl FnMut(GroundEdit),
    ) {
        for column in rect.columns() {
            let floors = self.floors(column);
            let previous = floors.clone();
            fill_column(floors, (bottom, top), terrain);
            differences(column, &previous, floors, &mut push);
        }
    }

    /// The edits that carve a rectangle of columns from `bottom` to `top`.
    pub(super) fn carve(
        &mut self,
        rect: Rect,
        (bottom, top): (i32, i32),
        terrain: Option<Terrain>,
        mut push: impl FnMut(GroundEdit),
    ) {
        for column in rect.columns() {
            let floors = self.floors(column);
            let previous = floors.clone();
            carve_column(floors, (bottom, top), terrain);
            differences(column, &previous, floors, &mut push);
        }
    }
}

fn put(floors: &mut Floors, z: i32, terrain: Terrain) {
    match floors.binary_search_by_key(&z, |floor| floor.0) {
        Ok(at) => floors[at].1 = terrain,
        Err(at) => floors.insert(at, (z, terrain)),
    }
}

/// The solids of a column: bottom, and height and terrain of the top (`None` if unbounded above).
/// Consecutive floors of [`Terrain::SOLID`] belong to one solid.
fn solids(floors: &Floors) -> Vec<(i32, Option<(i32, Terrain)>)> {
    let mut found = Vec::new();
    let mut bottom = None;
    for (z, terrain) in floors {
        if *terrain == Terrain::SOLID {
            bottom = bottom.or(Some(*z));
        } else if let Some(bottom) = bottom.take() {
            found.push((bottom, Some((*z, *terrain))));
        }
    }
    found.extend(bottom.map(|bottom| (bottom, None)));
    found
}

fn fill_column(floors: &mut Floors, (bottom, top): (i32, i32), terrain: Terrain) {
    let (mut low, mut high) = (bottom, Some((top, terrain)));
    for (other, end) in solids(floors) {
        if other <= top && end.is_none_or(|(end, _)| bottom <= end) {
            low = low.min(other);
            high = match (high, end) {
                (Some(high), Some(end)) => Some(if end.0 > high.0 { end } else { high }),
                _ => None,
            };
        }
    }
    floors.retain(|(z, _)| *z < low || high.is_some_and(|(high, _)| *z > high));
    put(floors, low, Terrain::SOLID);
    if let Some((high, terrain)) = high {
        put(floors, high, terrain);
    }
}

fn carve_column(floors: &mut Floors, (bottom, top): (i32, i32), terrain: Option<Terrain>) {
    // Everything below the lowest floor is solid.
    let mut was_solid = floors.first().is_none_or(|lowest| bottom < lowest.0);
    let found = solids(floors);
    floors.retain(|(z, _)| *z <= bottom || *z >= top);
    for (other, end) in found {
        if other >= top || end.is_some_and(|(end, _)| end <= bottom) {
            continue;
        }
        was_solid |= other <= bottom;
        let last = end.map(|(end, _)| end);
        // Remove the whole solid, then put back what remains below and above the box.
        floors.retain(|(z, _)| *z != other && Some(*z) != last);
        if other < bottom {
            let old_top = end.map_or(Terrain::GROUND, |(_, terrain)| terrain);
            put(floors, other, Terrain::SOLID);
            put(floors, bottom, terrain.unwrap_or(old_top));
        }
        if last.is_none_or(|last| last > top) {
            put(floors, top, Terrain::SOLID);
            if let Some((last, terrain)) = end {
                put(floors, last, terrain);
            }
        }
    }
    if let Some(terrain) = terrain
        && was_solid
    {
        put(floors, bottom, terrain);
    }
}

/// The edits that turn `previous` into `now`.
fn differences(column: Column, previous: &Floors, now: &Floors, push: &mut impl FnMut(GroundEdit)) {
    for (z, _) in previous {
        if !now.iter().any(|floor| floor.0 == *z) {
            push(GroundEdit::RemoveCell {
                cell: column.at(*z),
            });
        }
    }
    for floor in now.iter().filter(|floor| !previous.contains(floor)) {
        let cell: Cell = column.at(floor.0);
        let terrain = floor.1;
        push(GroundEdit::PutCell { cell, terrain });
    }
}

/// True if an edit may change floors.
pub(super) fn edits_floors(edit: &GroundEdit) -> bool {
    matches!(
        edit,
        GroundEdit::PutCell { .. }
            | GroundEdit::RemoveCell { .. }
            | GroundEdit::Fill { .. }
            | GroundEdit::Clear { .. }
            | GroundEdit::Patch { .. }
    )
}

/// Maximum number of columns of one box.
pub(super) const MAX_COLUMNS: u64 = 1 << 24;

#[cfg(test)]
mod tests;

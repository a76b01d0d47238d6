//! Solid things on the ground: what a box that is built or razed does to the floors of a column.
//!
//! In a column something solid reaches from a floor of [`Terrain::SOLID`] to the next floor above,
//! which is its top. Edits of a batch are followed column by column, so that a box meets what the
//! edits before it left.

use wayfarer_base::collections::OrderedMap;
use wayfarer_base::{Cell, Column, GroundEdit, Point2, Rect, Terrain};
use wayfarer_world::ground::Ground;

/// The floors of a column from the lowest up.
type Floors = Vec<(i32, Terrain)>;

/// The columns that a batch has touched so far, as they will be.
pub(super) struct Columns<'g> {
    ground: &'g Ground,
    dirty: OrderedMap<Column, Floors>,
}

impl<'g> Columns<'g> {
    pub(super) fn of(ground: &'g Ground) -> Self {
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

    /// Follows an edit of the ground.
    pub(super) fn follow(&mut self, edit: &GroundEdit) {
        match edit {
            GroundEdit::PutCell { cell, terrain } => {
                put(self.floors(cell.column()), cell.z, *terrain)
            }
            GroundEdit::RemoveCell { cell } => {
                self.floors(cell.column()).retain(|(z, _)| *z != cell.z);
            }
            // What spans more the ground refuses.
            GroundEdit::Fill { shape, .. } if Ground::is_too_wide(shape) => {}
            GroundEdit::Fill { shape, z, terrain } => {
                for column in shape.columns() {
                    put(self.floors(column), *z, *terrain);
                }
            }
            GroundEdit::Clear { shape, heights } => {
                let mut columns: Vec<Column> = self.dirty.keys().copied().collect();
                self.ground.for_columns_in(shape, |at| columns.push(at));
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
                    let place = (at.x.checked_add(x), at.y.checked_add(y));
                    let (Some(to_x), Some(to_y)) = place else {
                        continue; // Refused by the ground.
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

    /// The edits that put up something solid from the first height to the second.
    pub(super) fn build(
        &mut self,
        rect: Rect,
        (foot, top): (i32, i32),
        terrain: Terrain,
        mut push: impl FnMut(GroundEdit),
    ) {
        for column in rect.columns() {
            let floors = self.floors(column);
            let previous = floors.clone();
            built(floors, (foot, top), terrain);
            differences(column, &previous, floors, &mut push);
        }
    }

    /// The edits that take away what is solid from the first height to the second.
    pub(super) fn raze(
        &mut self,
        rect: Rect,
        (foot, top): (i32, i32),
        terrain: Option<Terrain>,
        mut push: impl FnMut(GroundEdit),
    ) {
        for column in rect.columns() {
            let floors = self.floors(column);
            let previous = floors.clone();
            razed(floors, (foot, top), terrain);
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

/// What is solid in a column: foot, top (none if it never ends) and what the top is made of. A foot
/// on top of another is no top.
fn solids(floors: &Floors) -> Vec<(i32, Option<(i32, Terrain)>)> {
    let mut found = Vec::new();
    let mut foot = None;
    for (z, terrain) in floors {
        if *terrain == Terrain::SOLID {
            foot = foot.or(Some(*z));
        } else if let Some(foot) = foot.take() {
            found.push((foot, Some((*z, *terrain))));
        }
    }
    found.extend(foot.map(|foot| (foot, None)));
    found
}

fn built(floors: &mut Floors, (foot, top): (i32, i32), terrain: Terrain) {
    let (mut low, mut high) = (foot, Some((top, terrain)));
    for (other, end) in solids(floors) {
        if other <= top && end.is_none_or(|(end, _)| foot <= end) {
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

fn razed(floors: &mut Floors, (foot, top): (i32, i32), terrain: Option<Terrain>) {
    let was_rock = floors.first().is_none_or(|lowest| foot < lowest.0);
    let found = solids(floors);
    let mut was_solid = was_rock;
    floors.retain(|(z, _)| *z <= foot || *z >= top);
    for (other, end) in found {
        if other >= top || end.is_some_and(|(end, _)| end <= foot) {
            continue;
        }
        was_solid |= other <= foot;
        let last = end.map(|(end, _)| end);
        // Its foot and its top belong to it.
        floors.retain(|(z, _)| *z != other && Some(*z) != last);
        if other < foot {
            let of = end.map_or(Terrain::GROUND, |(_, of)| of);
            put(floors, other, Terrain::SOLID);
            put(floors, foot, terrain.unwrap_or(of));
        }
        if last.is_none_or(|last| last > top) {
            put(floors, top, Terrain::SOLID);
            if let Some((last, of)) = end {
                put(floors, last, of);
            }
        }
    }
    if let Some(terrain) = terrain
        && was_solid
    {
        put(floors, foot, terrain);
    }
}

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
pub(super) fn is_about_floors(edit: &GroundEdit) -> bool {
    matches!(
        edit,
        GroundEdit::PutCell { .. }
            | GroundEdit::RemoveCell { .. }
            | GroundEdit::Fill { .. }
            | GroundEdit::Clear { .. }
            | GroundEdit::Patch { .. }
    )
}

/// How many columns a box may span: larger ones are made of several.
pub(super) const MAX_COLUMNS: u64 = 1 << 24;

#[cfg(test)]
mod tests;

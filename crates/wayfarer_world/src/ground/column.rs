//! The floors of one column as plain values: filling and carving.
//!
//! In a column solid terrain spans from a floor of [`Terrain::SOLID`] to the next other floor above,
//! its top. Linear in the floors of the column.

use wayfarer_base::Terrain;

/// The floors of a column, ascending by height.
pub(super) type Floors = Vec<(i32, Terrain)>;

/// Puts a floor.
pub(super) fn put(floors: &mut Floors, z: i32, terrain: Terrain) {
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

/// Makes a column solid from `bottom` to `top`, with a floor of `terrain` on top.
pub(super) fn fill_column(floors: &mut Floors, (bottom, top): (i32, i32), terrain: Terrain) {
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

/// Makes a column free from `bottom` to `top`, with a floor of `terrain` where it was solid.
pub(super) fn carve_column(
    floors: &mut Floors,
    (bottom, top): (i32, i32),
    terrain: Option<Terrain>,
) {
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

#[cfg(test)]
mod tests;

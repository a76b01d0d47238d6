//! Solids and boxes by definition: the solid intervals of a column, merged and cut one by one.

use std::collections::BTreeMap;

use wayfarer_base::{Column, GroundSolid, SolidId, Terrain};

/// The floors of a column, ascending by height.
type Floors = Vec<(i32, Terrain)>;

/// A solid interval: bottom, and height and terrain of its top, `None` if it has none.
type Interval = (i32, Option<(i32, Terrain)>);

/// The intervals of a column, and the floors that belong to none.
fn intervals(floors: &[(i32, Terrain)]) -> (Vec<Interval>, Floors) {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    let mut bottom = None;
    for &(z, terrain) in floors {
        match (bottom, terrain == Terrain::SOLID) {
            (None, true) => bottom = Some(z),
            (Some(_), true) => {}
            (Some(from), false) => {
                found.push((from, Some((z, terrain))));
                bottom = None;
            }
            (None, false) => others.push((z, terrain)),
        }
    }
    found.extend(bottom.map(|from| (from, None)));
    (found, others)
}

fn end((_, top): Interval) -> i32 {
    top.map_or(i32::MAX, |(z, _)| z)
}

/// The floors of a column with one more solid from `bottom` to `top`.
pub(super) fn filled(
    floors: &[(i32, Terrain)],
    (bottom, top): (i32, i32),
    terrain: Terrain,
) -> Floors {
    let (found, _) = intervals(floors);
    let touched = found
        .into_iter()
        .filter(|one| one.0 <= top && end(*one) >= bottom);
    let mut whole: Interval = (bottom, Some((top, terrain)));
    for one in touched {
        whole.0 = whole.0.min(one.0);
        if end(one) > end(whole) {
            whole.1 = one.1;
        }
    }
    let outside = |z: i32| z < whole.0 || z > end(whole);
    let mut now: Floors = floors
        .iter()
        .copied()
        .filter(|floor| outside(floor.0))
        .collect();
    now.push((whole.0, Terrain::SOLID));
    now.extend(whole.1);
    now.sort_unstable();
    now
}

/// The floors of a column with the solids that stand in it, in the order of their ids.
pub(super) fn with_solids(
    terrain: &[(i32, Terrain)],
    solids: &BTreeMap<SolidId, GroundSolid>,
    column: Column,
) -> Option<Floors> {
    let mut floors = None;
    for solid in solids.values() {
        for run in solid.extent.runs_in(column) {
            let so_far: &[(i32, Terrain)] = floors.as_deref().unwrap_or(terrain);
            floors = Some(filled(so_far, run, solid.top));
        }
    }
    floors
}

/// The floors of a column carved from `bottom` to `top`.
pub(super) fn carved(
    floors: &[(i32, Terrain)],
    (bottom, top): (i32, i32),
    terrain: Option<Terrain>,
) -> Floors {
    let (found, others) = intervals(floors);
    let is_below_all = floors.first().is_none_or(|lowest| bottom < lowest.0);
    let is_inside = |one: &Interval| one.0 <= bottom && bottom < end(*one);
    let was_solid = is_below_all || found.iter().any(is_inside);
    let kept = |z: i32| z <= bottom || z >= top;
    let mut now: BTreeMap<i32, Terrain> = others.into_iter().filter(|one| kept(one.0)).collect();
    for one in found {
        if one.0 >= top || end(one) <= bottom {
            now.insert(one.0, Terrain::SOLID);
            now.extend(one.1);
            continue;
        }
        if one.0 < bottom {
            let own = one.1.map_or(Terrain::GROUND, |(_, terrain)| terrain);
            now.insert(one.0, Terrain::SOLID);
            now.insert(bottom, terrain.unwrap_or(own));
        }
        if end(one) > top {
            now.insert(top, Terrain::SOLID);
            now.extend(one.1);
        }
    }
    if let Some(terrain) = terrain.filter(|_| was_solid) {
        now.insert(bottom, terrain);
    }
    now.into_iter().collect()
}

//! Random batches of ground edits: floors, areas, patches, walls, nav links, cost modifiers.

use std::collections::BTreeSet;

use wayfarer_base::{
    Cell, Column, CostModifier, CostModifierId, Fixed, GroundEdit, NavLink, NavLinkId, Point2,
    Raster, Rect, Rng, Shape, Terrain,
};

use super::{
    AREA, HEIGHTS, cost_multiplier, random_column, random_link_state, random_nav_link, random_rect,
    random_strip, random_wall, terrain,
};
use crate::ReferenceWorld;

/// Number of nav links above which batches only remove them; walls and cost modifiers are scaled to
/// it.
const MAX_NAV_LINKS: usize = 30;

/// One to six valid edits of `world` within [`AREA`] and [`HEIGHTS`]; nav links they refer to exist
/// at that point of the batch. Nav links may lose the floor at an end, and occasionally never had
/// one. Long series neither fill nor empty the world.
///
/// ```
/// use wayfarer_base::Rng;
/// use wayfarer_testkit::ReferenceWorld;
/// use wayfarer_testkit::random::{WorldKind, batch::random_batch, random_world};
/// let mut rng = Rng::new(1);
/// let mut world = ReferenceWorld::new(&random_world(1, WorldKind::Mixed));
/// let batch = random_batch(&mut rng, &world);
/// world.apply(&batch);
/// ```
pub fn random_batch(rng: &mut Rng, world: &ReferenceWorld) -> Vec<GroundEdit> {
    random_batch_between(rng, world, HEIGHTS)
}

/// As [`random_batch`], with floors added and removed between two heights only, both included: (0,
/// 0) keeps a flat world flat.
pub fn random_batch_between(
    rng: &mut Rng,
    world: &ReferenceWorld,
    heights: (i32, i32),
) -> Vec<GroundEdit> {
    let mut ids: BTreeSet<NavLinkId> = world.nav_links().map(|p| (&p).into()).collect();
    let n_edits = 1 + rng.below(6);
    let mut edits = Vec::new();
    while edits.len() < n_edits as usize {
        match rng.below(20) {
            0..=3 => edits.push(put_cell(rng, world, heights)),
            4..=6 => edits.extend(remove_cell(rng, world)),
            7..=10 => edits.push(area(rng, heights)),
            11..=12 => edits.extend(wall(rng, world)),
            13 => edits.push(patch(rng, heights)),
            14..=16 => edits.extend(nav_link(rng, world, &mut ids)),
            _ => edits.extend(modifier(rng, world, heights)),
        }
    }
    edits
}

/// A random shape of a few cells around a column of [`AREA`].
pub fn random_shape(rng: &mut Rng) -> Shape {
    let point = |rng: &mut Rng, around: Column| {
        // Coarse, so that edges often pass through the centers of columns.
        let mut at = |cell: i32| Fixed::from_raw(cell * 256 + rng.between(-12, 12) * 64);
        Point2::new(at(around.x), at(around.y))
    };
    let around = random_column(rng);
    let radius = Fixed::from_raw(rng.between(0, 14) * 64);
    match rng.below(6) {
        0 => Shape::Circle {
            center: point(rng, around),
            radius,
        },
        1 => Shape::Polygon((0..3 + rng.below(3)).map(|_| point(rng, around)).collect()),
        2 => Shape::Segment {
            from: point(rng, around),
            to: point(rng, around),
            radius: Fixed::from_raw(rng.between(0, 6) * 32),
        },
        3 => {
            let mut direction = || {
                let (x, y) = (rng.between(-3, 3), rng.between(-3, 3));
                if (x, y) == (0, 0) { (1, 0) } else { (x, y) }
            };
            let (left, right) = (direction(), direction());
            Shape::Wedge {
                tip: point(rng, around),
                radius,
                left,
                right,
            }
        }
        4 => Shape::Box(random_strip(rng)),
        _ => Shape::Box(random_rect(rng, 6)),
    }
}

/// The shape itself, or one column if it leaves the area.
fn inside(shape: Shape) -> Shape {
    let covered = crate::shapes::columns(&shape);
    if covered.iter().all(|column| AREA.contains(*column)) {
        return shape;
    }
    let first = covered.into_iter().find(|column| AREA.contains(*column));
    let at = first.unwrap_or(AREA.low);
    Shape::Box(Rect { low: at, high: at })
}

fn height(rng: &mut Rng, heights: (i32, i32)) -> i32 {
    if rng.chance(1, 2) {
        0_i32.clamp(heights.0, heights.1)
    } else {
        rng.between(heights.0, heights.1)
    }
}

fn random_terrain(rng: &mut Rng) -> Terrain {
    if rng.chance(2, 3) {
        Terrain::GROUND
    } else {
        terrain(u8::try_from(rng.below(6)).expect("a small number"))
    }
}

/// A random floor, if a few tries find one.
fn random_cell(rng: &mut Rng, world: &ReferenceWorld) -> Option<Cell> {
    (0..8).find_map(|_| {
        let column = random_column(rng);
        let floor = rng.pick(world.floors(column));
        floor.map(|(z, _)| column.at(*z))
    })
}

fn put_cell(rng: &mut Rng, world: &ReferenceWorld, heights: (i32, i32)) -> GroundEdit {
    let column = random_column(rng);
    // Mostly near the height of an adjacent floor, so that they are connected.
    let beside = Column::new(column.x + rng.between(-1, 1), column.y + rng.between(-1, 1));
    let z = match rng.pick(world.floors(beside)) {
        Some((z, _)) if rng.chance(3, 4) => *z + rng.between(-1, 1),
        _ => height(rng, heights),
    };
    GroundEdit::PutCell {
        cell: column.at(z.clamp(heights.0, heights.1)),
        terrain: random_terrain(rng),
    }
}

fn remove_cell(rng: &mut Rng, world: &ReferenceWorld) -> Option<GroundEdit> {
    let cell = random_cell(rng, world)?;
    Some(GroundEdit::RemoveCell { cell })
}

fn area(rng: &mut Rng, heights: (i32, i32)) -> GroundEdit {
    let shape = inside(random_shape(rng));
    if rng.chance(11, 20) {
        GroundEdit::Fill {
            shape,
            z: height(rng, heights),
            terrain: random_terrain(rng),
        }
    } else {
        let (a, b) = (height(rng, heights), height(rng, heights));
        let heights = if rng.chance(1, 3) {
            heights
        } else {
            (a.min(b), a.max(b))
        };
        GroundEdit::Clear { shape, heights }
    }
}

fn patch(rng: &mut Rng, heights: (i32, i32)) -> GroundEdit {
    let rect = random_rect(rng, 6);
    let mut raster = Raster::new(rect.width(), rect.height()).expect("a few cells");
    for column in raster.rect().columns() {
        if rng.chance(3, 4) {
            raster.set(column.x, column.y, Some(random_terrain(rng)));
        }
    }
    GroundEdit::Patch {
        at: rect.low,
        z: height(rng, heights),
        raster,
    }
}

fn wall(rng: &mut Rng, world: &ReferenceWorld) -> Option<GroundEdit> {
    let walls: Vec<_> = world.walls().collect();
    if rng.chance(1, 2) || walls.len() > 10 * MAX_NAV_LINKS {
        return rng.pick(&walls).map(|wall| GroundEdit::RemoveWall(*wall));
    }
    let cell = random_cell(rng, world)?;
    random_wall(rng, &[(cell, Terrain::GROUND)]).map(GroundEdit::PutWall)
}

fn nav_link(
    rng: &mut Rng,
    world: &ReferenceWorld,
    ids: &mut BTreeSet<NavLinkId>,
) -> Option<GroundEdit> {
    let known: Vec<NavLinkId> = ids.iter().copied().collect();
    let choice = if ids.len() > MAX_NAV_LINKS {
        0
    } else {
        rng.below(3)
    };
    match choice {
        0 => {
            let id = *rng.pick(&known)?;
            ids.remove(&id);
            Some(GroundEdit::RemoveNavLink(id))
        }
        1 => Some(GroundEdit::SetNavLinkState {
            nav_link: *rng.pick(&known)?,
            state: random_link_state(rng),
        }),
        _ => {
            let ends = [random_cell(rng, world)?, random_cell(rng, world)?];
            let ends = ends.map(|cell| (cell, Terrain::GROUND));
            let mut nav_link = random_nav_link(rng, &ends);
            // Occasionally replaces an existing one.
            if let (true, Some(id)) = (rng.chance(1, 4), rng.pick(&known)) {
                let NavLinkId { from, to, kind } = *id;
                nav_link = NavLink {
                    from,
                    to,
                    kind,
                    ..nav_link
                };
            }
            ids.insert((&nav_link).into());
            Some(GroundEdit::PutNavLink(nav_link))
        }
    }
}

fn modifier(rng: &mut Rng, world: &ReferenceWorld, heights: (i32, i32)) -> Option<GroundEdit> {
    let known: Vec<CostModifierId> = world.modifiers().map(|(id, _)| id).collect();
    if rng.chance(1, 2) || known.len() > MAX_NAV_LINKS / 3 {
        return rng
            .pick(&known)
            .map(|id| GroundEdit::RemoveCostModifier(*id));
    }
    let (a, b) = (height(rng, heights), height(rng, heights));
    Some(GroundEdit::PutCostModifier {
        // Few ids, so that cost modifiers are often replaced.
        id: CostModifierId(u64::from(rng.below(12))),
        modifier: CostModifier {
            shape: random_shape(rng),
            heights: (a.min(b), a.max(b)),
            multiplier: cost_multiplier(16 + rng.below(80)),
        },
    })
}

#[cfg(test)]
mod tests;

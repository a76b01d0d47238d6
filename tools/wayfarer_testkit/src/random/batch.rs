//! Batches of edits drawn at random: floors dug and laid, walls, doors, nav links, effects.

use std::collections::BTreeSet;

use wayfarer_base::{
    Cell, Column, CostModifier, CostModifierId, Fixed, GroundEdit, NavLink, NavLinkId, Point2,
    Raster, Rect, Rng, Shape, Terrain,
};

use super::{
    AREA, HEIGHTS, cost_multiplier, random_column, random_gate, random_nav_link, random_rect,
    random_strip, random_wall, terrain,
};
use crate::ReferenceWorld;

/// Nav links, walls and effects a world is allowed before batches only take some away.
const MAX: usize = 30;

/// One to six edits that fit `world`: all are well formed, gates and nav links that they name are
/// there when their turn comes, and nothing leaves [`AREA`] or [`HEIGHTS`]. Nav links may lose the
/// floor at an end, and now and then begin or end where there never was one. Long series neither
/// fill the world up nor empty it.
///
/// ```
/// use wayfarer_base::Rng;
/// use wayfarer_testkit::ReferenceWorld;
/// use wayfarer_testkit::random::{WorldKind, batch::random_batch, random_world};
/// let mut dice = Rng::new(1);
/// let mut world = ReferenceWorld::new(&random_world(1, WorldKind::Mixed));
/// let batch = random_batch(&mut dice, &world);
/// world.apply(&batch);
/// ```
pub fn random_batch(rng: &mut Rng, world: &ReferenceWorld) -> Vec<GroundEdit> {
    random_batch_between(rng, world, HEIGHTS)
}

/// As [`random_batch`], with floors laid and taken away between two heights only, both included:
/// (0, 0) keeps a flat world flat.
pub fn random_batch_between(
    rng: &mut Rng,
    world: &ReferenceWorld,
    heights: (i32, i32),
) -> Vec<GroundEdit> {
    let mut names: BTreeSet<NavLinkId> = world.nav_links().map(|p| (&p).into()).collect();
    let n_edits = 1 + rng.below(6);
    let mut edits = Vec::new();
    while edits.len() < n_edits as usize {
        match rng.below(20) {
            0..=3 => edits.push(put_cell(rng, world, heights)),
            4..=6 => edits.extend(remove_cell(rng, world)),
            7..=10 => edits.push(area(rng, heights)),
            11..=12 => edits.extend(wall(rng, world)),
            13 => edits.push(patch(rng, heights)),
            14..=16 => edits.extend(nav_link(rng, world, &mut names)),
            _ => edits.extend(modifier(rng, world, heights)),
        }
    }
    edits
}

/// An area of any kind of shape, somewhere in [`AREA`], of a few cells across.
pub fn random_shape(rng: &mut Rng) -> Shape {
    let point = |rng: &mut Rng, around: Column| {
        // Coarse, so that edges often run through the middles of columns.
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

fn inside(shape: Shape) -> Shape {
    // Fill lays floors on every column of a shape; one that leaves the area becomes a box in it.
    let mut all = crate::shapes::columns(&shape).into_iter();
    if all.all(|column| AREA.contains(column)) {
        return shape;
    }
    let covered = crate::shapes::columns(&shape);
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

fn any_terrain(rng: &mut Rng) -> Terrain {
    if rng.chance(2, 3) {
        Terrain::GROUND
    } else {
        terrain(u8::try_from(rng.below(6)).expect("a few kinds"))
    }
}

/// Some cell that has a floor, if a few tries find one.
fn some_cell(rng: &mut Rng, world: &ReferenceWorld) -> Option<Cell> {
    (0..8).find_map(|_| {
        let column = random_column(rng);
        let floor = rng.pick(world.floors(column));
        floor.map(|(z, _)| column.at(*z))
    })
}

fn put_cell(rng: &mut Rng, world: &ReferenceWorld, heights: (i32, i32)) -> GroundEdit {
    let column = random_column(rng);
    // Most often near the height of some floor close by, so that it joins something.
    let beside = Column::new(column.x + rng.between(-1, 1), column.y + rng.between(-1, 1));
    let z = match rng.pick(world.floors(beside)) {
        Some((z, _)) if rng.chance(3, 4) => *z + rng.between(-1, 1),
        _ => height(rng, heights),
    };
    GroundEdit::PutCell {
        cell: column.at(z.clamp(heights.0, heights.1)),
        terrain: any_terrain(rng),
    }
}

fn remove_cell(rng: &mut Rng, world: &ReferenceWorld) -> Option<GroundEdit> {
    let cell = some_cell(rng, world)?;
    Some(GroundEdit::RemoveCell { cell })
}

fn area(rng: &mut Rng, heights: (i32, i32)) -> GroundEdit {
    let shape = inside(random_shape(rng));
    if rng.chance(11, 20) {
        GroundEdit::Fill {
            shape,
            z: height(rng, heights),
            terrain: any_terrain(rng),
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
            raster.set(column.x, column.y, Some(any_terrain(rng)));
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
    if rng.chance(1, 2) || walls.len() > 10 * MAX {
        return rng.pick(&walls).map(|wall| GroundEdit::RemoveWall(*wall));
    }
    let cell = some_cell(rng, world)?;
    random_wall(rng, &[(cell, Terrain::GROUND)]).map(GroundEdit::PutWall)
}

fn nav_link(
    rng: &mut Rng,
    world: &ReferenceWorld,
    names: &mut BTreeSet<NavLinkId>,
) -> Option<GroundEdit> {
    let known: Vec<NavLinkId> = names.iter().copied().collect();
    let choice = if names.len() > MAX { 0 } else { rng.below(3) };
    match choice {
        0 => {
            let name = *rng.pick(&known)?;
            names.remove(&name);
            Some(GroundEdit::RemoveNavLink(name))
        }
        1 => Some(GroundEdit::SetNavLinkState {
            nav_link: *rng.pick(&known)?,
            state: random_gate(rng),
        }),
        _ => {
            let ends = [some_cell(rng, world)?, some_cell(rng, world)?];
            let ends = ends.map(|cell| (cell, Terrain::GROUND));
            let mut made = random_nav_link(rng, &ends);
            // Now and then one that is there, changed.
            if let (true, Some(name)) = (rng.chance(1, 4), rng.pick(&known)) {
                let NavLinkId { from, to, kind } = *name;
                made = NavLink {
                    from,
                    to,
                    kind,
                    ..made
                };
            }
            names.insert((&made).into());
            Some(GroundEdit::PutNavLink(made))
        }
    }
}

fn modifier(rng: &mut Rng, world: &ReferenceWorld, heights: (i32, i32)) -> Option<GroundEdit> {
    let known: Vec<CostModifierId> = world.modifiers().map(|(name, _)| name).collect();
    if rng.chance(1, 2) || known.len() > MAX / 3 {
        return rng
            .pick(&known)
            .map(|name| GroundEdit::RemoveCostModifier(*name));
    }
    let (a, b) = (height(rng, heights), height(rng, heights));
    Some(GroundEdit::PutCostModifier {
        // Few names, so that effects are often moved and changed.
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

//! Batches of edits drawn by lot: floors dug and laid, walls, doors, passages, effects.

use std::collections::BTreeSet;

use wayfarer_base::{
    Cell, Column, Dice, Edit, Effect, EffectName, Fixed, Passage, PassageName, Point2, Raster,
    Rect, Shape, Terrain,
};

use super::{
    AREA, HEIGHTS, price, random_column, random_gate, random_passage, random_rect, random_strip,
    random_wall, terrain,
};
use crate::PlainWorld;

/// Passages, walls and effects a world is allowed before batches only take some away.
const MOST: usize = 30;

/// One to six edits that fit `world`: all are well formed, gates and passages that they name are
/// there when their turn comes, and nothing leaves [`AREA`] or [`HEIGHTS`]. Passages may lose the
/// floor at an end, and now and then begin or end where there never was one. Long series neither
/// fill the world up nor empty it.
///
/// ```
/// use wayfarer_base::Dice;
/// use wayfarer_testkit::PlainWorld;
/// use wayfarer_testkit::random::{WorldKind, batch::random_batch, random_world};
/// let mut dice = Dice::new(1);
/// let mut world = PlainWorld::new(&random_world(1, WorldKind::Mixed));
/// let batch = random_batch(&mut dice, &world);
/// world.apply(&batch);
/// ```
pub fn random_batch(dice: &mut Dice, world: &PlainWorld) -> Vec<Edit> {
    random_batch_between(dice, world, HEIGHTS)
}

/// As [`random_batch`], with floors laid and taken away between two heights only, both included:
/// (0, 0) keeps a flat world flat.
pub fn random_batch_between(dice: &mut Dice, world: &PlainWorld, heights: (i32, i32)) -> Vec<Edit> {
    let mut names: BTreeSet<PassageName> = world.passages().map(|p| (&p).into()).collect();
    let n_edits = 1 + dice.below(6);
    let mut edits = Vec::new();
    while edits.len() < n_edits as usize {
        match dice.below(20) {
            0..=3 => edits.push(put_cell(dice, world, heights)),
            4..=6 => edits.extend(remove_cell(dice, world)),
            7..=10 => edits.push(area(dice, heights)),
            11..=12 => edits.extend(wall(dice, world)),
            13 => edits.push(patch(dice, heights)),
            14..=16 => edits.extend(passage(dice, world, &mut names)),
            _ => edits.extend(effect(dice, world, heights)),
        }
    }
    edits
}

/// An area of any kind of shape, somewhere in [`AREA`], of a few cells across.
pub fn random_shape(dice: &mut Dice) -> Shape {
    let point = |dice: &mut Dice, around: Column| {
        // Coarse, so that edges often run through the middles of columns.
        let mut at = |cell: i32| Fixed::from_raw(cell * 256 + dice.between(-12, 12) * 64);
        Point2::new(at(around.x), at(around.y))
    };
    let around = random_column(dice);
    let radius = Fixed::from_raw(dice.between(0, 14) * 64);
    match dice.below(6) {
        0 => Shape::Circle {
            centre: point(dice, around),
            radius,
        },
        1 => Shape::Polygon(
            (0..3 + dice.below(3))
                .map(|_| point(dice, around))
                .collect(),
        ),
        2 => Shape::Segment {
            from: point(dice, around),
            to: point(dice, around),
            radius: Fixed::from_raw(dice.between(0, 6) * 32),
        },
        3 => {
            let mut direction = || {
                let (x, y) = (dice.between(-3, 3), dice.between(-3, 3));
                if (x, y) == (0, 0) { (1, 0) } else { (x, y) }
            };
            let (left, right) = (direction(), direction());
            Shape::Wedge {
                tip: point(dice, around),
                radius,
                left,
                right,
            }
        }
        4 => Shape::Box(random_strip(dice)),
        _ => Shape::Box(random_rect(dice, 6)),
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

fn height(dice: &mut Dice, heights: (i32, i32)) -> i32 {
    if dice.chance(1, 2) {
        0_i32.clamp(heights.0, heights.1)
    } else {
        dice.between(heights.0, heights.1)
    }
}

fn any_terrain(dice: &mut Dice) -> Terrain {
    if dice.chance(2, 3) {
        Terrain::GROUND
    } else {
        terrain(u8::try_from(dice.below(6)).expect("a few kinds"))
    }
}

/// Some cell that has a floor, if a few tries find one.
fn some_cell(dice: &mut Dice, world: &PlainWorld) -> Option<Cell> {
    (0..8).find_map(|_| {
        let column = random_column(dice);
        let floor = dice.pick(world.floors(column));
        floor.map(|(z, _)| column.at(*z))
    })
}

fn put_cell(dice: &mut Dice, world: &PlainWorld, heights: (i32, i32)) -> Edit {
    let column = random_column(dice);
    // Most often near the height of some floor close by, so that it joins something.
    let beside = Column::new(
        column.x + dice.between(-1, 1),
        column.y + dice.between(-1, 1),
    );
    let z = match dice.pick(world.floors(beside)) {
        Some((z, _)) if dice.chance(3, 4) => *z + dice.between(-1, 1),
        _ => height(dice, heights),
    };
    Edit::PutCell {
        cell: column.at(z.clamp(heights.0, heights.1)),
        terrain: any_terrain(dice),
    }
}

fn remove_cell(dice: &mut Dice, world: &PlainWorld) -> Option<Edit> {
    let cell = some_cell(dice, world)?;
    Some(Edit::RemoveCell { cell })
}

fn area(dice: &mut Dice, heights: (i32, i32)) -> Edit {
    let shape = inside(random_shape(dice));
    if dice.chance(11, 20) {
        Edit::Fill {
            shape,
            z: height(dice, heights),
            terrain: any_terrain(dice),
        }
    } else {
        let (a, b) = (height(dice, heights), height(dice, heights));
        let heights = if dice.chance(1, 3) {
            heights
        } else {
            (a.min(b), a.max(b))
        };
        Edit::Clear { shape, heights }
    }
}

fn patch(dice: &mut Dice, heights: (i32, i32)) -> Edit {
    let rect = random_rect(dice, 6);
    let mut raster = Raster::new(rect.width(), rect.height()).expect("a few cells");
    for column in raster.rect().columns() {
        if dice.chance(3, 4) {
            raster.set(column.x, column.y, Some(any_terrain(dice)));
        }
    }
    Edit::Patch {
        at: rect.low,
        z: height(dice, heights),
        raster,
    }
}

fn wall(dice: &mut Dice, world: &PlainWorld) -> Option<Edit> {
    let walls: Vec<_> = world.walls().collect();
    if dice.chance(1, 2) || walls.len() > 10 * MOST {
        return dice.pick(&walls).map(|wall| Edit::RemoveWall(*wall));
    }
    let cell = some_cell(dice, world)?;
    random_wall(dice, &[(cell, Terrain::GROUND)]).map(Edit::PutWall)
}

fn passage(dice: &mut Dice, world: &PlainWorld, names: &mut BTreeSet<PassageName>) -> Option<Edit> {
    let known: Vec<PassageName> = names.iter().copied().collect();
    let choice = if names.len() > MOST { 0 } else { dice.below(3) };
    match choice {
        0 => {
            let name = *dice.pick(&known)?;
            names.remove(&name);
            Some(Edit::RemovePassage(name))
        }
        1 => Some(Edit::SetGate {
            passage: *dice.pick(&known)?,
            gate: random_gate(dice),
        }),
        _ => {
            let ends = [some_cell(dice, world)?, some_cell(dice, world)?];
            let ends = ends.map(|cell| (cell, Terrain::GROUND));
            let mut made = random_passage(dice, &ends);
            // Now and then one that is there, changed.
            if let (true, Some(name)) = (dice.chance(1, 4), dice.pick(&known)) {
                let PassageName { from, to, kind } = *name;
                made = Passage {
                    from,
                    to,
                    kind,
                    ..made
                };
            }
            names.insert((&made).into());
            Some(Edit::PutPassage(made))
        }
    }
}

fn effect(dice: &mut Dice, world: &PlainWorld, heights: (i32, i32)) -> Option<Edit> {
    let known: Vec<EffectName> = world.effects().map(|(name, _)| name).collect();
    if dice.chance(1, 2) || known.len() > MOST / 3 {
        return dice.pick(&known).map(|name| Edit::RemoveEffect(*name));
    }
    let (a, b) = (height(dice, heights), height(dice, heights));
    Some(Edit::PutEffect {
        // Few names, so that effects are often moved and changed.
        name: EffectName(u64::from(dice.below(12))),
        effect: Effect {
            shape: random_shape(dice),
            heights: (a.min(b), a.max(b)),
            price: price(16 + dice.below(80)),
        },
    })
}

#[cfg(test)]
mod tests;

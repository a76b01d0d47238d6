//! What a batch says it parted and joined, against components found cell by cell.

use wayfarer_base::{
    Column, Gate, PassageKind, Rect, Shape, Terrain, Wall, WallSide, Ways, WorldPlan,
};
use wayfarer_testkit::ascii;

use super::both::{Both, put, take};
use super::*;

/// Applies a batch to a drawn world; everything is compared with the oracle, and so many pairs
/// must be parted and joined.
#[track_caller]
fn check_pairs(both: &mut Both, batch: &[Edit], n_parted: usize, n_joined: usize) {
    let changes = both.apply(batch);
    let found = (changes.parted.len(), changes.joined.len());
    assert_eq!(found, (n_parted, n_joined), "{changes:?}");
    // And all the way back.
    let changes = both.apply(&changes.inverse());
    let found = (changes.parted.len(), changes.joined.len());
    assert_eq!(found, (n_joined, n_parted), "undone: {changes:?}");
}

fn clear(low: Column, high: Column) -> Edit {
    Edit::Clear {
        shape: Shape::Box(Rect::around(low, high)),
        heights: (0, 0),
    }
}

fn door(from: Cell, to: Cell, gate: Gate) -> Passage {
    Passage {
        from,
        to,
        kind: PassageKind::Door,
        ways: Ways::Both,
        cost: Cost::from_units(5_000),
        gate,
    }
}

fn set_gate(passage: &Passage, gate: Gate) -> Edit {
    Edit::SetGate {
        passage: passage.into(),
        gate,
    }
}

// There are as many regions as before, and none leads out of the sector.
#[test]
fn a_part_breaks_off_while_another_goes() {
    let world = "
        .#.###
        ...##.";
    for (x, y) in [(0, 0), (-30, 14), (-6, -2)] {
        let mut both = Both::drawn(&format!("= 0 at {x},{y}{world}"));
        let row = clear(Column::new(x, y + 1), Column::new(x + 5, y + 1));
        check_pairs(&mut both, &[row], 1, 0);
    }
    let mut both = Both::drawn(world);
    let cells = [take(Cell::flat(1, 1)), take(Cell::flat(5, 1))];
    check_pairs(&mut both, &cells, 1, 0);
}

#[test]
fn two_parts_are_joined_while_another_comes() {
    let mut both = Both::drawn(".#.##");
    let cells = [put(Cell::flat(1, 0)), put(Cell::flat(4, 0))];
    check_pairs(&mut both, &cells, 0, 1);
}

// Each rank has one region before and after; what breaks off is on another rank than before.
#[test]
fn a_part_breaks_off_by_rising_to_the_rank_of_one_that_goes() {
    let mut both = Both::drawn(
        "
        ..
        = 20
        .#",
    );
    let wall = Wall {
        cell: Cell::flat(0, 0),
        side: WallSide::East,
    };
    let batch = [
        take(Cell::new(0, 0, 20)),
        put(Cell::new(0, 0, -1)),
        Edit::PutWall(wall),
    ];
    check_pairs(&mut both, &batch, 1, 0);
}

// Nothing but a gate changes in the far sector.
#[test]
fn a_gate_closes_while_a_floor_goes_at_one_of_its_ends() {
    let mut plan = ascii::world(
        "
        ...#############...",
    );
    let gate = door(Cell::flat(2, 0), Cell::flat(16, 0), Gate::Open);
    plan.passages.push(gate);
    let mut both = Both::of(&plan);
    let batch = [take(Cell::flat(0, 0)), set_gate(&gate, Gate::Closed)];
    check_pairs(&mut both, &batch, 1, 0);
}

#[test]
fn an_end_of_a_passage_goes_while_a_gate_turns_next_to_the_other_end() {
    let mut plan = ascii::world(
        "
        ...#############.#.#############.",
    );
    let near = door(Cell::flat(2, 0), Cell::flat(16, 0), Gate::Open);
    let far = door(Cell::flat(18, 0), Cell::flat(32, 0), Gate::Closed);
    plan.passages.extend([near, far]);
    let mut both = Both::of(&plan);
    let batch = [take(Cell::flat(2, 0)), set_gate(&far, Gate::Open)];
    check_pairs(&mut both, &batch, 1, 1);
}

/// Applies batches to a world, and compares what each says with components before and after.
fn check_story(plan: &WorldPlan, n_batches: usize, seed: u64, draw: Draw, note: &str) {
    let mut world = PlainWorld::new(plan);
    let mut dice = Dice::for_part(seed, 0x7061_7274);
    let batches: Vec<Vec<Edit>> = (0..n_batches)
        .map(|_| {
            let edits = draw(&mut dice, &world);
            world.apply(&edits);
            edits
        })
        .collect();
    let profile = &plan.profile;
    shrink::check(&batches, |batches| {
        let mut ground = Ground::from_plan(plan).unwrap();
        let mut world = PlainWorld::new(plan);
        let mut before = world.components(profile);
        for edits in batches {
            let changes = ground.apply(edits).unwrap();
            world.apply(edits);
            let after = world.components(profile);
            check_connectivity(&changes, &before, &after, note);
            before = after;
        }
    });
}

type Draw = fn(&mut Dice, &PlainWorld) -> Vec<Edit>;

#[test]
fn every_batch_in_any_world_tells_what_it_parted_and_joined() {
    for kind in WorldKind::ALL {
        for seed in 206..209 {
            let plan = random_world(seed, kind);
            check_story(&plan, 20, seed, random_batch, &format!("{kind:?} {seed}"));
        }
    }
}

/// Around a corner where four sectors meet, three of them with negative coordinates.
const SPECKS: Rect = Rect {
    low: Column::new(-5, -5),
    high: Column::new(4, 4),
};

/// Some cells come and go, and a piece of a row or column.
fn few_cells(dice: &mut Dice, world: &PlainWorld) -> Vec<Edit> {
    let column = |dice: &mut Dice| Column::new(dice.between(-5, 4), dice.between(-5, 4));
    let mut edits: Vec<Edit> = (0..dice.below(4))
        .map(|_| {
            let cell = column(dice).at(0);
            match world.terrain(cell) {
                Some(_) => take(cell),
                None => put(cell),
            }
        })
        .collect();
    if edits.is_empty() || dice.chance(1, 2) {
        let low = column(dice);
        let length = dice.between(0, 4);
        let high = if dice.chance(1, 2) {
            Column::new(low.x + length, low.y)
        } else {
            Column::new(low.x, low.y + length)
        };
        let shape = Shape::Box(Rect { low, high });
        edits.push(if dice.chance(1, 2) {
            Edit::Clear {
                shape,
                heights: (0, 0),
            }
        } else {
            Edit::Fill {
                shape,
                z: 0,
                terrain: Terrain::GROUND,
            }
        });
    }
    edits
}

/// The same, and walls and doors between any two cells of the four sectors.
fn few_cells_and_doors(dice: &mut Dice, world: &PlainWorld) -> Vec<Edit> {
    let cell = |dice: &mut Dice| Cell::flat(dice.between(-5, 4), dice.between(-5, 4));
    let gate = |dice: &mut Dice| {
        if dice.chance(1, 2) {
            Gate::Open
        } else {
            Gate::Closed
        }
    };
    let mut edits = if dice.chance(1, 2) {
        few_cells(dice, world)
    } else {
        Vec::new()
    };
    let passages: Vec<Passage> = world.passages().collect();
    for _ in 0..=dice.below(3) {
        let known = dice.pick(&passages).copied();
        edits.push(match (dice.below(6), known) {
            (0..=2, Some(passage)) => set_gate(&passage, gate(dice)),
            (3, Some(passage)) if passages.len() > 6 => Edit::RemovePassage((&passage).into()),
            (0..=3, _) => {
                let (from, to) = (cell(dice), cell(dice));
                if from == to {
                    continue;
                }
                Edit::PutPassage(door(from, to, gate(dice)))
            }
            (number, _) => {
                let side = if dice.chance(1, 2) {
                    WallSide::East
                } else {
                    WallSide::South
                };
                let cell = cell(dice);
                match number {
                    4 => Edit::PutWall(Wall { cell, side }),
                    _ => Edit::RemoveWall(Wall { cell, side }),
                }
            }
        });
    }
    edits
}

// Many small regions come and go at once, often as many as go: every way in which a sector may
// look the same after a batch though it is not.
#[test]
fn every_batch_among_specks_tells_what_it_parted_and_joined() {
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let cells = SPECKS.columns().filter(|_| dice.chance(1, 2));
        let plan = WorldPlan {
            cells: cells
                .map(|column| (column.at(0), Terrain::GROUND))
                .collect(),
            ..WorldPlan::default()
        };
        check_story(&plan, 40, seed, few_cells, &format!("specks {seed}"));
        let note = format!("specks and doors {seed}");
        check_story(&plan, 40, seed, few_cells_and_doors, &note);
    }
}

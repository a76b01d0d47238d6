//! What a batch says it parted and joined, against components found cell by cell.

use wayfarer_base::{
    Column, LinkDirection, LinkState, NavLinkKind, Rect, Shape, Terrain, Wall, WallSide, WorldData,
};
use wayfarer_testkit::ascii;

use super::both::{Both, put, take};
use super::*;

/// Applies a batch to a drawn world; everything is compared with the oracle, and so many pairs
/// must be parted and joined.
#[track_caller]
fn check_pairs(both: &mut Both, batch: &[GroundEdit], n_disconnected: usize, n_joined: usize) {
    let changes = both.apply(batch);
    let found = (changes.split_pairs.len(), changes.merged_pairs.len());
    assert_eq!(found, (n_disconnected, n_joined), "{changes:?}");
    // And all the way back.
    let changes = both.apply(&changes.inverse());
    let found = (changes.split_pairs.len(), changes.merged_pairs.len());
    assert_eq!(found, (n_joined, n_disconnected), "undone: {changes:?}");
}

fn clear(low: Column, high: Column) -> GroundEdit {
    GroundEdit::Clear {
        shape: Shape::Box(Rect::around(low, high)),
        heights: (0, 0),
    }
}

fn door(from: Cell, to: Cell, gate: LinkState) -> NavLink {
    NavLink {
        from,
        to,
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::from_units(5_000),
        state: gate,
    }
}

fn set_gate(nav_link: &NavLink, gate: LinkState) -> GroundEdit {
    GroundEdit::SetNavLinkState {
        nav_link: nav_link.into(),
        state: gate,
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
        GroundEdit::PutWall(wall),
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
    let gate = door(Cell::flat(2, 0), Cell::flat(16, 0), LinkState::Open);
    plan.nav_links.push(gate);
    let mut both = Both::of(&plan);
    let batch = [take(Cell::flat(0, 0)), set_gate(&gate, LinkState::Closed)];
    check_pairs(&mut both, &batch, 1, 0);
}

#[test]
fn an_end_of_a_passage_goes_while_a_gate_turns_next_to_the_other_end() {
    let mut plan = ascii::world(
        "
        ...#############.#.#############.",
    );
    let near = door(Cell::flat(2, 0), Cell::flat(16, 0), LinkState::Open);
    let far = door(Cell::flat(18, 0), Cell::flat(32, 0), LinkState::Closed);
    plan.nav_links.extend([near, far]);
    let mut both = Both::of(&plan);
    let batch = [take(Cell::flat(2, 0)), set_gate(&far, LinkState::Open)];
    check_pairs(&mut both, &batch, 1, 1);
}

/// Applies batches to a world, and compares what each says with components before and after.
fn check_trace(plan: &WorldData, n_batches: usize, seed: u64, draw: Draw, note: &str) {
    let mut world = ReferenceWorld::new(plan);
    let mut rng = Rng::for_part(seed, 0x7061_7274);
    let batches: Vec<Vec<GroundEdit>> = (0..n_batches)
        .map(|_| {
            let edits = draw(&mut rng, &world);
            world.apply(&edits);
            edits
        })
        .collect();
    let profile = &plan.profile;
    shrink::check(&batches, |batches| {
        let mut ground = Ground::from_data(plan).unwrap();
        let mut world = ReferenceWorld::new(plan);
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

type Draw = fn(&mut Rng, &ReferenceWorld) -> Vec<GroundEdit>;

#[test]
fn every_batch_in_any_world_tells_what_it_parted_and_joined() {
    for kind in WorldKind::ALL {
        for seed in 206..209 {
            let plan = random_world(seed, kind);
            check_trace(&plan, 20, seed, random_batch, &format!("{kind:?} {seed}"));
        }
    }
}

/// Around a corner where four sectors meet, three of them with negative coordinates.
const SPECKS: Rect = Rect {
    low: Column::new(-5, -5),
    high: Column::new(4, 4),
};

/// Some cells come and go, and a piece of a row or column.
fn few_cells(rng: &mut Rng, world: &ReferenceWorld) -> Vec<GroundEdit> {
    let column = |rng: &mut Rng| Column::new(rng.between(-5, 4), rng.between(-5, 4));
    let mut edits: Vec<GroundEdit> = (0..rng.below(4))
        .map(|_| {
            let cell = column(rng).at(0);
            match world.terrain(cell) {
                Some(_) => take(cell),
                None => put(cell),
            }
        })
        .collect();
    if edits.is_empty() || rng.chance(1, 2) {
        let low = column(rng);
        let length = rng.between(0, 4);
        let high = if rng.chance(1, 2) {
            Column::new(low.x + length, low.y)
        } else {
            Column::new(low.x, low.y + length)
        };
        let shape = Shape::Box(Rect { low, high });
        edits.push(if rng.chance(1, 2) {
            GroundEdit::Clear {
                shape,
                heights: (0, 0),
            }
        } else {
            GroundEdit::Fill {
                shape,
                z: 0,
                terrain: Terrain::GROUND,
            }
        });
    }
    edits
}

/// The same, and walls and doors between any two cells of the four sectors.
fn few_cells_and_doors(rng: &mut Rng, world: &ReferenceWorld) -> Vec<GroundEdit> {
    let cell = |rng: &mut Rng| Cell::flat(rng.between(-5, 4), rng.between(-5, 4));
    let gate = |rng: &mut Rng| {
        if rng.chance(1, 2) {
            LinkState::Open
        } else {
            LinkState::Closed
        }
    };
    let mut edits = if rng.chance(1, 2) {
        few_cells(rng, world)
    } else {
        Vec::new()
    };
    let nav_links: Vec<NavLink> = world.nav_links().collect();
    for _ in 0..=rng.below(3) {
        let known = rng.pick(&nav_links).copied();
        edits.push(match (rng.below(6), known) {
            (0..=2, Some(nav_link)) => set_gate(&nav_link, gate(rng)),
            (3, Some(nav_link)) if nav_links.len() > 6 => {
                GroundEdit::RemoveNavLink((&nav_link).into())
            }
            (0..=3, _) => {
                let (from, to) = (cell(rng), cell(rng));
                if from == to {
                    continue;
                }
                GroundEdit::PutNavLink(door(from, to, gate(rng)))
            }
            (number, _) => {
                let side = if rng.chance(1, 2) {
                    WallSide::East
                } else {
                    WallSide::South
                };
                let cell = cell(rng);
                match number {
                    4 => GroundEdit::PutWall(Wall { cell, side }),
                    _ => GroundEdit::RemoveWall(Wall { cell, side }),
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
        let mut rng = Rng::new(seed);
        let cells = SPECKS.columns().filter(|_| rng.chance(1, 2));
        let plan = WorldData {
            cells: cells
                .map(|column| (column.at(0), Terrain::GROUND))
                .collect(),
            ..WorldData::default()
        };
        check_trace(&plan, 40, seed, few_cells, &format!("specks {seed}"));
        let note = format!("specks and doors {seed}");
        check_trace(&plan, 40, seed, few_cells_and_doors, &note);
    }
}

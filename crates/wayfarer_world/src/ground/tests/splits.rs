//! Split and merged pairs against components computed cell by cell.

use wayfarer_base::{
    Column, LinkDirection, LinkState, NavLinkKind, Rect, Shape, Terrain, Wall, WallSide, WorldData,
};
use wayfarer_testkit::ascii;

use super::both::{Both, put, remove};
use super::*;

/// Applies a batch to a drawn world and compares everything with the oracle; the batch must split
/// and merge these numbers of pairs.
#[track_caller]
fn check_pairs(both: &mut Both, batch: &[GroundEdit], n_split: usize, n_merged: usize) {
    let changes = both.apply(batch);
    let found = (changes.split_pairs.len(), changes.merged_pairs.len());
    assert_eq!(found, (n_split, n_merged), "{changes:?}");
    // The inverse merges what was split, and splits what was merged.
    let changes = both.apply(&changes.inverse());
    let found = (changes.split_pairs.len(), changes.merged_pairs.len());
    assert_eq!(found, (n_merged, n_split), "undone: {changes:?}");
}

fn clear(low: Column, high: Column) -> GroundEdit {
    GroundEdit::Clear {
        shape: Shape::Box(Rect::around(low, high)),
        heights: (0, 0),
    }
}

fn door(from: Cell, to: Cell, state: LinkState) -> NavLink {
    NavLink {
        from,
        to,
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::from_units(5_000),
        state,
    }
}

fn set_state(nav_link: &NavLink, state: LinkState) -> GroundEdit {
    GroundEdit::SetNavLinkState {
        nav_link: nav_link.into(),
        state,
    }
}

// The number of regions stays, and none has a portal out of the sector.
#[test]
fn a_split_is_reported_while_another_region_is_removed() {
    let world = "
        .#.###
        ...##.";
    for (x, y) in [(0, 0), (-30, 14), (-6, -2)] {
        let mut both = Both::drawn(&format!("= 0 at {x},{y}{world}"));
        let row = clear(Column::new(x, y + 1), Column::new(x + 5, y + 1));
        check_pairs(&mut both, &[row], 1, 0);
    }
    let mut both = Both::drawn(world);
    let cells = [remove(Cell::flat(1, 1)), remove(Cell::flat(5, 1))];
    check_pairs(&mut both, &cells, 1, 0);
}

#[test]
fn a_merge_is_reported_while_another_region_is_added() {
    let mut both = Both::drawn(".#.##");
    let cells = [put(Cell::flat(1, 0)), put(Cell::flat(4, 0))];
    check_pairs(&mut both, &cells, 0, 1);
}

// Each rank has one region before and after; the part that splits off changes its rank.
#[test]
fn a_split_is_reported_for_a_part_that_rises_to_the_rank_of_a_removed_one() {
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
        remove(Cell::new(0, 0, 20)),
        put(Cell::new(0, 0, -1)),
        GroundEdit::PutWall(wall),
    ];
    check_pairs(&mut both, &batch, 1, 0);
}

// In the far sector only the state of the nav link changes.
#[test]
fn a_split_is_reported_if_a_link_closes_while_the_floor_of_its_end_is_removed() {
    let mut plan = ascii::world(
        "
        ...#############...",
    );
    let link = door(Cell::flat(2, 0), Cell::flat(16, 0), LinkState::Open);
    plan.nav_links.push(link);
    let mut both = Both::new(&plan);
    let batch = [
        remove(Cell::flat(0, 0)),
        set_state(&link, LinkState::Closed),
    ];
    check_pairs(&mut both, &batch, 1, 0);
}

#[test]
fn a_split_is_reported_if_a_link_end_is_removed_while_a_link_toggles_at_the_other() {
    let mut plan = ascii::world(
        "
        ...#############.#.#############.",
    );
    let near = door(Cell::flat(2, 0), Cell::flat(16, 0), LinkState::Open);
    let far = door(Cell::flat(18, 0), Cell::flat(32, 0), LinkState::Closed);
    plan.nav_links.extend([near, far]);
    let mut both = Both::new(&plan);
    let batch = [remove(Cell::flat(2, 0)), set_state(&far, LinkState::Open)];
    check_pairs(&mut both, &batch, 1, 1);
}

/// Applies batches to a world, and checks the pairs of each against the components before and
/// after.
fn check_trace(plan: &WorldData, n_batches: usize, seed: u64, draw: Draw, note: &str) {
    let mut world = ReferenceWorld::new(plan);
    let mut rng = Rng::for_stream(seed, 0x7061_7274);
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
fn every_batch_in_any_world_reports_what_it_split_and_merged() {
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

/// Adds and removes some cells, and a piece of a row or column.
fn few_cells(rng: &mut Rng, world: &ReferenceWorld) -> Vec<GroundEdit> {
    let column = |rng: &mut Rng| Column::new(rng.between(-5, 4), rng.between(-5, 4));
    let mut edits: Vec<GroundEdit> = (0..rng.below(4))
        .map(|_| {
            let cell = column(rng).at(0);
            match world.terrain(cell) {
                Some(_) => remove(cell),
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

/// [`few_cells`], and walls and doors between any two cells of the four sectors.
fn few_cells_and_doors(rng: &mut Rng, world: &ReferenceWorld) -> Vec<GroundEdit> {
    let cell = |rng: &mut Rng| Cell::flat(rng.between(-5, 4), rng.between(-5, 4));
    let random_state = |rng: &mut Rng| {
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
            (0..=2, Some(nav_link)) => set_state(&nav_link, random_state(rng)),
            (3, Some(nav_link)) if nav_links.len() > 6 => {
                GroundEdit::RemoveNavLink((&nav_link).into())
            }
            (0..=3, _) => {
                let (from, to) = (cell(rng), cell(rng));
                if from == to {
                    continue;
                }
                GroundEdit::PutNavLink(door(from, to, random_state(rng)))
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
    without_dead_links(edits)
}

/// A batch without edits of links that it removed before, which are errors.
fn without_dead_links(edits: Vec<GroundEdit>) -> Vec<GroundEdit> {
    let mut removed = Vec::new();
    let mut kept = Vec::new();
    for edit in edits {
        match &edit {
            GroundEdit::RemoveNavLink(id) => removed.push(*id),
            GroundEdit::PutNavLink(nav_link) => removed.retain(|id| *id != nav_link.into()),
            GroundEdit::SetNavLinkState { nav_link, .. } if removed.contains(nav_link) => continue,
            _ => {}
        }
        kept.push(edit);
    }
    kept
}

// Many tiny regions are added and removed at once, often equally many, so that a sector may have as
// many regions and edges as before though its components changed.
#[test]
fn every_batch_among_tiny_regions_reports_what_it_split_and_merged() {
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
        let note = format!("tiny regions and doors {seed}");
        check_trace(&plan, 40, seed, few_cells_and_doors, &note);
    }
}

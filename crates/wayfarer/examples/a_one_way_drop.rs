//! A one-way drop: a step down from the ledge without a step back up.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::collections::BTreeSet;

use wayfarer::engine::World;
use wayfarer::engine::base::{Cell, GroundEdit, Terrain};
use wayfarer::engine::picture::Picture;

const LEDGE: &str = "\
wayfarer world 1
profile drop 3      # the default profile: up one step, down three
layer 0 0 3         # the ledge
|.....
|.....
layer 5 0 0         # the hollow
|......
|......
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, _) = World::from_file("ledge.world", LEDGE.as_bytes())?;
    let (ledge, hollow) = (Cell::new(0, 0, 3), Cell::flat(10, 0));
    show(&world);
    report(&world, ledge, hollow);

    println!("\nStones are piled up below the ledge.");
    let stones = [(7, 0, 1), (6, 0, 2)].map(|(x, y, z)| {
        let cell = Cell::new(x, y, z);
        let old = GroundEdit::RemoveCell {
            cell: Cell::flat(x, y),
        };
        let terrain = Terrain::GROUND;
        [old, GroundEdit::PutCell { cell, terrain }]
    });
    let last = GroundEdit::RemoveCell {
        cell: Cell::flat(5, 0),
    };
    let top = GroundEdit::PutCell {
        cell: Cell::new(5, 0, 3),
        terrain: Terrain::GROUND,
    };
    let edits: Vec<GroundEdit> = stones.into_iter().flatten().chain([last, top]).collect();
    let changes = world.apply(&edits)?;
    println!(
        "split: {} pairs, merged: {} pairs (it was one component before)",
        changes.split_pairs().len(),
        changes.merged_pairs().len()
    );
    show(&world);
    report(&world, ledge, hollow);
    Ok(())
}

/// Prints each floor as its height.
fn show(world: &World) {
    let bounds = Picture::from_ground(world.ground()).bounds();
    for y in bounds.low.y..=bounds.high.y {
        let heights = (bounds.low.x..=bounds.high.x).map(|x| {
            let floor = world.project_to_floor(wayfarer::engine::base::Column::new(x, y), 0);
            floor.map_or('#', |cell| {
                char::from_digit(cell.z.unsigned_abs(), 10).unwrap_or('?')
            })
        });
        println!("{}", heights.collect::<String>());
    }
}

fn report(world: &World, ledge: Cell, hollow: Cell) {
    let is_reachable = |from, to| {
        if reachable(world, from).contains(&to) {
            "yes"
        } else {
            "no"
        }
    };
    println!("down: {}", is_reachable(ledge, hollow));
    println!("up:   {}", is_reachable(hollow, ledge));
    let is_connected = world.is_connected(ledge, hollow) == Some(true);
    println!("one component: {is_connected} (one-way steps count)");
}

/// The cells reachable from `from`, by depth-first search.
fn reachable(world: &World, from: Cell) -> BTreeSet<Cell> {
    let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(cell) = open.pop() {
        let successors = world.successors(cell).into_iter().map(|(to, _)| to);
        open.extend(successors.filter(|to| found.insert(*to)));
    }
    found
}

//! A one-way drop: down from the ledge is a step, up again is none.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::collections::BTreeSet;

use wayfarer::World;
use wayfarer::base::{Cell, GroundEdit, Terrain};
use wayfarer::picture::Picture;

const LEDGE: &str = "\
wayfarer world 1
profile drop 3      # this walker climbs one step and dares to drop three
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
    tell(&world, ledge, hollow);

    println!("\nSomebody piles up stones under the ledge.");
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
        "parted: {} pairs, joined: {} pairs, they hung together before",
        changes.split_pairs().len(),
        changes.joined().len()
    );
    show(&world);
    tell(&world, ledge, hollow);
    Ok(())
}

/// The floors, each by its height.
fn show(world: &World) {
    let bounds = Picture::of_ground(world.ground()).bounds();
    for y in bounds.low.y..=bounds.high.y {
        let heights = (bounds.low.x..=bounds.high.x).map(|x| {
            let floor = world.project_to_floor(wayfarer::base::Column::new(x, y), 0);
            floor.map_or('#', |cell| {
                char::from_digit(cell.z.unsigned_abs(), 10).unwrap_or('?')
            })
        });
        println!("{}", heights.collect::<String>());
    }
}

fn tell(world: &World, ledge: Cell, hollow: Cell) {
    let whether = |from, to| {
        if reachable(world, from).contains(&to) {
            "yes"
        } else {
            "no"
        }
    };
    println!("down: {}", whether(ledge, hollow));
    println!("up:   {}", whether(hollow, ledge));
    let joined = world.is_connected(ledge, hollow) == Some(true);
    println!("one component: {joined} (either way counts)");
}

/// Every cell that steps lead to.
fn reachable(world: &World, from: Cell) -> BTreeSet<Cell> {
    let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(cell) = open.pop() {
        let steps = world.steps(cell).into_iter().map(|(to, _)| to);
        open.extend(steps.filter(|to| found.insert(*to)));
    }
    found
}

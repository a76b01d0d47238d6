//! A bridge over a road: two floors in one column, disconnected until the bridge is rebuilt lower.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::World;
use wayfarer::engine::base::{Cell, Column, GroundEdit, Rect, Shape};
use wayfarer::engine::picture::Picture;

const CROSSING: &str = "\
wayfarer world 1
profile height 3
layer 6 0 0         # the road
|...
|...
|...
|...
|...
layer 0 2 0         # the western bank and the ramp up, one step per cell
|...@@@@@@@@@...
cell 3 2 1 ground
cell 4 2 2 ground
cell 5 2 3 ground
layer 6 2 4         # the bridge
|...
cell 9 2 3 ground   # and down again
cell 10 2 2 ground
cell 11 2 1 ground
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, report) = World::from_file("crossing.world", CROSSING.as_bytes())?;
    println!("{report}\n");
    print!("{}", Picture::from_ground(world.ground()).to_text());
    print_connectivity(&world);

    let center = Column::new(7, 2);
    println!("\nProjection to a floor at {center}:");
    for z in [0, 4, 9] {
        let floor = world.project_to_floor(center, z).ok_or("no floor")?;
        println!("from height {z}: floor {floor}");
    }

    println!("\nThe bridge falls.");
    let bridge = GroundEdit::Clear {
        shape: Shape::Box(Rect::around(Column::new(6, 2), Column::new(8, 2))),
        heights: (4, 4),
    };
    let changes = world.apply([bridge])?;
    for (west, east) in changes.split_pairs() {
        println!("split: {west} from {east}");
    }
    print_connectivity(&world);

    println!("\nIt is rebuilt, too low for agents on the road.");
    let low = GroundEdit::Fill {
        shape: Shape::Box(Rect::around(Column::new(6, 2), Column::new(8, 2))),
        z: 2,
        terrain: Default::default(),
    };
    let changes = world.apply([low])?;
    println!(
        "split: {} pair, merged: {} pair",
        changes.split_pairs().len(),
        changes.merged_pairs().len()
    );
    print_connectivity(&world);
    Ok(())
}

fn print_connectivity(world: &World) {
    let state = |a: Cell, b: Cell| match world.is_connected(a, b) {
        Some(true) => "open",
        _ => "cut",
    };
    println!(
        "bridge {}, road {}, between them {}",
        state(Cell::flat(0, 2), Cell::flat(14, 2)),
        state(Cell::flat(7, 0), Cell::flat(7, 4)),
        state(Cell::flat(0, 2), Cell::flat(7, 0)),
    );
}

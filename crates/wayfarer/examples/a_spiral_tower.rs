//! Ten floors of spiral stairs in one sector: a broken stair splits the component, repair merges it.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::World;
use wayfarer::engine::base::{Cell, GroundEdit, Terrain, WorldData};
use wayfarer::engine::picture::Picture;

/// Steps of one turn of the stairs, the height of a floor.
const TURN: i32 = 12;
const N_FLOORS: i32 = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::from_data(&tower())?;
    let foot = Cell::new(1, 1, 0);
    let top = Cell::new(1, 1, N_FLOORS * TURN);

    println!("The first turn of the stairs, then the floor above:\n");
    print!("{}", first_turn(&world).to_text());

    let (n_cells, n_regions, n_sheets) = world.ground().counts();
    let column = foot.column();
    println!(
        "\n{n_cells} cells in {n_regions} regions, {n_sheets} sheets of one sector; {} floors in \
         column {column}",
        world.ground().floors(column).count()
    );
    report(&world, foot, top);

    let broken = Cell::new(4, 2, 5 * TURN + 4);
    println!("\nThe stair {broken} breaks.");
    let changes = world.apply([GroundEdit::RemoveCell { cell: broken }])?;
    for (below, above) in changes.split_pairs() {
        println!("split: {below} from {above}");
    }
    report(&world, foot, top);

    println!("\nThe stair is repaired.");
    let changes = world.apply(changes.inverse())?;
    println!("merged: {} pair", changes.merged_pairs().len());
    report(&world, foot, top);
    Ok(())
}

/// Stairs around a shaft of 4 by 4 columns, one step up per cell, with a landing in the center of
/// each floor.
fn tower() -> WorldData {
    let mut data = WorldData::default();
    for z in 0..=N_FLOORS * TURN {
        let (x, y) = match z % TURN {
            n @ 0..3 => (n, 0),
            n @ 3..6 => (3, n - 3),
            n @ 6..9 => (9 - n, 3),
            n => (0, 12 - n),
        };
        let stair = Cell::new(x + 1, y + 1, z);
        data.cells.push((stair, Terrain::GROUND));
        if z % TURN == 1 {
            for (x, y) in [(2, 2), (3, 2), (2, 3), (3, 3)] {
                data.cells.push((Cell::new(x, y, z), Terrain::SWAMP));
            }
        }
    }
    data
}

fn first_turn(world: &World) -> Picture {
    let mut data = world.ground().to_data();
    data.cells.retain(|(cell, _)| cell.z <= TURN + 1);
    Picture::from_data(&data)
}

fn report(world: &World, foot: Cell, top: Cell) {
    let words = match world.is_connected(foot, top) {
        Some(true) => "the top is reachable",
        _ => "the top is unreachable",
    };
    println!("{words}");
}

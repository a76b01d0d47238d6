//! A tower with ten floors of spiral stairs inside one sector: climbed, broken, repaired.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use wayfarer::World;
use wayfarer::base::{Cell, GroundEdit, Terrain, WorldData};
use wayfarer::picture::Picture;

/// Steps of one turn of the stairs, and with it the height of a floor.
const TURN: i32 = 12;
const N_FLOORS: i32 = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::from_plan(&tower())?;
    let foot = Cell::new(1, 1, 0);
    let top = Cell::new(1, 1, N_FLOORS * TURN);

    println!("From above, the first turn of the stairs, then the storey it leads to:\n");
    print!("{}", first_turn(&world).to_text());

    let (n_cells, n_regions, n_sheets) = world.ground().counts();
    let column = foot.column();
    println!(
        "\n{n_cells} cells in {n_regions} regions, {n_sheets} sheets of one sector; {} floors lie \
         over each other at {column}",
        world.ground().floors(column).count()
    );
    tell(&world, foot, top);

    let broken = Cell::new(4, 2, 5 * TURN + 4);
    println!("\nThe stair {broken} breaks.");
    let changes = world.apply([GroundEdit::RemoveCell { cell: broken }])?;
    for (below, above) in changes.split_pairs() {
        println!("parted: {below} from {above}");
    }
    tell(&world, foot, top);

    println!("\nA mason mends it.");
    let changes = world.apply(changes.inverse())?;
    println!("joined: {} pair", changes.joined().len());
    tell(&world, foot, top);
    Ok(())
}

/// Stairs round a shaft of 4 x 4 columns, a step up with every cell, and a landing in the middle
/// of each floor.
fn tower() -> WorldData {
    let mut plan = WorldData::default();
    for z in 0..=N_FLOORS * TURN {
        let (x, y) = match z % TURN {
            n @ 0..3 => (n, 0),
            n @ 3..6 => (3, n - 3),
            n @ 6..9 => (9 - n, 3),
            n => (0, 12 - n),
        };
        let stair = Cell::new(x + 1, y + 1, z);
        plan.cells.push((stair, Terrain::GROUND));
        if z % TURN == 1 {
            for (x, y) in [(2, 2), (3, 2), (2, 3), (3, 3)] {
                plan.cells.push((Cell::new(x, y, z), Terrain::SWAMP));
            }
        }
    }
    plan
}

fn first_turn(world: &World) -> Picture {
    let mut plan = world.ground().plan();
    plan.cells.retain(|(cell, _)| cell.z <= TURN + 1);
    Picture::of_plan(&plan)
}

fn tell(world: &World, foot: Cell, top: Cell) {
    let words = match world.is_connected(foot, top) {
        Some(true) => "the top can be reached from the foot",
        _ => "there is no way from the foot to the top",
    };
    println!("{words}");
}

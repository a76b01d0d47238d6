//! A bridge collapses: one edit takes ground and sight away and invalidates the paths over it.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

const RIVER: &[u8] = b"wayfarer world 1
layer 0 0 0
|............WW............
|............WW............
|............WW............
|..........................
|............WW............
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("river.world", RIVER, Scale::meters(1.0))?;
    let bridge = Area::rect(Position::new(12.0, 1.0, 0.0), Position::new(14.0, 2.0, 0.0));
    world.apply(&[Edit::add_floors(bridge.clone(), 0.0, Terrain::GROUND)])?;

    let mut searcher = Searcher::default();
    let to = Position::new(24.5, 1.5, 0.0);
    let mut soldiers = Vec::new();
    for rank in 0..12 {
        // In a column, the first beyond the bridge.
        let request = PathRequest::new(Position::new(17.5 - f64::from(rank), 1.5, 0.0), to);
        let path = world.find_path(&mut searcher, &request)?;
        soldiers.push((request, world.subscribe(path.clone()), path));
    }
    print!("{}", world.draw(&[&soldiers[11].2]));

    let changes = world.apply(&[Edit::add_floors(bridge, 0.0, Terrain::WATER)])?;
    println!(
        "\nThe bridge collapses: {} paths are invalidated.",
        changes.invalidated().len()
    );
    for (number, (request, subscription, path)) in (1..).zip(&soldiers) {
        let was_reported = changes.invalidated().contains(subscription);
        match world.repair(&mut searcher, request, path) {
            _ if !was_reported => println!("soldier {number:2} has crossed"),
            Ok(ford) => println!(
                "soldier {number:2} takes the ford: {:.2} m instead of {:.2}",
                ford.cost(),
                path.cost()
            ),
            Err(error) => println!("soldier {number:2} falls: {error}"),
        }
    }

    // The inverse of a change set builds the bridge again.
    let request = &soldiers[11].0;
    world.apply(&changes.inverse())?;
    println!(
        "rebuilt: {:.2} m",
        world.find_path(&mut searcher, request)?.cost()
    );
    Ok(())
}

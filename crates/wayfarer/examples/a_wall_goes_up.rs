//! A wall goes up across a subscribed path, which is repaired; then the wall is torn down again.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

const MEADOW: &[u8] = b"wayfarer world 1
layer 0 0 0
|....................
|....................
|....................
|....................
|....................
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("meadow.world", MEADOW, Scale::meters(1.0))?;
    let mut searcher = Searcher::default();
    let request = PathRequest::new(Position::new(1.5, 1.5, 0.0), Position::new(18.5, 1.5, 0.0));
    let path = world.find_path(&mut searcher, &request)?;
    let subscription = world.subscribe(path.clone());
    print!("{}", world.draw(&[&path]));

    // Two walls that overlap; the second one crosses the path.
    let wall = |y: f64| Solid::cuboid(Position::new(9.0, y, 0.0), Position::new(11.0, 4.0, 3.0));
    let (first, changes) = world.add_solid(wall(2.0))?;
    println!(
        "\nfirst wall: {} paths invalidated",
        changes.invalidated().len()
    );
    let (second, changes) = world.add_solid(wall(0.0))?;
    let is_mine = changes.invalidated() == [subscription];
    println!("second wall: my path is invalidated: {is_mine}");
    println!("status: {}", world.status(&path));
    let repaired = world.repair(&mut searcher, &request, &path)?;
    print!("{}", world.draw(&[&repaired]));

    // Removing a wall restores what was there, also under the other one.
    world.remove_solid(first)?;
    println!("\nfirst wall gone, path {}", world.status(&repaired));
    world.remove_solid(second)?;
    println!("both gone: {}", world.status(&repaired));
    let again = world.find_path(&mut searcher, &request)?;
    println!("as before: {}", again.waypoints().eq(path.waypoints()));
    if let Err(error) = world.remove_solid(second) {
        println!("removed twice: {error}");
    }
    Ok(())
}

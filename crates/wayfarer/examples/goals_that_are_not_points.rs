//! Goals that are not points: any of several, near, in sight, an area; partial paths; a path kept.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

const HALL: &[u8] = b"wayfarer world 1
layer 0 0 0
|......................
|..........@....@@@@...
|..........@....@..@...
|..........@....@@@@...
|......................
";

fn main() -> Result<(), Box<dyn Error>> {
    let world = World::import("hall.world", HALL, Scale::meters(1.0))?;
    let mut searcher = Searcher::default();
    let at = |x, y| Position::new(x, y, 0.0);
    let (from, center, target) = (at(2.5, 2.5), at(13.5, 2.5), at(13.5, 2.5));
    let distance = 2.0;
    let room = Area::rect(at(19.0, 0.0), at(22.0, 5.0));
    for (name, goal) in [
        (
            "two chests",
            Goal::AnyOf(vec![at(20.5, 0.5), at(13.5, 4.5)]),
        ),
        ("within 2 m", Goal::Within { center, distance }),
        ("in sight", Goal::LineOfSightTo { target, distance }),
        ("a room", Goal::Area(room)),
    ] {
        let path = world.find_path(&mut searcher, &PathRequest::new(from, goal))?;
        println!("{name}: {:.2} m", path.length());
        print!("{}", world.draw(&[&path]));
    }

    // The cell has no door: the nearest place instead.
    let request = PathRequest {
        partial: PartialPolicy::NearestOctile,
        ..PathRequest::new(from, at(17.5, 2.5))
    };
    let path = world.find_path(&mut searcher, &request)?;
    let reason = path.partial();
    println!("the cell: {reason:?}, {:.2} m", path.length());

    // From halfway along, the path is kept although others cost the same.
    let previous = world.find_path(&mut searcher, &PathRequest::new(from, at(20.5, 2.5)))?;
    let request = PathRequest {
        previous: Some(previous.clone()),
        ..PathRequest::new(previous.cells()[5], at(20.5, 2.5))
    };
    let kept = world.find_path(&mut searcher, &request)?;
    println!("kept: {}", kept.cells() == &previous.cells()[5..]);
    Ok(())
}

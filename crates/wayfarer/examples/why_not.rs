//! A door closes, then the other one: the world explains what would open a path again.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{LinkState, NavLinkKind, ThinWall};

const HALL: &[u8] = b"wayfarer world 1
layer 0 0 0
|.....@.....
|...........
|.....@.....
|.....@.....
|.....@.....
|...........
|.....@.....
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("hall.world", HALL, Scale::meters(1.0))?;
    let mut searcher = Searcher::default();
    let at = |x, y| Position::new(x, y, 0.0);
    let mut doors = Vec::new();
    for y in [1.0, 5.0] {
        // A thin wall across the opening, and a door through it.
        let wall = Edit::add_wall(ThinWall {
            from: at(5.0, y),
            to: at(5.0, y + 1.0),
        });
        let door = NavLink::new(at(4.5, y + 0.5), at(5.5, y + 0.5), NavLinkKind::Door);
        let changes = world.apply(&[wall, Edit::add_link(door)])?;
        doors.extend(changes.new_links());
    }
    let request = PathRequest::new(at(1.5, 0.5), at(9.5, 0.5));
    let mut path = world.find_path(&mut searcher, &request)?;
    print!("{}", world.draw(&[&path]));

    for door in doors {
        world.apply(&[Edit::set_link_state(door, LinkState::Closed)])?;
        println!("\n{door:?} closes; the path is {}", world.status(&path));
        match world.repair(&mut searcher, &request, &path) {
            Ok(repaired) => path = repaired,
            Err(NoPath::Unreachable) => {
                println!("{}", world.explain(&mut searcher, &request)?);
                break;
            }
            Err(error) => return Err(error.into()),
        }
        print!("{}", world.draw(&[&path]));
    }
    Ok(())
}

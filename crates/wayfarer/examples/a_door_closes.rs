//! A door closes: the subscribed path is invalidated and repaired; the last door leaves an explanation.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{LinkState, NavLinkId, NavLinkKind};
use wayfarer::engine::picture::Picture;
use wayfarer::engine::prelude::*;

const HALL: &str = "\
wayfarer world 1
layer 0 0 0
|@@@@@@@@@@@@@
|@.....@.....@
|@...........@
|@.....@.....@
|@.....@.....@
|@.....@.....@
|@...........@
|@@@@@@@@@@@@@
wall 5 2 0 east
wall 5 6 0 east
passage door 5 2 0 to 6 2 0 cost 1 open
passage door 5 6 0 to 6 6 0 cost 1 open
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, _) = World::from_file("hall.world", HALL.as_bytes())?;
    let mut searcher = Searcher::default();
    let request = PathRequest::new(Position::new(2.5, 1.5, 0.0), Position::new(10.5, 1.5, 0.0));
    let mut path = world
        .find_path(&mut searcher, &request)?
        .found()
        .ok_or("no path")?;
    show(&world, &path);

    for y in [2, 6] {
        let subscribed = world.subscribe(path.clone());
        let nav_link = NavLinkId {
            from: Cell::flat(5, y),
            to: Cell::flat(6, y),
            kind: NavLinkKind::Door,
        };
        let state = LinkState::Closed;
        let changes = world.apply([GroundEdit::SetNavLinkState { nav_link, state }])?;
        println!("\nThe door in row {y} closes.");
        println!("reported: {}", changes.invalidated == [subscribed]);
        println!("status: {:?}", world.status(&path));
        match world.repair(&mut searcher, &request, &path)? {
            Outcome::Found(repaired) => path = repaired,
            _ => {
                let explanation = world.explain(&mut searcher, &request)?;
                for option in &explanation.unblock_options {
                    println!("would unblock a path: the {} at {}", option.what, option.at);
                }
                break;
            }
        }
        show(&world, &path);
    }
    Ok(())
}

fn show(world: &World, path: &Path) {
    let mut picture = Picture::from_ground(world.ground());
    if let Some(walk) = path.as_ground_path() {
        picture.add_path(&walk.cells);
    }
    print!("{}", picture.to_text());
    println!("{} cells long", path.cost);
}

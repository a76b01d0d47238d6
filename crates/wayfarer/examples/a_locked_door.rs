//! A locked door splits the world for agents without the key; the change set reports the pairs.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::World;
use wayfarer::engine::base::{Cell, GroundEdit, LinkState, NavLinkId, NavLinkKind};
use wayfarer::engine::formats::world_file;
use wayfarer::engine::picture::Picture;

const VAULT: &str = "\
wayfarer world 1
layer 0 0 0
|@@@@@@@@@@@
|@....@....@
|@.........@
|@....@....@
|@@@@@@@@@@@
wall 4 2 0 east
passage door 4 2 0 to 5 2 0 cost 1 open
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let door = NavLinkId {
        from: Cell::flat(4, 2),
        to: Cell::flat(5, 2),
        kind: NavLinkKind::Door,
    };
    for keys in [0b00, 0b10] {
        println!("An agent with keys {keys:02b}:");
        let mut data = world_file::read_data(VAULT.as_bytes())?;
        data.profile.keys = keys;
        let mut world = World::from_data(&data)?;
        report(&world);
        for (state, words) in [
            (LinkState::Closed, "The door is closed."),
            (LinkState::Locked(0b10), "The door is locked with key 10."),
            (LinkState::Open, "The door is open."),
        ] {
            println!("\n{words}");
            let nav_link = door;
            let changes = world.apply([GroundEdit::SetNavLinkState { nav_link, state }])?;
            for (a, b) in changes.split_pairs() {
                println!("split: {a} from {b}");
            }
            for (a, b) in changes.merged_pairs() {
                println!("merged: {a} and {b}");
            }
            report(&world);
        }
        println!();
    }
    Ok(())
}

fn report(world: &World) {
    print!("{}", Picture::from_ground(world.ground()).to_text());
    let words = match world.is_connected(Cell::flat(1, 1), Cell::flat(9, 3)) {
        Some(true) => "the gold is reachable",
        _ => "the gold is unreachable",
    };
    println!("{words}");
}

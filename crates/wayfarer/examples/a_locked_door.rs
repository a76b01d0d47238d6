//! A locked door: closing it parts the world and says so, and who has the key walks through.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use wayfarer::World;
use wayfarer::base::{Cell, GroundEdit, LinkState, NavLinkId, NavLinkKind};
use wayfarer::formats::world_file;
use wayfarer::picture::Picture;

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
        println!("A walker with keys {keys:02b}:");
        let mut plan = world_file::read_data(VAULT.as_bytes())?;
        plan.profile.keys = keys;
        let mut world = World::from_data(&plan)?;
        tell(&world);
        for (gate, words) in [
            (LinkState::Closed, "The door is shut and barred."),
            (
                LinkState::Locked(0b10),
                "The bar is gone, the lock needs key 10.",
            ),
            (LinkState::Open, "The door stands open."),
        ] {
            println!("\n{words}");
            let nav_link = door;
            let changes = world.apply([GroundEdit::SetNavLinkState { nav_link, state: gate }])?;
            for (a, b) in changes.split_pairs() {
                println!("parted: {a} from {b}");
            }
            for (a, b) in changes.merged_pairs() {
                println!("joined: {a} and {b}");
            }
            tell(&world);
        }
        println!();
    }
    Ok(())
}

fn tell(world: &World) {
    print!("{}", Picture::from_ground(world.ground()).to_text());
    let words = match world.is_connected(Cell::flat(1, 1), Cell::flat(9, 3)) {
        Some(true) => "the gold can be reached",
        _ => "the gold is safe",
    };
    println!("{words}");
}

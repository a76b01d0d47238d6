//! A locked door splits the world for agents without the key; the change set reports the pairs.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{LinkState, NavLinkKind, ThinWall};

const VAULT: &[u8] = b"wayfarer world 1
layer 0 0 0
|....@....
|.........
|....@....
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("vault.world", VAULT, Scale::meters(1.0))?;
    let at = |x, y| Position::new(x, y, 0.0);
    let thief = world.add_agent_type(AgentType::GROUND)?;
    let warden = world.add_agent_type(AgentType {
        keys: 0b10,
        ..AgentType::GROUND
    })?;
    let wall = Edit::add_wall(ThinWall {
        from: at(4.0, 1.0),
        to: at(4.0, 2.0),
    });
    let door = NavLink::new(at(3.5, 1.5), at(4.5, 1.5), NavLinkKind::Door);
    let changes = world.apply(&[wall, Edit::add_link(door)])?;
    let door = changes.new_links().next().ok_or("one door")?;

    for (words, state) in [
        ("open", LinkState::Open),
        ("closed", LinkState::Closed),
        ("locked", LinkState::Locked(0b10)),
        ("unlocked", LinkState::Open),
    ] {
        let changes = world.apply(&[Edit::set_link_state(door, state)])?;
        println!("The door is {words}.");
        for (a, b) in changes.split() {
            println!("  split: {a} from {b}");
        }
        for (a, b) in changes.merged() {
            println!("  merged: {a} and {b}");
        }
        for (name, agent_type) in [("thief", thief), ("warden", warden)] {
            let is_open = world.is_connected(agent_type, at(0.5, 0.5), at(8.5, 2.5));
            println!("  the {name} gets the gold: {}", is_open == Some(true));
        }
    }
    Ok(())
}

//! A tower defense asks before it builds: which pairs of places would the tower cut off?
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

const PASS: &[u8] = b"wayfarer world 1
layer 0 0 0
|@@@@@@@@@@@@@@
|@............@
|@....@@@.....@
|@............@
|@@@@@@@@@@@@@@
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("pass.world", PASS, Scale::meters(1.0))?;
    let (spawn, base) = (Position::new(1.5, 2.5, 0.0), Position::new(12.5, 2.5, 0.0));
    let creep = world.add_agent_type(AgentType::GROUND)?;
    let giant = world.add_agent_type(AgentType {
        radius: 0.5,
        ..AgentType::GROUND
    })?;

    print!("{}", world.draw(&[]));
    for (x, y) in [(6.0, 1.0), (6.0, 3.0), (3.0, 2.0)] {
        let low = Position::new(x, y, 0.0);
        let tower = Solid::cuboid(low, Position::new(x + 1.0, y + 1.0, 4.0));
        let before = world.revision();
        let mut cut_off = Vec::new();
        for (name, agent_type) in [("creeps", creep), ("giants", giant)] {
            let edits = [Edit::add_solid(tower.clone())];
            let pairs = world.would_disconnect(&edits, &[(spawn, base)], agent_type)?;
            if !pairs.is_empty() {
                cut_off.push(name);
            }
        }
        // Asking changes nothing.
        assert_eq!(world.revision(), before);
        if cut_off.is_empty() {
            println!("a tower at {low}: built");
            world.add_solid(tower)?;
        } else {
            println!("a tower at {low}: no, it would cut off {cut_off:?}");
        }
    }
    Ok(())
}

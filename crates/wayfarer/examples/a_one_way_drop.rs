//! A one-way drop: down from a ledge, but not back up; connected, yet not reachable.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

const LEDGE: &[u8] = b"wayfarer world 1
layer 0 0 3         # the ledge
|.....
|.....
layer 5 0 0         # the hollow
|......
|......
";

fn main() -> Result<(), Box<dyn Error>> {
    let scale = Scale {
        step: 0.5,
        ..Scale::meters(1.0)
    };
    let mut world = World::import("ledge.world", LEDGE, scale)?;
    let (ledge, hollow) = (Position::new(0.5, 0.5, 1.5), Position::new(10.5, 0.5, 0.0));
    let mut searcher = Searcher::default();
    let jumper = world.add_agent_type(AgentType {
        max_drop: 1.5,
        ..AgentType::GROUND
    })?;
    let mut report = |world: &World| {
        for (name, from, to) in [("down", ledge, hollow), ("up", hollow, ledge)] {
            let request = PathRequest {
                agent_type: jumper,
                ..PathRequest::new(from, to)
            };
            match world.find_path(&mut searcher, &request) {
                Ok(path) => println!("{name}: cost {:.2}", path.cost()),
                Err(error) => println!("{name}: {error}"),
            }
        }
        println!("connected: {:?}", world.is_connected(jumper, ledge, hollow));
    };
    report(&world);

    println!("Stones are piled up below the ledge.");
    let stone = |x: f64, height: f64| {
        Solid::cuboid(
            Position::new(x, 0.0, 0.0),
            Position::new(x + 1.0, 1.0, height),
        )
    };
    world.apply(&[
        Edit::add_solid(stone(5.0, 1.0)),
        Edit::add_solid(stone(6.0, 0.5)),
    ])?;
    report(&world);
    Ok(())
}

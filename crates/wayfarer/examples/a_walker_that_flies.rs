//! One request finds a path that walks, takes off, flies over a gorge, lands and walks on.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let rows = "|...........@@@@@@...........\n".repeat(7);
    let gorge = format!("wayfarer world 1\nlayer 0 0 0\n{rows}");
    let mut world = World::import("gorge.world", gorge.as_bytes(), Scale::meters(1.0))?;
    world.add_air(Position::new(0.0, 0.0, 0.0), Position::new(28.0, 7.0, 8.0))?;
    let human = world.add_agent_type(AgentType::GROUND)?;
    let griffin = world.add_agent_type(AgentType {
        flight_cost: 3.0,
        take_off_cost: 1.0,
        ..AgentType::GROUND_AND_FLIGHT
    })?;

    let mut searcher = Searcher::default();
    let request = |agent_type| PathRequest {
        agent_type,
        ..PathRequest::new(Position::new(1.5, 3.5, 0.0), Position::new(26.5, 3.5, 0.0))
    };
    println!(
        "a human: {:?}",
        world.find_path(&mut searcher, &request(human))
    );
    let path = world.find_path(&mut searcher, &request(griffin))?;
    println!("a griffin, cost {:.2}:", path.cost());
    for waypoint in path.traversal() {
        println!("  {} {:?}", waypoint.position, waypoint.next);
    }

    // A pillar rises in the gorge.
    let (low, high) = (Position::new(13.0, 2.0, 0.0), Position::new(15.0, 5.0, 8.0));
    world.add_solid(Solid::cuboid(low, high))?;
    println!("a pillar rises: {}", world.status(&path));
    let repaired = world.repair(&mut searcher, &request(griffin), &path)?;
    println!("repaired: cost {:.2}", repaired.cost());
    Ok(())
}

//! A world in meters, two agent types, and the path of each: the tank does not fit the gate.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

const TOWN: &[u8] = b"type octile
height 9
width 28
map
.............T..............
.............T..............
............................
.............T....SSSS......
.............T....SSSS......
.............T....SSSS......
............................
............................
............................
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::meters(0.5))?;
    println!("{}", world.import_report());
    let soldier = world.add_agent_type(AgentType {
        radius: 0.2,
        terrain_costs: vec![(Terrain::SWAMP, 3.0)],
        ..AgentType::GROUND
    })?;
    let tank = world.add_agent_type(AgentType {
        radius: 0.7,
        ..AgentType::GROUND
    })?;

    let mut searcher = Searcher::default();
    let (from, to) = (Position::new(2.0, 1.2, 0.0), Position::new(12.5, 2.2, 0.0));
    for (name, agent_type) in [("soldier", soldier), ("tank", tank)] {
        let request = PathRequest {
            agent_type,
            ..PathRequest::new(from, to)
        };
        let path = world.find_path(&mut searcher, &request)?;
        println!("\n{name}: {:.2} m, cost {:.2}", path.length(), path.cost());
        for waypoint in path.waypoints() {
            println!("  {waypoint}");
        }
        print!("{}", world.draw(&[&path]));
    }
    Ok(())
}

//! World and planner are saved in the middle of a game and go on with the same results.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{Planner, PlannerEvent, PlannerOptions};

/// One tick of a game; what it returns tells two games apart.
fn tick(world: &mut World, planner: &mut Planner, number: u32) -> Result<String, Box<dyn Error>> {
    let x = f64::from(5 + number % 7);
    let low = Position::new(x, f64::from(number % 4), 0.0);
    world.add_solid(Solid::cuboid(low, Position::new(x + 1.0, 4.0, 3.0)))?;
    planner.update(world);
    let names = planner.take_events().into_iter().map(|event| match event {
        PlannerEvent::Found { .. } => "found",
        PlannerEvent::Invalidated { .. } => "invalidated",
        PlannerEvent::Repaired { .. } => "repaired",
        _ => "failed",
    });
    Ok(names.collect::<Vec<_>>().join(", "))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Scale::meters(1.0))?;
    let yard = Area::rect(Position::default(), Position::new(12.0, 6.0, 0.0));
    world.apply(&[Edit::add_floors(yard, 0.0, Terrain::GROUND)])?;
    let tank = world.add_agent_type(AgentType {
        radius: 0.5,
        ..AgentType::GROUND
    })?;
    let mut planner = Planner::new(PlannerOptions::default());
    let id = planner.request(PathRequest {
        agent_type: tank,
        ..PathRequest::new(Position::new(0.5, 3.5, 0.0), Position::new(11.5, 3.5, 0.0))
    });
    for number in 1..4 {
        tick(&mut world, &mut planner, number)?;
    }

    let bytes = (world.save(), planner.save());
    println!("saved at revision {}", world.revision().number);
    let mut loaded = World::load(&bytes.0)?;
    let mut loaded_planner = Planner::load(&bytes.1, &loaded)?;
    for number in 4..7 {
        let events = tick(&mut world, &mut planner, number)?;
        let again = tick(&mut loaded, &mut loaded_planner, number)?;
        println!(
            "tick {number}: {events}, the loaded game the same: {}",
            events == again
        );
    }
    println!("same path: {}", planner.path(id) == loaded_planner.path(id));

    let mut damaged = bytes.0;
    damaged[100] ^= 1;
    println!("damaged: {}", World::load(&damaged).is_err());
    Ok(())
}

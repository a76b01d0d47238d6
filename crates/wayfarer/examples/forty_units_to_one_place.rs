//! Forty soldiers and a tank follow flow fields to one square; a gate falls shut on the march.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

const CAMP: &[u8] = b"wayfarer world 1
layer 0 0 0
|............@...........
|............@...........
|........................
|............@...........
|............@...........
|........................
|........................
|........................
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("camp.world", CAMP, Scale::meters(1.0))?;
    let soldier = world.add_agent_type(AgentType::GROUND)?;
    let tank = world.add_agent_type(AgentType {
        radius: 1.2,
        ..AgentType::GROUND
    })?;
    let square = Area::rect(Position::new(20.0, 1.0, 0.0), Position::new(23.0, 5.0, 0.0));
    let goal = Goal::Area(square);
    let mut flow = world.flow_field(soldier, goal.clone(), Extent::within(200.0))?;
    let tank_flow = world.flow_field(tank, goal, Extent::within(200.0))?;
    let cost = tank_flow.cost(&world, Position::new(3.5, 4.5, 0.0));
    println!("cost of the tank: {:.2}", cost.unwrap_or_default());

    let mut units: Vec<Position> = Vec::new();
    for number in 0..40 {
        let (x, y) = (f64::from(number % 8), f64::from(number / 8));
        units.push(Position::new(x + 0.5, y + 0.5, 0.0));
    }
    let mut n_steps = 0;
    while units.iter().any(|at| flow.next(&world, *at).is_some()) {
        if n_steps == 3 {
            let high = Position::new(13.0, 3.0, 3.0);
            world.add_solid(Solid::cuboid(Position::new(12.0, 2.0, 0.0), high))?;
            println!("the gate falls shut: {:?}", flow.update(&world));
        }
        for at in &mut units {
            *at = flow.next(&world, *at).unwrap_or(*at);
        }
        n_steps += 1;
    }
    let n_there = units
        .iter()
        .filter(|at| flow.cost(&world, **at) == Some(0.0));
    println!(
        "{} of 40 in the square after {n_steps} steps",
        n_there.count()
    );
    Ok(())
}

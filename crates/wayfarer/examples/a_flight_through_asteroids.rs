//! A ship flies through asteroids; one drifts onto its path, which is repaired.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Scale::meters(1.0))?;
    let side = 96.0;
    world.add_air(
        Position::new(0.0, 0.0, 0.0),
        Position::new(side, side, side),
    )?;
    let ship = world.add_agent_type(AgentType {
        radius: 1.5,
        ..AgentType::FLIGHT
    })?;
    let rock = |x: f64, y: f64, z: f64| Solid::cylinder(Position::new(x, y, z - 9.0), 9.0, 18.0);
    let mut rocks = Vec::new();
    for number in 0..27_u32 {
        let place = |by: u32| 16.0 + 32.0 * f64::from(number / by % 3);
        rocks.push(world.add_solid(rock(place(1), place(3), place(9)))?.0);
    }
    let mut searcher = Searcher::default();
    let request = PathRequest {
        agent_type: ship,
        ..PathRequest::new(
            Position::new(2.5, 2.5, 2.5),
            Position::new(93.5, 93.5, 90.5),
        )
    };
    let path = world.find_path(&mut searcher, &request)?;
    println!(
        "{:.1} m through {} waypoints",
        path.length(),
        path.waypoints().count()
    );

    // The last rock drifts to the middle of the longest leg.
    let waypoints: Vec<Position> = path.waypoints().collect();
    let length = |leg: &[Position]| leg[0].distance(leg[1]);
    let legs = waypoints.windows(2);
    let longest = legs.max_by(|a, b| length(a).total_cmp(&length(b)));
    let leg = longest.ok_or("a leg")?;
    let [x, y, z] = leg[0].toward(leg[1], length(leg) / 2.0).units();
    world.remove_solid(rocks[26])?;
    world.add_solid(rock(x, y, z))?;
    println!("a rock drifts: {}", world.status(&path));
    let repaired = world.repair(&mut searcher, &request, &path)?;
    println!(
        "repaired: {:.1} m, {}",
        repaired.length(),
        world.status(&repaired)
    );
    Ok(())
}

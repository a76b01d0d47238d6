//! A path through a crowd: bodies that move block it, and it is found anew when they do.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::Categories;
use wayfarer::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Scale::meters(1.0))?;
    let square = Area::rect(Position::default(), Position::new(24.0, 24.0, 0.0));
    world.apply(&[Edit::add_floors(square, 0.0, Terrain::GROUND)])?;
    let walker = world.add_agent_type(AgentType::GROUND)?;
    let mut crowd = Vec::new();
    for number in 0..40_u32 {
        let (x, y) = (f64::from(number * 5 % 19), f64::from(number * 11 % 20));
        let position = Position::new(x + 2.5, y + 2.5, 0.0);
        let shape = BodyShape::disc(0.4);
        let person = world.add_body(Body {
            position,
            shape,
            ..Body::default()
        })?;
        crowd.push((person, position));
    }

    let mut searcher = Searcher::default();
    let (mut at, to) = (Position::new(0.5, 0.5, 0.0), Position::new(22.5, 22.5, 0.0));
    let request = |from| PathRequest {
        agent_type: walker,
        avoid_bodies: Categories::ALL,
        ..PathRequest::new(from, to)
    };
    let mut path = world.find_path(&mut searcher, &request(at))?;
    let (mut n_replanned, mut n_waits, mut n_ticks) = (0, 0, 0);
    while at != to && n_ticks < 300 {
        n_ticks += 1;
        // All people sway: a quarter of a meter to and fro.
        for (number, (_, position)) in (n_ticks..).zip(&mut crowd) {
            let [x, y, z] = position.units();
            let by = if number / 4 % 2 == 0 { 0.25 } else { -0.25 };
            *position = Position::new(x + by, y, z);
        }
        world.move_bodies(&crowd)?;
        if !world.status(&path).is_walkable() {
            n_replanned += 1;
            let Ok(found) = world.find_path(&mut searcher, &request(at)) else {
                n_waits += 1; // Enclosed for the moment.
                continue;
            };
            path = found;
        }
        let next = path.waypoints().find(|next| *next != at);
        at = at.toward(next.unwrap_or(to), 0.5);
        path = world.find_path(&mut searcher, &request(at)).unwrap_or(path);
    }
    println!("at {at} after {n_ticks} ticks, replanned {n_replanned} times, waited {n_waits}");
    Ok(())
}

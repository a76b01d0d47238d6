//! Thirty people walk through a gate one cell wide without walking through each other.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{Crowd, CrowdAgent, CrowdEvent, CrowdOptions};

const YARD: &[u8] = b"wayfarer world 1
layer 0 0 0
|............@............
|............@............
|............@............
|.........................
|............@............
|............@............
|............@............
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("yard.world", YARD, Scale::meters(1.0))?;
    let mut planner = Planner::new(PlannerOptions::default());
    let mut crowd = Crowd::new(&world, CrowdOptions::default())?;
    for number in 0..30 {
        let (x, y) = (f64::from(number % 6), f64::from(number / 6));
        let body = Body {
            position: Position::new(1.0 + 1.5 * x, 0.5 + 1.4 * y, 0.0),
            shape: BodyShape::disc(0.3),
            blocks_movement: false, // The crowd itself keeps its agents apart.
            ..Body::default()
        };
        let body = world.add_body(body)?;
        let agent = crowd.add(&world, body, CrowdAgent::default())?;
        let goal = Position::new(24.5 - 1.5 * x, 0.5 + 1.4 * y, 0.0);
        crowd.order(&mut planner, agent, goal)?;
    }
    let (mut n_there, mut max_overlap) = (0, 0.0_f64);
    for tick in 1..=3_000 {
        planner.update(&world);
        crowd.tick(&mut world, &mut planner)?;
        max_overlap = max_overlap.max(crowd.max_overlap());
        let is_end = |event: &&CrowdEvent| {
            matches!(
                event,
                CrowdEvent::Arrived { .. } | CrowdEvent::Settled { .. }
            )
        };
        let before = n_there / 10;
        n_there += crowd.take_events().iter().filter(is_end).count();
        if n_there / 10 > before {
            println!(
                "{n_there} have arrived after {:.0} s",
                f64::from(tick) / 30.0
            );
        }
    }
    println!("overlap at most 5 % of a radius: {}", max_overlap <= 0.05);
    Ok(())
}

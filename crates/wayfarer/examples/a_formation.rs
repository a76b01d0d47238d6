//! A line of soldiers becomes a column in a gap and a line again behind it.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{Crowd, CrowdAgent, CrowdOptions, Formation};

const MEADOW: &[u8] = b"wayfarer world 1
layer 0 0 0
|..............@..............
|..............@..............
|..............@..............
|..............@..............
|.............................
|.............................
|..............@..............
|..............@..............
|..............@..............
|..............@..............
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("meadow.world", MEADOW, Scale::meters(1.0))?;
    let mut planner = Planner::new(PlannerOptions::default());
    let mut crowd = Crowd::new(&world, CrowdOptions::default())?;
    let mut soldiers = Vec::new();
    for number in 0..5 {
        let body = Body {
            position: Position::new(2.5, 3.0 + f64::from(number), 0.0),
            shape: BodyShape::disc(0.3),
            blocks_movement: false,
            ..Body::default()
        };
        let body = world.add_body(body)?;
        soldiers.push(crowd.add(&world, body, CrowdAgent::default())?);
    }
    let goal = Position::new(26.5, 5.0, 0.0);
    crowd.order_group(&mut planner, &soldiers, goal, (Formation::Line, 1.5))?;
    for tick in 0..=840 {
        planner.update(&world);
        crowd.tick(&mut world, &mut planner)?;
        if tick % 168 == 0 {
            let at = soldiers.iter().filter_map(|id| crowd.position(*id));
            let at: Vec<[f64; 3]> = at.map(|at| at.units()).collect();
            let spread = |axis: usize| {
                let along = at.iter().map(|at| at[axis]);
                let low = along.clone().fold(f64::INFINITY, f64::min);
                along.fold(f64::NEG_INFINITY, f64::max) - low
            };
            let (x, wide, deep) = (at[2][0], spread(1), spread(0));
            println!("at x = {x:.0}: {wide:.0} m wide, {deep:.0} m deep");
        }
    }
    Ok(())
}

//! A thousand requests under a budget per tick: fair waiting, repair, and steps to steer to.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{Planner, PlannerEvent, PlannerOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(Scale::meters(1.0))?;
    let plain = Area::rect(Position::default(), Position::new(120.0, 120.0, 0.0));
    world.apply(&[Edit::add_floors(plain, 0.0, Terrain::GROUND)])?;
    let mut planner = Planner::new(PlannerOptions {
        budget: Budget::expansions(40_000),
        ..PlannerOptions::default()
    });
    let at = |number: u32, x: f64| Position::new(x, 0.5 + f64::from(number % 100), 0.0);
    let requests: Vec<_> = (0..1_000)
        .map(|n| planner.request(PathRequest::new(at(n, 1.5), at(n * 7, 118.5))))
        .collect();
    let mut positions: Vec<Position> = (0..1_000).map(|n| at(n, 1.5)).collect();

    for tick in 1..=200 {
        if tick == 20 {
            let (low, high) = (
                Position::new(60.0, 20.0, 0.0),
                Position::new(61.0, 90.0, 3.0),
            );
            world.add_solid(Solid::cuboid(low, high))?;
        }
        planner.update(&world);
        let (mut n_found, mut n_invalidated, mut n_repaired) = (0, 0, 0);
        for event in planner.take_events() {
            match event {
                PlannerEvent::Found { .. } => n_found += 1,
                PlannerEvent::Invalidated { .. } => n_invalidated += 1,
                PlannerEvent::Repaired { .. } => n_repaired += 1,
                other => println!("{other:?}"),
            }
        }
        if n_found + n_invalidated + n_repaired > 0 {
            println!("tick {tick}: {n_found} found, {n_invalidated} cut, {n_repaired} repaired");
        }
        for (id, at) in requests.iter().zip(&mut positions) {
            if let Some(step) = planner.advance(*id, *at) {
                *at = at.toward(step.target, 1.0);
            }
        }
    }
    let n_arrived = requests.iter().zip(&positions);
    let n_arrived = n_arrived.filter_map(|(id, at)| planner.advance(*id, *at));
    println!(
        "{} arrived",
        n_arrived.filter(|step| step.has_arrived).count()
    );
    println!("longest wait: {} ticks", planner.stats().max_wait);
    Ok(())
}

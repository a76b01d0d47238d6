//! Bodies registered once: near, seen past a tower, reported by a sensor with line of sight.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::f64::consts::FRAC_PI_2;

use wayfarer::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let at = |x, y| Position::new(x, y, 0.0);
    let mut world = World::new(Scale::meters(1.0))?;
    let plain = Area::rect(at(0.0, 0.0), at(32.0, 12.0));
    world.apply(&[Edit::add_floors(plain, 0.0, Terrain::GROUND)])?;
    let tower = Solid::cuboid(at(14.0, 2.0), Position::new(17.0, 5.0, 8.0));
    let (tower, _) = world.add_solid(tower)?;
    let person = |position, team| Body {
        position,
        shape: BodyShape::disc(0.4),
        height: 1.8,
        team,
        ..Body::default()
    };
    let guard = world.add_body(person(at(3.5, 6.5), 1))?;
    let north = world.add_body(person(at(28.5, 3.5), 2))?;
    let south = world.add_body(person(at(28.5, 9.5), 2))?;

    // A quarter of a circle to the east, 30 m; the tower blocks sight.
    let footprint = Footprint::cone(at(3.5, 6.5), Heading::EAST, FRAC_PI_2, 30.0);
    let near = world.bodies_in(&footprint, BodyFilter::enemies_of(1))?;
    println!("enemies in range, seen or not: {}", near.len());
    world.add_sensor(Sensor {
        mount: guard.into(),
        footprint,
        filter: BodyFilter::enemies_of(1),
        requires_line_of_sight: true,
        eye_height: 1.7,
        ..Sensor::default()
    })?;
    for tick in 0..26 {
        let x = 28.5 - f64::from(tick);
        world.move_bodies(&[(north, at(x, 3.5)), (south, at(x, 9.5))])?;
        if tick == 12 {
            println!("tick 12: the tower falls");
            world.remove_solid(tower)?;
        }
        for event in world.update_sensors() {
            let (word, body) = match event {
                SensorEvent::Entered { body, .. } => ("sees", body),
                SensorEvent::Left { body, .. } => ("loses", body),
                _ => continue,
            };
            let is_north = body == north;
            println!("tick {tick}: the guard {word} a scout (the northern one: {is_north})");
        }
    }
    Ok(())
}

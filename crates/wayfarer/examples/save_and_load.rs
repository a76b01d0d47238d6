//! A snapshot: the loaded world continues exactly as the saved one; damage is detected.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::EditError;
use wayfarer::engine::base::{Fixed, Point2, Raster};
use wayfarer::engine::prelude::*;
use wayfarer::engine::world::bodies::{Body, BodyId, Footprint, Mount, Sensor, SensorId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let yard = Raster::from_bytes(12, 6, vec![0; 72]).ok_or("12 x 6 cells")?;
    let mut world = World::from_raster(&yard);
    let guard = register(&mut world, 2, 3)?;
    let thief = register(&mut world, 11, 3)?;
    let circle = Footprint::circle(Point2::default(), Fixed::from_raw(5 * 256));
    let sensor = world.add_sensor(Sensor::new(Mount::Body(guard), circle))?;
    let wall = (0..5).map(|y| GroundEdit::RemoveCell {
        cell: Cell::flat(6, y),
    });
    world.apply(wall)?;
    step(&mut world, thief, 7)?;
    report("before", &world, guard, thief, sensor)?;

    let bytes = world.save();
    let mut loaded = World::load(&bytes)?;
    let (revision, length) = (loaded.revision().number, bytes.len());
    println!("saved at revision {revision} in {length} bytes");
    report("loaded", &loaded, guard, thief, sensor)?;

    // Both worlds get the same edits.
    for world in [&mut world, &mut loaded] {
        world.apply([GroundEdit::RemoveCell {
            cell: Cell::flat(6, 5),
        }])?;
        step(world, thief, 9)?;
    }
    report("the saved world continues", &world, guard, thief, sensor)?;
    report("the loaded world continues", &loaded, guard, thief, sensor)?;
    println!("same bytes: {}", world.save() == loaded.save());

    // Damage is detected, and the error names the offset.
    let mut damaged = bytes;
    damaged[100] ^= 1;
    match World::load(&damaged) {
        Ok(_) => println!("the damage was not detected"),
        Err(error) => println!("damaged: {error}"),
    }
    Ok(())
}

fn at(x: i32, y: i32) -> Point2 {
    Point2::from_raw(x * 256 + 128, y * 256 + 128)
}

fn register(world: &mut World, x: i32, y: i32) -> Result<BodyId, Box<dyn std::error::Error>> {
    let changes = world.apply([BodyEdit::Register(Body::at(at(x, y)))])?;
    Ok(changes.new_bodies().next().ok_or("no body")?)
}

/// Moves the thief and updates the sensor.
fn step(world: &mut World, thief: BodyId, x: i32) -> Result<(), EditError> {
    world.apply([BodyEdit::MoveTo {
        id: thief,
        to: at(x, 3),
    }])?;
    world.update_sensors(&mut Vec::new());
    Ok(())
}

fn report(
    when: &str,
    world: &World,
    guard: BodyId,
    thief: BodyId,
    sensor: SensorId,
) -> Result<(), Box<dyn std::error::Error>> {
    let column = |id| world.bodies().body(id).map(|body| body.position.column());
    let (from, to) = (column(guard)?, column(thief)?);
    let is_connected = world.is_connected(from.at(0), to.at(0));
    let is_seen = world.detected_by(sensor).any(|id| id == thief);
    println!("{when}: guard at {from}, thief at {to}, connected {is_connected:?}, seen {is_seen}");
    Ok(())
}

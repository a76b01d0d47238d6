//! A game is saved in the middle of a story and goes on from the bytes as if nothing had happened.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use wayfarer::EditError;
use wayfarer::base::{Fixed, Point2, Raster};
use wayfarer::prelude::*;
use wayfarer::world::bodies::{Body, BodyId, Footprint, Mount, Sensor, SensorId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let yard = Raster::from_bytes(12, 6, vec![0; 72]).ok_or("12 x 6 cells")?;
    let mut world = World::from_raster(&yard);
    let guard = newcomer(&mut world, 2, 3)?;
    let thief = newcomer(&mut world, 11, 3)?;
    let circle = Footprint::circle(Point2::default(), Fixed::from_raw(5 * 256));
    let eyes = world.add_sensor(Sensor::new(Mount::Body(guard), circle))?;
    let wall = (0..5).map(|y| GroundEdit::RemoveCell {
        cell: Cell::flat(6, y),
    });
    world.apply(wall)?;
    step(&mut world, thief, 7)?;
    tell("before", &world, guard, thief, eyes)?;

    let bytes = world.save();
    let mut loaded = World::load(&bytes)?;
    let (revision, length) = (loaded.revision().0, bytes.len());
    println!("saved at revision {revision} in {length} bytes");
    tell("loaded", &loaded, guard, thief, eyes)?;

    // The same things happen to both.
    for world in [&mut world, &mut loaded] {
        world.apply([GroundEdit::RemoveCell {
            cell: Cell::flat(6, 5),
        }])?;
        step(world, thief, 9)?;
    }
    tell("the saved world goes on", &world, guard, thief, eyes)?;
    tell("the loaded world goes on", &loaded, guard, thief, eyes)?;
    println!("same bytes: {}", world.save() == loaded.save());

    // Damage is found, and the error says where.
    let mut damaged = bytes;
    damaged[100] ^= 1;
    match World::load(&damaged) {
        Ok(_) => println!("the damage was not noticed"),
        Err(error) => println!("damaged: {error}"),
    }
    Ok(())
}

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(
        Fixed::from_raw(x * 256 + 128),
        Fixed::from_raw(y * 256 + 128),
    )
}

fn newcomer(world: &mut World, x: i32, y: i32) -> Result<BodyId, Box<dyn std::error::Error>> {
    let changes = world.apply([BodyEdit::Register(Body::at(at(x, y)))])?;
    Ok(changes.new_bodies().next().ok_or("nobody came")?)
}

/// The thief moves, and the guard looks.
fn step(world: &mut World, thief: BodyId, x: i32) -> Result<(), EditError> {
    world.apply([BodyEdit::MoveTo {
        id: thief,
        to: at(x, 3),
    }])?;
    world.update_sensors(&mut Vec::new());
    Ok(())
}

fn tell(
    when: &str,
    world: &World,
    guard: BodyId,
    thief: BodyId,
    eyes: SensorId,
) -> Result<(), Box<dyn std::error::Error>> {
    let place = |id| world.bodies().body(id).map(|body| body.position.column());
    let (from, to) = (place(guard)?, place(thief)?);
    let path = world.is_connected(from.at(0), to.at(0));
    let seen = world.detected_by(eyes).any(|id| id == thief);
    println!("{when}: guard at {from}, thief at {to}, joined {path:?}, seen {seen}");
    Ok(())
}

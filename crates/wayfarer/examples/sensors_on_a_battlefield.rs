//! A sensor with line of sight: enter events of bodies behind a tower and a wagon.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{Fixed, Point2, Raster, Voxel};
use wayfarer::engine::prelude::*;
use wayfarer::engine::world::air::AirBuilder;
use wayfarer::engine::world::bodies::{
    Body, BodyFilter, BodyId, BodyShape, Footprint, Mount, Sensor, SensorEvent, Teams,
};

fn point(x: f64, y: f64) -> Point2 {
    let part = |at: f64| Fixed::from_cells(at).unwrap_or_default();
    Point2::new(part(x), part(y))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Raster::from_bytes(32, 12, vec![0; 32 * 12]).ok_or("32 x 12 cells")?;
    let air = AirBuilder::new(Voxel::new(0, 0, 0), [32, 12, 12])?.build()?;
    let mut world = World::from_raster(&map).with_air(air);

    // A tower of eight steps, a tall wagon, a guard in the west, two scouts in the east.
    let (low, high) = (Position::new(14.0, 2.0, 0.0), Position::new(17.0, 5.0, 8.0));
    let tower = Edit::FillBox {
        low,
        high,
        top: Terrain::GROUND,
    };
    let person = |x: f64, y: f64, team| Body {
        shape: BodyShape::Disc {
            radius: Fixed::from_raw(64),
        },
        height: Fixed::from_raw(2 * 256),
        team,
        ..Body::at(point(x, y))
    };
    let wagon = Body {
        shape: BodyShape::Box {
            half_x: Fixed::from_raw(256),
            half_y: Fixed::from_raw(512),
        },
        height: Fixed::from_raw(4 * 256),
        ..Body::at(point(12.0, 9.0))
    };
    let bodies = [
        person(3.5, 6.5, 1),
        person(28.5, 3.5, 2),
        person(28.5, 9.5, 2),
        wagon,
    ];
    let edits = bodies.map(|body| Edit::from(BodyEdit::Register(body)));
    let changes = world.apply(edits.into_iter().chain([tower]))?;
    let ids: Vec<BodyId> = changes.new_bodies().collect();
    let name = |id: BodyId| match ids.iter().position(|other| *other == id) {
        Some(1) => "the northern scout",
        Some(2) => "the southern scout",
        _ => "another body",
    };

    // The eye is 1.5 steps above the guard's feet; range 30 cells, enemies only.
    let circle = Footprint::circle(point(0.0, 0.0), Fixed::from_raw(30 * 256));
    let sensor = world.add_sensor(Sensor {
        eye_height: Some(Fixed::from_raw(384)),
        filter: BodyFilter {
            teams: Teams::only(2),
            ..BodyFilter::ALL
        },
        ..Sensor::new(Mount::Body(ids[0]), circle)
    })?;

    let mut events: Vec<SensorEvent> = Vec::new();
    for tick in 0..24 {
        let x = 28.5 - f64::from(tick);
        let moves = [(ids[1], 3.5), (ids[2], 9.5)];
        world.apply(moves.map(|(id, y)| BodyEdit::MoveTo {
            id,
            to: point(x, y),
        }))?;
        if tick == 12 {
            println!("tick {tick}: the tower falls");
            world.apply([Edit::CarveBox {
                low,
                high,
                floor: Some(Terrain::GROUND),
            }])?;
        }
        events.clear();
        world.update_sensors(&mut events);
        for event in &events {
            let (scout, kind) = (name(event.body), event.kind);
            println!("tick {tick}: {kind:?} {scout} at x = {x}");
        }
    }
    println!("in sight at the end: {}", world.detected_by(sensor).count());
    Ok(())
}

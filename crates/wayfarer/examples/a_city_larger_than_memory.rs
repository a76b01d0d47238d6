//! A traveler crosses a city of which a few tiles are loaded at a time, and a wall goes up far away.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::prelude::*;
use wayfarer::streaming::{CitySource, MemoryStore, StreamedLayout, StreamedWorld};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side = 4_096.0;
    let (low, high) = (Position::new(0.0, 0.0, 0.0), Position::new(side, side, 0.0));
    let layout = StreamedLayout::new(Scale::UNIT, low, high);
    let city = CitySource::new(4_096, 7)?;
    // Any store will do: wayfarer_store has a directory of files.
    let store = Box::new(MemoryStore::default());
    let mut world = StreamedWorld::create(&layout, Box::new(city.clone()), store, 2)?;
    let limit = world.memory().graph + (1 << 20);
    world.set_memory_limit(limit)?;

    let open = |mut cells: std::ops::Range<i32>| {
        let center = |at: i32| Position::new(f64::from(at) + 0.5, f64::from(at) + 0.5, 0.0);
        let found = cells.find(|at| city.terrain((*at, *at)) == Some(Terrain::GROUND));
        found.map(center).ok_or("no open ground")
    };
    let (from, to) = (open(0..100)?, open(4_000..4_096)?);
    let walker = AgentTypeId::DEFAULT;
    let mut path = world.find_path(walker, from, to)?;
    println!("{} of {} tiles are on the path", path.tiles().len(), 8 * 8);

    let mut searcher = Searcher::default();
    let (mut n_waypoints, mut most) = (0, 0);
    while let Some(leg) = world.next_leg(&mut searcher, &mut path)? {
        n_waypoints += leg.waypoints().len();
        most = most.max(world.loaded_tiles().len());
        assert!(world.memory().total() <= limit);
    }
    println!("walked {n_waypoints} waypoints, never more than {most} tiles loaded");

    // A wall across the whole city, in tiles that are loaded for it one after the other.
    let wall = |x: f64, y: f64| {
        let (low, high) = (
            Position::new(x, y, 0.0),
            Position::new(x + 1.0, y + 512.0, 4.0),
        );
        Edit::add_solid(Solid::cuboid(low, high))
    };
    for part in 0..8 {
        world.apply(&[wall(2_000.0, f64::from(part) * 512.0)])?;
    }
    println!(
        "connected behind the wall: {:?}",
        world.is_connected(walker, from, to)?
    );
    Ok(())
}

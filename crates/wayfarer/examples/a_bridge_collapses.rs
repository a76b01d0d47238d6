//! A bridge collapses: one edit changes ground, air and sight, and invalidates 8 of 12 paths.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{Location, Raster, Voxel};
use wayfarer::engine::picture::Picture;
use wayfarer::engine::prelude::*;
use wayfarer::engine::search::sight::OcclusionRules;
use wayfarer::engine::world::air::AirBuilder;

const RIVER: [&str; 9] = [
    "............##............",
    "............##............",
    "............##............",
    "............##............",
    "............##............",
    "............##............",
    "............##............",
    "..........................",
    "............##............",
];
const N_SOLDIERS: usize = 12;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = RIVER.concat().into_bytes().into_iter();
    let bytes = bytes.map(|letter| u8::from(letter == b'#') * 255).collect();
    let map = Raster::from_bytes(26, 9, bytes).ok_or("26 x 9 letters")?;
    let air = AirBuilder::new(Voxel::new(0, 0, -4), [26, 9, 12])?.build()?;
    // Columns without floors are transparent: the river does not block sight.
    let rules = OcclusionRules {
        is_void_transparent: true,
        ..OcclusionRules::default()
    };
    let mut world = World::from_raster(&map)
        .with_air(air)
        .with_occlusion_rules(rules);

    // The bridge: a deck one step thick, its top level with the banks.
    let (low, high) = (
        Position::new(12.0, 1.0, -1.0),
        Position::new(14.0, 2.0, 0.0),
    );
    world.apply([Edit::FillBox {
        low,
        high,
        top: Terrain::GROUND,
    }])?;

    let mut searcher = Searcher::default();
    let to = Position::new(24.5, 1.5, 0.0);
    let mut soldiers = Vec::new();
    for rank in 0..N_SOLDIERS {
        // In a column, the first at the far end of the bridge.
        let from = Position::new(17.5 - f64::from(u32::try_from(rank)?), 1.5, 0.0);
        let request = PathRequest::new(from, to);
        let path = world
            .find_path(&mut searcher, &request)?
            .found()
            .ok_or("no path")?;
        soldiers.push((request, world.subscribe(path.clone()), path));
    }
    draw(&world, &soldiers[N_SOLDIERS - 1].2);
    let below = Position::new(13.5, 0.5, -1.5);
    let above = Position::new(13.5, 2.5, 1.5);
    println!(
        "line of sight from below the bridge to above: {}",
        world.has_line_of_sight(below, above)
    );

    println!("\nThe bridge collapses.\n");
    let changes = world.apply([Edit::CarveBox {
        low,
        high,
        floor: None,
    }])?;
    println!(
        "{} of {N_SOLDIERS} paths are invalidated",
        changes.invalidated.len()
    );
    for (number, (request, subscribed, path)) in (1..).zip(&soldiers) {
        let was_reported = changes.invalidated.contains(subscribed);
        let on_bridge = match path.start() {
            Some(Location::Cell(cell)) => !world.is_walkable(cell),
            _ => false,
        };
        if on_bridge {
            println!("soldier {number:2} falls (reported: {was_reported})");
        } else if !was_reported {
            println!("soldier {number:2} has crossed: path still valid");
        } else {
            let repaired = world.repair(&mut searcher, request, path)?;
            let repaired = repaired.found().ok_or("the ford is open")?;
            let (now, then) = (repaired.cost, path.cost);
            println!("soldier {number:2} takes the ford: cost {now} instead of {then}");
        }
    }
    let last = &soldiers[N_SOLDIERS - 1];
    let repaired = world
        .repair(&mut searcher, &last.0, &last.2)?
        .found()
        .ok_or("no path")?;
    draw(&world, &repaired);
    println!(
        "line of sight from below the bridge to above: {}",
        world.has_line_of_sight(below, above)
    );
    Ok(())
}

fn draw(world: &World, path: &Path) {
    let cells = world.ground().nodes().map(|node| {
        let cell = world.ground().cell(node);
        (cell, Terrain::GROUND)
    });
    let mut picture = Picture::default();
    picture.add_ground(cells);
    if let Some(walk) = path.as_ground_path() {
        picture.add_path(&walk.cells);
    }
    print!("{}", picture.to_text());
}

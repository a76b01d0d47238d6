//! A ship flies through a field of asteroids; one drifts into its way, and the flight is repaired.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use wayfarer::base::{ChangeLog, Fixed, Point3, SearchEvent, Voxel};
use wayfarer::make::{Generator, Recipe, asteroids};
use wayfarer::search::air::{
    AirLog, FlightMethod, FlightRequest, FlightSearcher, OctreeParams, status,
};
use wayfarer::world::air::{Air, AirBuilder, AirEdit, Geometry, GeometryId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Every asteroid has a name of its own, so that it can move later.
    let recipe = Recipe {
        depth: 256,
        obstacles: Some(12),
        ..Recipe::new(Generator::Asteroids, 256, 256, 7)
    };
    let rocks = asteroids(&recipe)?;
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [256; 3])?;
    for (name, rock) in (0..).zip(&rocks) {
        let [x, y, z] = rock.center.map(u32::cast_signed);
        let radius = rock.radius.cast_signed();
        builder.geometry(GeometryId(name), ball(Voxel::new(x, y, z), radius))?;
    }
    let mut air = builder.build()?;
    let (n_rocks, n_solid) = (rocks.len(), air.n_solid());
    println!(
        "{n_rocks} asteroids, {n_solid} voxels of rock, {} nodes",
        air.n_nodes()
    );

    let from = air.nearest_free(air.low(), 40).ok_or("no room to start")?;
    let to = air.nearest_free(air.high(), 40).ok_or("no room to end")?;
    println!("from {from} to {to}\n");
    let ask = |params: OctreeParams| FlightRequest {
        method: FlightMethod::Octree(params),
        radius: Fixed::from_raw(3 * 128), // a ship 3 voxels wide
        ..FlightRequest::new(from, to)
    };
    let mut searcher = FlightSearcher::default();
    for name in ["short", "balanced", "fast"] {
        let params = OctreeParams::preset(name).ok_or("no such preset")?;
        let result = searcher.find(&air, &ask(params))?;
        let path = result.found().ok_or("no way through")?;
        let (length, expansions) = (path.length(), path.expansions);
        let legs = path.n_legs();
        println!("{name:9} {length:.1} voxels in {legs} legs, {expansions} expansions");
        let by_layer = searcher.expansions_by_layer();
        println!("          leaves, cubes of 8, of 16: {:?}", &by_layer[1..4]);
    }

    let request = ask(OctreeParams::BALANCED);
    let mut events: Vec<SearchEvent> = Vec::new();
    let result = searcher.find_observed(&air, &request, &mut events)?;
    let path = result.found().ok_or("no way through")?;
    println!("\nheard of the search: {} events", events.len());
    println!(
        "stays free: {}",
        stays_free(&air, &path.waypoints, request.radius)
    );

    // The largest asteroid drifts onto the middle of the longest leg.
    let legs = path.waypoints.windows(2);
    let longest = legs
        .max_by_key(|leg| leg[0].x.abs_diff(leg[1].x))
        .ok_or("no leg")?;
    let at = |a: i32, b: i32| i32::midpoint(a, b);
    let (a, b) = (longest[0], longest[1]);
    let drifts = Voxel::new(at(a.x, b.x), at(a.y, b.y), at(a.z, b.z));
    let mut log: AirLog = ChangeLog::new(4);
    log.push(air.apply(&[AirEdit::Put {
        name: GeometryId(0),
        geometry: ball(drifts, 12),
    }])?);
    println!("\nan asteroid drifts to {drifts}");
    println!("the flight: {:?}", status(&air, &log, &path));
    let repaired = searcher.repair(&air, &request, &path)?;
    let repaired = repaired.found().ok_or("no way round")?;
    println!(
        "mended: {:.1} voxels, {} legs kept, stays free: {}",
        repaired.path.length(),
        repaired.n_kept,
        stays_free(&air, &repaired.path.waypoints, request.radius)
    );
    Ok(())
}

fn ball(center: Voxel, radius: i32) -> Geometry {
    Geometry::Ball {
        center: middle(center),
        radius: Fixed::from_raw(radius * 256),
    }
}

fn middle(at: Voxel) -> Point3 {
    let part = |at: i32| Fixed::from_raw(at * 256 + 128);
    Point3 {
        x: part(at.x),
        y: part(at.y),
        z: part(at.z),
    }
}

/// True if a ball that follows the way meets nothing.
fn stays_free(air: &Air, path: &[Voxel], radius: Fixed) -> bool {
    let mut legs = path.windows(2);
    legs.all(|leg| air.sweep(middle(leg[0]), middle(leg[1]), radius).is_none())
}

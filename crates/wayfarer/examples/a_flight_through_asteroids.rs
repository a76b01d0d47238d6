//! A ship flies through asteroids by each octree preset; one drifts onto the path, which is repaired.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use wayfarer::engine::base::{ChangeLog, Fixed, Point3, SearchEvent, Voxel};
use wayfarer::engine::make::{Generator, Recipe, asteroids};
use wayfarer::engine::search::air::{
    AirLog, FlightMethod, FlightRequest, FlightSearcher, OctreeParams, status,
};
use wayfarer::engine::world::air::{Air, AirBuilder, AirEdit, Geometry, GeometryId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Every asteroid is a geometry with an id, so that it can move later.
    let recipe = Recipe {
        depth: 256,
        obstacles: Some(12),
        ..Recipe::new(Generator::Asteroids, 256, 256, 7)
    };
    let rocks = asteroids(&recipe)?;
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [256; 3])?;
    for (id, rock) in (0..).zip(&rocks) {
        let [x, y, z] = rock.center.map(u32::cast_signed);
        let radius = rock.radius.cast_signed();
        builder.add_geometry(GeometryId(id), ball(Voxel::new(x, y, z), radius))?;
    }
    let mut air = builder.build()?;
    let (n_rocks, n_solid) = (rocks.len(), air.n_solid());
    println!(
        "{n_rocks} asteroids, {n_solid} voxels of rock, {} nodes",
        air.n_nodes()
    );

    let from = air.nearest_free(air.low(), 40).ok_or("no free start")?;
    let to = air.nearest_free(air.high(), 40).ok_or("no free goal")?;
    println!("from {from} to {to}\n");
    let request = |params: OctreeParams| FlightRequest {
        method: FlightMethod::Octree(params),
        radius: Fixed::from_raw(3 * 128), // a ship 3 voxels wide
        ..FlightRequest::new(from, to)
    };
    let mut searcher = FlightSearcher::default();
    for name in ["short", "balanced", "fast"] {
        let params = OctreeParams::preset(name).ok_or("no such preset")?;
        let result = searcher.find(&air, &request(params))?;
        let path = result.found().ok_or("no path")?;
        let (length, expansions) = (path.length(), path.expansions);
        let legs = path.n_legs();
        println!("{name:9} {length:.1} voxels in {legs} legs, {expansions} expansions");
        let by_layer = searcher.expansions_by_layer();
        println!(
            "          expansions by node side 4, 8, 16: {:?}",
            &by_layer[1..4]
        );
    }

    let request = request(OctreeParams::BALANCED);
    let mut events: Vec<SearchEvent> = Vec::new();
    let result = searcher.find_observed(&air, &request, &mut events)?;
    let path = result.found().ok_or("no path")?;
    println!("\nobserved search: {} events", events.len());
    println!("clear: {}", is_clear(&air, &path.waypoints, request.radius));

    // The first asteroid moves to the center of the leg that is longest in x.
    let legs = path.waypoints.windows(2);
    let longest = legs
        .max_by_key(|leg| leg[0].x.abs_diff(leg[1].x))
        .ok_or("no leg")?;
    let middle = |a: i32, b: i32| i32::midpoint(a, b);
    let (a, b) = (longest[0], longest[1]);
    let target = Voxel::new(middle(a.x, b.x), middle(a.y, b.y), middle(a.z, b.z));
    let mut log: AirLog = ChangeLog::new(4);
    log.push(air.apply(&[AirEdit::Put {
        id: GeometryId(0),
        geometry: ball(target, 12),
    }])?);
    println!("\nan asteroid drifts to {target}");
    println!("status: {:?}", status(&air, &log, &path));
    let repaired = searcher.repair(&air, &request, &path)?;
    let repaired = repaired.found().ok_or("no repaired path")?;
    println!(
        "repaired: {:.1} voxels, {} legs kept, clear: {}",
        repaired.path.length(),
        repaired.n_kept,
        is_clear(&air, &repaired.path.waypoints, request.radius)
    );
    Ok(())
}

fn ball(center: Voxel, radius: i32) -> Geometry {
    Geometry::Ball {
        center: center_of(center),
        radius: Fixed::from_raw(radius * 256),
    }
}

fn center_of(at: Voxel) -> Point3 {
    let part = |at: i32| Fixed::from_raw(at * 256 + 128);
    Point3 {
        x: part(at.x),
        y: part(at.y),
        z: part(at.z),
    }
}

/// True if a ball swept along the path hits nothing.
fn is_clear(air: &Air, path: &[Voxel], radius: Fixed) -> bool {
    let mut legs = path.windows(2);
    legs.all(|leg| {
        air.sweep(center_of(leg[0]), center_of(leg[1]), radius)
            .is_none()
    })
}

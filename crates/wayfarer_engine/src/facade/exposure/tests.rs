use wayfarer_base::{Cost, Fixed, GroundEdit, Outcome, Point2, Profile, Rng, Terrain, Voxel};
use wayfarer_search::ground::Method;
use wayfarer_search::multimodal::FlightProfile;
use wayfarer_testkit::{ascii, dijkstra_until};
use wayfarer_world::air::AirBuilder;
use wayfarer_world::bodies::{Body, Footprint, Mount, Sensor};
use wayfarer_world::ground::SuccessorBuffer;

use super::super::tests::{found, open_world};
use super::super::{BodyEdit, Edit, Searcher};
use super::*;

fn world_of(rows: &[&str]) -> World {
    World::from_raster(&ascii::raster(&rows.join("\n")))
}

fn at(x: f64, y: f64, z: f64) -> Position {
    Position::new(x + 0.5, y + 0.5, z)
}

#[test]
fn a_costly_exposure_leads_the_path_behind_the_wall() {
    // The viewer in the north sees everything but the shadow of the wall.
    let world = world_of(&[
        "...........",
        "...........",
        "..#######..",
        "...........",
        "...........",
        "...........",
    ]);
    let mut searcher = Searcher::default();
    let viewers = vec![Viewer::new(at(5.0, 0.0, 1.0), 50.0)];
    let shortest = PathRequest::new(at(0.0, 1.0, 0.0), at(10.0, 1.0, 0.0));
    let safest = PathRequest {
        viewers: viewers.clone(),
        exposure_cost: CostMultiplier::from_sixteenths(160).unwrap(),
        ..shortest.clone()
    };
    let mut find = |request: &PathRequest| {
        let found = world.find_path(&mut searcher, request).unwrap();
        found.found().unwrap()
    };
    let (short, safe) = (find(&shortest), find(&safest));
    let seen = |path: &Path| {
        let exposures = world.path_exposure(path, &viewers);
        exposures.first().map_or(0, |one| one.positions.len())
    };
    assert_eq!(seen(&short), 11);
    assert!(seen(&safe) < 8, "{}", seen(&safe));
    let length = |path: &Path| path.as_ground_path().unwrap().length();
    assert!(length(&safe) > length(&short));
    // Exposure is part of the cost, and the shortest path would cost more.
    assert!(safe.cost > length(&safe));
    let per_cell = Cost::STRAIGHT.units() * 10;
    assert!(safe.cost < Cost::from_units(10 * per_cell));
}

#[test]
fn exposure_adds_up_over_viewers_and_ends_at_their_range() {
    let world = world_of(&["........."]);
    let mut searcher = Searcher::default();
    let mut cost = |viewers: Vec<Viewer>| {
        let request = PathRequest {
            viewers,
            exposure_cost: CostMultiplier::from_sixteenths(32).unwrap(),
            ..PathRequest::new(at(0.0, 0.0, 0.0), at(8.0, 0.0, 0.0))
        };
        let found = world.find_path(&mut searcher, &request).unwrap();
        found.found().unwrap().cost.units()
    };
    let one = Viewer::new(at(4.0, 0.0, 1.0), 100.0);
    let near = Viewer::new(at(4.0, 0.0, 1.0), 0.5);
    let step = Cost::STRAIGHT.units();
    assert_eq!(cost(vec![one]), 16 * step);
    assert_eq!(cost(vec![one, one]), 24 * step);
    // Half a step on either side of the short-sighted viewer, each rounded down.
    assert_eq!(cost(vec![one, near]), 16 * step + 2 * (step / 2));
    let half = Footprint::circle(
        world.scale().point(at(0.0, 0.0, 0.0)).unwrap(),
        Fixed::from_raw(1000),
    );
    let narrow = Viewer {
        footprint: Some(half),
        ..one
    };
    // Cells 0 to 3 and half of the step to the next.
    assert_eq!(cost(vec![narrow]), 8 * step + 3 * step + step / 2);
}

#[test]
fn a_flight_uses_solid_voxels_as_cover() {
    let mut builder = AirBuilder::new(Voxel::default(), [13, 9, 4]).unwrap();
    builder
        .add_box(Voxel::new(4, 3, 0), Voxel::new(8, 3, 3))
        .unwrap();
    let mut world = World::new(Profile::DEFAULT)
        .unwrap()
        .with_air(builder.build().unwrap())
        .with_occlusion_rules(wayfarer_search::sight::OcclusionRules {
            is_void_transparent: true,
            ..Default::default()
        });
    let agent_type = world.add_agent_type(FlightProfile::default()).unwrap();
    let viewers = vec![Viewer::new(at(6.0, 0.0, 1.5), 50.0)];
    let request = PathRequest {
        agent_type,
        viewers: viewers.clone(),
        exposure_cost: CostMultiplier::from_sixteenths(160).unwrap(),
        ..PathRequest::new(at(0.0, 2.0, 1.5), at(12.0, 2.0, 1.5))
    };
    let mut searcher = Searcher::default();
    let path = found(&world, &mut searcher, &request);
    let center = path
        .locations()
        .into_iter()
        .find_map(|location| match location {
            Location::Voxel(voxel) if voxel.x == 6 => Some(voxel.y),
            _ => None,
        });
    assert!(center > Some(3), "{center:?}"); // behind the box
    assert!(world.path_exposure(&path, &viewers)[0].positions.len() < 9);
}

#[test]
fn a_sensor_converts_to_a_viewer_and_tall_bodies_occlude() {
    let mut world = world_of(&[".........", "........."]);
    let point = |x: i32| Point2::from_raw(256 * x + 128, 128);
    let guard = Body {
        shape: BodyShape::Disc {
            radius: Fixed::from_raw(100),
        },
        height: Fixed::from_raw(512),
        ..Body::at(point(0))
    };
    let troll = Body {
        shape: BodyShape::Box {
            half_x: Fixed::from_raw(64),
            half_y: Fixed::from_raw(256),
        },
        height: Fixed::from_raw(1024),
        ..Body::at(point(4))
    };
    let added = world
        .apply([guard, troll, Body::at(point(8))].map(BodyEdit::Register))
        .unwrap();
    let ids: Vec<BodyId> = added.new_bodies().collect();
    let circle = Footprint::circle(point(0), Fixed::from_raw(20 * 256));
    let sensor = Sensor {
        eye_height: Some(Fixed::from_raw(400)),
        ..Sensor::new(Mount::Body(ids[0]), circle)
    };
    let sensor = world.add_sensor(sensor).unwrap();
    let mut events = Vec::new();
    world.update_sensors(&mut events);
    let seen: Vec<BodyId> = world.detected_by(sensor).collect();
    assert_eq!(seen, [ids[1]]);
    let viewer = world.viewer_of_sensor(sensor).unwrap();
    let request = PathRequest::new(at(0.0, 0.0, 0.0), at(8.0, 0.0, 0.0));
    let mut searcher = Searcher::default();
    let path = found(&world, &mut searcher, &request);
    let exposures = world.path_exposure(&path, &[viewer]);
    assert_eq!(exposures[0].n_samples, 9);
    let xs: Vec<f64> = exposures[0]
        .positions
        .iter()
        .map(|at| at.units()[0])
        .collect();
    assert_eq!(xs, [0.5, 1.5, 2.5, 3.5]);
    world.apply([BodyEdit::Unregister { id: ids[1] }]).unwrap();
    assert_eq!(world.path_exposure(&path, &[viewer])[0].positions.len(), 9);
    world.apply([BodyEdit::Unregister { id: ids[0] }]).unwrap();
    assert_eq!(world.viewer_of_sensor(sensor), None);
}

#[test]
fn filling_a_wall_hides_the_path_and_undoing_it_exposes_the_path() {
    let mut world = world_of(&[".........", ".........", "........."]);
    let viewer = Viewer::new(at(4.0, 0.0, 1.0), 50.0);
    let request = PathRequest::new(at(0.0, 2.0, 0.0), at(8.0, 2.0, 0.0));
    let mut searcher = Searcher::default();
    let path = found(&world, &mut searcher, &request);
    let n_seen = |world: &World| {
        let exposures = world.path_exposure(&path, &[viewer]);
        exposures.first().map_or(0, |one| one.positions.len())
    };
    assert_eq!(n_seen(&world), 9);
    let wall = Edit::FillBox {
        low: Position::new(0.0, 1.0, 0.0),
        high: Position::new(9.0, 2.0, 4.0),
        top: Terrain::GROUND,
    };
    let filled = world.apply([wall]).unwrap();
    assert_eq!(n_seen(&world), 0);
    world.apply(filled.inverse()).unwrap();
    assert_eq!(n_seen(&world), 9);
    let hill = GroundEdit::PutCell {
        cell: Cell::new(4, 1, 4),
        terrain: Terrain::GROUND,
    };
    world
        .apply([
            GroundEdit::RemoveCell {
                cell: Cell::flat(4, 1),
            },
            hill,
        ])
        .unwrap();
    assert!(n_seen(&world) < 9);
}

#[test]
fn an_agent_that_walks_and_flies_pays_exposure_in_both_modes() {
    let (world, agent_type) = open_world(9, 3, 4);
    let request = PathRequest {
        agent_type,
        viewers: vec![Viewer::new(at(4.0, 0.0, 1.0), 50.0)],
        exposure_cost: CostMultiplier::from_sixteenths(32).unwrap(),
        ..PathRequest::new(at(0.0, 1.0, 0.0), at(8.0, 1.0, 0.0))
    };
    let found = world.find_path(&mut Searcher::default(), &request);
    let Ok(Outcome::Found(path)) = found else {
        panic!("{found:?}");
    };
    assert_eq!(path.cost.units(), 16 * Cost::STRAIGHT.units());
}

#[test]
fn in_flight_the_target_is_the_voxel_center_and_not_half_a_height_above() {
    let (world, agent_type) = open_world(9, 1, 5);
    let request = PathRequest {
        agent_type,
        viewers: vec![Viewer::new(at(4.0, 0.0, 3.5), 0.2)],
        exposure_cost: CostMultiplier::from_sixteenths(32).unwrap(),
        ..PathRequest::new(at(0.0, 0.0, 3.5), at(8.0, 0.0, 3.5))
    };
    let found = world.find_path(
        &mut Searcher::default(),
        &PathRequest {
            viewers: Vec::new(),
            ..request.clone()
        },
    );
    let path = found.unwrap().found().unwrap();
    let exposures = world.path_exposure(&path, &request.viewers);
    assert_eq!(exposures.len(), 1);
    assert_eq!(exposures[0].positions, [at(4.0, 0.0, 3.5)]);
}

#[test]
fn the_own_body_occludes_neither_exposure_cost_nor_exposure_report() {
    let mut world = world_of(&["..............."; 5]);
    let center = |at: i32| Fixed::from_raw(256 * at + 128);
    let outline = BodyShape::Disc {
        radius: Fixed::from_raw(200),
    };
    let body = Body {
        shape: outline,
        height: Fixed::from_raw(512),
        ..Body::at(Point2::new(center(5), center(2)))
    };
    let added = world.apply([BodyEdit::Register(body)]).unwrap();
    let own = added.bodies[0].id();
    let viewers = vec![Viewer::new(at(12.0, 2.0, 1.0), 30.0)];
    let request = PathRequest {
        viewers: viewers.clone(),
        exposure_cost: CostMultiplier::from_sixteenths(32).unwrap(),
        own_body: Some(own),
        ..PathRequest::new(at(5.0, 2.0, 0.0), at(9.0, 2.0, 0.0))
    };
    let found = world.find_path(&mut Searcher::default(), &request).unwrap();
    let path = found.found().unwrap();
    assert_eq!(path.cost.units(), 2 * 4 * 1463);
    let exposures = world.path_exposure(&path, &viewers);
    assert_eq!(
        (exposures[0].positions.len(), exposures[0].n_samples),
        (5, 5)
    );
}

#[test]
fn a_path_whose_cost_overflows_is_beyond_the_cost_limit() {
    let world = world_of(&[&".".repeat(1_000)]);
    let request = PathRequest {
        viewers: vec![Viewer::new(at(500.0, 0.0, 1.0), 9_999.0)],
        exposure_cost: CostMultiplier::MAX,
        ..PathRequest::new(at(0.0, 0.0, 0.0), at(999.0, 0.0, 0.0))
    };
    let result = world.find_path(&mut Searcher::default(), &request).unwrap();
    assert_eq!(result, Outcome::BEYOND_COST_LIMIT);
}

#[test]
fn a_walk_is_sampled_per_cell_even_where_voxels_are_tiny() {
    let scale = crate::Scale::new(1_024.0, 1.0, 1.0 / 256.0).unwrap();
    let world = world_of(&[".........."]).with_scale(scale);
    let position = |x: i32| world.position_of(Cell::flat(x, 0).into());
    let request = PathRequest::new(position(0), position(9));
    let found = world.find_path(&mut Searcher::default(), &request).unwrap();
    let viewer = Viewer::new(position(5).raised(Position::PARTS), 1e9);
    let exposures = world.path_exposure(&found.found().unwrap(), &[viewer]);
    assert_eq!(exposures[0].n_samples, 10);
}

/// The optimal cost of a walk with exposure, by Dijkstra's algorithm over cells.
fn reference_cost(world: &World, request: &PathRequest) -> Option<Cost> {
    let registered = world.registered(request.agent_type).unwrap();
    let mut costs = RequestCosts::new(world, request, registered);
    let graph = world.multimodal_graph(registered).unwrap();
    let nav_graph = graph.nav_graph.unwrap();
    let mut buffer = SuccessorBuffer::default();
    let end = |at: Position| world.scale().cell(at).unwrap();
    let (from, to) = (end(request.from), end(request.to));
    let reached = dijkstra_until(from, Some(to), |at: Cell| {
        let node = nav_graph.node(at).unwrap();
        let successors: Vec<(Cell, Cost)> = nav_graph
            .successors(node, &mut buffer)
            .map(|(to, cost)| (nav_graph.cell(to), cost))
            .collect();
        let exposed = successors.into_iter().map(|(to, cost)| {
            let (here, there) = costs.step(at.into(), to.into()).unwrap();
            let extra = graph.extra_cost((at.into(), here), (to.into(), there));
            (to, cost + extra)
        });
        exposed.collect::<Vec<_>>()
    });
    reached.get(&to).copied()
}

#[test]
fn paths_past_viewers_cost_what_dijkstra_finds_or_at_most_the_bound_more() {
    let mut searcher = Searcher::default();
    let (mut n_found, mut n_detours, mut n_costlier) = (0, 0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let density = 1 + rng.below(3);
        let row = |rng: &mut Rng| -> String {
            let cell = |rng: &mut Rng| if rng.chance(density, 9) { '#' } else { '.' };
            (0..16).map(|_| cell(rng)).collect()
        };
        let rows: Vec<String> = (0..11).map(|_| row(&mut rng)).collect();
        let world = world_of(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let mut place = |height: f64| {
            let (x, y) = (rng.between(0, 15), rng.between(0, 10));
            at(f64::from(x), f64::from(y), height)
        };
        let (from, to) = (place(0.0), place(0.0));
        let viewers = vec![Viewer::new(place(1.0), 6.0), Viewer::new(place(1.0), 4.0)];
        let mut request = PathRequest {
            viewers,
            exposure_cost: CostMultiplier::from_sixteenths(80).unwrap(),
            ..PathRequest::new(from, to)
        };
        request.ground.method = Method::Optimal;
        let Ok(optimal) = world.find_path(&mut searcher, &request) else {
            continue; // An end is blocked.
        };
        let expected = reference_cost(&world, &request);
        let optimal = optimal.found();
        assert_eq!(
            optimal.as_ref().map(|path| path.cost),
            expected,
            "seed {seed}"
        );
        request.ground.method = Method::Bounded;
        let bounded = world.find_path(&mut searcher, &request).unwrap().found();
        let (Some(optimum), Some(bounded)) = (expected, bounded) else {
            assert_eq!(expected, None, "seed {seed}");
            continue;
        };
        assert!(
            bounded.includes_exposure && bounded.cost >= optimum,
            "seed {seed}"
        );
        let most = u64::from(optimum.units()) * 20;
        assert!(u64::from(bounded.cost.units()) * 16 <= most, "seed {seed}");
        n_found += 1;
        n_costlier += usize::from(bounded.cost > optimum);
        request.viewers.clear();
        let unexposed = world.find_path(&mut searcher, &request).unwrap().found();
        n_detours += usize::from(unexposed.unwrap().cost < optimum);
    }
    assert!(
        n_found > 40 && n_detours > 15 && n_costlier > 0,
        "{n_found} {n_detours} {n_costlier}"
    );
}

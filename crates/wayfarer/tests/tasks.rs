//! The tasks of a game programmer, as user code: everything comes from the prelude or the root.

use std::error::Error;
use std::f64::consts::FRAC_PI_3;

use wayfarer::prelude::*;
use wayfarer::{LinkState, NavLinkKind};

const TOWN: &[u8] = b"type octile
height 7
width 11
map
...........
...........
...........
TTTTT.TTTTT
...........
...........
...........
";

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

#[test]
fn task_1_a_world_in_meters_its_agents_a_path() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::meters(0.5))?;
    assert!(world.import_report().contains("10 trees"));
    let soldier = world.add_agent_type(AgentType {
        radius: 0.2,
        terrain_costs: vec![(Terrain::SWAMP, 3.0)],
        ..AgentType::GROUND
    })?;
    let tank = world.add_agent_type(AgentType {
        radius: 0.6,
        ..AgentType::GROUND
    })?;
    let mut searcher = Searcher::default();
    let (from, to) = (at(0.75, 0.75), at(0.75, 2.75));
    let request = |agent_type| PathRequest {
        agent_type,
        ..PathRequest::new(from, to)
    };
    let path = world.find_path(&mut searcher, &request(soldier))?;
    let waypoints: Vec<Position> = path.waypoints().collect();
    assert_eq!((waypoints[0], waypoints.last()), (from, Some(&to)));
    assert!(path.length() < path.cost() + 1e-3);
    // The gate is half a meter wide.
    let blocked = world.find_path(&mut searcher, &request(tank));
    assert_eq!(blocked, Err(NoPath::Unreachable));
    Ok(())
}

#[test]
fn task_2_a_wall_goes_up_and_is_torn_down() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::UNIT)?;
    let mut searcher = Searcher::default();
    let request = PathRequest::new(at(5.5, 0.5), at(5.5, 6.5));
    let path = world.find_path(&mut searcher, &request)?;
    let subscription = world.subscribe(path.clone());
    let (low, high) = (at(4.0, 1.0), Position::new(7.0, 2.0, 3.0));
    let (wall, changes) = world.add_solid(Solid::cuboid(low, high))?;
    assert!(changes.invalidated().contains(&subscription));
    let repaired = world.repair(&mut searcher, &request, &path)?;
    assert!(repaired.cost() > path.cost());
    world.remove_solid(wall)?;
    assert!(world.find_path(&mut searcher, &request)?.cost() <= path.cost());
    Ok(())
}

#[test]
fn task_3_may_i_build_here() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::UNIT)?;
    let soldier = world.add_agent_type(AgentType::GROUND)?;
    let (spawn, base) = (at(0.5, 0.5), at(0.5, 6.5));
    let tower = Solid::cuboid(at(5.0, 3.0), Position::new(6.0, 4.0, 3.0));
    let (saved, revision) = (world.save(), world.revision());
    let cut_off = world.would_disconnect(&[Edit::add_solid(tower)], &[(spawn, base)], soldier)?;
    assert_eq!(cut_off, [(spawn, base)]);
    assert_eq!((world.save(), world.revision()), (saved, revision));
    let beside = Solid::cuboid(at(8.0, 1.0), Position::new(9.0, 2.0, 3.0));
    let cut_off = world.would_disconnect(&[Edit::add_solid(beside)], &[(spawn, base)], soldier)?;
    assert!(cut_off.is_empty());
    Ok(())
}

#[test]
fn task_4_forty_units_to_one_place() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::UNIT)?;
    let soldier = world.add_agent_type(AgentType::GROUND)?;
    let square = Area::rect(at(8.0, 5.0), at(11.0, 7.0));
    let mut flow = world.flow_field(soldier, Goal::Area(square), Extent::within(200.0))?;
    let unit_position = at(0.5, 0.5);
    let heading = flow
        .heading(&world, unit_position)
        .ok_or("a way leads to the square")?;
    assert!(heading.unit()[0] > 0.5);
    assert_eq!(flow.heading(&world, at(0.5, 300.0)), None);
    world.add_solid(Solid::cuboid(at(5.0, 3.0), Position::new(6.0, 4.0, 3.0)))?;
    flow.update(&world);
    assert_eq!(flow.heading(&world, unit_position), None);
    Ok(())
}

#[test]
fn task_5_bodies_are_near_seen_and_avoided() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::UNIT)?;
    let (position, next) = (at(1.5, 0.5), at(1.5, 1.5));
    let unit = world.add_body(Body {
        position,
        shape: BodyShape::disc(0.4),
        height: 1.8,
        team: 1,
        ..Body::default()
    })?;
    let enemy = Body {
        position: at(6.5, 1.5),
        shape: BodyShape::disc(0.4),
        team: 2,
        ..Body::default()
    };
    let enemy = world.add_body(enemy)?;
    world.move_bodies(&[(unit, next)])?;
    let (eye, target) = (next, at(6.5, 1.5));
    let footprint = Footprint::cone(eye, Heading::toward(eye, target), FRAC_PI_3, 30.0);
    let near = world.bodies_in(&footprint, BodyFilter::enemies_of(1))?;
    assert_eq!(near, [enemy]);
    let sensor = world.add_sensor(Sensor {
        mount: unit.into(),
        footprint,
        requires_line_of_sight: true,
        ..Sensor::default()
    })?;
    let events = world.update_sensors();
    assert_eq!(
        events,
        [SensorEvent::Entered {
            sensor,
            body: enemy
        }]
    );
    Ok(())
}

#[test]
fn task_6_a_thousand_requests_a_budget_per_tick() -> Result<(), Box<dyn Error>> {
    let world = World::import("town.map", TOWN, Scale::UNIT)?;
    let mut planner = Planner::new(PlannerOptions {
        budget: Budget::expansions(20_000),
        ..Default::default()
    });
    let ids: Vec<_> = (0..1_000)
        .map(|number| {
            let x = f64::from(number % 11) + 0.5;
            planner.request(PathRequest::new(
                at(x, 0.5),
                at(10.5 - f64::from(number % 7), 6.5),
            ))
        })
        .collect();
    let mut n_found = 0;
    for _ in 0..30 {
        planner.update(&world);
        for event in planner.take_events() {
            assert!(matches!(event, PlannerEvent::Found { .. }), "{event:?}");
            n_found += 1;
        }
    }
    assert_eq!(n_found, 1_000);
    let step = planner
        .advance(ids[0], at(0.5, 0.5))
        .ok_or("it has a path")?;
    assert!(step.distance_left > 6.0);
    Ok(())
}

#[test]
fn task_7_partial_paths_and_the_previous_path() -> Result<(), Box<dyn Error>> {
    let world = World::import("town.map", TOWN, Scale::UNIT)?;
    let mut searcher = Searcher::default();
    let (from, target) = (at(0.5, 0.5), at(0.5, 3.5));
    let path = world.find_path(&mut searcher, &PathRequest::new(from, at(9.5, 6.5)))?;
    let request = PathRequest {
        partial: PartialPolicy::NearestOctile,
        previous: Some(path.clone()),
        ..PathRequest::new(
            from,
            Goal::Within {
                center: target,
                distance: 0.5,
            },
        )
    };
    // The target and all that is near it are trees.
    let partial = world.find_path(&mut searcher, &request)?;
    assert!(partial.partial().is_some());
    let kept = PathRequest {
        previous: Some(path.clone()),
        ..PathRequest::new(from, at(9.5, 6.5))
    };
    assert_eq!(world.find_path(&mut searcher, &kept)?.cells(), path.cells());
    Ok(())
}

#[test]
fn task_8_why_not() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::UNIT)?;
    let door = NavLink::new(at(5.5, 2.5), at(5.5, 4.5), NavLinkKind::Door);
    let (door, _) = world.add_link(door)?;
    world.apply(&[
        Edit::fill(at(5.0, 3.0), Position::new(6.0, 4.0, 3.0), Terrain::TREES),
        Edit::set_link_state(door, LinkState::Closed),
    ])?;
    let mut searcher = Searcher::default();
    let request = PathRequest::new(at(0.5, 0.5), at(0.5, 6.5));
    assert_eq!(
        world.find_path(&mut searcher, &request),
        Err(NoPath::Unreachable)
    );
    let explanation = world.explain(&mut searcher, &request)?;
    assert!(
        explanation
            .to_string()
            .contains("door at (5.50, 2.50, 0.00)"),
        "{explanation}"
    );
    Ok(())
}

#[test]
fn task_9_save_load_go_on_with_the_same_results() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::UNIT)?;
    let mut planner = Planner::new(PlannerOptions::default());
    let (from, to) = (at(0.5, 0.5), at(0.5, 6.5));
    let id = planner.request(PathRequest::new(from, to));
    planner.update(&world);
    let path = planner.path(id).ok_or("it has a path")?.clone();
    let subscription = world.subscribe(path.clone());
    let bytes = (world.save(), planner.save());
    let mut loaded = World::load(&bytes.0)?;
    let mut planner = Planner::load(&bytes.1, &loaded)?;
    assert_eq!(planner.path(id), Some(&path));
    let (wall, changes) =
        loaded.add_solid(Solid::cuboid(at(4.0, 1.0), Position::new(7.0, 3.0, 3.0)))?;
    assert_eq!(changes.invalidated(), [subscription]);
    planner.update(&loaded);
    assert!(!planner.take_events().is_empty());
    loaded.remove_solid(wall)?;
    Ok(())
}

#[test]
fn task_10_queries_on_a_background_thread() -> Result<(), Box<dyn Error>> {
    let mut world = World::import("town.map", TOWN, Scale::UNIT)?;
    let (mut replica, mut cursor) = (world.replica(), world.change_cursor());
    world.add_solid(Solid::cuboid(at(4.0, 1.0), Position::new(7.0, 2.0, 3.0)))?;
    let request = PathRequest::new(at(5.5, 0.5), at(5.5, 6.5));
    let expected = world.find_path(&mut Searcher::default(), &request)?;
    let changes = world.poll_changes(&mut cursor)?;
    let thread = std::thread::spawn(move || {
        replica.sync(&changes).map_err(|error| error.to_string())?;
        let path = replica.find_path(&mut Searcher::default(), &request);
        path.map_err(|error| error.to_string())
    });
    let found = thread.join().map_err(|_panic| "the thread panicked")??;
    assert_eq!(found, expected);
    Ok(())
}

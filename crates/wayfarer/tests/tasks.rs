//! The tasks of a game programmer, as user code: everything comes from the prelude or the root.

use std::error::Error;

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
    let subscription = world.subscribe(&path);
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
fn task_7_partial_paths_and_the_previous_path() -> Result<(), Box<dyn Error>> {
    let world = World::import("town.map", TOWN, Scale::UNIT)?;
    let mut searcher = Searcher::default();
    let (from, target) = (at(0.5, 0.5), at(0.5, 3.5));
    let path = world.find_path(&mut searcher, &PathRequest::new(from, at(9.5, 6.5)))?;
    let request = PathRequest {
        partial: PartialPolicy::NearestOctile,
        previous: Some(path.clone()),
        ..PathRequest::new(from, target)
    };
    // The target is a tree.
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

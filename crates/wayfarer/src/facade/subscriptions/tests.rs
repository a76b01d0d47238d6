//! An edit reports a subscribed path if and only if its status says that it cannot be walked any more.

use std::sync::OnceLock;

use wayfarer_engine::base::Rng;

use super::line_index::LineIndex;
use crate::body::Categories;
use crate::path::{PathData, PathSubscription};
use crate::prelude::*;

fn at(x: f64, y: f64, z: f64) -> Position {
    Position::new(x, y, z)
}

/// A flat world of `side` x `side` cells of one unit.
fn open_world(side: usize) -> World {
    let row = ".".repeat(side) + "\n";
    let map = format!(
        "type octile\nheight {side}\nwidth {side}\nmap\n{}",
        row.repeat(side)
    );
    World::import("a.map", map.as_bytes(), Scale::UNIT).unwrap()
}

fn number(rng: &mut Rng, below: f64) -> f64 {
    f64::from(rng.below(10_000)) / 10_000.0 * below
}

/// Subscribes a path, edits, and compares what is reported with what `status` says; returns whether it
/// was reported.
fn check(world: &mut World, path: &Path, edit: impl FnOnce(&mut World) -> WorldChanges) -> bool {
    let subscription = world.subscribe(path.clone());
    let changes = edit(world);
    let is_reported = changes.invalidated().contains(&subscription);
    assert_eq!(is_reported, !world.status(path).is_walkable(), "{path:?}");
    assert!(world.unsubscribe(subscription));
    is_reported
}

#[test]
fn solids_on_string_pulled_lines_are_reported_for_bodies_of_every_size() {
    let mut rng = Rng::new(3);
    let mut world = open_world(40);
    let types = [0.4, 1.0, 1.7].map(|radius| {
        let agent_type = AgentType {
            radius,
            ..AgentType::GROUND
        };
        world.add_agent_type(agent_type).unwrap()
    });
    let (mut n_reported, mut n_beside_cells) = (0, 0);
    for round in 0..400 {
        let mut point = || {
            at(
                3.0 + number(&mut rng, 34.0),
                3.0 + number(&mut rng, 34.0),
                0.0,
            )
        };
        let request = PathRequest {
            agent_type: types[round % 3],
            ..PathRequest::new(point(), point())
        };
        let path = world.find_path(&mut Searcher::default(), &request).unwrap();
        let low = point();
        let size = [(); 2].map(|()| 1.0 + number(&mut rng, 3.0));
        let [x, y, _] = low.units();
        let solid = Solid::cuboid(low, at(x + size[0], y + size[1], 2.0));
        let mut added = None;
        let is_reported = check(&mut world, &path, |world| {
            let (id, changes) = world.add_solid(solid).unwrap();
            added = Some(id);
            changes
        });
        n_reported += u32::from(is_reported);
        let is_inside = |cell: &Position| {
            let cell = cell.units();
            (x - 1.0..x + size[0] + 1.0).contains(&cell[0])
                && (y - 1.0..y + size[1] + 1.0).contains(&cell[1])
        };
        n_beside_cells += u32::from(is_reported && !path.cells().iter().any(is_inside));
        world.remove_solid(added.unwrap()).unwrap();
    }
    assert!(
        n_reported > 40 && n_beside_cells > 5,
        "{n_reported} {n_beside_cells}"
    );
}

#[test]
fn lines_of_paths_subscribed_before_a_save_are_watched_after_it() {
    let mut world = open_world(20);
    let request = PathRequest::new(at(0.5, 0.5, 0.0), at(18.5, 7.5, 0.0));
    let path = world.find_path(&mut Searcher::default(), &request).unwrap();
    let subscription = world.subscribe(path.clone());
    let mut loaded = World::load(&world.save()).unwrap();
    let middle = [at(9.0, 4.0, 0.0), at(10.0, 5.0, 2.0)];
    assert!(!path.cells().contains(&at(9.5, 4.5, 0.0)));
    for world in [&mut world, &mut loaded] {
        let (_, changes) = world
            .add_solid(Solid::cuboid(middle[0], middle[1]))
            .unwrap();
        assert_eq!(changes.invalidated(), [subscription]);
        let far = Solid::cuboid(at(2.0, 0.0, 0.0), at(4.0, 2.0, 2.0));
        let (_, changes) = world.add_solid(far).unwrap();
        assert_eq!(changes.invalidated(), [], "each is reported once");
    }
}

#[test]
fn solids_at_the_exact_ends_of_flights_are_reported() {
    let mut rng = Rng::new(5);
    let mut world = open_world(24);
    world
        .add_air(at(0.0, 0.0, 0.0), at(24.0, 24.0, 12.0))
        .unwrap();
    let drone = AgentType {
        radius: 0.4,
        ..AgentType::FLIGHT
    };
    let drone = world.add_agent_type(drone).unwrap();
    let mut n_reported = 0;
    for _ in 0..300 {
        let mut point = || {
            let axis = |rng: &mut Rng, low: f64, high: f64| low + number(rng, high - low);
            at(
                axis(&mut rng, 2.0, 22.0),
                axis(&mut rng, 2.0, 22.0),
                axis(&mut rng, 2.0, 10.0),
            )
        };
        let request = PathRequest {
            agent_type: drone,
            ..PathRequest::new(point(), point())
        };
        let path = world.find_path(&mut Searcher::default(), &request).unwrap();
        // A cube beside the start: it clips the ball or not.
        let [x, y, z] = request.from.units();
        let x = x + number(&mut rng, 1.0);
        let solid = Solid::cuboid(at(x, y - 0.5, z - 0.5), at(x + 1.0, y + 0.5, z + 0.5));
        let mut added = None;
        let is_reported = check(&mut world, &path, |world| {
            let (id, changes) = world.add_solid(solid).unwrap();
            added = Some(id);
            changes
        });
        n_reported += u32::from(is_reported);
        world.remove_solid(added.unwrap()).unwrap();
    }
    assert!((50..300).contains(&n_reported), "{n_reported}");
}

#[test]
fn bodies_that_move_onto_string_pulled_lines_are_reported() {
    let mut rng = Rng::new(9);
    let mut world = open_world(40);
    let tanks = Categories::from_bits(2);
    let tank = Body {
        position: at(1.0, 39.0, 0.0),
        shape: BodyShape::disc(1.0),
        categories: tanks,
        ..Body::default()
    };
    let tank = world.add_body(tank).unwrap();
    let mut n_reported = 0;
    for _ in 0..200 {
        world.move_bodies(&[(tank, at(1.0, 39.0, 0.0))]).unwrap();
        let mut point = || {
            at(
                4.0 + number(&mut rng, 32.0),
                1.0 + number(&mut rng, 32.0),
                0.0,
            )
        };
        let request = PathRequest {
            avoid_bodies: tanks,
            ..PathRequest::new(point(), point())
        };
        let path = world.find_path(&mut Searcher::default(), &request).unwrap();
        let ([a, b, _], [c, d, _]) = (path.start().unwrap().units(), path.end().unwrap().units());
        let mut beside = |a: f64, b: f64| f64::midpoint(a, b) + number(&mut rng, 6.0) - 3.0;
        let to = at(beside(a, c), beside(b, d), 0.0);
        let mut cursor = world.change_cursor();
        let is_reported = check(&mut world, &path, |world| {
            world.move_bodies(&[(tank, to)]).unwrap();
            world.poll_changes(&mut cursor).unwrap().remove(0)
        });
        n_reported += u32::from(is_reported);
    }
    assert!((20..190).contains(&n_reported), "{n_reported}");
}

#[test]
fn a_subscription_follows_its_path_when_it_is_updated() {
    for smoothing in [false, true] {
        let mut world = open_world(40);
        let mut searcher = Searcher::default();
        let request = PathRequest {
            smoothing,
            ..PathRequest::new(at(2.3, 2.7, 0.0), at(37.5, 20.5, 0.0))
        };
        let path = world.find_path(&mut searcher, &request).unwrap();
        let subscription = world.subscribe(path.clone());
        let middle = path.cells()[path.cells().len() / 2].units();
        let close = |world: &mut World, x: f64, y: f64| {
            let (x, y) = (x.floor(), y.floor());
            let area = Area::rect(at(x, y, 0.0), at(x + 1.0, y + 1.0, 0.0));
            let changes = world.apply(&[Edit::remove_floors(area)]).unwrap();
            changes.invalidated().contains(&subscription)
        };
        assert!(close(&mut world, middle[0], middle[1]));
        let repaired = world.repair(&mut searcher, &request, &path).unwrap();
        assert!(world.update_subscription(subscription, repaired.clone()));
        // The old cells are watched no more, the new ones are.
        let is_new = |at: &&Position| !path.cells().contains(at);
        let new = repaired.cells().iter().find(is_new).unwrap().units();
        assert!(!close(&mut world, 2.0, 37.0));
        assert!(close(&mut world, new[0], new[1]), "smoothing {smoothing}");
        assert!(world.unsubscribe(subscription));
        assert!(!world.update_subscription(subscription, repaired));
    }
}

#[test]
fn a_forged_path_with_a_line_across_the_world_is_watched_everywhere() {
    let mut world = open_world(20);
    let request = PathRequest::new(at(2.5, 2.5, 0.0), at(17.5, 9.5, 0.0));
    let path = world.find_path(&mut Searcher::default(), &request);
    let path = path.unwrap();
    let mut waypoints: Vec<_> = path.traversal().to_vec();
    waypoints.last_mut().unwrap().position = at(8_000_000.0, 8_000_000.0, 0.0);
    let forged = Path::new(PathData {
        engine: path.engine().clone(),
        waypoints,
        frame: path.data().frame,
        is_pulled: true,
        cells: OnceLock::new(),
        cost: path.cost(),
        bound: None,
        partial: None,
    });
    let mut index = LineIndex::default();
    index.insert(PathSubscription(1), &forged, 1);
    assert_eq!(index.n_sectors(), 0);
    index.insert(PathSubscription(2), &path, 1);
    assert!(index.n_sectors() > 0);
    let is_reported = check(&mut world, &forged, |world| {
        let solid = Solid::cuboid(at(15.0, 15.0, 0.0), at(16.0, 16.0, 2.0));
        world.add_solid(solid).unwrap().1
    });
    assert!(is_reported, "the solid stands on its line");
}

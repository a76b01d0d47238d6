use wayfarer_engine as engine;
use wayfarer_engine::base::{
    Cell, Cost, GroundEdit, LinkDirection, LinkState, NavLink, NavLinkKind, Rng,
};

use crate::prelude::*;
use crate::{Follower, Traversal};

fn world() -> World {
    let map = b"type octile\nheight 5\nwidth 12\nmap\n............\nTTTTTTTTTT..\n............\n..TTTTTTTTTT\n............\n";
    World::import("turns.map", map, Scale::UNIT).unwrap()
}

/// The same with a door through the upper wall.
fn world_with_door() -> World {
    let mut world = world();
    let (low, high) = (Cell::flat(5, 0), Cell::flat(5, 2));
    let door = NavLink {
        from: low,
        to: high,
        kind: NavLinkKind::Door,
        direction: LinkDirection::Bidirectional,
        cost: Cost::STRAIGHT,
        state: LinkState::Open,
    };
    let edit = engine::Edit::from(GroundEdit::PutNavLink(door));
    world.apply_engine(vec![edit]);
    world
}

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

/// Walks straight to each target in steps of at most `stride`.
fn walk(follower: &mut Follower, from: Position, stride: f64) -> (Position, usize) {
    let mut position = from;
    for n_steps in 0..2_000 {
        let step = follower.advance_with_cell(position).unwrap();
        if step.has_arrived {
            return (position, n_steps);
        }
        let (p, t) = (position.units(), step.target.units());
        let distance = ((t[0] - p[0]).powi(2) + (t[1] - p[1]).powi(2)).sqrt();
        let share = (stride / distance.max(1e-9)).min(1.0);
        let by = |axis: usize| p[axis] + (t[axis] - p[axis]) * share;
        position = at(by(0), by(1));
    }
    panic!("it never arrives; last at {position}");
}

#[test]
fn rule_5_a_follower_leads_along_every_waypoint_to_the_end() {
    let world = world();
    let (from, to) = (at(0.5, 0.5), at(11.5, 4.5));
    let path = world.find_path(&mut Searcher::default(), &PathRequest::new(from, to));
    let path = path.unwrap();
    for stride in [0.05, 0.2, 0.7] {
        let mut follower = Follower::new(path.clone(), 0.1);
        let length = follower.advance(from).unwrap().distance_left;
        assert!((length - path.length()).abs() < 1e-9);
        let (end, _) = walk(&mut follower, from, stride);
        assert!((end.units()[0] - 11.5).abs() <= 0.1);
        assert!((end.units()[1] - 4.5).abs() <= 0.1);
        assert_eq!(follower.cell, path.cells().len() - 1);
    }
}

#[test]
fn back_to_the_start_of_a_flight_an_agent_flies() {
    let mut world = world();
    world
        .add_air(at(0.0, 0.0), Position::new(12.0, 5.0, 8.0))
        .unwrap();
    let agent_type = world.add_agent_type(AgentType::GROUND_AND_FLIGHT).unwrap();
    let in_air = |x: f64| Position::new(x, 0.5, 5.5);
    for to in [in_air(11.5), at(11.5, 2.5)] {
        let request = PathRequest {
            agent_type,
            ..PathRequest::new(in_air(0.5), to)
        };
        let path = world.find_path(&mut Searcher::default(), &request).unwrap();
        let mut follower = Follower::new(path, 0.01);
        // An agent that has moved since it asked.
        let step = follower.advance(in_air(0.2)).unwrap();
        assert_eq!((step.target, step.traversal), (in_air(0.5), Traversal::Fly));
    }
}

#[test]
fn rule_5_waypoints_are_reached_in_order() {
    let world = world();
    let (from, to) = (at(0.5, 0.5), at(0.5, 2.5));
    let path = world.find_path(&mut Searcher::default(), &PathRequest::new(from, to));
    let mut follower = Follower::new(path.unwrap(), 0.2);
    let first = follower.advance(from).unwrap();
    // The end lies two cells away behind a wall; being near it does not count.
    let step = follower.advance(to).unwrap();
    assert_eq!(step.target, first.target);
    assert!(!step.has_arrived && step.distance_left > 10.0);
    assert_eq!(follower.advance(at(f64::NAN, 0.0)), None);
}

#[test]
fn rule_5_a_follower_reports_links_ahead() {
    let world = world_with_door();
    let (from, to) = (at(0.5, 0.5), at(0.5, 2.5));
    let path = world.find_path(&mut Searcher::default(), &PathRequest::new(from, to));
    let mut follower = Follower::new(path.unwrap(), 0.1);
    let step = follower.advance(from).unwrap();
    let link = step.link.unwrap();
    assert_eq!(
        (link.position, link.traversal),
        (at(5.5, 0.5), Traversal::NavLink)
    );
    assert!((link.distance - 5.0).abs() < 1e-9);
    // In front of the door the step itself is the link.
    let step = follower.advance(at(5.5, 0.5)).unwrap();
    assert_eq!(
        (step.target, step.traversal),
        (at(5.5, 2.5), Traversal::NavLink)
    );
    assert_eq!(step.link, None);
}

#[test]
fn the_nearest_cell_ahead_is_that_of_a_scan() {
    let mut rng = Rng::new(24);
    for (world, to) in [(world(), at(11.5, 4.5)), (world_with_door(), at(0.5, 2.5))] {
        let request = PathRequest::new(at(0.5, 0.5), to);
        let path = world.find_path(&mut Searcher::default(), &request);
        let mut follower = Follower::new(path.unwrap(), 0.1);
        for _ in 0..2_000 {
            let n_cells = u32::try_from(follower.path.n_cells()).unwrap();
            follower.cell = rng.below(n_cells) as usize;
            let mut coordinate = |size: u32| f64::from(rng.below(size * 16)) / 16.0 - 2.0;
            let position = at(coordinate(16), coordinate(9));
            let cells = follower.path().cells();
            let ahead = (follower.cell..cells.len()).take(super::LOOKAHEAD);
            let distance = |index: usize| cells[index].distance(position);
            let scanned = ahead.reduce(|best, next| match distance(next) <= distance(best) {
                true => next,
                false => best,
            });
            assert_eq!(Some(follower.nearest_cell(position)), scanned, "{position}");
        }
    }
}

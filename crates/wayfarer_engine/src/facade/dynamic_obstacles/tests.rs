use std::collections::BTreeMap;

use wayfarer_base::{Budget, Cost, CostMultiplier, Profile, Raster, Rng};
use wayfarer_search::ground::Method;
use wayfarer_search::multimodal::FlightProfile;
use wayfarer_world::air::AirBuilder;
use wayfarer_world::obstacles::{Obstacle, ObstacleCategories, ObstacleSet, ObstacleShape};

use super::*;
use crate::facade::{AgentType, AgentTypeId, MULTIMODAL_BOUND, ObstacleEdit, Path, Viewer};
use crate::{Edit, Position};

const SIDE: i32 = 14;

fn crowd() -> ObstacleCategories {
    ObstacleCategories::one(2).unwrap()
}

fn at(x: i32, y: i32) -> Position {
    Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0)
}

/// Ground drawn in rows: `#` is rock, `M` floor under an obstacle that fills the cell.
fn drawn(rows: &[&str]) -> World {
    let width = rows[0].len();
    let bytes = rows.iter().flat_map(|row| row.bytes());
    let bytes: Vec<u8> = bytes
        .map(|byte| if byte == b'#' { 255 } else { 0 })
        .collect();
    let (wide, high) = (width.try_into().unwrap(), rows.len().try_into().unwrap());
    let map = Raster::from_bytes(wide, high, bytes).unwrap();
    let mut world = World::from_raster(&map).with_obstacles(ObstacleSet::square(64).unwrap());
    let mut moving: Vec<Edit> = Vec::new();
    for (row, y) in rows.iter().zip(0..) {
        for (byte, x) in row.bytes().zip(0..) {
            if byte == b'M' {
                let obstacle = Obstacle::cells(x, y, 1, 1, crowd()).unwrap();
                moving.push(ObstacleEdit::Insert(obstacle).into());
            }
        }
    }
    world.apply(moving).unwrap();
    world
}

fn avoiding(from: (i32, i32), to: (i32, i32)) -> PathRequest {
    PathRequest {
        avoided_obstacles: crowd(),
        ..PathRequest::new(at(from.0, from.1), at(to.0, to.1))
    }
}

fn found(world: &World, request: &PathRequest) -> Option<Path> {
    let mut searcher = Searcher::default();
    world.find_path(&mut searcher, request).unwrap().found()
}

#[test]
fn a_path_uses_the_free_lane_beside_an_obstacle() {
    let world = drawn(&[
        "....M....", //
        ".........",
    ]);
    let path = found(&world, &avoiding((0, 0), (8, 0))).unwrap();
    let walk = path.as_ground_path().unwrap();
    assert!(walk.cells.contains(&Cell::flat(4, 1)));
    // The search with viewers finds the same cost.
    let exposed = PathRequest {
        viewers: vec![Viewer::new(at(-9, -9), 1.0)],
        exposure_cost: CostMultiplier::ONE,
        ..avoiding((0, 0), (8, 0))
    };
    assert_eq!(found(&world, &exposed).unwrap().cost, path.cost);
}

#[test]
fn an_agent_inside_an_obstacle_leaves_it_with_and_without_viewers() {
    let world = drawn(&[
        "..MMM....", //
        "..MMM....",
        "..MMM....",
        "#########",
    ]);
    let request = avoiding((3, 1), (8, 1));
    let path = found(&world, &request).unwrap();
    assert_eq!(path.cost.units(), 5 * 1463);
    let viewers = vec![Viewer::new(at(-9, -9), 1.0)];
    let exposed = PathRequest { viewers, ..request };
    assert_eq!(found(&world, &exposed).unwrap().cost, path.cost);
}

#[test]
fn a_goal_inside_an_obstacle_is_rejected_with_and_without_viewers() {
    let world = drawn(&["....M...."]);
    let request = avoiding((0, 0), (4, 0));
    let viewers = vec![Viewer::new(at(-9, -9), 1.0)];
    let exposed = PathRequest {
        viewers,
        ..request.clone()
    };
    for request in [request, exposed] {
        let mut searcher = Searcher::default();
        let error = world.find_path(&mut searcher, &request).unwrap_err();
        assert!(matches!(error, RequestError::GoalBlocked { .. }), "{error}");
    }
}

#[test]
fn an_obstacle_that_blocks_the_only_path_is_the_explanation() {
    let world = drawn(&[
        "....M....", //
        "#########",
    ]);
    let request = avoiding((0, 0), (8, 0));
    let mut searcher = Searcher::default();
    let result = world.find_path(&mut searcher, &request).unwrap();
    assert!(matches!(result, Outcome::Unreachable { .. }), "{result:?}");
    let explanation = world.explain(&mut searcher, &request).unwrap();
    let center = Point2::center_of(Column::new(4, 0)).unwrap();
    assert_eq!(explanation.unblock_options.len(), 1);
    assert_eq!(explanation.unblock_options[0].at, Location::Point(center));
    let blocked = explanation.cheapest_blocked.unwrap();
    assert_eq!(blocked.cost.units(), 8 * 1463);
    assert_eq!(explanation.frontier, [blocked.from]);
}

#[test]
fn an_obstacle_on_the_landing_cell_invalidates_the_path() {
    let mut world = drawn(&["...###...", "...###..."]);
    let air = AirBuilder::new(wayfarer_base::Voxel::default(), [9, 2, 4]).unwrap();
    world = world.with_air(air.build().unwrap());
    let both = AgentType {
        ground: Some(Profile::DEFAULT),
        flight: Some(FlightProfile::default()),
        ..AgentType::default()
    };
    let agent_type = world.add_agent_type(both).unwrap();
    let request = PathRequest {
        agent_type,
        ..avoiding((2, 0), (6, 0))
    };
    let path = found(&world, &request).unwrap();
    assert!(path.legs.len() > 1);
    let subscribed = world.subscribe(path.clone());
    let obstacle = Obstacle::cells(6, 0, 1, 1, crowd()).unwrap();
    let changes = world.apply([ObstacleEdit::Insert(obstacle)]).unwrap();
    assert_eq!(changes.invalidated, [subscribed]);
    let mut searcher = Searcher::default();
    let error = world.find_path(&mut searcher, &request);
    assert!(
        matches!(error, Err(RequestError::GoalBlocked { .. })),
        "{error:?}"
    );
}

/// The successors on the ground that no obstacle blocks, tested against every obstacle.
fn steps(world: &World, agent: DiscAgent, from: Cell) -> Vec<(Cell, Cost)> {
    let obstacles = world.obstacles().unwrap();
    let outlines = obstacles.obstacles().filter_map(|(id, obstacle)| {
        let outline = obstacles.outline(id, agent);
        outline.filter(|_| obstacle.categories.intersects(agent.blocked_by))
    });
    let outlines: Vec<_> = outlines.collect();
    let center = |cell: Cell| Point2::center_of(cell.column()).unwrap();
    let is_inside = |cell: Cell| outlines.iter().any(|one| one.contains(center(cell)));
    let mut all = world.successors(from);
    all.retain(|(to, _)| {
        let (a, b) = (center(from), center(*to));
        is_inside(from) || outlines.iter().all(|one| one.entry(a, b).is_none())
    });
    all
}

fn optimal_cost(world: &World, agent: DiscAgent, from: Cell, to: Cell) -> Option<Cost> {
    let mut known: BTreeMap<Cell, Cost> = BTreeMap::from([(from, Cost::ZERO)]);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for (next, step) in steps(world, agent, at) {
            let cost = known[&at] + step;
            if known.get(&next).is_none_or(|so_far| cost < *so_far) {
                known.insert(next, cost);
                open.push(next);
            }
        }
    }
    known.get(&to).copied()
}

/// Boxes and discs at random positions, on ground with blocked cells.
fn crowded(rng: &mut Rng) -> World {
    let n_cells = (SIDE * SIDE).unsigned_abs() as usize;
    let bytes = (0..n_cells).map(|_| if rng.chance(1, 7) { 255 } else { 0 });
    let side = SIDE.unsigned_abs();
    let map = Raster::from_bytes(side, side, bytes.collect()).unwrap();
    let mut world = World::from_raster(&map).with_obstacles(ObstacleSet::square(SIDE).unwrap());
    let n_moving = 4 + rng.below(14);
    let moving = (0..n_moving).map(|_| {
        let mut odd = |most: i32| Fixed::from_raw(rng.between(1, most));
        let center = Point2::new(odd(SIDE * 256), odd(SIDE * 256));
        let shape = if rng.chance(1, 2) {
            let radius = Fixed::from_raw(rng.between(20, 500));
            ObstacleShape::Disc { center, radius }
        } else {
            let mut far = |from: Fixed| Fixed::from_raw(from.raw() + rng.between(20, 700));
            let high = Point2::new(far(center.x), far(center.y));
            ObstacleShape::Box(wayfarer_base::Aabb2 { low: center, high })
        };
        let types = ObstacleCategories::one(if rng.chance(4, 5) { 2 } else { 3 }).unwrap();
        ObstacleEdit::Insert(Obstacle {
            shape,
            categories: types,
        })
    });
    let moving: Vec<ObstacleEdit> = moving.collect();
    world.apply(moving).unwrap();
    world
}

#[test]
fn a_path_around_obstacles_is_found_if_one_exists_and_is_optimal() {
    let (mut n_found, mut n_not, mut n_round) = (0, 0, 0);
    for seed in 0..250 {
        let mut rng = Rng::new(seed);
        let world = crowded(&mut rng);
        let radius = Profile::DEFAULT.radius.raw() - 1;
        let agent = DiscAgent {
            radius: Fixed::from_raw(radius),
            blocked_by: crowd(),
        };
        let mut random = || (rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        let (from, to) = (random(), random());
        let request = avoiding(from, to);
        let mut searcher = Searcher::default();
        let Ok(result) = world.find_path(&mut searcher, &request) else {
            continue;
        };
        let cells = [from, to].map(|(x, y)| Cell::flat(x, y));
        let expected = optimal_cost(&world, agent, cells[0], cells[1]);
        let note = format!("seed {seed}: {from:?} to {to:?}");
        let plain = PathRequest {
            avoided_obstacles: ObstacleCategories::NONE,
            ..request.clone()
        };
        let mut exposed = PathRequest {
            viewers: vec![Viewer::new(at(-9, -9), 1.0)],
            ..request.clone()
        };
        let bounded = found(&world, &exposed).map(|path| path.cost);
        exposed.ground.method = Method::Optimal;
        let optimal = found(&world, &exposed).map(|path| path.cost);
        assert_eq!(optimal, expected, "watched, {note}");
        assert_eq!(bounded.is_some(), expected.is_some(), "watched, {note}");
        if let (Some(bounded), Some(expected)) = (bounded, expected) {
            let most = expected.scaled_by_mean(MULTIMODAL_BOUND, MULTIMODAL_BOUND);
            assert!(expected <= bounded && bounded <= most, "watched, {note}");
        }
        let Some(path) = result.found() else {
            assert_eq!(expected, None, "{note}");
            n_not += 1;
            continue;
        };
        assert_eq!(Some(path.cost), expected, "{note}");
        let walk = &path.as_ground_path().unwrap().cells;
        for step in walk.windows(2) {
            let to = steps(&world, agent, step[0]);
            assert!(to.iter().any(|(to, _)| *to == step[1]), "{note}");
        }
        n_found += 1;
        n_round += u32::from(found(&world, &plain).unwrap().cost < path.cost);
    }
    assert!(
        n_found > 100 && n_not > 10 && n_round > 20,
        "{n_found} {n_not} {n_round}"
    );
}

#[test]
fn no_request_exceeds_its_budget() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut world = crowded(&mut rng);
        let size = [SIDE, SIDE, 6].map(i32::unsigned_abs);
        let air = AirBuilder::new(wayfarer_base::Voxel::default(), size).unwrap();
        world = world.with_air(air.build().unwrap());
        let both = AgentType {
            ground: Some(Profile::DEFAULT),
            flight: Some(FlightProfile {
                multiplier: CostMultiplier::from_sixteenths(48).unwrap(),
                ..FlightProfile::default()
            }),
            ..AgentType::default()
        };
        let both = world.add_agent_type(both).unwrap();
        let mut random = || at(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
        let (from, to) = (random(), random());
        for agent_type in [AgentTypeId::DEFAULT, both] {
            for avoided in [ObstacleCategories::NONE, crowd()] {
                for expansions in [1, 2, 5, 20, 60, 200] {
                    let request = PathRequest {
                        agent_type,
                        avoided_obstacles: avoided,
                        budget: Budget::expansions(expansions),
                        ..PathRequest::new(from, to)
                    };
                    let mut searcher = Searcher::default();
                    let used = match world.find_path(&mut searcher, &request) {
                        Ok(Outcome::Found(path)) => path.expansions,
                        Ok(Outcome::OutOfBudget { stats, best }) => {
                            let agent = world.avoiding_agent(avoided, &world.agent_types[0]);
                            if let (Some(agent), Some(walk)) = (agent, best.as_ground_path()) {
                                assert!(
                                    world.obstacles_on_walk(&walk.cells, agent, true).is_empty()
                                );
                            }
                            stats.expansions
                        }
                        _ => 0,
                    };
                    assert!(
                        used <= expansions,
                        "seed {seed}: {used} of {expansions}, {agent_type:?}"
                    );
                }
            }
        }
        let none = PathRequest {
            budget: Budget::expansions(0),
            agent_type: both,
            ..PathRequest::new(from, to)
        };
        let error = world.find_path(&mut Searcher::default(), &none);
        assert!(
            matches!(error, Err(RequestError::OutOfRange { .. })),
            "{error:?}"
        );
    }
}

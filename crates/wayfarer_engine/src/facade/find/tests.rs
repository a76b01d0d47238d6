use wayfarer_base::{
    Budget, Cell, Column, CostMultiplier, GroundEdit, PathStatus, Profile, Raster, Rng, Terrain,
    WorldData,
};
use wayfarer_search::ground::Method;
use wayfarer_search::multimodal::AirLink;
use wayfarer_testkit::{ReferenceMultimodal, ReferenceVoxels, ReferenceWorld};
use wayfarer_world::air::{AirBuilder, AirEdit, Volume, VolumeId, VolumeRule};
use wayfarer_world::obstacles::{Obstacle, ObstacleCategories, ObstacleSet};

use super::super::tests::{found, open_world};
use super::super::{AgentType, AgentTypeId, Edit, ObstacleEdit};
use super::*;

const SIDE: i32 = 12;
const HEIGHT: i32 = 5;

/// Random hills, solid voxels and air links, with types that walk, fly, and do both.
struct Case {
    world: World,
    agent_types: [AgentTypeId; 3],
    flight: FlightProfile,
}

fn case(rng: &mut Rng) -> Case {
    let mut data = WorldData::default();
    for x in 0..SIDE {
        for y in 0..SIDE {
            if rng.chance(4, 5) {
                let z = if rng.chance(1, 6) {
                    3
                } else {
                    rng.between(0, 1)
                };
                data.cells.push((Column::new(x, y).at(z), Terrain::GROUND));
            }
        }
    }
    let size = [SIDE, SIDE, HEIGHT].map(i32::unsigned_abs);
    let mut builder = AirBuilder::new(Voxel::default(), size).unwrap();
    for _ in 0..120 {
        builder.add_voxel(voxel(rng)).unwrap();
    }
    let mut world = World::from_data(&data)
        .unwrap()
        .with_air(builder.build().unwrap())
        .with_obstacles(ObstacleSet::square(SIDE).unwrap());
    let flight = FlightProfile {
        multiplier: CostMultiplier::from_sixteenths(if rng.chance(1, 2) { 16 } else { 40 })
            .unwrap(),
        take_off: Cost::from_units(rng.below(4_000)),
        landing: Cost::from_units(rng.below(2_000)),
        requires_air_link: rng.chance(1, 3),
        ..FlightProfile::default()
    };
    let both = AgentType {
        ground: Some(Profile::DEFAULT),
        flight: Some(flight),
        ..AgentType::default()
    };
    let agent_types = [
        AgentTypeId::DEFAULT,
        world.add_agent_type(flight).unwrap(),
        world.add_agent_type(both).unwrap(),
    ];
    let air_links: Vec<AirLink> = (0..4).map(|_| air_link(rng)).collect();
    world.apply(air_links).unwrap();
    Case {
        world,
        agent_types,
        flight,
    }
}

fn voxel(rng: &mut Rng) -> Voxel {
    let mut at = |side: i32| rng.between(0, side - 1);
    Voxel::new(at(SIDE), at(SIDE), at(HEIGHT))
}

fn air_link(rng: &mut Rng) -> AirLink {
    let cell = Cell::new(
        rng.between(0, SIDE - 1),
        rng.between(0, SIDE - 1),
        rng.between(0, 1),
    );
    let voxel = voxel(rng);
    let mut cost = || {
        rng.chance(2, 3)
            .then(|| Cost::from_units(1 + rng.below(9_000)))
    };
    AirLink {
        cell,
        voxel,
        take_off: cost(),
        landing: cost(),
    }
}

impl Case {
    fn oracle(&self) -> ReferenceMultimodal {
        let ground = self.world.ground();
        let air = self.world.air().unwrap();
        let mut space = ReferenceVoxels::new([SIDE, SIDE, HEIGHT]);
        let voxels: Vec<Voxel> = space.voxels().collect();
        for at in voxels {
            space.set(at, air.is_solid(at));
        }
        let mut between = Vec::new();
        for air_link in self.world.air_links() {
            let (cell, voxel) = (
                Location::Cell(air_link.cell),
                Location::Voxel(air_link.voxel),
            );
            between.extend(air_link.take_off.map(|cost| (cell, voxel, cost)));
            between.extend(air_link.landing.map(|cost| (voxel, cell, cost)));
        }
        if !self.flight.requires_air_link {
            for (cell, _) in ground.to_data().cells {
                let over = Location::Voxel(Voxel::new(cell.x, cell.y, cell.z));
                between.push((cell.into(), over, self.flight.take_off));
                between.push((over, cell.into(), self.flight.landing));
            }
        }
        ReferenceMultimodal {
            ground: ReferenceWorld::new(&ground.to_data()),
            profile: Profile::DEFAULT,
            space,
            flight_cost: match self.flight.multiplier.sixteenths() {
                16 => |cost| cost,
                _ => |cost| Cost::from_units(cost.units() * 5 / 2),
            },
            transitions: between,
        }
    }

    fn some_request(&self, rng: &mut Rng) -> PathRequest {
        let mut at = || {
            let mut part = |most: i32| f64::from(rng.between(0, most * 2 - 1)) / 2.0;
            Position::new(part(SIDE), part(SIDE), part(HEIGHT))
        };
        PathRequest {
            agent_type: self.agent_types[0],
            ..PathRequest::new(at(), at())
        }
    }

    /// The cost of a path by the reference rules; `None` if a step is invalid.
    fn cost_of(&self, path: &Path) -> Option<f64> {
        let oracle = self.oracle();
        let mut total = 0.0;
        let mut last: Option<Location> = None;
        for leg in &path.legs {
            let (from, to) = leg.ends().unwrap();
            assert!(last.is_none_or(|last| last == from), "{path:?}");
            last = Some(to);
            let multiplier = f64::from(self.flight.multiplier.sixteenths()) / 16.0;
            match leg {
                PathLeg::Ground(walk) => {
                    let cost = oracle
                        .ground
                        .check_path(&walk.cells, &Profile::DEFAULT)
                        .ok()?;
                    total += cost.to_cells();
                }
                PathLeg::Flight(flight) => {
                    let free = |at: &Voxel| oracle.space.is_free(*at);
                    if !flight.waypoints.iter().all(free) {
                        return None;
                    }
                    for leg in flight.waypoints.windows(2) {
                        if !oracle.space.is_segment_clear(leg[0], leg[1]) {
                            return None;
                        }
                    }
                    total += flight.length() * multiplier;
                }
                PathLeg::TakeOff(_) | PathLeg::Landing(_) => {
                    let steps = oracle.successors(from);
                    let costs = steps.iter().filter(|step| step.0 == to);
                    total += costs.map(|step| step.1).min()?.to_cells();
                }
                PathLeg::Planar(_) => return None,
            }
        }
        Some(total)
    }
}

fn edit(rng: &mut Rng, case: &Case) -> Edit {
    let cell = Cell::new(
        rng.between(0, SIDE - 1),
        rng.between(0, SIDE - 1),
        rng.between(0, 3),
    );
    match rng.below(8) {
        0 => GroundEdit::PutCell {
            cell,
            terrain: Terrain::GROUND,
        }
        .into(),
        1 | 2 => GroundEdit::RemoveCell { cell }.into(),
        3 => {
            let at = voxel(rng);
            AirEdit::Fill { low: at, high: at }.into()
        }
        4 => {
            let at = voxel(rng);
            AirEdit::Clear { low: at, high: at }.into()
        }
        5 => air_link(rng).into(),
        6 => match rng.pick(case.world.air_links()) {
            Some(AirLink { cell, voxel, .. }) => Edit::RemoveAirLink {
                cell: *cell,
                voxel: *voxel,
            },
            None => air_link(rng).into(),
        },
        _ => {
            let (x, y) = (f64::from(cell.x), f64::from(cell.y));
            Edit::FillBox {
                low: Position::new(x, y, 0.0),
                high: Position::new(x + 2.0, y + 1.0, 2.0),
                top: Terrain::GROUND,
            }
        }
    }
}

#[test]
fn paths_are_valid_and_within_their_bound_of_the_optimum_over_cells_and_voxels() {
    for method in [Method::Bounded, Method::Optimal] {
        check_costs(method);
    }
}

fn check_costs(method: Method) {
    let mut searcher = Searcher::default();
    let (mut n_found, mut n_multimodal) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut case = case(&mut rng);
        for _ in 0..12 {
            if rng.chance(1, 2) {
                let edits: Vec<Edit> = (0..3).map(|_| edit(&mut rng, &case)).collect();
                case.world.apply(edits).unwrap();
            }
            let agent_type = *rng.pick(&case.agent_types).unwrap();
            let mut request = PathRequest {
                agent_type,
                ..case.some_request(&mut rng)
            };
            request.ground.method = method;
            let found = case.world.find_path(&mut searcher, &request);
            let registered = case.world.registered(agent_type).unwrap();
            let (from, to) = case.world.ends(registered, &request).unwrap();
            let oracle = ReferenceMultimodal {
                transitions: if agent_type == case.agent_types[2] {
                    case.oracle().transitions
                } else {
                    Vec::new()
                },
                ..case.oracle()
            };
            let Ok(found) = found else {
                assert!(!oracle.fits(from) || !oracle.fits(to), "seed {seed}");
                continue;
            };
            let expected = oracle.path_cost(from, to);
            let found = found.found();
            assert_eq!(
                found.is_some(),
                expected.is_some(),
                "seed {seed}: {request:?}"
            );
            let (Some(path), Some(expected)) = (found, expected) else {
                continue;
            };
            assert_eq!((path.start(), path.end()), (Some(from), Some(to)));
            let cost = case.cost_of(&path).expect("a valid path");
            assert!(
                (cost - path.cost.to_cells()).abs() < 0.01,
                "seed {seed}: {path:?}"
            );
            let bound = match method {
                Method::Optimal => 1.0,
                _ if agent_type == case.agent_types[2] => 1.25,
                _ => 1.1,
            };
            assert!(
                agent_type == case.agent_types[1]
                    || path.cost.to_cells() <= expected.to_cells() * bound + 1e-9,
                "seed {seed}: {} for {expected}",
                path.cost
            );
            n_found += 1;
            n_multimodal += usize::from(path.legs.len() > 1);
            assert_eq!(case.world.status(&path), PathStatus::Valid);
        }
    }
    assert!(
        n_found > 150 && n_multimodal > 40,
        "{n_found} {n_multimodal}"
    );
}

#[test]
fn status_agrees_with_the_reference_and_repaired_paths_are_valid() {
    let mut searcher = Searcher::default();
    let (mut n_invalid, mut n_repaired) = (0, 0);
    for seed in 100..130 {
        let mut rng = Rng::new(seed);
        let mut case = case(&mut rng);
        let mut paths = Vec::new();
        for _ in 0..8 {
            let agent_type = *rng.pick(&case.agent_types).unwrap();
            let request = PathRequest {
                agent_type,
                ..case.some_request(&mut rng)
            };
            let found = case.world.find_path(&mut searcher, &request);
            if let Ok(Outcome::Found(path)) = found {
                let id = case.world.subscribe(path.clone());
                paths.push((request, path, id, false));
            }
        }
        for _ in 0..8 {
            let edits: Vec<Edit> = (0..4).map(|_| edit(&mut rng, &case)).collect();
            let changes = case.world.apply(edits).unwrap();
            for (request, path, id, was_reported) in &mut paths {
                let status = case.world.status(path);
                let cost = case.cost_of(path);
                let is_as_good = cost.is_some_and(|cost| cost <= path.cost.to_cells() + 0.01);
                assert_eq!(
                    status.is_walkable(),
                    is_as_good,
                    "seed {seed}: {status:?} {path:?}"
                );
                let is_reported = changes.invalidated.contains(id);
                assert!(!(is_reported && *was_reported), "reported twice");
                *was_reported |= is_reported;
                if cost.is_none() {
                    n_invalid += 1;
                    assert!(
                        *was_reported,
                        "seed {seed}: invalid and not reported: {path:?}"
                    );
                }
                let repaired = case.world.repair(&mut searcher, request, path);
                let fresh = case.world.find_path(&mut searcher, request);
                let has_path = |result: &Result<Outcome<Path>, RequestError>| {
                    matches!(result, Ok(Outcome::Found(_)))
                };
                assert_eq!(
                    has_path(&repaired),
                    has_path(&fresh),
                    "seed {seed}: {request:?}"
                );
                if let Ok(Outcome::Found(repaired)) = repaired {
                    n_repaired += 1;
                    let cost = case.cost_of(&repaired).expect("a valid path");
                    assert!(
                        (cost - repaired.cost.to_cells()).abs() < 0.01,
                        "seed {seed}"
                    );
                    assert_eq!(case.world.status(&repaired), PathStatus::Valid);
                    let registered = case.world.registered(request.agent_type).unwrap();
                    let (from, to) = case.world.ends(registered, request).unwrap();
                    assert_eq!((repaired.start(), repaired.end()), (Some(from), Some(to)));
                }
            }
        }
    }
    assert!(
        n_invalid > 50 && n_repaired > 300,
        "{n_invalid} {n_repaired}"
    );
}

#[test]
fn avoided_obstacles_are_bypassed_and_invalidate_the_path_they_enter() {
    let tank = ObstacleCategories::one(1).unwrap();
    let mut searcher = Searcher::default();
    let map = Raster::from_bytes(20, 20, vec![0; 400]).unwrap();
    let (mut n_found, mut n_round) = (0, 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let obstacles = ObstacleSet::square(20).unwrap();
        let mut world = World::from_raster(&map).with_obstacles(obstacles);
        let insert = |rng: &mut Rng| {
            let (x, y) = (rng.between(0, 17), rng.between(0, 17));
            let obstacle = Obstacle::cells(x, y, rng.between(1, 4), rng.between(1, 4), tank);
            ObstacleEdit::Insert(obstacle.unwrap())
        };
        let n_moving = rng.between(5, 30);
        let added = world
            .apply((0..n_moving).map(|_| insert(&mut rng)))
            .unwrap();
        let mut at = || {
            Position::new(
                f64::from(rng.between(0, 19)) + 0.5,
                f64::from(rng.between(0, 19)) + 0.5,
                0.0,
            )
        };
        let plain = PathRequest::new(at(), at());
        let request = PathRequest {
            avoided_obstacles: tank,
            ..plain.clone()
        };
        let Ok(Outcome::Found(path)) = world.find_path(&mut searcher, &request) else {
            continue;
        };
        n_found += 1;
        let agent = world.avoiding_agent(tank, &world.agent_types[0]).unwrap();
        let cells = &path.as_ground_path().unwrap().cells;
        assert_eq!(
            world.obstacles_on_walk(cells, agent, true),
            [],
            "seed {seed}"
        );
        let straight = found(&world, &mut searcher, &plain);
        assert!(path.cost >= straight.cost);
        n_round += usize::from(path.cost > straight.cost);
        // One obstacle moves onto the middle of the path.
        let subscribed = world.subscribe(path.clone());
        let id = added.new_obstacles().next().unwrap();
        let center = Point2::center_of(cells[cells.len() / 2].column()).unwrap();
        let start = Point2::center_of(cells[0].column()).unwrap();
        if cells.len() < 8 || !world.obstacles().unwrap().is_free(start, agent.disc) {
            continue; // A start inside an obstacle is exempt.
        }
        let moved = world
            .apply([ObstacleEdit::MoveTo { id, low: center }])
            .unwrap();
        assert_eq!(moved.invalidated, [subscribed], "seed {seed}");
        assert!(matches!(
            world.status(&path),
            PathStatus::Invalid { leg: 0, .. }
        ));
        if let Ok(Outcome::Found(repaired)) = world.repair(&mut searcher, &request, &path) {
            let cells = &repaired.as_ground_path().unwrap().cells;
            assert_eq!(world.obstacles_on_walk(cells, agent, true), []);
        }
    }
    assert!(n_found > 40 && n_round > 12, "{n_found} {n_round}");
}

#[test]
fn planar_agents_find_and_repair_paths_in_world_units() {
    let mut world = World::new(Profile::DEFAULT)
        .unwrap()
        .with_obstacles(ObstacleSet::square(100).unwrap());
    let agent_type = world.add_agent_type(DiscAgent::POINT).unwrap();
    let wall = Obstacle::cells(40, 0, 20, 90, ObstacleCategories::ALL).unwrap();
    world.apply([ObstacleEdit::Insert(wall)]).unwrap();
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(
            Position::new(10.0, 50.0, 0.0),
            Position::new(90.0, 50.0, 0.0),
        )
    };
    let mut searcher = Searcher::default();
    let found = world.find_path(&mut searcher, &request).unwrap();
    let path = found.found().unwrap();
    assert_eq!(world.positions(&path).len(), 4);
    assert!((path.cost.to_cells() - 120.0).abs() < 0.1);
    let rock = Obstacle::cells(70, 60, 20, 10, ObstacleCategories::ALL).unwrap();
    let subscribed = world.subscribe(path.clone());
    let changes = world.apply([ObstacleEdit::Insert(rock)]).unwrap();
    assert_eq!(changes.invalidated, [subscribed]);
    let repaired = world
        .repair(&mut searcher, &request, &path)
        .unwrap()
        .found()
        .unwrap();
    assert!(repaired.cost > path.cost && world.status(&repaired) == PathStatus::Valid);
}

#[test]
fn an_invalid_request_is_rejected_with_the_expectation() {
    let map = Raster::from_bytes(4, 4, vec![0; 16]).unwrap();
    let mut world = World::from_raster(&map);
    let flyer = world.add_agent_type(FlightProfile::default()).unwrap();
    let here = Position::new(1.5, 1.5, 0.0);
    let check = |request: &PathRequest, expected: &str| {
        let refused = world.find_path(&mut Searcher::default(), request);
        assert_eq!(refused.unwrap_err().to_string(), expected);
    };
    check(
        &PathRequest::new(here, Position::new(f64::NAN, 0.0, 0.0)),
        "x of the goal is -140737488355328, expected a position in the world",
    );
    check(
        &PathRequest::new(here, Position::new(9.5, 0.5, 0.0)),
        "the goal, cell (9, 0, 0), is blocked: there is no floor",
    );
    let request = PathRequest {
        agent_type: flyer,
        ..PathRequest::new(here, here)
    };
    check(
        &request,
        "method `flight` does not support this request: the world has no air",
    );
    let mut other = World::from_raster(&map);
    for _ in 0..3 {
        other.add_agent_type(FlightProfile::default()).unwrap();
    }
    let agent_type = other.add_agent_type(FlightProfile::default()).unwrap();
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(here, here)
    };
    check(
        &request,
        "the profile of the request is not registered, expected one that is",
    );
}

#[test]
fn an_exhausted_budget_returns_the_best_complete_path() {
    let mut searcher = Searcher::default();
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let case = case(&mut rng);
        let request = PathRequest {
            agent_type: case.agent_types[2],
            ..case.some_request(&mut rng)
        };
        let Ok(Outcome::Found(best)) = case.world.find_path(&mut searcher, &request) else {
            continue;
        };
        let short = PathRequest {
            budget: Budget::expansions(3),
            ..request
        };
        match case.world.find_path(&mut searcher, &short) {
            Ok(Outcome::Found(path)) => {
                assert!(case.cost_of(&path).is_some());
                assert!(path.cost >= best.cost, "seed {seed}");
            }
            Ok(Outcome::OutOfBudget { best, .. }) => assert!(case.cost_of(&best).is_some()),
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}

#[test]
fn a_multimodal_path_does_not_cut_the_corner_of_a_closed_volume() {
    let air = AirBuilder::new(Voxel::default(), [3, 3, 2]).unwrap();
    let mut world = World::new(Profile::DEFAULT)
        .unwrap()
        .with_air(air.build().unwrap());
    let agent_type = world
        .add_agent_type(AgentType {
            ground: Some(Profile::DEFAULT),
            flight: Some(FlightProfile::default()),
            ..AgentType::default()
        })
        .unwrap();
    let center = Voxel::new(1, 1, 0);
    let volume = Volume {
        low: center,
        high: Voxel::new(1, 1, 1),
        rule: VolumeRule::Closed,
    };
    world
        .apply([AirEdit::PutVolume {
            id: VolumeId(1),
            volume,
        }])
        .unwrap();
    let at = |x: f64, y: f64| Position::new(x + 0.5, y + 0.5, 0.5);
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(at(1.0, 0.0), at(0.0, 1.0))
    };
    let found = world.find_path(&mut Searcher::default(), &request).unwrap();
    let path = found.found().expect("a path around the corner");
    // Straight past the corner would cost 2069.
    assert_eq!(path.cost.units(), 2 * 1463);
    assert_eq!(world.status(&path), PathStatus::Valid);
}

#[test]
fn partial_paths_are_rejected_for_multimodal_requests_and_with_viewers() {
    let (world, both) = open_world(6, 2, 3);
    let at = |x: f64| Position::new(x, 0.5, 0.0);
    let near = PathRequest {
        allow_partial: true,
        ..PathRequest::new(at(0.5), at(5.5))
    };
    let expected = "method `allow_partial` does not support this request: paths that combine ground \
                    and flight, or have viewers, are complete or none";
    let mut searcher = Searcher::default();
    let multimodal = PathRequest {
        agent_type: both,
        ..near.clone()
    };
    let exposed = PathRequest {
        viewers: vec![super::super::Viewer::new(at(2.5), 9.0)],
        ..near.clone()
    };
    for request in [multimodal, exposed] {
        let refused = world.find_path(&mut searcher, &request).unwrap_err();
        assert_eq!(refused.to_string(), expected);
    }
    assert!(world.find_path(&mut searcher, &near).is_ok());
}

#[test]
fn the_explanation_of_a_planar_request_names_the_blocking_obstacle() {
    let mut world = World::new(Profile::DEFAULT)
        .unwrap()
        .with_obstacles(ObstacleSet::square(40).unwrap());
    let agent_type = world.add_agent_type(DiscAgent::POINT).unwrap();
    let wall = Obstacle::cells(18, 0, 4, 40, ObstacleCategories::ALL).unwrap();
    world.apply([ObstacleEdit::Insert(wall)]).unwrap();
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(
            Position::new(5.0, 20.0, 0.0),
            Position::new(35.0, 20.0, 0.0),
        )
    };
    let mut searcher = Searcher::default();
    assert!(matches!(
        world.find_path(&mut searcher, &request),
        Ok(Outcome::Unreachable { .. })
    ));
    let explanation = world.explain(&mut searcher, &request).unwrap();
    assert_eq!(explanation.unblock_options.len(), 1);
    assert!(explanation.cheapest_blocked.is_some());
}

#[test]
fn a_flight_beyond_the_cost_limit_is_reported_as_such() {
    let (mut world, _) = open_world(900, 1, 2);
    let costly = CostMultiplier::MAX;
    let flight = FlightProfile {
        multiplier: costly,
        ..FlightProfile::default()
    };
    let drone = world.add_agent_type(flight).unwrap();
    let both = AgentType {
        ground: Some(Profile {
            terrain_costs: vec![(Terrain::GROUND, costly)],
            ..Profile::DEFAULT
        }),
        flight: Some(flight),
        ..AgentType::default()
    };
    let duck = world.add_agent_type(both).unwrap();
    let mut searcher = Searcher::default();
    for (agent_type, z) in [(drone, 1.5), (duck, 0.0)] {
        for (x, is_within) in [(700.5, true), (720.5, false)] {
            let request = PathRequest {
                agent_type,
                ..PathRequest::new(Position::new(0.5, 0.5, z), Position::new(x, 0.5, z))
            };
            let outcome = world.find_path(&mut searcher, &request).unwrap();
            if is_within {
                assert!(!outcome.found().unwrap().cost.is_saturated(), "to {x}");
            } else {
                assert_eq!(outcome, Outcome::BEYOND_COST_LIMIT, "to {x}");
            }
        }
    }
}

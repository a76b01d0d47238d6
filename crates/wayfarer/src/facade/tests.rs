use wayfarer_engine::base::Terrain;

use crate::prelude::*;
use crate::{PartialReason, RequestError};

fn world(rows: &[&str], scale: Scale) -> World {
    let (width, height) = (rows[0].len(), rows.len());
    let map = format!(
        "type octile\nheight {height}\nwidth {width}\nmap\n{}\n",
        rows.join("\n")
    );
    World::import("test.map", map.as_bytes(), scale).unwrap()
}

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

fn find(world: &World, request: &PathRequest) -> Result<Path, NoPath> {
    world.find_path(&mut Searcher::default(), request)
}

#[test]
fn rule_1_positions_costs_and_lengths_are_in_world_units() {
    let mut world = world(&["......", "......"], Scale::meters(0.3));
    let radius = 0.05;
    let agent_type = AgentType {
        radius,
        ..AgentType::GROUND
    };
    let agent_type = world.add_agent_type(agent_type).unwrap();
    let (from, to) = (at(0.1, 0.1), at(1.7, 0.13));
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(from, to)
    };
    let path = find(&world, &request).unwrap();
    assert_eq!(path.waypoints().collect::<Vec<_>>(), [from, to]);
    assert!((path.cost() - 1.5).abs() < 1e-6, "{}", path.cost());
    assert!((path.length() - 1.600_28).abs() < 1e-4, "{}", path.length());
}

#[test]
fn rule_1_a_number_that_is_not_finite_is_an_error_that_names_it() {
    let world = world(&["...", "..."], Scale::UNIT);
    let bad = at(f64::NAN, 0.5);
    let check = |request: PathRequest, expected: &str| {
        let error = find(&world, &request).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(
        PathRequest::new(bad, at(1.5, 0.5)),
        "a coordinate of the start is not a number",
    );
    check(
        PathRequest::new(at(1.5, 0.5), bad),
        "a coordinate of the goal is not a number",
    );
    let far = at(1e30, 0.5);
    let error = find(&world, &PathRequest::new(at(1.5, 0.5), far)).unwrap_err();
    assert!(matches!(
        error,
        NoPath::Invalid(RequestError::OutOfWorld {
            what: "the goal",
            ..
        })
    ));
    let distance = f64::INFINITY;
    let goal = Goal::Within {
        center: at(1.5, 0.5),
        distance,
    };
    check(
        PathRequest::new(at(0.5, 0.5), goal),
        "the distance to the goal is inf, expected a length from 0 to 8 million cells",
    );
}

#[test]
fn rule_1_y_may_be_up() {
    let scale = Scale {
        axes: Axes::YUp,
        ..Scale::meters(2.0)
    };
    let world = world(&["..", "T."], scale);
    let (from, to) = (Position::new(1.0, 0.0, 1.0), Position::new(3.0, 0.0, 3.0));
    let path = find(&world, &PathRequest::new(from, to)).unwrap();
    let corner = Position::new(3.0, 0.0, 1.0);
    assert_eq!(path.waypoints().collect::<Vec<_>>(), [from, corner, to]);
}

#[test]
fn rule_2_a_tank_does_not_fit_where_a_person_does() {
    let mut world = world(
        &[
            ".......", //
            ".......", //
            ".......", //
            "TTT.TTT", //
            ".......", //
            ".......", //
            ".......", //
        ],
        Scale::UNIT,
    );
    let tank = world
        .add_agent_type(AgentType {
            radius: 0.9,
            ..AgentType::GROUND
        })
        .unwrap();
    let request = PathRequest::new(at(1.5, 1.5), at(1.5, 5.5));
    assert!(find(&world, &request).is_ok());
    let request = PathRequest {
        agent_type: tank,
        ..request
    };
    assert_eq!(find(&world, &request), Err(NoPath::Unreachable));
    let partial = PartialPolicy::NearestEuclidean;
    let path = find(&world, &PathRequest { partial, ..request }).unwrap();
    assert_eq!(path.partial(), Some(PartialReason::Unreachable));
}

#[test]
fn rule_4_goals_that_are_not_points() {
    let world = world(
        &["..........", "..........", "TTTTT.TTTT", ".........."],
        Scale::UNIT,
    );
    let from = at(0.5, 0.5);
    let any = Goal::AnyOf(vec![at(9.25, 3.25), at(3.25, 1.75)]);
    let path = find(&world, &PathRequest::new(from, any)).unwrap();
    assert_eq!(path.end(), Some(at(3.25, 1.75)));
    let area = Goal::Area(Area::rect(at(4.0, 3.0), at(7.0, 4.0)));
    let path = find(&world, &PathRequest::new(from, area)).unwrap();
    assert_eq!(path.end(), Some(at(5.5, 3.5)));
    let within = Goal::Within {
        center: at(9.5, 0.5),
        distance: 3.0,
    };
    let path = find(&world, &PathRequest::new(from, within)).unwrap();
    assert_eq!(path.end(), Some(at(6.5, 0.5)));
    let sight = Goal::LineOfSightTo {
        target: at(5.5, 3.5),
        distance: 9.0,
    };
    let path = find(&world, &PathRequest::new(from, sight)).unwrap();
    assert!(path.cost() < 5.5, "{}", path.cost());
}

#[test]
fn rule_4_every_method_finds_the_path_or_refuses_by_name() {
    let world = world(&["....T....", "....T....", "........."], Scale::UNIT);
    let request = PathRequest::new(at(0.5, 0.5), at(8.5, 0.5));
    for method in [
        Method::Bounded,
        Method::Optimal,
        Method::Jps,
        Method::AStar,
        Method::Dijkstra,
        Method::AnyAngle,
        Method::Hierarchical,
    ] {
        let request = PathRequest {
            method,
            ..request.clone()
        };
        let path = find(&world, &request).unwrap();
        assert_eq!(
            (path.start(), path.end()),
            (Some(request.from), Some(at(8.5, 0.5)))
        );
        assert!(path.cost() < 10.0, "{method:?} {}", path.cost());
    }
    let avoid = vec![Area::rect(at(0.0, 2.0), at(9.0, 3.0))];
    let request = PathRequest {
        avoid,
        method: Method::AnyAngle,
        ..request
    };
    let error = find(&world, &request).unwrap_err().to_string();
    assert!(
        error.starts_with("the any-angle method does not support `avoid`"),
        "{error}"
    );
    let request = PathRequest {
        method: Method::Optimal,
        ..request
    };
    assert_eq!(find(&world, &request), Err(NoPath::Unreachable));
}

#[test]
fn rule_4_the_budget_ends_a_search_with_the_best_path_so_far() {
    let world = world(&["....T....", "....T....", "........."], Scale::UNIT);
    let request = PathRequest {
        budget: Budget::expansions(1),
        method: Method::AStar,
        ..PathRequest::new(at(0.5, 0.5), at(8.5, 0.5))
    };
    let error = find(&world, &request).unwrap_err();
    assert!(
        matches!(error, NoPath::OutOfBudget { best: Some(_) }),
        "{error:?}"
    );
    let partial = PartialPolicy::NearestOctile;
    let path = find(&world, &PathRequest { partial, ..request }).unwrap();
    assert_eq!(path.partial(), Some(PartialReason::OutOfBudget));
}

#[test]
fn rule_2_a_boat_stays_on_water() {
    let mut world = world(&["WWWWW", ".....", "WWWWW"], Scale::UNIT);
    let terrains = TerrainSet::of(&[Terrain::WATER]);
    let boat = world
        .add_agent_type(AgentType {
            terrains,
            ..AgentType::GROUND
        })
        .unwrap();
    let to = |x, y| PathRequest {
        agent_type: boat,
        ..PathRequest::new(at(0.5, 0.5), at(x, y))
    };
    assert!(find(&world, &to(4.5, 0.5)).is_ok());
    assert_eq!(find(&world, &to(4.5, 2.5)), Err(NoPath::Unreachable));
}

#[test]
fn rule_4_an_agent_inside_something_new_leaves_first() {
    let world = world(&["TTT...", "TTT...", "TTT..."], Scale::UNIT);
    let request = PathRequest::new(at(1.5, 1.25), at(5.5, 0.5));
    let error = find(&world, &request).unwrap_err();
    assert!(matches!(
        error,
        NoPath::Invalid(RequestError::StartBlocked { .. })
    ));
    let start = StartPolicy::LeaveFirst;
    let path = find(&world, &PathRequest { start, ..request }).unwrap();
    let expected = [at(1.5, 1.25), at(3.5, 1.5), at(5.5, 0.5)];
    assert_eq!(path.waypoints().collect::<Vec<_>>(), expected);
}

#[test]
fn rule_4_a_refused_end_says_what_is_there() {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n....@....\n.........\n";
    let mut world = World::import("yard.map", map, Scale::UNIT).unwrap();
    let drone = world.add_agent_type(AgentType::FLIGHT).unwrap();
    let block = Solid::cuboid(Position::new(0.0, 0.0, 0.0), Position::new(2.0, 2.0, 2.0));
    world.add_solid(block).unwrap();
    let refused = |from: [f64; 2], to: [f64; 2], agent_type: AgentTypeId| {
        let at = |[x, y]: [f64; 2]| Position::new(x, y, 0.0);
        let request = PathRequest {
            agent_type,
            ..PathRequest::new(at(from), at(to))
        };
        let found = world.find_path(&mut Searcher::default(), &request);
        found.unwrap_err().to_string()
    };
    let walker = AgentTypeId::DEFAULT;
    let open = [6.5, 0.5];
    for (from, to, agent_type, message) in [
        (
            open,
            [50.0, 0.5],
            walker,
            "the goal, (50.00, 0.50, 0.00), is blocked: it is outside the map",
        ),
        (
            [-3.5, 0.5],
            open,
            walker,
            "the start, (-3.50, 0.50, 0.00), is blocked: it is outside the map",
        ),
        (
            open,
            [4.5, 1.5],
            walker,
            "the goal, (4.50, 1.50, 0.00), is blocked: there is no floor",
        ),
        (
            open,
            [0.5, 0.5],
            walker,
            "the goal, (0.50, 0.50, 0.00), is blocked: it is inside a solid",
        ),
        (
            [1.5, 1.5],
            open,
            walker,
            "the start, (1.50, 1.50, 0.00), is blocked: it is inside a solid",
        ),
        (
            open,
            [8.5, 0.5],
            drone,
            "a world without air does not support `agent_type` of the request: agents fly in the box of `World::add_air`",
        ),
    ] {
        assert_eq!(refused(from, to, agent_type), message);
    }
    assert_eq!(world.draw(&[]), "OO.......\nOO..#....\n.........\n");
}

#[test]
fn an_agent_inside_a_new_solid_leaves_it_first() {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
    let mut world = World::import("yard.map", map, Scale::UNIT).unwrap();
    let block = Solid::cuboid(Position::new(1.0, 0.0, 0.0), Position::new(3.0, 3.0, 2.0));
    world.add_solid(block).unwrap();
    let request = PathRequest {
        start: StartPolicy::LeaveFirst,
        ..PathRequest::new(Position::new(2.5, 1.5, 0.0), Position::new(7.5, 1.5, 0.0))
    };
    let path = world.find_path(&mut Searcher::default(), &request).unwrap();
    let cells: Vec<f64> = path.cells().iter().map(|at| at.units()[0]).collect();
    assert_eq!(cells, [3.5, 4.5, 5.5, 6.5, 7.5]);
    assert_eq!(path.start(), Some(request.from));
}

//! The rules of the facade, each by name, as user code.

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{
    AgentTypeError, BakeOptions, CenterPlacement, Planner, RefinementParams, RequestError, Viewer,
};

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

/// A field of 40 x 40 cells with two walls that leave gaps.
fn two_walls() -> Result<World, Box<dyn Error>> {
    let mut rows = vec![".".repeat(40); 40];
    rows[13] = format!("{}...", "T".repeat(37));
    rows[26] = format!("...{}", "T".repeat(37));
    let map = format!(
        "type octile\nheight 40\nwidth 40\nmap\n{}\n",
        rows.join("\n")
    );
    Ok(World::import("field.map", map.as_bytes(), Scale::UNIT)?)
}

#[test]
fn rule_1_positions_convert_from_and_to_arrays() {
    let position = Position::new(1.5, -2.25, 3.0);
    assert_eq!(Position::from([1.5_f32, -2.25, 3.0]), position);
    assert_eq!(Position::from([1.5_f64, -2.25, 3.0]), position);
    assert_eq!(Position::from(<[f64; 3]>::from(position)), position);
    assert_eq!(Position::from(<[f32; 3]>::from(position)), position);
}

#[cfg(feature = "glam")]
#[test]
fn rule_1_positions_convert_from_and_to_glam() {
    let position = Position::new(1.5, -2.25, 3.0);
    assert_eq!(Position::from(glam::Vec3::new(1.5, -2.25, 3.0)), position);
    assert_eq!(
        glam::DVec3::from(position),
        glam::DVec3::new(1.5, -2.25, 3.0)
    );
}

#[cfg(feature = "mint")]
#[test]
fn rule_1_positions_convert_from_and_to_mint() {
    let position = Position::new(1.5, -2.25, 3.0);
    let point = mint::Point3::from([1.5_f32, -2.25, 3.0]);
    assert_eq!(Position::from(point), position);
    assert_eq!(
        mint::Vector3::<f64>::from(position),
        [1.5, -2.25, 3.0].into()
    );
}

#[cfg(feature = "serde")]
#[test]
fn rule_10_parameters_are_values_of_serde() -> Result<(), Box<dyn Error>> {
    let tank = AgentType {
        radius: 1.5,
        terrain_costs: vec![(Terrain::SWAMP, 3.0)],
        ..AgentType::GROUND
    };
    let text = serde_json::to_string(&tank)?;
    assert_eq!(serde_json::from_str::<AgentType>(&text)?, tank);
    let short: AgentType = serde_json::from_str(r#"{"radius": 0.7}"#)?;
    let radius = 0.7;
    assert_eq!(
        short,
        AgentType {
            radius,
            ..AgentType::GROUND
        }
    );
    let goal = Goal::Within {
        center: at(1.0, 2.0),
        distance: 3.0,
    };
    let text = serde_json::to_string(&goal)?;
    assert_eq!(
        text,
        r#"{"Within":{"center":[1.0,2.0,0.0],"distance":3.0}}"#
    );
    assert_eq!(serde_json::from_str::<Goal>(&text)?, goal);
    assert!(serde_json::from_str::<Terrain>("64").is_err());
    Ok(())
}

#[test]
fn rule_2_an_option_that_the_movement_does_not_use_is_an_error_that_names_it() {
    let mut world = World::new(Scale::UNIT).expect("the scale is valid");
    let error = world.add_agent_type(AgentType {
        keys: 1,
        ..AgentType::FLIGHT
    });
    let (option, movement) = ("keys", "flight");
    assert_eq!(
        error,
        Err(AgentTypeError::UnusedOption { option, movement })
    );
    assert!(world.add_agent_type(AgentType::PLANAR).is_ok());
    assert_eq!(world.agent_type(AgentTypeId::DEFAULT), None);
}

#[test]
fn rule_3_moves_of_bodies_do_not_push_edits_out_of_the_log() -> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    let unit = world.add_body(Body::default())?;
    let other = world.add_body(Body::default())?;
    let (mut replica, mut cursor) = (world.replica(), world.change_cursor());
    let wall = Solid::cuboid(at(4.0, 1.0), Position::new(7.0, 2.0, 3.0));
    let (wall, _) = world.add_solid(wall)?;
    for step in 0..500 {
        world.move_bodies(&[(unit, at(f64::from(step % 30) + 0.5, 20.5))])?;
        world.teleport(other, at(5.5, f64::from(step % 30) + 0.5))?;
    }
    let changes = world.poll_changes(&mut cursor)?;
    assert_eq!(changes.len(), 2, "the wall and all moves");
    replica.sync(&changes)?;
    assert_eq!(replica.revision(), world.revision());
    for id in [unit, other] {
        assert_eq!(replica.body(id)?, world.body(id)?);
    }
    // A cursor between two moves, and edits after them.
    world.move_bodies(&[(unit, at(1.5, 20.5))])?;
    replica.sync(&world.poll_changes(&mut cursor)?)?;
    world.move_bodies(&[(unit, at(2.5, 20.5))])?;
    world.remove_solid(wall)?;
    world.move_bodies(&[(unit, at(3.5, 20.5))])?;
    replica.sync(&world.poll_changes(&mut cursor)?)?;
    assert_eq!(replica.revision(), world.revision());
    assert_eq!(replica.body(unit)?, world.body(unit)?);
    Ok(())
}

#[test]
fn rule_4_requests_own_what_they_hold() {
    fn owns<T: Clone + Send + 'static>() {}
    owns::<PathRequest>();
    owns::<Path>();
}

#[test]
fn rule_4_refinement_runs_over_live_and_baked_regions() -> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    let mut searcher = Searcher::default();
    let (from, to) = (at(0.5, 0.5), at(39.5, 39.5));
    let with = |method| PathRequest {
        method,
        ..PathRequest::new(from, to)
    };
    let optimal = world.find_path(&mut searcher, &with(Method::Optimal))?;
    let params = RefinementParams::SMOOTH;
    let live = world.find_path(&mut searcher, &with(Method::Refined(params)))?;
    assert!(live.cost() >= optimal.cost() && live.cost() < 1.3 * optimal.cost());
    let baked = with(Method::RefinedBaked(params));
    let error = world.find_path(&mut searcher, &baked).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no baked abstraction is attached"),
        "{error}"
    );

    world.bake(BakeOptions::default())?;
    let path = world.find_path(&mut searcher, &baked)?;
    assert_eq!((path.start(), path.end()), (Some(from), Some(to)));
    assert!(path.cost() >= optimal.cost() && path.cost() < 1.3 * optimal.cost());
    // Saved with the world, or apart from it.
    let loaded = World::load(&world.save())?;
    assert_eq!(loaded.find_path(&mut Searcher::default(), &baked)?, path);
    let bytes = world.save_baked().ok_or("it is attached")?;
    let mut other = two_walls()?;
    other.attach_baked(&bytes)?;
    let found = other.find_path(&mut Searcher::default(), &baked)?;
    assert_eq!(found.cells(), path.cells());

    // The gap closes, another opens: no path is missed, nor found through the wall.
    let gap = Solid::cuboid(at(37.0, 13.0), Position::new(40.0, 14.0, 3.0));
    let (gap, _) = world.add_solid(gap)?;
    assert_eq!(
        world.find_path(&mut searcher, &baked),
        Err(NoPath::Unreachable)
    );
    let hole = Area::rect(at(20.0, 13.0), at(21.0, 14.0));
    world.apply(&[Edit::add_floors(hole, 0.0, Terrain::GROUND)])?;
    let path = world.find_path(&mut searcher, &baked)?;
    assert!(path.cells().contains(&at(20.5, 13.5)));
    world.add_baked_variant("hole", CenterPlacement::Center)?;
    world.set_baked_variant("hole", true)?;
    assert_eq!(world.baked_variants(), [("hole".to_owned(), true)]);
    assert!(world.find_path(&mut searcher, &baked)?.cost() <= path.cost() + 1e-9);
    world.remove_solid(gap)?;
    assert!(world.detach_baked());
    Ok(())
}

#[test]
fn rule_4_no_method_exceeds_its_budget() -> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    world.bake(BakeOptions::default())?;
    let tank = world.add_agent_type(AgentType {
        radius: 1.0,
        ..AgentType::GROUND
    })?;
    let params = RefinementParams::STURTEVANT_2007;
    let methods = [
        Method::Bounded,
        Method::Optimal,
        Method::Jps,
        Method::AStar,
        Method::Dijkstra,
        Method::AnyAngle,
        Method::Hierarchical,
        Method::Refined(params),
        Method::RefinedBaked(params),
    ];
    for method in methods {
        for agent_type in [AgentTypeId::DEFAULT, tank] {
            for expansions in [10, 100, 1_000] {
                let request = PathRequest {
                    method,
                    agent_type,
                    budget: Budget::expansions(expansions),
                    ..PathRequest::new(at(1.5, 1.5), at(38.5, 38.5))
                };
                let used = match world.find_path(&mut Searcher::default(), &request) {
                    Ok(path) => path.expansions(),
                    Err(NoPath::OutOfBudget { best }) => best.map_or(0, |best| best.expansions()),
                    Err(NoPath::Invalid(RequestError::Unsupported { .. })) => continue,
                    Err(error) => return Err(error.into()),
                };
                assert!(
                    10 * used <= 11 * expansions,
                    "{method:?} {used} of {expansions}"
                );
            }
        }
    }
    Ok(())
}

/// True if a line comes nearer to a point than a distance.
fn is_near(line: (Position, Position), point: [f64; 2], distance: f64) -> bool {
    let ([ax, ay, _], [bx, by, _]) = (line.0.units(), line.1.units());
    let (dx, dy) = (bx - ax, by - ay);
    let along = (point[0] - ax) * dx + (point[1] - ay) * dy;
    let share = (along / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    let (x, y) = (ax + share * dx - point[0], ay + share * dy - point[1]);
    x * x + y * y < distance * distance
}

#[test]
fn rule_5_lines_keep_out_of_areas_to_avoid() -> Result<(), Box<dyn Error>> {
    let map = format!(
        "type octile\nheight 20\nwidth 40\nmap\n{}",
        (".".repeat(40) + "\n").repeat(20)
    );
    let world = World::import("yard.map", map.as_bytes(), Scale::UNIT)?;
    let fire = Area::disc(at(20.0, 10.0), 4.0);
    let (from, to) = (at(2.5, 10.5), at(37.5, 9.5));
    let around = PathRequest {
        avoid: vec![fire.clone()],
        ..PathRequest::new(from, to)
    };
    let costly = PathRequest {
        area_costs: vec![(fire, 9.0)],
        ..PathRequest::new(from, to)
    };
    for request in [around, costly] {
        let path = world.find_path(&mut Searcher::default(), &request)?;
        let points: Vec<Position> = path.waypoints().collect();
        for line in points.windows(2) {
            // The center of the area is out of reach: cells belong to it by their centers.
            assert!(
                !is_near((line[0], line[1]), [20.0, 10.0], 3.0),
                "{points:?}"
            );
        }
        assert!(points.len() < path.cells().len() / 2, "{points:?}");
    }
    Ok(())
}

#[test]
fn rule_2_an_agent_with_clearance_keeps_off_walls_where_it_can() -> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    let careful = world.add_agent_type(AgentType {
        clearance: 1.0,
        clearance_cost: 4.0,
        ..AgentType::GROUND
    })?;
    let plain = world.add_agent_type(AgentType::GROUND)?;
    let mut searcher = Searcher::default();
    let (from, to) = (at(2.5, 11.5), at(33.5, 11.5));
    let house = Solid::cuboid(at(10.0, 9.0), Position::new(20.0, 12.0, 3.0));
    world.add_solid(house)?;
    let request = |agent_type| PathRequest {
        agent_type,
        ..PathRequest::new(from, to)
    };
    let comes_near = |path: &Path, distance: f64| {
        let points: Vec<Position> = path.waypoints().collect();
        let corners = [[10.0, 9.0], [20.0, 9.0], [10.0, 12.0], [20.0, 12.0]];
        let mut lines = points.windows(2);
        lines.any(|line| {
            let mut corners = corners.iter();
            corners.any(|corner| is_near((line[0], line[1]), *corner, distance))
        })
    };
    // Between the house and the wall, a cell wide.
    let short = world.find_path(&mut searcher, &request(plain))?;
    assert!(comes_near(&short, 0.75));
    let wide = world.find_path(&mut searcher, &request(careful))?;
    assert!(!comes_near(&wide, 0.9), "{:?}", wide.traversal());
    assert!(wide.length() > short.length() && wide.length() < short.length() + 9.0);
    // Through the gap of three cells all the same, and after save and load.
    let through = PathRequest {
        agent_type: careful,
        ..PathRequest::new(at(2.5, 2.5), at(2.5, 38.5))
    };
    let path = world.find_path(&mut searcher, &through)?;
    let loaded = World::load(&world.save())?;
    assert_eq!(loaded.find_path(&mut Searcher::default(), &through)?, path);
    let any_angle = PathRequest {
        method: Method::AnyAngle,
        ..through
    };
    let error = world.find_path(&mut searcher, &any_angle).unwrap_err();
    assert!(
        error.to_string().contains("does not support `clearance`"),
        "{error}"
    );
    let flying = AgentType {
        clearance: 1.0,
        ..AgentType::FLIGHT
    };
    assert!(world.add_agent_type(flying).is_err());
    Ok(())
}

#[test]
fn rule_5_a_path_is_saved_and_loaded() -> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    let tank = world.add_agent_type(AgentType {
        radius: 0.9,
        ..AgentType::GROUND
    })?;
    let request = PathRequest {
        agent_type: tank,
        ..PathRequest::new(at(1.5, 1.5), at(38.5, 38.5))
    };
    let path = world.find_path(&mut Searcher::default(), &request)?;
    let bytes = path.save();
    let loaded = world.load_path(&bytes)?;
    assert_eq!(loaded, path);
    assert_eq!(world.status(&loaded), PathStatus::Valid);
    for length in 0..bytes.len() {
        assert!(world.load_path(&bytes[..length]).is_err());
    }
    Ok(())
}

#[test]
fn rule_6_flights_and_walks_that_outlived_the_log_are_checked_by_themselves()
-> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    world.set_change_log_capacity(2);
    assert_eq!(world.change_log_capacity(), 2);
    let request = PathRequest::new(at(0.5, 0.5), at(0.5, 39.5));
    let path = world.find_path(&mut Searcher::default(), &request)?;
    let beside = |world: &mut World| -> Result<(), Box<dyn Error>> {
        let wall = Solid::cuboid(at(5.0, 35.0), Position::new(6.0, 36.0, 2.0));
        let (wall, _) = world.add_solid(wall)?;
        world.remove_solid(wall)?;
        Ok(())
    };
    for _ in 0..4 {
        beside(&mut world)?;
    }
    assert_eq!(world.status(&path), PathStatus::MaybeSuboptimal);
    let gap = Solid::cuboid(at(37.0, 13.0), Position::new(40.0, 14.0, 3.0));
    world.add_solid(gap)?;
    for _ in 0..4 {
        beside(&mut world)?;
    }
    assert!(matches!(world.status(&path), PathStatus::Invalid { .. }));
    Ok(())
}

#[test]
fn rule_7_would_disconnect_rolls_back() -> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    let tank = world.add_agent_type(AgentType {
        radius: 0.9,
        ..AgentType::GROUND
    })?;
    let mut cursor = world.change_cursor();
    let mut searcher = Searcher::default();
    let request = PathRequest::new(at(0.5, 0.5), at(0.5, 39.5));
    let path = world.find_path(&mut searcher, &request)?;
    let subscription = world.subscribe(path.clone());
    let before = (world.save(), world.revision());
    let (a, b) = (at(1.5, 1.5), at(1.5, 38.5));
    // A column in the gap of three cells: a person passes it, a tank does not.
    let column = Solid::cuboid(at(38.0, 13.0), Position::new(39.0, 14.0, 3.0));
    let edits = [
        Edit::add_solid(column),
        Edit::remove_floors(Area::disc(at(9.0, 9.0), 3.0)),
    ];
    for _ in 0..100 {
        assert_eq!(world.would_disconnect(&edits, &[(a, b)], tank)?, [(a, b)]);
        assert_eq!(
            world.would_disconnect(&edits, &[(a, b)], AgentTypeId::DEFAULT)?,
            []
        );
    }
    assert!(before == (world.save(), world.revision()));
    assert!(world.poll_changes(&mut cursor)?.is_empty());
    assert_eq!(world.status(&path), PathStatus::Valid);
    assert_eq!(
        world.find_path(&mut searcher, &request)?.cells(),
        path.cells()
    );
    let gap = Solid::cuboid(at(37.0, 13.0), Position::new(40.0, 14.0, 3.0));
    let (_, changes) = world.add_solid(gap)?;
    assert_eq!(changes.invalidated(), [subscription]);
    Ok(())
}

#[test]
fn rule_8_a_field_of_view_is_what_lines_of_sight_reach() -> Result<(), Box<dyn Error>> {
    let mut world = two_walls()?;
    world.add_solid(Solid::cuboid(at(8.0, 4.0), Position::new(10.0, 6.0, 3.0)))?;
    let eye = Position::new(4.5, 5.5, 1.5);
    let viewer = Viewer::new(eye, 9.0);
    let seen = world.field_of_view(&viewer, 1.0)?;
    assert!(seen.len() > 50);
    for y in 0..13 {
        for x in 0..14 {
            let floor = at(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let Some(floor) = world.project_to_floor(AgentTypeId::DEFAULT, floor) else {
                continue;
            };
            let [fx, fy, fz] = floor.units();
            let target = Position::new(fx, fy, fz + 1.0);
            let apart = (fx - 4.5).powi(2) + (fy - 5.5).powi(2) + (fz + 1.0 - 1.5).powi(2);
            let expected = apart <= 81.0 && world.has_line_of_sight(eye, target);
            assert_eq!(seen.contains(&floor), expected, "{floor}");
        }
    }
    Ok(())
}

#[test]
fn rule_9_worlds_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<World>();
    crosses::<Planner>();
}

use std::f64::consts::{FRAC_PI_3, PI};

use wayfarer_engine::base::Rng;

use crate::prelude::*;
use crate::{BodyError, Categories, Mount, RequestError, Viewer};

const TANK: Categories = Categories::one(3);

fn open_world(width: usize, height: usize) -> World {
    let map = format!(
        "type octile\nheight {height}\nwidth {width}\nmap\n{}",
        format!("{}\n", ".".repeat(width)).repeat(height)
    );
    World::import("open.map", map.as_bytes(), Scale::meters(0.5)).unwrap()
}

fn at(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

fn tank(position: Position) -> Body {
    Body {
        position,
        shape: BodyShape::disc(1.5),
        height: 2.0,
        categories: TANK,
        team: 1,
        ..Body::default()
    }
}

fn find(world: &World, request: &PathRequest) -> Result<Path, NoPath> {
    world.find_path(&mut Searcher::default(), request)
}

/// The distance of a point from a segment, by calculus alone.
fn distance_to_segment(at: Position, from: Position, to: Position) -> f64 {
    let ([px, py, _], [ax, ay, _], [bx, by, _]) = (at.units(), from.units(), to.units());
    let (dx, dy) = (bx - ax, by - ay);
    let share = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy).max(1e-12);
    let share = share.clamp(0.0, 1.0);
    let (x, y) = (ax + share * dx - px, ay + share * dy - py);
    (x * x + y * y).sqrt()
}

fn nearest_on_path(path: &Path, to: Position) -> f64 {
    let waypoints: Vec<Position> = path.waypoints().collect();
    let lines = waypoints.windows(2);
    let distances = lines.map(|line| distance_to_segment(to, line[0], line[1]));
    distances.fold(f64::INFINITY, f64::min)
}

#[test]
fn rule_3_a_body_registered_once_is_found_seen_occluding_avoided_and_overlapping() {
    let mut world = open_world(40, 20);
    let center = at(10.0, 5.0);
    let body = Body {
        blocks_sight: true,
        ..tank(center)
    };
    let id = world.add_body(body).unwrap();
    let disc = Footprint::disc(at(7.0, 5.0), 2.0);
    assert_eq!(world.bodies_in(&disc, BodyFilter::ALL).unwrap(), [id]);
    let sensor = Sensor {
        mount: Mount::Position(at(2.0, 5.0)),
        footprint: Footprint::cone(at(2.0, 5.0), Heading::EAST, FRAC_PI_3, 10.0),
        requires_line_of_sight: true,
        eye_height: 1.5,
        ..Sensor::default()
    };
    let sensor = world.add_sensor(sensor).unwrap();
    let events = world.update_sensors();
    assert_eq!(events, [SensorEvent::Entered { sensor, body: id }]);
    assert_eq!(world.detected_by(sensor).unwrap(), [id]);
    let eyes = [1.0, 3.0].map(|z| [2.0, 18.0].map(|x| Position::new(x, 5.0, z)));
    assert!(!world.has_line_of_sight(eyes[0][0], eyes[0][1]));
    assert!(world.has_line_of_sight(eyes[1][0], eyes[1][1]), "over it");
    let request = PathRequest {
        avoid_bodies: TANK,
        ..PathRequest::new(at(2.25, 5.25), at(18.25, 5.25))
    };
    let path = find(&world, &request).unwrap();
    // The default agent type is one cell wide.
    assert!(nearest_on_path(&path, center) >= 1.5 + 0.25 - 0.01);
    assert!(path.length() < 17.5, "{}", path.length());
    let second = world.add_body(tank(at(12.5, 5.0))).unwrap();
    let pairs = world.overlapping_pairs(BodyFilter::ALL).unwrap();
    assert_eq!(pairs, [(id, second)]);
    world.remove_body(id).unwrap();
    assert_eq!(
        world.update_sensors(),
        [
            SensorEvent::Left { sensor, body: id },
            SensorEvent::Entered {
                sensor,
                body: second
            },
        ]
    );
    assert!(world.has_line_of_sight(eyes[0][0], eyes[0][1]));
}

#[test]
fn rule_3_flags_categories_and_teams_decide() {
    let mut world = open_world(40, 20);
    let ghost = Body {
        blocks_movement: false,
        ..tank(at(10.0, 5.0))
    };
    let id = world.add_body(ghost).unwrap();
    let disc = Footprint::disc(at(10.0, 5.0), 1.0);
    let found = |world: &World, filter| world.bodies_in(&disc, filter).unwrap().len();
    assert_eq!(found(&world, BodyFilter::enemies_of(1)), 0);
    assert_eq!(found(&world, BodyFilter::enemies_of(2)), 1);
    assert_eq!(found(&world, BodyFilter::categories(TANK)), 1);
    let trees = BodyFilter::categories(Categories::one(4));
    assert_eq!(found(&world, trees), 0);
    let above = BodyFilter {
        heights: Some((2.5, 9.0)),
        ..BodyFilter::ALL
    };
    assert_eq!(found(&world, above), 0);
    let (from, to) = (at(2.25, 5.25), at(18.25, 5.25));
    assert!(world.has_line_of_sight(from, to));
    let request = PathRequest {
        avoid_bodies: Categories::ALL,
        ..PathRequest::new(from, to)
    };
    let straight = find(&world, &request).unwrap();
    assert_eq!(straight.waypoints().collect::<Vec<_>>(), [from, to]);
    world.remove_body(id).unwrap();
    world.add_body(tank(at(10.0, 5.0))).unwrap();
    assert_ne!(find(&world, &request), Ok(straight.clone()));
    let trees = PathRequest {
        avoid_bodies: Categories::one(4),
        ..request.clone()
    };
    assert!((find(&world, &trees).unwrap().cost() - straight.cost()).abs() < 1e-9);
    let any = PathRequest {
        avoid_bodies: Categories::NONE,
        ..request
    };
    assert!((find(&world, &any).unwrap().cost() - straight.cost()).abs() < 1e-9);
}

#[test]
fn rule_3_the_own_body_neither_blocks_nor_is_detected() {
    let mut world = open_world(40, 20);
    let from = at(5.25, 5.25);
    let own = world.add_body(tank(from)).unwrap();
    let other = world.add_body(tank(at(9.0, 5.25))).unwrap();
    let agent_type = world
        .add_agent_type(AgentType {
            radius: 1.5,
            ..AgentType::GROUND
        })
        .unwrap();
    let request = PathRequest {
        agent_type,
        own_body: Some(own),
        avoid_bodies: Categories::ALL,
        ..PathRequest::new(from, at(14.25, 5.25))
    };
    let path = find(&world, &request).unwrap();
    let center = world.body(other).unwrap().position;
    assert!(nearest_on_path(&path, center) >= 3.0 - 0.01);
    assert_eq!(path.start(), Some(from));
    // The same path as if its body were not there.
    world.remove_body(own).unwrap();
    let request = PathRequest {
        own_body: None,
        ..request
    };
    let expected = find(&world, &request).unwrap();
    assert!(path.waypoints().eq(expected.waypoints()));
    assert!((path.cost() - expected.cost()).abs() < 1e-9);
}

#[test]
fn rule_3_planar_agents_move_among_bodies_that_block_movement() {
    let mut world = World::new(Scale::meters(1.0)).unwrap();
    let agent_type = world.add_agent_type(AgentType::PLANAR).unwrap();
    let request = PathRequest {
        agent_type,
        ..PathRequest::new(at(0.0, 0.0), at(20.0, 0.0))
    };
    assert!((find(&world, &request).unwrap().length() - 20.0).abs() < 1e-9);
    let wall = Body {
        position: at(10.0, 1.0),
        shape: BodyShape::cuboid(1.0, 4.0),
        ..Body::default()
    };
    let wall = world.add_body(wall).unwrap();
    let path = find(&world, &request).unwrap();
    assert!(path.length() > 20.5, "{}", path.length());
    let subscription = world.subscribe(path.clone());
    world.move_bodies(&[(wall, at(10.0, -1.0))]).unwrap();
    assert!(!world.status(&path).is_walkable());
    world.unsubscribe(subscription);
    world.remove_body(wall).unwrap();
    assert!((find(&world, &request).unwrap().length() - 20.0).abs() < 1e-9);
}

#[test]
fn rule_3_a_path_that_avoids_bodies_is_invalidated_by_their_moves() {
    let mut world = open_world(40, 20);
    let id = world.add_body(tank(at(10.0, 9.0))).unwrap();
    let request = PathRequest {
        avoid_bodies: TANK,
        ..PathRequest::new(at(2.25, 5.25), at(18.25, 5.25))
    };
    let path = find(&world, &request).unwrap();
    assert!(world.status(&path).is_walkable());
    world.move_bodies(&[(id, at(10.0, 5.0))]).unwrap();
    assert!(!world.status(&path).is_walkable());
    let repaired = world
        .repair(&mut Searcher::default(), &request, &path)
        .unwrap();
    assert!(nearest_on_path(&repaired, at(10.0, 5.0)) >= 1.74);
}

#[test]
fn rule_3_dead_ids_and_bad_numbers_are_errors() {
    let mut world = open_world(8, 8);
    let id = world.add_body(Body::default()).unwrap();
    let sensor = world.add_sensor(Sensor::default()).unwrap();
    world.remove_body(id).unwrap();
    world.remove_sensor(sensor).unwrap();
    let dead = BodyError::UnknownBody { id };
    let unknown = BodyError::UnknownSensor { id: sensor };
    assert_eq!(world.remove_body(id), Err(dead.clone()));
    assert_eq!(world.body(id), Err(dead.clone()));
    assert_eq!(world.teleport(id, at(1.0, 1.0)), Err(dead.clone()));
    assert_eq!(world.move_bodies(&[(id, at(1.0, 1.0))]), Err(dead.clone()));
    assert_eq!(world.remove_sensor(sensor), Err(unknown.clone()));
    assert_eq!(world.detected_by(sensor), Err(unknown));
    let mounted = Sensor {
        mount: id.into(),
        ..Sensor::default()
    };
    assert_eq!(world.add_sensor(mounted), Err(dead.clone()));
    let request = PathRequest {
        own_body: Some(id),
        ..PathRequest::new(at(0.25, 0.25), at(3.25, 3.25))
    };
    let error = find(&world, &request).unwrap_err();
    assert_eq!(error, NoPath::Invalid(RequestError::Body(dead)));
    let next = world.add_body(Body::default()).unwrap();
    assert_ne!(next, id, "an id is never reused");
    for (body, expected) in [
        (
            tank(at(f64::NAN, 1.0)),
            "the position of a body, (NaN, 1.00, 0.00), is not a position in the world",
        ),
        (
            Body {
                shape: BodyShape::disc(f64::INFINITY),
                ..Body::default()
            },
            "the radius of a body is inf, expected a length from 0 to 8 million cells",
        ),
        (
            Body {
                height: -1.0,
                ..Body::default()
            },
            "the height of a body is -1, expected a height from 0 to 8 million steps",
        ),
    ] {
        assert_eq!(world.add_body(body).unwrap_err().to_string(), expected);
    }
    let cone = Footprint::cone(at(1.0, 1.0), Heading::EAST, 7.0, 3.0);
    let error = world.bodies_in(&cone, BodyFilter::ALL).unwrap_err();
    let expected = "the angle of a cone is 7, expected 0 to 2 pi radians";
    assert_eq!(error.to_string(), expected);
    assert_eq!(world.bodies(), [next]);
}

#[test]
fn rule_3_bulk_moves_equal_single_moves() {
    let mut rng = Rng::new(11);
    let mut number = |limit: u32| f64::from(rng.below(limit * 16)) / 16.0;
    let mut worlds = [open_world(40, 40), open_world(40, 40)];
    let bodies: Vec<Body> = (0..60)
        .map(|_| Body {
            shape: BodyShape::disc(number(2) + 0.25),
            ..tank(at(number(20), number(20)))
        })
        .collect();
    let add = |world: &mut World| -> Vec<BodyId> {
        let ids = bodies.iter().map(|body| world.add_body(*body).unwrap());
        ids.collect()
    };
    let ids = worlds.each_mut().map(add)[0].clone();
    for world in &mut worlds {
        world.remove_body(ids[7]).unwrap();
    }
    for _ in 0..20 {
        let moved = ids.iter().filter(|id| **id != ids[7]);
        let moves: Vec<(BodyId, Position)> = moved
            .map(|id| (*id, Position::new(number(20), number(20), number(3))))
            .collect();
        worlds[0].move_bodies(&moves).unwrap();
        for one in &moves {
            worlds[1].move_bodies(std::slice::from_ref(one)).unwrap();
        }
        let disc = Footprint::disc(at(number(20), number(20)), number(8));
        let results = worlds.each_ref().map(|world| {
            let near = world.bodies_in(&disc, BodyFilter::ALL).unwrap();
            let pairs = world.overlapping_pairs(BodyFilter::ALL).unwrap();
            let request = PathRequest {
                avoid_bodies: TANK,
                partial: PartialPolicy::NearestOctile,
                ..PathRequest::new(at(0.25, 0.25), at(19.25, 19.25))
            };
            let path = find(world, &request);
            (near, pairs, path.map(|path| path.cost()))
        });
        assert_eq!(results[0], results[1]);
        let revision = worlds[0].revision().number;
        worlds[0].move_bodies(&moves[..3]).unwrap();
        assert_eq!(worlds[0].revision().number, revision + 1, "one batch");
    }
}

#[test]
fn rule_8_footprints_find_what_an_oracle_finds() {
    let mut rng = Rng::new(5);
    let mut number = |limit: u32| f64::from(rng.below(limit * 256)) / 256.0;
    let mut world = World::new(Scale::meters(1.0)).unwrap();
    let points: Vec<Position> = (0..300).map(|_| at(number(40), number(40))).collect();
    let ids: Vec<BodyId> = points
        .iter()
        .map(|position| {
            let body = Body {
                position: *position,
                ..Body::default()
            };
            world.add_body(body).unwrap()
        })
        .collect();
    let center = at(20.0, 20.0);
    let of = |at: &Position| {
        let [x, y, _] = at.units();
        (x - 20.0, y - 20.0)
    };
    let length = |(x, y): (f64, f64)| (x * x + y * y).sqrt();
    let check = |footprint: Footprint, is_in: &dyn Fn(&Position) -> bool| {
        let found = world.bodies_in(&footprint, BodyFilter::ALL).unwrap();
        let expected = points.iter().zip(&ids).filter(|(at, _)| is_in(at));
        let expected: Vec<BodyId> = expected.map(|(_, id)| *id).collect();
        assert_eq!(found, expected, "{footprint:?}");
        assert!(!found.is_empty());
    };
    check(Footprint::disc(center, 9.0), &|at| length(of(at)) <= 9.0);
    check(Footprint::ring(center, 4.0, 9.0), &|at| {
        (4.0..=9.0).contains(&length(of(at)))
    });
    let to = Position::new(30.0, 20.0, 0.0);
    check(Footprint::capsule(center, to, 2.5), &|at| {
        distance_to_segment(*at, center, to) <= 2.5
    });
    for angle in [PI / 6.0, FRAC_PI_3, PI, 1.5 * PI, 2.0 * PI] {
        let cone = Footprint::cone(center, Heading { x: 1.0, y: 1.0 }, angle, 15.0);
        check(cone, &|at| {
            let (x, y) = of(at);
            let cosine = (x + y) / 2.0_f64.sqrt() / length((x, y)).max(1e-9);
            length((x, y)) <= 15.0 && cosine.clamp(-1.0, 1.0).acos() <= angle / 2.0 + 1e-9
        });
    }
    let oriented = Footprint::oriented_box(center, Heading { x: 1.0, y: 1.0 }, 8.0, 3.0);
    check(oriented, &|at| {
        let (x, y) = of(at);
        let root = 2.0_f64.sqrt();
        ((x + y) / root).abs() <= 8.0 && ((y - x) / root).abs() <= 3.0
    });
    let mut corners = [at(10.0, 10.0), at(30.0, 10.0), at(30.0, 25.0)];
    for _ in 0..2 {
        check(Footprint::polygon(&corners), &|at| {
            let [x, y, _] = at.units();
            x <= 30.0 && y >= 10.0 && (y - 10.0) * 20.0 <= (x - 10.0) * 15.0
        });
        corners.reverse();
    }
    let nearest = world.nearest_bodies(center, 7, BodyFilter::ALL).unwrap();
    let distance = |id: &BodyId| length(of(&world.body(*id).unwrap().position));
    assert!(nearest.is_sorted_by_key(distance));
    let farther = ids.iter().filter(|id| !nearest.contains(id));
    let farthest = distance(&nearest[6]);
    assert!(farther.map(distance).all(|other| other >= farthest));
}

#[test]
fn rule_8_bodies_along_a_line_and_their_influence() {
    let mut world = open_world(40, 20);
    let ids = [12.0, 4.0, 8.0].map(|x| world.add_body(tank(at(x, 5.0))).unwrap());
    let along = world
        .bodies_along(at(0.0, 5.5), at(20.0, 5.5), BodyFilter::ALL)
        .unwrap();
    assert_eq!(along, [ids[1], ids[2], ids[0]]);
    let influence = |x: f64| {
        let at = at(x, 5.0);
        world.influence_at(at, 2.0, BodyFilter::team(1)).unwrap()
    };
    assert!((influence(12.0) - 1.0).abs() < 1e-9);
    assert!((influence(14.5) - 0.5).abs() < 1e-9);
    assert!((influence(16.0) - 0.0).abs() < 1e-9);
    assert!((influence(6.0) - 1.5).abs() < 0.01, "half a unit from two");
}

#[test]
fn rule_8_paths_keep_out_of_sight_and_exposure_says_so() {
    // Eyes in the middle of an open place, a wall to walk behind.
    let rows = [
        "...............",
        "...............",
        "..TTTTTTTTTTT..",
        "...............",
    ];
    let map = format!(
        "type octile\nheight 4\nwidth 15\nmap\n{}\n",
        rows.join("\n")
    );
    let world = World::import("wall.map", map.as_bytes(), Scale::UNIT).unwrap();
    let viewer = Viewer::new(Position::new(7.5, 0.5, 1.0), 20.0);
    let request = PathRequest::new(at(0.5, 1.5), at(14.5, 1.5));
    let seen = find(&world, &request).unwrap();
    let hidden = PathRequest {
        viewers: vec![viewer.clone()],
        exposure_cost: 16.0,
        ..request
    };
    let hidden = find(&world, &hidden).unwrap();
    let share = |path: &Path| {
        let exposure = world.path_exposure(path, std::slice::from_ref(&viewer));
        exposure.unwrap().first().map_or(0.0, |one| one.share)
    };
    assert!(
        share(&hidden) < share(&seen),
        "{} {}",
        share(&hidden),
        share(&seen)
    );
    assert!(share(&seen) > 0.9);
}

#[test]
fn rule_3_bodies_and_sensors_are_saved_with_the_world() {
    let mut world = open_world(40, 20);
    let ids = [4.0, 8.0, 12.0].map(|x| world.add_body(tank(at(x, 5.0))).unwrap());
    world.remove_body(ids[1]).unwrap();
    let sensor = Sensor {
        mount: ids[0].into(),
        footprint: Footprint::disc(Position::default(), 6.0),
        ..Sensor::default()
    };
    world.add_sensor(sensor).unwrap();
    world.update_sensors();
    let bytes = world.save();
    let mut loaded = World::load(&bytes).unwrap();
    assert_eq!(loaded.save(), bytes);
    for world in [&mut world, &mut loaded] {
        world.move_bodies(&[(ids[2], at(9.0, 5.0))]).unwrap();
        world.add_body(tank(at(9.0, 8.0))).unwrap();
    }
    let events = world.update_sensors();
    assert_eq!(events.len(), 2);
    assert_eq!(loaded.update_sensors(), events);
    assert_eq!(loaded.save(), world.save());
    let request = PathRequest {
        avoid_bodies: TANK,
        ..PathRequest::new(at(2.25, 2.25), at(18.25, 5.25))
    };
    assert_eq!(find(&loaded, &request), find(&world, &request));
}

#[test]
fn rule_3_what_a_movement_does_not_honor_is_refused_by_name() {
    let mut world = open_world(8, 8);
    let own = world.add_body(tank(at(1.0, 1.0))).unwrap();
    let planar = world.add_agent_type(AgentType::PLANAR).unwrap();
    let request = PathRequest {
        agent_type: planar,
        ..PathRequest::new(at(0.25, 0.25), at(3.25, 3.25))
    };
    let refused = |request: PathRequest| match find(&world, &request) {
        Err(NoPath::Invalid(RequestError::Unsupported { option, .. })) => option,
        other => panic!("{other:?}"),
    };
    let avoid_bodies = TANK;
    assert_eq!(
        refused(PathRequest {
            avoid_bodies,
            ..request.clone()
        }),
        "avoid_bodies"
    );
    let own_body = Some(own);
    assert_eq!(
        refused(PathRequest {
            own_body,
            ..request.clone()
        }),
        "own_body"
    );
    let viewers = vec![Viewer::new(at(1.0, 1.0), 5.0)];
    let viewed = PathRequest { viewers, ..request };
    assert_eq!(refused(viewed.clone()), "viewers");
    let agent_type = AgentTypeId::DEFAULT;
    let partial = PartialPolicy::NearestOctile;
    let viewed = PathRequest {
        agent_type,
        partial,
        ..viewed
    };
    assert_eq!(refused(viewed.clone()), "partial");
    let (partial, method) = (PartialPolicy::Never, Method::AnyAngle);
    let viewed = PathRequest {
        partial,
        method,
        ..viewed
    };
    assert_eq!(refused(viewed), "method");
}

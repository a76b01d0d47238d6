//! Events of sensors with line of sight over changing ground, against a brute-force reference, on
//! one thread and on eight.

#![expect(clippy::unwrap_used, reason = "a test that fails here has failed")]

use std::collections::BTreeSet;

use wayfarer_base::{
    Cell, Column, Cost, Fixed, GroundEdit, LinkDirection, LinkState, NavLink, NavLinkKind, Point2,
    Point3, Profile, Rng, Terrain, Wall, WallSide,
};
use wayfarer_search::sight::{GroundVisibility, LineOfSightTest, OcclusionRules};
use wayfarer_world::bodies::{
    Body, BodyId, BodySet, Footprint, Heading, Mount, Sensor, SensorEvent, SensorEventKind,
    SensorId, SensorShard, Sensors, SightQuery,
};
use wayfarer_world::ground::Ground;

/// Cells along one side.
const SIDE: i32 = 24;
const TICKS: u32 = 60;

fn random_point(rng: &mut Rng) -> Point2 {
    let mut at = || Fixed::from_raw(rng.between(0, 256 * SIDE - 1));
    Point2::new(at(), at())
}

fn random_body(rng: &mut Rng) -> Body {
    Body {
        z: Fixed::from_raw(256 * rng.between(0, 2)),
        height: Fixed::from_raw(rng.between(0, 512)),
        ..Body::at(random_point(rng))
    }
}

fn random_edit(rng: &mut Rng) -> GroundEdit {
    let column = Column::new(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
    let cell = column.at(0);
    let side = if rng.chance(1, 2) {
        WallSide::East
    } else {
        WallSide::South
    };
    match rng.between(0, 6) {
        0 => GroundEdit::RemoveCell { cell },
        1 => GroundEdit::PutWall(Wall { cell, side }),
        2 => GroundEdit::RemoveWall(Wall { cell, side }),
        3 => GroundEdit::PutCell {
            cell: column.at(rng.between(1, 4)),
            terrain: Terrain::GROUND,
        },
        4 => GroundEdit::PutNavLink(NavLink {
            from: cell,
            to: Cell::new(cell.x + 1, cell.y, 0),
            kind: NavLinkKind::Door,
            direction: LinkDirection::Bidirectional,
            cost: Cost::STRAIGHT,
            state: if rng.chance(1, 2) {
                LinkState::Open
            } else {
                LinkState::Closed
            },
        }),
        5 => GroundEdit::PutCell {
            cell,
            terrain: Terrain::TREES,
        },
        _ => GroundEdit::PutCell {
            cell,
            terrain: Terrain::GROUND,
        },
    }
}

fn has_line_of_sight(ground: &Ground, query: &SightQuery) -> bool {
    let point = |at: Point2, z: Fixed| Point3 {
        x: at.x,
        y: at.y,
        z,
    };
    let sight = GroundVisibility {
        ground,
        rules: OcclusionRules::default(),
    };
    sight.is_clear(point(query.from, query.eye), point(query.to, query.top))
}

/// The bodies in the sensor's footprint and line of sight, by brute force.
fn detected(
    ground: &Ground,
    bodies: &BodySet,
    ids: &[BodyId],
    sensor: &Sensor,
) -> BTreeSet<BodyId> {
    let (from, feet, viewer) = match sensor.mount {
        Mount::Point(point) => (point, Fixed::default(), None),
        Mount::Body(bearer) => match bodies.body(bearer) {
            Ok(body) => (body.position, body.z, Some(bearer)),
            Err(_) => return BTreeSet::new(),
        },
    };
    let footprint = sensor.footprint.translated_to(from);
    let is_in = |id: &&BodyId| {
        let body = bodies.body(**id).unwrap();
        let query = SightQuery {
            from,
            eye: Fixed::from_raw(feet.raw() + sensor.eye_height.unwrap_or_default().raw()),
            to: body.position,
            feet: body.z,
            top: Fixed::from_raw(body.z.raw() + body.height.raw()),
            viewer,
            target: **id,
        };
        viewer != Some(**id)
            && footprint.contains(body.position)
            && (sensor.eye_height.is_none() || has_line_of_sight(ground, &query))
    };
    ids.iter().filter(is_in).copied().collect()
}

fn update_on_threads(
    sensors: &mut Sensors,
    n: usize,
    ground: &Ground,
    bodies: &BodySet,
) -> Vec<SensorEvent> {
    std::thread::scope(|scope| {
        let update = |mut shard: SensorShard<'_>| {
            let mut events = Vec::new();
            shard.update(
                bodies,
                |query| has_line_of_sight(ground, query),
                &mut events,
            );
            events
        };
        let shards = sensors.shards(n).into_iter();
        let threads: Vec<_> = shards
            .map(|shard| scope.spawn(move || update(shard)))
            .collect();
        let events = threads.into_iter().map(|thread| thread.join().unwrap());
        events.flatten().collect()
    })
}

fn make(
    rng: &mut Rng,
) -> (
    Ground,
    BodySet,
    Vec<BodyId>,
    Sensors,
    Vec<(SensorId, Sensor)>,
) {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let floors = (0..SIDE * SIDE).map(|index| GroundEdit::PutCell {
        cell: Cell::new(index % SIDE, index / SIDE, 0),
        terrain: Terrain::GROUND,
    });
    ground.apply(&floors.collect::<Vec<_>>()).unwrap();
    let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
    let ids: Vec<BodyId> = (0..40)
        .map(|_| bodies.register(&random_body(rng)).unwrap())
        .collect();
    let (mut sensors, mut list) = (Sensors::default(), Vec::new());
    for number in 0..20 {
        let radius = Fixed::from_raw(256 * rng.between(4, 12));
        let footprint = if number % 2 == 0 {
            Footprint::circle(Point2::default(), radius)
        } else {
            let heading = Heading::new(rng.between(-9, 9), 10).unwrap();
            Footprint::wedge(Point2::default(), radius, heading, 0.3)
        };
        let mount = if number % 5 == 0 {
            Mount::Point(random_point(rng))
        } else {
            Mount::Body(*rng.pick(&ids).unwrap())
        };
        let sensor = Sensor {
            eye_height: (number % 4 != 3).then_some(Fixed::from_raw(400)),
            ..Sensor::new(mount, footprint)
        };
        list.push((sensors.add(sensor).unwrap(), sensor));
    }
    (ground, bodies, ids, sensors, list)
}

#[test]
fn sensor_events_equal_a_brute_force_reference_after_every_kind_of_change() {
    let (mut n_enter, mut n_leave, mut n_hidden) = (0, 0, 0);
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let (mut ground, mut bodies, mut ids, mut sensors, list) = make(&mut rng);
        let mut known: Vec<BTreeSet<BodyId>> = vec![BTreeSet::new(); list.len()];
        for tick in 0..TICKS {
            let edits: Vec<GroundEdit> = (0..8).map(|_| random_edit(&mut rng)).collect();
            for edit in edits {
                // Some are rejected, such as a door without floors.
                let _is_applied = ground.apply(std::slice::from_ref(&edit)).is_ok();
            }
            for slot in &mut ids {
                let id = *slot;
                match rng.between(0, 19) {
                    0 => {
                        bodies.unregister(id).unwrap();
                        *slot = bodies.register(&random_body(&mut rng)).unwrap();
                    }
                    1 => bodies.teleport(id, random_point(&mut rng)).unwrap(),
                    2..=9 => {
                        let (_, at) = bodies.motion(id).unwrap();
                        let mut by =
                            |at: Fixed| Fixed::from_raw((at.raw() + rng.between(-300, 300)).max(0));
                        let to = Point2::new(by(at.x), by(at.y));
                        bodies.move_to(id, to).unwrap();
                    }
                    _ => {}
                }
            }
            let mut twin = sensors.clone();
            let mut events = Vec::new();
            sensors.update(
                &bodies,
                |query| has_line_of_sight(&ground, query),
                &mut events,
            );
            let on_eight = update_on_threads(&mut twin, 8, &ground, &bodies);
            assert_eq!(events, on_eight, "seed {seed}, tick {tick}");
            let mut expected = Vec::new();
            for ((id, sensor), known) in list.iter().zip(&mut known) {
                let now = detected(&ground, &bodies, &ids, sensor);
                let without_sight = Sensor {
                    eye_height: None,
                    ..*sensor
                };
                n_hidden += detected(&ground, &bodies, &ids, &without_sight).len() - now.len();
                let event = |kind| {
                    move |&body: &BodyId| SensorEvent {
                        sensor: *id,
                        body,
                        kind,
                    }
                };
                expected.extend(known.difference(&now).map(event(SensorEventKind::Leave)));
                expected.extend(now.difference(known).map(event(SensorEventKind::Enter)));
                *known = now;
            }
            let key = |s: &SensorEvent| (s.sensor, s.body.index(), s.body.generation(), s.kind);
            expected.sort_unstable_by_key(key);
            events.sort_unstable_by_key(key);
            assert_eq!(events, expected, "seed {seed}, tick {tick}");
            let count = |wanted| events.iter().filter(|s| s.kind == wanted).count();
            n_enter += count(SensorEventKind::Enter);
            n_leave += count(SensorEventKind::Leave);
        }
    }
    assert!(n_enter > 1_000 && n_leave > 1_000 && n_hidden > 1_000);
}

//! Sensors with eyes over ground that changes tell what a look at everybody shows, on one thread
//! and on eight.

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

fn some_point(rng: &mut Rng) -> Point2 {
    let mut at = || Fixed::from_raw(rng.between(0, 256 * SIDE - 1));
    Point2::new(at(), at())
}

fn some_body(rng: &mut Rng) -> Body {
    Body {
        z: Fixed::from_raw(256 * rng.between(0, 2)),
        height: Fixed::from_raw(rng.between(0, 512)),
        ..Body::at(some_point(rng))
    }
}

fn some_edit(rng: &mut Rng) -> GroundEdit {
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

fn has_line_of_sight(ground: &Ground, look: &SightQuery) -> bool {
    let place = |at: Point2, z: Fixed| Point3 {
        x: at.x,
        y: at.y,
        z,
    };
    let sight = GroundVisibility {
        ground,
        rules: OcclusionRules::default(),
    };
    sight.is_clear(place(look.from, look.eye), place(look.to, look.top))
}

/// Who is in the sensor's footprint and in sight, by looking at everybody.
fn members(ground: &Ground, bodies: &BodySet, ids: &[BodyId], sensor: &Sensor) -> BTreeSet<BodyId> {
    let (from, feet, viewer) = match sensor.mount {
        Mount::Point(place) => (place, Fixed::default(), None),
        Mount::Body(bearer) => match bodies.body(bearer) {
            Ok(body) => (body.position, body.z, Some(bearer)),
            Err(_) => return BTreeSet::new(),
        },
    };
    let footprint = sensor.footprint.translated_to(from);
    let is_in = |id: &&BodyId| {
        let body = bodies.body(**id).unwrap();
        let look = SightQuery {
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
            && (sensor.eye_height.is_none() || has_line_of_sight(ground, &look))
    };
    ids.iter().filter(is_in).copied().collect()
}

fn on_threads(
    sensors: &mut Sensors,
    n: usize,
    ground: &Ground,
    bodies: &BodySet,
) -> Vec<SensorEvent> {
    std::thread::scope(|scope| {
        let ask = |mut part: SensorShard<'_>| {
            let mut events = Vec::new();
            part.tick(bodies, |look| has_line_of_sight(ground, look), &mut events);
            events
        };
        let parts = sensors.parts(n).into_iter();
        let threads: Vec<_> = parts.map(|part| scope.spawn(move || ask(part))).collect();
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
    let floors = (0..SIDE * SIDE).map(|place| GroundEdit::PutCell {
        cell: Cell::new(place % SIDE, place / SIDE, 0),
        terrain: Terrain::GROUND,
    });
    ground.apply(&floors.collect::<Vec<_>>()).unwrap();
    let mut bodies = BodySet::new(Fixed::from_raw(4 * 256));
    let ids: Vec<BodyId> = (0..40)
        .map(|_| bodies.register(&some_body(rng)).unwrap())
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
            Mount::Point(some_point(rng))
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
fn births_deaths_teleports_and_edits_of_the_ground_are_told_as_they_are() {
    let (mut n_enter, mut n_leave, mut n_hidden) = (0, 0, 0);
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let (mut ground, mut bodies, mut ids, mut sensors, list) = make(&mut rng);
        let mut known: Vec<BTreeSet<BodyId>> = vec![BTreeSet::new(); list.len()];
        for tick in 0..TICKS {
            let edits: Vec<GroundEdit> = (0..8).map(|_| some_edit(&mut rng)).collect();
            for edit in edits {
                // Some cannot be done, as a door in the middle of nothing.
                let _done = ground.apply(std::slice::from_ref(&edit)).is_ok();
            }
            for place in &mut ids {
                let id = *place;
                match rng.between(0, 19) {
                    0 => {
                        bodies.unregister(id).unwrap();
                        *place = bodies.register(&some_body(&mut rng)).unwrap();
                    }
                    1 => bodies.teleport(id, some_point(&mut rng)).unwrap(),
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
                |look| has_line_of_sight(&ground, look),
                &mut events,
            );
            let by_eight = on_threads(&mut twin, 8, &ground, &bodies);
            assert_eq!(events, by_eight, "seed {seed}, tick {tick}");
            let mut expected = Vec::new();
            for ((name, sensor), known) in list.iter().zip(&mut known) {
                let now = members(&ground, &bodies, &ids, sensor);
                let blind = Sensor {
                    eye_height: None,
                    ..*sensor
                };
                n_hidden += members(&ground, &bodies, &ids, &blind).len() - now.len();
                let one = |change| {
                    move |&body: &BodyId| SensorEvent {
                        sensor: *name,
                        body,
                        kind: change,
                    }
                };
                expected.extend(known.difference(&now).map(one(SensorEventKind::Leave)));
                expected.extend(now.difference(known).map(one(SensorEventKind::Enter)));
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

//! Sensor events against a brute-force reference, sequential, sharded and threaded.
use std::collections::BTreeMap;
use wayfarer_testkit::point;

use wayfarer_base::Rng;

use super::super::overlap::tests::random_footprint;
use super::super::{Body, BodyCategories, BodyShape, DetectionTiming, MAX_COORDINATE, Teams};
use super::*;

fn random_point(rng: &mut Rng) -> Point2 {
    point(rng.between(-900, 900), rng.between(-900, 900))
}

fn random_body(rng: &mut Rng) -> Body {
    let radius = Fixed::from_raw(rng.between(0, 60));
    Body {
        shape: if rng.chance(1, 2) {
            BodyShape::Point
        } else {
            BodyShape::Disc { radius }
        },
        team: rng.between(0, 2).to_le_bytes()[0],
        categories: BodyCategories::one(rng.between(0, 2).to_le_bytes()[0]),
        z: Fixed::from_raw(rng.between(-30, 30)),
        height: Fixed::from_raw(rng.between(0, 40)),
        ..Body::at(random_point(rng))
    }
}

/// Moving walls: a line is blocked if its ends lie on different sides of one.
#[derive(Clone, Debug)]
struct Walls(Vec<i32>);

impl Walls {
    fn sees(&self, query: &SightQuery) -> bool {
        let separates = |wall: &i32| (query.from.x.raw() < *wall) != (query.to.x.raw() < *wall);
        // Tall eyes and tall targets clear the walls; viewers ignore some targets.
        let is_over = query.eye.raw() > 50 || query.top.raw() - query.feet.raw() > 35;
        let kin = |viewer: BodyId| viewer.index() % 7 == query.target.index() % 7;
        (is_over || !self.0.iter().any(separates)) && !query.viewer.is_some_and(kin)
    }
}

/// The state of one sensor and one body, by definition.
#[derive(Clone, Copy, Default)]
struct State {
    is_member: bool,
    n_in: u16,
    n_out: u16,
}

/// Reference: every sensor against every body, without grid or lists.
#[derive(Default)]
struct Oracle {
    states: BTreeMap<(SensorId, BodyId), State>,
}

impl Oracle {
    fn is_in(bodies: &BodySet, sensor: &Sensor, id: BodyId, margin: Fixed, walls: &Walls) -> bool {
        // Where the mount is registered, and its motion within the tick.
        let registered_at = |id: BodyId| bodies.registered_at(id.index() as usize);
        let (at, motion) = match sensor.mount {
            Mount::Point(point) => (point, (point, point)),
            Mount::Body(mount) if mount == id => return false,
            Mount::Body(mount) => match bodies.motion(mount) {
                Ok(motion) => (registered_at(mount), motion),
                Err(_) => return false,
            },
        };
        let body = bodies.body(id).unwrap();
        let footprint = sensor.footprint.inflated(margin);
        let overlaps = if sensor.is_continuous {
            let begin = footprint.translated_to(motion.0);
            bodies.contact(id, &begin, motion.1).unwrap().is_some()
        } else {
            footprint
                .translated_to(at)
                .overlaps(registered_at(id), body.shape)
        };
        let feet = match sensor.mount {
            Mount::Point(_) => Fixed::default(),
            Mount::Body(mount) => bodies.body(mount).unwrap().z,
        };
        let query = SightQuery {
            from: at,
            eye: Fixed::from_raw(feet.raw() + sensor.eye_height.unwrap_or_default().raw()),
            to: registered_at(id),
            feet: body.z,
            top: Fixed::from_raw(body.z.raw() + body.height.raw()),
            viewer: match sensor.mount {
                Mount::Point(_) => None,
                Mount::Body(mount) => Some(mount),
            },
            target: id,
        };
        let filter = &sensor.filter;
        let is_level = filter
            .heights
            .is_none_or(|(low, high)| query.feet <= high && query.top >= low);
        overlaps
            && is_level
            && filter.except != Some(id)
            && filter.teams.contains(body.team)
            && (filter.categories == BodyCategories::ALL
                || filter.categories.intersects(body.categories))
            && (sensor.eye_height.is_none() || walls.sees(&query))
    }

    fn update(
        &mut self,
        bodies: &BodySet,
        ids: &[BodyId],
        sensors: &[(SensorId, Sensor)],
        walls: &Walls,
    ) -> Vec<SensorEvent> {
        let mut events = Vec::new();
        for &(id, sensor) in sensors {
            let mut emit = |body, change| {
                events.push(SensorEvent {
                    sensor: id,
                    body,
                    kind: change,
                });
            };
            let is_blind = matches!(sensor.mount, Mount::Body(mount) if !bodies.contains(mount));
            let state = self
                .states
                .iter()
                .filter(|((sensor_id, _), _)| *sensor_id == id);
            let removed: Vec<BodyId> = state
                .map(|((_, body), _)| *body)
                .filter(|body| is_blind || !bodies.contains(*body))
                .collect();
            for body in removed {
                if let Some(state) = self.states.remove(&(id, body))
                    && state.is_member
                {
                    emit(body, SensorEventKind::Leave);
                }
            }
            for &body in ids {
                if is_blind {
                    break;
                }
                let state = self.states.entry((id, body)).or_default();
                let margin = if state.is_member {
                    sensor.exit_margin
                } else {
                    Fixed::default()
                };
                if Self::is_in(bodies, &sensor, body, margin, walls) {
                    state.n_out = 0;
                    state.n_in += 1;
                    if state.is_member && sensor.reports_stay {
                        emit(body, SensorEventKind::Stay);
                    } else if !state.is_member && state.n_in > sensor.enter_delay {
                        state.is_member = true;
                        emit(body, SensorEventKind::Enter);
                    }
                } else {
                    state.n_in = 0;
                    state.n_out += 1;
                    if state.is_member && state.n_out > sensor.leave_delay {
                        state.is_member = false;
                        emit(body, SensorEventKind::Leave);
                    }
                }
            }
        }
        events.sort_unstable_by_key(|s| (s.sensor, s.body.index(), s.body.generation(), s.kind));
        events
    }
}

fn random_sensor(rng: &mut Rng, ids: &[BodyId]) -> Sensor {
    let footprint = random_footprint(rng, 400);
    let mount = if rng.chance(2, 3) {
        Mount::Body(*rng.pick(ids).unwrap())
    } else {
        Mount::Point(random_point(rng))
    };
    let small_delay = |rng: &mut Rng| u16::try_from(rng.below(3)).unwrap();
    Sensor {
        filter: BodyFilter {
            categories: BodyCategories::from_bits(1 + rng.below(7)),
            teams: Teams::except(1),
            heights: rng
                .chance(1, 4)
                .then(|| (Fixed::from_raw(-9), Fixed::from_raw(9))),
            except: rng.pick(ids).copied().filter(|id| id.index() % 2 == 0),
        },
        exit_margin: Fixed::from_raw(rng.between(0, 1) * rng.between(0, 120)),
        enter_delay: small_delay(rng),
        leave_delay: small_delay(rng),
        reports_stay: rng.chance(1, 4),
        is_continuous: rng.chance(1, 3),
        eye_height: rng
            .chance(1, 3)
            .then(|| Fixed::from_raw(rng.between(0, 40))),
        ..Sensor::new(mount, footprint)
    }
}

#[test]
fn sensor_events_equal_those_of_a_brute_force_reference() {
    let mut n_reported = 0;
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let detection = if seed % 2 == 0 {
            DetectionTiming::AfterMovement
        } else {
            DetectionTiming::BeforeMovement
        };
        let mut bodies = BodySet::new(Fixed::from_raw(100)).with_detection(detection);
        let mut ids: Vec<BodyId> = (0..60)
            .map(|_| bodies.register(&random_body(&mut rng)).unwrap())
            .collect();
        let mut sensors = Sensors::default();
        let mut list = Vec::new();
        for _ in 0..25 {
            let sensor = random_sensor(&mut rng, &ids);
            list.push((sensors.add(sensor).unwrap(), sensor));
        }
        let mut walls = Walls(vec![100]);
        let mut oracle = Oracle::default();
        let mut events = Vec::new();
        for tick in 0..120 {
            let mut to = vec![point(0, 0); bodies.n_slots()];
            for id in &ids {
                let here = bodies.motion(*id).unwrap().1;
                let far = if rng.chance(1, 5) { 900 } else { 60 };
                let part = |at: Fixed, by: i32| (at.raw() + by).clamp(-2_000, 2_000);
                to[id.index() as usize] = point(
                    part(here.x, rng.between(-far, far)),
                    part(here.y, rng.between(-far, far)),
                );
            }
            bodies.move_all(&to).unwrap();
            // Registers, unregisters, teleports, and moves a wall.
            if tick % 3 == 0 {
                let i = rng.below(60) as usize % ids.len();
                bodies.unregister(ids.swap_remove(i)).unwrap();
                if tick % 2 == 0 {
                    ids.push(bodies.register(&random_body(&mut rng)).unwrap());
                }
            }
            let teleported = *rng.pick(&ids).unwrap();
            bodies.teleport(teleported, random_point(&mut rng)).unwrap();
            let height = Fixed::from_raw(rng.between(-30, 30));
            bodies.set_height(*rng.pick(&ids).unwrap(), height).unwrap();
            let runner = *rng.pick(&ids).unwrap();
            bodies.move_to(runner, random_point(&mut rng)).unwrap();
            if tick % 11 == 5 {
                // Restored from records, updates continue unchanged.
                bodies = BodySet::from_record(&bodies.record()).unwrap();
                sensors = Sensors::from_record(&sensors.record()).unwrap();
            }
            walls.0[0] = rng.between(-200, 200);
            if tick % 20 == 13 {
                let (id, _) = list.swap_remove(3);
                assert!(sensors.remove(id) && !sensors.remove(id));
                let sensor = random_sensor(&mut rng, &ids);
                list.push((sensors.add(sensor).unwrap(), sensor));
            }
            if tick % 7 == 2 {
                let i = rng.below(25) as usize;
                let footprint = random_footprint(&mut rng, 300);
                assert_eq!(sensors.set_footprint(list[i].0, footprint), Ok(true));
                list[i].1.footprint = footprint;
            }
            list.sort_unstable_by_key(|(id, _)| *id);
            let mut parallel = sensors.clone();
            let mut threaded = sensors.clone();
            events.clear();
            sensors.update(&bodies, |query| walls.sees(query), &mut events);
            let mut by_shards = Vec::new();
            for mut shard in parallel.shards(3) {
                shard.update(&bodies, |query| walls.sees(query), &mut by_shards);
            }
            assert_eq!(by_shards, events);
            let mut by_threads = Vec::new();
            let n_threads = 1 + usize::try_from(tick).unwrap() % 5;
            threaded.update_parallel(
                n_threads,
                &bodies,
                |query| walls.sees(query),
                &mut by_threads,
            );
            assert_eq!(by_threads, events, "{n_threads} threads");
            assert_eq!(threaded.stats, sensors.stats, "{n_threads} threads");
            for (id, _) in sensors.iter() {
                assert!(threaded.detected(id).eq(sensors.detected(id)));
            }
            assert!(events.is_sorted_by_key(|s| (s.sensor, s.body.index())));
            events
                .sort_unstable_by_key(|s| (s.sensor, s.body.index(), s.body.generation(), s.kind));
            assert_eq!(
                events,
                oracle.update(&bodies, &ids, &list, &walls),
                "tick {tick}"
            );
            n_reported += events.len();
        }
    }
    assert!(n_reported > 2_000, "only {n_reported} events");
}

#[test]
fn removing_the_mount_blinds_the_sensor_and_all_members_leave() {
    let mut bodies = BodySet::new(Fixed::from_raw(64));
    let mount = bodies.register(&Body::at(point(0, 0))).unwrap();
    let other = bodies.register(&Body::at(point(5, 5))).unwrap();
    let mut sensors = Sensors::default();
    let circle = Footprint::circle(point(0, 0), Fixed::from_raw(50));
    let sensor = sensors
        .add(Sensor::new(Mount::Body(mount), circle))
        .unwrap();
    let mut events = Vec::new();
    sensors.update(&bodies, |_| true, &mut events);
    assert_eq!(sensors.detected(sensor).collect::<Vec<_>>(), [other]);
    bodies.unregister(mount).unwrap();
    let successor = bodies.register(&Body::at(point(0, 0))).unwrap();
    assert_eq!(successor.index(), mount.index());
    sensors.update(&bodies, |_| true, &mut events);
    sensors.update(&bodies, |_| true, &mut events);
    let changes: Vec<SensorEventKind> = events
        .iter()
        .map(|sensor_event| sensor_event.kind)
        .collect();
    assert_eq!(changes, [SensorEventKind::Enter, SensorEventKind::Leave]);
    assert_eq!(sensors.detected(sensor).count(), 0);
}

#[test]
fn a_sensor_detects_neither_its_mount_nor_bodies_its_filter_excludes() {
    for is_continuous in [false, true] {
        let mut bodies = BodySet::new(Fixed::from_raw(64));
        let mut register = |x: i32| bodies.register(&Body::at(point(x, 0))).unwrap();
        let (mount, friend, other) = (register(0), register(5), register(9));
        let mut sensors = Sensors::default();
        let circle = Footprint::circle(point(0, 0), Fixed::from_raw(50));
        let sensor = Sensor {
            filter: BodyFilter::all_except(friend),
            is_continuous,
            ..Sensor::new(Mount::Body(mount), circle)
        };
        let sensor = sensors.add(sensor).unwrap();
        let mut events = Vec::new();
        sensors.update(&bodies, |_| true, &mut events);
        assert_eq!(sensors.detected(sensor).collect::<Vec<_>>(), [other]);
        // A stale exclusion excludes no body, and the mount stays excluded.
        bodies.unregister(friend).unwrap();
        let successor = bodies.register(&Body::at(point(5, 0))).unwrap();
        sensors.update(&bodies, |_| true, &mut events);
        assert_eq!(
            sensors.detected(sensor).collect::<Vec<_>>(),
            [successor, other]
        );
    }
}

#[test]
fn a_sensor_with_a_replaced_footprint_can_be_restored_from_its_record() {
    let mut rng = Rng::new(40);
    let (mut n_valid, mut n_rejected) = (0, 0);
    for _ in 0..400 {
        let mut sensors = Sensors::default();
        let mut corner = || {
            *rng.pick(&[-MAX_COORDINATE, 0, MAX_COORDINATE - 50])
                .unwrap()
        };
        let mount = point(corner(), corner());
        let dot = Footprint::circle(point(0, 0), Fixed::from_raw(5));
        let id = sensors.add(Sensor::new(Mount::Point(mount), dot)).unwrap();
        let footprint = random_footprint(&mut rng, 300);
        let sensor = Sensor::new(Mount::Point(mount), footprint);
        let is_valid = Sensors::default().add(sensor).is_ok();
        match sensors.set_footprint(id, footprint) {
            Ok(exists) => assert!(exists && is_valid, "{mount} {footprint:?}"),
            Err(_) => assert!(!is_valid, "{mount} {footprint:?}"),
        }
        let expected = if is_valid { footprint } else { dot };
        assert_eq!(sensors.sensor(id).unwrap().footprint, expected);
        assert!(Sensors::from_record(&sensors.record()).is_ok());
        n_valid += usize::from(is_valid);
        n_rejected += usize::from(!is_valid);
    }
    assert!(n_valid > 100 && n_rejected > 20, "{n_valid} {n_rejected}");
}

#[test]
fn parts_of_the_sensors_take_turns_and_together_detect_what_all_do() {
    let mut rng = Rng::new(77);
    let mut bodies = BodySet::new(Fixed::from_raw(64));
    for _ in 0..120 {
        bodies.register(&random_body(&mut rng)).unwrap();
    }
    let (mut whole, mut parts) = (Sensors::default(), Sensors::default());
    for _ in 0..70 {
        let circle = Footprint::circle(point(0, 0), Fixed::from_raw(rng.between(50, 400)));
        let sensor = Sensor::new(Mount::Point(random_point(&mut rng)), circle);
        whole.add(sensor).unwrap();
        parts.add(sensor).unwrap();
    }
    let mut n_all = 0;
    for round in 0..6 {
        let places: Vec<Point2> = (0..120).map(|_| random_point(&mut rng)).collect();
        bodies.move_all(&places).unwrap();
        let (mut expected, mut events) = (Vec::new(), Vec::new());
        whole.update(&bodies, |_| true, &mut expected);
        for part in 0..3 {
            let before = events.len();
            parts.update_part((part, 3), &bodies, |_| true, &mut events);
            let group = |event: &SensorEvent| event.sensor.index() as usize / 16;
            assert!(
                events[before..]
                    .iter()
                    .all(|event| group(event) % 3 == part),
                "round {round}"
            );
        }
        events.sort_by_key(|event| (event.sensor.index(), event.body.index()));
        expected.sort_by_key(|event| (event.sensor.index(), event.body.index()));
        assert_eq!(events, expected, "round {round}");
        n_all += expected.len();
    }
    assert!(n_all > 500, "{n_all}");
}

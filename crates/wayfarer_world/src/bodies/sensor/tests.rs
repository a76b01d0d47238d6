use std::collections::BTreeMap;

use wayfarer_base::Rng;

use super::super::overlap::tests::some_footprint;
use super::super::{Body, BodyCategories, BodyShape, DetectionTiming, MAX_COORDINATE, Teams};
use super::*;

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

fn some_point(rng: &mut Rng) -> Point2 {
    at(rng.between(-900, 900), rng.between(-900, 900))
}

fn some_body(rng: &mut Rng) -> Body {
    let radius = Fixed::from_raw(rng.between(0, 60));
    Body {
        outline: if rng.chance(1, 2) {
            BodyShape::Point
        } else {
            BodyShape::Disc { radius }
        },
        team: rng.between(0, 2).to_le_bytes()[0],
        categories: BodyCategories::one(rng.between(0, 2).to_le_bytes()[0]),
        z: Fixed::from_raw(rng.between(-30, 30)),
        height: Fixed::from_raw(rng.between(0, 40)),
        ..Body::at(some_point(rng))
    }
}

/// Walls that come and go: a line is blocked if it begins and ends on different sides of one.
#[derive(Clone, Debug)]
struct Walls(Vec<i32>);

impl Walls {
    fn sees(&self, look: &SightQuery) -> bool {
        let parts = |wall: &i32| (look.from.x.raw() < *wall) != (look.to.x.raw() < *wall);
        // Giants look over them, and one looks at the tall; nobody cares to see its own kin.
        let is_over = look.eye.raw() > 50 || look.top.raw() - look.feet.raw() > 35;
        let kin = |viewer: BodyId| viewer.index() % 7 == look.target.index() % 7;
        (is_over || !self.0.iter().any(parts)) && !look.viewer.is_some_and(kin)
    }
}

/// What is known about one sensor and one object, by the definition.
#[derive(Clone, Copy, Default)]
struct Known {
    is_member: bool,
    n_in: u16,
    n_out: u16,
}

/// Every sensor against every object, without squares, lists or shortcuts.
#[derive(Default)]
struct Oracle {
    known: BTreeMap<(SensorId, BodyId), Known>,
}

impl Oracle {
    fn is_in(bodies: &BodySet, sensor: &Sensor, id: BodyId, margin: Fixed, walls: &Walls) -> bool {
        // Where the mount is found, and its way within the tick.
        let found_at = |id: BodyId| bodies.registered_at(id.index() as usize);
        let (at, motion) = match sensor.mount {
            Mount::Point(place) => (place, (place, place)),
            Mount::Body(bearer) if bearer == id => return false,
            Mount::Body(bearer) => match bodies.motion(bearer) {
                Ok(motion) => (found_at(bearer), motion),
                Err(_) => return false,
            },
        };
        let body = bodies.body(id).unwrap();
        let footprint = sensor.footprint.inflated(margin);
        let touches = if sensor.is_continuous {
            let begin = footprint.translated_to(motion.0);
            bodies.contact(id, &begin, motion.1).unwrap().is_some()
        } else {
            footprint
                .translated_to(at)
                .overlaps(found_at(id), body.outline)
        };
        let feet = match sensor.mount {
            Mount::Point(_) => Fixed::default(),
            Mount::Body(bearer) => bodies.body(bearer).unwrap().z,
        };
        let look = SightQuery {
            from: at,
            eye: Fixed::from_raw(feet.raw() + sensor.eye_height.unwrap_or_default().raw()),
            to: found_at(id),
            feet: body.z,
            top: Fixed::from_raw(body.z.raw() + body.height.raw()),
            viewer: match sensor.mount {
                Mount::Point(_) => None,
                Mount::Body(bearer) => Some(bearer),
            },
            target: id,
        };
        let filter = &sensor.filter;
        let is_level = filter
            .heights
            .is_none_or(|(low, high)| look.feet <= high && look.top >= low);
        touches
            && is_level
            && filter.except != Some(id)
            && filter.teams.contains(body.team)
            && (filter.categories == BodyCategories::ALL
                || filter.categories.meets(body.categories))
            && (sensor.eye_height.is_none() || walls.sees(&look))
    }

    fn tick(
        &mut self,
        bodies: &BodySet,
        ids: &[BodyId],
        sensors: &[(SensorId, Sensor)],
        walls: &Walls,
    ) -> Vec<SensorEvent> {
        let mut events = Vec::new();
        for &(name, sensor) in sensors {
            let mut tell = |body, change| {
                events.push(SensorEvent {
                    sensor: name,
                    body,
                    kind: change,
                });
            };
            let is_blind = matches!(sensor.mount, Mount::Body(bearer) if !bodies.is_alive(bearer));
            let known = self.known.iter().filter(|((id, _), _)| *id == name);
            let gone: Vec<BodyId> = known
                .map(|((_, body), _)| *body)
                .filter(|body| is_blind || !bodies.is_alive(*body))
                .collect();
            for body in gone {
                if let Some(known) = self.known.remove(&(name, body))
                    && known.is_member
                {
                    tell(body, SensorEventKind::Leave);
                }
            }
            for &body in ids {
                if is_blind {
                    break;
                }
                let known = self.known.entry((name, body)).or_default();
                let margin = if known.is_member {
                    sensor.exit_margin
                } else {
                    Fixed::default()
                };
                if Self::is_in(bodies, &sensor, body, margin, walls) {
                    known.n_out = 0;
                    known.n_in += 1;
                    if known.is_member && sensor.reports_stay {
                        tell(body, SensorEventKind::Stay);
                    } else if !known.is_member && known.n_in > sensor.enter_delay {
                        known.is_member = true;
                        tell(body, SensorEventKind::Enter);
                    }
                } else {
                    known.n_in = 0;
                    known.n_out += 1;
                    if known.is_member && known.n_out > sensor.leave_delay {
                        known.is_member = false;
                        tell(body, SensorEventKind::Leave);
                    }
                }
            }
        }
        events.sort_unstable_by_key(|s| (s.sensor, s.body.index(), s.body.generation(), s.kind));
        events
    }
}

fn some_sensor(rng: &mut Rng, ids: &[BodyId]) -> Sensor {
    let footprint = some_footprint(rng, 400);
    let mount = if rng.chance(2, 3) {
        Mount::Body(*rng.pick(ids).unwrap())
    } else {
        Mount::Point(some_point(rng))
    };
    let few = |rng: &mut Rng| u16::try_from(rng.below(3)).unwrap();
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
        enter_delay: few(rng),
        leave_delay: few(rng),
        reports_stay: rng.chance(1, 4),
        is_continuous: rng.chance(1, 3),
        eye_height: rng
            .chance(1, 3)
            .then(|| Fixed::from_raw(rng.between(0, 40))),
        ..Sensor::new(mount, footprint)
    }
}

#[test]
fn what_sensors_tell_is_the_difference_of_what_everybody_looked_at_shows() {
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
            .map(|_| bodies.register(&some_body(&mut rng)).unwrap())
            .collect();
        let mut sensors = Sensors::default();
        let mut list = Vec::new();
        for _ in 0..25 {
            let sensor = some_sensor(&mut rng, &ids);
            list.push((sensors.add(sensor).unwrap(), sensor));
        }
        let mut walls = Walls(vec![100]);
        let mut oracle = Oracle::default();
        let mut events = Vec::new();
        for tick in 0..120 {
            let mut to = vec![at(0, 0); bodies.n_slots()];
            for id in &ids {
                let here = bodies.motion(*id).unwrap().1;
                let far = if rng.chance(1, 5) { 900 } else { 60 };
                let part = |at: Fixed, by: i32| (at.raw() + by).clamp(-2_000, 2_000);
                to[id.index() as usize] = at(
                    part(here.x, rng.between(-far, far)),
                    part(here.y, rng.between(-far, far)),
                );
            }
            bodies.move_all(&to).unwrap();
            // Births, deaths, teleports, and the ground changes.
            if tick % 3 == 0 {
                let place = rng.below(60) as usize % ids.len();
                bodies.unregister(ids.swap_remove(place)).unwrap();
                if tick % 2 == 0 {
                    ids.push(bodies.register(&some_body(&mut rng)).unwrap());
                }
            }
            let lucky = *rng.pick(&ids).unwrap();
            bodies.teleport(lucky, some_point(&mut rng)).unwrap();
            let height = Fixed::from_raw(rng.between(-30, 30));
            bodies.set_height(*rng.pick(&ids).unwrap(), height).unwrap();
            let runner = *rng.pick(&ids).unwrap();
            bodies.move_to(runner, some_point(&mut rng)).unwrap();
            if tick % 11 == 5 {
                // Saved and loaded, everything goes on.
                bodies = BodySet::from_record(&bodies.record()).unwrap();
                sensors = Sensors::from_record(&sensors.record()).unwrap();
            }
            walls.0[0] = rng.between(-200, 200);
            if tick % 20 == 13 {
                let (name, _) = list.swap_remove(3);
                assert!(sensors.remove(name) && !sensors.remove(name));
                let sensor = some_sensor(&mut rng, &ids);
                list.push((sensors.add(sensor).unwrap(), sensor));
            }
            if tick % 7 == 2 {
                let place = rng.below(25) as usize;
                let aimed = some_footprint(&mut rng, 300);
                assert_eq!(sensors.set_footprint(list[place].0, aimed), Ok(true));
                list[place].1.footprint = aimed;
            }
            list.sort_unstable_by_key(|(name, _)| *name);
            let mut parallel = sensors.clone();
            let mut threaded = sensors.clone();
            events.clear();
            sensors.update(&bodies, |look| walls.sees(look), &mut events);
            let mut by_parts = Vec::new();
            for mut part in parallel.parts(3) {
                part.tick(&bodies, |look| walls.sees(look), &mut by_parts);
            }
            assert_eq!(by_parts, events);
            let mut by_threads = Vec::new();
            let n_threads = 1 + usize::try_from(tick).unwrap() % 5;
            threaded.update_parallel(n_threads, &bodies, |look| walls.sees(look), &mut by_threads);
            assert_eq!(by_threads, events, "{n_threads} threads");
            assert_eq!(threaded.work, sensors.work, "{n_threads} threads");
            for (name, _) in sensors.iter() {
                assert!(threaded.detected(name).eq(sensors.detected(name)));
            }
            assert!(events.is_sorted_by_key(|s| (s.sensor, s.body.index())));
            events
                .sort_unstable_by_key(|s| (s.sensor, s.body.index(), s.body.generation(), s.kind));
            assert_eq!(
                events,
                oracle.tick(&bodies, &ids, &list, &walls),
                "tick {tick}"
            );
            n_reported += events.len();
        }
    }
    assert!(n_reported > 2_000, "only {n_reported} were told");
}

#[test]
fn a_bearer_that_dies_leaves_a_blind_sensor_and_everybody_leaves() {
    let mut bodies = BodySet::new(Fixed::from_raw(64));
    let bearer = bodies.register(&Body::at(at(0, 0))).unwrap();
    let other = bodies.register(&Body::at(at(5, 5))).unwrap();
    let mut sensors = Sensors::default();
    let circle = Footprint::circle(at(0, 0), Fixed::from_raw(50));
    let sensor = sensors
        .add(Sensor::new(Mount::Body(bearer), circle))
        .unwrap();
    let mut events = Vec::new();
    sensors.update(&bodies, |_| true, &mut events);
    assert_eq!(sensors.detected(sensor).collect::<Vec<_>>(), [other]);
    bodies.unregister(bearer).unwrap();
    let heir = bodies.register(&Body::at(at(0, 0))).unwrap();
    assert_eq!(heir.index(), bearer.index());
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
fn a_sensor_sees_neither_its_bearer_nor_whom_its_filter_leaves_out() {
    for is_swept in [false, true] {
        let mut bodies = BodySet::new(Fixed::from_raw(64));
        let mut born = |x: i32| bodies.register(&Body::at(at(x, 0))).unwrap();
        let (bearer, friend, other) = (born(0), born(5), born(9));
        let mut sensors = Sensors::default();
        let circle = Footprint::circle(at(0, 0), Fixed::from_raw(50));
        let sensor = Sensor {
            filter: BodyFilter::but(friend),
            is_continuous: is_swept,
            ..Sensor::new(Mount::Body(bearer), circle)
        };
        let sensor = sensors.add(sensor).unwrap();
        let mut events = Vec::new();
        sensors.update(&bodies, |_| true, &mut events);
        assert_eq!(sensors.detected(sensor).collect::<Vec<_>>(), [other]);
        // A dead friend keeps nobody out, and the bearer least of all comes in.
        bodies.unregister(friend).unwrap();
        let heir = bodies.register(&Body::at(at(5, 0))).unwrap();
        sensors.update(&bodies, |_| true, &mut events);
        assert_eq!(sensors.detected(sensor).collect::<Vec<_>>(), [heir, other]);
    }
}

#[test]
fn every_sensor_that_was_aimed_can_be_saved_and_loaded() {
    let mut rng = Rng::new(40);
    let (mut n_aimed, mut n_refused) = (0, 0);
    for _ in 0..400 {
        let mut sensors = Sensors::default();
        let mut corner = || {
            *rng.pick(&[-MAX_COORDINATE, 0, MAX_COORDINATE - 50])
                .unwrap()
        };
        let place = at(corner(), corner());
        let dot = Footprint::circle(at(0, 0), Fixed::from_raw(5));
        let id = sensors.add(Sensor::new(Mount::Point(place), dot)).unwrap();
        let footprint = some_footprint(&mut rng, 300);
        let sensor = Sensor::new(Mount::Point(place), footprint);
        let is_fine = Sensors::default().add(sensor).is_ok();
        match sensors.set_footprint(id, footprint) {
            Ok(is_there) => assert!(is_there && is_fine, "{place} {footprint:?}"),
            Err(_) => assert!(!is_fine, "{place} {footprint:?}"),
        }
        let aims = if is_fine { footprint } else { dot };
        assert_eq!(sensors.sensor(id).unwrap().footprint, aims);
        assert!(Sensors::from_record(&sensors.record()).is_ok());
        n_aimed += usize::from(is_fine);
        n_refused += usize::from(!is_fine);
    }
    assert!(n_aimed > 100 && n_refused > 20, "{n_aimed} {n_refused}");
}

use std::collections::BTreeMap;

use wayfarer_base::Rng;

use super::super::touch::tests::some_footprint;
use super::super::{Body, Categories, Detection, FARTHEST, Outline, Teams};
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
            Outline::Point
        } else {
            Outline::Disc { radius }
        },
        team: rng.between(0, 2).to_le_bytes()[0],
        categories: Categories::one(rng.between(0, 2).to_le_bytes()[0]),
        z: Fixed::from_raw(rng.between(-30, 30)),
        height: Fixed::from_raw(rng.between(0, 40)),
        ..Body::at(some_point(rng))
    }
}

/// Walls that come and go: a line is blocked if it begins and ends on different sides of one.
#[derive(Clone, Debug)]
struct Walls(Vec<i32>);

impl Walls {
    fn sees(&self, look: &Look) -> bool {
        let parts = |wall: &i32| (look.from.x.raw() < *wall) != (look.to.x.raw() < *wall);
        // Giants look over them, and one looks at the tall; nobody cares to see its own kin.
        let is_over = look.eye.raw() > 50 || look.top.raw() - look.feet.raw() > 35;
        let kin = |viewer: ObjectId| viewer.index() % 7 == look.target.index() % 7;
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
    known: BTreeMap<(SensorId, ObjectId), Known>,
}

impl Oracle {
    fn is_in(
        objects: &Objects,
        sensor: &Sensor,
        id: ObjectId,
        margin: Fixed,
        walls: &Walls,
    ) -> bool {
        // Where the mount is found, and its way within the tick.
        let found_at = |id: ObjectId| objects.registered_at(id.index() as usize);
        let (at, way) = match sensor.mount {
            Mount::Place(place) => (place, (place, place)),
            Mount::Object(bearer) if bearer == id => return false,
            Mount::Object(bearer) => match objects.way(bearer) {
                Ok(way) => (found_at(bearer), way),
                Err(_) => return false,
            },
        };
        let body = objects.body(id).unwrap();
        let footprint = sensor.footprint.grown(margin);
        let touches = if sensor.is_swept {
            let begin = footprint.moved_to(way.0);
            objects.contact(id, &begin, way.1).unwrap().is_some()
        } else {
            footprint.moved_to(at).touches(found_at(id), body.outline)
        };
        let feet = match sensor.mount {
            Mount::Place(_) => Fixed::default(),
            Mount::Object(bearer) => objects.body(bearer).unwrap().z,
        };
        let look = Look {
            from: at,
            eye: Fixed::from_raw(feet.raw() + sensor.eye.unwrap_or_default().raw()),
            to: found_at(id),
            feet: body.z,
            top: Fixed::from_raw(body.z.raw() + body.height.raw()),
            viewer: match sensor.mount {
                Mount::Place(_) => None,
                Mount::Object(bearer) => Some(bearer),
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
            && (filter.categories == Categories::ALL || filter.categories.meets(body.categories))
            && (sensor.eye.is_none() || walls.sees(&look))
    }

    fn tick(
        &mut self,
        objects: &Objects,
        ids: &[ObjectId],
        sensors: &[(SensorId, Sensor)],
        walls: &Walls,
    ) -> Vec<Sighting> {
        let mut told = Vec::new();
        for &(name, sensor) in sensors {
            let mut tell = |object, change| {
                told.push(Sighting {
                    sensor: name,
                    object,
                    change,
                });
            };
            let is_blind =
                matches!(sensor.mount, Mount::Object(bearer) if !objects.is_alive(bearer));
            let known = self.known.iter().filter(|((id, _), _)| *id == name);
            let gone: Vec<ObjectId> = known
                .map(|((_, object), _)| *object)
                .filter(|object| is_blind || !objects.is_alive(*object))
                .collect();
            for object in gone {
                if let Some(known) = self.known.remove(&(name, object))
                    && known.is_member
                {
                    tell(object, Change::Leave);
                }
            }
            for &object in ids {
                if is_blind {
                    break;
                }
                let known = self.known.entry((name, object)).or_default();
                let margin = if known.is_member {
                    sensor.margin
                } else {
                    Fixed::default()
                };
                if Self::is_in(objects, &sensor, object, margin, walls) {
                    known.n_out = 0;
                    known.n_in += 1;
                    if known.is_member && sensor.tells_stay {
                        tell(object, Change::Stay);
                    } else if !known.is_member && known.n_in > sensor.enter_after {
                        known.is_member = true;
                        tell(object, Change::Enter);
                    }
                } else {
                    known.n_in = 0;
                    known.n_out += 1;
                    if known.is_member && known.n_out > sensor.leave_after {
                        known.is_member = false;
                        tell(object, Change::Leave);
                    }
                }
            }
        }
        told.sort_unstable_by_key(|s| {
            (s.sensor, s.object.index(), s.object.generation(), s.change)
        });
        told
    }
}

fn some_sensor(rng: &mut Rng, ids: &[ObjectId]) -> Sensor {
    let footprint = some_footprint(rng, 400);
    let mount = if rng.chance(2, 3) {
        Mount::Object(*rng.pick(ids).unwrap())
    } else {
        Mount::Place(some_point(rng))
    };
    let few = |rng: &mut Rng| u16::try_from(rng.below(3)).unwrap();
    Sensor {
        filter: Filter {
            categories: Categories::from_bits(1 + rng.below(7)),
            teams: Teams::except(1),
            heights: rng
                .chance(1, 4)
                .then(|| (Fixed::from_raw(-9), Fixed::from_raw(9))),
            except: rng.pick(ids).copied().filter(|id| id.index() % 2 == 0),
        },
        margin: Fixed::from_raw(rng.between(0, 1) * rng.between(0, 120)),
        enter_after: few(rng),
        leave_after: few(rng),
        tells_stay: rng.chance(1, 4),
        is_swept: rng.chance(1, 3),
        eye: rng
            .chance(1, 3)
            .then(|| Fixed::from_raw(rng.between(0, 40))),
        ..Sensor::new(mount, footprint)
    }
}

#[test]
fn what_sensors_tell_is_the_difference_of_what_everybody_looked_at_shows() {
    let mut n_told = 0;
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let detection = if seed % 2 == 0 {
            Detection::AfterMovement
        } else {
            Detection::BeforeMovement
        };
        let mut objects = Objects::new(Fixed::from_raw(100)).with_detection(detection);
        let mut ids: Vec<ObjectId> = (0..60)
            .map(|_| objects.register(&some_body(&mut rng)).unwrap())
            .collect();
        let mut sensors = Sensors::default();
        let mut list = Vec::new();
        for _ in 0..25 {
            let sensor = some_sensor(&mut rng, &ids);
            list.push((sensors.add(sensor).unwrap(), sensor));
        }
        let mut walls = Walls(vec![100]);
        let mut oracle = Oracle::default();
        let mut told = Vec::new();
        for tick in 0..120 {
            let mut to = vec![at(0, 0); objects.n_places()];
            for id in &ids {
                let here = objects.way(*id).unwrap().1;
                let far = if rng.chance(1, 5) { 900 } else { 60 };
                let part = |at: Fixed, by: i32| (at.raw() + by).clamp(-2_000, 2_000);
                to[id.index() as usize] = at(
                    part(here.x, rng.between(-far, far)),
                    part(here.y, rng.between(-far, far)),
                );
            }
            objects.move_all(&to).unwrap();
            // Births, deaths, teleports, and the ground changes.
            if tick % 3 == 0 {
                let place = rng.below(60) as usize % ids.len();
                objects.unregister(ids.swap_remove(place)).unwrap();
                if tick % 2 == 0 {
                    ids.push(objects.register(&some_body(&mut rng)).unwrap());
                }
            }
            let lucky = *rng.pick(&ids).unwrap();
            objects.teleport(lucky, some_point(&mut rng)).unwrap();
            let height = Fixed::from_raw(rng.between(-30, 30));
            objects.lift_to(*rng.pick(&ids).unwrap(), height).unwrap();
            let runner = *rng.pick(&ids).unwrap();
            objects.move_to(runner, some_point(&mut rng)).unwrap();
            if tick % 11 == 5 {
                // Saved and loaded, everything goes on.
                objects = Objects::from_record(&objects.record()).unwrap();
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
                assert_eq!(sensors.aim(list[place].0, aimed), Ok(true));
                list[place].1.footprint = aimed;
            }
            list.sort_unstable_by_key(|(name, _)| *name);
            let mut parallel = sensors.clone();
            let mut threaded = sensors.clone();
            told.clear();
            sensors.tick(&objects, |look| walls.sees(look), &mut told);
            let mut by_parts = Vec::new();
            for mut part in parallel.parts(3) {
                part.tick(&objects, |look| walls.sees(look), &mut by_parts);
            }
            assert_eq!(by_parts, told);
            let mut by_threads = Vec::new();
            let n_threads = 1 + usize::try_from(tick).unwrap() % 5;
            threaded.tick_on(
                n_threads,
                &objects,
                |look| walls.sees(look),
                &mut by_threads,
            );
            assert_eq!(by_threads, told, "{n_threads} threads");
            assert_eq!(threaded.work, sensors.work, "{n_threads} threads");
            for (name, _) in sensors.iter() {
                assert!(threaded.members(name).eq(sensors.members(name)));
            }
            assert!(told.is_sorted_by_key(|s| (s.sensor, s.object.index())));
            told.sort_unstable_by_key(|s| {
                (s.sensor, s.object.index(), s.object.generation(), s.change)
            });
            assert_eq!(
                told,
                oracle.tick(&objects, &ids, &list, &walls),
                "tick {tick}"
            );
            n_told += told.len();
        }
    }
    assert!(n_told > 2_000, "only {n_told} were told");
}

#[test]
fn a_bearer_that_dies_leaves_a_blind_sensor_and_everybody_leaves() {
    let mut objects = Objects::new(Fixed::from_raw(64));
    let bearer = objects.register(&Body::at(at(0, 0))).unwrap();
    let other = objects.register(&Body::at(at(5, 5))).unwrap();
    let mut sensors = Sensors::default();
    let circle = Footprint::circle(at(0, 0), Fixed::from_raw(50));
    let sensor = sensors
        .add(Sensor::new(Mount::Object(bearer), circle))
        .unwrap();
    let mut told = Vec::new();
    sensors.tick(&objects, |_| true, &mut told);
    assert_eq!(sensors.members(sensor).collect::<Vec<_>>(), [other]);
    objects.unregister(bearer).unwrap();
    let heir = objects.register(&Body::at(at(0, 0))).unwrap();
    assert_eq!(heir.index(), bearer.index());
    sensors.tick(&objects, |_| true, &mut told);
    sensors.tick(&objects, |_| true, &mut told);
    let changes: Vec<Change> = told.iter().map(|sighting| sighting.change).collect();
    assert_eq!(changes, [Change::Enter, Change::Leave]);
    assert_eq!(sensors.members(sensor).count(), 0);
}

#[test]
fn a_sensor_sees_neither_its_bearer_nor_whom_its_filter_leaves_out() {
    for is_swept in [false, true] {
        let mut objects = Objects::new(Fixed::from_raw(64));
        let mut born = |x: i32| objects.register(&Body::at(at(x, 0))).unwrap();
        let (bearer, friend, other) = (born(0), born(5), born(9));
        let mut sensors = Sensors::default();
        let circle = Footprint::circle(at(0, 0), Fixed::from_raw(50));
        let sensor = Sensor {
            filter: Filter::but(friend),
            is_swept,
            ..Sensor::new(Mount::Object(bearer), circle)
        };
        let sensor = sensors.add(sensor).unwrap();
        let mut told = Vec::new();
        sensors.tick(&objects, |_| true, &mut told);
        assert_eq!(sensors.members(sensor).collect::<Vec<_>>(), [other]);
        // A dead friend keeps nobody out, and the bearer least of all comes in.
        objects.unregister(friend).unwrap();
        let heir = objects.register(&Body::at(at(5, 0))).unwrap();
        sensors.tick(&objects, |_| true, &mut told);
        assert_eq!(sensors.members(sensor).collect::<Vec<_>>(), [heir, other]);
    }
}

#[test]
fn every_sensor_that_was_aimed_can_be_saved_and_loaded() {
    let mut rng = Rng::new(40);
    let (mut n_aimed, mut n_refused) = (0, 0);
    for _ in 0..400 {
        let mut sensors = Sensors::default();
        let mut corner = || *rng.pick(&[-FARTHEST, 0, FARTHEST - 50]).unwrap();
        let place = at(corner(), corner());
        let dot = Footprint::circle(at(0, 0), Fixed::from_raw(5));
        let id = sensors.add(Sensor::new(Mount::Place(place), dot)).unwrap();
        let footprint = some_footprint(&mut rng, 300);
        let sensor = Sensor::new(Mount::Place(place), footprint);
        let is_fine = Sensors::default().add(sensor).is_ok();
        match sensors.aim(id, footprint) {
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

//! Sensors against brute force: memberships, visibility, enter and leave events.

use wayfarer_engine::base::collections::OrderedMap;
use wayfarer_engine::base::{Fixed, Rng};
use wayfarer_engine::world::bodies::{
    Body, BodyCategories, BodyFilter, BodyId, Contacts, Mount, Sensor, SensorEvent,
    SensorEventKind, SensorId, Teams,
};

use super::draw;
use super::life::Life;
use super::{Tally, ensure};

/// Most sensors at once.
const MAX: usize = 8;

/// The reference of a sensor: its memberships and their ages.
#[derive(Clone, Debug)]
pub(super) struct Post {
    id: SensorId,
    sensor: Sensor,
    /// Whether a body is inside, and ticks since the last change.
    known: OrderedMap<BodyId, (bool, u16)>,
}

impl Life {
    /// Adds a sensor, aims one, or takes one away.
    pub(super) fn post_sensor(&mut self, rng: &mut Rng) -> Result<(), String> {
        let fault = |error: wayfarer_engine::world::bodies::ShapeError| error.to_string();
        let n_posts = u32::try_from(self.posts.len()).unwrap_or(0);
        match rng.below(6) {
            0 if n_posts > 0 => {
                let post = self.posts.remove(rng.below(n_posts) as usize);
                ensure!(
                    self.world.remove_sensor(post.id),
                    "{:?} was gone already",
                    post.id
                );
                ensure!(
                    !self.world.remove_sensor(post.id),
                    "{:?} goes twice",
                    post.id
                );
                return Ok(());
            }
            1 if n_posts > 0 => {
                let post = &mut self.posts[rng.below(n_posts) as usize];
                post.sensor.footprint = draw::footprint(rng);
                let aimed = self
                    .world
                    .set_sensor_footprint(post.id, post.sensor.footprint);
                ensure!(aimed.map_err(fault)?, "{:?} cannot be aimed", post.id);
                return Ok(());
            }
            _ if self.posts.len() >= MAX => return Ok(()),
            _ => {}
        }
        let ids: Vec<BodyId> = self.model.bodies.keys().copied().collect();
        let mount = match rng.pick(&ids) {
            Some(id) if rng.chance(2, 3) => Mount::Body(*id),
            _ => Mount::Point(draw::point(rng)),
        };
        let sensor = Sensor {
            filter: BodyFilter {
                categories: if rng.chance(1, 2) {
                    BodyCategories::ALL
                } else {
                    BodyCategories::from_bits(1 + rng.below(7))
                },
                teams: if rng.chance(1, 2) {
                    Teams::ALL
                } else {
                    Teams::except(1)
                },
                heights: rng
                    .chance(1, 3)
                    .then(|| (Fixed::from_raw(0), Fixed::from_raw(rng.between(0, 900)))),
                except: None,
            },
            exit_margin: Fixed::from_raw(rng.between(0, 2) * 200),
            enter_delay: u16::try_from(rng.below(3)).unwrap_or(0),
            leave_delay: u16::try_from(rng.below(3)).unwrap_or(0),
            reports_stay: rng.chance(1, 4),
            eye_height: rng
                .chance(1, 2)
                .then(|| Fixed::from_raw(rng.between(0, 600))),
            ..Sensor::new(mount, draw::footprint(rng))
        };
        let id = self.world.add_sensor(sensor).map_err(fault)?;
        self.posts.push(Post {
            id,
            sensor,
            known: OrderedMap::default(),
        });
        Ok(())
    }

    /// A tick of all sensors.
    pub(super) fn update_sensors(&mut self, tally: &mut Tally) -> Result<(), String> {
        let mut expected = Vec::new();
        let mut posts = std::mem::take(&mut self.posts);
        for post in &mut posts {
            tally.sensors += 1;
            self.tick(post, &mut expected);
        }
        let mut events = Vec::new();
        self.world.update_sensors(&mut events);
        events.sort_unstable();
        expected.sort_unstable();
        ensure!(
            events == expected,
            "sensors report {events:?}, expected {expected:?}"
        );
        for post in &posts {
            let seen: Vec<BodyId> = self.world.detected_by(post.id).collect();
            let members = post.known.iter().filter(|(_, (is_member, _))| *is_member);
            let mut members: Vec<BodyId> = members.map(|(id, _)| *id).collect();
            members.sort_unstable_by_key(|id| id.index());
            ensure!(
                seen == members,
                "{:?} has {seen:?} in it, expected {members:?}",
                post.id
            );
        }
        self.posts = posts;
        Ok(())
    }

    fn tick(&self, post: &mut Post, events: &mut Vec<SensorEvent>) {
        let bodies = &self.model.bodies;
        let mut report = |body_id: BodyId, change: SensorEventKind| {
            events.push(SensorEvent {
                sensor: post.id,
                body: body_id,
                kind: change,
            });
        };
        let mut known = std::mem::take(&mut post.known);
        let (at, feet, viewer) = match post.sensor.mount {
            Mount::Point(at) => (at, Fixed::default(), None),
            Mount::Body(id) => match bodies.get(&id) {
                Some(body) => (body.position, body.z, Some(id)),
                None => {
                    // Disabled: every membership ends.
                    for (id, _) in known.iter().filter(|(_, (is_member, _))| *is_member) {
                        report(*id, SensorEventKind::Leave);
                    }
                    return;
                }
            },
        };
        known.retain(|id, (is_member, _)| {
            let is_registered = bodies.contains_key(id);
            if !is_registered && *is_member {
                report(*id, SensorEventKind::Leave);
            }
            is_registered
        });
        let footprint = post.sensor.footprint.translated_to(at);
        let grown = footprint.inflated(post.sensor.exit_margin);
        let eye = post
            .sensor
            .eye_height
            .map(|eye| Fixed::from_raw(eye.raw() + feet.raw()));
        for (&id, body) in bodies {
            if Some(id) == viewer {
                continue;
            }
            let (is_member, n_ticks) = known.get(&id).copied().unwrap_or((false, 0));
            let area = if is_member { &grown } else { &footprint };
            let is_in = wants(&post.sensor.filter, body)
                && area.overlaps(body.position, body.shape)
                && eye.is_none_or(|eye| self.shows((at, eye), viewer, id, body));
            let next = match (is_member, is_in) {
                (false, false) => None,
                (false, true) if n_ticks >= post.sensor.enter_delay => {
                    report(id, SensorEventKind::Enter);
                    Some((true, 0))
                }
                (true, false) if n_ticks >= post.sensor.leave_delay => {
                    report(id, SensorEventKind::Leave);
                    None
                }
                (true, true) => {
                    if post.sensor.reports_stay {
                        report(id, SensorEventKind::Stay);
                    }
                    Some((true, 0))
                }
                (is_member, _) => Some((is_member, n_ticks + 1)),
            };
            match next {
                Some(next) => {
                    post.known.insert(id, next);
                }
                None => {
                    post.known.remove(&id);
                }
            }
        }
    }

    /// True if the feet, the middle or the top of a body is in sight.
    fn shows(
        &self,
        (at, eye): (wayfarer_engine::base::Point2, Fixed),
        viewer: Option<BodyId>,
        id: BodyId,
        body: &Body,
    ) -> bool {
        let scale = self.world.scale();
        let (feet, height) = (body.z.raw(), body.height.raw());
        let mut but = vec![id];
        but.extend(viewer);
        let mut contacts = Contacts::default();
        [feet, feet + height / 2, feet + height].iter().any(|z| {
            let from = scale.ground_position(at, eye);
            let to = scale.ground_position(body.position, Fixed::from_raw(*z));
            let sight = self.world.visibility();
            sight.is_clear_past((from, to), &but, &mut contacts)
        })
    }
}

/// Whether a filter cares for a body.
fn wants(filter: &BodyFilter, body: &Body) -> bool {
    let shares_height = |(low, high): (Fixed, Fixed)| {
        body.z <= high && low.raw() <= body.z.raw() + body.height.raw()
    };
    (filter.categories == BodyCategories::ALL || filter.categories.intersects(body.categories))
        && filter.teams.contains(body.team)
        && filter.heights.is_none_or(shares_height)
}

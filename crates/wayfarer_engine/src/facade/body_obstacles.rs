//! Bodies that block movement: each is mirrored as an obstacle with the same lifetime, so that one
//! registration serves range queries, lines of sight and path searches.

use wayfarer_base::{Aabb2, Fixed, Point2};
use wayfarer_world::bodies::{Body, BodyCategories, BodyFilter, BodyId, BodyShape};
use wayfarer_world::obstacles::{
    DiscAgent, MAX_COORDINATE, Obstacle, ObstacleCategories, ObstacleId, ObstacleSet, ObstacleShape,
};

use super::World;
use super::agent::Registered;
use super::change::BodyDifference;
use super::path::Path;

/// What bodies of which categories do besides being found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BodyRoles {
    /// Bodies with one of these categories are obstacles of paths; none by default.
    pub blocks_movement: BodyCategories,
    /// Bodies with one of these categories occlude lines of sight; all by default.
    pub blocks_sight: BodyCategories,
}

impl Default for BodyRoles {
    fn default() -> Self {
        Self {
            blocks_movement: BodyCategories::NONE,
            blocks_sight: BodyCategories::ALL,
        }
    }
}

impl BodyRoles {
    /// The bodies that occlude lines of sight.
    pub(super) const fn occluders(self) -> BodyFilter {
        BodyFilter {
            categories: self.blocks_sight,
            ..BodyFilter::ALL
        }
    }

    /// The obstacle of a body; `None` if it does not block movement, is a point, or lies beyond the
    /// range of obstacles.
    fn obstacle(self, body: &Body) -> Option<Obstacle> {
        if !body.categories.intersects(self.blocks_movement) {
            return None;
        }
        let center = body.position;
        let shape = match body.shape {
            BodyShape::Point => return None,
            BodyShape::Disc { radius } => ObstacleShape::Disc { center, radius },
            BodyShape::Box { half_x, half_y } => {
                let by = |at: Fixed, by: i32| Fixed::from_raw(at.raw().saturating_add(by));
                let corner = |sign: i32| {
                    let (x, y) = (sign * half_x.raw(), sign * half_y.raw());
                    Point2::new(by(center.x, x), by(center.y, y))
                };
                ObstacleShape::Box(Aabb2 {
                    low: corner(-1),
                    high: corner(1),
                })
            }
        };
        let categories = ObstacleCategories::from_bits(body.categories.bits().into());
        let obstacle = Obstacle { shape, categories };
        obstacle.check().is_ok().then_some(obstacle)
    }
}

/// A disc on the ground that avoids obstacles other than its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AvoidingAgent {
    pub(super) disc: DiscAgent,
    /// The obstacle of the agent's own body.
    pub(super) own: Option<ObstacleId>,
}

impl AvoidingAgent {
    /// An obstacle whose inflated outline contains a point.
    pub(super) fn obstacle_at(self, obstacles: &ObstacleSet, at: Point2) -> Option<ObstacleId> {
        let found = obstacles.blocking_obstacle(at, self.disc)?;
        if self.own != Some(found) {
            return Some(found);
        }
        let contains = |id: &ObstacleId| {
            let outline = obstacles.outline(*id, self.disc);
            outline.is_some_and(|outline| outline.contains(at))
        };
        self.others_near(obstacles, (at, at))
            .into_iter()
            .find(contains)
    }

    /// The first obstacle that a line enters.
    pub(super) fn obstacle_on_line(
        self,
        obstacles: &ObstacleSet,
        (from, to): (Point2, Point2),
    ) -> Option<ObstacleId> {
        let found = obstacles.cast_ray(from, to, self.disc)?.obstacle;
        if self.own != Some(found) {
            return Some(found);
        }
        let mut first: Option<(f64, ObstacleId)> = None;
        for id in self.others_near(obstacles, (from, to)) {
            let outline = obstacles.outline(id, self.disc);
            if let Some(at) = outline.and_then(|outline| outline.entry(from, to))
                && first.is_none_or(|(before, _)| at < before)
            {
                first = Some((at, id));
            }
        }
        first.map(|(_, id)| id)
    }

    /// The blocking obstacles other than its own near a line, by slot.
    fn others_near(self, obstacles: &ObstacleSet, (a, b): (Point2, Point2)) -> Vec<ObstacleId> {
        let reach = self.disc.radius.raw().saturating_add(2);
        let by = |at: Fixed, by: i32| Fixed::from_raw(at.raw().saturating_add(by));
        let area = Aabb2 {
            low: Point2::new(by(a.x.min(b.x), -reach), by(a.y.min(b.y), -reach)),
            high: Point2::new(by(a.x.max(b.x), reach), by(a.y.max(b.y), reach)),
        };
        let mut near = Vec::new();
        obstacles.in_box(area, self.disc.blocked_by, &mut near);
        near.retain(|id| self.own != Some(*id));
        near
    }
}

impl World {
    /// Sets what bodies do besides being found, and makes the obstacles of those that block
    /// movement. An obstacle set is created if there is none, with the largest bounds.
    pub fn set_body_roles(&mut self, roles: BodyRoles) {
        self.body_roles = roles;
        let slots = 0..u32::try_from(self.bodies.n_slots()).unwrap_or(u32::MAX);
        let ids: Vec<BodyId> = slots.filter_map(|slot| self.bodies.id_at(slot)).collect();
        if roles.blocks_movement != BodyCategories::NONE {
            self.obstacles.get_or_insert_with(largest_set);
        }
        self.mirror_bodies(ids);
    }

    /// The bodies that are obstacles, with the ids of these, by body.
    pub fn body_obstacles(&self) -> impl ExactSizeIterator<Item = (BodyId, ObstacleId)> {
        self.body_obstacles.iter().map(|(body, id)| (*body, *id))
    }

    /// Restores the roles and the obstacles of bodies of a saved world; false, and without effect,
    /// if they do not match its bodies and obstacles.
    pub fn restore_body_obstacles(
        &mut self,
        roles: BodyRoles,
        pairs: impl IntoIterator<Item = (BodyId, ObstacleId)>,
    ) -> bool {
        let pairs: super::OrderedMap<_, _> = pairs.into_iter().collect();
        let obstacle = |id| self.obstacles.as_ref()?.obstacle(id);
        let is_mirrored = |(body, id): (&BodyId, &ObstacleId)| {
            let body = self.bodies.body(*body).ok();
            let wanted = body.and_then(|body| roles.obstacle(&body));
            wanted.is_some() && wanted == obstacle(*id)
        };
        if !pairs.iter().all(is_mirrored) {
            return false;
        }
        self.body_obstacles = pairs;
        self.set_body_roles(roles);
        true
    }

    /// Brings the obstacles of bodies up to date with the differences of a batch.
    pub(super) fn mirror_differences(&mut self, differences: &[BodyDifference]) {
        let blocks = self.body_roles.blocks_movement;
        let may_block = self.bodies.have_had(blocks) || !self.body_obstacles.is_empty();
        if blocks != BodyCategories::NONE && may_block {
            self.mirror_bodies(differences.iter().map(BodyDifference::id));
        }
    }

    fn mirror_bodies(&mut self, ids: impl IntoIterator<Item = BodyId>) {
        let Some(obstacles) = &mut self.obstacles else {
            return;
        };
        let mut stale = Vec::new();
        for id in ids {
            let body = self.bodies.body(id).ok();
            let wanted = body.and_then(|body| self.body_roles.obstacle(&body));
            let registered = self.body_obstacles.get(&id).copied();
            if wanted != registered.and_then(|known| obstacles.obstacle(known)) {
                stale.push((id, wanted, registered));
            }
        }
        if stale.is_empty() {
            return; // A batch without edits would count as a revision.
        }
        let mut batch = obstacles.edit();
        for (id, wanted, registered) in stale {
            const CHECKED: &str = "the obstacle was validated, and its id is that of a body";
            match (wanted, registered) {
                (Some(obstacle), Some(known)) => batch.set(known, &obstacle).expect(CHECKED),
                (Some(obstacle), None) => {
                    let new = batch.insert(&obstacle);
                    self.body_obstacles.insert(id, new.expect(CHECKED));
                }
                (None, Some(known)) => {
                    batch.remove(known).expect(CHECKED);
                    self.body_obstacles.remove(&id);
                }
                (None, None) => {}
            }
        }
    }

    /// The agent that avoids the obstacles of these categories; `None` if it avoids none.
    pub(super) fn avoiding(
        &self,
        (avoided, own_body): (ObstacleCategories, Option<BodyId>),
        registered: &Registered,
    ) -> Option<AvoidingAgent> {
        let own = own_body.and_then(|body| self.body_obstacles.get(&body).copied());
        let agent = self.avoiding_agent(avoided, registered)?;
        Some(AvoidingAgent { own, ..agent })
    }

    /// True if a straight line of a ground path enters no obstacle that the path avoids.
    pub fn is_clear_of_avoided(&self, path: &Path, from: Point2, to: Point2) -> bool {
        let Ok(registered) = self.registered(path.agent_type) else {
            return false;
        };
        let avoided = (path.avoided_obstacles, path.body);
        let (Some(agent), Some(obstacles)) = (self.avoiding(avoided, registered), &self.obstacles)
        else {
            return true;
        };
        agent.obstacle_on_line(obstacles, (from, to)).is_none()
    }
}

/// An empty set with the largest bounds.
fn largest_set() -> ObstacleSet {
    let low = Fixed::from_raw(-MAX_COORDINATE.raw());
    let bounds = Aabb2 {
        low: Point2::new(low, low),
        high: Point2::new(MAX_COORDINATE, MAX_COORDINATE),
    };
    ObstacleSet::new(bounds).expect("the bounds are within the limits")
}

#[cfg(test)]
mod tests;

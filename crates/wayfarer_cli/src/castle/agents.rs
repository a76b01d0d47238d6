//! The agents: role, position, goal, and how they follow a path.

use wayfarer_engine::base::{Cell, Location, SubscriptionId, Voxel};
use wayfarer_engine::world::bodies::{BodyId, SensorId};
use wayfarer_engine::{AgentTypeId, Path, Position, World};

/// The role of an agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// Walks.
    Servant,
    /// Walks, with a sensor.
    Guard,
    /// Walks with an exposure cost to guards.
    Thief,
    /// Flies.
    Raven,
    /// Walks and flies.
    Winged,
}

impl Role {
    /// Speed in 1/65,536 of a cell per tick.
    pub(super) const fn speed(self) -> i64 {
        match self {
            Self::Servant => 6_600,
            Self::Guard => 5_000,
            Self::Thief => 7_600,
            Self::Raven => 17_000,
            Self::Winged => 11_000,
        }
    }
}

/// An agent.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    pub(crate) role: Role,
    /// Position: the feet on the ground, the center in the air.
    pub(crate) at: Position,
    /// The path being followed.
    pub(crate) path: Option<Path>,
    /// The tick in which the path was last repaired.
    pub(crate) repaired: Option<u32>,
    /// The sensor of a guard.
    pub(crate) sensor: Option<SensorId>,
    pub(super) agent_type: AgentTypeId,
    pub(super) id: BodyId,
    pub(super) subscription: Option<SubscriptionId>,
    /// The current cell or voxel.
    pub(super) location: Location,
    pub(super) goal: Position,
    /// Ticks to rest before the next goal.
    pub(super) rest: u32,
    /// The locations of the path, and the index of the next.
    locations: Vec<Location>,
    next: usize,
}

impl Agent {
    pub(super) fn new(
        role: Role,
        agent_type: AgentTypeId,
        id: BodyId,
        at: Position,
        location: Location,
    ) -> Self {
        Self {
            role,
            at,
            path: None,
            repaired: None,
            sensor: None,
            agent_type,
            id,
            subscription: None,
            location,
            goal: at,
            rest: 0,
            locations: Vec::new(),
            next: 0,
        }
    }

    /// The rest of the path from the current position, in world units.
    pub(crate) fn ahead<'a>(&'a self, world: &'a World) -> impl Iterator<Item = Position> + 'a {
        let rest = self.locations[self.next.min(self.locations.len())..].iter();
        std::iter::once(self.at).chain(rest.map(|location| world.position_of(*location)))
    }

    /// Starts to follow a path.
    pub(super) fn take(&mut self, path: Path, subscription: SubscriptionId) {
        self.locations = path.locations();
        self.next = 0;
        self.path = Some(path);
        self.subscription = Some(subscription);
    }

    /// Drops the path; returns its subscription.
    pub(super) fn stop(&mut self) -> Option<SubscriptionId> {
        self.path = None;
        self.locations.clear();
        self.next = 0;
        self.subscription.take()
    }

    /// Moves for one tick along straight lines between locations; true on arrival.
    pub(super) fn follow(&mut self, world: &World) -> bool {
        let mut left = self.role.speed();
        while let Some(&location) = self.locations.get(self.next) {
            let to = world.position_of(location);
            let length = distance(self.at, to);
            if length > left {
                let part = |from: i64, to: i64| from + (to - from) * left / length;
                self.at = Position {
                    x: part(self.at.x, to.x),
                    y: part(self.at.y, to.y),
                    z: part(self.at.z, to.z),
                };
                self.location = self.location_on_path(world, location);
                return false;
            }
            (self.at, self.location) = (to, location);
            self.next += 1;
            left -= length;
        }
        self.path.is_some()
    }

    /// The current cell or voxel between two locations.
    fn location_on_path(&self, world: &World, next: Location) -> Location {
        match (self.location, next) {
            (Location::Cell(_), Location::Cell(to)) => {
                let here = world.scale().cell(self.at).map(Cell::column);
                if here == Some(to.column()) {
                    next
                } else {
                    self.location
                }
            }
            // Taking off or landing: in the air until the next location is reached.
            _ => world
                .scale()
                .voxel(self.at)
                .map_or(self.location, Location::Voxel),
        }
    }

    /// True if the position is walkable or free, not inside geometry.
    pub(super) fn is_valid_position(&self, world: &World) -> bool {
        let is_free = |voxel: Voxel| world.air().is_some_and(|air| air.is_free(voxel));
        let is_in_air = world.scale().voxel(self.at).is_some_and(is_free);
        match self.location {
            Location::Cell(cell) => {
                // Inside the square of the cell or on its edges: a diagonal passes a corner.
                let center = world.position_of(self.location);
                let half = world.scale().lengths()[0] / 2;
                let is_here =
                    (self.at.x - center.x).abs() <= half && (self.at.y - center.y).abs() <= half;
                world.is_walkable(cell) && is_here
            }
            Location::Voxel(voxel) => is_free(voxel) && is_in_air,
            Location::Point(_) => false,
        }
    }
}

/// The distance between two positions, rounded down.
fn distance(a: Position, b: Position) -> i64 {
    let square = |a: i64, b: i64| (a - b) * (a - b);
    (square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z)).isqrt()
}

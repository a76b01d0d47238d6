//! Who lives in the castle: where they are, where they want to go, and how they follow a path.

use wayfarer::base::{Cell, Location, SubscriptionId, Voxel};
use wayfarer::world::bodies::{BodyId, SensorId};
use wayfarer::{AgentTypeId, Path, Position, World};

/// What somebody does for a living.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// Walks about.
    Servant,
    /// Walks about and looks.
    Guard,
    /// Walks where guards do not look.
    Thief,
    /// Flies.
    Raven,
    /// Walks and flies.
    Winged,
}

impl Role {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [
        Self::Servant,
        Self::Guard,
        Self::Thief,
        Self::Raven,
        Self::Winged,
    ];

    /// 1/65,536 of a cell that one goes in a tick of a thirtieth of a second.
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

/// Somebody in the castle.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    /// What for a living.
    pub(crate) role: Role,
    /// Where: the feet on the ground, the middle in the air.
    pub(crate) at: Position,
    /// The way that is followed, if any.
    pub(crate) path: Option<Path>,
    /// The tick in which the path was last repaired.
    pub(crate) repaired: Option<u32>,
    /// The eyes of a guard.
    pub(crate) sensor: Option<SensorId>,
    pub(super) agent_type: AgentTypeId,
    pub(super) id: BodyId,
    pub(super) watch: Option<SubscriptionId>,
    /// The cell or voxel one is in.
    pub(super) location: Location,
    pub(super) goal: Position,
    /// Ticks to rest before the next goal.
    pub(super) rest: u32,
    /// What the path leads through, and how far one is.
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
            watch: None,
            location,
            goal: at,
            rest: 0,
            locations: Vec::new(),
            next: 0,
        }
    }

    /// The rest of the way, from where one is: in world units.
    pub(crate) fn ahead<'a>(&'a self, world: &'a World) -> impl Iterator<Item = Position> + 'a {
        let rest = self.locations[self.next.min(self.locations.len())..].iter();
        std::iter::once(self.at).chain(rest.map(|location| world.position_of(*location)))
    }

    /// Takes a path.
    pub(super) fn take(&mut self, path: Path, watch: SubscriptionId) {
        self.locations = path.locations();
        self.next = 0;
        self.path = Some(path);
        self.watch = Some(watch);
    }

    /// Gives its path up; what watched it is to be let go.
    pub(super) fn stop(&mut self) -> Option<SubscriptionId> {
        self.path = None;
        self.locations.clear();
        self.next = 0;
        self.watch.take()
    }

    /// Goes on for a tick, straight from place to place. True if it has arrived.
    pub(super) fn follow(&mut self, world: &World) -> bool {
        let mut left = self.role.speed();
        while let Some(&location) = self.locations.get(self.next) {
            let to = world.position_of(location);
            let far = distance(self.at, to);
            if far > left {
                let part = |from: i64, to: i64| from + (to - from) * left / far;
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
            left -= far;
        }
        self.path.is_some()
    }

    /// The cell or voxel one is in on the way to the next place.
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
            // Up from a floor or down to it: in the air as long as one is not there.
            _ => world
                .scale()
                .voxel(self.at)
                .map_or(self.location, Location::Voxel),
        }
    }

    /// True if one can be where it is: never inside a wall.
    pub(super) fn is_somewhere(&self, world: &World) -> bool {
        let is_free = |voxel: Voxel| world.air().is_some_and(|air| air.is_free(voxel));
        let is_in_air = world.scale().voxel(self.at).is_some_and(is_free);
        match self.location {
            Location::Cell(cell) => {
                // In the square of the cell one stands in, its edges included: on a diagonal one
                // passes through a corner.
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

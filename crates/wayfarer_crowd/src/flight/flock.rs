//! [`Flock`]: flyers, and the tick that moves them.

use std::sync::Arc;

use wayfarer_base::Digest;
use wayfarer_world::air::Air;

use super::orca::MovingBall;
use super::vector::Vec3;
use crate::agent::{AgentState, CrowdAgentId, CrowdError, CrowdEvent};
use crate::crowd::CrowdOptions;

/// The bit of a slot that tells flyers from walkers.
const FLYER: u32 = 1 << 31;

/// True if an agent belongs to a flock, not to a crowd.
pub const fn is_flyer(id: CrowdAgentId) -> bool {
    id.index() & FLYER != 0
}

/// What a flyer is. Lengths in voxels, times in seconds.
#[derive(Clone, PartialEq, Debug)]
pub struct Flyer {
    /// Radius of its ball, from 1/16 to 8.
    pub radius: f64,
    /// Largest speed.
    pub max_speed: f64,
    /// Largest change of velocity per second.
    pub max_acceleration: f64,
    /// Cosine and sine of the largest turn in a tick; (-1, 0) if it moves in any direction at once.
    pub turn: (f64, f64),
    /// As for [`CrowdAgent`](crate::CrowdAgent).
    pub priority: u8,
    /// The layers that it is in.
    pub layers: u32,
    /// The layers that it avoids.
    pub avoids: u32,
}

impl Flyer {
    /// A flyer a little narrower than a voxel that flies three voxels a second.
    pub const DEFAULT: Self = Self {
        radius: 0.4,
        max_speed: 3.0,
        max_acceleration: 12.0,
        turn: (-1.0, 0.0),
        priority: 0,
        layers: 1,
        avoids: u32::MAX,
    };

    pub(super) fn check(&self, tick_seconds: f64) -> Result<(), CrowdError> {
        let numbers = [
            ("the radius", self.radius, 1.0 / 16.0, 8.0),
            ("the speed", self.max_speed, 0.0, 1_024.0),
            (
                "the distance of a tick",
                self.max_speed * tick_seconds,
                0.0,
                1.0,
            ),
            (
                "the acceleration",
                self.max_acceleration,
                1.0 / 16.0,
                65_536.0,
            ),
            ("the cosine of a turn", self.turn.0, -1.0, 1.0),
            ("the sine of a turn", self.turn.1, 0.0, 1.0),
        ];
        for (what, found, low, high) in numbers {
            if !(low..=high).contains(&found) {
                return Err(CrowdError::OutOfRange {
                    what,
                    found,
                    low,
                    high,
                });
            }
        }
        Ok(())
    }
}

/// The vertices of a flight, in voxels; cloning shares it.
pub type Flight = Arc<[Vec3]>;

/// A flyer of the flock.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) flyer: Flyer,
    pub(super) ball: MovingBall,
    /// What rounding took from its moves so far.
    pub(super) remainder: Vec3,
    /// Where it faces; zero before its first move.
    pub(super) heading: Vec3,
    pub(super) flight: Option<Flight>,
    /// The vertex to steer to, and the length of the flight behind it.
    pub(super) next: usize,
    pub(super) left_after_next: f64,
    /// Where to steer instead, if the vertex is out of sight.
    pub(super) aim: Option<Vec3>,
    pub(super) state: AgentState,
    /// The least distance left so far, and the ticks since it became less.
    pub(super) least_left: f64,
    pub(super) n_waiting: u32,
    /// The velocity that the flyer would choose alone.
    pub(super) preferred: Vec3,
}

/// Flyers that follow flights through one air.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_crowd::flight::{Flock, Flyer, Vec3};
/// use wayfarer_crowd::{AgentState, CrowdOptions};
/// use wayfarer_world::air::AirBuilder;
///
/// let air = AirBuilder::new(Voxel::new(0, 0, 0), [16, 8, 8])?.build()?;
/// let mut flock = Flock::new(CrowdOptions::default())?;
/// let (from, to) = (Vec3::new(1.5, 4.0, 4.0), Vec3::new(14.5, 4.0, 5.5));
/// let flyer = flock.add(&air, Flyer::DEFAULT, from)?;
/// flock.set_flight(flyer, [from, to].into())?;
/// while flock.state(flyer) == Some(AgentState::Moving) {
///     flock.tick(&air);
/// }
/// assert_eq!(flock.state(flyer), Some(AgentState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Flock {
    pub(super) options: CrowdOptions,
    pub(super) n_ticks: u64,
    pub(super) generations: Vec<u32>,
    pub(super) free: Vec<u32>,
    pub(super) members: Vec<Option<Member>>,
    /// The neighbors of each flyer that moves, nearest first.
    pub(super) lists: Vec<Vec<u32>>,
    /// Flyers by bin, sorted.
    pub(super) bins: Vec<([i32; 3], u32)>,
    pub(super) wanted: Vec<Vec3>,
    /// Where flyers are about to be, not rounded and rounded.
    pub(super) exact: Vec<Vec3>,
    pub(super) candidates: Vec<Vec3>,
    pub(super) events: Vec<CrowdEvent>,
    /// True if an edit may have taken places.
    pub(super) has_changed_places: bool,
}

impl Flock {
    /// A flock without flyers. Of the options, those of walls and links do not apply.
    ///
    /// # Errors
    /// A number of the options is out of range.
    pub fn new(options: CrowdOptions) -> Result<Self, CrowdError> {
        options.check()?;
        Ok(Self {
            options,
            n_ticks: 0,
            generations: Vec::new(),
            free: Vec::new(),
            members: Vec::new(),
            lists: Vec::new(),
            bins: Vec::new(),
            wanted: Vec::new(),
            exact: Vec::new(),
            candidates: Vec::new(),
            events: Vec::new(),
            has_changed_places: false,
        })
    }

    /// Adds a flyer that hovers at a position, which is rounded to 1/256 of a voxel.
    ///
    /// # Errors
    /// A number is out of range, or the ball overlaps a solid or is outside the air.
    pub fn add(&mut self, air: &Air, flyer: Flyer, at: Vec3) -> Result<CrowdAgentId, CrowdError> {
        flyer.check(self.options.tick_seconds)?;
        let at = at.rounded();
        if !at.is_finite() || !fits(air, at, flyer.radius) {
            return Err(CrowdError::DoesNotFit {
                at: crate::Vec2::new(at.x, at.y),
            });
        }
        let member = Member {
            ball: MovingBall {
                position: at,
                velocity: Vec3::ZERO,
                radius: flyer.radius,
            },
            flyer,
            remainder: Vec3::ZERO,
            heading: Vec3::ZERO,
            flight: None,
            next: 0,
            left_after_next: 0.0,
            aim: None,
            state: AgentState::Idle,
            least_left: f64::INFINITY,
            n_waiting: 0,
            preferred: Vec3::ZERO,
        };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.members.push(None);
            u32::try_from(self.members.len() - 1).expect("fewer flyers than bytes")
        });
        self.members[slot as usize] = Some(member);
        Ok(self.id_at(slot as usize))
    }

    /// Removes a flyer.
    ///
    /// # Errors
    /// The flyer is unknown.
    pub fn remove(&mut self, id: CrowdAgentId) -> Result<(), CrowdError> {
        let index = self.index(id)?;
        self.members[index] = None;
        self.generations[index] += 1;
        self.free.push(id.index() & !FLYER);
        Ok(())
    }

    /// Sends a flyer along a flight, which begins where the flyer is. An empty one stops it.
    ///
    /// # Errors
    /// The flyer is unknown, or a vertex is not a number.
    pub fn set_flight(&mut self, id: CrowdAgentId, flight: Flight) -> Result<(), CrowdError> {
        let index = self.index(id)?;
        if let Some(at) = flight.iter().find(|at| !at.is_finite()) {
            return Err(CrowdError::DoesNotFit {
                at: crate::Vec2::new(at.x, at.y),
            });
        }
        let member = self.members[index]
            .as_mut()
            .ok_or(CrowdError::UnknownAgent)?;
        let pairs = flight.windows(2).skip(1);
        member.left_after_next = pairs.map(|pair| (pair[1] - pair[0]).length()).sum();
        member.next = usize::from(flight.len() > 1);
        (member.least_left, member.n_waiting) = (f64::INFINITY, 0);
        member.aim = None;
        member.state = match flight.is_empty() {
            true => AgentState::Idle,
            false => AgentState::Moving,
        };
        if flight.is_empty() {
            (member.preferred, member.ball.velocity) = (Vec3::ZERO, Vec3::ZERO);
        }
        member.flight = Some(flight);
        Ok(())
    }

    pub(super) fn index(&self, id: CrowdAgentId) -> Result<usize, CrowdError> {
        let index = (id.index() & !FLYER) as usize;
        match (self.generations.get(index), self.members.get(index)) {
            (Some(generation), Some(Some(_))) if *generation == id.generation() && is_flyer(id) => {
                Ok(index)
            }
            _ => Err(CrowdError::UnknownAgent),
        }
    }

    fn member(&self, id: CrowdAgentId) -> Option<&Member> {
        self.members[self.index(id).ok()?].as_ref()
    }

    pub(super) fn id_at(&self, index: usize) -> CrowdAgentId {
        let slot = u32::try_from(index).expect("slots have 31 bits");
        CrowdAgentId::new(slot | FLYER, self.generations[index])
    }

    /// The ids of all flyers, by slot.
    pub fn ids(&self) -> impl Iterator<Item = CrowdAgentId> {
        let slots = self.members.iter().enumerate();
        slots.filter_map(|(index, member)| member.as_ref().map(|_| self.id_at(index)))
    }

    /// Where a flyer is, in voxels.
    pub fn position(&self, id: CrowdAgentId) -> Option<Vec3> {
        self.member(id).map(|member| member.ball.position)
    }

    /// The velocity of the last tick, in voxels per second.
    pub fn velocity(&self, id: CrowdAgentId) -> Option<Vec3> {
        self.member(id).map(|member| member.ball.velocity)
    }

    /// What a flyer does.
    pub fn state(&self, id: CrowdAgentId) -> Option<AgentState> {
        self.member(id).map(|member| member.state)
    }

    /// The parameters of a flyer.
    pub fn flyer(&self, id: CrowdAgentId) -> Option<&Flyer> {
        self.member(id).map(|member| &member.flyer)
    }

    /// The flyers that moved in the last tick, by slot.
    pub fn moved(&self) -> impl Iterator<Item = CrowdAgentId> {
        let members = self.members.iter().enumerate();
        let moved = members.filter(|(_, member)| {
            let velocity = member.as_ref().map(|member| member.ball.velocity);
            velocity.is_some_and(|velocity| velocity != Vec3::ZERO)
        });
        moved.map(|(index, _)| self.id_at(index))
    }

    /// Sets the number of threads, at least 1.
    pub fn set_threads(&mut self, n_threads: usize) {
        self.options.n_threads = n_threads.max(1);
    }

    /// Call it after an edit of the air: flyers that no longer fit are displaced in the next tick.
    pub fn invalidate(&mut self) {
        self.has_changed_places = true;
    }

    /// Moves all flyers by one tick and returns what happened. Flyers that rest cost their place in
    /// the grid alone.
    pub fn tick(&mut self, air: &Air) -> &[CrowdEvent] {
        self.events.clear();
        self.displace(air);
        self.follow_flights(air);
        self.find_neighbors();
        self.settle();
        self.steer();
        self.move_flyers(air);
        self.n_ticks += 1;
        &self.events
    }

    /// The largest overlap of two flyers that moved in the last tick or lie beside such, as a share
    /// of the smaller radius.
    pub fn max_overlap(&self) -> f64 {
        let mut largest: f64 = 0.0;
        for (index, list) in self.lists.iter().enumerate() {
            let Some(Some(one)) = self.members.get(index) else {
                continue;
            };
            for &slot in list {
                let Some(Some(other)) = self.members.get(slot as usize) else {
                    continue;
                };
                let reach = one.ball.radius + other.ball.radius;
                let distance = (one.ball.position - other.ball.position).length();
                if distance < reach && touches(&one.flyer, &other.flyer) {
                    let smaller = one.ball.radius.min(other.ball.radius);
                    largest = largest.max((reach - distance) / smaller);
                }
            }
        }
        largest
    }

    /// A digest of all that later ticks depend on, but flights.
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::default();
        digest.number(self.n_ticks);
        for (index, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            digest.number(self.id_at(index).to_bits());
            for vector in [member.ball.position, member.ball.velocity, member.remainder] {
                for number in vector.to_array() {
                    digest.number(number.to_bits());
                }
            }
            digest.number(member.next as u64);
            digest.number(member.state as u64);
        }
        digest.value()
    }
}

/// True if a ball overlaps no solid and its center is within the air.
pub(super) fn fits(air: &Air, at: Vec3, radius: f64) -> bool {
    let point = at.to_point();
    let [x, y, z] = [point.x, point.y, point.z].map(|at| at.cell());
    let radius = super::vector::fixed(radius);
    air.is_free(wayfarer_base::Voxel::new(x, y, z)) && air.sweep(point, point, radius).is_none()
}

/// True if two flyers may not overlap.
pub(super) const fn touches(one: &Flyer, other: &Flyer) -> bool {
    one.avoids & other.layers != 0 || other.avoids & one.layers != 0
}

#[cfg(test)]
mod tests;

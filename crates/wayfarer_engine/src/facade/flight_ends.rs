//! Exact positions in the air: a search leads from voxel to voxel, an agent's ball begins and ends
//! anywhere in them.

use wayfarer_base::{Fixed, Location};

use super::World;
use super::agent::AgentTypeId;
use crate::Position;

/// Positions are rounded to 1/256 of a voxel along each axis: overlaps up to this count as touching.
const TOLERANCE: i32 = 2;

impl World {
    /// True if the ball of an agent in the air overlaps a solid voxel at an exact position, by more
    /// than 1/128 of a voxel. False for agents that do not fly or stand on a floor there.
    pub fn clips_at(&self, agent_type: AgentTypeId, at: Position) -> bool {
        let Ok(registered) = self.registered(agent_type) else {
            return false;
        };
        let is_in_air = matches!(self.locate(registered, at), Some(Location::Voxel(_)));
        is_in_air && self.clips_between(agent_type, at, at)
    }

    /// True if the ball of a flying agent overlaps a solid voxel on the straight line between two
    /// positions, by more than 1/128 of a voxel. False for agents that do not fly.
    pub fn clips_between(&self, agent_type: AgentTypeId, from: Position, to: Position) -> bool {
        let registered = self.registered(agent_type);
        let flight = registered.ok().and_then(|one| one.agent_type.flight);
        let (Some(air), Some(flight)) = (&self.air, flight) else {
            return false;
        };
        let ends = self.scale.air_point(from).zip(self.scale.air_point(to));
        let radius = Fixed::from_raw((flight.radius.raw() - TOLERANCE).max(0));
        ends.is_some_and(|(from, to)| air.sweep(from, to, radius).is_some())
    }
}

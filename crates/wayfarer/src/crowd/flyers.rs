//! Flyers of a crowd: balls that follow flights in three dimensions.

use wayfarer_engine::PathLeg;
use wayfarer_engine::crowd as core;
use wayfarer_engine::crowd::flight::{Flight, Flyer, Vec3, is_flyer};

use super::{Crowd, CrowdAgent, CrowdAgentId, CrowdError, Joined, limit};
use crate::body::BodyId;
use crate::facade::World;
use crate::path::Path;
use crate::units::Position;

impl Crowd {
    /// Adds an agent that flies; its ball is as wide as its body's disc, around the body's position.
    pub(super) fn add_flyer(
        &mut self,
        world: &World,
        body: BodyId,
        (agent, radius): (CrowdAgent, f64),
    ) -> Result<CrowdAgentId, CrowdError> {
        let engine = world.engine();
        let mut types = engine.agent_types();
        let profile = types.nth(agent.agent_type.index());
        let profile = profile.filter(|one| one.ground.is_none());
        let profile = profile.and_then(|one| one.flight.as_ref());
        let profile = profile.ok_or(CrowdError::DoesNotWalk)?;
        let voxel = self.frame.voxel_size();
        let of_type = profile.radius.to_cells() * voxel;
        if radius > of_type {
            let limit = of_type;
            return Err(CrowdError::TooWide { radius, limit });
        }
        let position = world.body(body)?.position;
        let does_not_fit = CrowdError::DoesNotFit { at: position };
        let (Some(air), Some(at)) = (engine.air(), self.frame.air(position)) else {
            return Err(does_not_fit);
        };
        let turn = agent.turn(self.options.tick_seconds)?;
        let flyer = Flyer {
            radius: radius / voxel,
            max_speed: agent.max_speed / voxel,
            max_acceleration: agent.max_acceleration / voxel,
            turn: (turn.x, turn.y),
            priority: agent.priority,
            layers: agent.layers,
            avoids: agent.avoids,
        };
        let added = self.flock.add(air, flyer, Vec3::from_array(at));
        let id = added.map_err(|error| match error {
            core::CrowdError::DoesNotFit { .. } => does_not_fit,
            error => limit(&error),
        })?;
        self.join(Joined {
            id,
            body,
            agent_type: agent.agent_type,
            order: None,
        });
        Ok(id)
    }

    /// What joins an agent to its body, in the list of its kind.
    pub(super) fn join(&mut self, joined: Joined) {
        let slot = slot_of(joined.id);
        let list = match is_flyer(joined.id) {
            true => &mut self.flyers,
            false => &mut self.members,
        };
        if list.len() <= slot {
            list.resize_with(slot + 1, || None);
        }
        list[slot] = Some(joined);
    }

    /// Where a flyer is.
    pub(super) fn flyer_position(&self, id: CrowdAgentId) -> Option<Position> {
        let at = self.flock.position(id)?;
        Some(self.frame.air_position(at.to_array()))
    }

    /// The vertical speed of an agent in the last tick, in units per second, upward; 0 for those that
    /// walk.
    pub fn vertical_speed(&self, id: CrowdAgentId) -> Option<f64> {
        match is_flyer(id) {
            true => Some(self.flock.velocity(id)?.z * self.frame.voxel_size()),
            false => self.core.velocity(id).map(|_| 0.0),
        }
    }

    /// Sends a flyer along a path; false if the path is no flight.
    pub(super) fn fly(&mut self, path: &Path, id: CrowdAgentId) -> bool {
        let flight = self.flight_of(path);
        flight.is_some_and(|flight| self.flock.set_flight(id, flight).is_ok())
    }

    /// The vertices of a path that is one flight.
    fn flight_of(&self, path: &Path) -> Option<Flight> {
        let [PathLeg::Flight(_)] = &path.engine().legs[..] else {
            return None;
        };
        let vertices = path
            .traversal()
            .iter()
            .map(|at| self.frame.air(at.position));
        let vertices: Option<Vec<_>> = vertices.collect();
        Some(vertices?.into_iter().map(Vec3::from_array).collect())
    }

    /// Moves the flyers by one tick.
    pub(super) fn tick_flyers(&mut self, world: &World) -> Vec<core::CrowdEvent> {
        let Some(air) = world.engine().air() else {
            return Vec::new();
        };
        let now = air.revision();
        if self.air.replace(now).is_some_and(|seen| seen != now) {
            self.flock.invalidate();
        }
        self.flock.tick(air).to_vec()
    }
}

/// The place of an agent in the list of its kind.
pub(super) const fn slot_of(id: CrowdAgentId) -> usize {
    (id.index() & (u32::MAX >> 1)) as usize
}

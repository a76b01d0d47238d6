//! Orders to groups of agents.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use wayfarer::{CrowdAgentId, CrowdError, Formation};

use crate::world::NavWorld;

/// Why a group could not be sent.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavGroupError {
    /// An agent has no [`NavCrowdAgent`](crate::NavCrowdAgent) in this world, or has not joined it yet.
    #[error("{agent} is not in the crowd of this world")]
    NotInCrowd {
        /// The agent.
        agent: Entity,
    },
    /// There is no agent, or the spacing is no positive length.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

impl NavWorld {
    /// Sends agents of the crowd to a place in formation, `spacing` units between neighbors: one path
    /// for all, a slot for each. Where the ground is narrow they walk in a column.
    ///
    /// The agent in the middle leads: events of the path are its own, and each agent reports its
    /// arrival. Agents join a crowd in the tick after they are spawned. A change of an agent's
    /// [`NavTarget`](crate::NavTarget) takes it out of the group.
    ///
    /// # Errors
    /// An agent is not in the crowd, there is none, or the spacing is no positive length.
    pub fn order_group(
        &mut self,
        agents: &[Entity],
        to: Vec3,
        (formation, spacing): (Formation, f32),
    ) -> Result<(), NavGroupError> {
        let members: Result<Vec<CrowdAgentId>, NavGroupError> = agents
            .iter()
            .map(|agent| {
                let member = self.member(*agent).map(|member| member.id);
                member.ok_or(NavGroupError::NotInCrowd { agent: *agent })
            })
            .collect();
        let members = members?;
        let Self { crowd, planner, .. } = self;
        let Some(crowd) = crowd else {
            let reason = "a group without agents".to_owned();
            return Err(CrowdError::Limit { reason }.into());
        };
        let to = wayfarer::Position::from(to);
        crowd.order_group(planner, &members, to, (formation, spacing.into()))?;
        for (agent, id) in agents.iter().zip(members) {
            self.registry.take_request(*agent);
            let request = self.crowd.as_ref().and_then(|crowd| crowd.request(id));
            if let Some(request) = request {
                let record = self.registry.agents.entry(*agent).or_default();
                record.request = Some(request);
                self.registry.entities_of_requests.insert(request, *agent);
            }
        }
        Ok(())
    }
}

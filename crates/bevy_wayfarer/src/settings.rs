//! [`NavSettings`]: the limits of a tick.

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use wayfarer::{Budget, PlannerOptions};

use crate::crowd::NavCrowdSettings;

/// The limits of a tick, the same for every [`NavWorld`](crate::NavWorld). May be changed at any time.
#[derive(Resource, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Resource, Default, Clone, PartialEq, Debug)]
pub struct NavSettings {
    /// Expansions of all searches of a world in one tick, at least 1. A search that needs more goes
    /// on in the next tick.
    pub expansions_per_tick: u64,
    /// Expansions of one request over all ticks, at least 1; beyond them it fails.
    pub expansions_per_request: u64,
    /// Threads that search, at least 1. Results do not depend on it.
    pub threads: usize,
    /// How near to a waypoint an agent has reached it, in units; of paths that are found from now on.
    pub arrival: f32,
    /// How far the entity of a [`NavTarget`](crate::NavTarget) moves before another path is searched,
    /// in units.
    pub retarget_distance: f32,
    /// How agents with a [`NavCrowdAgent`](crate::NavCrowdAgent) move.
    pub crowd: NavCrowdSettings,
}

impl Default for NavSettings {
    /// 20,000 expansions a tick on one thread, arrival within 0.25 units, targets followed each 0.5
    /// units.
    fn default() -> Self {
        Self {
            expansions_per_tick: 20_000,
            expansions_per_request: u64::MAX,
            threads: 1,
            arrival: 0.25,
            retarget_distance: 0.5,
            crowd: NavCrowdSettings::default(),
        }
    }
}

impl NavSettings {
    pub(crate) fn planner(&self) -> PlannerOptions {
        PlannerOptions {
            budget: Budget::expansions(self.expansions_per_tick),
            request_budget: Budget::expansions(self.expansions_per_request.max(1)),
            n_threads: self.threads,
            arrival: self.arrival.into(),
        }
    }
}

//! What one asks: from where to where, for whom, how, and what if it cannot be done.

use wayfarer_base::{Budget, CostMultiplier, Fixed, Point2, RequestError};
use wayfarer_world::obstacles::quadtree::SplitCriterion;
use wayfarer_world::obstacles::{DiscAgent, Influence, ObstacleCategories, ObstacleSet};

/// A request for a path through the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanarRequest {
    /// Where the path begins.
    pub from: Point2,
    /// Where it ends.
    pub to: Point2,
    /// Who walks it.
    pub agent: DiscAgent,
    /// How to search.
    pub method: PlanarMethod,
    /// The most it may cost to find.
    pub budget: Budget,
    /// What to do if something stands on the start.
    pub start_policy: EndpointPolicy,
    /// What to do if something stands on the goal.
    pub goal_policy: EndpointPolicy,
    /// How the tree is cut, where it is used. With an occupancy above 0 a way from space to space
    /// may lead through that many obstacles in each space; one from corner to corner never does.
    pub criterion: SplitCriterion,
    /// What walking through obstacles of these types costs, where they do not block. The search
    /// is then from space to space whatever the method says.
    pub category_costs: Vec<(ObstacleCategories, CostMultiplier)>,
    /// What makes the ground around obstacles costlier: strengths are sixteenths added to the cost multiplier
    /// of uniform ground. The search is then from space to space too.
    pub influences: Vec<Influence>,
}

impl PlanarRequest {
    /// A request for a point that everything stops, without limit.
    pub const fn new(from: Point2, to: Point2) -> Self {
        Self {
            from,
            to,
            agent: DiscAgent::POINT,
            method: PlanarMethod::TangentGraph,
            budget: Budget::UNLIMITED,
            start_policy: EndpointPolicy::Reject,
            goal_policy: EndpointPolicy::Reject,
            criterion: SplitCriterion::GUERRILLA_2013,
            category_costs: Vec::new(),
            influences: Vec::new(),
        }
    }

    /// True if ground may cost more than its length.
    pub(super) fn is_weighted(&self) -> bool {
        !self.category_costs.is_empty() || !self.influences.is_empty()
    }

    /// What ground costs where everything that has a cost multiplier is at once.
    pub(super) fn dearest(&self) -> CostMultiplier {
        let types = self.category_costs.iter();
        let multiplier = types.fold(CostMultiplier::ONE, |sum, (_, multiplier)| {
            sum.stacked_with(*multiplier)
        });
        if self.influences.is_empty() {
            multiplier
        } else {
            // Any number of obstacles may be felt at once.
            CostMultiplier::MAX
        }
    }

    /// True if the straight path from `from` to `to` is free and costs no more than its length.
    pub(super) fn is_uniform(&self, obstacles: &ObstacleSet, from: Point2, to: Point2) -> bool {
        let mut agent = self.agent;
        for (types, _) in &self.category_costs {
            agent.blocked_by |= *types;
        }
        let is_far = |influence: &Influence| {
            let strength = DiscAgent {
                radius: influence.reach,
                blocked_by: influence.types,
            };
            obstacles.is_segment_clear(from, to, strength)
        };
        obstacles.is_segment_clear(from, to, agent) && self.influences.iter().all(is_far)
    }

    /// Looks at the numbers.
    pub(super) fn check(&self) -> Result<(), RequestError> {
        let limits = |what, found: Fixed, least: i32, most: Fixed, expected| {
            if (least..=most.raw()).contains(&found.raw()) {
                return Ok(());
            }
            Err(RequestError::OutOfRange {
                what,
                found: i64::from(found.raw()),
                expected,
            })
        };
        limits(
            "the agent's radius, in 1/256 of a cell,",
            self.agent.radius,
            0,
            DiscAgent::MAX_RADIUS,
            "0 to 262,144 cells",
        )?;
        limits(
            "the smallest space, in 1/256 of a cell,",
            self.criterion.smallest,
            1,
            DiscAgent::MAX_RADIUS,
            "above 0 to 262,144 cells",
        )
    }
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlanarMethod {
    /// From corner to corner of what stands in the way; the tree where that finds nothing.
    #[default]
    TangentGraph,
    /// From space to space of a tree that grows with the search.
    Quadtree,
}

/// What to do if something stands where a path should begin or end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EndpointPolicy {
    /// Refuse the request.
    #[default]
    Reject,
    /// Take the nearest free point: a start leaves the obstacle first, a goal is given up for it.
    NearestFree,
}

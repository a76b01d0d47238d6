//! Planar path requests: ends, agent, method, budget, end-point policies, costs.

use wayfarer_base::{Budget, CostMultiplier, Fixed, Point2, RequestError};
use wayfarer_world::obstacles::quadtree::SplitCriterion;
use wayfarer_world::obstacles::{DiscAgent, Influence, ObstacleCategories, ObstacleSet};

/// A request for a path among obstacles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanarRequest {
    /// Where the path begins.
    pub from: Point2,
    /// Where it ends.
    pub to: Point2,
    /// The agent that follows it.
    pub agent: DiscAgent,
    /// How to search.
    pub method: PlanarMethod,
    /// Limit on expansions and on scratch growth.
    pub budget: Budget,
    /// Policy for a start inside an inflated outline or out of bounds.
    pub start_policy: EndpointPolicy,
    /// Policy for a goal inside an inflated outline or out of bounds.
    pub goal_policy: EndpointPolicy,
    /// How the quadtree splits. With an occupancy above 0, a quadtree path may cross up to that
    /// many obstacles in each quad; a tangent graph path never crosses one.
    pub criterion: SplitCriterion,
    /// Multipliers for crossing obstacles of these categories where they do not block. If not
    /// empty, the quadtree search runs whatever `method` says.
    pub category_costs: Vec<(ObstacleCategories, CostMultiplier)>,
    /// Costs around obstacles: strengths are sixteenths added to a multiplier of 1. If not empty,
    /// the quadtree search runs whatever `method` says.
    pub influences: Vec<Influence>,
}

impl PlanarRequest {
    /// A request for a point agent blocked by every category, with unlimited budget.
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

    /// True if a segment may cost more than its length.
    pub(super) fn is_weighted(&self) -> bool {
        !self.category_costs.is_empty() || !self.influences.is_empty()
    }

    /// True if the quadtree search runs alone.
    pub(super) fn requires_quadtree(&self) -> bool {
        self.method == PlanarMethod::Quadtree || self.is_weighted()
    }

    /// Upper bound on the multiplier anywhere.
    pub(super) fn max_multiplier(&self) -> CostMultiplier {
        let costs = self.category_costs.iter();
        let multiplier = costs.fold(CostMultiplier::ONE, |sum, (_, multiplier)| {
            sum.stacked_with(*multiplier)
        });
        if self.influences.is_empty() {
            multiplier
        } else {
            // Influences of any number of obstacles add up.
            CostMultiplier::MAX
        }
    }

    /// True if the segment from `from` to `to` is free and costs its length.
    pub(super) fn is_uniform(&self, obstacles: &ObstacleSet, from: Point2, to: Point2) -> bool {
        let mut agent = self.agent;
        for (categories, _) in &self.category_costs {
            agent.blocked_by |= *categories;
        }
        let is_far = |influence: &Influence| {
            let influenced = DiscAgent {
                radius: influence.reach,
                blocked_by: influence.categories,
            };
            obstacles.is_segment_clear(from, to, influenced)
        };
        obstacles.is_segment_clear(from, to, agent) && self.influences.iter().all(is_far)
    }

    /// Checks that the agent's radius and the smallest quad are within limits.
    pub(super) fn check(&self) -> Result<(), RequestError> {
        let check_range = |what, found: Fixed, min: i32, max: Fixed, expected| {
            if (min..=max.raw()).contains(&found.raw()) {
                return Ok(());
            }
            Err(RequestError::OutOfRange {
                what,
                found: i64::from(found.raw()),
                expected,
            })
        };
        check_range(
            "the agent's radius, in 1/256 of a cell,",
            self.agent.radius,
            0,
            DiscAgent::MAX_RADIUS,
            "0 to 262,144 cells",
        )?;
        check_range(
            "the smallest quad, in 1/256 of a cell,",
            self.criterion.min_side,
            1,
            DiscAgent::MAX_RADIUS,
            "above 0 to 262,144 cells",
        )
    }
}

/// The search algorithm; neither proves a bound on the path's length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlanarMethod {
    /// Lazy tangent graph over inflated outlines; the quadtree where that finds nothing.
    #[default]
    TangentGraph,
    /// Quadtree split on demand. Finds every gap of at least twice the smallest quad.
    Quadtree,
}

/// What to do with an end that is not free for the agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EndpointPolicy {
    /// Fail with a [`RequestError`].
    #[default]
    Reject,
    /// Use the nearest free point instead. From a start, the first leg leaves the obstacle; for a
    /// goal, the outcome is partial.
    NearestFree,
}

//! What one asks: from where to where, for whom, how, and what if it cannot be done.

use wayfarer_base::{Budget, CostMultiplier, Fixed, Point2, RequestError};
use wayfarer_world::field::tree::SplitCriterion;
use wayfarer_world::field::{DiscAgent, Influence, ObstacleCategories, ObstacleSet};

/// A request for a path through the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldRequest {
    /// Where the path begins.
    pub from: Point2,
    /// Where it ends.
    pub to: Point2,
    /// Who walks it.
    pub agent: DiscAgent,
    /// How to search.
    pub method: FieldMethod,
    /// The most it may cost to find.
    pub budget: Budget,
    /// What to do if something stands on the start.
    pub if_start_blocked: IfBlocked,
    /// What to do if something stands on the goal.
    pub if_goal_blocked: IfBlocked,
    /// How the tree is cut, where it is used. With an occupancy above 0 a way from space to space
    /// may lead through that many entities in each space; one from corner to corner never does.
    pub criterion: SplitCriterion,
    /// What walking through entities of these types costs, where they do not block. The search
    /// is then from space to space whatever the method says.
    pub prices: Vec<(ObstacleCategories, CostMultiplier)>,
    /// What makes the ground around entities dearer: strengths are sixteenths added to the price
    /// of plain ground. The search is then from space to space too.
    pub influences: Vec<Influence>,
}

impl FieldRequest {
    /// A request for a point that everything stops, without limit.
    pub const fn new(from: Point2, to: Point2) -> Self {
        Self {
            from,
            to,
            agent: DiscAgent::POINT,
            method: FieldMethod::Corners,
            budget: Budget::UNLIMITED,
            if_start_blocked: IfBlocked::Refuse,
            if_goal_blocked: IfBlocked::Refuse,
            criterion: SplitCriterion::GUERRILLA_2013,
            prices: Vec::new(),
            influences: Vec::new(),
        }
    }

    /// True if ground may cost more than its length.
    pub(super) fn is_priced(&self) -> bool {
        !self.prices.is_empty() || !self.influences.is_empty()
    }

    /// What ground costs where everything that has a price is at once.
    pub(super) fn dearest(&self) -> CostMultiplier {
        let types = self.prices.iter();
        let price = types.fold(CostMultiplier::ONE, |sum, (_, price)| {
            sum.stacked_with(*price)
        });
        if self.influences.is_empty() {
            price
        } else {
            // Any number of entities may be felt at once.
            CostMultiplier::MAX
        }
    }

    /// True if the straight way from `from` to `to` is free and costs no more than its length.
    pub(super) fn is_plain(&self, field: &ObstacleSet, from: Point2, to: Point2) -> bool {
        let mut agent = self.agent;
        for (types, _) in &self.prices {
            agent.blocked_by |= *types;
        }
        let is_far = |influence: &Influence| {
            let felt = DiscAgent {
                radius: influence.reach,
                blocked_by: influence.types,
            };
            field.is_segment_clear(from, to, felt)
        };
        field.is_segment_clear(from, to, agent) && self.influences.iter().all(is_far)
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
pub enum FieldMethod {
    /// From corner to corner of what stands in the way; the tree where that finds nothing.
    #[default]
    Corners,
    /// From space to space of a tree that grows with the search.
    Tree,
}

/// What to do if something stands where a path should begin or end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IfBlocked {
    /// Refuse the request.
    #[default]
    Refuse,
    /// Take the nearest free point: a start leaves the obstacle first, a goal is given up for it.
    Nearest,
}

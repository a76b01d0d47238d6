//! Planar paths as values: points, cost, agent, revision.

use wayfarer_base::{Cost, Point2, Revision};
use wayfarer_world::obstacles::DiscAgent;

use super::PlanarMethod;

/// A path among obstacles, valid at one revision of the obstacle set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanarPath {
    /// Start, turns, end; each two consecutive points bound a leg.
    pub points: Vec<Point2>,
    /// Cost of following it; an upper bound if the request has category costs or influences.
    /// Below [`Cost::MAX`], 2.9 million cells, for paths that reach their goal.
    pub cost: Cost,
    /// The agent it was found for.
    pub agent: DiscAgent,
    /// The revision of the obstacle set it was found at.
    pub revision: Revision,
    /// Expansions of the search.
    pub expansions: u64,
    /// The method that found it.
    pub method: PlanarMethod,
    /// Legs at its start that leave an obstacle: 0 or 1. They are not collision-free.
    pub n_exit_legs: usize,
}

impl PlanarPath {
    /// The first point.
    pub fn start(&self) -> Option<Point2> {
        self.points.first().copied()
    }

    /// The last point.
    pub fn end(&self) -> Option<Point2> {
        self.points.last().copied()
    }

    /// Its length, as a cost without multipliers.
    pub fn length(&self) -> Cost {
        let legs = self.points.windows(2);
        legs.map(|leg| super::distance(leg[0], leg[1], 1.0)).sum()
    }
}

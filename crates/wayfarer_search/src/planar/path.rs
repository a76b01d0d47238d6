//! A way through the field as a value: its turns, what it costs, when and for whom it was found.

use wayfarer_base::{Cost, Point2, Revision};
use wayfarer_world::obstacles::DiscAgent;

use super::PlanarMethod;

/// A way through the field, as it was at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanarPath {
    /// Where it begins, every turn, where it ends; a leg lies between each two.
    pub points: Vec<Point2>,
    /// What it costs to walk; with cost multipliers, at most. Ways of more than 2.9 million cells all cost
    /// [`Cost::MAX`].
    pub cost: Cost,
    /// Who it was found for.
    pub agent: DiscAgent,
    /// The revision of the field it was found at.
    pub revision: Revision,
    /// Expansions it took to find.
    pub expansions: u64,
    /// What found it.
    pub method: PlanarMethod,
    /// Legs at its beginning that lead out of an obstacle: 0 or 1.
    pub n_leaving: usize,
}

impl PlanarPath {
    /// Where it begins.
    pub fn start(&self) -> Option<Point2> {
        self.points.first().copied()
    }

    /// Where it ends.
    pub fn end(&self) -> Option<Point2> {
        self.points.last().copied()
    }

    /// How long it is, as a cost at cost multiplier 1.
    pub fn length(&self) -> Cost {
        let legs = self.points.windows(2);
        legs.map(|leg| super::distance(leg[0], leg[1], 1.0)).sum()
    }
}

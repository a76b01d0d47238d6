//! Influence maps: obstacles of given categories contribute a strength that falls linearly from
//! their border to zero at `reach`; contributions add up.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a part of a strength that fits 32 bits"
)]

use wayfarer_base::{Fixed, Point2};

use super::quadtree::{ObstacleQuadtree, QuadId, QuadState};
use super::{ObstacleCategories, ObstacleSet};

/// The influence of obstacles of some categories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Influence {
    /// The contributing categories.
    pub categories: ObstacleCategories,
    /// The strength of each obstacle within its shape, at most 1,048,576. As a cost, in sixteenths
    /// of the base cost multiplier.
    pub strength: u32,
    /// The distance from its border at which it falls to zero.
    pub reach: Fixed,
}

impl Influence {
    /// Maximum strength.
    pub const MAX_STRENGTH: u32 = 1 << 20;
}

impl ObstacleSet {
    /// The influence at a point: the sum over all obstacles of its categories, each rounded down;
    /// saturates.
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::obstacles::{Obstacle, ObstacleSet, Influence, ObstacleCategories};
    /// let mut obstacles = ObstacleSet::square(100)?;
    /// obstacles.edit().insert(&Obstacle::cells(40, 40, 10, 10, ObstacleCategories::ALL)?)?;
    /// let threat = Influence {
    ///     categories: ObstacleCategories::ALL,
    ///     strength: 100,
    ///     reach: Fixed::from_cell(20).unwrap(),
    /// };
    /// let at = |x| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(45).unwrap());
    /// let strengths = [45, 50, 55, 60, 70].map(|x| obstacles.influence_at(at(x), threat));
    /// assert_eq!(strengths, [100, 100, 75, 50, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn influence_at(&self, at: Point2, influence: Influence) -> u32 {
        let reach = influence.reach.raw().max(0);
        let at = [at.x.raw(), at.y.raw()];
        let low = at.map(|at| at.saturating_sub(reach).max(i32::MIN / 2));
        let high = at.map(|at| at.saturating_add(reach).min(i32::MAX / 2));
        let max_strength = u64::from(influence.strength.min(Influence::MAX_STRENGTH));
        let mut strength = 0_u32;
        self.for_each_overlapping(low, high, influence.categories.bits(), |body| {
            let (distance_squared, radius) = if body.is_disc {
                let distance_squared = super::obstacle::squared_distance(body.center(), at);
                (distance_squared, i64::from(body.disc_radius()))
            } else {
                (body.squared_distance_to(at), 0)
            };
            let root = distance_squared.isqrt().cast_signed();
            let distance = (root - radius).max(0).cast_unsigned();
            let reach_raw = u64::from(reach.unsigned_abs());
            let contribution = if distance == 0 {
                max_strength
            } else {
                max_strength * reach_raw.saturating_sub(distance) / reach_raw.max(1)
            };
            strength = strength.saturating_add(contribution as u32);
        });
        strength
    }
}

/// The influence per quad of a quadtree.
#[derive(Clone, Debug, Default)]
pub struct InfluenceMap {
    n_influences: usize,
    /// By quad, then by influence.
    influence: Vec<u32>,
}

impl InfluenceMap {
    /// Computes each of `influences` at the center of every free or blocked quad of `quadtree`, as
    /// far as it has grown. Allocates only to grow the map.
    pub fn compute(
        &mut self,
        obstacles: &ObstacleSet,
        tree: &ObstacleQuadtree,
        influences: &[Influence],
    ) {
        self.n_influences = influences.len();
        self.influence.clear();
        for id in tree.quads() {
            let is_leaf = matches!(tree.state(id), QuadState::Free | QuadState::Blocked);
            let center = tree.center(id);
            self.influence.extend(influences.iter().map(|influence| {
                if is_leaf {
                    obstacles.influence_at(center, *influence)
                } else {
                    0
                }
            }));
        }
    }

    /// The strengths in a quad, one per influence; zeros for a split or unvisited quad, empty for
    /// one created since.
    pub fn in_quad(&self, id: QuadId) -> &[u32] {
        let begin = id.index() * self.n_influences;
        self.influence
            .get(begin..begin + self.n_influences)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;

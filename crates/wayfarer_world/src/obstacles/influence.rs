//! How strongly who stands where is felt around it: a guard's threat, a camp's comfort.
//!
//! Each obstacle of the types asked for is felt in full where it stands and less and less away from
//! it, down to nothing at its reach; what several add is added up.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a share of a strength that fits 32 bits"
)]

use wayfarer_base::{Fixed, Point2, math};

use super::quadtree::{ObstacleQuadtree, QuadId, QuadState};
use super::{ObstacleCategories, ObstacleSet};

/// How obstacles of some types are felt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Influence {
    /// Of which types.
    pub types: ObstacleCategories,
    /// How strongly each is felt where it stands, at most 1,048,576. Where influence makes ground
    /// costlier this is in sixteenths of the cost multiplier of uniform ground.
    pub strength: u32,
    /// How far from its edge nothing is left of it; in between it falls evenly.
    pub reach: Fixed,
}

impl Influence {
    /// The strongest that an obstacle can be felt.
    pub const MAX_STRENGTH: u32 = 1 << 20;
}

impl ObstacleSet {
    /// How strongly `influence` is felt at a point: all obstacles of its types added up, each
    /// rounded down; saturates.
    ///
    /// ```
    /// use wayfarer_base::{Fixed, Point2};
    /// use wayfarer_world::obstacles::{Obstacle, ObstacleSet, Influence, ObstacleCategories};
    /// let mut obstacles = ObstacleSet::square(100)?;
    /// obstacles.edit().insert(&Obstacle::cells(40, 40, 10, 10, ObstacleCategories::ALL)?)?;
    /// let threat = Influence {
    ///     types: ObstacleCategories::ALL,
    ///     strength: 100,
    ///     reach: Fixed::from_cell(20).unwrap(),
    /// };
    /// let at = |x| Point2::new(Fixed::from_cell(x).unwrap(), Fixed::from_cell(45).unwrap());
    /// let felt = [45, 50, 55, 60, 70].map(|x| obstacles.influence_at(at(x), threat));
    /// assert_eq!(felt, [100, 100, 75, 50, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn influence_at(&self, at: Point2, influence: Influence) -> u32 {
        let reach = influence.reach.raw().max(0);
        let at = [at.x.raw(), at.y.raw()];
        let low = at.map(|at| at.saturating_sub(reach).max(i32::MIN / 2));
        let high = at.map(|at| at.saturating_add(reach).min(i32::MAX / 2));
        let full = u64::from(influence.strength.min(Influence::MAX_STRENGTH));
        let mut strength = 0_u32;
        self.each_near(low, high, influence.types.bits(), |body| {
            let (square, less) = if body.is_disc {
                let square = super::obstacle::square_between(body.center(), at);
                (square, i64::from(body.disc_radius()))
            } else {
                (body.square_of_distance(at), 0)
            };
            let root = math::isqrt(square).cast_signed();
            let away = (root - less).max(0).cast_unsigned();
            let whole = u64::from(reach.unsigned_abs());
            let share = if away == 0 {
                full
            } else {
                full * whole.saturating_sub(away) / whole.max(1)
            };
            strength = strength.saturating_add(share as u32);
        });
        strength
    }
}

/// What is felt in each space of a tree.
#[derive(Clone, Debug, Default)]
pub struct InfluenceMap {
    n_influences: usize,
    /// Space by space, influence by influence.
    influence: Vec<u32>,
}

impl InfluenceMap {
    /// Finds out how strongly each of `influences` is felt in the middle of every free or blocked
    /// space of `quadtree`, as far as that has grown. Allocates only if the map must grow.
    pub fn spread(
        &mut self,
        obstacles: &ObstacleSet,
        tree: &ObstacleQuadtree,
        influences: &[Influence],
    ) {
        self.n_influences = influences.len();
        self.influence.clear();
        for id in tree.spaces() {
            let is_leaf = matches!(tree.state(id), QuadState::Free | QuadState::Blocked);
            let center = tree.middle(id);
            self.influence.extend(influences.iter().map(|influence| {
                if is_leaf {
                    obstacles.influence_at(center, *influence)
                } else {
                    0
                }
            }));
        }
    }

    /// What is felt in a space, one number for each influence that was spread; nothing for a
    /// space that was cut, not looked at, or made since.
    pub fn of(&self, id: QuadId) -> &[u32] {
        let begin = id.index() * self.n_influences;
        self.influence
            .get(begin..begin + self.n_influences)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;

//! What an agent is: how wide and tall, what it can climb, where it may walk and at what cost multiplier.
//!
//! The rules of walking, the same in every part of wayfarer:
//! * A floor counts for an agent if it may walk on the terrain and the next floor above, of
//!   whatever terrain, is at least `height` steps up. Other floors are looked through.
//! * A straight step leads to the floor of the next column that is nearest in height, no more
//!   than `max_step` above and `max_drop` below; of two equally near, the lower. A thin wall on the edge
//!   forbids it.
//! * A diagonal step is allowed if both ways around the corner, each of two straight steps, lead
//!   to the same cell. On flat ground that is the benchmarks' rule: both cardinals open.
//! * A step costs its length times the mean cost multiplier of the two cells.
//! * An agent may stand in the middle of a cell if its open disc touches no square that it cannot
//!   walk on; a radius up to half a cell changes nothing.

use crate::{CostMultiplier, Fixed, Terrain};

/// What an agent is; any profile can be asked of any world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// Radius of the body, up to 8 cells. Up to half a cell it fits every way.
    pub radius: Fixed,
    /// Headroom needed above a floor, in steps; a lower ceiling blocks the cell. At least 1.
    pub height: i32,
    /// Highest step up, in steps, 0 to 255.
    pub max_step: i32,
    /// Deepest step down, in steps, 0 to 255; more than `max_step` makes one-way drops.
    pub max_drop: i32,
    /// The keys it carries: opens a locked nav link if it has all the lock's bits.
    pub keys: u32,
    /// What it may walk on: a bit for each [`Terrain`].
    pub allowed_terrains: u64,
    /// Cost multipliers of terrains that are not 1, in the order of terrains, each at most once.
    pub terrain_costs: Vec<(Terrain, CostMultiplier)>,
}

impl Profile {
    /// The walker of the benchmarks: half a cell wide, ground and swamp alike, one step up or down.
    pub const DEFAULT: Self = Self {
        radius: Fixed::from_raw(128),
        height: 2,
        max_step: 1,
        max_drop: 1,
        keys: 0,
        allowed_terrains: Terrain::GROUND.bit() | Terrain::SWAMP.bit(),
        terrain_costs: Vec::new(),
    };

    /// True if it may walk on `terrain`.
    #[inline]
    pub const fn may_walk(&self, terrain: Terrain) -> bool {
        self.allowed_terrains & terrain.bit() != 0
    }

    /// What `terrain` costs it.
    pub fn terrain_cost(&self, terrain: Terrain) -> CostMultiplier {
        self.terrain_costs
            .iter()
            .find(|(of, _)| *of == terrain)
            .map_or(CostMultiplier::ONE, |(_, multiplier)| *multiplier)
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::DEFAULT
    }
}

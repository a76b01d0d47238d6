//! The profile of a ground agent: size, step limits, allowed terrains and their costs.
//!
//! The movement rules of the ground, the same in every module:
//! * A floor is walkable if its terrain is allowed and the next floor above, of any terrain, is at
//!   least `height` steps higher. Other floors are ignored.
//! * A straight step leads to the walkable floor of the adjacent column nearest in height, at most
//!   `max_step` above and `max_drop` below; ties go to the lower floor. A thin wall blocks it.
//! * A diagonal step is legal if both L-shaped detours of two straight steps are legal and end on
//!   the same cell. On flat ground that is the corner rule of the benchmarks (ADR 4).
//! * A step costs its length times the mean multiplier of its two cells.
//! * An agent fits at the center of a cell if its open disc overlaps no column without a walkable
//!   floor and no thin wall; a radius of up to half a cell always fits.
//! * A step needs the disc swept along it to overlap none of them either. So a body three cells wide
//!   (radius 1.5) does not pass a door of one cell in a thin wall, and stands no nearer to the wall
//!   than its radius:
//!
//! ```text
//!   . . . . . . .          . . . . . . .
//!   . . . . . . .          . . . o . . .     o  the body's center may be here
//!   . . . . . . .          . . . o . . .
//!   ______ ______          _____   _____     thin walls, with doors of one and of three cells
//!   . . . . . . .          . . . o . . .
//!   . . . . . . .          . . . o . . .
//! ```

use crate::{CostMultiplier, Fixed, Terrain};

/// Size, step limits and terrain costs of a ground agent; every world accepts every profile.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Profile {
    /// Radius, up to 8 cells. Up to half a cell it restricts nothing.
    pub radius: Fixed,
    /// Required headroom above a floor, in steps. At least 1.
    pub height: i32,
    /// Largest step up, in steps, 0 to 255.
    pub max_step: i32,
    /// Largest step down, in steps, 0 to 255; above `max_step` it yields one-way drops.
    pub max_drop: i32,
    /// Key bits; the agent passes a locked nav link if it has all bits of the lock.
    pub keys: u32,
    /// Terrains the agent may walk on: one [`Terrain::bit`] each.
    pub allowed_terrains: u64,
    /// Terrain multipliers other than 1, sorted by terrain, without duplicates; in another form it is
    /// [normalized](Profile::normalized) where the profile is registered.
    pub terrain_costs: Vec<(Terrain, CostMultiplier)>,
}

impl Profile {
    /// The agent of the benchmarks: radius half a cell, ground and swamp at multiplier 1, one step
    /// up or down.
    pub const DEFAULT: Self = Self {
        radius: Fixed::from_raw(128),
        height: 2,
        max_step: 1,
        max_drop: 1,
        keys: 0,
        allowed_terrains: Terrain::GROUND.bit() | Terrain::SWAMP.bit(),
        terrain_costs: Vec::new(),
    };

    /// True if the agent may walk on `terrain`.
    #[inline]
    pub const fn allows_terrain(&self, terrain: Terrain) -> bool {
        self.allowed_terrains & terrain.bit() != 0
    }

    /// The profile with its terrain costs as documented: sorted, each terrain once, none of
    /// multiplier 1. Of several entries for a terrain the first counts, as in
    /// [`Profile::terrain_cost`]. Worlds register profiles in this form, so profiles that behave
    /// alike are equal there.
    ///
    /// ```
    /// use wayfarer_base::{CostMultiplier, Profile, Terrain};
    ///
    /// let double = CostMultiplier::from_sixteenths(32).unwrap();
    /// let terrain_costs = vec![(Terrain::WATER, double), (Terrain::SWAMP, double), (Terrain::WATER, CostMultiplier::ONE)];
    /// let profile = Profile { terrain_costs, ..Profile::DEFAULT }.normalized();
    /// assert_eq!(profile.terrain_costs, [(Terrain::SWAMP, double), (Terrain::WATER, double)]);
    /// ```
    #[must_use]
    pub fn normalized(mut self) -> Self {
        // Stable: the first of several entries stays first.
        self.terrain_costs.sort_by_key(|(terrain, _)| *terrain);
        self.terrain_costs.dedup_by_key(|(terrain, _)| *terrain);
        self.terrain_costs
            .retain(|(_, multiplier)| *multiplier != CostMultiplier::ONE);
        self
    }

    /// The multiplier of `terrain`, 1 unless listed.
    pub fn terrain_cost(&self, terrain: Terrain) -> CostMultiplier {
        self.terrain_costs
            .iter()
            .find(|(listed, _)| *listed == terrain)
            .map_or(CostMultiplier::ONE, |(_, multiplier)| *multiplier)
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::DEFAULT
    }
}

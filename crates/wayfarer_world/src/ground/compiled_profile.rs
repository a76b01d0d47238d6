//! A profile as bit masks and tables, for repair and successor generation.

use wayfarer_base::{CostMultiplier, Profile, Terrain};

/// A profile in a form that answers in a few instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CompiledProfile {
    pub(crate) allowed_terrains: u64,
    pub(crate) height: i64,
    pub(crate) max_step: i64,
    pub(crate) max_drop: i64,
    pub(crate) keys: u32,
    /// Cost multiplier of each terrain in sixteenths.
    pub(crate) terrain_costs: [u16; Terrain::COUNT as usize],
    /// Terrains with a multiplier above 1, as a bit mask.
    pub(crate) costly_terrains: u64,
}

impl CompiledProfile {
    pub(crate) fn new(profile: &Profile) -> Self {
        let mut multipliers = [16; Terrain::COUNT as usize];
        let mut costly = 0;
        // Of a terrain listed twice the first entry counts, as in `Profile::terrain_cost`.
        for (terrain, multiplier) in profile.terrain_costs.iter().rev() {
            multipliers[usize::from(terrain.number())] = multiplier.sixteenths();
        }
        for number in 0..Terrain::COUNT {
            costly |= u64::from(multipliers[usize::from(number)] > 16) << number;
        }
        Self {
            allowed_terrains: profile.allowed_terrains,
            height: i64::from(profile.height),
            max_step: i64::from(profile.max_step),
            max_drop: i64::from(profile.max_drop),
            keys: profile.keys,
            terrain_costs: multipliers,
            costly_terrains: costly,
        }
    }

    #[inline]
    pub(crate) fn allows_terrain(&self, terrain: Terrain) -> bool {
        self.allowed_terrains & terrain.bit() != 0
    }

    /// True if an agent fits on a floor at `z` below the next floor of the column at `above`.
    #[inline]
    pub(crate) fn has_headroom(&self, z: i32, above: Option<i32>) -> bool {
        above.is_none_or(|above| i64::from(above) - i64::from(z) >= self.height)
    }

    /// True if a step from height `from` to height `to` is within step and drop limits.
    #[inline]
    pub(crate) fn can_step(&self, from: i32, to: i32) -> bool {
        let rise = i64::from(to) - i64::from(from);
        -self.max_drop <= rise && rise <= self.max_step
    }

    /// The multiplier of a cell: that of its terrain plus `modifiers`, in sixteenths.
    #[inline]
    pub(crate) fn cost_multiplier(&self, terrain: Terrain, modifiers: u32) -> CostMultiplier {
        let sum =
            u32::from(self.terrain_costs[usize::from(terrain.number())]).saturating_add(modifiers);
        CostMultiplier::from_sixteenths(u16::try_from(sum).unwrap_or(u16::MAX))
            .unwrap_or(CostMultiplier::ONE)
    }
}

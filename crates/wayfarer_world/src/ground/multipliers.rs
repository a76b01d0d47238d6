//! Which cost multipliers are in use.

use wayfarer_base::CostMultiplier;

use super::Ground;
use super::bitboard;
use super::compiled_profile::CompiledProfile;
use super::profile_ground::ProfileId;
use super::sheet::{self, Sheet};

impl Ground {
    /// The cost multiplier of all floors whose terrain the profile may walk on, `None` for the
    /// default profile, if they have only one; 1 without such floors. O(sheets) on ground of base
    /// cost, O(cells) at worst.
    ///
    /// ```
    /// use wayfarer_base::{Cell, CostMultiplier, GroundEdit, Raster, Terrain};
    /// use wayfarer_world::ground::Ground;
    ///
    /// let ground = Ground::from_raster(&Raster::from_bytes(2, 1, vec![0, 0]).unwrap());
    /// assert_eq!(ground.only_cost_multiplier(None), Some(CostMultiplier::ONE));
    /// ```
    pub fn only_cost_multiplier(&self, profile_id: Option<ProfileId>) -> Option<CostMultiplier> {
        let registered = match profile_id {
            None => None,
            Some(id) => Some(CompiledProfile::new(self.profile_ground(id)?.profile())),
        };
        let compiled = registered.as_ref().unwrap_or(&self.compiled);
        let mut only = None;
        for sheet in self.pages.iter().flatten().flat_map(|page| &page.sheets) {
            let is_base = profile_id.is_none() && sheet.flags & sheet::WEIGHTED_HERE == 0;
            let mut is_same = |multiplier| *only.get_or_insert(multiplier) == multiplier;
            let is_uniform = if is_base {
                bitboard::count(&sheet.walkable.board()) == 0 || is_same(CostMultiplier::ONE)
            } else {
                for_all_multipliers(sheet, compiled, is_same)
            };
            if !is_uniform {
                return None;
            }
        }
        Some(only.unwrap_or(CostMultiplier::ONE))
    }
}

/// True if `holds` for the multipliers of all floors of a sheet with an allowed terrain.
fn for_all_multipliers(
    sheet: &Sheet,
    profile: &CompiledProfile,
    mut holds: impl FnMut(CostMultiplier) -> bool,
) -> bool {
    let details = sheet.details.as_deref();
    let is_plain =
        details.is_none_or(|details| details.terrains.is_none() && details.modifiers.is_none());
    if is_plain {
        return !profile.allows_terrain(sheet.terrain)
            || holds(profile.cost_multiplier(sheet.terrain, 0));
    }
    bitboard::cells(&sheet.present()).all(|local| {
        let terrain = sheet.terrain_of(local);
        !profile.allows_terrain(terrain)
            || holds(profile.cost_multiplier(terrain, sheet.modifier(local)))
    })
}

#[cfg(test)]
mod tests;

//! Serializable state of a ground: primary state and registered profiles; derived state is rebuilt.

use wayfarer_base::{
    CostModifier, CostModifierId, GroundEdit, GroundSolid, Profile, Revision, SolidId, WorldData,
};

use super::{BuildError, Ground};

/// The state that a snapshot stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundRecord {
    /// Floors, nav links, walls and the default profile; no voxels.
    pub data: WorldData,
    /// The cost modifiers, sorted by id.
    pub modifiers: Vec<(CostModifierId, CostModifier)>,
    /// The solids, sorted by id; the floors of `data` are those of the terrain under them.
    pub solids: Vec<(SolidId, GroundSolid)>,
    /// Slot by slot: the registration number of a profile and the profile; `None` if unregistered.
    pub profiles: Vec<Option<(u32, Profile)>>,
    /// Profiles registered so far, unregistered ones included.
    pub n_registered: u32,
    /// The number of batches applied.
    pub revision: Revision,
}

impl Ground {
    /// The state to store.
    pub fn record(&self) -> GroundRecord {
        let profiles = self.profiles.iter().map(|registered| {
            let registered = registered.as_ref()?;
            Some((registered.id.number, registered.profile.clone()))
        });
        GroundRecord {
            data: self.to_data(),
            modifiers: self.cost_modifiers().cloned().collect(),
            solids: self.solids().map(|(id, one)| (id, one.clone())).collect(),
            profiles: profiles.collect(),
            n_registered: self.n_registered,
            revision: self.revision,
        }
    }

    /// Rebuilds the ground of a record.
    ///
    /// # Errors
    /// Invalid world data, cost modifiers, solids or profiles.
    pub fn from_record(record: &GroundRecord) -> Result<Self, BuildError> {
        let mut ground = Self::from_data(&record.data)?;
        let put = |(name, modifier): &(CostModifierId, CostModifier)| GroundEdit::PutCostModifier {
            id: *name,
            modifier: modifier.clone(),
        };
        let solids = record
            .solids
            .iter()
            .map(|(id, solid)| GroundEdit::PutSolid {
                id: *id,
                solid: solid.clone(),
            });
        let edits: Vec<GroundEdit> = record.modifiers.iter().map(put).chain(solids).collect();
        ground.apply(&edits)?;
        for (slot, profile_data) in record.profiles.iter().enumerate() {
            let Some((number, profile)) = profile_data else {
                ground.profiles.push(None);
                continue;
            };
            // Registration reuses free slots; here they stay free.
            ground.profiles.truncate(slot);
            ground.restore_profile(*number, profile.clone())?;
        }
        ground.n_registered = record.n_registered;
        ground.revision = record.revision;
        Ok(ground)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::{Cell, CostMultiplier, Fixed, Point2, Rng, Shape, Terrain};

    #[test]
    fn a_recorded_ground_keeps_modifiers_profiles_and_revision() {
        let mut rng = Rng::new(4);
        let mut ground = Ground::new(Profile::DEFAULT).unwrap();
        let mut floors: Vec<Cell> = (0..900).map(|n| Cell::flat(n % 30 - 20, n / 30)).collect();
        floors.extend((0..300).map(|_| {
            let mut below = |most: u32| i32::try_from(rng.below(most)).unwrap();
            Cell::new(below(40) - 20, below(40), 6 + below(3))
        }));
        let terrain = Terrain::GROUND;
        let put = |cell| GroundEdit::PutCell { cell, terrain };
        let floors: Vec<GroundEdit> = floors.into_iter().map(put).collect();
        ground.apply(&floors).unwrap();
        let shape = Shape::Circle {
            center: Point2::from_raw(0, 2_000),
            radius: Fixed::from_raw(1_500),
        };
        let modifier = CostModifier {
            shape,
            heights: (0, 1),
            multiplier: CostMultiplier::from_sixteenths(40).unwrap(),
        };
        let name = CostModifierId(77);
        ground
            .apply(&[GroundEdit::PutCostModifier { id: name, modifier }])
            .unwrap();
        let wide = Profile {
            radius: Fixed::from_raw(300),
            ..Profile::DEFAULT
        };
        let gone = ground.register_profile(wide.clone()).unwrap();
        let kept = ground.register_profile(wide).unwrap();
        ground.unregister_profile(gone);

        let again = Ground::from_record(&ground.record()).unwrap();
        assert_eq!(again.record(), ground.record());
        assert_eq!(again.canonical(), ground.canonical());
        assert_eq!(again.revision(), ground.revision());
        assert!(again.profile_ground(gone).is_none());
        let walkable = |ground: &Ground| -> Vec<Cell> {
            let profile_ground = ground.profile_ground(kept).unwrap();
            let mut cells: Vec<Cell> = profile_ground
                .nodes()
                .map(|node| ground.cell(node))
                .collect();
            cells.sort_unstable();
            cells
        };
        assert_eq!(walkable(&again), walkable(&ground));
        assert!(!walkable(&ground).is_empty());
    }
}

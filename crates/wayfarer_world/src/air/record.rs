//! Saving and loading: the primary state of an air as plain data.

use wayfarer_base::{CostMultiplier, Revision, Voxel};

use super::edit::AirEdit;
use super::geometries::GeometryId;
use super::geometry::Geometry;
use super::volume::{Volume, VolumeId};
use super::{Air, AirBuilder, AirError};

/// The primary state of an [`Air`]; everything else is derived from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AirRecord {
    /// The lowest voxel inside the bounds.
    pub low: Voxel,
    /// Voxels along each axis.
    pub size: [u32; 3],
    /// The number of batches of edits applied.
    pub revision: Revision,
    /// The cost multiplier outside all volumes.
    pub default_multiplier: CostMultiplier,
    /// The base without geometries: cubes of side `4 << layer` in Morton order, each with its
    /// layer, low corner and solid voxels (all 64 bits above layer 0).
    pub cubes: Vec<(u8, Voxel, u64)>,
    /// The geometries, by ascending id.
    pub geometries: Vec<(GeometryId, Geometry)>,
    /// The volumes, by ascending id.
    pub volumes: Vec<(VolumeId, Volume)>,
}

impl Air {
    /// The primary state.
    pub fn record(&self) -> AirRecord {
        let base = self.base.as_deref().unwrap_or(&self.tree);
        let cubes = base.cubes().into_iter();
        let geometries = self.geometries.sorted().into_iter();
        AirRecord {
            low: self.low,
            size: self.size,
            revision: self.revision,
            default_multiplier: self.default_multiplier(),
            cubes: cubes
                .map(|(layer, low, voxels)| (layer, self.to_world(low), voxels))
                .collect(),
            geometries: geometries
                .map(|placed| (placed.id, placed.geometry.clone()))
                .collect(),
            volumes: self.volumes().map(|(id, volume)| (id, *volume)).collect(),
        }
    }

    /// Builds an air from a record.
    ///
    /// # Errors
    /// As [`AirBuilder::build`] and [`Air::apply`], if the record is invalid.
    pub fn from_record(record: &AirRecord) -> Result<Self, AirError> {
        let mut builder = AirBuilder::new(record.low, record.size)?;
        for &(layer, low, voxels) in &record.cubes {
            builder.add_cube(layer, low, voxels)?;
        }
        for (id, geometry) in &record.geometries {
            builder.add_geometry(*id, geometry.clone())?;
        }
        let mut air = builder.build()?;
        let put = |&(id, volume): &(VolumeId, Volume)| AirEdit::PutVolume { id, volume };
        let volumes: Vec<AirEdit> = record.volumes.iter().map(put).collect();
        air.apply(&volumes)?;
        air.set_default_multiplier(record.default_multiplier);
        air.revision = record.revision;
        Ok(air)
    }
}

impl AirBuilder {
    /// Adds a cube of side `4 << layer`: bit by bit at layer 0, all solid above.
    fn add_cube(&mut self, layer: u8, low: Voxel, voxels: u64) -> Result<(), AirError> {
        let side = 1_i32.checked_shl(u32::from(layer) + 2).unwrap_or(i32::MAX);
        let high = |at: i32| at.saturating_add(side - 1);
        if layer > 0 {
            return self.add_box(low, Voxel::new(high(low.x), high(low.y), high(low.z)));
        }
        let mut remaining = voxels;
        while remaining != 0 {
            let [x, y, z] = super::bits::coords(remaining.trailing_zeros());
            let at = Voxel::new(
                low.x.saturating_add_unsigned(x),
                low.y.saturating_add_unsigned(y),
                low.z.saturating_add_unsigned(z),
            );
            self.add_voxel(at)?;
            remaining &= remaining - 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::Spans;
    use wayfarer_base::{Fixed, Point3, Rng};

    #[test]
    fn a_restored_record_equals_the_saved_air_with_geometries_and_volumes() {
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut at = |limit: u32| -> i32 { rng.below(limit).cast_signed() };
            let corner = Voxel::new(-9, 4, -30);
            let mut air = AirBuilder::new(corner, [70, 61, 45])
                .unwrap()
                .build()
                .unwrap();
            for round in 0..20_u64 {
                let low = Voxel::new(at(90) - 20, at(80) - 8, at(60) - 40);
                let high = Voxel::new(low.x + at(14), low.y + at(14), low.z + at(14));
                let center = Fixed::from_raw(at(9_000));
                let edit = match at(6) {
                    0 | 1 => AirEdit::Fill { low, high },
                    2 => AirEdit::Clear { low, high },
                    3 => AirEdit::PutVolume {
                        id: VolumeId(round % 3),
                        volume: Volume {
                            low,
                            high,
                            rule: super::super::VolumeRule::Closed,
                        },
                    },
                    4 => AirEdit::Put {
                        id: GeometryId(round % 5),
                        geometry: Geometry::Ball {
                            center: Point3 {
                                x: center,
                                y: center,
                                z: Fixed::from_raw(-2_000),
                            },
                            radius: Fixed::from_raw(at(2_000) + 1),
                        },
                    },
                    _ => AirEdit::Put {
                        id: GeometryId(round % 5),
                        geometry: Geometry::Mesh {
                            spans: Spans::from_boxes(&[(low, high)]).into(),
                            shift: Voxel::new(at(9), 0, 1),
                        },
                    },
                };
                // Boxes wholly outside the bounds are rejected, which leaves the air unchanged.
                air.apply(&[edit]).ok();
            }
            let restored = Air::from_record(&air.record()).unwrap();
            assert_eq!(restored.digest(), air.digest(), "seed {seed}");
            assert_eq!(restored.record(), air.record(), "seed {seed}");
        }
    }
}

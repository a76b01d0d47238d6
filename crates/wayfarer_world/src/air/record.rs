//! The air as it is saved, and back.

use wayfarer_base::{CostMultiplier, Revision, Voxel};

use super::edit::AirEdit;
use super::geometries::GeometryId;
use super::geometry::Geometry;
use super::volume::{Volume, VolumeId};
use super::{Air, AirBuilder, AirError};

/// Everything about an air that does not follow from something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AirRecord {
    /// The lowest voxel inside the bounds.
    pub low: Voxel,
    /// Voxels along each axis.
    pub size: [u32; 3],
    /// How many batches of edits there were.
    pub revision: Revision,
    /// What flying costs outside all priced volumes.
    pub default_multiplier: CostMultiplier,
    /// What is solid without named things: cubes of side 4 x 2^layer in Morton order, each by its
    /// layer, low corner and solid voxels (all 64 bits for a cube above layer 0).
    pub cubes: Vec<(u8, Voxel, u64)>,
    /// The named things, in the order of their names.
    pub geometries: Vec<(GeometryId, Geometry)>,
    /// The volumes, in the order of their names.
    pub volumes: Vec<(VolumeId, Volume)>,
}

impl Air {
    /// Everything that must be saved.
    pub fn record(&self) -> AirRecord {
        let base = self.base.as_deref().unwrap_or(&self.tree);
        let cubes = base.cubes().into_iter();
        let things = self.bodies.sorted().into_iter();
        AirRecord {
            low: self.low,
            size: self.size,
            revision: self.revision,
            default_multiplier: self.default_multiplier(),
            cubes: cubes
                .map(|(layer, low, voxels)| (layer, self.to_world(low), voxels))
                .collect(),
            geometries: things
                .map(|thing| (thing.name, thing.geometry.clone()))
                .collect(),
            volumes: self
                .volumes()
                .map(|(name, volume)| (name, *volume))
                .collect(),
        }
    }

    /// The air of a record.
    ///
    /// # Errors
    /// What in the record cannot be.
    pub fn from_record(record: &AirRecord) -> Result<Self, AirError> {
        let mut builder = AirBuilder::new(record.low, record.size)?;
        for &(layer, low, voxels) in &record.cubes {
            builder.cube(layer, low, voxels)?;
        }
        for (name, geometry) in &record.geometries {
            builder.geometry(*name, geometry.clone())?;
        }
        let mut air = builder.build()?;
        let put = |&(name, volume): &(VolumeId, Volume)| AirEdit::PutVolume { name, volume };
        let volumes: Vec<AirEdit> = record.volumes.iter().map(put).collect();
        air.apply(&volumes)?;
        air.set_default_multiplier(record.default_multiplier);
        air.revision = record.revision;
        Ok(air)
    }
}

impl AirBuilder {
    /// The solid voxels of a cube of side 4 x 2^`layer`: `voxels` bit by bit at layer 0, all above.
    fn cube(&mut self, layer: u8, low: Voxel, voxels: u64) -> Result<(), AirError> {
        let side = 1_i32.checked_shl(u32::from(layer) + 2).unwrap_or(i32::MAX);
        let high = |at: i32| at.saturating_add(side - 1);
        if layer > 0 {
            return self.add_box(low, Voxel::new(high(low.x), high(low.y), high(low.z)));
        }
        let mut left = voxels;
        while left != 0 {
            let [x, y, z] = super::bits::place(left.trailing_zeros());
            let at = Voxel::new(
                low.x.saturating_add_unsigned(x),
                low.y.saturating_add_unsigned(y),
                low.z.saturating_add_unsigned(z),
            );
            self.add_voxel(at)?;
            left &= left - 1;
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
    fn saved_air_comes_back_the_same_with_things_and_volumes() {
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
                        name: VolumeId(round % 3),
                        volume: Volume {
                            low,
                            high,
                            rule: super::super::VolumeRule::Closed,
                        },
                    },
                    4 => AirEdit::Put {
                        name: GeometryId(round % 5),
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
                        name: GeometryId(round % 5),
                        geometry: Geometry::Mesh {
                            spans: Spans::from_boxes(&[(low, high)]).into(),
                            shift: Voxel::new(at(9), 0, 1),
                        },
                    },
                };
                // Boxes that lie wholly outside are refused; that is as good as none.
                air.apply(&[edit]).ok();
            }
            let again = Air::from_record(&air.record()).unwrap();
            assert_eq!(again.digest(), air.digest(), "seed {seed}");
            assert_eq!(again.record(), air.record(), "seed {seed}");
        }
    }
}

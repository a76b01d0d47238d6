//! Encoding of the air: bounds, cubes, geometries, volumes.

use wayfarer_base::{CostMultiplier, Revision, Voxel};
use wayfarer_formats::snapshot::{SectionReader, SectionWriter, SnapshotError};
use wayfarer_world::air::{AirRecord, Geometry, GeometryId, Volume, VolumeId, VolumeRule};
use wayfarer_world::solid::{Run, Spans};

use super::codec::{Codec, convert_codec, put_all, struct_codec, take_all, take_ascending};

struct_codec! {
    Volume { low: Voxel, high: Voxel, rule: VolumeRule }
    Run { y: i32, x: i32, low: i32, high: i32 }
}

convert_codec! {
    GeometryId as u64: |id| id.0, |number| Ok(Self(number));
    VolumeId as u64: |id| id.0, |number| Ok(Self(number));
}

impl Codec for VolumeRule {
    const MIN_BYTES: usize = 1;
    fn put(&self, sink: &mut SectionWriter) {
        let multiplier: Option<CostMultiplier> = match *self {
            Self::Closed => None,
            Self::CostMultiplier(multiplier) => Some(multiplier),
        };
        multiplier.put(sink);
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let multiplier = <Option<CostMultiplier> as Codec>::take(source)?;
        Ok(multiplier.map_or(Self::Closed, Self::CostMultiplier))
    }
}

impl Codec for Geometry {
    const MIN_BYTES: usize = 1;
    fn put(&self, sink: &mut SectionWriter) {
        match self {
            Self::Box { low, high } => {
                sink.u8(0);
                (*low, *high).put(sink);
            }
            Self::Ball { center, radius } => {
                sink.u8(1);
                (*center, *radius).put(sink);
            }
            Self::Mesh { spans, shift } => {
                sink.u8(2);
                shift.put(sink);
                let runs: Vec<Run> = spans.runs().collect();
                put_all(sink, runs.into_iter());
            }
        }
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        Ok(match source.variant("the kind of a geometry", 2)? {
            0 => Self::Box {
                low: Codec::take(source)?,
                high: Codec::take(source)?,
            },
            1 => Self::Ball {
                center: Codec::take(source)?,
                radius: Codec::take(source)?,
            },
            _ => {
                let shift = Codec::take(source)?;
                let runs = take_ascending(source, "the runs of a mesh", |run: &Run| *run)?;
                let spans = Spans::from_runs(runs).into();
                Self::Mesh { spans, shift }
            }
        })
    }
}

/// Encodes the state that is independent of history: no revision.
pub(super) fn put_state(sink: &mut SectionWriter, record: &AirRecord) {
    record.low.put(sink);
    record.size.iter().for_each(|side| side.put(sink));
    record.default_multiplier.put(sink);
    put_all(sink, record.cubes.iter().copied());
    put_all(sink, record.geometries.iter().cloned());
    put_all(sink, record.volumes.iter().copied());
}

pub(super) fn put(sink: &mut SectionWriter, record: &AirRecord) {
    record.revision.put(sink);
    put_state(sink, record);
}

pub(super) fn take(source: &mut SectionReader<'_>) -> Result<AirRecord, SnapshotError> {
    Ok(AirRecord {
        revision: Revision::take(source)?,
        low: Codec::take(source)?,
        size: [
            Codec::take(source)?,
            Codec::take(source)?,
            Codec::take(source)?,
        ],
        default_multiplier: Codec::take(source)?,
        cubes: take_all(source, "the number of cubes")?,
        geometries: take_ascending(source, "geometries", |geometry: &(GeometryId, Geometry)| {
            geometry.0
        })?,
        volumes: take_ascending(source, "volumes", |volume: &(VolumeId, Volume)| volume.0)?,
    })
}

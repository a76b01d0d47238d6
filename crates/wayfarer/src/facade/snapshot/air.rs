//! The air in bytes: bounds, cubes, named things, volumes.

use wayfarer_base::{CostMultiplier, Revision, Voxel};
use wayfarer_formats::snapshot::{SectionReader, SectionWriter, SnapshotError};
use wayfarer_world::air::{AirRecord, Geometry, GeometryId, Volume, VolumeId, VolumeRule};
use wayfarer_world::solid::{Run, Spans};

use super::codec::{Codec, put_all, rows, take_all, take_rising, wraps};

rows! {
    Volume { low: Voxel, high: Voxel, rule: VolumeRule }
    Run { y: i32, x: i32, low: i32, high: i32 }
}

wraps! {
    GeometryId as u64: |name| name.0, |number| Ok(Self(number));
    VolumeId as u64: |name| name.0, |number| Ok(Self(number));
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
            Self::Ball {
                center: centre,
                radius,
            } => {
                sink.u8(1);
                (*centre, *radius).put(sink);
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
        Ok(match source.choice("the kind of a thing in the air", 2)? {
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
                let runs = take_rising(source, "the runs of a mesh", |run: &Run| *run)?;
                let spans = Spans::from_runs(runs).into();
                Self::Mesh { spans, shift }
            }
        })
    }
}

/// What everybody agrees on, whatever happened before: no revision.
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
        geometries: take_rising(
            source,
            "things in the air",
            |thing: &(GeometryId, Geometry)| thing.0,
        )?,
        volumes: take_rising(source, "volumes", |volume: &(VolumeId, Volume)| volume.0)?,
    })
}

//! All measurements on one voxel map.

use wayfarer_engine::base::VoxelSet;
use wayfarer_engine::world::air::{Air, AirBuilder, AirError};

use super::oracle;
use super::report::MapRow;
use super::{Tools, edits, lookups};
use crate::flight::lines::Bits;
use crate::memory::Allocated;

/// Repetitions of the build; the best counts.
const BUILDS: usize = 5;

/// Measures one map; `seed` chooses the edits and rays.
pub(super) fn measure(
    name: &str,
    voxels: &VoxelSet,
    (seed, n_edits): (u64, usize),
    tools: &Tools,
) -> Result<MapRow, AirError> {
    let mut row = MapRow {
        map: name.to_owned(),
        size: voxels.size(),
        solid_voxels: voxels.solid().len(),
        ..MapRow::default()
    };
    let mut allocated = Allocated::default();
    let mut air = allocated.during(|| build(voxels, tools.n_threads))?;
    row.memory_bytes = air.memory().total();
    if tools.is_counted && i64::try_from(row.memory_bytes) != Ok(allocated.bytes) {
        let (reported, counted) = (row.memory_bytes, allocated.bytes);
        row.faults.push(format!(
            "reports {reported} bytes, the allocator counted {counted}"
        ));
    }
    row.nodes = air.n_nodes();
    row.components = air.n_components();
    row.faults.extend(oracle::differs(&air, voxels));
    row.build_ms = f64::INFINITY;
    for _ in 0..BUILDS {
        let (again, nanoseconds) = tools.timer.time(|| build(voxels, tools.n_threads));
        row.build_ms = row.build_ms.min(nanoseconds / 1e6);
        if again?.digest() != air.digest() {
            row.faults.push("two builds differ".to_owned());
        }
    }
    let mut bits = Bits::of(voxels);
    lookups::measure(&mut row, &air, &bits, seed, tools);
    edits::measure(
        &mut row,
        (&mut air, &mut bits),
        voxels,
        (seed, n_edits),
        tools,
    )?;
    Ok(row)
}

pub(super) fn build(voxels: &VoxelSet, n_threads: usize) -> Result<Air, AirError> {
    let mut builder = AirBuilder::from_set(voxels)?;
    builder.threads(n_threads);
    builder.build()
}

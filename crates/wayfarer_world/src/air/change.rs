//! Change sets of the air. Boxes stay boxes, and dirty space is listed by octree nodes, so that the
//! change set of a large box is as small as the box's surface in the tree.

use std::ops::RangeInclusive;

use wayfarer_base::voxel::{from_morton_3, morton_3};
use wayfarer_base::{ChangeSet, CostChange, Difference, DirtySector, Voxel};

use super::geometries::GeometryId;
use super::geometry::Geometry;
use super::rasterize::{CLOSED, OPENED};
use super::volume::{Volume, VolumeId};
use super::{Air, AirEdit};

/// The voxels of a box.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BoxContent {
    /// All free.
    Free,
    /// All solid.
    Solid,
    /// The solid voxels that these cubes have in the box: layer, lowest voxel, and the voxels of a
    /// leaf (all above layer 0). A cube has side `4 << layer`.
    Cubes(Vec<(u8, Voxel, u64)>),
}

/// One change of the air's primary state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AirDifference {
    /// A box in which voxels changed.
    Box {
        /// The lowest voxel.
        low: Voxel,
        /// The highest voxel, included.
        high: Voxel,
        /// The content before.
        before: BoxContent,
        /// The content after.
        after: BoxContent,
    },
    /// A geometry.
    Geometry {
        /// Its id.
        id: GeometryId,
        /// The previous geometry.
        before: Option<Geometry>,
        /// The new geometry.
        after: Option<Geometry>,
    },
    /// A volume.
    Volume {
        /// Its id.
        id: VolumeId,
        /// The previous volume.
        before: Option<Volume>,
        /// The new volume.
        after: Option<Volume>,
    },
}

impl Difference for AirDifference {
    fn inverse(&self) -> Self {
        match self.clone() {
            Self::Box {
                low,
                high,
                before,
                after,
            } => Self::Box {
                low,
                high,
                before: after,
                after: before,
            },
            Self::Geometry { id, before, after } => Self::Geometry {
                id,
                before: after,
                after: before,
            },
            Self::Volume { id, before, after } => Self::Volume {
                id,
                before: after,
                after: before,
            },
        }
    }
}

impl AirDifference {
    /// The edit that makes this difference.
    pub fn to_edit(&self) -> AirEdit {
        match self.clone() {
            Self::Box {
                low, high, after, ..
            } => match after {
                BoxContent::Solid => AirEdit::Fill { low, high },
                BoxContent::Free => AirEdit::Clear { low, high },
                content @ BoxContent::Cubes(_) => AirEdit::Replace { low, high, content },
            },
            Self::Geometry { id, after, .. } => match after {
                Some(geometry) => AirEdit::Put { id, geometry },
                None => AirEdit::Remove { id },
            },
            Self::Volume { id, after, .. } => match after {
                Some(volume) => AirEdit::PutVolume { id, volume },
                None => AirEdit::RemoveVolume { id },
            },
        }
    }
}

/// A cube of 16 x 16 x 16 voxels, aligned to the low corner of the bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirSector(u64);

impl AirSector {
    /// Voxels along each side.
    pub const SIDE: u32 = 16;

    /// Its number along the Morton curve.
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// A sector, or a larger node of the octree. Ordered by the first sector, large before small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AirCube {
    first: AirSector,
    /// Layers below the root's largest, so that large nodes come first.
    depth: u8,
}

/// The layer of a node as large as a sector.
const SECTOR_LAYER: u8 = 2;

impl AirCube {
    /// The node of `layer` with Morton code `code`, or the sector that contains it.
    pub(super) fn around(layer: u8, code: u64) -> Self {
        let depth = u8::MAX - layer.max(SECTOR_LAYER);
        let first = if layer <= SECTOR_LAYER {
            code >> (3 * (SECTOR_LAYER - layer))
        } else {
            // Sectors of a node have consecutive codes.
            code << (3 * (layer - SECTOR_LAYER))
        };
        Self {
            first: AirSector(first),
            depth,
        }
    }

    const fn layer(self) -> u8 {
        u8::MAX - self.depth
    }

    /// Its lowest sector.
    pub const fn first_sector(self) -> AirSector {
        self.first
    }

    /// Voxels along each side: 16 or a larger power of two.
    pub const fn side(self) -> u32 {
        4 << self.layer()
    }

    /// The sectors it consists of, which follow each other along the Morton curve.
    pub const fn sectors(self) -> RangeInclusive<AirSector> {
        let n_sectors = 1 << (3 * (self.layer() - SECTOR_LAYER));
        self.first..=AirSector(self.first.0 + n_sectors - 1)
    }

    fn contains(self, other: Self) -> bool {
        self.depth <= other.depth && self.sectors().contains(&other.first)
    }
}

/// The changes of one batch of edits.
pub type AirChanges = ChangeSet<AirDifference, AirCube>;

impl Air {
    /// The sector of a voxel; `None` outside the bounds.
    pub fn sector(&self, at: Voxel) -> Option<AirSector> {
        let [x, y, z] = self.to_local(at)?;
        Some(AirSector(morton_3(x >> 4, y >> 4, z >> 4)))
    }

    /// The lowest voxel of a sector.
    pub fn sector_low(&self, sector: AirSector) -> Voxel {
        let (x, y, z) = from_morton_3(sector.0);
        self.to_world([x << 4, y << 4, z << 4])
    }
}

/// Nodes in order, each once, with the combined cost change; nodes inside a larger one that changed
/// alike are left out.
pub(super) fn to_dirty_cubes(list: &mut [(AirCube, u8)]) -> Vec<DirtySector<AirCube>> {
    list.sort_unstable();
    let mut dirty: Vec<DirtySector<AirCube>> = Vec::new();
    let mut around: Option<(AirCube, u8)> = None;
    for same in list.chunk_by(|a, b| a.0 == b.0) {
        let sector = same[0].0;
        let flags = same.iter().fold(0, |all, (_, flags)| all | flags);
        let is_known = around.is_some_and(|(cube, known)| {
            cube.contains(sector) && (known | flags == known || known == OPENED | CLOSED)
        });
        if is_known {
            continue;
        }
        if around.is_none_or(|(cube, _)| !cube.contains(sector)) {
            around = Some((sector, flags));
        }
        let cost_change = match flags {
            OPENED => CostChange::Decrease,
            CLOSED => CostChange::Increase,
            _ => CostChange::Mixed,
        };
        super::tree::reserve_one(&mut dirty);
        dirty.push(DirtySector {
            sector,
            cost_change,
        });
    }
    dirty
}

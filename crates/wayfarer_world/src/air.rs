//! Sparse voxel octree of solid space over a bounded box, editable in place \[Brewer2017\].
//!
//! Leaves hold 4 x 4 x 4 voxels in 64 bits; a cube that is all free or all solid is one node at any
//! size. Voxels, boxes, balls and meshes are added, moved and removed in transactional batches. An
//! edit repairs only the nodes it dirties; tree, regions and components then equal those of a fresh
//! build.
//!
//! - [`AirBuilder`] builds an [`Air`]; [`Air::apply`] edits it, all or nothing.
//! - [`Air::locate`], [`Air::cast_ray`], [`Air::sweep`], [`Air::clearance`] and
//!   [`Air::nearest_free`] are read-only queries without allocation.
//! - [`Air::cursor`] serves searches with coherent lookups; [`bits`] is the arithmetic of a leaf.
//! - [`Air::component`] decides reachability in O(tree depth).
//!
//! Space outside the bounds is neither free nor solid: no agent flies there and no ray hits there.

use thiserror::Error;
use wayfarer_base::{Digest, Identity, Revision, Voxel};

pub mod bits;
mod build;
mod change;
mod connectivity;
mod cursor;
mod edit;
mod geometries;
mod geometry;
mod import;
mod link;
mod lookup;
mod rasterize;
mod ray;
mod record;
mod regions;
mod stats;
mod sweep;
mod table;
mod tree;
mod volume;

pub use build::{AirBuilder, BuildStep};
pub use change::{AirChanges, AirCube, AirDifference, AirSector, BoxContent};
pub use connectivity::{AirComponentId, AirRegionId};
pub use cursor::{AirCursor, LocalNode};
pub use edit::AirEdit;
pub use geometries::GeometryId;
pub use geometry::Geometry;
pub use import::AirImportError;
pub use link::{Face, Faces, OctreeLink};
pub use lookup::{NodeInfo, NodeKind};
pub use ray::RayHit;
pub use record::AirRecord;
pub use stats::LayerCount;
pub use volume::{Volume, VolumeId, VolumeRule};

use geometries::Geometries;
use geometry::Wide;
use rasterize::Marks;
use regions::Regions;
use tree::{LocalVoxel, Tree};
use volume::Volumes;

/// Errors of building, editing and querying an [`Air`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AirError {
    /// A side is 0 or above 131,072, or the box exceeds the range of [`Voxel`].
    #[error("bounds of {size:?} voxels from {low}, expected 1 to 131072 a side within 32 bits")]
    BadBounds {
        /// The lowest voxel.
        low: Voxel,
        /// Voxels along each axis.
        size: [u32; 3],
    },
    /// A voxel lies outside the bounds.
    #[error("voxel {at} lies outside the bounds, {low} to {high}")]
    OutOfBounds {
        /// Which voxel.
        at: Voxel,
        /// The lowest voxel inside.
        low: Voxel,
        /// The highest voxel inside.
        high: Voxel,
    },
    /// A box whose high corner lies below its low corner.
    #[error("the box from {low} to {high} is empty")]
    EmptyBox {
        /// Its low corner.
        low: Voxel,
        /// Its high corner.
        high: Voxel,
    },
    /// No geometry or volume has this id.
    #[error("no geometry or volume has id {id}")]
    UnknownId {
        /// The requested id.
        id: u64,
    },
    /// The reserved id `u64::MAX`.
    #[error("id {} is reserved", u64::MAX)]
    InvalidId,
    /// A link that refers to no node or voxel.
    #[error("no node or voxel has link {layer}:{node}.{voxel}")]
    NoSuchLink {
        /// Its layer.
        layer: u8,
        /// Its node.
        node: u32,
        /// Its voxel.
        voxel: u32,
    },
    /// A cube whose layer or corner is not that of a node.
    #[error("no node of layer {layer} begins at {low}")]
    NoSuchCube {
        /// Its layer.
        layer: u8,
        /// Its lowest voxel.
        low: Voxel,
    },
    /// More nodes in one layer than a link can address.
    #[error(
        "layer {layer} has no room for more than {} nodes; use larger voxels",
        OctreeLink::MAX_NODES
    )]
    TooManyNodes {
        /// The layer that is full.
        layer: u8,
    },
    /// More separate regions in one node than 16 bits can number.
    #[error("a node of layer {layer} at {at:?} has more than 65535 disconnected regions")]
    TooManyRegions {
        /// The layer of the node.
        layer: u8,
        /// Its low corner, in voxels from the low corner of the bounds.
        at: [u32; 3],
    },
}

/// Heap bytes by purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AirMemory {
    /// The octree.
    pub tree: usize,
    /// The octree without geometries; 0 until the first geometry is added.
    pub base: usize,
    /// Regions, contacts and components.
    pub regions: usize,
    /// Geometries and their spatial index. Shared mesh data is not counted.
    pub geometries: usize,
    /// Volumes.
    pub volumes: usize,
    /// Reusable buffers of edits.
    pub scratch: usize,
}

impl AirMemory {
    /// The sum of all fields.
    pub const fn total(self) -> usize {
        self.tree + self.base + self.regions + self.geometries + self.volumes + self.scratch
    }
}

/// The solid and free voxels of a box, with connectivity, geometries and volumes.
#[derive(Clone, Debug)]
pub struct Air {
    low: Voxel,
    size: [u32; 3],
    revision: Revision,
    identity: Identity,
    /// Base and geometries together.
    tree: Tree,
    /// The tree without geometries; `None` until the first geometry is added.
    base: Option<Box<Tree>>,
    regions: Regions,
    geometries: Geometries,
    volumes: Volumes,
    marks: Marks,
    nearby: Vec<u32>,
}

impl Air {
    /// The lowest voxel inside the bounds.
    pub const fn low(&self) -> Voxel {
        self.low
    }

    /// The highest voxel inside the bounds.
    pub fn high(&self) -> Voxel {
        let [x, y, z] = self.size;
        Voxel::new(
            self.low.x.wrapping_add_unsigned(x - 1),
            self.low.y.wrapping_add_unsigned(y - 1),
            self.low.z.wrapping_add_unsigned(z - 1),
        )
    }

    /// Voxels along each axis.
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The batches of edits applied: their number and a digest of them.
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// With the revision it identifies the state, octree links included: clones that went through
    /// the same batches are interchangeable. It differs from run to run; results must not depend on
    /// it.
    pub const fn identity(&self) -> u64 {
        self.identity.number()
    }

    /// The layer of the root; its side is `4 << top_layer` voxels.
    pub const fn top_layer(&self) -> u8 {
        self.tree.top
    }

    /// Nodes of all layers including leaves, as stored in blocks of eight.
    pub fn n_nodes(&self) -> usize {
        let inner: usize = self.tree.inner.iter().map(tree::Blocks::len).sum();
        1 + 8 * (self.tree.leaves.len() + inner)
    }

    /// The number of solid voxels.
    pub fn n_solid(&self) -> u64 {
        let count = |&(layer, _, voxels): &(u8, LocalVoxel, u64)| {
            u64::from(voxels.count_ones()) << (3 * u32::from(layer))
        };
        self.tree.cubes().iter().map(count).sum()
    }

    /// Digest of all primary and derived state: cubes, regions, contacts, geometries, volumes.
    /// Equal worlds have equal digests whatever their edit history.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        for (layer, low, voxels) in self.tree.cubes() {
            digest.number(u64::from(layer));
            low.iter().for_each(|&at| digest.number(u64::from(at)));
            digest.number(voxels);
        }
        self.regions.digest(&self.tree, &mut digest);
        if let Some(base) = self.base.as_ref().filter(|_| self.geometries.len() > 0) {
            for (layer, low, voxels) in base.cubes() {
                digest.number(u64::from(layer) << 32);
                low.iter().for_each(|&at| digest.number(u64::from(at)));
                digest.number(voxels);
            }
        }
        for placed in self.geometries.sorted() {
            digest.number(placed.id.0);
            placed.geometry.digest(&mut digest);
        }
        for (id, volume) in self.volumes.iter() {
            digest.number(id.0);
            volume.digest(&mut digest);
        }
        digest.value()
    }

    /// Heap bytes by purpose.
    pub fn memory(&self) -> AirMemory {
        let base = |tree: &Tree| size_of::<Tree>() + tree.heap_bytes();
        AirMemory {
            tree: self.tree.heap_bytes(),
            base: self.base.as_deref().map_or(0, base),
            regions: self.regions.heap_bytes(),
            geometries: self.geometries.heap_bytes(),
            volumes: self.volumes.heap_bytes(),
            scratch: self.marks.heap_bytes()
                + self.regions.scratch_bytes()
                + self.nearby.capacity() * size_of::<u32>(),
        }
    }

    /// Local coordinates of a voxel, relative to the low corner of the bounds; `None` outside.
    #[inline]
    pub fn to_local(&self, at: Voxel) -> Option<[u32; 3]> {
        let x = at.x.wrapping_sub(self.low.x).cast_unsigned();
        let y = at.y.wrapping_sub(self.low.y).cast_unsigned();
        let z = at.z.wrapping_sub(self.low.z).cast_unsigned();
        let inside = x < self.size[0] && y < self.size[1] && z < self.size[2];
        // A difference that wrapped is at least 2^31, more than any size.
        (inside && at.x >= self.low.x && at.y >= self.low.y && at.z >= self.low.z)
            .then_some([x, y, z])
    }

    /// The voxel at local coordinates; wraps beyond the bounds.
    #[inline]
    pub fn to_world(&self, [x, y, z]: [u32; 3]) -> Voxel {
        Voxel::new(
            self.low.x.wrapping_add_unsigned(x),
            self.low.y.wrapping_add_unsigned(y),
            self.low.z.wrapping_add_unsigned(z),
        )
    }

    fn checked(&self, at: Voxel) -> Result<LocalVoxel, AirError> {
        self.to_local(at).ok_or_else(|| AirError::OutOfBounds {
            at,
            low: self.low,
            high: self.high(),
        })
    }

    /// Local coordinates as world coordinates, widened to avoid overflow.
    fn wide(low: Voxel, at: LocalVoxel) -> Wide {
        let low = geometry::wide(low);
        std::array::from_fn(|axis| low[axis] + i64::from(at[axis]))
    }
}

#[cfg(test)]
mod tests;

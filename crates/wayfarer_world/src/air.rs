//! The air: which cubes of space are solid, in a tree that changes while it is used.
//!
//! A sparse voxel octree over a box of the world: leaves of 4 x 4 x 4 voxels, everything that is
//! all free or all solid kept as one cube however large. Voxels, boxes, balls and meshes come,
//! move and go; only what they touch is redone, and the tree, its regions and their components
//! are then those of a tree built anew.
//!
//! * [`AirBuilder`] makes an [`Air`], [`Air::apply`] changes it, all or nothing.
//! * [`Air::localise`], [`Air::cast`], [`Air::sweep`], [`Air::clearance`] and
//!   [`Air::nearest_free`] look things up; they allocate nothing and change nothing.
//! * [`Air::cursor`] does so from place to place, for searches; [`bits`] is the arithmetic of a leaf.
//! * [`Air::component`] tells at once whether one place can be reached from another.
//!
//! What lies outside the bounds is neither free nor solid: nobody flies there and nothing is hit.

use thiserror::Error;
use wayfarer_base::{Digest, Revision, Voxel};

pub mod bits;
mod build;
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
pub use connectivity::{AirComponentId, AirRegionId};
pub use cursor::{AirCursor, LocalNode};
pub use edit::{AirChanges, AirDifference, AirEdit, AirSector};
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
use tree::{At, Tree};
use volume::Volumes;

/// Why the air could not be made or changed, or a question not be answered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AirError {
    /// The bounds cannot be.
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
    /// Nothing has this name.
    #[error("nothing is named {name}")]
    NoSuchName {
        /// The name asked for.
        name: u64,
    },
    /// The one name that may not be used.
    #[error("the name {} is not allowed", u64::MAX)]
    BadName,
    /// An address that names nothing.
    #[error("no node or voxel has address {layer}:{node}.{voxel}")]
    NoSuchLink {
        /// Its layer.
        layer: u8,
        /// Its node.
        node: u32,
        /// Its voxel.
        voxel: u32,
    },
    /// More nodes in one layer than addresses can name.
    #[error(
        "layer {layer} has no room for more than {} nodes; use larger voxels",
        OctreeLink::MAX_NODES
    )]
    TooManyNodes {
        /// The layer that is full.
        layer: u8,
    },
    /// More separate regions in one node than can be numbered.
    #[error("a node of layer {layer} at {at:?} has more than 65535 regions that do not meet")]
    TooManyRegions {
        /// The layer of the node.
        layer: u8,
        /// Its low corner, in voxels from the low corner of the bounds.
        at: [u32; 3],
    },
}

/// Bytes on the heap, by what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AirMemory {
    /// The octree.
    pub tree: usize,
    /// The octree without the named things, once there are any.
    pub base: usize,
    /// Regions, contacts and components.
    pub regions: usize,
    /// Named things and where they are filed; meshes are shared with whoever made them and are
    /// not counted.
    pub bodies: usize,
    /// Volumes that limit or invite flight.
    pub volumes: usize,
    /// Room that edits reuse.
    pub scratch: usize,
}

impl AirMemory {
    /// All of them.
    pub const fn total(self) -> usize {
        self.tree + self.base + self.regions + self.bodies + self.volumes + self.scratch
    }
}

/// A box of the world, and what in it is solid.
#[derive(Clone, Debug)]
pub struct Air {
    low: Voxel,
    size: [u32; 3],
    revision: Revision,
    /// Everything solid.
    tree: Tree,
    /// What is solid without the named things; `None` as long as there was none.
    base: Option<Box<Tree>>,
    regions: Regions,
    bodies: Geometries,
    volumes: Volumes,
    marks: Marks,
    near: Vec<u32>,
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

    /// How many batches of edits were applied.
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// The layer of the root: how many times the largest cube can be halved down to a leaf.
    pub const fn top_layer(&self) -> u8 {
        self.tree.top
    }

    /// Nodes of all layers, leaves included, as stored in blocks of eight.
    pub fn n_nodes(&self) -> usize {
        let inner: usize = self.tree.inner.iter().map(tree::Blocks::len).sum();
        1 + 8 * (self.tree.leaves.len() + inner)
    }

    /// How many voxels are solid.
    pub fn n_solid(&self) -> u64 {
        let count = |&(layer, _, voxels): &(u8, At, u64)| {
            u64::from(voxels.count_ones()) << (3 * u32::from(layer))
        };
        self.tree.cubes().iter().map(count).sum()
    }

    /// A number for everything that can be asked: cubes, regions, contacts, things, volumes.
    /// Equal worlds have equal digests, whatever their history.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        for (layer, low, voxels) in self.tree.cubes() {
            digest.number(u64::from(layer));
            low.iter().for_each(|&at| digest.number(u64::from(at)));
            digest.number(voxels);
        }
        self.regions.digest(&self.tree, &mut digest);
        if let Some(base) = self.base.as_ref().filter(|_| self.bodies.len() > 0) {
            for (layer, low, voxels) in base.cubes() {
                digest.number(u64::from(layer) << 32);
                low.iter().for_each(|&at| digest.number(u64::from(at)));
                digest.number(voxels);
            }
        }
        for body in self.bodies.sorted() {
            digest.number(body.name.0);
            body.geometry.digest(&mut digest);
        }
        for (name, volume) in self.volumes.iter() {
            digest.number(name.0);
            volume.digest(&mut digest);
        }
        digest.value()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> AirMemory {
        let base = |tree: &Tree| size_of::<Tree>() + tree.heap_bytes();
        AirMemory {
            tree: self.tree.heap_bytes(),
            base: self.base.as_deref().map_or(0, base),
            regions: self.regions.heap_bytes(),
            bodies: self.bodies.heap_bytes(),
            volumes: self.volumes.heap_bytes(),
            scratch: self.marks.heap_bytes()
                + self.regions.scratch_bytes()
                + self.near.capacity() * size_of::<u32>(),
        }
    }

    /// Puts every layer back into Morton order and gives back all room to spare, as if built anew;
    /// links change. Takes as long as a build: for a loading screen, not for a frame.
    pub fn compact(&mut self) {
        self.tree = self.tree.sorted();
        self.base = self.base.take().map(|base| Box::new(base.sorted()));
        self.regions = Regions::build(&self.tree, self.size, (1, &mut |_| {}))
            .expect("the same regions had room before");
        self.shrink_scratch();
    }

    /// Gives back room that edits keep for reuse.
    pub fn shrink_scratch(&mut self) {
        self.marks = Marks::default();
        self.near = Vec::new();
        self.regions.shrink_scratch();
    }

    /// The place of a voxel from the low corner; `None` outside the bounds.
    #[inline]
    fn to_local(&self, at: Voxel) -> Option<At> {
        let x = at.x.wrapping_sub(self.low.x).cast_unsigned();
        let y = at.y.wrapping_sub(self.low.y).cast_unsigned();
        let z = at.z.wrapping_sub(self.low.z).cast_unsigned();
        let inside = x < self.size[0] && y < self.size[1] && z < self.size[2];
        // A difference that wrapped is at least 2^31, more than any size.
        (inside && at.x >= self.low.x && at.y >= self.low.y && at.z >= self.low.z)
            .then_some([x, y, z])
    }

    /// The voxel at a place from the low corner; beyond the bounds it may wrap.
    #[inline]
    fn to_world(&self, [x, y, z]: At) -> Voxel {
        Voxel::new(
            self.low.x.wrapping_add_unsigned(x),
            self.low.y.wrapping_add_unsigned(y),
            self.low.z.wrapping_add_unsigned(z),
        )
    }

    fn checked(&self, at: Voxel) -> Result<At, AirError> {
        self.to_local(at).ok_or_else(|| AirError::OutOfBounds {
            at,
            low: self.low,
            high: self.high(),
        })
    }

    /// A place from the low corner in voxels of the world, without limits.
    fn wide(low: Voxel, at: At) -> Wide {
        let low = geometry::wide(low);
        std::array::from_fn(|axis| low[axis] + i64::from(at[axis]))
    }
}

#[cfg(test)]
mod tests;

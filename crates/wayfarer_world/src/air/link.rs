//! A 32-bit address of any octree node or voxel \[Brewer2017\], and the six faces of a cube.

use std::fmt;

/// The address of a node or voxel: 4 bits layer, 22 bits node, 6 bits voxel within a leaf.
///
/// Valid until the next edit. The nodes of a layer are stored in blocks of eight siblings; `voxel`
/// is 0 except in a leaf that is partly solid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct OctreeLink(u32);

impl OctreeLink {
    /// The highest layer.
    pub const MAX_LAYER: u8 = 15;
    /// The maximum number of nodes in one layer.
    pub const MAX_NODES: u32 = 1 << 22;

    /// The link of `voxel` in `node` of `layer`, all within their bits.
    #[inline]
    pub(super) const fn from_parts(layer: u8, node: u32, voxel: u32) -> Self {
        Self((layer as u32) << 28 | node << 6 | voxel)
    }

    /// The layer, 0 for leaves; a node of layer n has a side of `4 << n` voxels.
    #[inline]
    pub const fn layer(self) -> u8 {
        (self.0 >> 28) as u8
    }

    /// The index of the node in its layer.
    #[inline]
    pub const fn node(self) -> u32 {
        self.0 >> 6 & (Self::MAX_NODES - 1)
    }

    /// The voxel within its leaf: `x + 4 y + 16 z`.
    #[inline]
    pub const fn voxel(self) -> u32 {
        self.0 & 63
    }
}

impl fmt::Debug for OctreeLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}.{}", self.layer(), self.node(), self.voxel())
    }
}

/// A face of a cube.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Face {
    /// Towards smaller x.
    West,
    /// Towards larger x.
    East,
    /// Towards smaller y.
    North,
    /// Towards larger y.
    South,
    /// Towards smaller z.
    Below,
    /// Towards larger z.
    Above,
}

impl Face {
    /// All faces, in order.
    pub const ALL: [Self; 6] = [
        Self::West,
        Self::East,
        Self::North,
        Self::South,
        Self::Below,
        Self::Above,
    ];

    /// The axis it is perpendicular to: 0 for x, 1 for y, 2 for z.
    #[inline]
    pub const fn axis(self) -> usize {
        self as usize >> 1
    }

    /// True for the face towards larger coordinates.
    #[inline]
    pub const fn is_high(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The face across the cube.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self::ALL[self as usize ^ 1]
    }

    /// Its bit in a [`Faces`].
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of cube faces: those that a region reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Faces(pub(super) u8);

impl Faces {
    /// True if the face belongs to the set.
    #[inline]
    pub const fn contains(self, face: Face) -> bool {
        self.0 & face.bit() != 0
    }
}

impl fmt::Debug for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(Face::ALL.iter().filter(|face| self.contains(**face)))
            .finish()
    }
}

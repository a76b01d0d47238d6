//! The address of a node or voxel of the octree in 32 bits, and the six faces of a cube.

use std::fmt;

use super::AirError;

/// The address of any node or voxel: 4 bits layer, 22 bits node, 6 bits voxel within a leaf.
///
/// Addresses hold until the next edit. Nodes of a layer lie in blocks of eight brothers; the voxel
/// is 0 except in a leaf that is partly solid.
///
/// ```
/// use wayfarer_world::air::OctreeLink;
/// let link = OctreeLink::new(0, 4_194_303, 63).unwrap();
/// assert_eq!((link.layer(), link.node(), link.voxel()), (0, 4_194_303, 63));
/// assert!(OctreeLink::new(0, 4_194_304, 0).is_err()); // 22 bits
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct OctreeLink(u32);

impl OctreeLink {
    /// The highest layer.
    pub const MAX_LAYER: u8 = 15;
    /// The most nodes in one layer.
    pub const MAX_NODES: u32 = 1 << 22;

    /// The address of `voxel` of `node` of `layer`.
    ///
    /// # Errors
    /// If a number does not fit: layers to 15, nodes below 4,194,304, voxels below 64.
    pub const fn new(layer: u8, node: u32, voxel: u32) -> Result<Self, AirError> {
        if layer > Self::MAX_LAYER || node >= Self::MAX_NODES || voxel > 63 {
            return Err(AirError::NoSuchLink { layer, node, voxel });
        }
        Ok(Self::from_parts(layer, node, voxel))
    }

    /// As [`OctreeLink::new`], for numbers that are known to fit.
    #[inline]
    pub(super) const fn from_parts(layer: u8, node: u32, voxel: u32) -> Self {
        Self((layer as u32) << 28 | node << 6 | voxel)
    }

    /// The layer, 0 for leaves; a node of layer n is a cube of 4 times 2^n voxels a side.
    #[inline]
    pub const fn layer(self) -> u8 {
        (self.0 >> 28) as u8
    }

    /// The number of the node in its layer.
    #[inline]
    pub const fn node(self) -> u32 {
        self.0 >> 6 & (Self::MAX_NODES - 1)
    }

    /// The voxel within its leaf: x + 4 y + 16 z.
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

    /// 0 for x, 1 for y, 2 for z.
    #[inline]
    pub const fn axis(self) -> usize {
        self as usize >> 1
    }

    /// True for the face towards larger numbers.
    #[inline]
    pub const fn is_high(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The face on the other side.
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

/// A set of faces of a cube: those that one region of it reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Faces(pub(super) u8);

impl Faces {
    /// All six.
    pub const ALL: Self = Self(63);

    /// True if the face belongs to the set.
    #[inline]
    pub const fn contains(self, face: Face) -> bool {
        self.0 & face.bit() != 0
    }

    /// True if no face does.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(Face::ALL.iter().filter(|face| self.contains(**face)))
            .finish()
    }
}

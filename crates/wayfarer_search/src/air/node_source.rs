//! The octree as a search reads it: the node around a voxel, for one agent.

use wayfarer_world::air::{Air, AirCursor, LocalNode, bits};

/// Coordinates relative to the low corner of the air; signed, since searches subtract.
pub(super) type LocalVoxel = [i32; 3];

/// A uniform cube, or a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CursorNode {
    /// Bitmask of the free voxels of a leaf; all bits for a free cube, none for a blocked one.
    pub(super) free: u64,
    /// Binary logarithm of the side.
    pub(super) log: u8,
}

impl CursorNode {
    pub(super) const fn cube(log: u8, is_free: bool) -> Self {
        let free = if is_free { bits::ALL } else { 0 };
        Self { free, log }
    }
}

/// The free space of one agent as octree nodes.
pub(super) trait NodeSource {
    /// False if every voxel has a multiplier of 1.
    const WEIGHTED: bool;

    /// The cost multiplier of a free voxel, in sixteenths.
    fn cost_multiplier(&self, at: LocalVoxel) -> u16;

    /// The node that contains a voxel within bounds.
    fn node_at(&mut self, at: LocalVoxel) -> CursorNode;

    /// The free voxels of the leaf around a voxel within bounds; bits out of bounds are undefined.
    fn leaf_mask(&mut self, at: LocalVoxel) -> u64 {
        self.node_at(at).free
    }
}

/// The unmodified air, for agents that fit into any free voxel.
pub(super) struct PointSource<'a>(AirCursor<'a>);

impl<'a> PointSource<'a> {
    pub(super) fn new(air: &'a Air) -> Self {
        Self(air.cursor())
    }
}

impl NodeSource for PointSource<'_> {
    const WEIGHTED: bool = false;

    #[inline]
    fn cost_multiplier(&self, _at: LocalVoxel) -> u16 {
        16
    }

    #[inline]
    fn node_at(&mut self, at: LocalVoxel) -> CursorNode {
        match self.0.local_node_at(at.map(i32::cast_unsigned)) {
            LocalNode::Cube { layer, solid } => CursorNode::cube(layer + 2, !solid),
            LocalNode::Leaf { free } => CursorNode { free, log: 2 },
        }
    }
}

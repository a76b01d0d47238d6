//! What a search sees of the air: rooms to fly through, each a cube or the free part of a leaf.

use wayfarer_world::air::{Air, AirCursor, LocalNode, bits};

/// A place counted from the low corner of the air; searches subtract, so it has a sign.
pub(super) type At = [i32; 3];

/// A cube all alike, or a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CursorNode {
    /// The free voxels of a leaf; all bits for a free cube, none for a blocked one.
    pub(super) free: u64,
    /// The logarithm of its side.
    pub(super) log: u8,
}

impl CursorNode {
    pub(super) const fn cube(log: u8, is_free: bool) -> Self {
        let free = if is_free { bits::ALL } else { 0 };
        Self { free, log }
    }
}

/// How the air looks to one agent.
pub(super) trait NodeSource {
    /// False if every place costs the same.
    const WEIGHTED: bool;

    /// What flying through a free place costs, in sixteenths.
    fn cost_multiplier(&self, at: At) -> u16;

    /// What lies around a place, which must lie inside the bounds.
    fn look(&mut self, at: At) -> CursorNode;

    /// The free voxels of the leaf around a place inside the bounds; those outside may be named.
    fn leaf(&mut self, at: At) -> u64 {
        self.look(at).free
    }
}

/// The air as it is, for agents that fit into any free voxel.
pub(super) struct PointSource<'a>(AirCursor<'a>);

impl<'a> PointSource<'a> {
    pub(super) fn new(air: &'a Air) -> Self {
        Self(air.cursor())
    }
}

impl NodeSource for PointSource<'_> {
    const WEIGHTED: bool = false;

    #[inline]
    fn cost_multiplier(&self, _at: At) -> u16 {
        16
    }

    #[inline]
    fn look(&mut self, at: At) -> CursorNode {
        match self.0.local_node_at(at.map(i32::cast_unsigned)) {
            LocalNode::Cube { layer, solid } => CursorNode::cube(layer + 2, !solid),
            LocalNode::Leaf { free } => CursorNode { free, log: 2 },
        }
    }
}

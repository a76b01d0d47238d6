//! Node numbers of a search, for cells and voxels.

/// The record of a cell, or a voxel of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node(u32);

/// What a node number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// The number of a cell's record.
    Cell(u32),
    /// The page of a voxel and its bit there.
    Voxel(u32, u32),
}

const VOXEL: u32 = 1 << 31;

impl Node {
    /// No node.
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The node of a cell's record.
    #[inline]
    pub(super) const fn cell(record: u32) -> Self {
        Self(record)
    }

    /// The node of a voxel.
    #[inline]
    pub(super) const fn voxel(page: u32, bit: u32) -> Self {
        Self(VOXEL | page << 6 | bit)
    }

    #[inline]
    pub(super) const fn from_number(number: u32) -> Self {
        Self(number)
    }

    #[inline]
    pub(super) const fn number(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) const fn kind(self) -> NodeKind {
        if self.0 & VOXEL == 0 {
            NodeKind::Cell(self.0)
        } else {
            NodeKind::Voxel((self.0 & !VOXEL) >> 6, self.0 & 63)
        }
    }
}

//! Node ids: page, sector and cell of a walkable cell in one word.

use std::fmt;

/// A walkable cell by storage location. Valid until the next edit.
///
/// 18 bits page, 6 bits sector within the page, 8 bits cell within the sector. A step to another
/// sector of the same page is one addition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Pages, at most.
    pub(crate) const MAX_PAGES: u32 = 1 << 18;

    #[inline]
    pub(crate) const fn new(page: u32, position: u8, local: u8) -> Self {
        Self(page << 14 | (position as u32) << 8 | local as u32)
    }

    /// The page.
    #[inline]
    pub(crate) const fn page(self) -> u32 {
        self.0 >> 14
    }

    /// The sector within the page: 8 y + x.
    #[inline]
    pub(crate) const fn position(self) -> u8 {
        (self.0 >> 8 & 63) as u8
    }

    /// The cell within the sector: 16 y + x.
    #[inline]
    pub(crate) const fn local(self) -> u8 {
        (self.0 & 255) as u8
    }

    /// A number below [`super::Ground::node_limit`], for tables.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }

    /// The node with this index; the index must come from the same ground and revision.
    #[inline]
    pub const fn from_index(index: u32) -> Self {
        Self(index)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "node {}:{}:{}",
            self.page(),
            self.position(),
            self.local()
        )
    }
}

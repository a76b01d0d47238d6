//! The number of a cell while it is stored: which page, which sector of it, which square.

use std::fmt;

/// A stored cell, for searches: a number that is valid until the next edit.
///
/// 18 bits page, 6 bits sector within the page, 8 bits square within the sector. Stepping to the
/// next sector of the same page is plain addition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Pages there can be.
    pub(crate) const MAX_PAGES: u32 = 1 << 18;

    #[inline]
    pub(crate) const fn new(page: u32, position: u8, local: u8) -> Self {
        Self(page << 14 | (position as u32) << 8 | local as u32)
    }

    /// Which page.
    #[inline]
    pub(crate) const fn page(self) -> u32 {
        self.0 >> 14
    }

    /// Which sector of the page: 8 y + x.
    #[inline]
    pub(crate) const fn position(self) -> u8 {
        (self.0 >> 8 & 63) as u8
    }

    /// Which square of the sector: 16 y + x.
    #[inline]
    pub(crate) const fn local(self) -> u8 {
        (self.0 & 255) as u8
    }

    /// As a number below [`super::Ground::node_limit`], for tables.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }

    /// The cell with this number; only numbers given out by the same ground make sense.
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

//! Keys of the watch list: which paths to look at when something changes.

use crate::{Id, SectorId};

/// Marks the names of subscribed paths.
#[derive(Debug)]
pub enum Subscription {}

/// The name of a subscribed path.
pub type SubscriptionId = Id<Subscription>;

/// A piece of the world under which subscribed paths are filed.
///
/// A path is filed under the key of every piece it runs through; a change looks only at the
/// paths filed under the pieces it touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpatialKey(u64);

impl SpatialKey {
    /// The key of a sector of the ground.
    #[inline]
    pub const fn from_sector(sector: SectorId) -> Self {
        Self((sector.x.cast_unsigned() as u64) << 32 | sector.y.cast_unsigned() as u64)
    }

    /// The key of a piece of the field or the air, by a number of its own.
    #[inline]
    pub const fn from_block(number: u64) -> Self {
        Self(number)
    }

    /// The key as a number.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.0
    }
}

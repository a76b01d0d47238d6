//! Ids and spatial keys of path subscriptions.

use crate::{Id, SectorId};

/// Marker type of [`SubscriptionId`].
#[derive(Debug)]
pub enum Subscription {}

/// The id of a subscribed path.
pub type SubscriptionId = Id<Subscription>;

/// Key of a spatial index over subscribed paths.
///
/// A path is indexed under the key of every sector or block it crosses; a change set checks only
/// the paths under its dirty keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpatialKey(u64);

impl SpatialKey {
    /// The key of a ground sector.
    #[inline]
    pub const fn from_sector(sector: SectorId) -> Self {
        Self((sector.x.cast_unsigned() as u64) << 32 | sector.y.cast_unsigned() as u64)
    }

    /// The key of a block of another domain, by its own number.
    #[inline]
    pub const fn from_block(number: u64) -> Self {
        Self(number)
    }

    /// The key as an integer.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.0
    }
}

//! Which ground is which: so that nobody takes what was learnt of one world for true in another.

use std::sync::atomic::{AtomicU64, Ordering};

use wayfarer_base::{Column, SectorId};

use super::Ground;
use super::sheet;

/// A number that no other ground of this program has; a copy of a ground has another one.
#[derive(Debug)]
pub(crate) struct Identity(u64);

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Default for Identity {
    fn default() -> Self {
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Ground {
    /// A number that no other ground of this program has, not even a copy of this one. With the
    /// revision it names a state of a world, for caches; it must not have a part in any result.
    #[inline]
    pub fn identity(&self) -> u64 {
        self.identity.0
    }

    /// True if, in the sector of `column` and the eight around it, all floors lie at height `z`
    /// and bits say everything about steps; see [`SheetBits::is_uniform`](super::SheetBits::is_plain).
    pub fn is_level_around(&self, column: Column, z: i32) -> bool {
        let center = SectorId::from_column(column);
        (-1..=1).all(|dy| {
            (-1..=1).all(|dx| {
                let sector =
                    SectorId::new(center.x.saturating_add(dx), center.y.saturating_add(dy));
                self.sheets_at(sector).all(|(_, sheet)| {
                    sheet.flags & (sheet::MOVES | sheet::WEIGHTED) == 0
                        && sheet.base == z
                        && sheet.is_flat()
                })
            })
        })
    }
}

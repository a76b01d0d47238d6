//! Process-wide unique numbers of grounds, so that caches of one ground are never used for another.

use std::sync::atomic::{AtomicU64, Ordering};

use wayfarer_base::{Column, SectorId};

use super::Ground;
use super::sheet;

/// A number unique in this process; a clone gets another one.
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
    /// A number unique in this process, different for a clone. With the revision it keys caches of
    /// a state; results must not depend on it.
    #[inline]
    pub fn identity(&self) -> u64 {
        self.identity.0
    }

    /// True if all floors in the sector of `column` and the eight around it lie at height `z` in
    /// uniform sheets; see [`SheetBits::is_uniform`](super::SheetBits::is_uniform).
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

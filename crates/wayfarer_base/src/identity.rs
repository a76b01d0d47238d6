//! Numbers of worlds in this process, so that ids of one are never used for another.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::BatchDigest;

/// A number unique in this process; a clone keeps it, until something besides a batch may have
/// changed the ids inside one of the two. With the revision it identifies a state, ids included.
///
/// It differs from run to run: results must not depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity(u64);

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Default for Identity {
    fn default() -> Self {
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Identity {
    /// The number.
    #[inline]
    pub const fn number(&self) -> u64 {
        self.0
    }

    /// Records a change of ids without a new revision, such as a batch that was undone.
    pub fn change(&mut self, reason: u64) {
        let mut digest = BatchDigest::default();
        digest.write_u64(self.0);
        digest.write_u64(reason);
        self.0 = digest.finish();
    }
}

//! The caches of agent types that are not searched for at the moment.
//!
//! A searcher has one cache per layer of a ground. All share one limit: the type searched for last
//! may take what the others leave, and these keep at most half of the limit. What exceeds that is
//! evicted cache by cache, the least recently used first.

use wayfarer_base::{ChangeLog, ChangeSet};
use wayfarer_world::ground::{Ground, GroundDifference, ProfileGround};

use super::cache_state::CacheState;

/// Caches of other types, the least recently used first.
#[derive(Clone, Debug, Default)]
pub(super) struct ParkedCaches(Vec<CacheState>);

impl ParkedCaches {
    /// Exchanges `cache` for the one of the layer of `ground`, if it belongs to another.
    #[inline]
    pub(super) fn select(&mut self, cache: &mut CacheState, ground: ProfileGround<'_>) {
        if cache.source != (ground.identity(), ground.layer_id()) {
            self.exchange(cache, ground);
        }
    }

    #[cold]
    fn exchange(&mut self, cache: &mut CacheState, ground: ProfileGround<'_>) {
        let source = (ground.identity(), ground.layer_id());
        let position = self.0.iter().position(|parked| parked.source == source);
        if cache.source.0 != source.0 && position.is_none() {
            return; // Another ground takes the cache over.
        }
        let mut found = match position {
            Some(position) => self.0.remove(position),
            None => CacheState::new(cache.limit()),
        };
        if cache.source.0 == source.0 {
            found.limit_bytes = cache.limit_bytes;
        }
        let parked = std::mem::replace(cache, found);
        // Those of other grounds would never be asked for again.
        self.0.retain(|parked| parked.source.0 == source.0);
        if parked.n_searches > 0 {
            self.0.push(parked);
        }
    }

    /// Evicts caches until they take at most half of `limit_bytes`.
    pub(super) fn enforce_limit(&mut self, limit_bytes: usize) {
        while !self.0.is_empty() && self.heap_bytes() > limit_bytes / 2 {
            self.0.remove(0);
        }
    }

    pub(super) fn sync(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) {
        for cache in &mut self.0 {
            cache.sync(ground, log);
        }
    }

    pub(super) fn apply_set(&mut self, ground: &Ground, set: &ChangeSet<GroundDifference>) {
        for cache in &mut self.0 {
            cache.apply_set(ground, set);
        }
    }

    /// Invalidates what the applied changes affect; drops the caches of types that are gone.
    pub(super) fn flush(&mut self, ground: &Ground) {
        self.0.retain_mut(|cache| {
            if cache.source.0 != ground.identity() {
                return true;
            }
            let Some(ground) = ground.layer_ground(cache.source.1) else {
                return false;
            };
            cache.flush(ground);
            true
        });
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Bytes of all of them.
    pub(super) fn heap_bytes(&self) -> usize {
        self.0.iter().map(CacheState::heap_bytes).sum()
    }
}

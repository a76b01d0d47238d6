//! The ids of subscribed paths, which stay when a world is saved and loaded.

use std::collections::BTreeMap;

use wayfarer_engine::base::SubscriptionId;

use crate::path::PathSubscription;

/// The subscriptions of a world by their ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subscriptions {
    /// The subscription in the engine, and true once it was reported as invalid.
    known: BTreeMap<PathSubscription, (SubscriptionId, bool)>,
    /// The inverse of `known`.
    ids: BTreeMap<SubscriptionId, PathSubscription>,
    last: u64,
}

impl Subscriptions {
    pub(super) fn add(&mut self, engine: SubscriptionId) -> PathSubscription {
        self.last += 1;
        let id = PathSubscription(self.last);
        self.insert(id, engine, false);
        id
    }

    fn insert(&mut self, id: PathSubscription, engine: SubscriptionId, is_reported: bool) {
        self.known.insert(id, (engine, is_reported));
        self.ids.insert(engine, id);
    }

    pub(super) fn remove(&mut self, id: PathSubscription) -> Option<SubscriptionId> {
        let (engine, _) = self.known.remove(&id)?;
        self.ids.remove(&engine);
        Some(engine)
    }

    /// The ids of those that a batch invalidated, ascending; each is reported once.
    pub(super) fn report(&mut self, invalidated: &[SubscriptionId]) -> Vec<PathSubscription> {
        let ids = invalidated.iter().filter_map(|engine| self.ids.get(engine));
        let mut ids: Vec<PathSubscription> = ids.copied().collect();
        ids.sort_unstable();
        ids.retain(|id| {
            let known = self.known.get_mut(id);
            known.is_some_and(|(_, is_reported)| !std::mem::replace(is_reported, true))
        });
        ids
    }

    /// Every subscription by id, with whether it was reported.
    pub(crate) fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (PathSubscription, SubscriptionId, bool)> {
        let known = self.known.iter();
        known.map(|(id, (engine, is_reported))| (*id, *engine, *is_reported))
    }

    /// The number of the last id given.
    pub(crate) const fn last(&self) -> u64 {
        self.last
    }

    /// Subscriptions that were saved; `None` if their ids are out of order.
    pub(crate) fn restored(
        last: u64,
        all: impl IntoIterator<Item = (PathSubscription, SubscriptionId, bool)>,
    ) -> Option<Self> {
        let mut restored = Self {
            last,
            ..Self::default()
        };
        for (id, engine, is_reported) in all {
            let before = restored.known.last_key_value();
            if id.0 > last || before.is_some_and(|(before, _)| *before >= id) {
                return None;
            }
            restored.insert(id, engine, is_reported);
        }
        Some(restored)
    }
}

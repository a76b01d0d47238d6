//! Subscribed paths by ids that stay when a world is saved and loaded.
//!
//! The engine watches the cells and voxels of a path. What the facade adds to it, string-pulled lines
//! and exact ends in the air, is indexed here: a batch of edits looks only at paths near its changes.

use std::collections::BTreeMap;

use wayfarer_engine as engine;
use wayfarer_engine::base::{Rect, SubscriptionId};
use wayfarer_engine::search::ground::NavGraph;

use super::World;
use crate::path::{Path, PathSubscription};
use crate::planner::validity::{changed_rects, margin_of, touches, widened};

mod line_index;

use line_index::LineIndex;

/// The subscriptions of a world by their ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subscriptions {
    known: BTreeMap<PathSubscription, Subscribed>,
    /// The ids by those of the engine.
    ids: BTreeMap<SubscriptionId, PathSubscription>,
    /// The lines of the paths that were not reported.
    lines: LineIndex,
    last: u64,
}

/// A subscribed path.
#[derive(Clone, Debug)]
pub(crate) struct Subscribed {
    /// The subscription of its cells and voxels.
    engine: SubscriptionId,
    pub(crate) path: Path,
    /// Columns around its lines that the body depends on.
    margin: i32,
    /// True once it was reported as invalid.
    pub(crate) is_reported: bool,
}

impl Subscriptions {
    fn insert(&mut self, id: PathSubscription, subscribed: Subscribed) {
        if !subscribed.is_reported {
            self.lines.insert(id, &subscribed.path, subscribed.margin);
        }
        self.ids.insert(subscribed.engine, id);
        self.known.insert(id, subscribed);
    }

    fn remove(&mut self, id: PathSubscription) -> Option<SubscriptionId> {
        let subscribed = self.known.remove(&id)?;
        self.ids.remove(&subscribed.engine);
        self.lines.remove(id);
        Some(subscribed.engine)
    }

    /// Marks paths that a batch invalidated; ascending and each once, those that were not marked before.
    fn report(&mut self, mut ids: Vec<PathSubscription>) -> Vec<PathSubscription> {
        ids.sort_unstable();
        ids.retain(|id| {
            let Some(known) = self.known.get_mut(id).filter(|known| !known.is_reported) else {
                return false;
            };
            known.is_reported = true;
            self.lines.remove(*id);
            true
        });
        ids
    }

    /// Every subscription by id.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (PathSubscription, &Subscribed)> {
        self.known.iter().map(|(id, known)| (*id, known))
    }

    /// The number of the last id given.
    pub(crate) const fn last(&self) -> u64 {
        self.last
    }
}

impl World {
    /// Subscribes a path: the first later edit that invalidates it reports the subscription in
    /// [`WorldChanges::invalidated`](crate::WorldChanges::invalidated). Watched are the cells, voxels and
    /// obstacles that the search depended on and the lines between [waypoints](Path::waypoints): after an
    /// edit that reports none of them, [`World::status`] calls the path walkable. An edit takes time for
    /// the paths near it, and a few nanoseconds for each subscribed flight if it changes the air.
    pub fn subscribe(&mut self, path: Path) -> PathSubscription {
        let id = PathSubscription(self.subscriptions.last + 1);
        self.subscriptions.last = id.0;
        self.subscribe_as(id, path, false);
        id
    }

    fn subscribe_as(&mut self, id: PathSubscription, path: Path, is_reported: bool) {
        let engine = self.engine.subscribe(path.engine().clone());
        self.insert_subscription(id, engine, path, is_reported);
    }

    fn insert_subscription(
        &mut self,
        id: PathSubscription,
        engine: SubscriptionId,
        path: Path,
        is_reported: bool,
    ) {
        let nav_graph = self.nav_graph(path.agent_type());
        let subscribed = Subscribed {
            engine,
            margin: nav_graph.map_or(0, margin_of),
            path,
            is_reported,
        };
        self.subscriptions.insert(id, subscribed);
    }

    /// Subscribes paths that were saved, `last` being the last id given; false if an id is out of order.
    pub(crate) fn restore_subscriptions(
        &mut self,
        last: u64,
        saved: Vec<(PathSubscription, Path, bool)>,
    ) -> bool {
        self.subscriptions.last = last;
        for (id, path, is_reported) in saved {
            let before = self.subscriptions.known.last_key_value();
            if id.0 > last || before.is_some_and(|(before, _)| *before >= id) {
                return false;
            }
            self.subscribe_as(id, path, is_reported);
        }
        true
    }

    /// Replaces the path of a subscription, which can be reported again; false if there is no such
    /// subscription. Cheaper than a new one if the path is a repair of the old one.
    pub fn update_subscription(&mut self, subscription: PathSubscription, path: Path) -> bool {
        let Some(engine) = self.subscriptions.remove(subscription) else {
            return false;
        };
        self.engine
            .update_subscription(engine, path.engine().clone());
        self.insert_subscription(subscription, engine, path, false);
        true
    }

    /// Ends a subscription; false if it does not exist.
    pub fn unsubscribe(&mut self, subscription: PathSubscription) -> bool {
        match self.subscriptions.remove(subscription) {
            Some(engine) => self.engine.unsubscribe(engine).is_some(),
            None => false,
        }
    }

    /// The subscriptions that a batch invalidated, ascending; each is reported once.
    pub(super) fn report_invalidated(
        &mut self,
        changes: &engine::WorldChanges,
    ) -> Vec<PathSubscription> {
        let subscriptions = &self.subscriptions;
        let ids = changes.invalidated.iter();
        let ids = ids.filter_map(|engine| subscriptions.ids.get(engine));
        let mut ids: Vec<PathSubscription> = ids.copied().collect();
        ids.extend(self.blocked_walks(changes));
        ids.extend(self.blocked_flights(changes));
        ids.extend(self.blocked_by_bodies(changes));
        self.subscriptions.report(ids)
    }

    /// The paths with a line on the ground that a batch blocked.
    fn blocked_walks(&self, changes: &engine::WorldChanges) -> Vec<PathSubscription> {
        let Some(ground) = &changes.ground else {
            return Vec::new();
        };
        let rects = changed_rects(&ground.changes.differences);
        let is_blocked = |path: &Path, nav_graph: NavGraph<'_>, near: &[(_, usize)]| {
            let margin = margin_of(nav_graph);
            let near: Vec<Rect> = near.iter().map(|at| widened(rects[at.1], margin)).collect();
            path.traversal().windows(2).any(|line| {
                let ends = [line[0].position, line[1].position].map(|at| self.frame.point(at));
                let [Some(a), Some(b)] = ends else {
                    return false;
                };
                near.iter().any(|rect| touches(*rect, a, b))
                    && self.is_line_blocked(nav_graph, line)
            })
        };
        let near = self.subscriptions.lines.near(&rects);
        let near = near.chunk_by(|a, b| a.0 == b.0);
        let blocked = near.filter(|near| {
            let subscribed = self.subscriptions.known.get(&near[0].0);
            subscribed.is_some_and(|one| {
                let nav_graph = self.nav_graph(one.path.agent_type());
                nav_graph.is_some_and(|nav_graph| is_blocked(&one.path, nav_graph, near))
            })
        });
        blocked.map(|near| near[0].0).collect()
    }

    /// The flights with an exact end that a batch blocked.
    fn blocked_flights(&self, changes: &engine::WorldChanges) -> Vec<PathSubscription> {
        let (Some(air), Some(changes)) = (self.engine.air(), &changes.air) else {
            return Vec::new();
        };
        let mut near = self.subscriptions.lines.flights_near(air, changes);
        near.retain(|id| {
            let subscribed = self.subscriptions.known.get(id);
            subscribed.is_some_and(|one| self.blocked_flight_end(&one.path).is_some())
        });
        near
    }

    /// The paths with a line that a body or obstacle to avoid entered.
    fn blocked_by_bodies(&self, changes: &engine::WorldChanges) -> Vec<PathSubscription> {
        let moves_bodies = !changes.bodies.is_empty() || !changes.obstacles.is_empty();
        let avoiding = self.subscriptions.lines.avoiding();
        let avoiding = avoiding.filter(|_| moves_bodies);
        let is_blocked = |id: &PathSubscription| {
            let subscribed = self.subscriptions.known.get(id);
            subscribed.is_some_and(|one| self.line_past_bodies(&one.path).is_some())
        };
        avoiding.filter(is_blocked).collect()
    }
}

#[cfg(test)]
mod tests;

//! Path subscriptions: each batch of edits reports the subscribed paths it invalidates.
//!
//! Ground and flight legs are indexed by the sectors and cubes they cross, so that a batch checks
//! only paths near its changes. Paths with air links, planar legs or avoided obstacles are checked
//! in full by batches that change those.

use wayfarer_base::collections::{FastMap, SlotMap};
use wayfarer_base::{Id, PathStatus, SubscriptionId};
use wayfarer_search::air::FlightSubscriptions;
use wayfarer_search::ground::PathIndex;

use super::World;
use super::change::WorldChanges;
use super::path::{Path, PathLeg};

/// The subscribed paths with their spatial indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Subscriptions {
    paths: SlotMap<SubscribedPath>,
    /// Index of the ground legs: path and leg.
    walks: PathIndex<(SubscriptionId, usize)>,
    flights: FlightSubscriptions,
    /// The path of each flight leg.
    flight_owners: FastMap<SubscriptionId, SubscriptionId>,
    /// The paths that changes of obstacles or air links can invalidate.
    full_checks: Vec<SubscriptionId>,
}

#[derive(Clone, Debug)]
struct SubscribedPath {
    path: Path,
    walks: Vec<SubscriptionId>,
    flights: Vec<SubscriptionId>,
    /// True if changes of obstacles or air links can invalidate it.
    needs_full_check: bool,
    is_invalid: bool,
}

impl World {
    /// Subscribes a path of the present revision: the first later batch that invalidates it reports
    /// it in [`WorldChanges::invalidated`].
    ///
    /// On the ground and in the air a batch takes time proportional to its changes and the paths
    /// near them. Paths that avoid obstacles, have planar legs or use air links are checked in full
    /// by every batch that changes obstacles or air links.
    pub fn subscribe(&mut self, path: Path) -> SubscriptionId {
        let slot = self.subscriptions.paths.insert(SubscribedPath {
            walks: Vec::new(),
            flights: Vec::new(),
            needs_full_check: false,
            is_invalid: false,
            path,
        });
        let id = SubscriptionId::from_bits(slot.to_bits());
        self.index_path(id);
        id
    }

    /// Removes a subscription and returns its path; `None` if it does not exist.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> Option<Path> {
        self.unindex_path(id);
        let one = self
            .subscriptions
            .paths
            .remove(Id::from_bits(id.to_bits()))?;
        Some(one.path)
    }

    /// Replaces the path of a subscription by one of the present revision and returns the old path;
    /// `None`, without effect, if the subscription does not exist.
    ///
    /// Cheaper than a new subscription if the new path is a repair of the old one.
    pub fn update_subscription(&mut self, id: SubscriptionId, path: Path) -> Option<Path> {
        let subscribed = &mut self.subscriptions;
        let one = subscribed.paths.get_mut(Id::from_bits(id.to_bits()))?;
        if let (Some(previous), Some(walk)) = (one.path.as_ground_path(), path.as_ground_path())
            && let [leg] = one.walks[..]
            && one.path.avoided_obstacles.is_empty()
            && path.avoided_obstacles.is_empty()
        {
            subscribed.walks.update(leg, previous, walk);
            one.is_invalid = false;
            return Some(std::mem::replace(&mut one.path, path));
        }
        self.unindex_path(id);
        let one = self
            .subscriptions
            .paths
            .get_mut(Id::from_bits(id.to_bits()))?;
        one.is_invalid = false;
        let previous = std::mem::replace(&mut one.path, path);
        self.index_path(id);
        Some(previous)
    }

    /// Adds the legs of a path to the indices.
    fn index_path(&mut self, id: SubscriptionId) {
        let subscribed = &mut self.subscriptions;
        let Some(one) = subscribed.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        one.needs_full_check = !one.path.avoided_obstacles.is_empty();
        for (number, leg) in one.path.legs.iter().enumerate() {
            match leg {
                PathLeg::Ground(walk) => {
                    one.walks.push(subscribed.walks.insert((id, number), walk));
                }
                PathLeg::Flight(flight) => {
                    if let Some(air) = &self.air {
                        let flight = subscribed.flights.subscribe(air, flight.clone());
                        one.flights.push(flight);
                        subscribed.flight_owners.insert(flight, id);
                    }
                }
                PathLeg::TakeOff(_) | PathLeg::Landing(_) | PathLeg::Planar(_) => {
                    one.needs_full_check = true;
                }
            }
        }
        if one.needs_full_check {
            subscribed.full_checks.push(id);
        }
    }

    /// Removes the legs of a path from the indices.
    fn unindex_path(&mut self, id: SubscriptionId) {
        let subscribed = &mut self.subscriptions;
        let Some(one) = subscribed.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        for walk in one.walks.drain(..) {
            subscribed.walks.remove(walk);
        }
        for flight in one.flights.drain(..) {
            subscribed.flights.unsubscribe(flight);
            subscribed.flight_owners.remove(&flight);
        }
        if one.needs_full_check {
            subscribed.full_checks.retain(|other| *other != id);
        }
    }

    /// The path of a subscription; `None` if it has ended.
    pub fn subscribed_path(&self, id: SubscriptionId) -> Option<&Path> {
        let one = self.subscriptions.paths.get(Id::from_bits(id.to_bits()))?;
        Some(&one.path)
    }

    /// Number of subscriptions.
    pub fn n_subscriptions(&self) -> usize {
        self.subscriptions.paths.len()
    }

    /// The subscriptions that a batch invalidates, ascending; marks them.
    pub(super) fn find_invalidated(&mut self, changes: &WorldChanges) -> Vec<SubscriptionId> {
        let mut invalidated: Vec<SubscriptionId> = Vec::new();
        let subscribed = &mut self.subscriptions;
        if let Some(ground) = &changes.ground {
            let report =
                subscribed
                    .walks
                    .find_invalidated(&self.ground, &ground.changes, |(id, leg)| {
                        let one = subscribed.paths.get(Id::from_bits(id.to_bits()))?;
                        match one.path.legs.get(*leg) {
                            Some(PathLeg::Ground(walk)) => Some(walk),
                            _ => None,
                        }
                    });
            let owners = report.invalidated.iter();
            let owners = owners.filter_map(|id| subscribed.walks.owner(*id));
            invalidated.extend(owners.map(|(id, _)| *id));
            subscribed.walks.mark_invalid(&report.invalidated);
        }
        if let (Some(air), Some(set)) = (&self.air, &changes.air) {
            let report = subscribed.flights.find_invalidated(air, set);
            let owners = report
                .invalidated
                .iter()
                .filter_map(|id| subscribed.flight_owners.get(id));
            invalidated.extend(owners);
        }
        // The legs next to a take-off or landing cover its cell and voxel.
        if !changes.obstacles.is_empty() || !changes.air_links.is_empty() {
            for id in &self.subscriptions.full_checks {
                let one = self.subscriptions.paths.get(Id::from_bits(id.to_bits()));
                let is_invalid =
                    |path: &Path| matches!(self.status(path), PathStatus::Invalid { .. });
                if one.is_some_and(|one| !one.is_invalid && is_invalid(&one.path)) {
                    invalidated.push(*id);
                }
            }
        }
        invalidated.sort_unstable();
        invalidated.dedup();
        invalidated.retain(|id| {
            let one = self
                .subscriptions
                .paths
                .get_mut(Id::from_bits(id.to_bits()));
            one.is_some_and(|one| !std::mem::replace(&mut one.is_invalid, true))
        });
        invalidated
    }
}

#[cfg(test)]
mod tests;

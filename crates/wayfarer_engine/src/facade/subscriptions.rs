//! Path subscriptions: each batch of edits reports the subscribed paths it invalidates.
//!
//! Ground and flight legs are indexed by the sectors and cubes they cross, so that a batch checks
//! only paths near its changes. Paths with air links, planar legs or avoided obstacles are checked
//! in full by batches that change those.

use wayfarer_base::collections::SlotMap;
use wayfarer_base::subscription::Subscription;
use wayfarer_base::{PathStatus, SubscriptionId};
use wayfarer_search::air::FlightPath;
use wayfarer_search::ground::GroundPath;
use wayfarer_search::subscriptions::{PathIndex, Subscribable};

use super::World;
use super::change::WorldChanges;
use super::path::{Path, PathLeg};

/// The path that an indexed leg belongs to, and its number there.
type LegOwner = (SubscriptionId, usize);

/// The subscribed paths with their spatial indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Subscriptions {
    paths: SlotMap<SubscribedPath, Subscription>,
    walks: PathIndex<GroundPath, LegOwner>,
    flights: PathIndex<FlightPath, LegOwner>,
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
        let id = self.subscriptions.paths.insert(SubscribedPath {
            walks: Vec::new(),
            flights: Vec::new(),
            needs_full_check: false,
            is_invalid: false,
            path,
        });
        self.index_path(id);
        id
    }

    /// Removes a subscription and returns its path; `None` if it does not exist.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> Option<Path> {
        self.unindex_path(id);
        Some(self.subscriptions.paths.remove(id)?.path)
    }

    /// Replaces the path of a subscription by one of the present revision and returns the old path;
    /// `None`, without effect, if the subscription does not exist.
    ///
    /// Cheaper than a new subscription if the new path is a repair of the old one.
    pub fn update_subscription(&mut self, id: SubscriptionId, path: Path) -> Option<Path> {
        let subscribed = &mut self.subscriptions;
        let one = subscribed.paths.get_mut(id)?;
        if let (Some(previous), Some(walk)) = (one.path.as_ground_path(), path.as_ground_path())
            && let [leg] = one.walks[..]
            && one.path.avoided_obstacles.is_empty()
            && path.avoided_obstacles.is_empty()
        {
            subscribed.walks.update(leg, &self.ground, previous, walk);
            one.is_invalid = false;
            return Some(std::mem::replace(&mut one.path, path));
        }
        self.unindex_path(id);
        let one = self.subscriptions.paths.get_mut(id)?;
        one.is_invalid = false;
        let previous = std::mem::replace(&mut one.path, path);
        self.index_path(id);
        Some(previous)
    }

    /// Adds the legs of a path to the indices.
    fn index_path(&mut self, id: SubscriptionId) {
        let subscribed = &mut self.subscriptions;
        let Some(one) = subscribed.paths.get_mut(id) else {
            return;
        };
        one.needs_full_check = !one.path.avoided_obstacles.is_empty();
        for (number, leg) in one.path.legs.iter().enumerate() {
            match leg {
                PathLeg::Ground(walk) => {
                    let leg = subscribed.walks.insert((id, number), &self.ground, walk);
                    one.walks.push(leg);
                }
                PathLeg::Flight(flight) => {
                    if let Some(air) = &self.air {
                        let leg = subscribed.flights.insert((id, number), air, flight);
                        one.flights.push(leg);
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
        let Some(one) = subscribed.paths.get_mut(id) else {
            return;
        };
        for walk in one.walks.drain(..) {
            subscribed.walks.remove(walk);
        }
        for flight in one.flights.drain(..) {
            subscribed.flights.remove(flight);
        }
        if one.needs_full_check {
            subscribed.full_checks.retain(|other| *other != id);
        }
    }

    /// The path of a subscription; `None` if it has ended.
    pub fn subscribed_path(&self, id: SubscriptionId) -> Option<&Path> {
        let one = self.subscriptions.paths.get(id)?;
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
        let (paths, walks) = (&subscribed.paths, &mut subscribed.walks);
        if let Some(ground) = &changes.ground {
            let set = &ground.changes;
            invalidated.extend(invalidated_legs(
                walks,
                paths,
                &self.ground,
                set,
                |leg| match leg {
                    PathLeg::Ground(walk) => Some(walk),
                    _ => None,
                },
            ));
        }
        if let (Some(air), Some(set)) = (&self.air, &changes.air) {
            let flights = &mut subscribed.flights;
            invalidated.extend(invalidated_legs(
                flights,
                paths,
                air,
                set,
                |leg| match leg {
                    PathLeg::Flight(flight) => Some(flight),
                    _ => None,
                },
            ));
        }
        // The legs next to a take-off or landing cover its cell and voxel.
        let moves_obstacles = !changes.bodies.is_empty() && !self.body_obstacles.is_empty();
        if moves_obstacles || !changes.obstacles.is_empty() || !changes.air_links.is_empty() {
            for id in &self.subscriptions.full_checks {
                let one = self.subscriptions.paths.get(*id);
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
            let one = self.subscriptions.paths.get_mut(*id);
            one.is_some_and(|one| !std::mem::replace(&mut one.is_invalid, true))
        });
        invalidated
    }
}

/// The paths with a leg in `index` that a batch invalidates; marks the legs.
fn invalidated_legs<P: Subscribable>(
    index: &mut PathIndex<P, LegOwner>,
    paths: &SlotMap<SubscribedPath, Subscription>,
    world: &P::World,
    set: &P::Changes,
    as_leg: impl Fn(&PathLeg) -> Option<&P>,
) -> Vec<SubscriptionId> {
    let leg_of = |(id, number): &LegOwner| as_leg(paths.get(*id)?.path.legs.get(*number)?);
    let legs = index.find_invalidated(world, set, leg_of).invalidated;
    index.mark_invalid(&legs);
    let owners = legs.iter().filter_map(|leg| index.owner(*leg));
    owners.map(|(id, _)| *id).collect()
}

#[cfg(test)]
mod tests;

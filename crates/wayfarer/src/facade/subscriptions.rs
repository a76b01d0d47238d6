//! Paths that are watched: each batch of edits tells at once which of them it broke.

use wayfarer_base::collections::{FastMap, SlotMap};
use wayfarer_base::{Id, PathStatus, SubscriptionId};
use wayfarer_search::air::FlightSubscriptions;
use wayfarer_search::ground::PathIndex;

use super::World;
use super::change::WorldChanges;
use super::path::{Path, PathLeg};

/// All subscribed paths, filed under the pieces of ground and air that they lead through.
#[derive(Clone, Debug, Default)]
pub(super) struct SubscribedPaths {
    paths: SlotMap<SubscribedPath>,
    /// The walks of all paths: which path, and which leg of it.
    walks: PathIndex<(SubscriptionId, usize)>,
    flights: FlightSubscriptions,
    /// Whose each watched flight is.
    flyers: FastMap<SubscriptionId, SubscriptionId>,
    /// Those that movers or air links can break.
    others: Vec<SubscriptionId>,
}

#[derive(Clone, Debug)]
struct SubscribedPath {
    path: Path,
    walks: Vec<SubscriptionId>,
    flights: Vec<SubscriptionId>,
    /// True if movers or air links can break it.
    is_other: bool,
    is_broken: bool,
}

impl World {
    /// Watches a path of the present revision: every later batch of edits that breaks it says so
    /// in its [change set](WorldChanges::broken), once.
    ///
    /// On ground and in air that takes time in proportion to what changed and the paths there;
    /// paths that keep clear of movers, roam the field or use air links are looked at with every
    /// batch that changes those.
    pub fn subscribe(&mut self, path: Path) -> SubscriptionId {
        let slot = self.subscribed_path.paths.insert(SubscribedPath {
            walks: Vec::new(),
            flights: Vec::new(),
            is_other: false,
            is_broken: false,
            path,
        });
        let id = SubscriptionId::from_bits(slot.to_bits());
        self.file(id);
        id
    }

    /// Stops watching a path and gives it back; `None` if it is not watched.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> Option<Path> {
        self.unfile(id);
        let one = self
            .subscribed_path
            .paths
            .remove(Id::from_bits(id.to_bits()))?;
        Some(one.path)
    }

    /// Watches a path of the present revision under the name of another, which is no longer
    /// watched and given back; `None`, with nothing done, if there is no such name.
    ///
    /// For a walk that was repaired this takes less time than to watch it anew.
    pub fn update_subscription(&mut self, id: SubscriptionId, path: Path) -> Option<Path> {
        let subscribed = &mut self.subscribed_path;
        let one = subscribed.paths.get_mut(Id::from_bits(id.to_bits()))?;
        if let (Some(previous), Some(walk)) = (one.path.as_walk(), path.as_walk())
            && let [filed] = one.walks[..]
            && one.path.avoided_obstacles.is_empty()
            && path.avoided_obstacles.is_empty()
        {
            subscribed.walks.update(filed, previous, walk);
            one.is_broken = false;
            return Some(std::mem::replace(&mut one.path, path));
        }
        self.unfile(id);
        let one = self
            .subscribed_path
            .paths
            .get_mut(Id::from_bits(id.to_bits()))?;
        one.is_broken = false;
        let previous = std::mem::replace(&mut one.path, path);
        self.file(id);
        Some(previous)
    }

    /// Files the legs of a subscribed path.
    fn file(&mut self, id: SubscriptionId) {
        let subscribed = &mut self.subscribed_path;
        let Some(one) = subscribed.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        one.is_other = !one.path.avoided_obstacles.is_empty();
        for (number, leg) in one.path.legs.iter().enumerate() {
            match leg {
                PathLeg::Ground(walk) => {
                    one.walks.push(subscribed.walks.insert((id, number), walk))
                }
                PathLeg::Flight(flight) => {
                    if let Some(air) = &self.air {
                        let flight = subscribed.flights.watch(air, flight.clone());
                        one.flights.push(flight);
                        subscribed.flyers.insert(flight, id);
                    }
                }
                PathLeg::TakeOff(_) | PathLeg::Landing(_) | PathLeg::Planar(_) => {
                    one.is_other = true
                }
            }
        }
        if one.is_other {
            subscribed.others.push(id);
        }
    }

    /// Takes the legs of a subscribed path out of all files.
    fn unfile(&mut self, id: SubscriptionId) {
        let subscribed = &mut self.subscribed_path;
        let Some(one) = subscribed.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        for walk in one.walks.drain(..) {
            subscribed.walks.take(walk);
        }
        for flight in one.flights.drain(..) {
            subscribed.flights.take(flight);
            subscribed.flyers.remove(&flight);
        }
        if one.is_other {
            subscribed.others.retain(|other| *other != id);
        }
    }

    /// A subscribed path.
    pub fn subscribed_path(&self, id: SubscriptionId) -> Option<&Path> {
        let one = self
            .subscribed_path
            .paths
            .get(Id::from_bits(id.to_bits()))?;
        Some(&one.path)
    }

    /// How many paths are watched.
    pub fn n_subscribed(&self) -> usize {
        self.subscribed_path.paths.len()
    }

    /// The subscribed paths that a batch broke, in order.
    pub(super) fn notice(&mut self, changes: &WorldChanges) -> Vec<SubscriptionId> {
        let mut broken: Vec<SubscriptionId> = Vec::new();
        let subscribed = &mut self.subscribed_path;
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
            broken.extend(owners.map(|(id, _)| *id));
            subscribed.walks.mark_invalid(&report.invalidated);
        }
        if let (Some(air), Some(set)) = (&self.air, &changes.air) {
            let report = subscribed.flights.notice(air, set);
            let owners = report
                .broken
                .iter()
                .filter_map(|id| subscribed.flyers.get(id));
            broken.extend(owners);
        }
        // Room to stand and to fly is watched with the legs beside a take-off or landing.
        if !changes.obstacles.is_empty() || !changes.air_links.is_empty() {
            for id in &self.subscribed_path.others {
                let one = self.subscribed_path.paths.get(Id::from_bits(id.to_bits()));
                let is_broken =
                    |path: &Path| matches!(self.status(path), PathStatus::Invalid { .. });
                if one.is_some_and(|one| !one.is_broken && is_broken(&one.path)) {
                    broken.push(*id);
                }
            }
        }
        broken.sort_unstable();
        broken.dedup();
        broken.retain(|id| {
            let one = self
                .subscribed_path
                .paths
                .get_mut(Id::from_bits(id.to_bits()));
            one.is_some_and(|one| !std::mem::replace(&mut one.is_broken, true))
        });
        broken
    }
}

#[cfg(test)]
mod tests;

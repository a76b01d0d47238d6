//! Paths that are watched: each batch of edits tells at once which of them it broke.

use wayfarer_base::collections::{FastMap, SlotMap};
use wayfarer_base::{Id, PathStatus, SubscriptionId};
use wayfarer_search::air::FlightSubscriptions;
use wayfarer_search::ground::PathIndex;

use super::World;
use super::change::WorldChanges;
use super::path::{Path, PathLeg};

/// All watched paths, filed under the pieces of ground and air that they lead through.
#[derive(Clone, Debug, Default)]
pub(super) struct WatchedPaths {
    paths: SlotMap<WatchedPath>,
    /// The walks of all paths: which path, and which leg of it.
    walks: PathIndex<(SubscriptionId, usize)>,
    flights: FlightSubscriptions,
    /// Whose each watched flight is.
    flyers: FastMap<SubscriptionId, SubscriptionId>,
    /// Those that movers or perches can break.
    others: Vec<SubscriptionId>,
}

#[derive(Clone, Debug)]
struct WatchedPath {
    path: Path,
    walks: Vec<SubscriptionId>,
    flights: Vec<SubscriptionId>,
    /// True if movers or perches can break it.
    is_other: bool,
    is_broken: bool,
}

impl World {
    /// Watches a path of the present revision: every later batch of edits that breaks it says so
    /// in its [change set](WorldChanges::broken), once.
    ///
    /// On ground and in air that takes time in proportion to what changed and the paths there;
    /// paths that keep clear of movers, roam the field or use perches are looked at with every
    /// batch that changes those.
    pub fn watch(&mut self, path: Path) -> SubscriptionId {
        let slot = self.watched.paths.insert(WatchedPath {
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
    pub fn unwatch(&mut self, id: SubscriptionId) -> Option<Path> {
        self.unfile(id);
        let one = self.watched.paths.remove(Id::from_bits(id.to_bits()))?;
        Some(one.path)
    }

    /// Watches a path of the present revision under the name of another, which is no longer
    /// watched and given back; `None`, with nothing done, if there is no such name.
    ///
    /// For a walk that was mended this takes less time than to watch it anew.
    pub fn rewatch(&mut self, id: SubscriptionId, path: Path) -> Option<Path> {
        let watched = &mut self.watched;
        let one = watched.paths.get_mut(Id::from_bits(id.to_bits()))?;
        if let (Some(former), Some(walk)) = (one.path.as_walk(), path.as_walk())
            && let [filed] = one.walks[..]
            && one.path.movers.is_empty()
            && path.movers.is_empty()
        {
            watched.walks.update(filed, former, walk);
            one.is_broken = false;
            return Some(std::mem::replace(&mut one.path, path));
        }
        self.unfile(id);
        let one = self.watched.paths.get_mut(Id::from_bits(id.to_bits()))?;
        one.is_broken = false;
        let former = std::mem::replace(&mut one.path, path);
        self.file(id);
        Some(former)
    }

    /// Files the legs of a watched path.
    fn file(&mut self, id: SubscriptionId) {
        let watched = &mut self.watched;
        let Some(one) = watched.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        one.is_other = !one.path.movers.is_empty();
        for (number, leg) in one.path.legs.iter().enumerate() {
            match leg {
                PathLeg::Walk(walk) => one.walks.push(watched.walks.insert((id, number), walk)),
                PathLeg::Fly(flight) => {
                    if let Some(air) = &self.air {
                        let flight = watched.flights.watch(air, flight.clone());
                        one.flights.push(flight);
                        watched.flyers.insert(flight, id);
                    }
                }
                PathLeg::TakeOff(_) | PathLeg::Land(_) | PathLeg::Roam(_) => one.is_other = true,
            }
        }
        if one.is_other {
            watched.others.push(id);
        }
    }

    /// Takes the legs of a watched path out of all files.
    fn unfile(&mut self, id: SubscriptionId) {
        let watched = &mut self.watched;
        let Some(one) = watched.paths.get_mut(Id::from_bits(id.to_bits())) else {
            return;
        };
        for walk in one.walks.drain(..) {
            watched.walks.take(walk);
        }
        for flight in one.flights.drain(..) {
            watched.flights.take(flight);
            watched.flyers.remove(&flight);
        }
        if one.is_other {
            watched.others.retain(|other| *other != id);
        }
    }

    /// A watched path.
    pub fn watched(&self, id: SubscriptionId) -> Option<&Path> {
        let one = self.watched.paths.get(Id::from_bits(id.to_bits()))?;
        Some(&one.path)
    }

    /// How many paths are watched.
    pub fn n_watched(&self) -> usize {
        self.watched.paths.len()
    }

    /// The watched paths that a batch broke, in order.
    pub(super) fn notice(&mut self, changes: &WorldChanges) -> Vec<SubscriptionId> {
        let mut broken: Vec<SubscriptionId> = Vec::new();
        let watched = &mut self.watched;
        if let Some(ground) = &changes.ground {
            let report =
                watched
                    .walks
                    .find_invalidated(&self.ground, &ground.changes, |(id, leg)| {
                        let one = watched.paths.get(Id::from_bits(id.to_bits()))?;
                        match one.path.legs.get(*leg) {
                            Some(PathLeg::Walk(walk)) => Some(walk),
                            _ => None,
                        }
                    });
            let owners = report.invalidated.iter();
            let owners = owners.filter_map(|id| watched.walks.owner(*id));
            broken.extend(owners.map(|(id, _)| *id));
            watched.walks.mark_invalid(&report.invalidated);
        }
        if let (Some(air), Some(set)) = (&self.air, &changes.air) {
            let report = watched.flights.notice(air, set);
            let owners = report.broken.iter().filter_map(|id| watched.flyers.get(id));
            broken.extend(owners);
        }
        // Room to stand and to fly is watched with the legs beside a take-off or landing.
        if !changes.field.is_empty() || !changes.perches.is_empty() {
            for id in &self.watched.others {
                let one = self.watched.paths.get(Id::from_bits(id.to_bits()));
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
            let one = self.watched.paths.get_mut(Id::from_bits(id.to_bits()));
            one.is_some_and(|one| !std::mem::replace(&mut one.is_broken, true))
        });
        broken
    }
}

#[cfg(test)]
mod tests;

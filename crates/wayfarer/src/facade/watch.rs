//! Paths that are watched: each batch of edits tells at once which of them it broke.

use wayfarer_base::collections::{FastMap, Slots};
use wayfarer_base::{Id, PathStatus, WatchId};
use wayfarer_search::air::FlightWatch;
use wayfarer_search::ground::WatchList;

use super::World;
use super::change::WorldChanges;
use super::path::{Path, PathLeg};

/// All watched paths, filed under the pieces of ground and air that they lead through.
#[derive(Clone, Debug, Default)]
pub(super) struct WatchedPaths {
    paths: Slots<WatchedPath>,
    walks: WatchList,
    flights: FlightWatch,
    /// Whose each watched walk and flight is.
    walkers: FastMap<WatchId, WatchId>,
    flyers: FastMap<WatchId, WatchId>,
    /// Those that movers or perches can break.
    others: Vec<WatchId>,
}

#[derive(Clone, Debug)]
struct WatchedPath {
    path: Path,
    walks: Vec<WatchId>,
    flights: Vec<WatchId>,
    is_broken: bool,
}

impl World {
    /// Watches a path of the present revision: every later batch of edits that breaks it says so
    /// in its [change set](WorldChanges::broken), once.
    ///
    /// On ground and in air that takes time in proportion to what changed and the paths there;
    /// paths that keep clear of movers, roam the field or use perches are looked at with every
    /// batch that changes those.
    pub fn watch(&mut self, path: Path) -> WatchId {
        let watched = &mut self.watched;
        let mut one = WatchedPath {
            walks: Vec::new(),
            flights: Vec::new(),
            is_broken: false,
            path,
        };
        let mut is_other = !one.path.movers.is_empty();
        for leg in &one.path.legs {
            match leg {
                PathLeg::Walk(walk) => one.walks.push(watched.walks.watch(walk.clone())),
                PathLeg::Fly(flight) => {
                    if let Some(air) = &self.air {
                        one.flights.push(watched.flights.watch(air, flight.clone()));
                    }
                }
                PathLeg::TakeOff(_) | PathLeg::Land(_) | PathLeg::Roam(_) => is_other = true,
            }
        }
        let (walks, flights) = (one.walks.clone(), one.flights.clone());
        let id = WatchId::from_bits(watched.paths.insert(one).to_bits());
        watched
            .walkers
            .extend(walks.into_iter().map(|walk| (walk, id)));
        watched
            .flyers
            .extend(flights.into_iter().map(|flight| (flight, id)));
        if is_other {
            watched.others.push(id);
        }
        id
    }

    /// Stops watching a path and gives it back; `None` if it is not watched.
    pub fn unwatch(&mut self, id: WatchId) -> Option<Path> {
        let watched = &mut self.watched;
        let one = watched.paths.remove(Id::from_bits(id.to_bits()))?;
        for walk in &one.walks {
            watched.walks.take(*walk);
            watched.walkers.remove(walk);
        }
        for flight in &one.flights {
            watched.flights.take(*flight);
            watched.flyers.remove(flight);
        }
        watched.others.retain(|other| *other != id);
        Some(one.path)
    }

    /// A watched path.
    pub fn watched(&self, id: WatchId) -> Option<&Path> {
        let one = self.watched.paths.get(Id::from_bits(id.to_bits()))?;
        Some(&one.path)
    }

    /// How many paths are watched.
    pub fn n_watched(&self) -> usize {
        self.watched.paths.len()
    }

    /// The watched paths that a batch broke, in order.
    pub(super) fn notice(&mut self, changes: &WorldChanges) -> Vec<WatchId> {
        let mut broken: Vec<WatchId> = Vec::new();
        let watched = &mut self.watched;
        if let Some(ground) = &changes.ground {
            let report = watched.walks.notice(&self.ground, &ground.set);
            let owners = report
                .broken
                .iter()
                .filter_map(|id| watched.walkers.get(id));
            broken.extend(owners);
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
                    |path: &Path| matches!(self.status(path), PathStatus::Broken { .. });
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

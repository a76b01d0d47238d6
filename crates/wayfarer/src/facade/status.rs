//! Whether a path still holds, and what to do if it does not.

use wayfarer_base::{
    Budget, Cost, CostChange, DirtySector, Location, Outcome, PathStatus, RequestError, Revision,
};
use wayfarer_search::{air, ground, planar};

use super::World;
use super::agent::Registered;
use super::change::AirLinkDifference;
use super::find::{flight_request, roam_request};
use super::path::{ModeTransition, Path, PathLeg};
use super::request::PathRequest;
use super::searcher::Searcher;

impl World {
    /// Whether a path found earlier still holds, without a search.
    ///
    /// * *Broken at leg k*: that leg can no longer be walked, flown or taken, or not at its cost multiplier,
    ///   or a mover stands on it that was to be kept clear of.
    /// * *Shorter may exist*: something opened or made room where a shorter way could lead. For who
    ///   walks and flies, anywhere in ground or air. Not told of paths past watchers, whose cost multipliers
    ///   change with every look.
    /// * *Forgotten*: longer ago than [`World::CHANGE_LOG_CAPACITY`] batches of the part it leads through.
    pub fn status(&self, path: &Path) -> PathStatus {
        let Ok(known) = self.registered(path.agent_type) else {
            return PathStatus::Unknown;
        };
        let mut whole = PathStatus::Valid;
        for (number, leg) in path.legs.iter().enumerate() {
            match self.leg_status(known, path, (leg, number == 0)) {
                PathStatus::Invalid { at, .. } => {
                    let leg = number;
                    return PathStatus::Invalid { leg, at };
                }
                PathStatus::Unknown => whole = PathStatus::Unknown,
                PathStatus::MaybeSuboptimal if whole == PathStatus::Valid => {
                    whole = PathStatus::MaybeSuboptimal;
                }
                _ => {}
            }
        }
        let is_mixed = known.agent_type.ground.is_some() && known.agent_type.flight.is_some();
        if whole == PathStatus::Valid && is_mixed && self.has_eased_since(path) {
            return PathStatus::MaybeSuboptimal;
        }
        whole
    }

    fn leg_status(
        &self,
        known: &Registered,
        path: &Path,
        (leg, is_first): (&PathLeg, bool),
    ) -> PathStatus {
        match (leg, &self.air, &self.obstacles) {
            (PathLeg::Ground(walk), _, _) => {
                let status = ground::status(&self.ground, &self.ground_log, walk);
                let at = self.mover_at(known, path, (walk, is_first));
                match at {
                    Some(at) if status.is_walkable() => PathStatus::Invalid { leg: 0, at },
                    _ => status,
                }
            }
            (PathLeg::Flight(flight), Some(air), _) => air::status(air, &self.air_log, flight),
            (PathLeg::Planar(found_path), _, Some(obstacles)) => {
                planar::status(obstacles, found_path).status
            }
            (PathLeg::TakeOff(up), _, _) => {
                let cost = self.transfer_cost(known, up.cell, up.voxel, true);
                transfer_status(cost, up.cost, Location::Voxel(up.voxel))
            }
            (PathLeg::Landing(down), _, _) => {
                let cost = self.transfer_cost(known, down.cell, down.voxel, false);
                transfer_status(cost, down.cost, Location::Cell(down.cell))
            }
            _ => PathStatus::Unknown,
        }
    }

    /// Where a mover that was to be kept clear of stands on a walk now.
    fn mover_at(
        &self,
        known: &Registered,
        path: &Path,
        (walk, is_first): (&ground::GroundPath, bool),
    ) -> Option<Location> {
        if path.revision == self.revision {
            return None;
        }
        let agent = self.mover_agent(path.avoided_obstacles, known)?;
        let (_, first) = *self
            .dynamic_obstacles_on(&walk.cells, agent, is_first)
            .first()?;
        let outline = self.obstacles.as_ref()?.outline(first, agent)?;
        Some(Location::Point(outline.low()))
    }

    /// True if anything opened or became cheaper in ground or air since a path was found.
    fn has_eased_since(&self, path: &Path) -> bool {
        fn eased<P>(dirty: &[DirtySector<P>]) -> bool {
            dirty
                .iter()
                .any(|one| CostChange::may_improve_paths(one.cost_change))
        }
        let Some(mut since) = self.changes_since(path.revision) else {
            return true;
        };
        since.any(|changes| {
            let ground = changes.ground.as_ref();
            let air = changes.air.as_ref();
            ground.is_some_and(|ground| eased(&ground.changes.dirty_sectors))
                || air.is_some_and(|air| eased(&air.dirty_sectors))
                || changes.air_links.iter().any(AirLinkDifference::may_shorten)
        })
    }

    /// Repairs a path that was found earlier for `request`: keeps what still holds and searches only
    /// the gap; finds the way anew where nothing can be kept. A path that holds comes back as of
    /// the present revision. Not always the cheapest: ask anew for that. A walk may be repaired from
    /// any of its cells on: what the agent has walked already is dropped.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        path: &Path,
    ) -> Result<Outcome<Path>, RequestError> {
        let known = self.registered(request.agent_type)?;
        searcher.ground.sync(&self.ground, &self.ground_log);
        let is_same = path.agent_type == request.agent_type
            && path.avoided_obstacles == request.avoided_obstacles
            && !path.includes_exposure
            && request.viewers.is_empty();
        let from = self.place_of(known, request.from);
        let is_walk = path.as_walk().is_some() && request.avoided_obstacles.is_empty();
        let may_have_begun = known.agent_type.flight.is_none() && is_walk;
        if !is_same || from != path.start() && !may_have_begun {
            return self.find_path(searcher, request);
        }
        match &path.legs[..] {
            [PathLeg::Ground(walk)]
                if known.agent_type.flight.is_none() && request.avoided_obstacles.is_empty() =>
            {
                if let Some(Location::Cell(to)) = self.place_of(known, request.to)
                    && let Some(Location::Cell(from)) = from
                {
                    let asked = self.walk_request(request, known, (from, to));
                    let log = &self.ground_log;
                    let repaired = searcher.ground.repair(&self.ground, log, &asked, walk)?;
                    return Ok(repaired.map(|repaired| self.of_walk(request, repaired.path)));
                }
            }
            [PathLeg::Flight(flight)] => {
                if let (Some(air), Some(flight_profile)) = (&self.air, known.agent_type.flight)
                    && let Some(Location::Voxel(to)) = self.place_of(known, request.to)
                    && let Some(from) = flight.start()
                {
                    let asked = flight_request(request, flight_profile, (from, to));
                    let repaired = searcher.air.repair(air, &asked, flight)?;
                    return Ok(repaired
                        .map(|repaired| self.of_flight(request, flight_profile, repaired.path)));
                }
            }
            [PathLeg::Planar(found_path)] => {
                if let (Some(obstacles), Some(agent)) = (&self.obstacles, known.agent_type.planar)
                    && let Some(Location::Point(to)) = self.place_of(known, request.to)
                    && let Some(from) = found_path.start()
                {
                    let asked = roam_request(request, agent, (from, to));
                    let repaired = searcher.planar.repair(obstacles, &asked, found_path)?;
                    return Ok(repaired.map(|repaired| {
                        let (cost, expansions) = (repaired.path.cost, repaired.path.expansions);
                        let legs = vec![PathLeg::Planar(repaired.path)];
                        self.path(request, legs, cost, expansions)
                    }));
                }
            }
            legs => {
                let mut n_expansions = 0;
                if self.place_of(known, request.to) == path.end()
                    && let Some(repaired) =
                        self.splice(searcher, request, known, legs, &mut n_expansions)
                {
                    return Ok(Outcome::Found(repaired));
                }
                return self.find_after(searcher, request, n_expansions);
            }
        }
        self.find_path(searcher, request)
    }

    /// A way found anew, with what an attempt to repair one left of the budget, but an expansion at
    /// least.
    fn find_after(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        n_expansions: u64,
    ) -> Result<Outcome<Path>, RequestError> {
        if n_expansions == 0 || request.budget.expansions == u64::MAX {
            return self.find_path(searcher, request);
        }
        let expansions = request
            .budget
            .expansions
            .saturating_sub(n_expansions)
            .max(1);
        let budget = Budget {
            expansions,
            ..request.budget
        };
        let request = PathRequest {
            budget,
            ..request.clone()
        };
        self.find_path(searcher, &request)
    }

    /// Keeps the legs before the first and after the last that broke, and finds a way between;
    /// adds to `spent` the expansions that came to nothing.
    fn splice(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        known: &Registered,
        legs: &[PathLeg],
        n_expansions: &mut u64,
    ) -> Option<Path> {
        let probe = self.path(request, Vec::new(), Cost::ZERO, 0);
        let probe = Path {
            revision: Revision(0),
            ..probe
        };
        let holds = |leg: usize| {
            let status = self.leg_status(known, &probe, (&legs[leg], leg == 0));
            status.is_walkable()
        };
        let broken: Vec<usize> = (0..legs.len()).filter(|leg| !holds(*leg)).collect();
        let (Some(&first), Some(&last)) = (broken.first(), broken.last()) else {
            // Nothing is broken; what it costs now is what its legs cost.
            return self.renewed(request, known, legs.to_vec(), 0);
        };
        let from = legs[first].ends()?.0;
        let to = legs[last].ends()?.1;
        let gap = PathRequest {
            from: self.position_of(from),
            to: self.position_of(to),
            allow_partial: false,
            ..request.clone()
        };
        // Ends that would be understood as other places are left to a fresh search.
        if self.place_of(known, gap.from) != Some(from) || self.place_of(known, gap.to) != Some(to)
        {
            return None;
        }
        let bridge = match self.find_path(searcher, &gap).ok()? {
            Outcome::Found(bridge) => bridge,
            Outcome::OutOfBudget { stats: more, .. } => {
                *n_expansions += more.expansions;
                return None;
            }
            _ => return None,
        };
        let mut whole = legs[..first].to_vec();
        whole.extend(bridge.legs);
        whole.extend_from_slice(&legs[last + 1..]);
        self.renewed(request, known, whole, bridge.expansions)
    }

    /// A path of legs that hold, as of the present revision.
    fn renewed(
        &self,
        request: &PathRequest,
        known: &Registered,
        mut legs: Vec<PathLeg>,
        expansions: u64,
    ) -> Option<Path> {
        let mut cost = Cost::ZERO;
        for leg in &mut legs {
            match leg {
                PathLeg::Ground(walk) => {
                    let nav_graph = ground::NavGraph::new(&self.ground, known.profile_id).ok()?;
                    *walk = ground::GroundPath::from_cells(nav_graph, &walk.cells)?;
                    cost += walk.cost;
                }
                PathLeg::Flight(flight) => {
                    let air = self.air.as_ref()?;
                    *flight = air::string_pull(air, &flight.waypoints, flight.radius)?;
                    cost += self.flight_cost(flight.cost, known.agent_type.flight?);
                }
                PathLeg::Planar(path) => cost += path.cost,
                PathLeg::TakeOff(ModeTransition {
                    cell,
                    voxel,
                    cost: own,
                }) => {
                    *own = self.transfer_cost(known, *cell, *voxel, true)?;
                    cost += *own;
                }
                PathLeg::Landing(ModeTransition {
                    cell,
                    voxel,
                    cost: own,
                }) => {
                    *own = self.transfer_cost(known, *cell, *voxel, false)?;
                    cost += *own;
                }
            }
        }
        Some(self.path(request, legs, cost, expansions))
    }
}

/// Whether a nav link that was taken at a cost multiplier `was` is still there at that cost multiplier.
fn transfer_status(now: Option<Cost>, was: Cost, at: Location) -> PathStatus {
    match now {
        Some(now) if now <= was => PathStatus::Valid,
        _ => PathStatus::Invalid { leg: 0, at },
    }
}

#[cfg(test)]
mod tests;

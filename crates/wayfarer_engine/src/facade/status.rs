//! Path status after edits, without a search, and path repair: valid legs are kept, the gap is
//! searched.

use wayfarer_base::{
    Budget, Cell, Cost, CostChange, DirtySector, Location, Outcome, PathStatus, RequestError,
    Revision, Voxel,
};
use wayfarer_search::{air, ground, planar};

use super::World;
use super::agent::Registered;
use super::change::AirLinkDifference;
use super::find::{flight_request, planar_request};
use super::path::{ModeTransition, Path, PathLeg};
use super::request::PathRequest;
use super::searcher::Searcher;

impl World {
    /// The status of a path found earlier, without a search.
    ///
    /// * *Invalid*: a leg is blocked, costs more than before, or an avoided obstacle is on it.
    /// * *Maybe suboptimal*: an edit since then may have opened a cheaper path; for types that walk
    ///   and fly, any cost decrease in ground or air. Changes of exposure are not considered.
    /// * *Unknown*: the path is older than the change log of a domain it leads through, which holds
    ///   [`World::CHANGE_LOG_CAPACITY`] batches.
    pub fn status(&self, path: &Path) -> PathStatus {
        let Ok(registered) = self.registered(path.agent_type) else {
            return PathStatus::Unknown;
        };
        let mut whole = PathStatus::Valid;
        for (number, leg) in path.legs.iter().enumerate() {
            match self.leg_status(registered, path, (leg, number == 0)) {
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
        let is_multimodal =
            registered.agent_type.ground.is_some() && registered.agent_type.flight.is_some();
        if whole == PathStatus::Valid && is_multimodal && self.may_have_improved_since(path) {
            return PathStatus::MaybeSuboptimal;
        }
        whole
    }

    /// The status of a path by its own steps, for one that is older than the change log: valid
    /// paths are *maybe suboptimal*.
    pub fn status_without_log(&self, path: &Path) -> PathStatus {
        let start = path.start().unwrap_or(Location::Cell(Cell::default()));
        let Ok(registered) = self.registered(path.agent_type) else {
            return PathStatus::Invalid { leg: 0, at: start };
        };
        for (leg, one) in path.legs.iter().enumerate() {
            let at = match one {
                PathLeg::Ground(walk) => self
                    .blocked_walk(registered, walk)
                    .or_else(|| self.blocked_location(registered, path, (walk, leg == 0))),
                PathLeg::Flight(flight) => self.blocked_flight(flight),
                PathLeg::Planar(_) | PathLeg::TakeOff(_) | PathLeg::Landing(_) => {
                    match self.leg_status(registered, path, (one, leg == 0)) {
                        PathStatus::Invalid { at, .. } => Some(at),
                        PathStatus::Unknown => one.ends().map(|ends| ends.0),
                        _ => None,
                    }
                }
            };
            if let Some(at) = at {
                return PathStatus::Invalid { leg, at };
            }
        }
        PathStatus::MaybeSuboptimal
    }

    /// The first cell from which a walk cannot go on, or its start if it costs more than it did.
    fn blocked_walk(&self, registered: &Registered, walk: &ground::GroundPath) -> Option<Location> {
        let start = walk.start().map(Location::Cell);
        // A clone that diverged may have another agent type under the same id.
        if walk.profile_id != registered.profile_id {
            return start;
        }
        let Ok(nav_graph) = ground::NavGraph::new(&self.ground, registered.profile_id) else {
            return start;
        };
        let is_blocked = |step: &&[Cell]| ground::GroundPath::from_cells(nav_graph, step).is_none();
        if let Some(step) = walk.cells.windows(2).find(is_blocked) {
            return Some(step[0].into());
        }
        let now = ground::GroundPath::from_cells(nav_graph, &walk.cells);
        let is_as_cheap = now.is_some_and(|now| now.cost <= walk.ground_cost());
        start.filter(|_| !is_as_cheap)
    }

    /// The first waypoint from which a flight cannot go on.
    fn blocked_flight(&self, flight: &air::FlightPath) -> Option<Location> {
        let start = flight.start().map(Location::Voxel);
        let Some(air) = &self.air else {
            return start;
        };
        let is_blocked = |line: &&[Voxel]| air::string_pull(air, line, flight.radius).is_none();
        let line = flight.waypoints.windows(2).find(is_blocked);
        line.map(|line| line[0].into())
    }

    fn leg_status(
        &self,
        registered: &Registered,
        path: &Path,
        (leg, is_first): (&PathLeg, bool),
    ) -> PathStatus {
        match (leg, &self.air, &self.obstacles) {
            (PathLeg::Ground(walk), _, _) => {
                let status = ground::status(&self.ground, &self.ground_log, walk);
                let at = self.blocked_location(registered, path, (walk, is_first));
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
                let cost = self.transition_cost(registered, up.cell, up.voxel, true);
                transition_status(cost, up.cost, Location::Voxel(up.voxel))
            }
            (PathLeg::Landing(down), _, _) => {
                let cost = self.transition_cost(registered, down.cell, down.voxel, false);
                transition_status(cost, down.cost, Location::Cell(down.cell))
            }
            _ => PathStatus::Unknown,
        }
    }

    /// The location of the first avoided obstacle on a walk; `None` at the path's own revision.
    fn blocked_location(
        &self,
        registered: &Registered,
        path: &Path,
        (walk, is_first): (&ground::GroundPath, bool),
    ) -> Option<Location> {
        if path.revision == self.revision {
            return None;
        }
        let agent = self.avoiding((path.avoided_obstacles, path.body), registered)?;
        let (_, first) = *self
            .obstacles_on_walk(&walk.cells, agent, is_first)
            .first()?;
        let outline = self.obstacles.as_ref()?.outline(first, agent.disc)?;
        Some(Location::Point(outline.low()))
    }

    /// True if any cost in ground or air decreased since a path was found.
    fn may_have_improved_since(&self, path: &Path) -> bool {
        fn may_improve<P>(dirty: &[DirtySector<P>]) -> bool {
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
            ground.is_some_and(|ground| may_improve(&ground.changes.dirty_sectors))
                || air.is_some_and(|air| may_improve(&air.dirty_sectors))
                || changes
                    .air_links
                    .iter()
                    .any(AirLinkDifference::may_improve_paths)
        })
    }

    /// Repairs a path found earlier for `request`: keeps the valid parts and searches only the gap,
    /// or searches from scratch where nothing can be kept. A valid path is returned at the present
    /// revision. The result may be suboptimal; [`World::find_path`] finds a new path. A ground path
    /// may be repaired from any of its cells: the cells before `request.from` are dropped.
    ///
    /// # Errors
    /// As [`World::find_path`].
    pub fn repair(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        path: &Path,
    ) -> Result<Outcome<Path>, RequestError> {
        let registered = self.registered(request.agent_type)?;
        searcher.ground.sync(&self.ground, &self.ground_log);
        let is_same = path.agent_type == request.agent_type
            && path.avoided_obstacles == request.avoided_obstacles
            && !path.includes_exposure
            && request.viewers.is_empty();
        let from = self.locate(registered, request.from);
        let is_walk = path.as_ground_path().is_some() && request.avoided_obstacles.is_empty();
        let may_start_midway = registered.agent_type.flight.is_none() && is_walk;
        if !is_same || from != path.start() && !may_start_midway {
            return self.find_path(searcher, request);
        }
        match &path.legs[..] {
            [PathLeg::Ground(walk)]
                if registered.agent_type.flight.is_none()
                    && request.avoided_obstacles.is_empty() =>
            {
                if let Some(Location::Cell(to)) = self.locate(registered, request.to)
                    && let Some(Location::Cell(from)) = from
                {
                    let subrequest = self.ground_request(request, registered, (from, to));
                    let log = &self.ground_log;
                    let repaired = searcher
                        .ground
                        .repair(&self.ground, log, &subrequest, walk)?;
                    return Ok(repaired.map(|repaired| self.path_from_walk(request, repaired.path)));
                }
            }
            [PathLeg::Flight(flight)] => {
                if let (Some(air), Some(flight_profile)) = (&self.air, registered.agent_type.flight)
                    && let Some(Location::Voxel(to)) = self.locate(registered, request.to)
                    && let Some(from) = flight.start()
                {
                    let subrequest = flight_request(request, flight_profile, (from, to));
                    let repaired = searcher.air.repair(air, &subrequest, flight)?;
                    return Ok(repaired.map(|repaired| {
                        self.path_from_flight(request, flight_profile, repaired.path)
                    }));
                }
            }
            [PathLeg::Planar(found_path)] => {
                if let (Some(obstacles), Some(agent)) =
                    (&self.obstacles, registered.agent_type.planar)
                    && let Some(Location::Point(to)) = self.locate(registered, request.to)
                    && let Some(from) = found_path.start()
                {
                    let subrequest = planar_request(request, agent, (from, to));
                    let repaired = searcher.planar.repair(obstacles, &subrequest, found_path)?;
                    return Ok(repaired.map(|repaired| {
                        let (cost, expansions) = (repaired.path.cost, repaired.path.expansions);
                        let legs = vec![PathLeg::Planar(repaired.path)];
                        self.new_path(request, legs, cost, expansions)
                    }));
                }
            }
            legs => {
                let mut n_expansions = 0;
                if self.locate(registered, request.to) == path.end()
                    && let Some(repaired) =
                        self.splice(searcher, request, registered, legs, &mut n_expansions)
                {
                    return Ok(Outcome::Found(repaired));
                }
                return self.find_after(searcher, request, n_expansions);
            }
        }
        self.find_path(searcher, request)
    }

    /// Finds a new path with the budget that a failed repair left, at least 1 expansion.
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

    /// Keeps the legs before the first and after the last invalid one and searches between them;
    /// adds the expansions of a failed search to `n_expansions`.
    fn splice(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        registered: &Registered,
        legs: &[PathLeg],
        n_expansions: &mut u64,
    ) -> Option<Path> {
        let probe = self.new_path(request, Vec::new(), Cost::ZERO, 0);
        let probe = Path {
            revision: Revision::default(),
            ..probe
        };
        let is_valid = |leg: usize| {
            let status = self.leg_status(registered, &probe, (&legs[leg], leg == 0));
            status.is_walkable()
        };
        let invalid: Vec<usize> = (0..legs.len()).filter(|leg| !is_valid(*leg)).collect();
        let (Some(&first), Some(&last)) = (invalid.first(), invalid.last()) else {
            // All legs are valid; only their costs may have changed.
            return self.revalidated(request, registered, legs.to_vec(), 0);
        };
        let from = legs[first].ends()?.0;
        let to = legs[last].ends()?.1;
        let gap = PathRequest {
            from: self.position_of(from),
            to: self.position_of(to),
            allow_partial: false,
            ..request.clone()
        };
        // Ends that resolve to another location need a search from scratch.
        if self.locate(registered, gap.from) != Some(from)
            || self.locate(registered, gap.to) != Some(to)
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
        self.revalidated(request, registered, whole, bridge.expansions)
    }

    /// A path of valid legs at the present revision, with present costs.
    fn revalidated(
        &self,
        request: &PathRequest,
        registered: &Registered,
        mut legs: Vec<PathLeg>,
        expansions: u64,
    ) -> Option<Path> {
        let mut cost = Cost::ZERO;
        for leg in &mut legs {
            match leg {
                PathLeg::Ground(walk) => {
                    let nav_graph =
                        ground::NavGraph::new(&self.ground, registered.profile_id).ok()?;
                    *walk = ground::GroundPath::from_cells(nav_graph, &walk.cells)?;
                    cost += walk.cost;
                }
                PathLeg::Flight(flight) => {
                    let air = self.air.as_ref()?;
                    *flight = air::string_pull(air, &flight.waypoints, flight.radius)?;
                    cost += self.flight_cost(flight.cost, registered.agent_type.flight?);
                }
                PathLeg::Planar(path) => cost += path.cost,
                PathLeg::TakeOff(ModeTransition {
                    cell,
                    voxel,
                    cost: own,
                }) => {
                    *own = self.transition_cost(registered, *cell, *voxel, true)?;
                    cost += *own;
                }
                PathLeg::Landing(ModeTransition {
                    cell,
                    voxel,
                    cost: own,
                }) => {
                    *own = self.transition_cost(registered, *cell, *voxel, false)?;
                    cost += *own;
                }
            }
        }
        Some(self.new_path(request, legs, cost, expansions))
    }
}

/// The status of a take-off or landing that cost `was` and costs `now`.
fn transition_status(now: Option<Cost>, was: Cost, at: Location) -> PathStatus {
    match now {
        Some(now) if now <= was => PathStatus::Valid,
        _ => PathStatus::Invalid { leg: 0, at },
    }
}

#[cfg(test)]
mod tests;

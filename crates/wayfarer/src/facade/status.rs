//! Whether a path still holds, and what to do if it does not.

use wayfarer_base::{
    Budget, Cost, CostChange, DirtySector, Location, Outcome, PathStatus, RequestError, Revision,
};
use wayfarer_search::{air, field, ground};

use super::World;
use super::agent::Registered;
use super::change::PerchDifference;
use super::find::{flight_request, roam_request};
use super::path::{Path, PathLeg, Transfer};
use super::request::Request;
use super::searcher::Searcher;

impl World {
    /// Whether a path found earlier still holds, without a search.
    ///
    /// * *Broken at leg k*: that leg can no longer be walked, flown or taken, or not at its price,
    ///   or a mover stands on it that was to be kept clear of.
    /// * *Shorter may exist*: something opened or made room where a shorter way could lead. For who
    ///   walks and flies, anywhere in ground or air. Not told of ways past watchers, whose prices
    ///   change with every look.
    /// * *Forgotten*: longer ago than [`World::HISTORY`] batches of the part it leads through.
    pub fn status(&self, path: &Path) -> PathStatus {
        let Ok(known) = self.registered(path.who) else {
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
        let is_mixed = known.kind.walks.is_some() && known.kind.flies.is_some();
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
        match (leg, &self.air, &self.field) {
            (PathLeg::Walk(walk), _, _) => {
                let status = ground::status(&self.ground, &self.ground_log, walk);
                let at = self.mover_at(known, path, (walk, is_first));
                match at {
                    Some(at) if status.is_walkable() => PathStatus::Invalid { leg: 0, at },
                    _ => status,
                }
            }
            (PathLeg::Fly(flight), Some(air), _) => air::status(air, &self.air_log, flight),
            (PathLeg::Roam(way), _, Some(field)) => field::status(field, way).status,
            (PathLeg::TakeOff(up), _, _) => {
                let cost = self.transfer_cost(known, up.cell, up.voxel, true);
                transfer_status(cost, up.cost, Location::Voxel(up.voxel))
            }
            (PathLeg::Land(down), _, _) => {
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
        let agent = self.mover_agent(path.movers, known)?;
        let (_, first) = *self.movers_on(&walk.cells, agent, is_first).first()?;
        let outline = self.field.as_ref()?.outline(first, agent)?;
        Some(Location::Point(outline.low()))
    }

    /// True if anything opened or became cheaper in ground or air since a path was found.
    fn has_eased_since(&self, path: &Path) -> bool {
        fn eased<P>(touched: &[DirtySector<P>]) -> bool {
            touched
                .iter()
                .any(|one| CostChange::may_improve_paths(one.tendency))
        }
        let Some(mut since) = self.changes_since(path.revision) else {
            return true;
        };
        since.any(|changes| {
            let ground = changes.ground.as_ref();
            let air = changes.air.as_ref();
            ground.is_some_and(|ground| eased(&ground.changes.dirty_sectors))
                || air.is_some_and(|air| eased(&air.dirty_sectors))
                || changes.perches.iter().any(PerchDifference::may_shorten)
        })
    }

    /// Mends a path that was found earlier for `request`: keeps what still holds and searches only
    /// the gap; finds the way anew where nothing can be kept. A path that holds comes back as of
    /// the present revision. Not always the cheapest: ask anew for that. A walk may be mended from
    /// any of its cells on: what the agent has walked already is dropped.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &self,
        searcher: &mut Searcher,
        request: &Request,
        path: &Path,
    ) -> Result<Outcome<Path>, RequestError> {
        let known = self.registered(request.who)?;
        searcher.ground.sync(&self.ground, &self.ground_log);
        let is_same = path.who == request.who
            && path.movers == request.movers
            && !path.is_priced_by_sight
            && request.watchers.is_empty();
        let from = self.place_of(known, request.from);
        let is_walk = path.as_walk().is_some() && request.movers.is_empty();
        let may_have_begun = known.kind.flies.is_none() && is_walk;
        if !is_same || from != path.start() && !may_have_begun {
            return self.find_path(searcher, request);
        }
        match &path.legs[..] {
            [PathLeg::Walk(walk)] if known.kind.flies.is_none() && request.movers.is_empty() => {
                if let Some(Location::Cell(to)) = self.place_of(known, request.to)
                    && let Some(Location::Cell(from)) = from
                {
                    let asked = self.walk_request(request, known, (from, to));
                    let log = &self.ground_log;
                    let mended = searcher.ground.repair(&self.ground, log, &asked, walk)?;
                    return Ok(mended.map(|mended| self.of_walk(request, mended.path)));
                }
            }
            [PathLeg::Fly(flight)] => {
                if let (Some(air), Some(wings)) = (&self.air, known.kind.flies)
                    && let Some(Location::Voxel(to)) = self.place_of(known, request.to)
                    && let Some(from) = flight.start()
                {
                    let asked = flight_request(request, wings, (from, to));
                    let mended = searcher.air.repair(air, &asked, flight)?;
                    return Ok(mended.map(|mended| self.of_flight(request, wings, mended.path)));
                }
            }
            [PathLeg::Roam(way)] => {
                if let (Some(field), Some(agent)) = (&self.field, known.kind.roams)
                    && let Some(Location::Point(to)) = self.place_of(known, request.to)
                    && let Some(from) = way.start()
                {
                    let asked = roam_request(request, agent, (from, to));
                    let mended = searcher.field.repair(field, &asked, way)?;
                    return Ok(mended.map(|mended| {
                        let (cost, expansions) = (mended.path.cost, mended.path.expansions);
                        let legs = vec![PathLeg::Roam(mended.path)];
                        self.path(request, legs, cost, expansions)
                    }));
                }
            }
            legs => {
                let mut spent = 0;
                if self.place_of(known, request.to) == path.end()
                    && let Some(mended) = self.splice(searcher, request, known, legs, &mut spent)
                {
                    return Ok(Outcome::Found(mended));
                }
                return self.find_after(searcher, request, spent);
            }
        }
        self.find_path(searcher, request)
    }

    /// A way found anew, with what an attempt to mend one left of the budget, but an expansion at
    /// least.
    fn find_after(
        &self,
        searcher: &mut Searcher,
        request: &Request,
        spent: u64,
    ) -> Result<Outcome<Path>, RequestError> {
        if spent == 0 || request.budget.expansions == u64::MAX {
            return self.find_path(searcher, request);
        }
        let expansions = request.budget.expansions.saturating_sub(spent).max(1);
        let budget = Budget {
            expansions,
            ..request.budget
        };
        let request = Request {
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
        request: &Request,
        known: &Registered,
        legs: &[PathLeg],
        spent: &mut u64,
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
        let gap = Request {
            from: self.position_of(from),
            to: self.position_of(to),
            goes_near: false,
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
                *spent += more.expansions;
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
        request: &Request,
        known: &Registered,
        mut legs: Vec<PathLeg>,
        expansions: u64,
    ) -> Option<Path> {
        let mut cost = Cost::ZERO;
        for leg in &mut legs {
            match leg {
                PathLeg::Walk(walk) => {
                    let footing = ground::NavGraph::new(&self.ground, known.view).ok()?;
                    *walk = ground::GroundPath::from_cells(footing, &walk.cells)?;
                    cost += walk.cost;
                }
                PathLeg::Fly(flight) => {
                    let air = self.air.as_ref()?;
                    *flight = air::string_pull(air, &flight.waypoints, flight.radius)?;
                    cost += self.flight_cost(flight.cost, known.kind.flies?);
                }
                PathLeg::Roam(way) => cost += way.cost,
                PathLeg::TakeOff(Transfer {
                    cell,
                    voxel,
                    cost: own,
                }) => {
                    *own = self.transfer_cost(known, *cell, *voxel, true)?;
                    cost += *own;
                }
                PathLeg::Land(Transfer {
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

/// Whether a passage that was taken at a price `was` is still there at that price.
fn transfer_status(now: Option<Cost>, was: Cost, at: Location) -> PathStatus {
    match now {
        Some(now) if now <= was => PathStatus::Valid,
        _ => PathStatus::Invalid { leg: 0, at },
    }
}

#[cfg(test)]
mod tests;

//! Paths that combine walking and flying: the better of both single modes, then A\* over cells and
//! voxels for what is cheaper by more than the bound of the method.

use wayfarer_base::{
    Cell, Cost, CostMultiplier, Location, Outcome, RequestError, SearchStats, Voxel,
};
use wayfarer_search::air::{FlightPath, string_pull};
use wayfarer_search::ground::{GroundPath, Method, NavGraph};
use wayfarer_search::multimodal::{
    FlightProfile, MultimodalGraph, MultimodalPath, MultimodalRequest,
};

use super::World;
use super::agent::Registered;
use super::dynamic_obstacles::remaining;
use super::exposure::RequestCosts;
use super::path::{ModeTransition, Path, PathLeg};
use super::request::PathRequest;
use super::searcher::Searcher;

/// What paths that combine walking and flying cost at most by the default method, in terms of the
/// optimum over cells and voxels: 1.25.
pub const MULTIMODAL_BOUND: CostMultiplier = CostMultiplier::from_sixteenths(20).unwrap();

/// The bound of a method on paths that combine walking and flying.
pub(super) const fn multimodal_bound(method: Method) -> CostMultiplier {
    match method {
        Method::Bounded => MULTIMODAL_BOUND,
        _ => CostMultiplier::ONE,
    }
}

/// The least cost of which a path at `cost` is at most `bound` times the optimum.
fn certified_by(cost: Cost, bound: CostMultiplier) -> Cost {
    let units = u64::from(cost.units()) * 16 / u64::from(bound.sixteenths());
    Cost::from_units(u32::try_from(units).unwrap_or(u32::MAX))
}

impl World {
    /// Finds a path for an agent type that walks and flies.
    pub(super) fn find_multimodal(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        registered: &Registered,
        ends: (Location, Location),
    ) -> Result<Outcome<Path>, RequestError> {
        reject_partial(request)?;
        let graph = self.multimodal_graph(registered)?;
        let reason = "the agent does not fit there";
        if !graph.is_free(ends.0) {
            return Err(RequestError::StartBlocked { at: ends.0, reason });
        }
        if !graph.is_free(ends.1) {
            return Err(RequestError::GoalBlocked { at: ends.1, reason });
        }
        // Costs of flights exclude exposure: with viewers they are no upper bound.
        let mut stats = SearchStats::default();
        let mut costs = RequestCosts::new(self, request, registered);
        let best = match ends {
            _ if request.viewers.is_empty() => {
                self.find_single_mode(searcher, request, registered, (&graph, ends), &mut stats)
            }
            (Location::Cell(from), Location::Cell(to)) => {
                let walk = self.find_exposed_walk(
                    searcher,
                    registered,
                    (from, to),
                    &mut costs,
                    &mut stats,
                );
                walk.map(|(walk, _)| walk)
            }
            _ => None,
        };
        self.search_multimodal(searcher, registered, ends, (best, stats), &mut costs)
    }

    /// The cheaper of the pure ground path and the pure flight, if one is complete; adds the work to
    /// `stats`.
    fn find_single_mode(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        registered: &Registered,
        (graph, ends): (&MultimodalGraph<'_>, (Location, Location)),
        stats: &mut SearchStats,
    ) -> Option<Path> {
        let walk = match ends {
            (Location::Cell(from), Location::Cell(to)) => {
                let walk = self.find_walk(searcher, request, registered, (from, to), stats);
                let walk = walk.ok().and_then(Outcome::found);
                walk.map(|walk| self.path_from_walk(request, walk))
            }
            _ => None,
        };
        let subrequest = PathRequest {
            budget: remaining(request.budget, SearchStats::default(), *stats),
            ..request.clone()
        };
        let flight_profile = registered
            .agent_type
            .flight
            .filter(|_| subrequest.budget.expansions > 0);
        let transitions = flight_start(graph, ends.0).zip(flight_end(graph, ends.1));
        let flight = flight_profile
            .zip(transitions)
            .and_then(|(flight_profile, (up, down))| {
                let can_land = self.can_land(request, registered, ends.1);
                let flight = self
                    .find_flight(searcher, &subrequest, flight_profile, (up.0, down.0))
                    .ok()?;
                *stats += searcher.air.stats();
                let flight = flight.found().filter(|_| can_land)?;
                self.with_transitions(
                    request,
                    registered,
                    flight_profile,
                    ends,
                    (up, flight, down),
                )
            });
        let both = [walk, flight].into_iter().flatten();
        both.min_by_key(|path| path.cost)
    }

    /// The path of a flight, with a take-off if it starts and a landing if it ends on the ground.
    fn with_transitions(
        &self,
        request: &PathRequest,
        registered: &Registered,
        flight_profile: FlightProfile,
        ends: (Location, Location),
        (up, flight, down): ((Voxel, Cost), FlightPath, (Voxel, Cost)),
    ) -> Option<Path> {
        let total = up.1 + self.flight_cost(flight.cost, flight_profile) + down.1;
        let expansions = flight.expansions;
        let mut legs = Vec::new();
        if let Location::Cell(cell) = ends.0 {
            legs.push(PathLeg::Ground(self.single_cell(registered, cell)?));
            let (voxel, cost) = up;
            legs.push(PathLeg::TakeOff(ModeTransition { cell, voxel, cost }));
        }
        legs.push(PathLeg::Flight(flight));
        if let Location::Cell(cell) = ends.1 {
            let (voxel, cost) = down;
            legs.push(PathLeg::Landing(ModeTransition { cell, voxel, cost }));
            legs.push(PathLeg::Ground(self.single_cell(registered, cell)?));
        }
        Some(self.new_path(request, legs, total, expansions))
    }

    /// A ground path of one cell, so that subscriptions cover the cell of a take-off or landing.
    fn single_cell(&self, registered: &Registered, cell: Cell) -> Option<GroundPath> {
        let nav_graph = NavGraph::new(&self.ground, registered.profile_id).ok()?;
        GroundPath::from_cells(nav_graph, &[cell])
    }

    /// False if an avoided obstacle covers the landing cell.
    fn can_land(&self, request: &PathRequest, registered: &Registered, at: Location) -> bool {
        match (
            at,
            self.avoiding((request.avoided_obstacles, request.own_body), registered),
        ) {
            (Location::Cell(cell), Some(agent)) => self.obstacle_at(cell, agent).is_none(),
            _ => true,
        }
    }

    /// A\* over cells and voxels for a path cheaper than `best`, with the rest of the budget after
    /// the work in `before`.
    pub(super) fn search_multimodal(
        &self,
        searcher: &mut Searcher,
        registered: &Registered,
        ends: (Location, Location),
        (best, before): (Option<Path>, SearchStats),
        costs: &mut RequestCosts<'_>,
    ) -> Result<Outcome<Path>, RequestError> {
        let request = costs.request();
        let graph = self.multimodal_graph(registered)?;
        if ends.0 != ends.1 && !self.can_land(request, registered, ends.1) {
            return Err(RequestError::GoalBlocked {
                at: ends.1,
                reason: "an avoided obstacle is there",
            });
        }
        let weight = multimodal_bound(request.ground.method);
        let subrequest = MultimodalRequest {
            from: ends.0,
            to: ends.1,
            budget: remaining(request.budget, SearchStats::default(), before),
            cost_limit: best.as_ref().map_or(Cost::MAX, |path| {
                // Past viewers most paths are worth the search: any that is cheaper.
                match request.viewers.is_empty() {
                    true => certified_by(path.cost, weight),
                    false => path.cost,
                }
            }),
            weight,
        };
        let result = if costs.is_empty() {
            searcher.multimodal.find(&graph, &subrequest, None)?
        } else {
            let mut cost_fn = |from, to| costs.step(from, to);
            searcher
                .multimodal
                .find(&graph, &subrequest, Some(&mut cost_fn))?
        };
        let mut stats = before;
        stats += searcher.multimodal.stats();
        let assembled = |found_path: &MultimodalPath| {
            let path = self.assemble(request, registered, &graph, found_path)?;
            let expansions = stats.expansions;
            Some(Path { expansions, ..path })
        };
        Ok(match (result, best) {
            (Outcome::Found(found_path), _) => match assembled(&found_path) {
                Some(path) => Outcome::Found(path),
                None => exhausted(),
            },
            (Outcome::OutOfBudget { .. }, Some(best)) if !request.viewers.is_empty() => {
                Outcome::OutOfBudget { best, stats }
            }
            (_, Some(best)) => Outcome::Found(Path {
                expansions: stats.expansions,
                ..best
            }),
            (Outcome::OutOfBudget { best, .. }, None) => match assembled(&best) {
                Some(best) => Outcome::OutOfBudget { best, stats },
                None => exhausted(),
            },
            (Outcome::Unreachable { proof, .. }, None) => Outcome::Unreachable {
                proof,
                nearest: None,
            },
            (Outcome::Partial { .. }, None) => exhausted(),
        })
    }

    /// Splits a path over cells and voxels into legs and string-pulls its flights, unless they pay
    /// exposure.
    fn assemble(
        &self,
        request: &PathRequest,
        registered: &Registered,
        graph: &MultimodalGraph<'_>,
        path: &MultimodalPath,
    ) -> Option<Path> {
        let mut legs = Vec::new();
        let mut saved = Cost::ZERO;
        let is_air = |location: &Location| matches!(location, Location::Voxel(_));
        let mut last: Option<Location> = None;
        for run in path.locations.chunk_by(|a, b| is_air(a) == is_air(b)) {
            if let (Some(from), Some(to)) = (last, run.first()) {
                legs.push(transition(graph, from, *to)?);
            }
            last = run.last().copied();
            if run.first().is_some_and(is_air) {
                let (air, flight_profile) = graph.air?;
                let voxels: Vec<Voxel> = run.iter().filter_map(voxel_of).collect();
                let flight = self.flight(air, flight_profile, &voxels, request)?;
                let before = self.flight_cost(flight.raw_cost, flight_profile);
                saved += before - self.flight_cost(flight.cost, flight_profile);
                legs.push(PathLeg::Flight(flight));
            } else {
                let cells: Vec<Cell> = run.iter().filter_map(cell_of).collect();
                let nav_graph = NavGraph::new(&self.ground, registered.profile_id).ok()?;
                let mut walk = GroundPath::from_cells(nav_graph, &cells)?;
                walk.has_request_costs = !request.viewers.is_empty();
                legs.push(PathLeg::Ground(walk));
            }
        }
        Some(self.new_path(request, legs, path.cost - saved, path.expansions))
    }

    fn flight(
        &self,
        air: &wayfarer_world::air::Air,
        flight_profile: FlightProfile,
        voxels: &[Voxel],
        request: &PathRequest,
    ) -> Option<FlightPath> {
        let mut flight = string_pull(air, voxels, flight_profile.radius)?;
        if !request.viewers.is_empty() {
            // A straight line could cross voxels in sight of a viewer.
            flight.waypoints = voxels.to_vec();
            flight.cost = flight.raw_cost;
        }
        Some(flight)
    }
}

/// The search over cells and voxels finds complete paths only.
pub(super) fn reject_partial(request: &PathRequest) -> Result<(), RequestError> {
    if request.allow_partial {
        return Err(RequestError::UnsupportedMethod {
            method: "allow_partial",
            reason: "paths that combine ground and flight, or have viewers, are complete or none",
        });
    }
    Ok(())
}

/// The outcome of a search that expanded everything.
fn exhausted() -> Outcome<Path> {
    Outcome::Unreachable {
        proof: wayfarer_base::UnreachableProof::SearchExhausted,
        nearest: None,
    }
}

fn voxel_of(location: &Location) -> Option<Voxel> {
    match location {
        Location::Voxel(voxel) => Some(*voxel),
        _ => None,
    }
}

fn cell_of(location: &Location) -> Option<Cell> {
    match location {
        Location::Cell(cell) => Some(*cell),
        _ => None,
    }
}

/// The cheapest take-off or landing between two locations.
fn transition(graph: &MultimodalGraph<'_>, from: Location, to: Location) -> Option<PathLeg> {
    let mut best: Option<Cost> = None;
    let mut take = |cost: Cost| best = Some(best.map_or(cost, |best| best.min(cost)));
    match (from, to) {
        (Location::Cell(cell), Location::Voxel(voxel)) => {
            graph.for_each_take_off(cell, |to, cost| {
                if to == voxel {
                    take(cost);
                }
            });
            best.map(|cost| PathLeg::TakeOff(ModeTransition { cell, voxel, cost }))
        }
        (Location::Voxel(voxel), Location::Cell(cell)) => {
            graph.for_each_landing(voxel, |to, cost| {
                if to == cell {
                    take(cost);
                }
            });
            best.map(|cost| PathLeg::Landing(ModeTransition { cell, voxel, cost }))
        }
        _ => None,
    }
}

/// The voxel and cost of the cheapest take-off from a location.
pub(super) fn flight_start(graph: &MultimodalGraph<'_>, at: Location) -> Option<(Voxel, Cost)> {
    let mut best: Option<(Cost, Voxel)> = None;
    match at {
        Location::Voxel(voxel) => return Some((voxel, Cost::ZERO)),
        Location::Cell(cell) => graph.for_each_take_off(cell, |voxel, cost| {
            best = Some(best.map_or((cost, voxel), |best| best.min((cost, voxel))));
        }),
        Location::Point(_) => {}
    }
    best.map(|(cost, voxel)| (voxel, cost))
}

/// The voxel and cost of the cheapest landing at a location.
pub(super) fn flight_end(graph: &MultimodalGraph<'_>, at: Location) -> Option<(Voxel, Cost)> {
    let cell = match at {
        Location::Voxel(voxel) => return Some((voxel, Cost::ZERO)),
        Location::Cell(cell) => cell,
        Location::Point(_) => return None,
    };
    let (_, flight) = graph.air?;
    let over = graph.alignment.voxel_over(cell, flight.radius);
    let links = graph
        .air_links
        .iter()
        .filter(|air_link| air_link.cell == cell);
    let voxels = links.map(|air_link| air_link.voxel).chain(over);
    let mut best: Option<(Cost, Voxel)> = None;
    for voxel in voxels.filter(|voxel| graph.is_free((*voxel).into())) {
        graph.for_each_landing(voxel, |to, cost| {
            if to == cell {
                best = Some(best.map_or((cost, voxel), |best| best.min((cost, voxel))));
            }
        });
    }
    best.map(|(cost, voxel)| (voxel, cost))
}

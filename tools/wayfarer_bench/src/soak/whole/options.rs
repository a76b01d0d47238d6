//! Requests with options: budgets, partial paths, dynamic obstacles, viewers; compared with exhaustive
//! search.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use wayfarer_engine::base::{
    Budget, Cost, CostMultiplier, Fixed, Location, Outcome, Point2, RequestError, Rng,
};
use wayfarer_engine::search::ground::Method;
use wayfarer_engine::world::bodies::Contacts;
use wayfarer_engine::world::obstacles::{DiscAgent, ObstacleCategories};
use wayfarer_engine::{Path, PathRequest, Position, Searcher, Viewer};
use wayfarer_testkit::ReferenceMultimodal;

use super::draw::{self, Agent};
use super::ensure;
use super::life::Life;
use super::paths::{PathResult, Query};
use super::queries::without_effort;

impl Life {
    /// The same with a budget, going near, round movers and past watchers.
    pub(super) fn check_options(
        &mut self,
        rng: &mut Rng,
        query: &Query,
        whole: &PathResult,
    ) -> Result<(), String> {
        let short = PathRequest {
            budget: Budget::expansions(1 + u64::from(rng.below(30))),
            ..query.request.clone()
        };
        let near = PathRequest {
            allow_partial: true,
            ..query.request.clone()
        };
        let round = PathRequest {
            avoided_obstacles: ObstacleCategories::from_bits(0b101),
            ..query.request.clone()
        };
        let best_cost = match whole {
            Ok(Outcome::Found(path)) => Some(path.cost),
            _ => None,
        };
        self.keeps_its_budget(&short)?;
        self.past_dynamic_obstacles(query, &round, whole)?;
        for request in [short, near, round] {
            let result = self.world.find_path(&mut self.searcher, &request);
            let path = result
                .as_ref()
                .ok()
                .and_then(|result| result.clone().best());
            if let Some(path) = &path {
                self.check_path(query, path)
                    .map_err(|reason| format!("{reason}, with {request:?}"))?;
            }
            match (&result, best_cost) {
                (Ok(Outcome::Found(_)), None) if !request.allow_partial => {
                    return Err(format!("found with {request:?}, and not without"));
                }
                // Multimodal requests have no partial paths.
                (Err(_), Some(_)) if request.allow_partial && query.agent == Agent::Both => {}
                (Err(error), Some(_)) if request.avoided_obstacles.is_empty() => {
                    return Err(format!("rejected with {request:?}: {error}"));
                }
                (Ok(Outcome::Unreachable { .. }), Some(_))
                    if request.avoided_obstacles.is_empty() =>
                {
                    return Err(format!("{result:?} with {request:?}, and a path without"));
                }
                _ => {}
            }
        }
        self.past_viewers(rng, query, whole)
    }

    /// Viewers without line of sight change nothing; others increase the cost by at most their
    /// exposure cost.
    fn past_viewers(
        &mut self,
        rng: &mut Rng,
        query: &Query,
        whole: &PathResult,
    ) -> Result<(), String> {
        let Ok(Outcome::Found(path)) = whole else {
            return Ok(());
        };
        if matches!(query.agent, Agent::Roamer | Agent::Stout) || self.is_air_weighted() {
            return Ok(());
        }
        let eye = draw::position(rng, &self.world, Agent::Flyer);
        let reach = f64::from(rng.between(0, 12));
        let mut request = PathRequest {
            viewers: vec![Viewer::new(eye, reach)],
            exposure_cost: CostMultiplier::from_sixteenths(48).unwrap_or(CostMultiplier::ONE),
            ..query.request.clone()
        };
        request.ground.method = Method::Optimal;
        let result = self.world.find_path(&mut self.searcher, &request);
        let Ok(Outcome::Found(seen)) = &result else {
            return Err(format!(
                "no path past viewers: {result:?}, with {request:?}"
            ));
        };
        self.check_path(query, seen)?;
        let exposures = self.world.path_exposure(seen, &request.viewers);
        let plain = self.cost_of(query.agent, seen)?.unwrap_or(0.0);
        let cost = seen.cost.to_cells();
        ensure!(
            cost + 0.02 >= plain && cost <= plain * 3.0 + 0.02,
            "past watchers it costs {cost}, without {plain}"
        );
        if exposures.is_empty() {
            ensure!(
                (cost - plain).abs() < 0.02,
                "no viewer sees it, and it costs {cost}, not {plain}"
            );
        }
        let most = most_by(path, request.exposure_cost);
        ensure!(
            cost <= most,
            "{cost} past viewers, at most {most} by the plain path"
        );
        // What is exact is costly: one in three.
        if rng.chance(1, 3) {
            self.pays_the_exact_cost(query, &request, seen)?;
        }
        Ok(())
    }

    /// The budget is kept, and a fresh searcher finds the same.
    fn keeps_its_budget(&mut self, request: &PathRequest) -> Result<(), String> {
        let result = self.world.find_path(&mut self.searcher, request);
        let used = match &result {
            Ok(Outcome::Found(path)) => path.expansions,
            Ok(Outcome::OutOfBudget { stats, .. }) => stats.expansions,
            _ => 0,
        };
        ensure!(
            used <= request.budget.expansions,
            "took {used} expansions, with {request:?}"
        );
        let again = self.world.find_path(&mut Searcher::default(), request);
        ensure!(
            without_effort(&again) == without_effort(&result),
            "within a budget a fresh searcher finds {again:?}, not {result:?}"
        );
        Ok(())
    }

    /// A path past dynamic obstacles is found if and only if one exists, within the promised cost.
    fn past_dynamic_obstacles(
        &mut self,
        query: &Query,
        request: &PathRequest,
        whole: &PathResult,
    ) -> Result<(), String> {
        let result = self.world.find_path(&mut self.searcher, request);
        let walks = matches!(query.agent, Agent::Walker | Agent::Other | Agent::Both);
        let (Some(obstacles), true) = (self.world.obstacles(), walks) else {
            ensure!(
                super::paths::gist(&result) == super::paths::gist(whole),
                "no obstacle to avoid, and {result:?}, not {whole:?}"
            );
            return Ok(());
        };
        if !matches!(whole, Ok(Outcome::Found(_))) || self.is_air_weighted() {
            return Ok(());
        }
        // Contact is legal: outlines are inflated by exactly the radius.
        let radius = self.agents.profile(query.agent).radius.raw() - 1;
        let agent = DiscAgent {
            radius: Fixed::from_raw(radius.max(0)),
            blocked_by: request.avoided_obstacles,
        };
        let met = obstacles
            .obstacles()
            .filter(|(_, obstacle)| obstacle.categories.intersects(request.avoided_obstacles));
        let outlines: Vec<_> = met
            .filter_map(|(id, _)| obstacles.outline(id, agent))
            .collect();
        let center = |location: Location| match location {
            Location::Cell(cell) => Point2::center_of(cell.column()),
            _ => None,
        };
        let is_inside = |location: Location| {
            let at = center(location);
            at.is_some_and(|at| outlines.iter().any(|one| one.contains(at)))
        };
        if query.from != query.to && is_inside(query.to) {
            let is_rejected = matches!(result, Err(RequestError::GoalBlocked { .. }));
            ensure!(is_rejected, "an obstacle is on the goal, and {result:?}");
            return Ok(());
        }
        let is_barred = |from: Location, to: Location| match (center(from), center(to)) {
            (Some(a), Some(b)) => {
                let is_step =
                    (a.x.raw() - b.x.raw()).abs() <= 256 && (a.y.raw() - b.y.raw()).abs() <= 256;
                let enters = |one| {
                    wayfarer_engine::world::obstacles::InflatedOutline::entry(one, a, b).is_some()
                };
                let meets = if is_step {
                    outlines.iter().any(enters)
                } else {
                    is_inside(to)
                };
                meets && !is_inside(from)
            }
            _ => is_inside(to),
        };
        let extra = |from: Location, to: Location| (!is_barred(from, to)).then_some(Cost::ZERO);
        let best = self.cheapest(query, extra, Cost::MAX);
        match (&result, best) {
            (Ok(Outcome::Found(path)), Some(best)) => {
                // Without air an agent that flies walks by the default method.
                let most = match query.agent {
                    Agent::Both if self.world.air().is_some() => 1.25,
                    Agent::Both | Agent::Walker => 1.1,
                    _ => 1.0,
                };
                let (cost, least) = (path.cost.to_cells(), best.to_cells());
                ensure!(
                    cost <= least * most + 0.01,
                    "past movers it costs {cost}, the cheapest {least}: {path:?}"
                );
            }
            (Ok(Outcome::Unreachable { .. }), None) => {}
            _ => return Err(format!("past movers {result:?}, the oracle has {best:?}")),
        }
        Ok(())
    }

    /// Past watchers it costs to the unit what the cheapest of all paths costs, tolls included.
    fn pays_the_exact_cost(
        &self,
        query: &Query,
        request: &PathRequest,
        seen: &Path,
    ) -> Result<(), String> {
        let sight = self.world.visibility();
        let [cell, step, voxel] = self.world.scale().lengths();
        let height = i64::from(self.agents.profile(query.agent).height);
        let mut contacts = Contacts::default();
        let mut known: BTreeMap<Location, u32> = BTreeMap::new();
        let mut n_seers = |location: Location| {
            *known.entry(location).or_insert_with(|| {
                let mut at = self.world.position_of(location);
                if matches!(location, Location::Cell(_)) {
                    at.z += height * step / 2;
                }
                let sees = |viewer: &&Viewer| {
                    is_within(viewer.eye, at, viewer.range)
                        && sight.is_clear_past((viewer.eye, at), &[], &mut contacts)
                };
                u32::try_from(request.viewers.iter().filter(sees).count()).unwrap_or(u32::MAX)
            })
        };
        let each = u32::from(request.exposure_cost.sixteenths()) - 16;
        let extra = |from: Location, to: Location| {
            let length = match (from, to) {
                (Location::Cell(a), Location::Cell(b)) => {
                    let (x, y) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
                    if x > 1 || y > 1 {
                        0
                    } else {
                        u64::from(Cost::octile(x, y).units())
                    }
                }
                (Location::Voxel(a), Location::Voxel(b)) => {
                    let apart = [a.x.abs_diff(b.x), a.y.abs_diff(b.y), a.z.abs_diff(b.z)];
                    let cost = Cost::voxel_octile(apart[0], apart[1], apart[2]);
                    u64::from(cost.units()) * voxel.unsigned_abs() / cell.unsigned_abs()
                }
                _ => 0,
            };
            let both = u64::from((n_seers(from) + n_seers(to)) * each);
            let units = u32::try_from(length * both / 32).unwrap_or(u32::MAX);
            Some(Cost::from_units(units))
        };
        let best = self.cheapest(query, extra, seen.cost);
        ensure!(
            best == Some(seen.cost),
            "past watchers it costs {:?}, the cheapest {best:?}, with {request:?}: {seen:?}",
            seen.cost
        );
        Ok(())
    }

    /// The cheapest path by trying every step: `extra` says what it costs besides, or that it may
    /// not be taken. Paths costlier than `most` are not searched for.
    fn cheapest(
        &self,
        query: &Query,
        mut extra: impl FnMut(Location, Location) -> Option<Cost>,
        most: Cost,
    ) -> Option<Cost> {
        let both: ReferenceMultimodal = self.both();
        let flies = matches!(query.agent, Agent::Flyer | Agent::Both) && self.world.air().is_some();
        let steps = |at: Location| -> Vec<(Location, Cost)> {
            match (at, query.agent) {
                (Location::Voxel(_), Agent::Flyer) => {
                    let flown = |step: &(Location, Cost)| matches!(step.0, Location::Voxel(_));
                    both.successors(at).into_iter().filter(flown).collect()
                }
                _ if flies => both.successors(at),
                (Location::Cell(cell), agent) => {
                    let profile = self.agents.profile(agent);
                    let steps = self.model.ground.successors(cell, profile).into_iter();
                    steps.map(|(to, cost)| (Location::Cell(to), cost)).collect()
                }
                _ => Vec::new(),
            }
        };
        let mut costs = BTreeMap::from([(query.from, Cost::ZERO)]);
        let mut open = BinaryHeap::from([Reverse((Cost::ZERO, query.from))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if at == query.to {
                return Some(cost);
            }
            if cost > costs[&at] {
                continue;
            }
            for (next, step_cost) in steps(at) {
                let Some(besides) = extra(at, next) else {
                    continue;
                };
                let cost = cost + step_cost + besides;
                if cost <= most && costs.get(&next).is_none_or(|known| cost < *known) {
                    costs.insert(next, cost);
                    open.push(Reverse((cost, next)));
                }
            }
        }
        None
    }
}

/// Upper bound of a known path's cost when all of it is exposed. Past viewers flights go from voxel
/// to voxel, not straight: at most 1.13 times as far.
fn most_by(path: &Path, exposure: CostMultiplier) -> f64 {
    let multiplier = f64::from(exposure.sixteenths()) / 16.0;
    path.cost.to_cells() * multiplier * 1.14 + 0.02
}

fn is_within(a: Position, b: Position, reach: i64) -> bool {
    let square = |a: i64, b: i64| (i128::from(a) - i128::from(b)).pow(2);
    let far = square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z);
    far <= i128::from(reach).pow(2)
}

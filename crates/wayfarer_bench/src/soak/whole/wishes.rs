//! Questions with wishes: within a budget, near, past movers, past watchers; held to trying every
//! step there is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use wayfarer::base::{
    Budget, Cost, CostMultiplier, Fixed, Location, Outcome, Point2, RequestError, Rng,
};
use wayfarer::world::field::{DiscAgent, ObstacleCategories};
use wayfarer::world::objects::Contacts;
use wayfarer::{Path, PathRequest, Position, Searcher, Viewer};
use wayfarer_testkit::ReferenceMultimodal;

use super::ask::without_effort;
use super::draw::{self, Who};
use super::ensure;
use super::life::Life;
use super::ways::{Answer, Asked};

impl Life {
    /// The same with a budget, going near, round movers and past watchers.
    pub(super) fn ask_with_wishes(
        &mut self,
        rng: &mut Rng,
        asked: &Asked,
        whole: &Answer,
    ) -> Result<(), String> {
        let short = PathRequest {
            budget: Budget::expansions(1 + u64::from(rng.below(30))),
            ..asked.request.clone()
        };
        let near = PathRequest {
            allow_partial: true,
            ..asked.request.clone()
        };
        let round = PathRequest {
            avoided_obstacles: ObstacleCategories::from_bits(0b101),
            ..asked.request.clone()
        };
        let best_cost = match whole {
            Ok(Outcome::Found(path)) => Some(path.cost),
            _ => None,
        };
        self.keeps_its_budget(&short)?;
        self.past_movers(asked, &round, whole)?;
        for request in [short, near, round] {
            let answer = self.world.find_path(&mut self.searcher, &request);
            let path = answer
                .as_ref()
                .ok()
                .and_then(|answer| answer.clone().best());
            if let Some(path) = &path {
                self.check_path(asked, path)
                    .map_err(|because| format!("{because}, with {request:?}"))?;
            }
            match (&answer, best_cost) {
                (Ok(Outcome::Found(_)), None) if !request.allow_partial => {
                    return Err(format!("found with {request:?}, and not without"));
                }
                // Who walks and flies is not led near.
                (Err(_), Some(_)) if request.allow_partial && asked.who == Who::Both => {}
                (Err(refusal), Some(_)) if request.avoided_obstacles.is_empty() => {
                    return Err(format!("refused with {request:?}: {refusal}"));
                }
                (Ok(Outcome::Unreachable { .. }), Some(_))
                    if request.avoided_obstacles.is_empty() =>
                {
                    return Err(format!("{answer:?} with {request:?}, and a way without"));
                }
                _ => {}
            }
        }
        self.past_watchers(rng, asked, whole)
    }

    /// Watchers who see nothing change nothing; others make it dearer, by no more than they are
    /// worth.
    fn past_watchers(
        &mut self,
        rng: &mut Rng,
        asked: &Asked,
        whole: &Answer,
    ) -> Result<(), String> {
        let Ok(Outcome::Found(path)) = whole else {
            return Ok(());
        };
        if matches!(asked.who, Who::Roamer | Who::Stout) || self.is_air_priced() {
            return Ok(());
        }
        let eye = draw::position(rng, &self.world, Who::Flyer);
        let reach = f64::from(rng.between(0, 12));
        let request = PathRequest {
            viewers: vec![Viewer::new(eye, reach)],
            exposure_cost: CostMultiplier::from_sixteenths(48).unwrap_or(CostMultiplier::ONE),
            ..asked.request.clone()
        };
        let answer = self.world.find_path(&mut self.searcher, &request);
        let Ok(Outcome::Found(seen)) = &answer else {
            return Err(format!(
                "no way past watchers: {answer:?}, with {request:?}"
            ));
        };
        self.check_path(asked, seen)?;
        let told = self.world.path_exposure(seen, &request.viewers);
        let plain = self.cost_of(asked.who, seen)?.unwrap_or(0.0);
        let cost = seen.cost.to_cells();
        ensure!(
            cost + 0.02 >= plain && cost <= plain * 3.0 + 0.02,
            "past watchers it costs {cost}, without {plain}"
        );
        if told.is_empty() {
            ensure!(
                (cost - plain).abs() < 0.02,
                "nobody sees it, and it costs {cost}, not {plain}"
            );
        }
        let most = most_by(path, request.exposure_cost);
        ensure!(
            cost <= most,
            "{cost} past watchers, at most {most} by the way it knows"
        );
        // What is exact is dear: one in three.
        if rng.chance(1, 3) {
            self.pays_the_exact_toll(asked, &request, seen)?;
        }
        Ok(())
    }

    /// No more is done than was allowed, and a fresh searcher says the same.
    fn keeps_its_budget(&mut self, request: &PathRequest) -> Result<(), String> {
        let answer = self.world.find_path(&mut self.searcher, request);
        let used = match &answer {
            Ok(Outcome::Found(path)) => path.expansions,
            Ok(Outcome::OutOfBudget { stats: spent, .. }) => spent.expansions,
            _ => 0,
        };
        ensure!(
            used <= request.budget.expansions,
            "took {used} expansions, with {request:?}"
        );
        let again = self.world.find_path(&mut Searcher::default(), request);
        ensure!(
            without_effort(&again) == without_effort(&answer),
            "within a budget a fresh searcher says {again:?}, not {answer:?}"
        );
        Ok(())
    }

    /// A way past movers is found if and only if there is one, and costs no more than is promised.
    fn past_movers(
        &mut self,
        asked: &Asked,
        request: &PathRequest,
        whole: &Answer,
    ) -> Result<(), String> {
        let answer = self.world.find_path(&mut self.searcher, request);
        let walks = matches!(asked.who, Who::Walker | Who::Other | Who::Both);
        let (Some(field), true) = (self.world.obstacles(), walks) else {
            ensure!(
                super::ways::gist(&answer) == super::ways::gist(whole),
                "nobody to keep clear of, and {answer:?}, not {whole:?}"
            );
            return Ok(());
        };
        if !matches!(whole, Ok(Outcome::Found(_))) || self.is_air_priced() {
            return Ok(());
        }
        // Who touches is clear: outlines grow by the radius and not a hair more.
        let radius = self.agents.profile(asked.who).radius.raw() - 1;
        let agent = DiscAgent {
            radius: Fixed::from_raw(radius.max(0)),
            blocked_by: request.avoided_obstacles,
        };
        let met = field
            .obstacles()
            .filter(|(_, entity)| entity.categories.intersects(request.avoided_obstacles));
        let outlines: Vec<_> = met.filter_map(|(id, _)| field.outline(id, agent)).collect();
        let middle = |place: Location| match place {
            Location::Cell(cell) => Point2::center_of(cell.column()),
            _ => None,
        };
        let is_inside = |place: Location| {
            let at = middle(place);
            at.is_some_and(|at| outlines.iter().any(|one| one.contains(at)))
        };
        if asked.from != asked.to && is_inside(asked.to) {
            let is_refused = matches!(answer, Err(RequestError::GoalBlocked { .. }));
            ensure!(is_refused, "a mover is on the goal, and {answer:?}");
            return Ok(());
        }
        let is_barred = |from: Location, to: Location| match (middle(from), middle(to)) {
            (Some(a), Some(b)) => {
                let is_step =
                    (a.x.raw() - b.x.raw()).abs() <= 256 && (a.y.raw() - b.y.raw()).abs() <= 256;
                let enters =
                    |one| wayfarer::world::field::InflatedOutline::entry(one, a, b).is_some();
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
        let best = self.cheapest(asked, extra, Cost::MAX);
        match (&answer, best) {
            (Ok(Outcome::Found(path)), Some(best)) => {
                // Who cannot fly for want of air walks by the default method.
                let walks_only = asked.who == Who::Both && self.world.air().is_none();
                let most = if walks_only || asked.who == Who::Walker {
                    1.1
                } else {
                    1.0
                };
                let (cost, least) = (path.cost.to_cells(), best.to_cells());
                ensure!(
                    cost <= least * most + 0.01,
                    "past movers it costs {cost}, the cheapest {least}: {path:?}"
                );
            }
            (Ok(Outcome::Unreachable { .. }), None) => {}
            _ => return Err(format!("past movers {answer:?}, the oracle has {best:?}")),
        }
        Ok(())
    }

    /// Past watchers it costs to the unit what the cheapest of all ways costs, tolls included.
    fn pays_the_exact_toll(
        &self,
        asked: &Asked,
        request: &PathRequest,
        seen: &Path,
    ) -> Result<(), String> {
        let sight = self.world.sight();
        let [cell, step, voxel] = self.world.scale().lengths();
        let height = i64::from(self.agents.profile(asked.who).height);
        let mut contacts = Contacts::default();
        let mut known: BTreeMap<Location, u32> = BTreeMap::new();
        let mut n_seers = |place: Location| {
            *known.entry(place).or_insert_with(|| {
                let mut at = self.world.position_of(place);
                if matches!(place, Location::Cell(_)) {
                    at.z += height * step / 2;
                }
                let sees = |watcher: &&Viewer| {
                    is_within(watcher.eye, at, watcher.reach)
                        && sight.is_clear_past((watcher.eye, at), &[], &mut contacts)
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
        let best = self.cheapest(asked, extra, seen.cost);
        ensure!(
            best == Some(seen.cost),
            "past watchers it costs {:?}, the cheapest {best:?}, with {request:?}: {seen:?}",
            seen.cost
        );
        Ok(())
    }

    /// The cheapest way by trying every step: `extra` says what it costs besides, or that it may
    /// not be taken. Ways dearer than `most` are not looked for.
    fn cheapest(
        &self,
        asked: &Asked,
        mut extra: impl FnMut(Location, Location) -> Option<Cost>,
        most: Cost,
    ) -> Option<Cost> {
        let both: ReferenceMultimodal = self.both();
        let flies = matches!(asked.who, Who::Flyer | Who::Both) && self.world.air().is_some();
        let steps = |at: Location| -> Vec<(Location, Cost)> {
            match (at, asked.who) {
                (Location::Voxel(_), Who::Flyer) => {
                    let flown = |step: &(Location, Cost)| matches!(step.0, Location::Voxel(_));
                    both.steps(at).into_iter().filter(flown).collect()
                }
                _ if flies => both.steps(at),
                (Location::Cell(cell), who) => {
                    let profile = self.agents.profile(who);
                    let steps = self.model.ground.steps(cell, profile).into_iter();
                    steps.map(|(to, cost)| (Location::Cell(to), cost)).collect()
                }
                _ => Vec::new(),
            }
        };
        let mut costs = BTreeMap::from([(asked.from, Cost::ZERO)]);
        let mut open = BinaryHeap::from([Reverse((Cost::ZERO, asked.from))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if at == asked.to {
                return Some(cost);
            }
            if cost > costs[&at] {
                continue;
            }
            for (next, price) in steps(at) {
                let Some(besides) = extra(at, next) else {
                    continue;
                };
                let cost = cost + price + besides;
                if cost <= most && costs.get(&next).is_none_or(|known| cost < *known) {
                    costs.insert(next, cost);
                    open.push(Reverse((cost, next)));
                }
            }
        }
        None
    }
}

/// What a known way costs at most when all of it is seen. Past watchers one flies from voxel to
/// voxel, not straight: at most 1.13 times as far.
fn most_by(path: &Path, exposure: CostMultiplier) -> f64 {
    let price = f64::from(exposure.sixteenths()) / 16.0;
    path.cost.to_cells() * price * 1.14 + 0.02
}

fn is_within(a: Position, b: Position, reach: i64) -> bool {
    let square = |a: i64, b: i64| (i128::from(a) - i128::from(b)).pow(2);
    let far = square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z);
    far <= i128::from(reach).pow(2)
}

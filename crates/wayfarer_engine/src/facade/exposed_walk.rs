//! Ground paths past viewers: the walk that is cheapest without exposure first. Where few of its cells are
//! in sight it is the result, and elsewhere what it costs with exposure limits the search.

use wayfarer_base::{Cell, Cost, CostMultiplier, Location, Outcome, RequestError, SearchStats};
use wayfarer_search::ground::{GroundPath, Method, NavGraph};
use wayfarer_search::multimodal::MultimodalGraph;
use wayfarer_world::obstacles::ObstacleCategories;

use super::World;
use super::agent::Registered;
use super::exposure::RequestCosts;
use super::multimodal::{multimodal_bound, reject_partial};
use super::path::{Path, PathLeg};
use super::request::{GroundOptions, PathRequest};
use super::searcher::Searcher;

impl World {
    /// Finds a ground path that pays exposure.
    pub(super) fn find_exposed(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        registered: &Registered,
        (from, to): (Cell, Cell),
    ) -> Result<Outcome<Path>, RequestError> {
        reject_partial(request)?;
        let mut stats = SearchStats::default();
        let mut costs = RequestCosts::new(self, request, registered);
        let walk = self.find_exposed_walk(searcher, registered, (from, to), &mut costs, &mut stats);
        let bound = multimodal_bound(request.ground.method);
        let best = match walk {
            Some((walk, lower_bound)) if is_within(walk.cost, lower_bound, bound) => {
                return Ok(Outcome::Found(walk));
            }
            walk => walk.map(|(walk, _)| walk),
        };
        let ends = (from.into(), to.into());
        self.search_multimodal(searcher, registered, ends, (best, stats), &mut costs)
    }

    /// The walk that costs least without exposure, within the bound of the method, at its cost with
    /// exposure, and a lower bound on the cost of every walk; `None` if there is none or it may meet an
    /// obstacle. Adds the work to `stats`.
    pub(super) fn find_exposed_walk(
        &self,
        searcher: &mut Searcher,
        registered: &Registered,
        ends: (Cell, Cell),
        costs: &mut RequestCosts<'_>,
        stats: &mut SearchStats,
    ) -> Option<(Path, Cost)> {
        let request = costs.request();
        let avoided = (request.avoided_obstacles, request.own_body);
        if self.avoiding(avoided, registered).is_some() {
            return None;
        }
        let method = match request.ground.method {
            Method::Bounded => Method::Bounded,
            _ => Method::Optimal,
        };
        // Requests with viewers have no other options.
        let unexposed = PathRequest {
            ground: GroundOptions {
                method,
                ..GroundOptions::default()
            },
            avoided_obstacles: ObstacleCategories::NONE,
            ..request.clone()
        };
        let walk = self.find_walk(searcher, &unexposed, registered, ends, stats);
        let walk = walk.ok().and_then(Outcome::found)?;
        // An expansion looks at up to eight cells.
        stats.expansions += walk.cells.len() as u64 / 8 + 1;
        if stats.expansions >= request.budget.expansions {
            return None;
        }
        let nav_graph = NavGraph::new(&self.ground, registered.profile_id).ok()?;
        let mut exposed = GroundPath::from_cells(nav_graph, &walk.cells)?;
        let graph = self.multimodal_graph(registered).ok()?;
        let cost = exposed.cost + self.exposure_of(&graph, &exposed.cells, costs)?;
        exposed.has_request_costs = true;
        let legs = vec![PathLeg::Ground(exposed)];
        let path = self.new_path(request, legs, cost, stats.expansions);
        Some((path, walk.cost_lower_bound))
    }

    /// What exposure adds to the cost of a walk.
    fn exposure_of(
        &self,
        graph: &MultimodalGraph<'_>,
        cells: &[Cell],
        costs: &mut RequestCosts<'_>,
    ) -> Option<Cost> {
        let mut sum = Cost::ZERO;
        for step in cells.windows(2) {
            let [from, to] = [step[0], step[1]].map(Location::Cell);
            let (here, there) = costs.step(from, to)?;
            sum += graph.extra_cost((from, here), (to, there));
        }
        Some(sum)
    }
}

/// True if a cost is at most `bound` times a lower bound on the optimum.
fn is_within(cost: Cost, lower_bound: Cost, bound: CostMultiplier) -> bool {
    let most = u64::from(lower_bound.units()) * u64::from(bound.sixteenths());
    !cost.is_saturated() && u64::from(cost.units()) * 16 <= most
}

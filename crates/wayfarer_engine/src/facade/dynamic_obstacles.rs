//! Ground paths that avoid obstacles of the plane.
//!
//! A step is blocked if it enters an obstacle's outline inflated by the agent's radius; an agent
//! that starts inside one may leave it first. The search is lazy: it finds a path on the ground
//! alone, adds the columns of the obstacles on that path to the avoided areas and replans, until
//! no obstacle is hit or [`MAX_REPLANS`] is exceeded. Where that does not decide the request, as
//! with corners that a diagonal step cuts, A\* over cells tests every step.

use wayfarer_base::{
    Budget, Cell, Column, Fixed, Location, Outcome, Point2, Rect, RequestError, SearchStats,
    UnreachableProof,
};
use wayfarer_search::ground::{
    Area, GroundGoal, GroundPath, GroundRequest, NavGraph, PartialPolicy,
};
use wayfarer_search::multimodal::{MultimodalGraph, MultimodalRequest};
use wayfarer_world::obstacles::{DiscAgent, ObstacleCategories, ObstacleId};

use super::World;
use super::agent::Registered;
use super::body_obstacles::AvoidingAgent;
use super::request::PathRequest;
use super::searcher::Searcher;

/// Replans with the obstacles hit so far, before all obstacles are avoided at once.
const MAX_REPLANS: usize = 24;

/// Which columns an obstacle blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AvoidedColumns {
    /// Columns whose center lies in the outline: a lower bound.
    Centers,
    /// Columns that the outline overlaps: an upper bound.
    Overlapping,
}

/// A search for a walk around obstacles.
struct AvoidanceSearch<'a> {
    world: &'a World,
    nav_graph: NavGraph<'a>,
    agent: AvoidingAgent,
    ends: (Cell, Cell),
    blocking: Vec<ObstacleId>,
}

impl World {
    /// Finds a ground path around the avoided obstacles; adds the work to `stats`.
    pub(super) fn find_walk(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        registered: &Registered,
        ends: (Cell, Cell),
        stats: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let subrequest = self.ground_request(request, registered, ends);
        let avoided = (request.avoided_obstacles, request.own_body);
        let Some(agent) = self.avoiding(avoided, registered) else {
            let found = searcher.ground.find(&self.ground, &subrequest)?;
            *stats += searcher.ground.stats();
            return Ok(found);
        };
        let search = AvoidanceSearch {
            world: self,
            nav_graph: NavGraph::new(&self.ground, registered.profile_id)?,
            agent,
            ends,
            blocking: Vec::new(),
        };
        search.run(searcher, &subrequest, request.avoided_obstacles, stats)
    }

    pub(super) fn ground_request(
        &self,
        request: &PathRequest,
        registered: &Registered,
        (from, to): (Cell, Cell),
    ) -> GroundRequest {
        let options = request.ground.clone();
        let partial = if request.allow_partial {
            PartialPolicy::NearestEuclidean
        } else {
            PartialPolicy::Never
        };
        GroundRequest {
            profile_id: registered.profile_id,
            budget: request.budget,
            method: options.method,
            partial: options.partial.unwrap_or(partial),
            avoid: options.avoid,
            area_costs: options.area_costs,
            previous: options.previous,
            keep_off: options.keep_off.and_then(|(wide, multiplier)| {
                let wide = self.registered(wide).ok()?;
                Some((wide.profile_id, multiplier))
            }),
            ..GroundRequest::new(from, options.goal.unwrap_or(GroundGoal::Cell(to)))
        }
    }

    /// The disc of an agent that avoids obstacles; `None` if it avoids none.
    pub(super) fn avoiding_agent(
        &self,
        avoided: ObstacleCategories,
        registered: &Registered,
    ) -> Option<AvoidingAgent> {
        self.obstacles.as_ref()?;
        let profile = registered.agent_type.ground.as_ref()?;
        // Outlines are inflated by 1/256 more, so that planar agents never touch an obstacle; on
        // the ground an agent may touch it.
        let radius = Fixed::from_raw((profile.radius.raw() - 1).max(0));
        let disc = DiscAgent {
            radius,
            blocked_by: avoided,
        };
        (!avoided.is_empty()).then_some(AvoidingAgent { disc, own: None })
    }

    /// The obstacle whose inflated outline contains the center of a cell.
    pub(super) fn obstacle_at(&self, cell: Cell, agent: AvoidingAgent) -> Option<ObstacleId> {
        let center = Point2::center_of(cell.column())?;
        agent.obstacle_at(self.obstacles.as_ref()?, center)
    }

    /// The first obstacle that a step enters. Of a nav link only the end is tested.
    pub(super) fn obstacle_on_step(
        &self,
        (from, to): (Cell, Cell),
        agent: AvoidingAgent,
    ) -> Option<ObstacleId> {
        if from.x.abs_diff(to.x) > 1 || from.y.abs_diff(to.y) > 1 {
            return self.obstacle_at(to, agent);
        }
        let center = |cell: Cell| Point2::center_of(cell.column());
        let (a, b) = (center(from)?, center(to)?);
        agent.obstacle_on_line(self.obstacles.as_ref()?, (a, b))
    }

    /// True if an obstacle blocks a step; steps that start inside one are never blocked.
    pub(super) fn is_step_blocked(&self, step: (Location, Location), agent: AvoidingAgent) -> bool {
        match step {
            (Location::Cell(from), Location::Cell(to)) => {
                self.obstacle_on_step((from, to), agent).is_some()
                    && self.obstacle_at(from, agent).is_none()
            }
            (_, Location::Cell(to)) => self.obstacle_at(to, agent).is_some(),
            _ => false,
        }
    }

    /// The first obstacle on each step of a walk, with the index of the step. With `is_at_start` the
    /// cells before the first free one are skipped.
    pub(super) fn obstacles_on_walk(
        &self,
        cells: &[Cell],
        agent: AvoidingAgent,
        is_at_start: bool,
    ) -> Vec<(usize, ObstacleId)> {
        let is_free = |cell: &Cell| self.obstacle_at(*cell, agent).is_none();
        let mut hit = Vec::new();
        let from = if is_at_start {
            cells.iter().position(is_free).unwrap_or(cells.len())
        } else {
            let first = cells.first().and_then(|at| self.obstacle_at(*at, agent));
            hit.extend(first.map(|obstacle| (0, obstacle)));
            0
        };
        for step in from..cells.len().saturating_sub(1) {
            let obstacle = self.obstacle_on_step((cells[step], cells[step + 1]), agent);
            hit.extend(obstacle.map(|obstacle| (step, obstacle)));
        }
        // A walk that never gets free ends inside an obstacle.
        if from == cells.len() && cells.len() > 1 {
            let end = cells.last().and_then(|at| self.obstacle_at(*at, agent));
            hit.extend(end.map(|obstacle| (0, obstacle)));
        }
        hit
    }

    /// Adds the columns that an obstacle blocks, as rectangles.
    fn for_each_avoided(
        &self,
        id: ObstacleId,
        agent: AvoidingAgent,
        columns: AvoidedColumns,
        mut add: impl FnMut(Rect),
    ) {
        let Some(outline) = self
            .obstacles
            .as_ref()
            .and_then(|obstacles| obstacles.outline(id, agent.disc))
        else {
            return;
        };
        let (low, high) = (outline.low(), outline.high());
        let last = |at: Fixed| (at.raw() - 1) >> 8;
        let rect = Rect {
            low: low.column(),
            high: Column::new(last(high.x), last(high.y)),
        };
        let is_inside = |x: i32, y: i32| {
            let center = Point2::center_of(Column::new(x, y));
            center.is_some_and(|center| outline.contains(center))
        };
        if columns == AvoidedColumns::Overlapping {
            return add(rect);
        }
        // Outlines are convex: one interval per row. Equal consecutive rows form one rectangle.
        let mut open: Option<Rect> = None;
        for y in rect.low.y..=rect.high.y {
            let first = (rect.low.x..=rect.high.x).find(|x| is_inside(*x, y));
            let end = (rect.low.x..=rect.high.x).rfind(|x| is_inside(*x, y));
            let row = first.zip(end).map(|(first, end)| Rect {
                low: Column::new(first, y),
                high: Column::new(end, y),
            });
            open = match (open, row) {
                (Some(open), Some(row)) if (open.low.x, open.high.x) == (row.low.x, row.high.x) => {
                    Some(Rect {
                        high: row.high,
                        ..open
                    })
                }
                (done, row) => {
                    done.into_iter().for_each(&mut add);
                    row
                }
            };
        }
        open.into_iter().for_each(add);
    }
}

impl AvoidanceSearch<'_> {
    fn run(
        mut self,
        searcher: &mut Searcher,
        subrequest: &GroundRequest,
        avoided: ObstacleCategories,
        stats: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let (from, to) = self.ends;
        let initial = *stats;
        let starts_inside = self.world.obstacle_at(from, self.agent).is_some();
        // A goal inside an obstacle is blocked from the start.
        let is_one_cell = matches!(subrequest.to, GroundGoal::Cell(_));
        let at_goal = self.world.obstacle_at(to, self.agent);
        let at_goal = at_goal.filter(|_| is_one_cell);
        self.blocking.extend(at_goal.filter(|_| from != to));
        let mut result = self.replan(
            searcher,
            subrequest,
            (AvoidedColumns::Centers, avoided),
            initial,
            stats,
        )?;
        let is_done = match &result {
            Some(Outcome::Found(_)) => !starts_inside || self.blocking.is_empty(),
            Some(Outcome::OutOfBudget { .. }) => true,
            Some(_) => !starts_inside,
            None => false,
        };
        if !is_done && is_one_cell && (at_goal.is_none() || from == to) {
            let exact = self.search_exactly(searcher, subrequest.budget, initial, stats)?;
            let allow_partial = subrequest.partial != PartialPolicy::Never;
            if !matches!(exact, Outcome::Unreachable { .. }) || !allow_partial {
                return Ok(exact);
            }
        }
        if result.is_none() {
            result = self.replan(
                searcher,
                subrequest,
                (AvoidedColumns::Overlapping, avoided),
                initial,
                stats,
            )?;
        }
        Ok(result.unwrap_or(Outcome::Unreachable {
            proof: UnreachableProof::SearchExhausted,
            nearest: None,
        }))
    }

    /// Replans around the obstacles on each result until none is hit; `None` if a result hits only
    /// obstacles that were avoided already.
    fn replan(
        &mut self,
        searcher: &mut Searcher,
        subrequest: &GroundRequest,
        (columns, avoided): (AvoidedColumns, ObstacleCategories),
        initial: SearchStats,
        stats: &mut SearchStats,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        let mut subrequest = subrequest.clone();
        let budget = subrequest.budget;
        let n_areas = subrequest.avoid.len();
        let mut last: Option<GroundPath> = None;
        for round in 0.. {
            subrequest.avoid.truncate(n_areas);
            for id in &self.blocking {
                let avoid = &mut subrequest.avoid;
                let add = |rect| avoid.push(Area::rect(rect));
                self.world.for_each_avoided(*id, self.agent, columns, add);
            }
            subrequest.budget = remaining(budget, initial, *stats);
            if subrequest.budget.expansions == 0 {
                let best = last.and_then(|last| self.truncated(&last));
                let Some(best) =
                    best.or_else(|| GroundPath::from_cells(self.nav_graph, &[self.ends.0]))
                else {
                    return Ok(None);
                };
                return Ok(Some(Self::out_of_budget(best, initial, *stats)));
            }
            let result = searcher.ground.find(&self.world.ground, &subrequest)?;
            *stats += searcher.ground.stats();
            let best = match &result {
                Outcome::Found(best)
                | Outcome::Partial { best, .. }
                | Outcome::OutOfBudget { best, .. } => Some(best),
                Outcome::Unreachable { nearest, .. } => nearest.as_ref(),
            };
            let hit = best.map_or(Vec::new(), |best| {
                self.world.obstacles_on_walk(&best.cells, self.agent, true)
            });
            let n_expansions = stats.expansions - initial.expansions;
            if let Outcome::OutOfBudget { best, .. } = result {
                let best = self.truncated(&best).unwrap_or(best);
                return Ok(Some(Self::out_of_budget(best, initial, *stats)));
            }
            if hit.is_empty() {
                return Ok(Some(result.map(|walk| GroundPath {
                    expansions: n_expansions,
                    ..walk
                })));
            }
            let n_blocking = self.blocking.len();
            self.blocking.extend(hit.iter().map(|(_, id)| *id));
            if round == MAX_REPLANS
                && let Some(obstacles) = &self.world.obstacles
            {
                obstacles.in_box(obstacles.bounds(), avoided, &mut self.blocking);
                self.blocking.retain(|id| self.agent.own != Some(*id));
            }
            self.blocking.sort_unstable();
            self.blocking.dedup();
            if self.blocking.len() == n_blocking || round > MAX_REPLANS {
                return Ok(None);
            }
            last = result.best();
        }
        unreachable!("the loop returns after {MAX_REPLANS} replans")
    }

    /// A walk up to the first obstacle it enters; `None` if it enters none.
    fn truncated(&self, walk: &GroundPath) -> Option<GroundPath> {
        let hit = self.world.obstacles_on_walk(&walk.cells, self.agent, true);
        let cells = walk.cells.get(..=hit.first()?.0)?;
        let walk = GroundPath::from_cells(self.nav_graph, cells)?;
        Some(GroundPath {
            has_request_costs: true,
            ..walk
        })
    }

    fn out_of_budget(
        best: GroundPath,
        initial: SearchStats,
        stats: SearchStats,
    ) -> Outcome<GroundPath> {
        let stats = SearchStats {
            expansions: stats.expansions - initial.expansions,
            pushes: stats.pushes - initial.pushes,
        };
        let expansions = stats.expansions;
        let best = GroundPath { expansions, ..best };
        Outcome::OutOfBudget { best, stats }
    }

    /// A\* over cells that tests every step against the obstacles: optimal.
    fn search_exactly(
        &self,
        searcher: &mut Searcher,
        budget: Budget,
        initial: SearchStats,
        stats: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let graph = MultimodalGraph {
            nav_graph: Some(self.nav_graph),
            air: None,
            alignment: self.world.grid_alignment(),
            air_links: &[],
        };
        let one = wayfarer_base::CostMultiplier::ONE;
        let subrequest = MultimodalRequest {
            from: self.ends.0.into(),
            to: self.ends.1.into(),
            budget: remaining(budget, initial, *stats),
            cost_limit: wayfarer_base::Cost::MAX,
            weight: one,
        };
        let mut cost_fn = |from, to| {
            let is_blocked = self.world.is_step_blocked((from, to), self.agent);
            (!is_blocked).then_some((one, one))
        };
        let found = searcher
            .multimodal
            .find(&graph, &subrequest, Some(&mut cost_fn))?;
        *stats += searcher.multimodal.stats();
        let expansions = stats.expansions - initial.expansions;
        let found = found.map(|path| {
            let cells = path.locations.iter().filter_map(|location| match location {
                Location::Cell(cell) => Some(*cell),
                _ => None,
            });
            let cells: Vec<Cell> = cells.collect();
            let walk = GroundPath::from_cells(self.nav_graph, &cells);
            GroundPath {
                expansions,
                has_request_costs: true,
                ..walk.expect("the search expands only successors of the ground")
            }
        });
        Ok(match found {
            Outcome::OutOfBudget { best, .. } => Self::out_of_budget(best, initial, *stats),
            found => found,
        })
    }
}

/// The part of a budget not used since `initial`.
pub(super) fn remaining(budget: Budget, initial: SearchStats, stats: SearchStats) -> Budget {
    let used = stats.expansions - initial.expansions;
    Budget {
        expansions: match budget.expansions {
            u64::MAX => u64::MAX,
            all => all.saturating_sub(used),
        },
        ..budget
    }
}

#[cfg(test)]
mod tests;

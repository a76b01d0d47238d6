//! On foot past those who move: paths that keep clear of obstacles of the field.
//!
//! A step is barred if it enters the outline of a mover, grown by the agent's radius; who begins
//! inside one may walk out of it first. The paths found are gone through, and movers that stand on
//! them are avoided, again and again, until none does. Where that is not enough, as at corners
//! that a step cuts, the exact search over cells asks of every step.

use wayfarer_base::{
    Budget, Cell, Column, Fixed, Location, Outcome, Point2, Rect, RequestError, SearchStats,
    UnreachableProof,
};
use wayfarer_search::ground::{Area, GroundPath, GroundRequest, NavGraph, PartialPolicy};
use wayfarer_search::multimodal::{MultimodalGraph, MultimodalRequest};
use wayfarer_world::obstacles::{DiscAgent, ObstacleCategories, ObstacleId};

use super::World;
use super::agent::Registered;
use super::request::PathRequest;
use super::searcher::Searcher;

/// Rounds of going round movers one by one, before all of them are taken into account at once.
const MAX_ROUNDS: usize = 24;

/// Which columns are avoided for a mover.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wide {
    /// Those in whose middle one cannot stand: never too many, perhaps too few.
    Middles,
    /// Those that it reaches into: never too few, perhaps too many.
    Touched,
}

/// A walk that keeps clear of movers, being looked for.
struct Round<'a> {
    world: &'a World,
    nav_graph: NavGraph<'a>,
    agent: DiscAgent,
    ends: (Cell, Cell),
    blocking: Vec<ObstacleId>,
}

impl World {
    /// On foot, round the movers that the request names; adds to `stats` what it took.
    pub(super) fn walk(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        known: &Registered,
        ends: (Cell, Cell),
        stats: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let asked = self.walk_request(request, known, ends);
        let Some(agent) = self.mover_agent(request.avoided_obstacles, known) else {
            let found = searcher.ground.find(&self.ground, &asked)?;
            *stats += searcher.ground.stats();
            return Ok(found);
        };
        let round = Round {
            world: self,
            nav_graph: NavGraph::new(&self.ground, known.profile_id)?,
            agent,
            ends,
            blocking: Vec::new(),
        };
        round.walk(searcher, &asked, request.avoided_obstacles, stats)
    }

    pub(super) fn walk_request(
        &self,
        request: &PathRequest,
        known: &Registered,
        (from, to): (Cell, Cell),
    ) -> GroundRequest {
        GroundRequest {
            profile_id: known.profile_id,
            budget: request.budget,
            partial: if request.allow_partial {
                PartialPolicy::NearestEuclidean
            } else {
                PartialPolicy::Never
            },
            ..GroundRequest::new(from, to)
        }
    }

    /// Who keeps clear of movers, if there are any to keep clear of.
    pub(super) fn mover_agent(
        &self,
        avoided: ObstacleCategories,
        known: &Registered,
    ) -> Option<DiscAgent> {
        self.obstacles.as_ref()?;
        let walker = known.agent_type.ground.as_ref()?;
        // The field adds 1/256 to be clear of what agents touch; on the ground one may touch.
        let radius = Fixed::from_raw((walker.radius.raw() - 1).max(0));
        (!avoided.is_empty()).then_some(DiscAgent {
            radius,
            blocked_by: avoided,
        })
    }

    /// The mover in whose outline one would stand.
    pub(super) fn mover_in(&self, cell: Cell, agent: DiscAgent) -> Option<ObstacleId> {
        let center = Point2::center_of(cell.column())?;
        self.obstacles.as_ref()?.blocking_obstacle(center, agent)
    }

    /// The first mover that a step enters. Nav links are not walked: only where they lead counts.
    pub(super) fn mover_on_step(
        &self,
        (from, to): (Cell, Cell),
        agent: DiscAgent,
    ) -> Option<ObstacleId> {
        if from.x.abs_diff(to.x) > 1 || from.y.abs_diff(to.y) > 1 {
            return self.mover_in(to, agent);
        }
        let center = |cell: Cell| Point2::center_of(cell.column());
        let (a, b) = (center(from)?, center(to)?);
        let hit = self.obstacles.as_ref()?.cast_ray(a, b, agent)?;
        Some(hit.obstacle)
    }

    /// True if a step may not be taken because of a mover.
    pub(super) fn is_barred(&self, step: (Location, Location), agent: DiscAgent) -> bool {
        match step {
            (Location::Cell(from), Location::Cell(to)) => {
                self.mover_on_step((from, to), agent).is_some()
                    && self.mover_in(from, agent).is_none()
            }
            (_, Location::Cell(to)) => self.mover_in(to, agent).is_some(),
            _ => false,
        }
    }

    /// The first mover on each step of a walk, with the number of the step. Who sets out inside
    /// one is in nobody's way until it is clear of them.
    pub(super) fn dynamic_obstacles_on(
        &self,
        cells: &[Cell],
        agent: DiscAgent,
        sets_out: bool,
    ) -> Vec<(usize, ObstacleId)> {
        let is_free = |cell: &Cell| self.mover_in(*cell, agent).is_none();
        let mut hit = Vec::new();
        let from = if sets_out {
            cells.iter().position(is_free).unwrap_or(cells.len())
        } else {
            let first = cells.first().and_then(|at| self.mover_in(*at, agent));
            hit.extend(first.map(|mover| (0, mover)));
            0
        };
        for step in from..cells.len().saturating_sub(1) {
            let mover = self.mover_on_step((cells[step], cells[step + 1]), agent);
            hit.extend(mover.map(|mover| (step, mover)));
        }
        // Where it never comes clear, whoever stands on its end is in the way.
        if from == cells.len() && cells.len() > 1 {
            let end = cells.last().and_then(|at| self.mover_in(*at, agent));
            hit.extend(end.map(|mover| (0, mover)));
        }
        hit
    }

    /// The columns that are avoided for a mover.
    fn avoided(&self, id: ObstacleId, agent: DiscAgent, wide: Wide, mut add: impl FnMut(Rect)) {
        let Some(outline) = self
            .obstacles
            .as_ref()
            .and_then(|obstacles| obstacles.outline(id, agent))
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
        if wide == Wide::Touched {
            return add(rect);
        }
        // Row by row, like rows together: an outline has no dents.
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

impl Round<'_> {
    fn walk(
        mut self,
        searcher: &mut Searcher,
        asked: &GroundRequest,
        avoided: ObstacleCategories,
        stats: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let (from, to) = self.ends;
        let begun = *stats;
        let sets_out_inside = self.world.mover_in(from, self.agent).is_some();
        // Nobody is told to go where somebody stands.
        let at_goal = self.world.mover_in(to, self.agent);
        self.blocking.extend(at_goal.filter(|_| from != to));
        let mut result = self.rounds(searcher, asked, (Wide::Middles, avoided), begun, stats)?;
        let is_done = match &result {
            Some(Outcome::Found(_)) => !sets_out_inside || self.blocking.is_empty(),
            Some(Outcome::OutOfBudget { .. }) => true,
            Some(_) => !sets_out_inside,
            None => false,
        };
        if !is_done && (at_goal.is_none() || from == to) {
            let exact = self.exactly(searcher, asked.budget, begun, stats)?;
            let goes_on = asked.partial != PartialPolicy::Never;
            if !matches!(exact, Outcome::Unreachable { .. }) || !goes_on {
                return Ok(exact);
            }
        }
        if result.is_none() {
            result = self.rounds(searcher, asked, (Wide::Touched, avoided), begun, stats)?;
        }
        Ok(result.unwrap_or(Outcome::Unreachable {
            proof: UnreachableProof::SearchExhausted,
            nearest: None,
        }))
    }

    /// Ways round those in the way, until nobody is; `None` if a way enters somebody who is gone
    /// round already.
    fn rounds(
        &mut self,
        searcher: &mut Searcher,
        asked: &GroundRequest,
        (wide, avoided): (Wide, ObstacleCategories),
        begun: SearchStats,
        stats: &mut SearchStats,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        let mut asked = asked.clone();
        let budget = asked.budget;
        let mut last: Option<GroundPath> = None;
        for round in 0.. {
            asked.avoid.clear();
            for id in &self.blocking {
                let avoid = &mut asked.avoid;
                let add = |rect| avoid.push(Area::rect(rect));
                self.world.avoided(*id, self.agent, wide, add);
            }
            asked.budget = left(budget, begun, *stats);
            if asked.budget.expansions == 0 {
                let best = last.and_then(|last| self.cut(&last));
                let Some(best) =
                    best.or_else(|| GroundPath::from_cells(self.nav_graph, &[self.ends.0]))
                else {
                    return Ok(None);
                };
                return Ok(Some(Self::out_of_budget(best, begun, *stats)));
            }
            let result = searcher.ground.find(&self.world.ground, &asked)?;
            *stats += searcher.ground.stats();
            let best = match &result {
                Outcome::Found(best)
                | Outcome::Partial { best, .. }
                | Outcome::OutOfBudget { best, .. } => Some(best),
                Outcome::Unreachable { nearest, .. } => nearest.as_ref(),
            };
            let hit = best.map_or(Vec::new(), |best| {
                self.world
                    .dynamic_obstacles_on(&best.cells, self.agent, true)
            });
            let n_expansions = stats.expansions - begun.expansions;
            if let Outcome::OutOfBudget { best, .. } = result {
                let best = self.cut(&best).unwrap_or(best);
                return Ok(Some(Self::out_of_budget(best, begun, *stats)));
            }
            if hit.is_empty() {
                return Ok(Some(result.map(|walk| GroundPath {
                    expansions: n_expansions,
                    ..walk
                })));
            }
            let n_known = self.blocking.len();
            self.blocking.extend(hit.iter().map(|(_, mover)| *mover));
            if round == MAX_ROUNDS
                && let Some(obstacles) = &self.world.obstacles
            {
                obstacles.in_box(obstacles.bounds(), avoided, &mut self.blocking);
            }
            self.blocking.sort_unstable();
            self.blocking.dedup();
            if self.blocking.len() == n_known || round > MAX_ROUNDS {
                return Ok(None);
            }
            last = result.best();
        }
        unreachable!("the rounds end by themselves")
    }

    /// A walk up to where it first enters somebody; `None` if it does not.
    fn cut(&self, walk: &GroundPath) -> Option<GroundPath> {
        let hit = self
            .world
            .dynamic_obstacles_on(&walk.cells, self.agent, true);
        let cells = walk.cells.get(..=hit.first()?.0)?;
        let walk = GroundPath::from_cells(self.nav_graph, cells)?;
        Some(GroundPath {
            has_request_costs: true,
            ..walk
        })
    }

    fn out_of_budget(
        best: GroundPath,
        begun: SearchStats,
        stats: SearchStats,
    ) -> Outcome<GroundPath> {
        let stats = SearchStats {
            expansions: stats.expansions - begun.expansions,
            pushes: stats.pushes - begun.pushes,
        };
        let expansions = stats.expansions;
        let best = GroundPath { expansions, ..best };
        Outcome::OutOfBudget { best, stats }
    }

    /// A cheapest walk of steps that are not barred.
    fn exactly(
        &self,
        searcher: &mut Searcher,
        budget: Budget,
        begun: SearchStats,
        stats: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let world = MultimodalGraph {
            nav_graph: Some(self.nav_graph),
            air: None,
            frame: self.world.frame(),
            air_links: &[],
        };
        let asked = MultimodalRequest {
            from: self.ends.0.into(),
            to: self.ends.1.into(),
            budget: left(budget, begun, *stats),
            cost_limit: wayfarer_base::Cost::MAX,
        };
        let one = wayfarer_base::CostMultiplier::ONE;
        let mut cost_fn = |from, to| {
            let is_barred = self.world.is_barred((from, to), self.agent);
            (!is_barred).then_some((one, one))
        };
        let found = searcher.mixed.find(&world, &asked, Some(&mut cost_fn))?;
        *stats += searcher.mixed.stats();
        let expansions = stats.expansions - begun.expansions;
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
                ..walk.expect("a search over the ground steps as the ground allows")
            }
        });
        Ok(match found {
            Outcome::OutOfBudget { best, .. } => Self::out_of_budget(best, begun, *stats),
            found => found,
        })
    }
}

/// What is left of a budget.
pub(super) fn left(budget: Budget, begun: SearchStats, stats: SearchStats) -> Budget {
    let used = stats.expansions - begun.expansions;
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

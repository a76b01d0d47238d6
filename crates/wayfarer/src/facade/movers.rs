//! On foot past those who move: ways that keep clear of entities of the field.
//!
//! A step is barred if it enters the outline of a mover, grown by the agent's radius; who begins
//! inside one may walk out of it first. The ways found are gone through, and movers that stand on
//! them are avoided, again and again, until none does. Where that is not enough, as at corners
//! that a step cuts, the exact search over cells asks of every step.

use wayfarer_base::{
    Budget, Cell, Column, Fixed, Location, Outcome, Point2, Rect, RequestError, SearchStats,
    UnreachableProof,
};
use wayfarer_search::ground::{Area, GroundPath, GroundRequest, NavGraph, PartialPolicy};
use wayfarer_search::mixed::{MultimodalGraph, MultimodalRequest};
use wayfarer_world::field::{DiscAgent, ObstacleCategories, ObstacleId};

use super::World;
use super::agent::Registered;
use super::request::Request;
use super::searcher::Searcher;

/// Rounds of going round movers one by one, before all of them are taken into account at once.
const MOST_ROUNDS: usize = 24;

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
    footing: NavGraph<'a>,
    agent: DiscAgent,
    ends: (Cell, Cell),
    in_the_way: Vec<ObstacleId>,
}

impl World {
    /// On foot, round the movers that the request names; adds to `spent` what it took.
    pub(super) fn walk(
        &self,
        searcher: &mut Searcher,
        request: &Request,
        known: &Registered,
        ends: (Cell, Cell),
        spent: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let asked = self.walk_request(request, known, ends);
        let Some(agent) = self.mover_agent(request.movers, known) else {
            let found = searcher.ground.find(&self.ground, &asked)?;
            *spent += searcher.ground.stats();
            return Ok(found);
        };
        let round = Round {
            world: self,
            footing: NavGraph::new(&self.ground, known.view)?,
            agent,
            ends,
            in_the_way: Vec::new(),
        };
        round.walk(searcher, &asked, request.movers, spent)
    }

    pub(super) fn walk_request(
        &self,
        request: &Request,
        known: &Registered,
        (from, to): (Cell, Cell),
    ) -> GroundRequest {
        GroundRequest {
            profile_id: known.view,
            budget: request.budget,
            partial: if request.goes_near {
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
        movers: ObstacleCategories,
        known: &Registered,
    ) -> Option<DiscAgent> {
        self.field.as_ref()?;
        let walker = known.kind.walks.as_ref()?;
        // The field adds 1/256 to be clear of what agents touch; on the ground one may touch.
        let radius = Fixed::from_raw((walker.radius.raw() - 1).max(0));
        (!movers.is_empty()).then_some(DiscAgent {
            radius,
            blocked_by: movers,
        })
    }

    /// The mover in whose outline one would stand.
    pub(super) fn mover_in(&self, cell: Cell, agent: DiscAgent) -> Option<ObstacleId> {
        let middle = Point2::center_of(cell.column())?;
        self.field.as_ref()?.blocking_obstacle(middle, agent)
    }

    /// The first mover that a step enters. Passages are not walked: only where they lead counts.
    pub(super) fn mover_on_step(
        &self,
        (from, to): (Cell, Cell),
        agent: DiscAgent,
    ) -> Option<ObstacleId> {
        if from.x.abs_diff(to.x) > 1 || from.y.abs_diff(to.y) > 1 {
            return self.mover_in(to, agent);
        }
        let middle = |cell: Cell| Point2::center_of(cell.column());
        let (a, b) = (middle(from)?, middle(to)?);
        let hit = self.field.as_ref()?.cast_ray(a, b, agent)?;
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
    pub(super) fn movers_on(
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
            .field
            .as_ref()
            .and_then(|field| field.outline(id, agent))
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
            let middle = Point2::center_of(Column::new(x, y));
            middle.is_some_and(|middle| outline.contains(middle))
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
        movers: ObstacleCategories,
        spent: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let (from, to) = self.ends;
        let begun = *spent;
        let sets_out_inside = self.world.mover_in(from, self.agent).is_some();
        // Nobody is told to go where somebody stands.
        let at_goal = self.world.mover_in(to, self.agent);
        self.in_the_way.extend(at_goal.filter(|_| from != to));
        let mut answer = self.rounds(searcher, asked, (Wide::Middles, movers), begun, spent)?;
        let is_done = match &answer {
            Some(Outcome::Found(_)) => !sets_out_inside || self.in_the_way.is_empty(),
            Some(Outcome::OutOfBudget { .. }) => true,
            Some(_) => !sets_out_inside,
            None => false,
        };
        if !is_done && (at_goal.is_none() || from == to) {
            let exact = self.exactly(searcher, asked.budget, begun, spent)?;
            let goes_on = asked.partial != PartialPolicy::Never;
            if !matches!(exact, Outcome::Unreachable { .. }) || !goes_on {
                return Ok(exact);
            }
        }
        if answer.is_none() {
            answer = self.rounds(searcher, asked, (Wide::Touched, movers), begun, spent)?;
        }
        Ok(answer.unwrap_or(Outcome::Unreachable {
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
        (wide, movers): (Wide, ObstacleCategories),
        begun: SearchStats,
        spent: &mut SearchStats,
    ) -> Result<Option<Outcome<GroundPath>>, RequestError> {
        let mut asked = asked.clone();
        let budget = asked.budget;
        let mut last: Option<GroundPath> = None;
        for round in 0.. {
            asked.avoid.clear();
            for id in &self.in_the_way {
                let avoid = &mut asked.avoid;
                let add = |rect| avoid.push(Area::rect(rect));
                self.world.avoided(*id, self.agent, wide, add);
            }
            asked.budget = left(budget, begun, *spent);
            if asked.budget.expansions == 0 {
                let best = last.and_then(|last| self.cut(&last));
                let Some(best) =
                    best.or_else(|| GroundPath::from_cells(self.footing, &[self.ends.0]))
                else {
                    return Ok(None);
                };
                return Ok(Some(Self::out_of_budget(best, begun, *spent)));
            }
            let answer = searcher.ground.find(&self.world.ground, &asked)?;
            *spent += searcher.ground.stats();
            let best = match &answer {
                Outcome::Found(best)
                | Outcome::Partial { best, .. }
                | Outcome::OutOfBudget { best, .. } => Some(best),
                Outcome::Unreachable { nearest, .. } => nearest.as_ref(),
            };
            let hit = best.map_or(Vec::new(), |best| {
                self.world.movers_on(&best.cells, self.agent, true)
            });
            let n_spent = spent.expansions - begun.expansions;
            if let Outcome::OutOfBudget { best, .. } = answer {
                let best = self.cut(&best).unwrap_or(best);
                return Ok(Some(Self::out_of_budget(best, begun, *spent)));
            }
            if hit.is_empty() {
                return Ok(Some(answer.map(|walk| GroundPath {
                    expansions: n_spent,
                    ..walk
                })));
            }
            let n_known = self.in_the_way.len();
            self.in_the_way.extend(hit.iter().map(|(_, mover)| *mover));
            if round == MOST_ROUNDS
                && let Some(field) = &self.world.field
            {
                field.in_box(field.bounds(), movers, &mut self.in_the_way);
            }
            self.in_the_way.sort_unstable();
            self.in_the_way.dedup();
            if self.in_the_way.len() == n_known || round > MOST_ROUNDS {
                return Ok(None);
            }
            last = answer.best();
        }
        unreachable!("the rounds end by themselves")
    }

    /// A walk up to where it first enters somebody; `None` if it does not.
    fn cut(&self, walk: &GroundPath) -> Option<GroundPath> {
        let hit = self.world.movers_on(&walk.cells, self.agent, true);
        let cells = walk.cells.get(..=hit.first()?.0)?;
        let walk = GroundPath::from_cells(self.footing, cells)?;
        Some(GroundPath {
            has_request_costs: true,
            ..walk
        })
    }

    fn out_of_budget(
        best: GroundPath,
        begun: SearchStats,
        spent: SearchStats,
    ) -> Outcome<GroundPath> {
        let spent = SearchStats {
            expansions: spent.expansions - begun.expansions,
            pushes: spent.pushes - begun.pushes,
        };
        let expansions = spent.expansions;
        let best = GroundPath { expansions, ..best };
        Outcome::OutOfBudget { best, stats: spent }
    }

    /// A cheapest walk of steps that are not barred.
    fn exactly(
        &self,
        searcher: &mut Searcher,
        budget: Budget,
        begun: SearchStats,
        spent: &mut SearchStats,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let world = MultimodalGraph {
            nav_graph: Some(self.footing),
            air: None,
            frame: self.world.frame(),
            air_links: &[],
        };
        let asked = MultimodalRequest {
            from: self.ends.0.into(),
            to: self.ends.1.into(),
            budget: left(budget, begun, *spent),
            cost_limit: wayfarer_base::Cost::MAX,
        };
        let one = wayfarer_base::CostMultiplier::ONE;
        let mut toll = |from, to| {
            let is_barred = self.world.is_barred((from, to), self.agent);
            (!is_barred).then_some((one, one))
        };
        let found = searcher.mixed.find(&world, &asked, Some(&mut toll))?;
        *spent += searcher.mixed.stats();
        let expansions = spent.expansions - begun.expansions;
        let found = found.map(|way| {
            let cells = way.locations.iter().filter_map(|place| match place {
                Location::Cell(cell) => Some(*cell),
                _ => None,
            });
            let cells: Vec<Cell> = cells.collect();
            let walk = GroundPath::from_cells(self.footing, &cells);
            GroundPath {
                expansions,
                has_request_costs: true,
                ..walk.expect("a search over the ground steps as the ground allows")
            }
        });
        Ok(match found {
            Outcome::OutOfBudget { best, .. } => Self::out_of_budget(best, begun, *spent),
            found => found,
        })
    }
}

/// What is left of a budget.
pub(super) fn left(budget: Budget, begun: SearchStats, spent: SearchStats) -> Budget {
    let used = spent.expansions - begun.expansions;
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

//! Why there is no way over the ground, and what would open one.

use wayfarer_base::explain::{BlockedStep, Opener};
use wayfarer_base::{Budget, Cell, Column, Cost, Direction, Explain, Gate, Place, Price, Refusal};
use wayfarer_world::ground::{Ground, NodeId};

use super::bound::octile;
use super::footing::Footing;
use super::overlay::ends_of_passages;
use super::reach::{ReachSearcher, start_node};
use super::smooth::has_in_sight;
use super::spread::{Span, Way};
use super::{Goal, PathRequest};

/// Most places and openers that an explanation names.
const MOST: usize = 16;

impl ReachSearcher {
    /// What stands between the start and the goal of a request that found no way.
    ///
    /// * The frontier: cells that can be reached beside something that cannot be walked to,
    ///   nearest to the goal first by octile distance, then in the order of cells; at most 16.
    /// * The cheapest blocked step: the one that, if it could be taken, would open the cheapest
    ///   way: through a closed or locked passage, through a thin wall, up or down too high a
    ///   step, or over one missing cell as high as the cell before it (on plain ground, thin
    ///   walls left aside). `None` if nothing of the kind is enough.
    /// * The openers: the passages that open the way if their gate opens, cheapest first, at most
    ///   16; or the areas to be avoided, if they alone are in the way.
    ///
    /// If there is a way, the explanation is empty. Each of two searches takes at most
    /// `request.budget`, and what lies beyond is not looked at. Extra prices do not count.
    ///
    /// # Errors
    /// If one cannot stand at the start.
    pub fn explain(&mut self, ground: &Ground, request: &PathRequest) -> Result<Explain, Refusal> {
        let footing = Footing::of(ground, request.view)?;
        let start = start_node(footing, request.from)?;
        let goals = goal_nodes(footing, &request.to);
        let budget = Budget {
            expansions: request.budget.expansions,
            ..Budget::UNLIMITED
        };
        let sources = [start];
        let out = Span {
            budget,
            ..Span::new(&sources, Way::Out)
        };
        self.spread.run(footing, out, |_, _| true);
        if goals.iter().any(|goal| self.spread.cost(*goal).is_some()) {
            return Ok(Explain {
                openers: areas_avoided(request),
                ..Explain::default()
            });
        }
        let back = Span {
            budget,
            ..Span::new(&goals, Way::Back)
        };
        self.back.run(footing, back, |_, _| true);
        let anchor = request.to.place().unwrap_or(request.from);
        let mut blocked = self.blocked_steps(footing, anchor);
        // Of equals what can be opened by a hand comes first.
        blocked.sort_by_key(|(step, opener)| (step.cost, opener.is_none(), step.from, step.to));
        let openers = blocked.iter().filter_map(|(_, opener)| *opener);
        Ok(Explain {
            frontier: self.frontier(footing, anchor),
            openers: openers.take(MOST).collect(),
            cheapest_blocked: blocked.first().map(|(step, _)| *step),
        })
    }

    fn frontier(&self, footing: Footing<'_>, anchor: Cell) -> Vec<Place> {
        let reached = self.spread.arena.records().iter();
        let nodes = reached.map(|record| NodeId::from_index(record.node));
        let ends = nodes.filter(|node| {
            let mut straight = Direction::STRAIGHT.into_iter();
            straight.any(|direction| footing.walk(*node, direction).is_none())
        });
        let mut cells: Vec<Cell> = ends.map(|node| footing.cell(node)).collect();
        cells.sort_unstable_by_key(|cell| (octile(cell.column(), anchor.column()), *cell));
        cells.truncate(MOST);
        cells.into_iter().map(Place::Cell).collect()
    }

    /// Every step that cannot be taken and would open a way, with the passage it leads through.
    fn blocked_steps(
        &self,
        footing: Footing<'_>,
        anchor: Cell,
    ) -> Vec<(BlockedStep, Option<Opener>)> {
        let mut blocked = Vec::new();
        let keys = footing.profile().keys;
        for record in self.spread.arena.records() {
            let node = NodeId::from_index(record.node);
            let (from, so_far) = (footing.cell(node), Cost::from_units(record.cost));
            let step = |to: Cell, cost: Cost, because: &'static str| BlockedStep {
                from: Place::Cell(from),
                to: Place::Cell(to),
                cost: so_far + cost,
                because,
            };
            for (passage, to) in ends_of_passages(footing, from) {
                let rest = footing.node(to).and_then(|to| self.back.cost(to));
                let because = match passage.gate {
                    Gate::Closed => "the passage is closed",
                    Gate::Locked(_) => "the passage is locked",
                    Gate::Open => continue,
                };
                if let Some(rest) = rest.filter(|_| !passage.gate.lets_through(keys)) {
                    let opener = Opener {
                        at: Place::Cell(passage.from),
                        what: passage.kind.name(),
                    };
                    blocked.push((step(to, passage.cost + rest, because), Some(opener)));
                }
            }
            for direction in Direction::STRAIGHT {
                if footing.walk(node, direction).is_some() {
                    continue;
                }
                let Some(column) = from.column().step(direction) else {
                    continue;
                };
                for z in footing.heights(column) {
                    let Some(to) = footing.node(column.at(z)) else {
                        continue;
                    };
                    if let Some(rest) = self.back.cost(to) {
                        let cost = footing.step_cost(node, to, direction);
                        let because = why_no_step(footing, from, column.at(z));
                        blocked.push((step(column.at(z), cost + rest, because), None));
                    }
                }
            }
            for direction in Direction::ALL {
                let missing = from.column().step(direction);
                let missing = missing.map(|column| column.at(from.z));
                let missing = missing.filter(|cell| footing.node(*cell).is_none());
                let Some(missing) = missing else { continue };
                if !is_clear(footing, from, missing) {
                    continue;
                }
                let rest = if missing == anchor {
                    Some(Cost::ZERO)
                } else {
                    self.rest_from_missing(footing, missing)
                };
                if let Some(rest) = rest {
                    let length = Cost::of_step(direction.is_diagonal());
                    let cost = length.between(footing.price(node), Price::ONE);
                    let because = footing.why_not(missing);
                    blocked.push((step(missing, cost + rest, because), None));
                }
            }
        }
        blocked
    }

    /// The least cost from a cell that is missing to the goal, over the cells beside it.
    fn rest_from_missing(&self, footing: Footing<'_>, missing: Cell) -> Option<Cost> {
        let beside = Direction::ALL.into_iter().filter_map(|direction| {
            let to = missing.column().step(direction)?.at(missing.z);
            let node = footing.node(to)?;
            let rest = self.back.cost(node)?;
            let length = Cost::of_step(direction.is_diagonal());
            is_clear(footing, to, missing)
                .then(|| length.between(Price::ONE, footing.price(node)) + rest)
        });
        beside.min()
    }
}

/// True unless the step between `cell` and `missing` is a diagonal that needs a cell beside it
/// which is not there.
fn is_clear(footing: Footing<'_>, cell: Cell, missing: Cell) -> bool {
    let corners = [
        Column::new(cell.x, missing.y),
        Column::new(missing.x, cell.y),
    ];
    cell.x == missing.x
        || cell.y == missing.y
        || corners
            .into_iter()
            .all(|corner| footing.node(corner.at(cell.z)).is_some())
}

fn why_no_step(footing: Footing<'_>, from: Cell, to: Cell) -> &'static str {
    let profile = footing.profile();
    let rise = i64::from(to.z) - i64::from(from.z);
    if rise > i64::from(profile.climb) {
        "too high a step up"
    } else if -rise > i64::from(profile.drop) {
        "too deep a step down"
    } else if footing
        .localise(to.column(), from.z)
        .is_some_and(|node| footing.cell(node) != to)
    {
        "another floor of the column is nearer"
    } else {
        "a thin wall"
    }
}

fn goal_nodes(footing: Footing<'_>, goal: &Goal) -> Vec<NodeId> {
    match goal {
        Goal::Cell(cell) => footing.node(*cell).into_iter().collect(),
        Goal::AnyOf(cells) => cells
            .iter()
            .filter_map(|cell| footing.node(*cell))
            .collect(),
        Goal::Area(_) | Goal::Within { .. } | Goal::InSight { .. } => {
            let Some(area) = goal.area() else {
                return Vec::new();
            };
            let mut nodes = Vec::new();
            footing.for_standing_in(area.shape.bounds(), |node| {
                let cell = footing.cell(node);
                let is_seen = goal
                    .sight_of()
                    .is_none_or(|of| has_in_sight(footing.ground(), cell, of));
                if area.contains(cell) && is_seen {
                    nodes.push(node);
                }
            });
            nodes
        }
    }
}

fn areas_avoided(request: &PathRequest) -> Vec<Opener> {
    let areas = request.avoid.iter().take(MOST);
    areas
        .map(|area| Opener {
            at: Place::Cell(area.middle().at(request.from.z)),
            what: "area to be avoided",
        })
        .collect()
}

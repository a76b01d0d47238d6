//! Why there is no way over the ground, and what would open one.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{
    Budget, Cell, Column, Cost, CostMultiplier, Direction, Explanation, LinkState, Location,
    RequestError,
};
use wayfarer_world::ground::{Ground, NodeId};

use super::dijkstra_sweep::{Span, SweepDirection};
use super::lower_bound::octile;
use super::nav_graph::NavGraph;
use super::overlay::nav_link_ends;
use super::reachability::{ReachabilitySearcher, start_node};
use super::string_pull::has_in_sight;
use super::{GroundGoal, GroundRequest};

/// Most places and openers that an explanation names.
const MAX: usize = 16;

impl ReachabilitySearcher {
    /// What stands between the start and the goal of a request that found no way.
    ///
    /// * The frontier: cells that can be reached beside something that cannot be walked to,
    ///   nearest to the goal first by octile distance, then in the order of cells; at most 16.
    /// * The cheapest blocked step: the one that, if it could be taken, would open the cheapest
    ///   way: through a closed or locked nav link, through a thin wall, up or down too high a
    ///   step, into an area to be avoided, or over one missing cell as high as the cell before it
    ///   (on uniform ground, thin walls left aside). `None` if nothing of the kind is enough.
    /// * The openers, cheapest first, at most 16: the nav links that open the way if their gate
    ///   opens, and the areas to be avoided that the cheapest path without any of them enters.
    ///
    /// If there is a way, the explanation is empty. Each of three searches takes at most
    /// `request.budget`, and what lies beyond is not looked at. Extra cost multipliers do not count.
    ///
    /// # Errors
    /// If one cannot stand at the start.
    pub fn explain(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
    ) -> Result<Explanation, RequestError> {
        let nav_graph = NavGraph::new(ground, request.profile_id)?;
        let start = start_node(nav_graph, request.from)?;
        let mut goals = goal_nodes(nav_graph, &request.to);
        let budget = Budget {
            expansions: request.budget.expansions,
            ..Budget::UNLIMITED
        };
        let sources = [start];
        let out = Span {
            budget,
            ..Span::new(&sources, SweepDirection::Out)
        };
        let asked = Asked {
            nav_graph,
            request,
            anchor: request.to.representative_cell().unwrap_or(request.from),
        };
        let mut blocked = Vec::new();
        if !request.avoid.is_empty() {
            self.spread.run(nav_graph, out, |_, _| true);
            blocked = self.blocked_areas(asked, &goals);
            goals.retain(|goal| !asked.avoids(*goal));
        }
        let allows = |node: NodeId| !asked.avoids(node);
        self.spread.run_where(nav_graph, out, allows, |_, _| true);
        if goals.iter().any(|goal| self.spread.cost(*goal).is_some()) {
            return Ok(Explanation::default());
        }
        let back = Span {
            budget,
            ..Span::new(&goals, SweepDirection::Back)
        };
        self.back.run_where(nav_graph, back, allows, |_, _| true);
        self.blocked_steps(asked, &mut blocked);
        // Of equals what can be opened by a hand comes first.
        blocked.sort_by_key(|one| (one.cost, one.unblock_option.is_none(), one.step));
        let unblock_options = blocked.iter().filter_map(|one| one.unblock_option);
        let steps = blocked.iter().filter_map(|one| {
            let ((from, to), reason) = (one.step?, one.reason);
            Some(BlockedStep {
                from: Location::Cell(from),
                to: Location::Cell(to),
                cost: one.cost,
                reason,
            })
        });
        Ok(Explanation {
            frontier: self.frontier(asked),
            cheapest_blocked: steps.clone().next(),
            unblock_options: unblock_options.take(MAX).collect(),
        })
    }

    /// The areas to be avoided that the cheapest path to one of `goals` enters, in the order it does;
    /// the search must have gone everywhere.
    fn blocked_areas(&self, asked: Asked<'_>, goals: &[NodeId]) -> Vec<Blocked> {
        let nav_graph = asked.nav_graph;
        let reached = goals.iter().filter_map(|goal| {
            let cost = self.spread.cost(*goal)?;
            Some((cost, nav_graph.cell(*goal), *goal))
        });
        let Some((cost, _, goal)) = reached.min_by_key(|(cost, cell, _)| (*cost, *cell)) else {
            return Vec::new();
        };
        let path: Vec<Cell> = self
            .spread
            .path_to(goal)
            .map(|at| nav_graph.cell(at))
            .collect();
        let mut blocked: Vec<Blocked> = Vec::new();
        let mut known: Vec<usize> = Vec::new();
        for step in path.windows(2) {
            for (index, area) in asked.request.avoid.iter().enumerate() {
                if area.contains(step[1]) && !known.contains(&index) {
                    known.push(index);
                    blocked.push(Blocked {
                        step: Some((step[0], step[1])),
                        cost,
                        reason: "it lies in an area to be avoided",
                        unblock_option: Some(UnblockOption {
                            at: Location::Cell(area.middle().at(asked.request.from.z)),
                            what: "area to be avoided",
                        }),
                    });
                }
            }
        }
        // A single step opens the way only if there is one area to enter.
        if let [_, _, ..] = blocked[..] {
            blocked.iter_mut().for_each(|one| one.step = None);
        }
        blocked
    }

    fn frontier(&self, asked: Asked<'_>) -> Vec<Location> {
        let Asked {
            nav_graph: footing,
            anchor,
            ..
        } = asked;
        let reached = self.spread.arena.records().iter();
        let nodes = reached.map(|record| NodeId::from_index(record.node));
        let ends = nodes.filter(|node| {
            let mut straight = Direction::STRAIGHT.into_iter();
            straight.any(|direction| {
                let to = footing.walk(*node, direction);
                to.is_none_or(|to| asked.avoids(to))
            })
        });
        let mut cells: Vec<Cell> = ends.map(|node| footing.cell(node)).collect();
        cells.sort_unstable_by_key(|cell| (octile(cell.column(), anchor.column()), *cell));
        cells.truncate(MAX);
        cells.into_iter().map(Location::Cell).collect()
    }

    /// Adds every step that cannot be taken and would open a way, with the nav link it leads
    /// through.
    fn blocked_steps(&self, asked: Asked<'_>, blocked: &mut Vec<Blocked>) {
        let Asked {
            nav_graph: footing,
            anchor,
            ..
        } = asked;
        let keys = footing.profile().keys;
        for record in self.spread.arena.records() {
            let node = NodeId::from_index(record.node);
            let (from, so_far) = (footing.cell(node), Cost::from_units(record.cost));
            let step = |to: Cell, cost: Cost, reason: &'static str| Blocked {
                step: Some((from, to)),
                cost: so_far + cost,
                reason,
                unblock_option: None,
            };
            for (nav_link, to) in nav_link_ends(footing, from) {
                let rest = footing.node(to).and_then(|to| self.back.cost(to));
                let reason = match nav_link.state {
                    LinkState::Closed => "the passage is closed",
                    LinkState::Locked(_) => "the passage is locked",
                    LinkState::Open => continue,
                };
                if let Some(rest) = rest.filter(|_| !nav_link.state.admits(keys)) {
                    let unblock_option = UnblockOption {
                        at: Location::Cell(nav_link.from),
                        what: nav_link.kind.name(),
                    };
                    blocked.push(Blocked {
                        unblock_option: Some(unblock_option),
                        ..step(to, nav_link.cost + rest, reason)
                    });
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
                        let reason = why_no_step(footing, from, column.at(z));
                        blocked.push(step(column.at(z), cost + rest, reason));
                    }
                }
            }
            for direction in Direction::ALL {
                let missing = from.column().step(direction);
                let missing = missing.map(|column| column.at(from.z));
                let missing = missing.filter(|cell| footing.node(*cell).is_none());
                let missing = missing.filter(|cell| !asked.avoids_cell(*cell));
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
                    let length = Cost::for_step(direction.is_diagonal());
                    let cost =
                        length.scaled_by_mean(footing.cost_multiplier(node), CostMultiplier::ONE);
                    let reason = footing.blocked_reason(missing);
                    blocked.push(step(missing, cost + rest, reason));
                }
            }
        }
    }

    /// The least cost from a cell that is missing to the goal, over the cells beside it.
    fn rest_from_missing(&self, nav_graph: NavGraph<'_>, missing: Cell) -> Option<Cost> {
        let beside = Direction::ALL.into_iter().filter_map(|direction| {
            let to = missing.column().step(direction)?.at(missing.z);
            let node = nav_graph.node(to)?;
            let rest = self.back.cost(node)?;
            let length = Cost::for_step(direction.is_diagonal());
            is_clear(nav_graph, to, missing).then(|| {
                length.scaled_by_mean(CostMultiplier::ONE, nav_graph.cost_multiplier(node)) + rest
            })
        });
        beside.min()
    }
}

/// What is to be explained.
#[derive(Clone, Copy)]
struct Asked<'a> {
    nav_graph: NavGraph<'a>,
    request: &'a GroundRequest,
    anchor: Cell,
}

impl Asked<'_> {
    /// True if a cell may not be entered.
    fn avoids_cell(self, cell: Cell) -> bool {
        self.request.avoid.iter().any(|area| area.contains(cell))
    }

    fn avoids(self, node: NodeId) -> bool {
        !self.request.avoid.is_empty() && self.avoids_cell(self.nav_graph.cell(node))
    }
}

/// Something that stands in the way.
struct Blocked {
    /// The step that cannot be taken, if it is the only one.
    step: Option<(Cell, Cell)>,
    /// Least cost of a whole way if it were open.
    cost: Cost,
    reason: &'static str,
    unblock_option: Option<UnblockOption>,
}

/// True unless the step between `cell` and `missing` is a diagonal that needs a cell beside it
/// which is not there.
fn is_clear(nav_graph: NavGraph<'_>, cell: Cell, missing: Cell) -> bool {
    let corners = [
        Column::new(cell.x, missing.y),
        Column::new(missing.x, cell.y),
    ];
    cell.x == missing.x
        || cell.y == missing.y
        || corners
            .into_iter()
            .all(|corner| nav_graph.node(corner.at(cell.z)).is_some())
}

fn why_no_step(nav_graph: NavGraph<'_>, from: Cell, to: Cell) -> &'static str {
    let profile = nav_graph.profile();
    let rise = i64::from(to.z) - i64::from(from.z);
    if rise > i64::from(profile.max_step) {
        "too high a step up"
    } else if -rise > i64::from(profile.max_drop) {
        "too deep a step down"
    } else if nav_graph
        .project_to_floor(to.column(), from.z)
        .is_some_and(|node| nav_graph.cell(node) != to)
    {
        "another floor of the column is nearer"
    } else {
        "a thin wall"
    }
}

fn goal_nodes(nav_graph: NavGraph<'_>, goal: &GroundGoal) -> Vec<NodeId> {
    match goal {
        GroundGoal::Cell(cell) => nav_graph.node(*cell).into_iter().collect(),
        GroundGoal::AnyOf(cells) => cells
            .iter()
            .filter_map(|cell| nav_graph.node(*cell))
            .collect(),
        GroundGoal::Area(_) | GroundGoal::Within { .. } | GroundGoal::LineOfSightTo { .. } => {
            let Some(area) = goal.area() else {
                return Vec::new();
            };
            let mut nodes = Vec::new();
            nav_graph.for_standing_in(area.shape.bounds(), |node| {
                let cell = nav_graph.cell(node);
                let is_seen = goal
                    .sight_of()
                    .is_none_or(|of| has_in_sight(nav_graph.ground(), cell, of));
                if area.contains(cell) && is_seen {
                    nodes.push(node);
                }
            });
            nodes
        }
    }
}

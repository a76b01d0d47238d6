//! Explanations of unreachable goals: the frontier, the cheapest blocked step, unblock options.
//!
//! Three sweeps of Dijkstra: forward from the start, ignoring and respecting areas to avoid, and
//! backward from the goals. A blocked step joins a cell of the forward sweep with one of the
//! backward sweep.

use wayfarer_base::explanation::{BlockedStep, UnblockOption};
use wayfarer_base::{
    Budget, Cell, Column, Cost, CostMultiplier, Direction, Explanation, LinkState, Location,
    RequestError,
};
use wayfarer_world::ground::{Ground, NodeId};

use super::area::{MAX_CROSSINGS, PreparedArea};
use super::check::total_crossings;
use super::dijkstra_sweep::{SweepDirection, SweepParams};
use super::lower_bound::octile;
use super::nav_graph::NavGraph;
use super::overlay::nav_link_ends;
use super::reachability::{ReachabilitySearcher, start_node};
use super::string_pull::has_line_of_sight;
use super::{GroundGoal, GroundRequest};

/// Most frontier cells and unblock options of an explanation.
const MAX_REPORTED: usize = 16;

impl ReachabilitySearcher {
    /// Expansions of each search of an explanation, at most.
    pub const MAX_EXPLAIN_EXPANSIONS: u64 = 1 << 19;

    /// What blocks the path from the start to the goal of a request.
    ///
    /// * The frontier: reachable cells beside an impassable neighbor, nearest to the goal first by
    ///   octile distance, then in the order of cells; at most 16.
    /// * The cheapest blocked step: the one that would open the cheapest path if it were possible:
    ///   through a closed or locked nav link, through a thin wall, up or down too high a step, into
    ///   an area to avoid, or over one missing cell as high as the cell before it (on uniform
    ///   ground, ignoring thin walls). `None` if no single step suffices.
    /// * The unblock options, cheapest first, at most 16: the nav links that open the path once
    ///   their state admits the agent, and the areas to avoid that the cheapest path without any
    ///   of them enters.
    ///
    /// If the goal is reachable, the explanation is empty. Each of three searches takes at most
    /// `request.budget` expansions, and at most [`Self::MAX_EXPLAIN_EXPANSIONS`]; what lies beyond is
    /// not considered, nor are area costs.
    ///
    /// # Errors
    /// If the start is not walkable.
    pub fn explain(
        &mut self,
        ground: &Ground,
        request: &GroundRequest,
    ) -> Result<Explanation, RequestError> {
        let nav_graph = NavGraph::new(ground, request.profile_id)?;
        let start = start_node(nav_graph, request.from)?;
        let mut goals = goal_nodes(nav_graph, &request.to);
        let budget = Budget {
            expansions: request.budget.expansions.min(Self::MAX_EXPLAIN_EXPANSIONS),
            ..Budget::UNLIMITED
        };
        let sources = [start];
        let forward = SweepParams {
            budget,
            ..SweepParams::new(&sources, SweepDirection::Forward)
        };
        let found = total_crossings(request);
        if found > MAX_CROSSINGS {
            return Err(RequestError::OutOfRange {
                what: "the corners of large polygons times their rows",
                found: i64::try_from(found).unwrap_or(i64::MAX),
                expected: "at most 4194304 in all areas",
            });
        }
        let avoid = request.avoid.iter().cloned().map(PreparedArea::new);
        let avoid: Vec<PreparedArea> = avoid.collect();
        let context = Context {
            nav_graph,
            request,
            avoid: &avoid,
            anchor: request.to.representative_cell().unwrap_or(request.from),
        };
        let mut blocked = Vec::new();
        if !request.avoid.is_empty() {
            self.forward.run(nav_graph, forward, |_, _| true);
            blocked = self.blocked_areas(context, &goals);
            goals.retain(|goal| !context.avoids(*goal));
        }
        let is_allowed = |node: NodeId| !context.avoids(node);
        self.forward
            .run_where(nav_graph, forward, is_allowed, |_, _| true);
        if goals.iter().any(|goal| self.forward.cost(*goal).is_some()) {
            return Ok(Explanation::default());
        }
        let backward = SweepParams {
            budget,
            ..SweepParams::new(&goals, SweepDirection::Backward)
        };
        self.backward
            .run_where(nav_graph, backward, is_allowed, |_, _| true);
        self.blocked_steps(context, &mut blocked);
        // Of equals, what the game can unblock comes first.
        blocked.sort_by_key(|one| (one.cost, one.unblock_option.is_none(), one.step));
        let unblock_options = blocked.iter().filter_map(|one| one.unblock_option);
        let mut steps = blocked.iter().filter_map(|one| {
            let ((from, to), reason) = (one.step?, one.reason);
            Some(BlockedStep {
                from: Location::Cell(from),
                to: Location::Cell(to),
                cost: one.cost,
                reason,
            })
        });
        Ok(Explanation {
            frontier: self.frontier(context),
            cheapest_blocked: steps.next(),
            unblock_options: unblock_options.take(MAX_REPORTED).collect(),
        })
    }

    /// The areas to avoid that the cheapest path to one of `goals` enters, in path order; the
    /// forward sweep must have ignored them.
    fn blocked_areas(&self, context: Context<'_>, goals: &[NodeId]) -> Vec<Blocked> {
        let nav_graph = context.nav_graph;
        let reached = goals.iter().filter_map(|goal| {
            let cost = self.forward.cost(*goal)?;
            Some((cost, nav_graph.cell(*goal), *goal))
        });
        let Some((cost, _, goal)) = reached.min_by_key(|(cost, cell, _)| (*cost, *cell)) else {
            return Vec::new();
        };
        let path: Vec<Cell> = self
            .forward
            .path_to(goal)
            .map(|at| nav_graph.cell(at))
            .collect();
        let mut blocked: Vec<Blocked> = Vec::new();
        let mut known: Vec<usize> = Vec::new();
        for step in path.windows(2) {
            for (index, prepared) in context.avoid.iter().enumerate() {
                let area = &prepared.area;
                if prepared.contains(step[1]) && !known.contains(&index) {
                    known.push(index);
                    blocked.push(Blocked {
                        step: Some((step[0], step[1])),
                        cost,
                        reason: "it lies in an area to be avoided",
                        unblock_option: Some(UnblockOption {
                            at: Location::Cell(area.center().at(context.request.from.z)),
                            what: "area to be avoided",
                        }),
                    });
                }
            }
        }
        // A single step opens the path only if it enters a single area.
        if let [_, _, ..] = blocked[..] {
            blocked.iter_mut().for_each(|one| one.step = None);
        }
        blocked
    }

    fn frontier(&self, context: Context<'_>) -> Vec<Location> {
        let Context {
            nav_graph, anchor, ..
        } = context;
        let reached = self.forward.arena.records().iter();
        let nodes = reached.map(|record| NodeId::from_index(record.node));
        let border = nodes.filter(|node| {
            let mut straight = Direction::STRAIGHT.into_iter();
            straight.any(|direction| {
                let to = nav_graph.neighbor(*node, direction);
                to.is_none_or(|to| context.avoids(to))
            })
        });
        let mut cells: Vec<Cell> = border.map(|node| nav_graph.cell(node)).collect();
        cells.sort_unstable_by_key(|cell| (octile(cell.column(), anchor.column()), *cell));
        cells.truncate(MAX_REPORTED);
        cells.into_iter().map(Location::Cell).collect()
    }

    /// Adds every impossible step that would open a path, with the nav link it leads through.
    fn blocked_steps(&self, context: Context<'_>, blocked: &mut Vec<Blocked>) {
        let Context {
            nav_graph, anchor, ..
        } = context;
        let keys = nav_graph.profile().keys;
        for record in self.forward.arena.records() {
            let node = NodeId::from_index(record.node);
            let (from, g) = (nav_graph.cell(node), Cost::from_units(record.g));
            let step = |to: Cell, cost: Cost, reason: &'static str| Blocked {
                step: Some((from, to)),
                cost: g + cost,
                reason,
                unblock_option: None,
            };
            for (nav_link, to) in nav_link_ends(nav_graph, from) {
                let remaining = nav_graph.node(to).and_then(|to| self.backward.cost(to));
                let reason = match nav_link.state {
                    LinkState::Closed => "the nav link is closed",
                    LinkState::Locked(_) => "the nav link is locked",
                    LinkState::Open => continue,
                };
                if let Some(remaining) = remaining.filter(|_| !nav_link.state.admits(keys)) {
                    let unblock_option = UnblockOption {
                        at: Location::Cell(nav_link.from),
                        what: nav_link.kind.name(),
                    };
                    blocked.push(Blocked {
                        unblock_option: Some(unblock_option),
                        ..step(to, nav_link.cost + remaining, reason)
                    });
                }
            }
            for direction in Direction::STRAIGHT {
                if nav_graph.neighbor(node, direction).is_some() {
                    continue;
                }
                let Some(column) = from.column().step(direction) else {
                    continue;
                };
                for z in nav_graph.heights(column) {
                    let Some(to) = nav_graph.node(column.at(z)) else {
                        continue;
                    };
                    if let Some(remaining) = self.backward.cost(to) {
                        let cost = nav_graph.step_cost(node, to, direction);
                        let reason = step_blocked_reason(nav_graph, from, column.at(z));
                        blocked.push(step(column.at(z), cost + remaining, reason));
                    }
                }
            }
            for direction in Direction::ALL {
                let missing = from.column().step(direction);
                let missing = missing.map(|column| column.at(from.z));
                let missing = missing.filter(|cell| nav_graph.node(*cell).is_none());
                let missing = missing.filter(|cell| !context.avoids_cell(*cell));
                let Some(missing) = missing else { continue };
                if !has_corner_cells(nav_graph, from, missing) {
                    continue;
                }
                let remaining = if missing == anchor {
                    Some(Cost::ZERO)
                } else {
                    self.cost_from_missing(nav_graph, missing)
                };
                if let Some(remaining) = remaining {
                    let length = Cost::for_step(direction.is_diagonal());
                    let cost =
                        length.scaled_by_mean(nav_graph.cost_multiplier(node), CostMultiplier::ONE);
                    let reason = nav_graph.blocked_reason(missing);
                    blocked.push(step(missing, cost + remaining, reason));
                }
            }
        }
    }

    /// The lowest cost from a missing cell to the goal, over its neighbors.
    fn cost_from_missing(&self, nav_graph: NavGraph<'_>, missing: Cell) -> Option<Cost> {
        let neighbors = Direction::ALL.into_iter().filter_map(|direction| {
            let to = missing.column().step(direction)?.at(missing.z);
            let node = nav_graph.node(to)?;
            let remaining = self.backward.cost(node)?;
            let length = Cost::for_step(direction.is_diagonal());
            has_corner_cells(nav_graph, to, missing).then(|| {
                length.scaled_by_mean(CostMultiplier::ONE, nav_graph.cost_multiplier(node))
                    + remaining
            })
        });
        neighbors.min()
    }
}

/// The request to explain.
#[derive(Clone, Copy)]
struct Context<'a> {
    nav_graph: NavGraph<'a>,
    request: &'a GroundRequest,
    avoid: &'a [PreparedArea],
    anchor: Cell,
}

impl Context<'_> {
    /// True if the path may not enter a cell.
    fn avoids_cell(self, cell: Cell) -> bool {
        self.avoid.iter().any(|area| area.contains(cell))
    }

    fn avoids(self, node: NodeId) -> bool {
        !self.avoid.is_empty() && self.avoids_cell(self.nav_graph.cell(node))
    }
}

/// A blocked step or area.
struct Blocked {
    /// The impossible step, if it is the only one.
    step: Option<(Cell, Cell)>,
    /// Lower bound on the cost of a path if the step were possible.
    cost: Cost,
    reason: &'static str,
    unblock_option: Option<UnblockOption>,
}

/// True unless the step between `cell` and `missing` is a diagonal that lacks one of its corner
/// cells.
fn has_corner_cells(nav_graph: NavGraph<'_>, cell: Cell, missing: Cell) -> bool {
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

fn step_blocked_reason(nav_graph: NavGraph<'_>, from: Cell, to: Cell) -> &'static str {
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
            nav_graph.for_each_walkable_in(area.shape.bounds(), |node| {
                let cell = nav_graph.cell(node);
                let is_visible = goal
                    .sight_of()
                    .is_none_or(|of| has_line_of_sight(nav_graph.ground(), cell, of));
                if area.contains(cell) && is_visible {
                    nodes.push(node);
                }
            });
            nodes
        }
    }
}

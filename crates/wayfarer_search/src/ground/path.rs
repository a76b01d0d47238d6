//! Ground paths as values: cells, legs, cost, the revision they are valid at, the proven bound.

use wayfarer_base::{Cell, Column, Cost, Direction, NavLinkId, Rect, Revision, SectorId};
use wayfarer_world::ground::{Ground, NodeId, ProfileId, RegionId};

use super::jps::append_cells;
use super::nav_graph::{NavGraph, inflated};
use super::overlay::nav_links_from;
use super::path_cursor::PathCursor;

/// A path over the ground, valid at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundPath {
    /// Every cell from start to end, both included; each is one step from the one before.
    pub cells: Vec<Cell>,
    /// The same path as legs, in order: a walk per region, a leg per nav link. Empty if the path is
    /// a single cell.
    pub legs: Vec<Leg>,
    /// Its cost, area costs of the request included.
    pub cost: Cost,
    /// The revision of the ground at which it was found.
    pub revision: Revision,
    /// The agent's profile; `None` for the ground's default profile.
    pub profile_id: Option<ProfileId>,
    /// The distance in columns from its cells within which the ground decides whether the agent
    /// fits; 0 for a body no wider than a cell.
    pub clearance_columns: u32,
    /// Cells expanded by the search.
    pub expansions: u64,
    /// The columns in which the request let it end; its own end if it is partial.
    pub goal_bounds: Rect,
    /// True if it ends where a target comes into line of sight: a new floor may then shorten it.
    pub ends_at_line_of_sight: bool,
    /// True if the request has area costs or areas to avoid.
    pub has_request_costs: bool,
    /// Proven lower bound on the cost of a path from its start to the goal at its revision: its own
    /// cost if it is optimal, less for a bounded, kept or repaired path, 0 if the budget ran out.
    pub cost_lower_bound: Cost,
}

/// A part of a path: the steps from cell `begin` to cell `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leg {
    /// Index of the first cell in the path's cells.
    pub begin: u32,
    /// Index of the last cell, which is the first of the next leg.
    pub end: u32,
    /// The cost of its steps on the ground, without area costs of the request.
    pub cost: Cost,
    /// How the agent moves.
    pub kind: LegKind,
}

/// How the agent moves along a leg.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LegKind {
    /// Through a region of the path's profile, up to the first cell of the next; the region's id is
    /// that at the path's revision.
    Walk(RegionId),
    /// Through a nav link: a single step.
    NavLink(NavLinkId),
}

impl GroundPath {
    /// The path along stored cells, in reused memory.
    pub(super) fn assemble(
        nav_graph: NavGraph<'_>,
        nodes: &[NodeId],
        cost: Cost,
        expansions: u64,
        goal_bounds: Rect,
        spare: (Vec<Cell>, Vec<Leg>),
    ) -> Self {
        let (mut cells, mut legs) = spare;
        cells.clear();
        legs.clear();
        cells.reserve(nodes.len());
        let ground = nav_graph.profile_ground();
        for run in nodes.chunk_by(|a, b| a.shares_sheet(*b)) {
            let sheet = ground.bits(run[0]);
            let begin = cells.len();
            append_cells(&sheet, run, &mut cells);
            // The step into this sheet starts at the last cell of the one before.
            if let Some(before) = begin.checked_sub(1) {
                add_step(nav_graph, (nodes, &cells), before, &mut legs);
            }
            // Weighted steps of registered profiles are looked up one by one.
            let is_default = ground.layer_id() == 0;
            if !(sheet.is_uniform() || is_default && sheet.has_regular_steps()) {
                for step in begin..cells.len() - 1 {
                    add_step(nav_graph, (nodes, &cells), step, &mut legs);
                }
            } else if let [_, .., _] = run {
                // Regular steps follow from their cells and stay in one region; the cells of a path
                // are walkable, so they have one.
                let kind = ground.region(run[0]).map(LegKind::Walk);
                let ends = (begin, cells.len() - 1);
                let cost = if sheet.is_uniform() {
                    base_cost(&cells[begin..])
                } else {
                    weighted_cost(ground.ground(), run, &cells[begin..])
                };
                if let Some(kind) = kind {
                    add_leg(&mut legs, ends, cost, kind);
                }
            }
        }
        Self {
            cells,
            legs,
            cost,
            revision: nav_graph.ground().revision(),
            profile_id: nav_graph.profile_id(),
            clearance_columns: nav_graph.clearance_columns(),
            expansions,
            goal_bounds,
            ends_at_line_of_sight: false,
            has_request_costs: false,
            cost_lower_bound: cost,
        }
    }

    /// True if no path was cheaper at its revision.
    pub fn is_optimal(&self) -> bool {
        self.cost_lower_bound == self.cost
    }

    /// The proven bound on cost / optimal cost, in millionths, rounded up: 1,000,000 for an optimal
    /// path. `None` if no bound is known.
    pub fn suboptimality_bound(&self) -> Option<u64> {
        if self.is_optimal() {
            return Some(1_000_000);
        }
        let lower_bound = u64::from(self.cost_lower_bound.units());
        let cost = u64::from(self.cost.units());
        (lower_bound > 0).then(|| (cost * 1_000_000).div_ceil(lower_bound))
    }

    /// The path along given cells, at its cost on the ground; `None` if a cell is not walkable or a
    /// step impossible.
    pub fn from_cells(nav_graph: NavGraph<'_>, cells: &[Cell]) -> Option<Self> {
        let nodes: Vec<NodeId> = cells
            .iter()
            .map(|cell| nav_graph.node(*cell))
            .collect::<Option<_>>()?;
        let end = cells.last()?.column();
        let mut cost = Cost::ZERO;
        for (pair, ends) in nodes.windows(2).zip(cells.windows(2)) {
            cost += step_between(nav_graph, (pair[0], ends[0]), (pair[1], ends[1]))?.0;
        }
        let goal_bounds = Rect::around(end, end);
        let spare = (Vec::new(), Vec::new());
        let path = Self::assemble(nav_graph, &nodes, cost, 0, goal_bounds, spare);
        Some(path)
    }

    /// The cost of the steps along given cells on the ground; `None` if a cell is not walkable or a
    /// step impossible.
    pub fn cost_along(nav_graph: NavGraph<'_>, cells: &[Cell]) -> Option<Cost> {
        PathCursor::new(nav_graph).cost_along(cells)
    }

    /// What remains of the path from cell `first` on: its cost on the ground, and the lower bound
    /// on the cost from there.
    ///
    /// The remainder of a leg in progress counts at its present cost, if it is still walkable.
    pub(super) fn remaining_from(&self, nav_graph: NavGraph<'_>, first: usize) -> (Cost, Cost) {
        if first == 0 {
            return (self.ground_cost(), self.cost_lower_bound);
        }
        let n_done = self.legs.partition_point(|leg| leg.end as usize <= first);
        let (done, left) = self.legs.split_at(n_done);
        let mut walked: Cost = done.iter().map(|leg| leg.cost).sum();
        let mut cost: Cost = left.iter().map(|leg| leg.cost).sum();
        if let Some(cut) = left.first().filter(|leg| (leg.begin as usize) < first) {
            let cost_now = |from: usize| {
                let cells = self.cells.get(from..=cut.end as usize)?;
                PathCursor::new(nav_graph).cost_along(cells)
            };
            // If multipliers changed, the walked part may have cost up to the whole leg.
            let is_same = cost_now(cut.begin as usize) == Some(cut.cost);
            let remaining = cost_now(first);
            walked += match remaining.filter(|_| is_same) {
                Some(remaining) => cut.cost - remaining,
                None => cut.cost,
            };
            cost = cost - cut.cost + remaining.unwrap_or(cut.cost);
        }
        let lower_bound = if self.has_request_costs {
            Cost::ZERO
        } else {
            Cost::from_units(self.cost_lower_bound.units().saturating_sub(walked.units())).min(cost)
        };
        (cost, lower_bound)
    }

    /// The first cell; `None` if the path is empty.
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// The last cell; `None` if the path is empty.
    pub fn end(&self) -> Option<Cell> {
        self.cells.last().copied()
    }

    /// Its length on the map, as a cost at multiplier 1; a nav link counts as the octile distance
    /// between its ends.
    pub fn length(&self) -> Cost {
        let steps = self.cells.windows(2);
        steps
            .map(|step| Cost::octile(step[0].x.abs_diff(step[1].x), step[0].y.abs_diff(step[1].y)))
            .sum()
    }

    /// The cost of its steps on the ground, without area costs of the request.
    pub fn ground_cost(&self) -> Cost {
        self.legs.iter().map(|leg| leg.cost).sum()
    }

    /// The columns whose change can invalidate the step from cell `index` to the next: both ends,
    /// the corners of a diagonal, and the clearance of a wide body; one rectangle for a step to a
    /// neighbor, two for a longer nav link.
    pub(super) fn columns_of_step(&self, index: usize) -> impl Iterator<Item = Rect> {
        let (from, to) = (self.cells[index].column(), self.cells[index + 1].column());
        let is_far = from.x.abs_diff(to.x) > 1 || from.y.abs_diff(to.y) > 1;
        let (first, second) = if is_far {
            (Rect::around(from, from), Some(Rect::around(to, to)))
        } else {
            (Rect::around(from, to), None)
        };
        let clearance = self.clearance_columns;
        let rects = std::iter::once(first).chain(second);
        rects.map(move |rect| inflated(rect, clearance))
    }

    /// The columns whose change can make the start unwalkable.
    pub(super) fn columns_of_start(&self) -> Rect {
        let start = self.start().map(Cell::column);
        start.map_or(Rect::EMPTY, |start| {
            inflated(Rect::around(start, start), self.clearance_columns)
        })
    }
}

/// The sectors that a rectangle of columns overlaps, row by row.
pub(super) fn sectors_in(rect: Rect) -> impl Iterator<Item = SectorId> {
    let (low, high) = (
        SectorId::from_column(rect.low),
        SectorId::from_column(rect.high),
    );
    // An empty rectangle ends before it begins.
    let rows = if rect.is_empty() {
        0..0
    } else {
        low.y..high.y + 1
    };
    rows.flat_map(move |y| (low.x..=high.x).map(move |x| SectorId::new(x, y)))
}

/// The cheapest step between two cells, and its nav link if it is one; of equals the step to a
/// neighbor, then the first nav link by id.
pub(super) fn step_between(
    nav_graph: NavGraph<'_>,
    (from, here): (NodeId, Cell),
    (to, there): (NodeId, Cell),
) -> Option<(Cost, Option<NavLinkId>)> {
    let direction = direction_between(here.column(), there.column());
    let walk = direction.filter(|direction| nav_graph.neighbor(from, *direction) == Some(to));
    let walk = walk.map(|direction| (nav_graph.step_cost(from, to, direction), None));
    nav_links_from(nav_graph, here)
        .filter(|(_, end)| *end == to)
        .map(|(nav_link, _)| (nav_link.cost, Some(NavLinkId::from(nav_link))))
        .fold(walk, |best, next| match best {
            Some(best) if best.0 <= next.0 => Some(best),
            _ => Some(next),
        })
}

/// [`step_between`] for cells that are known to be one step apart.
pub(super) fn adjacent_step(
    nav_graph: NavGraph<'_>,
    from: (NodeId, Cell),
    to: (NodeId, Cell),
) -> Option<(Cost, Option<NavLinkId>)> {
    if nav_graph.profile_ground().bits(from.0).is_uniform() {
        let is_diagonal = from.1.x != to.1.x && from.1.y != to.1.y;
        let cost = if is_diagonal {
            Cost::DIAGONAL
        } else {
            Cost::STRAIGHT
        };
        return Some((cost, None));
    }
    step_between(nav_graph, from, to)
}

/// The cost of steps from neighbor to neighbor.
fn weighted_cost(ground: &Ground, nodes: &[NodeId], cells: &[Cell]) -> Cost {
    let mut here = ground.cost_multiplier(nodes[0]);
    let steps = nodes[1..].iter().zip(cells.windows(2)).map(|(node, step)| {
        let from = std::mem::replace(&mut here, ground.cost_multiplier(*node));
        let is_diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
        Cost::for_step(is_diagonal).scaled_by_mean(from, here)
    });
    steps.sum()
}

/// The cost of steps on uniform ground.
pub(super) fn base_cost(cells: &[Cell]) -> Cost {
    let is_diagonal = |step: &[Cell]| step[0].x != step[1].x && step[0].y != step[1].y;
    let costs = cells
        .windows(2)
        .map(|step| Cost::for_step(is_diagonal(step)));
    costs.sum()
}

/// Adds the step from cell `step` of a path to the next to its legs.
fn add_step(
    nav_graph: NavGraph<'_>,
    (nodes, cells): (&[NodeId], &[Cell]),
    step: usize,
    legs: &mut Vec<Leg>,
) {
    let at = |index: usize| (nodes[index], cells[index]);
    let known = adjacent_step(nav_graph, at(step), at(step + 1));
    let (cost, nav_link) = known.unwrap_or((Cost::MAX, None));
    let kind = match nav_link {
        Some(id) => Some(LegKind::NavLink(id)),
        // The cells of a path are walkable, so they have a region.
        None => nav_graph.region(nodes[step]).map(LegKind::Walk),
    };
    if let Some(kind) = kind {
        add_leg(legs, (step, step + 1), cost, kind);
    }
}

/// Extends the last leg by steps of the same kind, or adds a leg.
fn add_leg(legs: &mut Vec<Leg>, (begin, end): (usize, usize), cost: Cost, kind: LegKind) {
    let index = |at: usize| u32::try_from(at).expect("paths have fewer than 2^32 cells");
    match legs.last_mut() {
        Some(leg) if leg.kind == kind && matches!(kind, LegKind::Walk(_)) => {
            leg.end = index(end);
            leg.cost += cost;
        }
        _ => legs.push(Leg {
            begin: index(begin),
            end: index(end),
            cost,
            kind,
        }),
    }
}

fn direction_between(from: Column, to: Column) -> Option<Direction> {
    Direction::from_offset((to.x.checked_sub(from.x)?, to.y.checked_sub(from.y)?))
}

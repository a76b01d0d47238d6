//! A way over the ground as a value: its cells, its legs, what it costs, when it was found.

use wayfarer_base::{Cell, Column, Cost, Direction, NavLinkId, Rect, Revision, SectorId};
use wayfarer_world::ground::{NodeId, ProfileId, RegionId};

use super::jps::add_cells;
use super::nav_graph::{NavGraph, grown};
use super::overlay::nav_links_from;
use super::stride::Stride;

/// A way over the ground, as it was at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundPath {
    /// Every cell from start to end, both included; each is one step from the one before.
    pub cells: Vec<Cell>,
    /// The same way in pieces, in order: each walk through one region, each nav link. Empty if the
    /// path is a single cell.
    pub legs: Vec<Leg>,
    /// What it costs to walk, cost multipliers of the request included.
    pub cost: Cost,
    /// The revision of the ground it was found at.
    pub revision: Revision,
    /// Whose way it is: a registered profile's, or without one that of the world's own walker.
    pub profile_id: Option<ProfileId>,
    /// How many columns away from its cells the ground decides whether the agent fits; 0 for one
    /// no wider than a cell.
    pub clearance_columns: u32,
    /// Cells expanded to find it.
    pub expansions: u64,
    /// The columns in which the request let it end; its own end if it ends short of the goal.
    pub goal_bounds: Rect,
    /// True if it ends where something comes in sight, so that a new view may make it shorter.
    pub ends_at_line_of_sight: bool,
    /// True if the request laid cost multipliers of its own or areas to avoid over the ground.
    pub has_request_costs: bool,
    /// What a path from its start to its aim cost at least when it was found: its own cost if it
    /// is a cheapest one, less if it may not be (it was found by the default method, kept for
    /// stability or repaired), nothing if the budget ran out.
    pub cost_lower_bound: Cost,
}

/// A piece of a path: steps from cell `begin` to cell `end` of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leg {
    /// The first cell, as a position in the path's cells.
    pub begin: u32,
    /// The last cell, which is the first of the next leg.
    pub end: u32,
    /// What its steps cost on the ground, cost multipliers of the request left out.
    pub cost: Cost,
    /// How it is done.
    pub kind: LegKind,
}

/// How a leg is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LegKind {
    /// On foot through a region, up to the first cell of the next; the region is one of the
    /// path's view and named as at the path's revision.
    Walk(RegionId),
    /// Through a nav link: one step.
    NavLink(NavLinkId),
}

impl GroundPath {
    /// The path of stored cells, in the memory of `previous`.
    pub(super) fn assemble(
        nav_graph: NavGraph<'_>,
        nodes: &[NodeId],
        cost: Cost,
        expansions: u64,
        aim: Rect,
        previous: (Vec<Cell>, Vec<Leg>),
    ) -> Self {
        let (mut cells, mut legs) = previous;
        cells.clear();
        legs.clear();
        cells.reserve(nodes.len());
        let ground = nav_graph.ground();
        let is_own = nav_graph.profile_id().is_none();
        for run in nodes.chunk_by(|a, b| a.shares_sheet(*b)) {
            let sheet = ground.bits(run[0]);
            let begin = cells.len();
            add_cells(&sheet, run, &mut cells);
            // The step that led here begins where the cells before end.
            if let Some(before) = begin.checked_sub(1) {
                add_step(nav_graph, (nodes, &cells), before, &mut legs);
            }
            if !is_own || !sheet.is_uniform() {
                for step in begin..cells.len() - 1 {
                    add_step(nav_graph, (nodes, &cells), step, &mut legs);
                }
            } else if let [_, .., _] = run {
                // On a plain sheet steps are what they look like, and stay in one region.
                let by = LegKind::Walk(ground.region(run[0]));
                add_leg(
                    &mut legs,
                    (begin, cells.len() - 1),
                    base_cost(&cells[begin..]),
                    by,
                );
            }
        }
        Self {
            cells,
            legs,
            cost,
            revision: nav_graph.ground().revision(),
            profile_id: nav_graph.profile_id(),
            clearance_columns: nav_graph.reach(),
            expansions,
            goal_bounds: aim,
            ends_at_line_of_sight: false,
            has_request_costs: false,
            cost_lower_bound: cost,
        }
    }

    /// True if no path was cheaper when it was found.
    pub fn is_optimal(&self) -> bool {
        self.cost_lower_bound == self.cost
    }

    /// How many times what a cheapest path costs it may cost at most, in millionths, rounded up:
    /// 1,000,000 for a cheapest path. `None` if nothing is known.
    pub fn suboptimality_bound(&self) -> Option<u64> {
        if self.is_optimal() {
            return Some(1_000_000);
        }
        let least = u64::from(self.cost_lower_bound.units());
        (least > 0).then(|| (u64::from(self.cost.units()) * 1_000_000).div_ceil(least))
    }

    /// The path along cells that somebody else found, at its cost on the ground; `None` if the
    /// agent cannot stand in one of them or step from one to the next.
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
        let aim = Rect::around(end, end);
        let previous = (Vec::new(), Vec::new());
        Some(Self::assemble(nav_graph, &nodes, cost, 0, aim, previous))
    }

    /// What is left of the path from place `first` on: what it cost on the ground, and what a way
    /// from there cost at least, all as far as known.
    ///
    /// The piece of the first leg that is left costs what it costs now, if it can be walked.
    pub(super) fn left_from(&self, nav_graph: NavGraph<'_>, first: usize) -> (Cost, Cost) {
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
                Stride::new(nav_graph).cost_along(cells)
            };
            // Where cost multipliers changed, nobody knows what the walked part cost: all of it at most.
            let is_same = cost_now(cut.begin as usize) == Some(cut.cost);
            let left = cost_now(first);
            walked += match left.filter(|_| is_same) {
                Some(left) => cut.cost - left,
                None => cut.cost,
            };
            cost = cost - cut.cost + left.unwrap_or(cut.cost);
        }
        let at_least = if self.has_request_costs {
            Cost::ZERO
        } else {
            Cost::from_units(self.cost_lower_bound.units().saturating_sub(walked.units())).min(cost)
        };
        (cost, at_least)
    }

    /// Where it begins.
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// Where it ends.
    pub fn end(&self) -> Option<Cell> {
        self.cells.last().copied()
    }

    /// How far it leads over the map, as a cost at cost multiplier 1; a nav link counts as the straight path
    /// between its ends.
    pub fn length(&self) -> Cost {
        let steps = self.cells.windows(2);
        steps
            .map(|step| Cost::octile(step[0].x.abs_diff(step[1].x), step[0].y.abs_diff(step[1].y)))
            .sum()
    }

    /// What its steps cost on the ground, cost multipliers of the request left out.
    pub fn ground_cost(&self) -> Cost {
        self.legs.iter().map(|leg| leg.cost).sum()
    }

    /// The columns whose change can break the step from cell `index` to the next: both ends, the
    /// corners of a diagonal, and all that a wide body touches on the way; one rectangle for a
    /// step on foot, two for a nav link that leads farther.
    pub(super) fn columns_of_step(&self, index: usize) -> impl Iterator<Item = Rect> {
        let (from, to) = (self.cells[index].column(), self.cells[index + 1].column());
        let is_far = from.x.abs_diff(to.x) > 1 || from.y.abs_diff(to.y) > 1;
        let (first, second) = if is_far {
            (Rect::around(from, from), Some(Rect::around(to, to)))
        } else {
            (Rect::around(from, to), None)
        };
        let reach = self.clearance_columns;
        let rects = std::iter::once(first).chain(second);
        rects.map(move |rect| grown(rect, reach))
    }

    /// The columns whose change can make the start a place where one cannot stand.
    pub(super) fn columns_of_start(&self) -> Rect {
        let start = self.start().map(Cell::column);
        start.map_or(Rect::EMPTY, |start| {
            grown(Rect::around(start, start), self.clearance_columns)
        })
    }
}

/// The sectors that a rectangle of columns lies in, row by row.
pub(super) fn sectors_of(rect: Rect) -> impl Iterator<Item = SectorId> {
    let (low, high) = (SectorId::from_column(rect.low), SectorId::from_column(rect.high));
    // An empty rectangle ends before it begins.
    let rows = if rect.is_empty() {
        0..0
    } else {
        low.y..high.y + 1
    };
    rows.flat_map(move |y| (low.x..=high.x).map(move |x| SectorId::new(x, y)))
}

/// The cheapest step from one cell to another, and the nav link if it is one; of equals the walk,
/// then the first nav link by name.
pub(super) fn step_between(
    nav_graph: NavGraph<'_>,
    (from, here): (NodeId, Cell),
    (to, there): (NodeId, Cell),
) -> Option<(Cost, Option<NavLinkId>)> {
    let direction = direction_between(here.column(), there.column());
    let walk = direction.filter(|direction| nav_graph.walk(from, *direction) == Some(to));
    let walk = walk.map(|direction| (nav_graph.step_cost(from, to, direction), None));
    nav_links_from(nav_graph, here)
        .filter(|(_, end)| *end == to)
        .map(|(nav_link, _)| (nav_link.cost, Some(NavLinkId::from(nav_link))))
        .fold(walk, |best, next| match best {
            Some(best) if best.0 <= next.0 => Some(best),
            _ => Some(next),
        })
}

/// As [`step_between`], for cells that are known to be one step apart.
pub(super) fn known_step(
    nav_graph: NavGraph<'_>,
    from: (NodeId, Cell),
    to: (NodeId, Cell),
) -> Option<(Cost, Option<NavLinkId>)> {
    if nav_graph.profile_id().is_none() && nav_graph.ground().bits(from.0).is_uniform() {
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

/// What steps over uniform ground cost.
pub(super) fn base_cost(cells: &[Cell]) -> Cost {
    let is_diagonal = |step: &[Cell]| step[0].x != step[1].x && step[0].y != step[1].y;
    let costs = cells
        .windows(2)
        .map(|step| Cost::for_step(is_diagonal(step)));
    costs.sum()
}

/// Adds the step from place `step` of a path to the next to its legs.
fn add_step(
    nav_graph: NavGraph<'_>,
    (nodes, cells): (&[NodeId], &[Cell]),
    step: usize,
    legs: &mut Vec<Leg>,
) {
    let at = |place: usize| (nodes[place], cells[place]);
    let known = known_step(nav_graph, at(step), at(step + 1));
    let (cost, nav_link) = known.unwrap_or((Cost::MAX, None));
    let by = match nav_link {
        Some(name) => Some(LegKind::NavLink(name)),
        // Cells of a path are stood on, so they have a region.
        None => nav_graph.region(nodes[step]).map(LegKind::Walk),
    };
    if let Some(by) = by {
        add_leg(legs, (step, step + 1), cost, by);
    }
}

/// Adds steps to the last leg, or as a leg of their own.
fn add_leg(legs: &mut Vec<Leg>, (begin, end): (usize, usize), cost: Cost, by: LegKind) {
    let place = |at: usize| u32::try_from(at).expect("paths have fewer than 2^32 cells");
    match legs.last_mut() {
        Some(leg) if leg.kind == by && matches!(by, LegKind::Walk(_)) => {
            leg.end = place(end);
            leg.cost += cost;
        }
        _ => legs.push(Leg {
            begin: place(begin),
            end: place(end),
            cost,
            kind: by,
        }),
    }
}

fn direction_between(from: Column, to: Column) -> Option<Direction> {
    let away = (to.x.checked_sub(from.x)?, to.y.checked_sub(from.y)?);
    Direction::ALL
        .into_iter()
        .find(|direction| direction.offset() == away)
}

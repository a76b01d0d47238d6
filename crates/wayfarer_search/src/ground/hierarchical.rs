//! Hierarchical paths: planned over the cluster graph, refined segment by segment.
//!
//! The abstract planner searches the components of clusters of 64 x 64 columns
//! ([`AbstractNodeId`](wayfarer_world::ground::AbstractNodeId)) and of wider clusters, which the
//! ground repairs with every edit. Each segment then follows the abstract path for a few clusters:
//! the search runs farther ahead than the segment it keeps, so that segments join without bends. A
//! [`HierarchicalPath`] is the whole state between segments; if the world changed in between, the
//! next segment replans the rest. Relatives: HPA\* \[Botea2004\], but without precomputed
//! intra-cluster edges, and PRA\* \[Sturtevant2005\], whose partial refinement it shares.
//!
//! Abstract edges have unit cost, so the path has no proven bound but the octile distance. See
//! `docs/design/hierarchical-paths.md`.

use wayfarer_base::{
    Budget, Cell, Column, Cost, Location, NoopObserver, Outcome, Rect, RequestError, Revision,
    SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{Ground, NodeId, ProfileGround};

use super::jps::{Query, write_run};
use super::jps_cached::HeuristicWeight;
use super::nav_graph::NavGraph;
use super::path::adjacent_step;
use super::{GroundPath, PathSearcher};
use crate::kernel::StopReason;
use abstract_path::AbstractPath;
use local_search::{LocalGoal, LocalSearch};
use planner::AbstractPlanner;

mod abstract_path;
mod bitmap_window;
mod local_search;
mod planner;

/// Clusters that a segment is searched for.
const LOOKAHEAD: usize = 6;
/// Clusters of it that are kept.
const KEPT: usize = 4;

/// The reusable scratch of hierarchical paths.
#[derive(Clone, Debug, Default)]
pub(super) struct HierarchicalScratch {
    planner: AbstractPlanner,
    local_search: LocalSearch,
    /// Memory of an old abstract path.
    spare: AbstractPath,
    /// Cells of the segments found so far.
    nodes: Vec<NodeId>,
    /// Expansions left.
    budget: u64,
}

/// A segment; its cells are in the searcher's `nodes`.
#[derive(Clone, Copy, Debug)]
struct Segment {
    cost: Cost,
    is_last: bool,
    expansions: u64,
}

/// A path in progress: where its last segment ended, and the abstract path from there.
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_search::ground::PathSearcher;
/// use wayfarer_world::ground::Ground;
///
/// let map = Raster::from_bytes(1_000, 40, vec![0; 40_000]).unwrap();
/// let ground = Ground::from_raster(&map);
/// let mut searcher = PathSearcher::default();
/// let (from, to) = (Cell::flat(3, 3), Cell::flat(990, 31));
///
/// let mut path = searcher.begin_hierarchical(&ground, from, to)?.found().expect("open ground");
/// let mut at = from;
/// while let Some(segment) = searcher.next_segment(&ground, &mut path)? {
///     assert_eq!(segment.start(), Some(at)); // the agent walks it before the next call
///     at = segment.end().unwrap();
/// }
/// assert_eq!(at, to);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HierarchicalPath {
    at: Cell,
    goal: Cell,
    /// Empty if the next segment has to replan.
    abstract_path: AbstractPath,
    /// Identity and revision of the ground, and the layer.
    planned_on: (u64, Revision, u32),
}

impl HierarchicalPath {
    /// Where the segments found so far end.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// The goal.
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// True if the segments found so far lead to the goal.
    pub fn is_complete(&self) -> bool {
        self.at == self.goal
    }

    /// Continues from another cell than the end of the last segment, for an agent that left the
    /// path. The next segment starts there and replans.
    pub fn resume_from(&mut self, cell: Cell) {
        self.at = cell;
        self.abstract_path.clear();
    }
}

impl PathSearcher {
    /// Plans a hierarchical path for the profile of `ground`; [`PathSearcher::next_segment`] refines
    /// it. Takes time linear in the clusters between the ends, mostly: of 64 columns up to 8,192 cells
    /// along x and y together, wider ones beyond.
    ///
    /// # Errors
    /// If the start or the goal is not walkable.
    pub fn begin_hierarchical<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        from: Cell,
        to: Cell,
    ) -> Result<Outcome<HierarchicalPath>, RequestError> {
        let ground: ProfileGround<'_> = ground.into();
        let (start, goal) = ends(ground, from, to)?;
        if ground.component(start) != ground.component(goal) {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        }
        let mut path = HierarchicalPath {
            at: from,
            goal: to,
            abstract_path: std::mem::take(&mut self.hierarchical.spare),
            planned_on: source_of(ground),
        };
        self.plan(ground, &mut path, (start, goal));
        Ok(Outcome::Found(path))
    }

    /// The next segment of a path; `None` once the path is complete, or if no path leads on: then
    /// [`HierarchicalPath::is_complete`] is false.
    ///
    /// Replans if the world changed since the last segment. Whether earlier segments are still
    /// valid is the matter of [`status`](fn@super::status).
    ///
    /// # Errors
    /// If the end of the last segment or the goal is not walkable any more.
    pub fn next_segment<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        path: &mut HierarchicalPath,
    ) -> Result<Option<GroundPath>, RequestError> {
        let ground: ProfileGround<'_> = ground.into();
        let (start, goal) = ends(ground, path.at, path.goal)?;
        if path.is_complete() {
            return Ok(None);
        }
        if ground.component(start) != ground.component(goal) {
            return Ok(None);
        }
        self.hierarchical.budget = u64::MAX;
        let Some(found) = self.find_segment(ground, path, (start, goal)) else {
            return Ok(None);
        };
        let nav_graph = NavGraph::from(ground);
        let mut segment = self.assemble(nav_graph, found.cost, None);
        segment.cost_lower_bound =
            octile_bound(ground, path.at, segment.end().unwrap_or(path.at)).min(found.cost);
        segment.expansions = found.expansions;
        path.at = segment.end().unwrap_or(path.at);
        debug_assert!(
            !found.is_last || path.is_complete(),
            "the last segment leads to the goal"
        );
        Ok(Some(segment))
    }

    /// All segments of a hierarchical path as one path.
    ///
    /// # Errors
    /// If the start or the goal is not walkable.
    pub fn find_hierarchical<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        from: Cell,
        to: Cell,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        self.find_hierarchical_within(ground, from, to, u64::MAX)
    }

    /// [`PathSearcher::find_hierarchical`] with a limit of expansions. Planning over clusters does
    /// not count; the local search of a segment may exceed the limit, which ends the search.
    ///
    /// # Errors
    /// If the start or the goal is not walkable.
    pub fn find_hierarchical_within<'g>(
        &mut self,
        ground: impl Into<ProfileGround<'g>>,
        from: Cell,
        to: Cell,
        n_expansions: u64,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let ground: ProfileGround<'_> = ground.into();
        let Outcome::Found(mut progress) = self.begin_hierarchical(ground, from, to)? else {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        };
        let (start, goal) = ends(ground, from, to)?;
        let mut nodes = std::mem::take(&mut self.hierarchical.nodes);
        nodes.clear();
        nodes.push(start);
        let mut total = Cost::ZERO;
        let mut expansions = 0;
        self.hierarchical.budget = n_expansions;
        while !progress.is_complete() && self.hierarchical.budget > 0 {
            let at = nodes.last().copied().unwrap_or(start);
            let Some(segment) = self.find_segment(ground, &mut progress, (at, goal)) else {
                break;
            };
            total += segment.cost;
            expansions += segment.expansions;
            let budget = &mut self.hierarchical.budget;
            *budget = budget.saturating_sub(segment.expansions);
            nodes.extend(self.nodes.iter().skip(1));
            let end = self.nodes.last().map(|node| ground.cell(*node));
            progress.at = end.unwrap_or(progress.at);
        }
        std::mem::swap(&mut self.nodes, &mut nodes);
        self.hierarchical.nodes = nodes;
        self.hierarchical.spare = progress.abstract_path;
        let is_out_of_budget = progress.at != to && self.hierarchical.budget == 0;
        if progress.at != to && !is_out_of_budget {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: None,
            });
        }
        if total.is_saturated() {
            return Ok(Outcome::BEYOND_COST_LIMIT);
        }
        let goal_bounds = Rect::around(to.column(), to.column());
        let mut path = self.assemble(NavGraph::from(ground), total, Some(goal_bounds));
        path.cost_lower_bound = octile_bound(ground, from, progress.at).min(total);
        path.expansions = expansions;
        Ok(if is_out_of_budget {
            let pushes = 0;
            Outcome::OutOfBudget {
                best: path,
                stats: SearchStats { expansions, pushes },
            }
        } else {
            Outcome::Found(path)
        })
    }

    /// Finds the next segment and writes it to `nodes`.
    fn find_segment(
        &mut self,
        ground: ProfileGround<'_>,
        path: &mut HierarchicalPath,
        ends: (NodeId, NodeId),
    ) -> Option<Segment> {
        self.reset_for_hierarchical();
        if path.planned_on != source_of(ground) || path.abstract_path.is_empty() {
            self.plan(ground, path, ends);
        }
        let planner = &mut self.hierarchical.planner;
        let abstract_path = &mut path.abstract_path;
        if !abstract_path.extend(ground, planner, LOOKAHEAD) {
            abstract_path.clear();
        }
        // The last segment may have reached a later cluster of the abstract path.
        let here = ground.abstract_node(ends.0);
        let mut ahead = abstract_path.ahead().iter().take(LOOKAHEAD + 1);
        let n_done = ahead.rposition(|node| *node == here);
        abstract_path.advance(n_done.unwrap_or(0));
        if !abstract_path.extend(ground, planner, LOOKAHEAD) {
            abstract_path.clear();
        }
        if let Some(segment) = self.find_local_segment(ground, path, ends) {
            return Some(segment);
        }
        self.find_general_segment(ground, path, ends)
    }

    /// The next segment by the local search: over uniform ground, within a few clusters.
    fn find_local_segment(
        &mut self,
        ground: ProfileGround<'_>,
        path: &mut HierarchicalPath,
        (start, goal): (NodeId, NodeId),
    ) -> Option<Segment> {
        let ahead = path.abstract_path.ahead();
        let end = LOOKAHEAD.min(ahead.len().checked_sub(1)?);
        let is_last = path.abstract_path.is_complete() && ahead.len() <= LOOKAHEAD + 1;
        let at = ground.cell(start).column();
        let own = cluster_at(at);
        let (mut low, mut high) = (own, own);
        for node in &ahead[..=end] {
            let (x, y) = ground.cluster_of(*node);
            (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
        }
        let target = ahead[end];
        let cluster = ground.cluster_of(target);
        let (to, z) = (ground.cell(goal).column(), ground.cell(start).z);
        let local_goal = if is_last {
            LocalGoal::Column(to)
        } else {
            LocalGoal::Cluster(cluster, line_column_in(at, to, cluster))
        };
        let is_goal = |column: Column| {
            let node = ground.node(column.at(z));
            node.is_some_and(|node| ground.abstract_node(node) == target)
        };
        if is_last && (ground.cell(goal).z != z || ground.rank(goal) != ground.rank(start)) {
            return None;
        }
        let local_search = &mut self.hierarchical.local_search;
        local_search.n_expanded = 0;
        let cost = [0, 1].into_iter().find_map(|margin| {
            let low = (low.0 - margin, low.1 - margin);
            let high = (high.0 + margin, high.1 + margin);
            if !local_search.window.prepare(ground, start, low, high) {
                return None;
            }
            local_search.find(ground, at, local_goal, is_goal)
        })?;
        let kept = (!is_last).then(|| {
            let kept = KEPT.min(end);
            (ground.cluster_of(ahead[kept]), kept, end)
        });
        let jump_points = local_search.jump_points();
        let (n_cells, cost) = match kept {
            Some((cluster, kept, end)) => kept_cells(jump_points, cluster, (kept, end)),
            None => (usize::MAX, Cost::from_units(cost)),
        };
        let expansions = local_search.n_expanded;
        write_nodes(ground, start, jump_points, n_cells, &mut self.nodes);
        path.abstract_path
            .advance(kept.map_or(end, |(_, kept, _)| kept));
        Some(Segment {
            cost,
            is_last,
            expansions,
        })
    }

    /// The next segment by the bounded search: over any ground.
    fn find_general_segment(
        &mut self,
        ground: ProfileGround<'_>,
        path: &mut HierarchicalPath,
        (start, goal): (NodeId, NodeId),
    ) -> Option<Segment> {
        let ahead = path.abstract_path.ahead();
        let is_last =
            ahead.is_empty() || path.abstract_path.is_complete() && ahead.len() <= LOOKAHEAD + 1;
        let n_clusters = ahead.len().saturating_sub(1).min(LOOKAHEAD);
        let target = ahead.get(n_clusters).filter(|_| !is_last);
        let target = target.and_then(|node| {
            let near = cluster_center(ground.cluster_of(*node));
            ground.cell_in(*node, near)
        });
        if let Some(target) = target.filter(|target| *target != start)
            && self.find_bounded(ground, start, target).is_some()
        {
            let expansions = self.stats().expansions;
            let kept = KEPT.min(n_clusters);
            let n_kept = (self.nodes.len() - 1) * kept / n_clusters.max(1) + 1;
            self.nodes.truncate(n_kept.max(2));
            if self.is_reversible(ground) {
                path.abstract_path.advance(kept);
                return Some(Segment {
                    cost: self.nodes_cost(ground),
                    is_last: false,
                    expansions,
                });
            }
        }
        // One-way steps may make a component unreachable from within its cluster, or lead into a
        // dead end: search to the goal.
        let cost = self.find_bounded(ground, start, goal)?;
        Some(Segment {
            cost,
            is_last: true,
            expansions: self.stats().expansions,
        })
    }

    /// Finds a path by method `Bounded` and writes it to `nodes`.
    fn find_bounded(
        &mut self,
        ground: ProfileGround<'_>,
        start: NodeId,
        goal: NodeId,
    ) -> Option<Cost> {
        let query = Query::new(start, goal);
        let weight = HeuristicWeight::BOUNDED;
        if self.cached_jps.begin(ground, &query, weight).is_some() {
            return None;
        }
        let budget = Budget::expansions(self.hierarchical.budget);
        let stop = self.cached_jps.advance(ground, &mut NoopObserver, budget);
        if stop == StopReason::OutOfBudget {
            self.hierarchical.budget = 0;
            return None;
        }
        let outcome = self.cached_jps.outcome(ground, stop, &mut self.nodes);
        outcome.found()
    }

    /// True if every step along `nodes` can be taken back: then the goal can be reached from their
    /// end if it can be reached from their start.
    fn is_reversible(&self, ground: ProfileGround<'_>) -> bool {
        let nav_graph = NavGraph::from(ground);
        let at = |node: NodeId| (node, ground.cell(node));
        let mut steps = self.nodes.windows(2);
        steps.all(|pair| adjacent_step(nav_graph, at(pair[1]), at(pair[0])).is_some())
    }

    /// The cost of the steps along `nodes`.
    fn nodes_cost(&self, ground: ProfileGround<'_>) -> Cost {
        let nav_graph = NavGraph::from(ground);
        let at = |node: NodeId| (node, ground.cell(node));
        let steps = self.nodes.windows(2);
        let costs = steps.map(|pair| adjacent_step(nav_graph, at(pair[0]), at(pair[1])));
        costs
            .map(|step| step.map_or(Cost::MAX, |(cost, _)| cost))
            .sum()
    }

    fn plan(
        &mut self,
        ground: ProfileGround<'_>,
        path: &mut HierarchicalPath,
        ends: (NodeId, NodeId),
    ) {
        let planner = &mut self.hierarchical.planner;
        if !path.abstract_path.begin(ground, planner, ends) {
            path.abstract_path.clear();
        }
        path.planned_on = source_of(ground);
    }
}

/// Identity and revision of the ground, and the layer.
fn source_of(ground: ProfileGround<'_>) -> (u64, Revision, u32) {
    (ground.identity(), ground.revision(), ground.layer_id())
}

fn ends(ground: ProfileGround<'_>, from: Cell, to: Cell) -> Result<(NodeId, NodeId), RequestError> {
    let nav_graph = NavGraph::from(ground);
    let start = ground.node(from).ok_or(RequestError::StartBlocked {
        at: Location::Cell(from),
        reason: nav_graph.blocked_reason(from),
    })?;
    let goal = ground.node(to).ok_or(RequestError::GoalBlocked {
        at: Location::Cell(to),
        reason: nav_graph.blocked_reason(to),
    })?;
    Ok((start, goal))
}

/// The octile distance; 0 if nav links may be cheaper than that.
fn octile_bound(ground: ProfileGround<'_>, from: Cell, to: Cell) -> Cost {
    if !ground.shortcuts().is_empty() {
        return Cost::ZERO;
    }
    Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}

/// The cluster of a column.
fn cluster_at(column: Column) -> (i32, i32) {
    (
        column.x.div_euclid(Ground::CLUSTER_SIDE),
        column.y.div_euclid(Ground::CLUSTER_SIDE),
    )
}

/// The column of a cluster nearest to the line from `at` to `to`, where the line is as far along as
/// the cluster's center.
fn line_column_in(at: Column, to: Column, cluster: (i32, i32)) -> Column {
    let (dx, dy) = (
        i64::from(to.x) - i64::from(at.x),
        i64::from(to.y) - i64::from(at.y),
    );
    let length = dx.abs().max(dy.abs()).max(1);
    let center = cluster_center(cluster);
    let distance = center.x.abs_diff(at.x).max(center.y.abs_diff(at.y));
    let along = |from: i32, by: i64, cluster: i32| {
        let on_line = i64::from(from) + by * i64::from(distance) / length;
        let low = i64::from(cluster) * i64::from(Ground::CLUSTER_SIDE);
        let within = on_line.clamp(low, low + i64::from(Ground::CLUSTER_SIDE) - 1);
        i32::try_from(within).unwrap_or(from)
    };
    Column::new(along(at.x, dx, cluster.0), along(at.y, dy, cluster.1))
}

/// How many cells of a segment to keep, without the first, and their cost: up to where it first
/// enters `cluster`; if it does not, `kept` of each `ahead` cells.
fn kept_cells(
    jump_points: &[Column],
    cluster: (i32, i32),
    (kept, ahead): (usize, usize),
) -> (usize, Cost) {
    let pairs = || jump_points.windows(2);
    let steps = || pairs().flat_map(|pair| steps_between(pair[0], pair[1]));
    let is_inside = |(column, _): (Column, Cost)| cluster_at(column) == cluster;
    let n_cells = match steps().position(is_inside) {
        Some(index) => index + 1,
        None => (steps().count() * kept / ahead.max(1)).max(1),
    };
    (n_cells, steps().take(n_cells).map(|(_, cost)| cost).sum())
}

/// The columns from one jump point to the next, without the first, and the cost of each step:
/// diagonally first, then straight.
fn steps_between(from: Column, to: Column) -> impl Iterator<Item = (Column, Cost)> {
    std::iter::successors(Some((from, Cost::ZERO)), move |(at, _)| {
        let (dx, dy) = ((to.x - at.x).signum(), (to.y - at.y).signum());
        let cost = match (dx, dy) {
            (0, 0) => return None,
            (0, _) | (_, 0) => Cost::STRAIGHT,
            _ => Cost::DIAGONAL,
        };
        Some((Column::new(at.x + dx, at.y + dy), cost))
    })
    .skip(1)
}

/// Writes the nodes of a segment from `start`, at most `n_cells` besides that.
fn write_nodes(
    ground: ProfileGround<'_>,
    start: NodeId,
    jump_points: &[Column],
    mut n_cells: usize,
    nodes: &mut Vec<NodeId>,
) {
    nodes.clear();
    nodes.push(start);
    let mut node = start;
    for pair in jump_points.windows(2) {
        let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
        let (wide, high) = (dx.unsigned_abs(), dy.unsigned_abs());
        let short = wide.min(high);
        let straight = if wide > high {
            (dx.signum(), 0)
        } else {
            (0, dy.signum())
        };
        let runs = [
            ((dx.signum(), dy.signum()), short),
            (straight, wide.max(high) - short),
        ];
        for (offset, n_steps) in runs {
            let n_steps = n_steps.min(u32::try_from(n_cells).unwrap_or(u32::MAX));
            node = write_run(ground.ground(), node, offset, n_steps, nodes);
            n_cells -= n_steps as usize;
        }
    }
}

/// The center of a cluster.
fn cluster_center(cluster: (i32, i32)) -> Column {
    let side = Ground::CLUSTER_SIDE;
    Column::new(cluster.0 * side + side / 2, cluster.1 * side + side / 2)
}

#[cfg(test)]
mod tests;

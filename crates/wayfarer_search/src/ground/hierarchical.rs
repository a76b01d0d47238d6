//! Far paths: planned over blocks of 64 x 64 columns, walked piece by piece.
//!
//! Who has thousands of cells to go wants to set out at once, and much will have changed before
//! they arrive. So the way is first planned over the [parts](wayfarer_world::ground::PartId) of
//! blocks and wider squares, which the ground keeps true at every edit, and then found in pieces of
//! a few blocks: each piece is searched for farther than it is kept, so that pieces join without
//! bends. A [`HierarchicalPath`] is all that must be carried from piece to piece. When the world changed in
//! between, the rest is planned anew.
//!
//! The plan takes every step from square to square for equally far, and of several plans the one
//! nearest to the straight line. No bound is promised: the path says what is proven, which is the
//! straight line and no more.

use wayfarer_base::{
    Budget, Cell, Column, Cost, Location, NoopObserver, Outcome, Rect, RequestError, Revision,
    UnreachableProof,
};
use wayfarer_world::ground::{Ground, NodeId};

use super::jps::{Query, write_run};
use super::jps_cached::HeuristicWeight;
use super::nav_graph::NavGraph;
use super::path::known_step;
use super::{GroundPath, PathSearcher};
use abstract_path::AbstractPath;
use local_search::{LocalGoal, LocalSearch};
use planner::AbstractPlanner;

mod abstract_path;
mod bitmap_window;
mod local_search;
mod planner;

/// Blocks that a piece is searched for.
const AHEAD: usize = 6;
/// Blocks of it that are kept.
const KEPT: usize = 4;

/// Memory for far paths, reused.
#[derive(Clone, Debug, Default)]
pub(super) struct HierarchicalScratch {
    planner: AbstractPlanner,
    dash: LocalSearch,
    /// Memory of an old course.
    spare: AbstractPath,
    /// Cells of the pieces found so far.
    nodes: Vec<NodeId>,
}

/// A piece that was found, its cells in the searcher's list.
#[derive(Clone, Copy, Debug)]
struct Piece {
    cost: Cost,
    is_last: bool,
    expansions: u64,
}

/// A far way in the making: where it has come to, and where it leads from there.
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
/// let mut way = searcher.begin_hierarchical(&ground, from, to)?.found().expect("nothing stands there");
/// let mut at = from;
/// while let Some(segment) = searcher.next_segment(&ground, &mut way)? {
///     assert_eq!(segment.start(), Some(at)); // walk it, then ask for the next
///     at = segment.end().unwrap();
/// }
/// assert_eq!(at, to);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HierarchicalPath {
    at: Cell,
    goal: Cell,
    /// Empty if it has to be planned.
    course: AbstractPath,
    planned: Revision,
}

impl HierarchicalPath {
    /// Where the pieces found so far end.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// Where it leads.
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// True if the pieces found so far lead to the goal.
    pub fn is_complete(&self) -> bool {
        self.at == self.goal
    }

    /// Goes on from another cell than where the last piece ended: for who was stopped on the way.
    /// The next piece begins there, and is planned anew.
    pub fn resume_from(&mut self, cell: Cell) {
        self.at = cell;
        self.course.clear();
    }
}

impl PathSearcher {
    /// Plans a far way for the world's own walker; its pieces come with
    /// [`PathSearcher::next_segment`]. Costs time in proportion to the squares between, mostly:
    /// blocks up to 8,192 cells along x and y together, wider squares beyond that.
    ///
    /// # Errors
    /// One cannot stand on the start or the goal.
    pub fn begin_hierarchical(
        &mut self,
        ground: &Ground,
        from: Cell,
        to: Cell,
    ) -> Result<Outcome<HierarchicalPath>, RequestError> {
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
            course: std::mem::take(&mut self.far.spare),
            planned: ground.revision(),
        };
        self.plan_far(ground, &mut path, (start, goal));
        Ok(Outcome::Found(path))
    }

    /// The next piece of a far way, from where the last one ended; `None` once it is whole, or if
    /// no way leads on: then [`HierarchicalPath::is_complete`] is false.
    ///
    /// The world may have changed since the last piece: then the rest is planned anew. Whether
    /// pieces found before still hold, [`status`](fn@super::status) tells.
    ///
    /// # Errors
    /// One can no longer stand where the last piece ended, or on the goal.
    pub fn next_segment(
        &mut self,
        ground: &Ground,
        path: &mut HierarchicalPath,
    ) -> Result<Option<GroundPath>, RequestError> {
        let (start, goal) = ends(ground, path.at, path.goal)?;
        if path.is_complete() {
            return Ok(None);
        }
        if ground.component(start) != ground.component(goal) {
            return Ok(None);
        }
        let Some(found) = self.step_far(ground, path, (start, goal)) else {
            return Ok(None);
        };
        let nav_graph = NavGraph::from(ground);
        let mut segment = self.assemble(nav_graph, found.cost, None);
        segment.cost_lower_bound =
            straight(ground, path.at, segment.end().unwrap_or(path.at)).min(found.cost);
        segment.expansions = found.expansions;
        path.at = segment.end().unwrap_or(path.at);
        debug_assert!(
            !found.is_last || path.is_complete(),
            "the last piece leads to the goal"
        );
        Ok(Some(segment))
    }

    /// All pieces of a far way at once.
    ///
    /// # Errors
    /// One cannot stand on the start or the goal.
    pub fn find_hierarchical(
        &mut self,
        ground: &Ground,
        from: Cell,
        to: Cell,
    ) -> Result<Outcome<GroundPath>, RequestError> {
        let Outcome::Found(mut found_path) = self.begin_hierarchical(ground, from, to)? else {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        };
        let (start, goal) = ends(ground, from, to)?;
        let mut nodes = std::mem::take(&mut self.far.nodes);
        nodes.clear();
        nodes.push(start);
        let mut total = Cost::ZERO;
        let mut expansions = 0;
        while !found_path.is_complete() {
            let at = nodes.last().copied().unwrap_or(start);
            let Some(found) = self.step_far(ground, &mut found_path, (at, goal)) else {
                break;
            };
            total += found.cost;
            expansions += found.expansions;
            nodes.extend(self.nodes.iter().skip(1));
            found_path.at = self
                .nodes
                .last()
                .map_or(found_path.at, |node| ground.cell(*node));
        }
        std::mem::swap(&mut self.nodes, &mut nodes);
        self.far.nodes = nodes;
        self.far.spare = found_path.course;
        if found_path.at != to {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: None,
            });
        }
        let aim = Rect::around(to.column(), to.column());
        let mut path = self.assemble(NavGraph::from(ground), total, Some(aim));
        path.cost_lower_bound = straight(ground, from, to).min(total);
        path.expansions = expansions;
        Ok(Outcome::Found(path))
    }

    /// Finds the next piece and writes it to `nodes`.
    fn step_far(
        &mut self,
        ground: &Ground,
        path: &mut HierarchicalPath,
        ends: (NodeId, NodeId),
    ) -> Option<Piece> {
        self.engine_for_far();
        if path.planned != ground.revision() || path.course.is_empty() {
            self.plan_far(ground, path, ends);
        }
        let planner = &mut self.far.planner;
        if !path.course.look_ahead(ground, planner, AHEAD) {
            path.course.clear();
        }
        let (here, ahead) = (ground.abstract_node(ends.0), path.course.ahead());
        // Who was carried on by the last piece is there already.
        let n_there = ahead.iter().take(AHEAD + 1).rposition(|part| *part == here);
        path.course.walk(n_there.unwrap_or(0));
        if !path.course.look_ahead(ground, planner, AHEAD) {
            path.course.clear();
        }
        if let Some(segment) = self.dash(ground, path, ends) {
            return Some(segment);
        }
        self.search_far(ground, path, ends)
    }

    /// The next piece over uniform ground, within a few blocks.
    fn dash(
        &mut self,
        ground: &Ground,
        path: &mut HierarchicalPath,
        (start, goal): (NodeId, NodeId),
    ) -> Option<Piece> {
        let ahead = path.course.ahead();
        let end = AHEAD.min(ahead.len().checked_sub(1)?);
        let is_last = path.course.is_whole() && ahead.len() <= AHEAD + 1;
        let at = ground.cell(start).column();
        let own = block_at(at);
        let (mut low, mut high) = (own, own);
        for part in &ahead[..=end] {
            let (x, y) = ground.block_of(*part);
            (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
        }
        let target = ahead[end];
        let block = ground.block_of(target);
        let (to, z) = (ground.cell(goal).column(), ground.cell(start).z);
        let aim = if is_last {
            LocalGoal::Column(to)
        } else {
            LocalGoal::Block(block, towards(at, to, block))
        };
        let ends = |column: Column| {
            let node = ground.node(column.at(z));
            node.is_some_and(|node| ground.abstract_node(node) == target)
        };
        if is_last && (ground.cell(goal).z != z || ground.rank(goal) != ground.rank(start)) {
            return None;
        }
        let dash = &mut self.far.dash;
        dash.n_expanded = 0;
        let cost = [0, 1].into_iter().find_map(|margin| {
            let low = (low.0 - margin, low.1 - margin);
            let high = (high.0 + margin, high.1 + margin);
            if !dash.window.look_at(ground, start, low, high) {
                return None;
            }
            dash.find(ground, at, aim, ends)
        })?;
        let kept = (!is_last).then(|| {
            let kept = KEPT.min(end);
            (ground.block_of(ahead[kept]), kept, end)
        });
        let (n_cells, cost) = match kept {
            Some((block, kept, end)) => cut(dash.turns(), block, (kept, end)),
            None => (usize::MAX, Cost::from_units(cost)),
        };
        let expansions = dash.n_expanded;
        write(
            ground,
            start,
            self.far.dash.turns(),
            n_cells,
            &mut self.nodes,
        );
        path.course.walk(kept.map_or(end, |(_, kept, _)| kept));
        Some(Piece {
            cost,
            is_last,
            expansions,
        })
    }

    /// The next piece over any ground.
    fn search_far(
        &mut self,
        ground: &Ground,
        path: &mut HierarchicalPath,
        (start, goal): (NodeId, NodeId),
    ) -> Option<Piece> {
        let ahead = path.course.ahead();
        let is_last = ahead.is_empty() || path.course.is_whole() && ahead.len() <= AHEAD + 1;
        let n_blocks = ahead.len().saturating_sub(1).min(AHEAD);
        let aim = ahead.get(n_blocks).filter(|_| !is_last).and_then(|part| {
            let near = middle(ground.block_of(*part));
            ground.cell_in(*part, near)
        });
        if let Some(aim) = aim.filter(|aim| *aim != start)
            && self.search_piece(ground, start, aim).is_some()
        {
            let expansions = self.stats().expansions;
            let kept = KEPT.min(n_blocks);
            path.course.walk(kept);
            let n_kept = (self.nodes.len() - 1) * kept / n_blocks.max(1) + 1;
            self.nodes.truncate(n_kept.max(2));
            return Some(Piece {
                cost: self.walked(ground),
                is_last: false,
                expansions,
            });
        }
        // Some part of a block cannot be reached where steps lead one way only: then all the way.
        let cost = self.search_piece(ground, start, goal)?;
        Some(Piece {
            cost,
            is_last: true,
            expansions: self.stats().expansions,
        })
    }

    /// Finds a way from cell to cell within the default bound, written to `nodes`.
    fn search_piece(&mut self, ground: &Ground, start: NodeId, goal: NodeId) -> Option<Cost> {
        let query = Query::new(start, goal);
        if self
            .exact
            .begin(ground, &query, HeuristicWeight::BOUNDED)
            .is_some()
        {
            return None;
        }
        let stop = self
            .exact
            .advance(ground, &mut NoopObserver, Budget::UNLIMITED);
        self.exact.outcome(ground, stop, &mut self.nodes).found()
    }

    /// What the steps in `nodes` cost.
    fn walked(&self, ground: &Ground) -> Cost {
        let nav_graph = NavGraph::from(ground);
        let at = |node: NodeId| (node, ground.cell(node));
        let steps = self.nodes.windows(2);
        let costs = steps.map(|pair| known_step(nav_graph, at(pair[0]), at(pair[1])));
        costs
            .map(|step| step.map_or(Cost::MAX, |(cost, _)| cost))
            .sum()
    }

    fn plan_far(&mut self, ground: &Ground, path: &mut HierarchicalPath, ends: (NodeId, NodeId)) {
        if !path.course.begin(ground, &mut self.far.planner, ends) {
            path.course.clear();
        }
        path.planned = ground.revision();
    }
}

fn ends(ground: &Ground, from: Cell, to: Cell) -> Result<(NodeId, NodeId), RequestError> {
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

/// What any way costs at least.
fn straight(ground: &Ground, from: Cell, to: Cell) -> Cost {
    if !ground.shortcuts().is_empty() {
        return Cost::ZERO;
    }
    Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}

/// The block that a column lies in.
fn block_at(column: Column) -> (i32, i32) {
    (
        column.x.div_euclid(Ground::BLOCK_SIDE),
        column.y.div_euclid(Ground::BLOCK_SIDE),
    )
}

/// The column of a block that is nearest to the straight line from `at` to `to`, where the line has
/// come as far as the block's middle.
fn towards(at: Column, to: Column, block: (i32, i32)) -> Column {
    let (dx, dy) = (
        i64::from(to.x) - i64::from(at.x),
        i64::from(to.y) - i64::from(at.y),
    );
    let long = dx.abs().max(dy.abs()).max(1);
    let center = middle(block);
    let away = center.x.abs_diff(at.x).max(center.y.abs_diff(at.y));
    let along = |from: i32, by: i64, block: i32| {
        let reached = i64::from(from) + by * i64::from(away) / long;
        let low = i64::from(block) * i64::from(Ground::BLOCK_SIDE);
        let within = reached.clamp(low, low + i64::from(Ground::BLOCK_SIDE) - 1);
        i32::try_from(within).unwrap_or(from)
    };
    Column::new(along(at.x, dx, block.0), along(at.y, dy, block.1))
}

/// How many cells of a way to keep, the first left out, and what they cost: up to where it first
/// comes to `block`; if it does not, `kept` of each `ahead` cells.
fn cut(turns: &[Column], block: (i32, i32), (kept, ahead): (usize, usize)) -> (usize, Cost) {
    let steps = || turns.windows(2).flat_map(|pair| steps(pair[0], pair[1]));
    let all = steps().count();
    let is_there = |(column, _): (Column, Cost)| block_at(column) == block;
    let n_cells = match steps().position(is_there) {
        Some(index) => index + 1,
        None => (all * kept / ahead.max(1)).max(1),
    };
    (n_cells, steps().take(n_cells).map(|(_, cost)| cost).sum())
}

/// The columns from one place to the next, the first left out, and what each step costs:
/// diagonally first, then straight.
fn steps(from: Column, to: Column) -> impl Iterator<Item = (Column, Cost)> {
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

/// Writes a way from `start`, up to `n_cells` cells besides that.
fn write(
    ground: &Ground,
    start: NodeId,
    turns: &[Column],
    mut n_cells: usize,
    nodes: &mut Vec<NodeId>,
) {
    nodes.clear();
    nodes.push(start);
    let mut node = start;
    for pair in turns.windows(2) {
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
        for (by, n_steps) in runs {
            let n_steps = n_steps.min(u32::try_from(n_cells).unwrap_or(u32::MAX));
            node = write_run(ground, node, by, n_steps, nodes);
            n_cells -= n_steps as usize;
        }
    }
}

/// The middle of a block.
fn middle(block: (i32, i32)) -> Column {
    let side = Ground::BLOCK_SIDE;
    Column::new(block.0 * side + side / 2, block.1 * side + side / 2)
}

#[cfg(test)]
mod tests;

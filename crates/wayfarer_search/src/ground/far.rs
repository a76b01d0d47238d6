//! Far ways: planned over blocks of 64 x 64 columns, walked piece by piece.
//!
//! Who has thousands of cells to go wants to set out at once, and much will have changed before
//! they arrive. So the way is first planned over the [parts](wayfarer_world::ground::PartId) of blocks, which the ground
//! keeps true at every edit, and then found in pieces of a few blocks: each piece is searched for
//! farther than it is kept, so that pieces join without bends. A [`FarWay`] is all that must be
//! carried from piece to piece. When the world changed in between, the rest is planned anew.
//!
//! The plan takes every step from block to block for equally far, and of several plans the one
//! nearest to the straight line. No bound is promised: the path says what is proven, which is the
//! straight line and no more.

use wayfarer_base::{
    Budget, Cell, Column, Cost, Outcome, Place, Rect, Refusal, Revision, Silent, UnreachableProof,
};
use wayfarer_world::ground::{Ground, NodeId};

use super::exact::Weight;
use super::footing::Footing;
use super::path::known_step;
use super::plain::Query;
use super::{GroundPath, PathSearcher};

mod plan;

pub(super) use plan::BlockPlan;

/// Blocks that a piece is searched for.
const AHEAD: usize = 4;
/// Blocks of it that are kept.
const KEPT: usize = 2;

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
/// let mut way = searcher.set_out(&ground, from, to)?.found().expect("nothing stands there");
/// let mut at = from;
/// while let Some(piece) = searcher.next_piece(&ground, &mut way)? {
///     assert_eq!(piece.start(), Some(at)); // walk it, then ask for the next
///     at = piece.end().unwrap();
/// }
/// assert_eq!(at, to);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FarWay {
    at: Cell,
    goal: Cell,
    /// Where to aim from block to block, the goal last.
    aims: Vec<Cell>,
    /// How many of them lie behind.
    n_done: usize,
    planned: Revision,
}

impl FarWay {
    /// Where the pieces found so far end.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// Where it leads.
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// True if the pieces found so far lead to the goal.
    pub fn is_whole(&self) -> bool {
        self.at == self.goal
    }

    /// Blocks still to be crossed, as planned.
    pub fn n_blocks_left(&self) -> usize {
        self.aims.len() - self.n_done
    }

    /// Goes on from another cell than where the last piece ended: for who was stopped on the way.
    /// The next piece begins there, and is planned anew.
    pub fn go_on_from(&mut self, cell: Cell) {
        self.at = cell;
        self.aims.clear();
        self.n_done = 0;
    }
}

impl PathSearcher {
    /// Plans a far way for the world's own walker; its pieces come with
    /// [`PathSearcher::next_piece`]. Costs time in proportion to the blocks between, mostly.
    ///
    /// # Errors
    /// One cannot stand on the start or the goal.
    pub fn set_out(
        &mut self,
        ground: &Ground,
        from: Cell,
        to: Cell,
    ) -> Result<Outcome<FarWay>, Refusal> {
        let (start, goal) = ends(ground, from, to)?;
        if ground.component(start) != ground.component(goal) {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        }
        let mut way = FarWay {
            at: from,
            goal: to,
            aims: Vec::new(),
            n_done: 0,
            planned: ground.revision(),
        };
        self.plan_far(ground, &mut way, (start, goal));
        Ok(Outcome::Found(way))
    }

    /// The next piece of a far way, from where the last one ended; `None` once it is whole, or if
    /// no way leads on: then [`FarWay::is_whole`] is false.
    ///
    /// The world may have changed since the last piece: then the rest is planned anew. Whether
    /// pieces found before still hold, [`status`](fn@super::status) tells.
    ///
    /// # Errors
    /// One can no longer stand where the last piece ended, or on the goal.
    pub fn next_piece(
        &mut self,
        ground: &Ground,
        way: &mut FarWay,
    ) -> Result<Option<GroundPath>, Refusal> {
        let (start, goal) = ends(ground, way.at, way.goal)?;
        if way.is_whole() {
            return Ok(None);
        }
        if ground.component(start) != ground.component(goal) {
            return Ok(None);
        }
        let Some((cost, is_whole)) = self.step_far(ground, way, (start, goal)) else {
            return Ok(None);
        };
        let footing = Footing::from(ground);
        let mut piece = self.assemble(footing, cost, None);
        piece.at_least = straight(ground, way.at, piece.end().unwrap_or(way.at)).min(cost);
        way.at = piece.end().unwrap_or(way.at);
        debug_assert_eq!(is_whole, way.is_whole(), "the last piece leads to the goal");
        Ok(Some(piece))
    }

    /// All pieces of a far way at once.
    ///
    /// # Errors
    /// One cannot stand on the start or the goal.
    pub fn find_far(
        &mut self,
        ground: &Ground,
        from: Cell,
        to: Cell,
    ) -> Result<Outcome<GroundPath>, Refusal> {
        let Outcome::Found(mut way) = self.set_out(ground, from, to)? else {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::DifferentComponents,
                nearest: None,
            });
        };
        let (start, goal) = ends(ground, from, to)?;
        let mut nodes = std::mem::take(&mut self.far_nodes);
        nodes.clear();
        nodes.push(start);
        let mut total = Cost::ZERO;
        let mut expansions = 0;
        while !way.is_whole() {
            let at = nodes.last().copied().unwrap_or(start);
            let Some((cost, _)) = self.step_far(ground, &mut way, (at, goal)) else {
                break;
            };
            total += cost;
            expansions += self.spent().expansions;
            nodes.extend(self.nodes.iter().skip(1));
            way.at = self.nodes.last().map_or(way.at, |node| ground.cell(*node));
        }
        std::mem::swap(&mut self.nodes, &mut nodes);
        self.far_nodes = nodes;
        self.far.recycle(way.aims);
        if way.at != to {
            return Ok(Outcome::Unreachable {
                proof: UnreachableProof::SearchExhausted,
                nearest: None,
            });
        }
        let aim = Rect::around(to.column(), to.column());
        let mut path = self.assemble(Footing::from(ground), total, Some(aim));
        path.at_least = straight(ground, from, to).min(total);
        path.expansions = expansions;
        Ok(Outcome::Found(path))
    }

    /// Finds the next piece and writes it to `nodes`; its cost, and whether it is the last.
    fn step_far(
        &mut self,
        ground: &Ground,
        way: &mut FarWay,
        (start, goal): (NodeId, NodeId),
    ) -> Option<(Cost, bool)> {
        if way.planned != ground.revision() || way.aims.is_empty() {
            self.plan_far(ground, way, (start, goal));
        }
        let last = way.aims.len() - 1;
        let aim = (way.n_done + AHEAD).min(last);
        // Some part of a block cannot be reached where steps lead one way only: then all the way.
        let mut aims = [(aim, way.aims[aim]), (last, way.goal)].into_iter();
        let (cost, index) = aims.find_map(|(index, aim)| {
            let to = ground.node(aim)?;
            Some((self.piece(ground, start, to)?, index))
        })?;
        if index == last {
            way.n_done = last;
            return Some((cost, true));
        }
        way.n_done += KEPT;
        let n_kept = (self.nodes.len() - 1) * KEPT / AHEAD + 1;
        let cut = self.nodes.drain(n_kept.max(2).min(self.nodes.len())..);
        drop(cut);
        Some((self.walked(ground), false))
    }

    /// Finds a way from cell to cell within the default bound, written to `nodes`.
    fn piece(&mut self, ground: &Ground, start: NodeId, goal: NodeId) -> Option<Cost> {
        let query = Query::new(start, goal);
        self.engine_for_far();
        if self.exact.begin(ground, &query, Weight::DEFAULT).is_some() {
            return None;
        }
        let stop = self.exact.advance(ground, &mut Silent, Budget::UNLIMITED);
        self.exact.outcome(ground, stop, &mut self.nodes).found()
    }

    /// What the steps in `nodes` cost.
    fn walked(&self, ground: &Ground) -> Cost {
        let footing = Footing::from(ground);
        let at = |node: NodeId| (node, ground.cell(node));
        let steps = self.nodes.windows(2);
        let costs = steps.map(|pair| known_step(footing, at(pair[0]), at(pair[1])));
        costs
            .map(|step| step.map_or(Cost::MAX, |(cost, _)| cost))
            .sum()
    }

    fn plan_far(&mut self, ground: &Ground, way: &mut FarWay, ends: (NodeId, NodeId)) {
        self.far.find(ground, ends, &mut way.aims);
        way.aims.push(way.goal);
        way.n_done = 0;
        way.planned = ground.revision();
    }
}

fn ends(ground: &Ground, from: Cell, to: Cell) -> Result<(NodeId, NodeId), Refusal> {
    let footing = Footing::from(ground);
    let start = ground.node(from).ok_or(Refusal::StartBlocked {
        at: Place::Cell(from),
        because: footing.why_not(from),
    })?;
    let goal = ground.node(to).ok_or(Refusal::GoalBlocked {
        at: Place::Cell(to),
        because: footing.why_not(to),
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

/// The middle of a block.
fn middle(block: (i32, i32)) -> Column {
    let side = Ground::BLOCK_SIDE;
    Column::new(block.0 * side + side / 2, block.1 * side + side / 2)
}

#[cfg(test)]
mod tests;

//! The cells of a block of 16 with its frame: 17 x 17 columns of any number of floors, with
//! multipliers and steps, for floods, elimination and unpacking.
//!
//! A cell's number is `(layer x 17 + y) x 17 + x`; its layer counts the walkable floors below it in
//! its column, so that blocks that share a column agree on it.

use wayfarer_base::{Column, Cost, Direction, Rect, SectorId};
use wayfarer_world::ground::NodeId;

use super::super::nav_graph::NavGraph;
use super::pool::ContentKey;

/// Columns along a block with its frame.
pub(super) const SIDE: usize = 17;
/// Columns of a block with its frame.
pub(super) const AREA: usize = SIDE * SIDE;
/// No node or cell.
pub(super) const NONE: u32 = u32::MAX;
/// No cell.
const NO_CELL: u16 = u16::MAX;
/// Most walkable floors of a column that the tables handle.
const MAX_LAYERS: usize = 16;

mod bits;

/// The cells of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// By number, [`NONE`] where there is no walkable cell; empty if `sheets` tells them.
    nodes: Vec<u32>,
    /// The sheets of the four sectors that the block touches, if each has only one: a node's
    /// number is that of its sheet and of its place in the sector.
    sheets: [u32; 4],
    /// Cost multipliers, in sixteenths; 0 where there is no walkable cell.
    multipliers: Vec<u16>,
    /// Legal steps inside the block: bit i is direction i.
    moves: Vec<u8>,
    /// The ends of the steps, if there are several layers.
    targets: Vec<[u16; 8]>,
    /// Numbers of the cells with nav links, sorted.
    pub(super) link_ends: Vec<u16>,
    /// True if every step has its opposite.
    pub(super) is_symmetric: bool,
    /// The highest multiplier.
    pub(super) max_multiplier: u16,
}

/// The offset of a cell's number by a step in each direction.
const OFFSETS: [isize; 8] = {
    let side = SIDE.cast_signed();
    [-side, 1 - side, 1, 1 + side, side, side - 1, -1, -1 - side]
};

impl Cells {
    /// Reads the block whose north-western frame cell lies in column `origin`; false if a column
    /// has too many floors.
    pub(super) fn read(&mut self, nav_graph: NavGraph<'_>, origin: Column) -> bool {
        self.read_bits(nav_graph, origin) || self.read_graph(nav_graph, origin)
    }

    /// Reads the block from the graph, cell by cell.
    fn read_graph(&mut self, nav_graph: NavGraph<'_>, origin: Column) -> bool {
        self.reset(1);
        let high = Column::new(origin.x.saturating_add(16), origin.y.saturating_add(16));
        let mut fits = true;
        nav_graph.for_each_walkable_in(Rect::around(origin, high), |node| {
            let mut number = number_in(origin, nav_graph.cell(node).column());
            while self.nodes.get(number).is_some_and(|known| *known != NONE) {
                number += AREA;
            }
            if number >= AREA * MAX_LAYERS {
                fits = false;
                return;
            }
            if number >= self.nodes.len() {
                self.add_layer();
            }
            self.nodes[number] = node.index();
            let multiplier = nav_graph.cost_multiplier(node).sixteenths();
            self.multipliers[number] = multiplier;
            self.max_multiplier = self.max_multiplier.max(multiplier);
        });
        if !fits {
            return false;
        }
        self.read_link_ends(nav_graph, Rect::around(origin, high));
        self.read_steps(nav_graph);
        self.drop_nodes();
        true
    }

    /// Drops the nodes if the sheets of their sectors tell them.
    fn drop_nodes(&mut self) {
        if self.nodes.len() > AREA {
            return;
        }
        self.sheets = [NONE; 4];
        for (number, node) in self.nodes.iter().enumerate() {
            let (quarter, local) = place_in_sector(number);
            let sheet = &mut self.sheets[quarter];
            if *node != NONE {
                if *node & 0xFF != local || *sheet != NONE && *sheet != node >> 8 {
                    return;
                }
                *sheet = node >> 8;
            }
        }
        self.nodes = Vec::new();
    }

    /// A digest of all that its table follows from: multipliers, steps, ends of nav links.
    pub(super) fn key(&self) -> ContentKey {
        let mut key = ContentKey::default();
        for (multipliers, moves) in self.multipliers.chunks(2).zip(self.moves.chunks(2)) {
            let mut word = 0;
            for (multiplier, moves) in multipliers.iter().zip(moves) {
                word = word << 24 | u64::from(*multiplier) << 8 | u64::from(*moves);
            }
            key.add(word);
        }
        for targets in &self.targets {
            for four in targets.as_chunks::<4>().0 {
                key.add(four.iter().fold(0, |word, to| word << 16 | u64::from(*to)));
            }
        }
        (self.link_ends.iter()).for_each(|number| key.add(u64::from(*number)));
        // Lists of different lengths do not look the same.
        key.add((self.link_ends.len() as u64) << 32 | self.targets.len() as u64);
        key
    }

    /// Number of cells, walkable or not.
    pub(super) fn len(&self) -> usize {
        self.multipliers.len()
    }

    /// Number of walkable cells.
    pub(super) fn n_walkable(&self) -> u64 {
        let walkable = self.multipliers.iter().filter(|it| **it != 0);
        walkable.count() as u64
    }

    /// True if a column has several walkable floors.
    pub(super) fn has_layers(&self) -> bool {
        self.len() > AREA
    }

    #[inline]
    pub(super) fn is_walkable(&self, number: usize) -> bool {
        self.multipliers[number] != 0
    }

    /// The cost multiplier of a cell in sixteenths; 0 if it is not walkable.
    #[inline]
    pub(super) fn multiplier(&self, number: usize) -> u16 {
        self.multipliers[number]
    }

    /// The legal steps of a cell inside the block: bit i is direction i.
    #[inline]
    pub(super) fn moves(&self, number: usize) -> u8 {
        self.moves[number]
    }

    /// The node of a walkable cell.
    #[inline]
    pub(super) fn node(&self, number: usize) -> u32 {
        if let Some(node) = self.nodes.get(number) {
            return *node;
        }
        let (quarter, local) = place_in_sector(number);
        self.sheets[quarter] << 8 | local
    }

    fn reset(&mut self, n_layers: usize) {
        self.nodes.clear();
        self.multipliers.clear();
        self.moves.clear();
        self.targets.clear();
        self.link_ends.clear();
        self.max_multiplier = 16;
        (0..n_layers).for_each(|_| self.add_layer());
    }

    fn add_layer(&mut self) {
        let n = self.nodes.len() + AREA;
        self.nodes.resize(n, NONE);
        self.multipliers.resize(n, 0);
        self.moves.resize(n, 0);
    }

    fn read_link_ends(&mut self, nav_graph: NavGraph<'_>, rect: Rect) {
        let keys = nav_graph.profile().keys;
        let (low, high) = (
            SectorId::from_column(rect.low),
            SectorId::from_column(rect.high),
        );
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                for nav_link in nav_graph.nav_links_in(SectorId::new(x, y)) {
                    for end in [nav_link.from, nav_link.to] {
                        if rect.contains(end.column())
                            && nav_link.state.admits(keys)
                            && let Some(node) = nav_graph.node(end)
                        {
                            let number = self.number_of(node, number_in(rect.low, end.column()));
                            self.link_ends.extend(number);
                        }
                    }
                }
            }
        }
        self.link_ends.sort_unstable();
        self.link_ends.dedup();
    }

    fn read_steps(&mut self, nav_graph: NavGraph<'_>) {
        let has_layers = self.nodes.len() > AREA;
        if has_layers {
            self.targets.resize(self.nodes.len(), [NO_CELL; 8]);
        }
        for number in 0..self.nodes.len() {
            if self.nodes[number] == NONE {
                continue;
            }
            let node = NodeId::from_index(self.nodes[number]);
            let (x, y) = (number % SIDE, number / SIDE % SIDE);
            let mut moves = 0;
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let (Some(x), Some(y)) = (shifted(x, dx), shifted(y, dy)) else {
                    continue;
                };
                let Some(to) = nav_graph.neighbor(node, direction) else {
                    continue;
                };
                let index = usize::from(direction.index());
                moves |= 1_u8 << index;
                if has_layers {
                    let target = self.number_of(to, y * SIDE + x).unwrap_or(NO_CELL);
                    self.targets[number][index] = target;
                }
            }
            self.moves[number] = moves;
        }
        self.is_symmetric = (0..self.len()).all(|number| {
            (0..8).all(|direction| {
                let to = self.target(number, direction);
                to.is_none_or(|to| self.target(to, direction ^ 4) == Some(number))
            })
        });
    }

    /// The number of a node in the column of layer 0's cell `number`.
    fn number_of(&self, node: NodeId, number: usize) -> Option<u16> {
        let mut layers = (number..self.len()).step_by(AREA);
        let found = layers
            .find(|number| self.is_walkable(*number) && self.node(*number) == node.index())?;
        u16::try_from(found).ok()
    }

    /// The number of a node in column (x, y) of the block.
    pub(super) fn find(&self, node: NodeId, (x, y): (usize, usize)) -> Option<usize> {
        self.number_of(node, y * SIDE + x).map(usize::from)
    }

    pub(super) fn is_link_end(&self, number: usize) -> bool {
        !self.link_ends.is_empty()
            && u16::try_from(number).is_ok_and(|n| self.link_ends.binary_search(&n).is_ok())
    }

    /// The end of a step.
    #[inline]
    pub(super) fn target(&self, number: usize, direction: u8) -> Option<usize> {
        if self.moves[number] >> direction & 1 == 0 {
            return None;
        }
        if let Some(targets) = self.targets.get(number) {
            return Some(usize::from(targets[usize::from(direction)]));
        }
        number.checked_add_signed(OFFSETS[usize::from(direction)])
    }

    /// The cost of a step between two cells.
    #[inline]
    pub(super) fn step_cost(&self, from: usize, to: usize, direction: u8) -> i32 {
        let base = if direction & 1 == 1 {
            Cost::DIAGONAL
        } else {
            Cost::STRAIGHT
        };
        let sum = u32::from(self.multipliers[from]) + u32::from(self.multipliers[to]);
        (base.units() * sum / 32).cast_signed()
    }

    /// Calls `visit` with the end, cost and direction of every step from a cell.
    #[inline]
    pub(super) fn for_each_step(&self, number: usize, mut visit: impl FnMut(usize, i32, u8)) {
        let mut moves = self.moves[number];
        while moves != 0 {
            let direction = moves.trailing_zeros().to_le_bytes()[0];
            moves &= moves - 1;
            if let Some(to) = self.target(number, direction) {
                visit(to, self.step_cost(number, to, direction), direction);
            }
        }
    }

    /// Calls `visit` with `costs`, the end and the cost of every step from a cell to one that costs
    /// more than `cost`.
    #[inline]
    pub(super) fn for_each_target(
        &self,
        number: usize,
        mut visit: impl FnMut(&mut [i32], usize, i32),
        costs: &mut [i32],
        cost: i32,
    ) {
        let mut moves = self.moves[number];
        while moves != 0 {
            let direction = moves.trailing_zeros().to_le_bytes()[0];
            moves &= moves - 1;
            if let Some(to) = self.target(number, direction)
                && costs[to] > cost
            {
                visit(costs, to, self.step_cost(number, to, direction));
            }
        }
    }

    /// Calls `visit` with the start, cost and direction of every step to a cell.
    #[inline]
    pub(super) fn for_each_step_to(&self, number: usize, mut visit: impl FnMut(usize, i32, u8)) {
        if self.is_symmetric {
            self.for_each_step(number, |from, cost, direction| {
                visit(from, cost, direction ^ 4);
            });
            return;
        }
        let (x, y) = (number % SIDE, number / SIDE % SIDE);
        for direction in 0..8_u8 {
            let (dx, dy) = Direction::from_index(direction ^ 4).offset();
            let (Some(x), Some(y)) = (shifted(x, dx), shifted(y, dy)) else {
                continue;
            };
            for from in (y * SIDE + x..self.len()).step_by(AREA) {
                if self.target(from, direction) == Some(number) {
                    visit(from, self.step_cost(from, number, direction), direction);
                }
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * 4
            + self.multipliers.capacity() * 2
            + self.moves.capacity()
            + self.targets.capacity() * 16
            + self.link_ends.capacity() * 2
    }
}

/// A coordinate in the block, one step on.
fn shifted(at: usize, by: i32) -> Option<usize> {
    let at = at.checked_add_signed(isize::try_from(by).ok()?)?;
    (at < SIDE).then_some(at)
}

/// The sector among the four that a block touches, and the place there, of a cell of layer 0.
#[inline]
fn place_in_sector(number: usize) -> (usize, u32) {
    let (x, y) = (number % SIDE, number / SIDE);
    let local = y % 16 * 16 + x % 16;
    (y / 16 * 2 + x / 16, u32::try_from(local).unwrap_or(0))
}

/// The number of layer 0's cell in a column of the block.
fn number_in(origin: Column, column: Column) -> usize {
    let x = column.x.abs_diff(origin.x) as usize;
    column.y.abs_diff(origin.y) as usize * SIDE + x
}

#[cfg(test)]
mod tests;

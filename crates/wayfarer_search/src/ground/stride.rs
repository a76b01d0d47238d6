//! A way followed cell by cell: where the ground is plain, steps are read off its bits.

use wayfarer_base::{Cell, Column, Cost, Direction, NavLinkId};
use wayfarer_world::ground::{NodeId, SheetBits};

use super::nav_graph::NavGraph;
use super::path::step_between;

/// Follows the cells of a way as one agent finds them.
///
/// Knows the plain sheet last stood on, so that cells and steps in it and to those next to it are a
/// matter of some bits; everything else is asked of the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride<'g> {
    nav_graph: NavGraph<'g>,
    plain: Option<Plain<'g>>,
    /// The one before.
    previous: Option<Plain<'g>>,
}

/// A plain sheet.
#[derive(Clone, Copy, Debug)]
struct Plain<'g> {
    sheet: SheetBits<'g>,
    origin: Column,
}

impl<'g> Plain<'g> {
    fn new(sheet: SheetBits<'g>) -> Option<Self> {
        let origin = sheet.origin();
        sheet.is_uniform().then_some(Self { sheet, origin })
    }

    /// Row and column of a cell in the sheet, as far as it goes on; 0 to 15 inside.
    #[inline]
    fn place(&self, cell: Cell) -> (i32, i32) {
        (
            cell.x.wrapping_sub(self.origin.x),
            cell.y.wrapping_sub(self.origin.y),
        )
    }

    /// The number of a cell of the sheet in which one can stand.
    #[inline]
    fn node(&self, cell: Cell) -> Option<NodeId> {
        let (x, y) = self.place(cell);
        if (x.cast_unsigned() | y.cast_unsigned()) >= 16 || !self.sheet.is_walkable(x, y) {
            return None;
        }
        let node = self.sheet.node(x.cast_unsigned(), y.cast_unsigned());
        (self.sheet.cell(node).z == cell.z).then_some(node)
    }

    /// The sheet of the same rank that a cell just outside would lie in, if that is plain.
    #[inline]
    fn next(&self, cell: Cell) -> Option<Self> {
        let (x, y) = self.place(cell);
        if x.wrapping_add(16).cast_unsigned() >= 48 || y.wrapping_add(16).cast_unsigned() >= 48 {
            return None;
        }
        let direction = match ((x >> 4).signum(), (y >> 4).signum()) {
            (0, -1) => Direction::North,
            (1, -1) => Direction::NorthEast,
            (1, 0) => Direction::East,
            (1, 1) => Direction::SouthEast,
            (0, 1) => Direction::South,
            (-1, 1) => Direction::SouthWest,
            (-1, 0) => Direction::West,
            (-1, -1) => Direction::NorthWest,
            _ => return None,
        };
        Self::new(self.sheet.neighbor(direction)?)
    }
}

impl<'g> Stride<'g> {
    pub(super) fn new(nav_graph: NavGraph<'g>) -> Self {
        Self {
            nav_graph,
            plain: None,
            previous: None,
        }
    }

    /// As [`NavGraph::node`]; the next step begins or ends here.
    #[inline]
    pub(super) fn node(&mut self, cell: Cell) -> Option<NodeId> {
        match self.plain.and_then(|plain| plain.node(cell)) {
            Some(node) => Some(node),
            None => self.find_node(cell),
        }
    }

    fn find_node(&mut self, cell: Cell) -> Option<NodeId> {
        if let Some(next) = self.plain.and_then(|plain| plain.next(cell))
            && let Some(node) = next.node(cell)
        {
            self.previous = self.plain.replace(next);
            return Some(node);
        }
        let node = self.nav_graph.node(cell)?;
        if self.nav_graph.profile_id().is_none() {
            let sheet = self.nav_graph.ground().bits(node);
            self.previous = std::mem::replace(&mut self.plain, Plain::new(sheet));
        }
        Some(node)
    }

    /// As [`step_between`], for two cells that can be stood on.
    #[inline]
    pub(super) fn step(
        &self,
        from: (NodeId, Cell),
        to: (NodeId, Cell),
    ) -> Option<(Cost, Option<NavLinkId>)> {
        let is_home = |plain: &&Plain<'_>| plain.sheet.node(0, 0).shares_sheet(from.0);
        let homes = [&self.plain, &self.previous].into_iter().flatten();
        let Some(home) = homes.into_iter().find(is_home) else {
            return step_between(self.nav_graph, from, to);
        };
        let is_same_rank = from.0.shares_sheet(to.0) || {
            let ground = self.nav_graph.ground();
            ground.rank(from.0) == ground.rank(to.0)
        };
        if !is_same_rank {
            return step_between(self.nav_graph, from, to);
        }
        let (here, there) = (home.place(from.1), home.place(to.1));
        match (here.0.abs_diff(there.0), here.1.abs_diff(there.1)) {
            (1, 0) | (0, 1) if home.sheet.is_walkable(there.0, there.1) => {
                Some((Cost::STRAIGHT, None))
            }
            (1, 1)
                if home.sheet.is_walkable(there.0, there.1)
                    && home.sheet.is_walkable(here.0, there.1)
                    && home.sheet.is_walkable(there.0, here.1) =>
            {
                Some((Cost::DIAGONAL, None))
            }
            _ => None,
        }
    }

    /// Goes on along `cells`, on the first of which one stands, as long as the sheet last stood on
    /// is plain, goes on and has the steps; adds the numbers of the cells come to, and gives how
    /// many they are and what the steps cost.
    pub(super) fn glide(&self, cells: &[Cell], nodes: &mut Vec<Option<NodeId>>) -> (usize, Cost) {
        let home = self.plain.filter(|plain| {
            let first = nodes.last().copied().flatten();
            first.is_some_and(|first| plain.sheet.node(0, 0).shares_sheet(first))
        });
        let Some(home) = home else {
            return (0, Cost::ZERO);
        };
        let mut here = home.place(cells[0]);
        let mut total = Cost::ZERO;
        for (n_steps, cell) in cells[1..].iter().enumerate() {
            let there = home.place(*cell);
            let cost = match (here.0.abs_diff(there.0), here.1.abs_diff(there.1)) {
                (1, 0) | (0, 1) => Cost::STRAIGHT,
                (1, 1)
                    if home.sheet.is_walkable(here.0, there.1)
                        && home.sheet.is_walkable(there.0, here.1) =>
                {
                    Cost::DIAGONAL
                }
                _ => return (n_steps, total),
            };
            let Some(node) = home.node(*cell) else {
                return (n_steps, total);
            };
            nodes.push(Some(node));
            total += cost;
            here = there;
        }
        (cells.len() - 1, total)
    }

    /// What the steps along `cells` cost on the ground; `None` if one of them cannot be taken.
    pub(super) fn cost_along(&mut self, cells: &[Cell]) -> Option<Cost> {
        let (first, rest) = cells.split_first()?;
        let mut before = (self.node(*first)?, *first);
        let mut total = Cost::ZERO;
        for cell in rest {
            let next = (self.node(*cell)?, *cell);
            total += self.step(before, next)?.0;
            before = next;
        }
        Some(total)
    }
}

//! A cursor over the cells of a path: reads nodes and steps of uniform sheets from their bits.

use wayfarer_base::{Cell, Column, Cost, Direction, NavLinkId};
use wayfarer_world::ground::{NodeId, SheetBits};

use super::nav_graph::NavGraph;
use super::path::step_between;

/// Follows the cells of a path for one profile.
///
/// Caches the last two uniform sheets, so that cells and steps in and between them take a few bit
/// operations; everything else goes through the nav graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathCursor<'g> {
    nav_graph: NavGraph<'g>,
    current: Option<UniformSheet<'g>>,
    previous: Option<UniformSheet<'g>>,
}

/// A uniform sheet.
#[derive(Clone, Copy, Debug)]
struct UniformSheet<'g> {
    sheet: SheetBits<'g>,
    origin: Column,
}

impl<'g> UniformSheet<'g> {
    fn new(sheet: SheetBits<'g>) -> Option<Self> {
        let origin = sheet.origin();
        sheet.is_bit_exact().then_some(Self { sheet, origin })
    }

    /// The cell's coordinates relative to the sheet; 0 to 15 inside.
    #[inline]
    fn local(&self, cell: Cell) -> (i32, i32) {
        (
            cell.x.wrapping_sub(self.origin.x),
            cell.y.wrapping_sub(self.origin.y),
        )
    }

    /// The node of a walkable cell of the sheet.
    #[inline]
    fn node(&self, cell: Cell) -> Option<NodeId> {
        let (x, y) = self.local(cell);
        if (x.cast_unsigned() | y.cast_unsigned()) >= 16 || !self.sheet.is_walkable(x, y) {
            return None;
        }
        let node = self.sheet.node(x.cast_unsigned(), y.cast_unsigned());
        (self.sheet.cell(node).z == cell.z).then_some(node)
    }

    /// The adjacent sheet of the same rank that a cell outside would lie in, if it is uniform.
    #[inline]
    fn neighbor(&self, cell: Cell) -> Option<Self> {
        let (x, y) = self.local(cell);
        if x.wrapping_add(16).cast_unsigned() >= 48 || y.wrapping_add(16).cast_unsigned() >= 48 {
            return None;
        }
        let direction = Direction::from_offset(((x >> 4).signum(), (y >> 4).signum()))?;
        Self::new(self.sheet.neighbor(direction)?)
    }
}

impl<'g> PathCursor<'g> {
    pub(super) fn new(nav_graph: NavGraph<'g>) -> Self {
        Self {
            nav_graph,
            current: None,
            previous: None,
        }
    }

    /// [`NavGraph::node`]; the next step starts or ends here.
    #[inline]
    pub(super) fn node(&mut self, cell: Cell) -> Option<NodeId> {
        match self.current.and_then(|sheet| sheet.node(cell)) {
            Some(node) => Some(node),
            None => self.find_node(cell),
        }
    }

    fn find_node(&mut self, cell: Cell) -> Option<NodeId> {
        if let Some(next) = self.current.and_then(|sheet| sheet.neighbor(cell))
            && let Some(node) = next.node(cell)
        {
            self.previous = self.current.replace(next);
            return Some(node);
        }
        let node = self.nav_graph.node(cell)?;
        let sheet = self.nav_graph.profile_ground().bits(node);
        self.previous = std::mem::replace(&mut self.current, UniformSheet::new(sheet));
        Some(node)
    }

    /// [`step_between`] for two walkable cells.
    #[inline]
    pub(super) fn step(
        &self,
        from: (NodeId, Cell),
        to: (NodeId, Cell),
    ) -> Option<(Cost, Option<NavLinkId>)> {
        let holds_start = |cached: &&UniformSheet<'_>| cached.sheet.node(0, 0).shares_sheet(from.0);
        let cached = [&self.current, &self.previous].into_iter().flatten();
        let Some(uniform) = cached.into_iter().find(holds_start) else {
            return step_between(self.nav_graph, from, to);
        };
        let is_same_rank = from.0.shares_sheet(to.0) || {
            let ground = self.nav_graph.ground();
            ground.rank(from.0) == ground.rank(to.0)
        };
        if !is_same_rank {
            return step_between(self.nav_graph, from, to);
        }
        let (here, there) = (uniform.local(from.1), uniform.local(to.1));
        match (here.0.abs_diff(there.0), here.1.abs_diff(there.1)) {
            (1, 0) | (0, 1) if uniform.sheet.is_walkable(there.0, there.1) => {
                Some((Cost::STRAIGHT, None))
            }
            (1, 1)
                if uniform.sheet.is_walkable(there.0, there.1)
                    && uniform.sheet.is_walkable(here.0, there.1)
                    && uniform.sheet.is_walkable(there.0, here.1) =>
            {
                Some((Cost::DIAGONAL, None))
            }
            _ => None,
        }
    }

    /// Follows `cells`, the first of which is the last of `nodes`, while they stay in the current
    /// sheet and its bits have the steps; appends the nodes and returns how many steps it took and
    /// their cost.
    pub(super) fn follow_uniform(
        &self,
        cells: &[Cell],
        nodes: &mut Vec<Option<NodeId>>,
    ) -> (usize, Cost) {
        let uniform = self.current.filter(|current| {
            let first = nodes.last().copied().flatten();
            first.is_some_and(|first| current.sheet.node(0, 0).shares_sheet(first))
        });
        let Some(uniform) = uniform else {
            return (0, Cost::ZERO);
        };
        let mut here = uniform.local(cells[0]);
        let mut total = Cost::ZERO;
        for (n_steps, cell) in cells[1..].iter().enumerate() {
            let there = uniform.local(*cell);
            let cost = match (here.0.abs_diff(there.0), here.1.abs_diff(there.1)) {
                (1, 0) | (0, 1) => Cost::STRAIGHT,
                (1, 1)
                    if uniform.sheet.is_walkable(here.0, there.1)
                        && uniform.sheet.is_walkable(there.0, here.1) =>
                {
                    Cost::DIAGONAL
                }
                _ => return (n_steps, total),
            };
            let Some(node) = uniform.node(*cell) else {
                return (n_steps, total);
            };
            nodes.push(Some(node));
            total += cost;
            here = there;
        }
        (cells.len() - 1, total)
    }

    /// The cost of the steps along `cells` on the ground; `None` if a step is impossible.
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

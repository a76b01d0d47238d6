//! The ends of a path: costs between start or goal and the frame of its block.
//!
//! An end inside a block of 16 floods that block; the tables of 16 carry the costs on to the frame
//! of the block of 32. An end on a frame is a frame cell itself.

use wayfarer_base::Column;
use wayfarer_world::ground::NodeId;

use super::super::nav_graph::NavGraph;
use super::flood::{Flood, FloodDirection};
use super::min_plus::INFINITE;
use super::store::{LevelId, Store, Unsuitable};
use super::sweep::{Scope, Sweep, locate, place_in};

/// One end of the path.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) node: NodeId,
    pub(super) column: Column,
    pub(super) direction: FloodDirection,
    /// Its block of 16.
    pub(super) fine_block: u32,
    /// Its number there.
    pub(super) cell: usize,
    /// Its costs inside the block of 16, unless it is on the frame.
    pub(super) flood: Flood,
    pub(super) is_on_fine_frame: bool,
    /// Its block of the search's level, and the cost of each frame cell.
    pub(super) block: u32,
    pub(super) costs: Vec<i32>,
    /// True if it is on the frame of that block.
    pub(super) is_on_frame: bool,
}

impl End {
    pub(super) fn new(direction: FloodDirection) -> Self {
        Self {
            node: NodeId::from_index(0),
            column: Column::new(0, 0),
            direction,
            fine_block: 0,
            cell: 0,
            flood: Flood::default(),
            is_on_fine_frame: false,
            block: 0,
            costs: Vec::new(),
            is_on_frame: false,
        }
    }

    /// Upper bound on the expansions of [`End::set`] in all but odd cases: the cells of the block of
    /// 16, and the rows of those in the block of 32, each twice.
    pub(super) fn work_bound(
        &self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        node: NodeId,
        level: LevelId,
    ) -> Result<u64, Unsuitable> {
        let column = nav_graph.cell(node).column();
        let fine = LevelId::Fine;
        let own = store.touch_at(nav_graph, fine, fine.block_at(column))?;
        let mut n = store.block(fine, own).cells.n_walkable();
        if level == LevelId::Coarse {
            let coarse = store.touch_at(nav_graph, level, level.block_at(column))?;
            for child in store.block(level, coarse).children {
                n += 2 * store.fine.block(child).frame.len() as u64;
            }
        }
        Ok(n)
    }

    /// Sets the end and finds the costs of the frame cells of its block; returns cells expanded.
    pub(super) fn set(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        sweep: &mut Sweep,
        node: NodeId,
        level: LevelId,
    ) -> Result<u64, Unsuitable> {
        self.node = node;
        self.column = nav_graph.cell(node).column();
        let scope = |level: LevelId, within| Scope {
            nav_graph,
            level,
            direction: self.direction,
            within,
            lower_bound: None,
        };
        let fine = LevelId::Fine;
        self.fine_block = store.touch_at(nav_graph, fine, fine.block_at(self.column))?;
        let on_fine = locate(store, &scope(fine, None), node)?;
        self.is_on_fine_frame = on_fine.is_some();
        self.block = store.touch_at(nav_graph, level, level.block_at(self.column))?;
        let on_frame = locate(store, &scope(level, None), node)?;
        self.is_on_frame = on_frame.is_some();
        self.costs.clear();
        self.costs
            .resize(store.block(level, self.block).costs.len(), INFINITE);
        if let Some((_, i)) = on_frame {
            self.costs[i] = 0;
            return Ok(0);
        }
        let mut n_expanded = 0;
        if !self.is_on_fine_frame {
            let block = store.block(fine, self.fine_block);
            let place = place_in(fine, self.column);
            self.cell = block.cells.find(node, place).ok_or(Unsuitable)?;
            self.flood
                .run(&block.cells, self.cell, self.direction, None);
            n_expanded = self.flood.n_expanded;
        }
        if level == fine {
            let numbers = &store.block(fine, self.block).frame.numbers;
            for (cost, number) in self.costs.iter_mut().zip(numbers) {
                *cost = self.flood.costs[usize::from(*number)];
            }
            return Ok(n_expanded);
        }
        let within = Some(level.block_at(self.column));
        self.sweep_children(store, sweep, &scope(fine, within), on_fine)?;
        Ok(n_expanded)
    }

    /// Carries the costs from the frame of the block of 16 to that of the block of 32.
    fn sweep_children(
        &mut self,
        store: &mut Store,
        sweep: &mut Sweep,
        scope: &Scope<'_>,
        on_fine: Option<(u32, usize)>,
    ) -> Result<(), Unsuitable> {
        let fine_block = self.fine_block;
        if let Some(at) = on_fine {
            sweep.seed(store, scope, at, 0)?;
        } else {
            for i in 0..store.block(scope.level, fine_block).frame.len() {
                let number = store.block(scope.level, fine_block).frame.numbers[i];
                let cost = self.flood.costs[usize::from(number)];
                if cost < INFINITE {
                    sweep.improve(store, scope, (fine_block, i), cost, false)?;
                }
            }
        }
        sweep.run(store, scope)?;
        let block = store.coarse.block(self.block);
        for (cost, (child, i)) in self.costs.iter_mut().zip(&block.frame.origins) {
            let child = store.fine.block(block.children[usize::from(*child)]);
            if child.stamp == store.stamp {
                *cost = child.costs[usize::from(*i)];
            }
        }
        Ok(())
    }

    /// Gives the costs to a search: seeds every frame cell that the end reaches.
    pub(super) fn seed(
        &self,
        store: &mut Store,
        sweep: &mut Sweep,
        scope: &Scope<'_>,
    ) -> Result<(), Unsuitable> {
        for (i, cost) in self.costs.iter().enumerate() {
            if *cost < INFINITE {
                sweep.seed_in(store, scope, (self.block, i), *cost, self.is_on_frame)?;
            }
        }
        Ok(())
    }
}

/// True if a search of blocks of 16 suits two ends: their blocks of 32 are the same or touch.
pub(super) fn are_near(a: Column, b: Column) -> bool {
    let level = LevelId::Coarse;
    let (a, b) = (level.block_at(a), level.block_at(b));
    a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1
}

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
    /// Its block of 16 and its index there, if it is on the frame.
    on_fine: Option<(u32, usize)>,
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
            on_fine: None,
            block: 0,
            costs: Vec::new(),
            is_on_frame: false,
        }
    }

    /// Sets the end, as far as that takes no work.
    pub(super) fn set(&mut self, nav_graph: NavGraph<'_>, node: NodeId) {
        (self.node, self.column) = (node, nav_graph.cell(node).column());
    }

    /// The blocks of 16 and of the search's level that contain it, as coordinates.
    pub(super) fn places(&self, level: LevelId) -> [(LevelId, (i32, i32)); 2] {
        [LevelId::Fine, level].map(|level| (level, level.block_at(self.column)))
    }

    /// The scope of a search from or to it.
    fn scope<'a>(
        &self,
        nav_graph: NavGraph<'a>,
        level: LevelId,
        within: Option<(i32, i32)>,
    ) -> Scope<'a> {
        Scope {
            nav_graph,
            level,
            direction: self.direction,
            within,
            lower_bound: None,
        }
    }

    /// The scope in which the tables of 16 carry the costs to the frame of the block of 32.
    pub(super) fn child_scope<'a>(&self, nav_graph: NavGraph<'a>) -> Scope<'a> {
        let within = LevelId::Coarse.block_at(self.column);
        self.scope(nav_graph, LevelId::Fine, Some(within))
    }

    /// Finds its blocks; returns the cells that [`End::flood`] expands at most.
    pub(super) fn enter(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        level: LevelId,
    ) -> Result<u64, Unsuitable> {
        let fine = LevelId::Fine;
        self.fine_block = store.touch_at(nav_graph, fine, fine.block_at(self.column))?;
        self.on_fine = locate(store, &self.scope(nav_graph, fine, None), self.node)?;
        self.is_on_fine_frame = self.on_fine.is_some();
        self.block = store.touch_at(nav_graph, level, level.block_at(self.column))?;
        let on_frame = locate(store, &self.scope(nav_graph, level, None), self.node)?;
        self.is_on_frame = on_frame.is_some();
        self.costs.clear();
        self.costs
            .resize(store.block(level, self.block).costs.len(), INFINITE);
        if let Some((_, i)) = on_frame {
            self.costs[i] = 0;
        }
        let is_flooded = !self.is_on_frame && !self.is_on_fine_frame;
        let cells = &store.block(fine, self.fine_block).cells;
        Ok(if is_flooded { cells.n_walkable() } else { 0 })
    }

    /// Floods its block of 16 and seeds a sweep over the blocks of 16 in its block of 32, unless it
    /// is on the frame; returns cells expanded.
    pub(super) fn flood(
        &mut self,
        nav_graph: NavGraph<'_>,
        store: &mut Store,
        sweep: &mut Sweep,
        level: LevelId,
    ) -> Result<u64, Unsuitable> {
        let fine = LevelId::Fine;
        let mut n_expanded = 0;
        if self.is_on_frame {
            return Ok(n_expanded);
        }
        if !self.is_on_fine_frame {
            let block = store.block(fine, self.fine_block);
            let place = place_in(fine, self.column);
            self.cell = block.cells.find(self.node, place).ok_or(Unsuitable)?;
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
        let scope = self.child_scope(nav_graph);
        if let Some(at) = self.on_fine {
            sweep.seed(store, &scope, at, 0)?;
        } else {
            for i in 0..store.block(fine, self.fine_block).frame.len() {
                let number = store.block(fine, self.fine_block).frame.numbers[i];
                let cost = self.flood.costs[usize::from(number)];
                if cost < INFINITE {
                    sweep.improve(store, &scope, (self.fine_block, i), cost, false)?;
                }
            }
        }
        Ok(n_expanded)
    }

    /// Takes the costs of its block's frame over from the sweep.
    pub(super) fn take_costs(&mut self, store: &Store, level: LevelId) {
        if level == LevelId::Fine || self.is_on_frame {
            return;
        }
        let block = store.coarse.block(self.block);
        for (cost, (child, i)) in self.costs.iter_mut().zip(&block.frame.origins) {
            let child = store.fine.block(block.children[usize::from(*child)]);
            if child.stamp == store.stamp {
                *cost = child.costs[usize::from(*i)];
            }
        }
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

//! Repair of a flow field after edits.
//!
//! Dynamic shortest paths in two phases, as in \[Ramalingam1996\] (relative). By rising cost, each
//! affected cell that no successor supports any more loses its cost, and its dependents are
//! affected in turn. Then Dijkstra spreads costs from the cells beside into what was lost and into
//! what became cheaper. Takes time in the number of affected cells, not of the field.
//!
//! Both phases pause: between slices every known cost that is not queued for a check is supported by
//! a successor, and every cell with a cheaper successor is queued itself or that successor is. New
//! edits only add to the queues, so that edits and slices may come in any order. Buckets keep the
//! order of insertion, not of slots: equal fields do equal work in equal order, however they came to
//! be.

use wayfarer_base::{Cell, ChangeLog, Column, DirtySector, Rect};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::super::area::dirty_columns;
use super::super::dijkstra_sweep::floors_around;
use super::super::nav_graph::{NavGraph, inflated};
use super::super::path::sectors_in;
use super::cost_buckets::CostBuckets;
use super::tiles::UNKNOWN;
use super::{FlowField, FlowUpdate};

/// The cells of a field that edits affect.
#[derive(Clone, Debug, Default)]
pub(super) struct RepairQueue {
    /// Cells whose cost may have no support any more.
    unchecked: CostBuckets,
    /// Cells whose steps changed or that lost their cost: a successor may give them a lower one.
    lost: Vec<u32>,
    /// Scratch: changed columns, sorted.
    columns: Vec<Column>,
    /// Scratch: cells whose steps may have changed.
    dirty: Vec<Cell>,
}

impl RepairQueue {
    pub(super) fn is_empty(&self) -> bool {
        self.unchecked.is_empty() && self.lost.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.unchecked.clear();
        self.lost.clear();
    }
}

impl FlowField {
    /// Notes what the change sets since the field's revision affect, for [`FlowField::advance`] to
    /// repair in slices. Empties the field if its profile is no longer registered. The number of cells
    /// reported, which also count as work, is that of the cells noted.
    ///
    /// ```
    /// use wayfarer_base::{Cell, ChangeLog, Column, GroundEdit, Raster, Rect};
    /// use wayfarer_search::ground::FlowField;
    /// use wayfarer_world::ground::Ground;
    ///
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(600, 1, vec![0; 600]).unwrap());
    /// let mut log = ChangeLog::starting_at(ground.revision(), 4);
    /// let area = Rect::around(Column::new(0, 0), Column::new(599, 0));
    /// let mut flow = FlowField::new(&ground, area, &[Cell::flat(599, 0)]);
    /// let cell = Cell::flat(590, 0);
    /// log.push(ground.apply(&[GroundEdit::RemoveCell { cell }]).unwrap().changes);
    /// flow.begin_update(&ground, &log);
    /// assert!(!flow.advance(&ground, 100)); // 590 cells are cut off
    /// assert_eq!(flow.next(&ground, Cell::flat(589, 0)), None); // waits
    /// assert_eq!(flow.next(&ground, Cell::flat(9, 0)), Some(Cell::flat(10, 0))); // goes on
    /// while !flow.advance(&ground, 100) {}
    /// assert_eq!(flow.cost(Cell::flat(9, 0)), None);
    /// ```
    pub fn begin_update(
        &mut self,
        ground: &Ground,
        log: &ChangeLog<GroundDifference>,
    ) -> FlowUpdate {
        let Ok(nav_graph) = NavGraph::new(ground, self.profile_id) else {
            self.costs.clear();
            self.open.clear();
            self.queue.clear();
            (self.is_complete, self.is_built) = (true, true);
            self.revision = ground.revision();
            return FlowUpdate::Rebuilt;
        };
        if self.revision == ground.revision() {
            return FlowUpdate::Unchanged;
        }
        let Some(sets) = log.since(self.revision) else {
            self.restart(nav_graph);
            return FlowUpdate::Rebuilt;
        };
        let clearance = nav_graph.clearance_columns();
        let RepairQueue { columns, dirty, .. } = &mut self.queue;
        columns.clear();
        dirty.clear();
        let near = inflated(self.area, clearance + 1);
        for set in sets {
            for difference in &set.differences {
                collect_changes(difference, (near, &set.dirty_sectors), columns, dirty);
            }
        }
        columns.sort_unstable();
        columns.dedup();
        self.revision = ground.revision();
        self.costs.begin_run();
        if columns.is_empty() {
            return FlowUpdate::Unchanged;
        }
        // A column affects the cells within the clearance of the body.
        let n_near = columns.len() * (1 + 2 * clearance as usize).pow(2);
        if n_near * 8 > self.costs.len().max(64) {
            // Little is built of one that has just begun.
            self.restart(nav_graph);
            return FlowUpdate::Rebuilt;
        }
        self.note_dirty(nav_graph)
    }

    /// Queues the cells around the changed columns.
    fn note_dirty(&mut self, nav_graph: NavGraph<'_>) -> FlowUpdate {
        let clearance = nav_graph.clearance_columns();
        let area = self.area;
        let RepairQueue {
            unchecked,
            lost,
            columns,
            dirty,
        } = &mut self.queue;
        for column in columns {
            dirty.extend(floors_around(nav_graph, *column));
            let around = inflated(Rect::around(*column, *column), clearance);
            for nav_link in sectors_in(around).flat_map(|sector| nav_graph.nav_links_in(sector)) {
                let ends = [nav_link.from, nav_link.to];
                if ends.iter().any(|end| around.contains(end.column())) {
                    dirty.extend(ends);
                }
            }
        }
        dirty.retain(|cell| area.contains(cell.column()));
        dirty.sort_unstable();
        dirty.dedup();
        unchecked.rewind();
        for cell in dirty.iter() {
            let slot = self.costs.slot(*cell, area);
            lost.push(slot);
            let cost = self.costs.cost(slot);
            if cost != UNKNOWN {
                unchecked.push(cost, slot);
            }
        }
        self.is_complete = false;
        let n_cells = dirty.len();
        self.n_followed += n_cells as u64;
        FlowUpdate::Repaired { n_cells }
    }

    /// Removes the costs that no successor supports, by rising cost; true once none is left.
    pub(super) fn remove_unsupported(&mut self, nav_graph: NavGraph<'_>, left: &mut usize) -> bool {
        let Self {
            costs,
            queue,
            goals,
            area,
            ..
        } = self;
        let RepairQueue {
            unchecked, lost, ..
        } = queue;
        while let Some((cost, slot)) = unchecked.pop() {
            if costs.cost(slot) != cost {
                continue;
            }
            if *left == 0 {
                unchecked.push(cost, slot);
                return false;
            }
            *left -= 1;
            if costs.best_cost(nav_graph, slot, goals) <= cost {
                continue;
            }
            costs.set(slot, UNKNOWN);
            lost.push(slot);
            // The dependents of a cell that is gone are dirty themselves.
            if nav_graph.node(costs.cell(slot)).is_none() {
                continue;
            }
            costs.for_each_predecessor(nav_graph, slot, *area, |costs, from, step_cost| {
                let dependent = costs.cost(from);
                if dependent != UNKNOWN && dependent >= cost.saturating_add(step_cost) {
                    unchecked.push(dependent, from);
                }
            });
        }
        true
    }

    /// Gives lost and changed cells the best cost that a successor supports; true once none is left.
    pub(super) fn renew_lost(&mut self, nav_graph: NavGraph<'_>, left: &mut usize) -> bool {
        if self.queue.lost.is_empty() {
            return true;
        }
        self.open.rewind();
        while let Some(slot) = self.queue.lost.pop() {
            if *left == 0 {
                self.queue.lost.push(slot);
                return false;
            }
            *left -= 1;
            let best = self.costs.best_cost(nav_graph, slot, &self.goals);
            if best < self.costs.cost(slot) {
                self.costs.set(slot, best);
                self.open.push(best, slot);
            }
        }
        true
    }
}

/// Collects the columns of `area` that a difference changed, and cells that may be gone.
fn collect_changes(
    difference: &GroundDifference,
    (area, dirty): (Rect, &[DirtySector]),
    columns: &mut Vec<Column>,
    lost: &mut Vec<Cell>,
) {
    let near = |column: &Column| area.contains(*column);
    match difference {
        GroundDifference::Floor { .. }
        | GroundDifference::Floors(_)
        | GroundDifference::Solid(_) => difference.for_each_floor(|cell, _, _| {
            if near(&cell.column()) {
                columns.push(cell.column());
                lost.push(cell);
            }
        }),
        GroundDifference::Wall { wall, .. } => {
            columns.extend(Some(wall.cell.column()).filter(near));
        }
        GroundDifference::NavLink(nav_link) => {
            let ends = [nav_link.id.from, nav_link.id.to];
            columns.extend(ends.map(Cell::column).into_iter().filter(near));
        }
        GroundDifference::CostModifier(modifier) => {
            for modifier in modifier.before.iter().chain(&modifier.after) {
                columns.extend(dirty_columns(&modifier.shape, dirty).filter(near));
            }
        }
    }
}

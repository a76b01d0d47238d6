//! A flow field: for every cell of an area, which way to go to the nearest of some goals.
//!
//! The field holds what each cell costs to leave; the way follows from that: the first step,
//! clockwise from north and then passages by name, that leads to where the rest of the cost is
//! paid. So a field that was repaired and one that was made anew show the same ways.
//!
//! # Repair
//! Cells around a change are looked at by rising cost: one that no step supports any more loses
//! its cost, and those that came over it are looked at in turn. Then costs spread again from the
//! cells beside, as in Dijkstra's search, into what was lost and into what became cheaper.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfarer_base::collections::{FastMap, OrderedSet};
use wayfarer_base::{Cell, ChangeLog, Column, Cost, Rect, Revision, SectorId};
use wayfarer_world::ground::{Ground, GroundDifference, NodeId, StepBuffer};

use super::spread::{Span, Spread, Way, cells_around, steps_into};

/// For every cell of an area the way to the nearest of some goals.
///
/// ```
/// use wayfarer_base::{Cell, Column, Cost, Raster, Rect};
/// use wayfarer_search::ground::FlowField;
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(4, 1, vec![0; 4]).unwrap());
/// let area = Rect::around(Column::new(0, 0), Column::new(3, 0));
/// let field = FlowField::new(&ground, area, &[Cell::flat(3, 0)]);
/// assert_eq!(field.next(&ground, Cell::flat(1, 0)), Some(Cell::flat(2, 0)));
/// assert_eq!(field.cost(Cell::flat(2, 0)), Some(Cost::STRAIGHT));
/// ```
#[derive(Clone, Debug)]
pub struct FlowField {
    area: Rect,
    goals: Vec<Cell>,
    costs: FastMap<Cell, u32>,
    revision: Revision,
}

/// How a field was brought up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowUpdate {
    /// Nothing that it shows has changed.
    Holds,
    /// So many cells were looked at.
    Repaired {
        /// Cells whose cost was looked at or spread from.
        n_cells: usize,
    },
    /// It was made anew: the log does not reach back, or too much changed.
    Rebuilt,
}

impl FlowField {
    /// The field over `area` to the nearest of `goals`, those that can be stood on; ways do not
    /// leave the area.
    pub fn new(ground: &Ground, area: Rect, goals: &[Cell]) -> Self {
        let mut field = Self {
            area,
            goals: goals.to_vec(),
            costs: FastMap::default(),
            revision: ground.revision(),
        };
        field.goals.retain(|goal| area.contains(goal.column()));
        field.goals.sort_unstable();
        field.goals.dedup();
        field.rebuild(ground);
        field
    }

    /// What the way from a cell to the nearest goal costs; `None` if there is none.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.costs.get(&cell).copied().map(Cost::from_units)
    }

    /// Where to step from a cell; `None` at a goal and where there is no way. The ground must be
    /// at the field's revision.
    pub fn next(&self, ground: &Ground, cell: Cell) -> Option<Cell> {
        let cost = *self.costs.get(&cell)?;
        if cost == 0 {
            return None;
        }
        let mut buffer = StepBuffer::default();
        let steps = ground.steps(ground.node(cell)?, &mut buffer);
        let mut steps = steps.map(|(to, price)| (ground.cell(to), price));
        steps.find_map(|(to, price)| {
            let rest = *self.costs.get(&to)?;
            (rest.saturating_add(price.units()) == cost).then_some(to)
        })
    }

    /// How many cells have a way to a goal.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// True if no cell has.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// The revision of the ground that it shows.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The columns it covers.
    pub fn area(&self) -> Rect {
        self.area
    }

    fn rebuild(&mut self, ground: &Ground) {
        self.costs.clear();
        self.revision = ground.revision();
        let goals: Vec<NodeId> = self
            .goals
            .iter()
            .filter_map(|goal| ground.node(*goal))
            .collect();
        // Cells outside are not spread from: their costs would be those of ways that leave.
        let mut spread = Spread::default();
        let area = self.area;
        let costs = &mut self.costs;
        let inside = |cell: Cell| area.contains(cell.column());
        spread.run_inside(
            ground,
            Span::new(&goals, Way::Back),
            inside,
            |cell, cost| {
                costs.insert(cell, cost.units());
            },
        );
    }

    /// Brings the field up to the ground's revision, from the change sets since.
    pub fn update(&mut self, ground: &Ground, log: &ChangeLog<GroundDifference>) -> FlowUpdate {
        if self.revision == ground.revision() {
            return FlowUpdate::Holds;
        }
        let Some(sets) = log.since(self.revision) else {
            self.rebuild(ground);
            return FlowUpdate::Rebuilt;
        };
        let mut columns: OrderedSet<Column> = OrderedSet::new();
        let mut lost: Vec<Cell> = Vec::new();
        for difference in sets.flat_map(|set| &set.differences) {
            note(difference, self.area, &mut columns, &mut lost);
        }
        self.revision = ground.revision();
        if columns.is_empty() {
            return FlowUpdate::Holds;
        }
        if columns.len() * 8 > self.costs.len().max(64) {
            self.rebuild(ground);
            return FlowUpdate::Rebuilt;
        }
        let mut touched: OrderedSet<Cell> = lost.into_iter().collect();
        for column in &columns {
            touched.extend(cells_around(ground, *column));
            for passage in ground.passages_in(SectorId::of(*column)) {
                if passage.from.column() == *column || passage.to.column() == *column {
                    touched.extend([passage.from, passage.to]);
                }
            }
        }
        touched.retain(|cell| self.area.contains(cell.column()));
        FlowUpdate::Repaired {
            n_cells: self.repair(ground, touched),
        }
    }

    /// Makes costs true again, given every cell whose steps may have changed.
    fn repair(&mut self, ground: &Ground, touched: OrderedSet<Cell>) -> usize {
        let mut n_cells = 0;
        let (mut buffer, mut into) = (StepBuffer::default(), Vec::new());
        // Lose what is no longer supported, by rising cost.
        let mut doubtful: BinaryHeap<Reverse<(u32, Cell)>> = touched
            .iter()
            .filter_map(|cell| self.costs.get(cell).map(|cost| Reverse((*cost, *cell))))
            .collect();
        let mut open_cells = touched;
        while let Some(Reverse((cost, cell))) = doubtful.pop() {
            if self.costs.get(&cell) != Some(&cost) {
                continue;
            }
            n_cells += 1;
            let node = ground.node(cell);
            let best = node.and_then(|node| self.best(ground, node, cell, &mut buffer));
            if best.is_some_and(|best| best <= cost) {
                continue;
            }
            self.costs.remove(&cell);
            open_cells.insert(cell);
            if let Some(node) = node {
                steps_into(ground, node, &mut into);
                for (from, price) in &into {
                    let from = ground.cell(*from);
                    let theirs = self.costs.get(&from);
                    if theirs == Some(&cost.saturating_add(price.units())) {
                        doubtful.extend(theirs.map(|theirs| Reverse((*theirs, from))));
                    }
                }
            }
        }
        // Spread again from what is left.
        let mut open: BinaryHeap<Reverse<(u32, Cell)>> = BinaryHeap::new();
        for cell in open_cells {
            let node = ground.node(cell);
            let best = node.and_then(|node| self.best(ground, node, cell, &mut buffer));
            let known = self.costs.get(&cell).copied();
            if let Some(best) = best.filter(|best| known.is_none_or(|known| *best < known)) {
                open.push(Reverse((best, cell)));
            }
        }
        while let Some(Reverse((cost, cell))) = open.pop() {
            if self.costs.get(&cell).is_some_and(|known| *known <= cost) {
                continue;
            }
            n_cells += 1;
            self.costs.insert(cell, cost);
            let Some(node) = ground.node(cell) else {
                continue;
            };
            steps_into(ground, node, &mut into);
            for (from, price) in &into {
                let from = ground.cell(*from);
                let cost = cost.saturating_add(price.units());
                let is_better = self.costs.get(&from).is_none_or(|known| cost < *known);
                if is_better && cost < u32::MAX && self.area.contains(from.column()) {
                    open.push(Reverse((cost, from)));
                }
            }
        }
        n_cells
    }

    /// The least that a cell can cost by its steps into cells whose cost is known.
    fn best(
        &self,
        ground: &Ground,
        node: NodeId,
        cell: Cell,
        buffer: &mut StepBuffer,
    ) -> Option<u32> {
        if self.goals.binary_search(&cell).is_ok() {
            return Some(0);
        }
        let steps = ground.steps(node, buffer);
        let costs = steps.filter_map(|(to, price)| {
            let rest = self.costs.get(&ground.cell(to))?;
            Some(rest.saturating_add(price.units()))
        });
        costs.min().filter(|cost| *cost < u32::MAX)
    }
}

/// Notes the columns of `area` that a difference changed, and cells that are gone.
fn note(
    difference: &GroundDifference,
    area: Rect,
    columns: &mut OrderedSet<Column>,
    lost: &mut Vec<Cell>,
) {
    let near = |column: &Column| {
        let clamped = Column::new(
            column.x.clamp(area.low.x, area.high.x.max(area.low.x)),
            column.y.clamp(area.low.y, area.high.y.max(area.low.y)),
        );
        column.x.abs_diff(clamped.x) <= 1 && column.y.abs_diff(clamped.y) <= 1
    };
    match difference {
        GroundDifference::Floor { cell, .. } => {
            columns.extend(Some(cell.column()).filter(near));
            lost.push(*cell);
        }
        GroundDifference::Wall { wall, .. } => {
            columns.extend(Some(wall.cell.column()).filter(near));
        }
        GroundDifference::Passage(passage) => {
            let ends = [passage.name.from, passage.name.to];
            columns.extend(ends.map(Cell::column).into_iter().filter(near));
        }
        GroundDifference::Effect(effect) => {
            for effect in effect.before.iter().chain(&effect.after) {
                columns.extend(effect.shape.columns().filter(near));
            }
        }
    }
}

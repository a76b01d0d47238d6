//! What a tile shows its neighbors: the components on its border lines.
//!
//! Two neighbors share a *line*, the first row or column of the core of the eastern or southern one. Both
//! hold its cells in their windows, and a step from core to core begins, ends or both on it; so the
//! components of one tile continue in the other exactly where they share a cell of the line. A tile
//! keeps four lines, cells of equal component and height as runs, with components numbered in the order in
//! which they appear: equal content gives equal lines.

use wayfarer_engine::base::collections::FastMap;
use wayfarer_engine::base::{Cell, Column, Rect, Voxel};
use wayfarer_engine::search::air::FlightComponents;
use wayfarer_engine::search::ground::NavGraph;
use wayfarer_engine::world::air::{Air, AirComponentId};
use wayfarer_engine::world::ground::ComponentId;

use super::air_lines;
use super::layout::Grid;
use super::parts::{Parts, one_way_links};
use crate::agent_type::AgentTypeId;
use crate::facade::World;

/// The sides of a tile, in the order of its lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    West,
    North,
    East,
    South,
}

impl Side {
    pub(super) const ALL: [Self; 4] = [Self::West, Self::North, Self::East, Self::South];
}

/// Cells side by side on a line, of one height and component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Run {
    pub(super) z: i32,
    /// The first cell and the number of cells.
    pub(super) start: u16,
    pub(super) len: u16,
    pub(super) label: u32,
}

/// The lines of a tile for one agent type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lines {
    /// By side; sorted by height, then along the line.
    pub(super) sides: [Box<[Run]>; 4],
    /// One-way links from one component into another, by their ends.
    pub(super) one_way: Box<[OneWay]>,
    /// The number of components on the lines and at the ends of one-way links.
    pub(super) n_labels: u32,
}

/// A one-way link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OneWay {
    pub(super) from: Cell,
    pub(super) to: Cell,
    /// The labels of its ends.
    pub(super) labels: (u32, u32),
}

/// A component of a tile in one revision of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TileComponent {
    Ground(ComponentId),
    /// In a tile with one-way links.
    Part(u32),
    Air(AirComponentId),
    /// Of an agent wider than a voxel.
    Flight(u32),
}

/// The labels of the components that reach a line or an end of a one-way link, in one revision of a tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    numbers: FastMap<TileComponent, u32>,
    parts: Option<Parts>,
    pub(super) flight: Option<FlightComponents>,
}

impl Labels {
    pub(super) fn get(&self, component: TileComponent) -> Option<u32> {
        self.numbers.get(&component).copied()
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.numbers.len()).expect("fewer than 2^32 cells")
    }

    /// The label of a component: its own, or the next one.
    pub(super) fn label(&mut self, component: TileComponent) -> u32 {
        let next = self.len();
        *self.numbers.entry(component).or_insert(next)
    }

    /// The component of a cell of the ground.
    pub(super) fn component(&self, nav_graph: NavGraph<'_>, cell: Cell) -> Option<TileComponent> {
        let node = nav_graph.node(cell)?;
        match &self.parts {
            Some(parts) => parts.of(nav_graph, node).map(TileComponent::Part),
            None => nav_graph.component(node).map(TileComponent::Ground),
        }
    }

    /// The component of a voxel.
    pub(super) fn air_component(&self, air: &Air, at: Voxel) -> Option<TileComponent> {
        match &self.flight {
            Some(flight) => flight.component(air, at).map(TileComponent::Flight),
            None => air.component(at).map(TileComponent::Air),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let parts = self.parts.as_ref().map_or(0, Parts::heap_bytes);
        let flight = self.flight.as_ref();
        parts + flight.map_or(0, FlightComponents::heap_bytes)
    }
}

impl Lines {
    /// Reads the lines of a tile.
    pub(super) fn read(grid: &Grid, index: u32, world: &World, id: AgentTypeId) -> (Self, Labels) {
        if grid.flies(id) {
            return air_lines::read(grid, index, world, id);
        }
        let (mut lines, mut labels) = (Self::default(), Labels::default());
        let Some(nav_graph) = world.nav_graph(id) else {
            return (lines, labels);
        };
        let ground = nav_graph.ground();
        labels.parts = Parts::read(nav_graph);
        let mut cells = Vec::new();
        for (side, line) in Side::ALL.into_iter().zip(&mut lines.sides) {
            cells.clear();
            for (offset, column) in (0_u16..).zip(columns(grid, index, side)) {
                for (z, _) in ground.floors(column) {
                    if let Some(component) = labels.component(nav_graph, column.at(z)) {
                        cells.push((z, offset, labels.label(component)));
                    }
                }
            }
            cells.sort_unstable();
            *line = runs(&cells);
        }
        lines.one_way = read_one_way(nav_graph, &mut labels);
        lines.n_labels = labels.len();
        (lines, labels)
    }

    pub(super) fn line(&self, side: Side) -> &[Run] {
        &self.sides[side as usize]
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let n_runs: usize = self.sides.iter().map(|side| side.len()).sum();
        n_runs * size_of::<Run>() + self.one_way.len() * size_of::<OneWay>()
    }
}

/// The one-way links of a tile that lead from one component into another.
fn read_one_way(nav_graph: NavGraph<'_>, labels: &mut Labels) -> Box<[OneWay]> {
    let mut ends: Vec<(Cell, Cell)> = one_way_links(nav_graph).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut links = Vec::new();
    for (from, to) in ends {
        let components = (
            labels.component(nav_graph, from),
            labels.component(nav_graph, to),
        );
        if let (Some(a), Some(b)) = components
            && a != b
        {
            let labels = (labels.label(a), labels.label(b));
            links.push(OneWay { from, to, labels });
        }
    }
    links.into()
}

/// The columns of a line.
pub(super) fn columns(grid: &Grid, index: u32, side: Side) -> impl Iterator<Item = Column> + use<> {
    let low = grid.corner(index);
    let first = match side {
        Side::West | Side::North => low,
        Side::East => Column::new(low.x + grid.side, low.y),
        Side::South => Column::new(low.x, low.y + grid.side),
    };
    let last = match side {
        Side::West | Side::East => Column::new(first.x, first.y + grid.side - 1),
        Side::North | Side::South => Column::new(first.x + grid.side - 1, first.y),
    };
    Rect::around(first, last).columns()
}

/// Sorted cells as runs.
fn runs(cells: &[(i32, u16, u32)]) -> Box<[Run]> {
    let mut runs: Vec<Run> = Vec::new();
    for &(z, offset, label) in cells {
        match runs.last_mut() {
            Some(run) if run.z == z && run.label == label && run.start + run.len == offset => {
                run.len += 1;
            }
            _ => runs.push(Run {
                z,
                start: offset,
                len: 1,
                label,
            }),
        }
    }
    runs.into()
}

/// Cells of a line with one component in each of the two tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Crossing {
    /// Cells, and the label in the western or northern tile.
    pub(super) low: Run,
    /// The label in the other tile.
    pub(super) high: u32,
    /// Voxels from that of `low` upward; 1 on the ground.
    pub(super) height: u16,
}

/// Longest crossing: a path bends toward the middle of each.
pub(super) const MAX_CROSSING: u16 = 32;

/// The crossings of a line, from what the tiles on both sides show of it.
pub(super) fn crossings(low: &[Run], high: &[Run], found: &mut Vec<Crossing>) {
    found.clear();
    let (mut a, mut b) = (low.iter().peekable(), high.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let (x_end, y_end) = (x.start + x.len, y.start + y.len);
        if x.z == y.z {
            let (start, end) = (x.start.max(y.start), x_end.min(y_end));
            if start < end {
                let low = Run {
                    start,
                    len: end - start,
                    ..**x
                };
                let (high, height) = (y.label, 1);
                push_parts(Crossing { low, high, height }, found);
            }
        }
        if (x.z, x_end) <= (y.z, y_end) {
            a.next();
        } else {
            b.next();
        }
    }
}

/// Adds a crossing in equal parts of at most [`MAX_CROSSING`] cells.
pub(super) fn push_parts(whole: Crossing, found: &mut Vec<Crossing>) {
    let n_parts = whole.low.len.div_ceil(MAX_CROSSING);
    let mut start = whole.low.start;
    for part in 0..n_parts {
        let left = whole.low.start + whole.low.len - start;
        let len = left.div_ceil(n_parts - part);
        let low = Run {
            start,
            len,
            ..whole.low
        };
        found.push(Crossing { low, ..whole });
        start += len;
    }
}

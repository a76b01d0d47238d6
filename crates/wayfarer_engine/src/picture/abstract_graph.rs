//! Marks of the abstraction: the region graph, abstract paths and their refined segments.

use wayfarer_base::collections::OrderedSet;
use wayfarer_base::{Cell, Column, Rect, Shape};
use wayfarer_search::abstraction::{AbstractGraph, Corridor, RefinedPath};

use super::{Mark, Picture, ZoneKind};

impl Picture {
    /// Adds the center of every region and the edges between adjacent regions.
    ///
    /// ```
    /// use wayfarer_engine::World;
    /// use wayfarer_engine::base::Raster;
    /// use wayfarer_engine::picture::{Mark, Picture};
    /// use wayfarer_engine::search::abstraction::LiveGraph;
    /// let world = World::from_raster(&Raster::from_bytes(32, 1, vec![0; 32]).unwrap());
    /// let ground = world.ground();
    /// let mut picture = Picture::default();
    /// picture.add_region_graph(&LiveGraph::new(ground), ground.regions());
    /// let names: Vec<String> = picture.marks().iter().map(Mark::name).collect();
    /// assert_eq!(names, ["edge", "center", "center"]);
    /// ```
    pub fn add_region_graph<P: AbstractGraph>(
        &mut self,
        graph: &P,
        regions: impl Iterator<Item = P::Region>,
    ) -> &mut Self {
        let mut edges = OrderedSet::new();
        let mut centers = Vec::new();
        for region in regions {
            let Some(from) = center(graph, region) else {
                continue;
            };
            centers.push(from);
            graph.for_each_edge(region, |to| {
                if let Some(to) = center(graph, to) {
                    edges.insert((from.min(to), from.max(to)));
                }
            });
        }
        for (from, to) in edges {
            self.add(Mark::Edge { from, to });
        }
        for cell in centers {
            self.add(Mark::Center(cell));
        }
        self
    }

    /// Adds the corridor of sectors, `side` cells wide, to which the segments were restricted; no
    /// effect without a corridor.
    pub fn add_corridor<P: AbstractGraph>(
        &mut self,
        graph: &P,
        path: &RefinedPath,
        corridor: Corridor,
        side: i32,
    ) -> &mut Self {
        let mut sectors = OrderedSet::new();
        let sector = |cell: Cell| (cell.x.div_euclid(side), cell.y.div_euclid(side));
        for cell in &path.abstract_path {
            if corridor == Corridor::None {
                continue;
            }
            sectors.insert(sector(*cell));
            let region = graph.number(*cell).ok();
            if let Some(region) = region.and_then(|number| graph.region(number))
                && corridor == Corridor::PathAndAround
            {
                graph.for_each_edge(region, |to| {
                    sectors.extend(center(graph, to).map(sector));
                });
            }
        }
        for (x, y) in sectors {
            let low = Column::new(x * side, y * side);
            let high = Column::new(low.x + side - 1, low.y + side - 1);
            let heights = (i32::MIN, i32::MAX);
            self.add_zone(ZoneKind::Corridor, Shape::Box(Rect { low, high }), heights);
        }
        self
    }

    /// Adds the abstract path and the numbered segments of a refined path.
    pub fn add_refined_path(&mut self, path: &RefinedPath) -> &mut Self {
        if path.abstract_path.len() > 1 {
            let cells = path.abstract_path.clone();
            self.add(Mark::AbstractPath { cells });
        }
        let mut start = 0;
        let last = path.cells.len().saturating_sub(1);
        // A path between close ends has one segment and no abstract path.
        let ends = path.segments.iter().copied().chain([last]);
        for (number, end) in (0..).zip(ends) {
            if let Some(cells) = path.cells.get(start..=end).filter(|cells| cells.len() > 1) {
                let cells = cells.to_vec();
                self.add(Mark::Segment { cells, number });
                start = end;
            }
        }
        self
    }
}

fn center<P: AbstractGraph>(graph: &P, region: P::Region) -> Option<Cell> {
    graph.center(region).map(|number| graph.cell(number))
}

#[cfg(test)]
mod tests;

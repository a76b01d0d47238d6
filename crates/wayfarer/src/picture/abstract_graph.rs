//! Plans over regions as marks: the graph they are found in, and the pieces they are refined to.

use wayfarer_base::collections::OrderedSet;
use wayfarer_base::{Cell, Column, Rect, Shape};
use wayfarer_search::abstraction::{AbstractGraph, Corridor, RefinedPath};

use super::{Mark, Picture, ZoneKind};

impl Picture {
    /// Adds the center of every region and a line between any two that touch.
    ///
    /// ```
    /// use wayfarer::World;
    /// use wayfarer::base::Raster;
    /// use wayfarer::picture::{Mark, Picture};
    /// use wayfarer::search::abstraction::LiveGraph;
    /// let world = World::from_raster(&Raster::from_bytes(32, 1, vec![0; 32]).unwrap());
    /// let ground = world.ground();
    /// let mut picture = Picture::default();
    /// picture.add_region_graph(&LiveGraph::new(ground), ground.regions());
    /// let names: Vec<String> = picture.marks().iter().map(Mark::name).collect();
    /// assert_eq!(names, ["edge", "center", "center"]);
    /// ```
    pub fn add_region_graph<P: AbstractGraph>(
        &mut self,
        plan: &P,
        regions: impl Iterator<Item = P::Region>,
    ) -> &mut Self {
        let mut edges = OrderedSet::new();
        let mut centers = Vec::new();
        for region in regions {
            let Some(from) = center(plan, region) else {
                continue;
            };
            centers.push(from);
            plan.for_edges(region, |to| {
                if let Some(to) = center(plan, to) {
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

    /// Adds the sectors, of so many cells a side, in which the pieces of a path were looked for;
    /// nothing if they could go anywhere.
    pub fn add_corridor<P: AbstractGraph>(
        &mut self,
        plan: &P,
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
            let region = plan.number(*cell).ok();
            if let Some(region) = region.and_then(|number| plan.region(number))
                && corridor == Corridor::PathAndAround
            {
                plan.for_edges(region, |to| {
                    sectors.extend(center(plan, to).map(sector));
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

    /// Adds a refined path: the plan it was made of, then its pieces with their numbers.
    pub fn add_refined(&mut self, path: &RefinedPath) -> &mut Self {
        if path.abstract_path.len() > 1 {
            let cells = path.abstract_path.clone();
            self.add(Mark::Plan { cells });
        }
        let mut begin = 0;
        let last = path.cells.len().saturating_sub(1);
        // Close ends have one piece and no plan.
        let ends = path.segments.iter().copied().chain([last]);
        for (number, end) in (0..).zip(ends) {
            if let Some(cells) = path.cells.get(begin..=end).filter(|cells| cells.len() > 1) {
                let cells = cells.to_vec();
                self.add(Mark::Piece { cells, number });
                begin = end;
            }
        }
        self
    }
}

fn center<P: AbstractGraph>(plan: &P, region: P::Region) -> Option<Cell> {
    plan.center(region).map(|number| plan.cell(number))
}

#[cfg(test)]
mod tests;

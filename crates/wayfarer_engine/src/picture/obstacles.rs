//! Marks of the plane: obstacles, quadtree, searched quads and corners, influence, polylines.

use wayfarer_base::{Column, Fixed, Point2, Point3, Rect, Terrain};
use wayfarer_search::planar::PlanarSearcher;
use wayfarer_world::obstacles::quadtree::{ObstacleQuadtree, QuadState};
use wayfarer_world::obstacles::{InfluenceMap, ObstacleSet};

use super::{Mark, Picture};

impl Picture {
    /// An obstacle set, with its bounds.
    ///
    /// ```
    /// use wayfarer_engine::picture::Picture;
    /// use wayfarer_engine::world::obstacles::{Obstacle, ObstacleCategories, ObstacleSet};
    /// let mut obstacles = ObstacleSet::square(20)?;
    /// obstacles.edit().insert(&Obstacle::cells(4, 4, 3, 3, ObstacleCategories::ALL)?)?;
    /// let picture = Picture::from_obstacles(&obstacles);
    /// assert_eq!(picture.bounds().width(), 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_obstacles(obstacles: &ObstacleSet) -> Self {
        let bounds = columns(obstacles.bounds().low, obstacles.bounds().high);
        let mut picture = Self {
            bounds,
            marks: Vec::new(),
        };
        for y in bounds.low.y..=bounds.high.y {
            picture.marks.push(Mark::Ground {
                from: Column::new(bounds.low.x, y).at(0),
                length: bounds.width(),
                terrain: Terrain::GROUND,
            });
        }
        for (_, obstacle) in obstacles.obstacles() {
            // Obstacles are clipped to the bounds.
            picture.marks.push(Mark::Obstacle {
                shape: obstacle.shape,
                categories: obstacle.categories,
            });
        }
        picture
    }

    /// Adds the free and blocked quads of a quadtree; unexplored ones are skipped.
    pub fn add_quads(&mut self, tree: &ObstacleQuadtree) -> &mut Self {
        for id in tree.quads() {
            let is_free = match tree.state(id) {
                QuadState::Free => true,
                QuadState::Blocked => false,
                QuadState::Unknown | QuadState::Split => continue,
            };
            self.marks.push(Mark::Quad {
                area: tree.area(id),
                is_free,
            });
        }
        self
    }

    /// Adds the quads that a search expanded and the corners that it reached.
    pub fn add_search(&mut self, searcher: &PlanarSearcher) -> &mut Self {
        let tree = searcher.quadtree();
        for id in tree.quads() {
            if let Some(cost) = searcher.quad_cost(id) {
                let area = tree.area(id);
                self.marks.push(Mark::SearchedQuad { area, cost });
            }
        }
        for (at, cost) in searcher.closed_vertices() {
            self.marks.push(Mark::Corner { at, cost });
        }
        self
    }

    /// Adds the influence of layer `number` in the quads of a quadtree; quads without any are
    /// skipped.
    pub fn add_influence(
        &mut self,
        tree: &ObstacleQuadtree,
        map: &InfluenceMap,
        number: usize,
    ) -> &mut Self {
        for id in tree.quads() {
            if let Some(&strength) = map
                .in_quad(id)
                .get(number)
                .filter(|influence| **influence > 0)
            {
                let area = tree.area(id);
                self.marks.push(Mark::Influence { area, strength });
            }
        }
        self
    }

    /// Adds a planar path with its start and goal; no effect if empty.
    pub fn add_polyline(&mut self, points: &[Point2]) -> &mut Self {
        if let (Some(start), Some(goal)) = (points.first(), points.last()) {
            let point = |at: &Point2| Point3 {
                x: at.x,
                y: at.y,
                z: Fixed::from_raw(0),
            };
            let ends = [start, goal].map(|at| at.column().at(0));
            self.add(Mark::Smoothed {
                points: points.iter().map(point).collect(),
            });
            self.add(Mark::Start(ends[0])).add(Mark::Goal(ends[1]));
        }
        self
    }
}

/// The columns between two corners, the high edges excluded.
pub(super) fn columns(low: Point2, high: Point2) -> Rect {
    let last = |edge: Fixed| Fixed::from_raw(edge.raw() - 1).cell();
    Rect {
        low: low.column(),
        high: Column::new(last(high.x), last(high.y)),
    }
}

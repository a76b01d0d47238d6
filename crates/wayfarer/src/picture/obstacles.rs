//! The field as marks: what stands in it, the spaces a tree cut it into, paths through it.

use wayfarer_base::{Column, Fixed, Point2, Point3, Rect, Terrain};
use wayfarer_search::planar::PlanarSearcher;
use wayfarer_world::obstacles::quadtree::{ObstacleQuadtree, QuadState};
use wayfarer_world::obstacles::{InfluenceMap, ObstacleSet};

use super::{Mark, Picture};

impl Picture {
    /// A field and its obstacles; as large as the field, whatever lies in it.
    ///
    /// ```
    /// use wayfarer::picture::Picture;
    /// use wayfarer::world::field::{Obstacle, ObstacleSet, ObstacleCategories};
    /// let mut field = ObstacleSet::square(20)?;
    /// field.edit().insert(&Obstacle::cells(4, 4, 3, 3, ObstacleCategories::ALL)?)?;
    /// let picture = Picture::from_obstacles(&field);
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
            // What reaches out of the field is cut where the picture ends.
            picture.marks.push(Mark::Obstacle {
                shape: obstacle.shape,
                types: obstacle.categories,
            });
        }
        picture
    }

    /// Adds the free and blocked spaces of a tree; what it did not look at is left out.
    pub fn add_spaces(&mut self, tree: &ObstacleQuadtree) -> &mut Self {
        for id in tree.spaces() {
            let is_free = match tree.state(id) {
                QuadState::Free => true,
                QuadState::Blocked => false,
                QuadState::Unknown | QuadState::Cut => continue,
            };
            self.marks.push(Mark::Space {
                area: tree.area(id),
                is_free,
            });
        }
        self
    }

    /// Adds what a search looked at: the spaces it went through, the corners it came to.
    pub fn add_search(&mut self, searcher: &PlanarSearcher) -> &mut Self {
        let tree = searcher.tree();
        for id in tree.spaces() {
            if let Some(cost) = searcher.cost_to(id) {
                let area = tree.area(id);
                self.marks.push(Mark::Walked { area, cost });
            }
        }
        for (at, cost) in searcher.corners() {
            self.marks.push(Mark::Corner { at, cost });
        }
        self
    }

    /// Adds how strongly something is felt in the spaces of a tree: the `number`-th of what was
    /// spread; spaces that feel nothing are left out.
    pub fn add_influence(
        &mut self,
        tree: &ObstacleQuadtree,
        map: &InfluenceMap,
        number: usize,
    ) -> &mut Self {
        for id in tree.spaces() {
            if let Some(&strength) = map.of(id).get(number).filter(|influence| **influence > 0) {
                let area = tree.area(id);
                self.marks.push(Mark::Influence { area, strength });
            }
        }
        self
    }

    /// Adds a way through a field with its start and goal; an empty one adds nothing.
    pub fn add_polyline(&mut self, points: &[Point2]) -> &mut Self {
        if let (Some(start), Some(goal)) = (points.first(), points.last()) {
            let place = |at: &Point2| Point3 {
                x: at.x,
                y: at.y,
                z: Fixed::from_raw(0),
            };
            let ends = [start, goal].map(|at| at.column().at(0));
            self.add(Mark::Smoothed {
                points: points.iter().map(place).collect(),
            });
            self.add(Mark::Start(ends[0])).add(Mark::Goal(ends[1]));
        }
        self
    }
}

/// The columns between two corners, the high edges left out.
pub(super) fn columns(low: Point2, high: Point2) -> Rect {
    let last = |edge: Fixed| Fixed::from_raw(edge.raw() - 1).cell();
    Rect {
        low: low.column(),
        high: Column::new(last(high.x), last(high.y)),
    }
}

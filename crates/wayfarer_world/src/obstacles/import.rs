//! Fields from plans and maps, and back to plans.

use wayfarer_base::{
    Aabb2, Fixed, ObstacleData, ObstacleSetData, ObstacleShapeData, Point2, Raster,
};

use super::{Obstacle, ObstacleCategories, ObstacleError, ObstacleSet, ObstacleShape};

impl ObstacleSet {
    /// The field of a plan; obstacles are named in the plan's order.
    ///
    /// # Errors
    /// The first thing that cannot be.
    pub fn from_plan(plan: &ObstacleSetData) -> Result<Self, ObstacleError> {
        let mut obstacles = Self::new(Aabb2 {
            low: plan.low,
            high: plan.high,
        })?;
        let mut batch = obstacles.edit_bulk();
        for thing in &plan.obstacles {
            batch.insert(&Obstacle {
                shape: match thing.shape {
                    ObstacleShapeData::Box(area) => ObstacleShape::Box(area),
                    ObstacleShapeData::Disc {
                        center: centre,
                        radius,
                    } => ObstacleShape::Disc {
                        center: centre,
                        radius,
                    },
                },
                categories: ObstacleCategories::from_bits(thing.categories),
            })?;
        }
        drop(batch);
        Ok(obstacles)
    }

    /// The obstacles as a plan, in the order of their places; names are left out.
    pub fn plan(&self) -> ObstacleSetData {
        let things = self.obstacles().map(|(_, obstacle)| ObstacleData {
            shape: match obstacle.shape {
                ObstacleShape::Box(area) => ObstacleShapeData::Box(area),
                ObstacleShape::Disc {
                    center: centre,
                    radius,
                } => ObstacleShapeData::Disc {
                    center: centre,
                    radius,
                },
            },
            categories: obstacle.categories.bits(),
        });
        ObstacleSetData {
            low: self.bounds().low,
            high: self.bounds().high,
            obstacles: things.collect(),
        }
    }

    /// The walls of a flat map as obstacles of every type: the blocked cells of each row, those
    /// side by side in one.
    ///
    /// ```
    /// use wayfarer_base::{Raster, Terrain};
    /// use wayfarer_world::obstacles::ObstacleSet;
    /// let mut map = Raster::new(4, 2).unwrap();
    /// map.set(1, 0, Some(Terrain::GROUND));
    /// // A wall of one cell, one of two, one of four below.
    /// assert_eq!(ObstacleSet::from_map(&map)?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the map has no cell or reaches beyond [`MAX_COORDINATE`](super::FARTHEST).
    pub fn from_map(map: &Raster) -> Result<Self, ObstacleError> {
        let rect = map.rect();
        let edge = |last: i32| Fixed::from_raw(last.saturating_add(1).saturating_mul(Fixed::PARTS));
        let mut obstacles = Self::new(Aabb2 {
            low: Point2::default(),
            high: Point2::new(edge(rect.high.x), edge(rect.high.y)),
        })?;
        let mut batch = obstacles.edit_bulk();
        for y in rect.low.y..=rect.high.y {
            let mut x = rect.low.x;
            while x <= rect.high.x {
                let begin = x;
                while x <= rect.high.x && map.get(x, y).is_none() {
                    x += 1;
                }
                if begin < x {
                    batch.insert(&Obstacle::cells(
                        begin,
                        y,
                        x - begin,
                        1,
                        ObstacleCategories::ALL,
                    )?)?;
                }
                x += 1;
            }
        }
        drop(batch);
        Ok(obstacles)
    }
}

//! Obstacle sets from and to plain data, and from raster maps.

use wayfarer_base::{
    Aabb2, Fixed, ObstacleData, ObstacleSetData, ObstacleShapeData, Point2, Raster,
};

use super::{Obstacle, ObstacleCategories, ObstacleError, ObstacleSet, ObstacleShape};

impl ObstacleSet {
    /// The set of `data`; ids follow its order.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn from_data(data: &ObstacleSetData) -> Result<Self, ObstacleError> {
        let mut obstacles = Self::new(Aabb2 {
            low: data.low,
            high: data.high,
        })?;
        let mut batch = obstacles.edit_bulk();
        for obstacle in &data.obstacles {
            batch.insert(&Obstacle {
                shape: match obstacle.shape {
                    ObstacleShapeData::Box(area) => ObstacleShape::Box(area),
                    ObstacleShapeData::Disc { center, radius } => {
                        ObstacleShape::Disc { center, radius }
                    }
                },
                categories: ObstacleCategories::from_bits(obstacle.categories),
            })?;
        }
        drop(batch);
        Ok(obstacles)
    }

    /// The obstacles as plain data, by slot, without ids.
    pub fn to_data(&self) -> ObstacleSetData {
        let data = self.obstacles().map(|(_, obstacle)| ObstacleData {
            shape: match obstacle.shape {
                ObstacleShape::Box(area) => ObstacleShapeData::Box(area),
                ObstacleShape::Disc { center, radius } => {
                    ObstacleShapeData::Disc { center, radius }
                }
            },
            categories: obstacle.categories.bits(),
        });
        ObstacleSetData {
            low: self.bounds().low,
            high: self.bounds().high,
            obstacles: data.collect(),
        }
    }

    /// The walls of a raster map as obstacles of all categories: one box per run of blocked cells
    /// in a row.
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
    /// If the map is empty or exceeds [`MAX_COORDINATE`](super::MAX_COORDINATE).
    pub fn from_map(map: &Raster) -> Result<Self, ObstacleError> {
        let rect = map.rect();
        let edge = |last: i32| {
            Fixed::from_raw(last.saturating_add(1).saturating_mul(Fixed::UNITS_PER_CELL))
        };
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

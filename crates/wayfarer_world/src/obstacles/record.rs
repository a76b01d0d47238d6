//! The field as it is saved, and back.

use wayfarer_base::Revision;
use wayfarer_base::record::{TableError, TableRecord};

use super::obstacle::{Obstacle, ObstacleBody};
use super::{Aabb2, ObstacleError, ObstacleSet};

/// Everything about a field that does not follow from something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObstacleSetRecord {
    /// The rectangle that agents keep to.
    pub bounds: Aabb2,
    /// How many batches of edits there were.
    pub revision: Revision,
    /// The obstacles.
    pub obstacles: TableRecord<Obstacle>,
}

/// Why a record did not become a field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleSetRecordError {
    /// The table cannot be.
    #[error("entities: {0}")]
    Table(#[from] TableError),
    /// The bounds cannot be.
    #[error("the field: {0}")]
    Bounds(ObstacleError),
    /// An obstacle cannot be.
    #[error("entity {place}: {error}")]
    Obstacle {
        /// Its place in the table.
        place: usize,
        /// What is wrong with it.
        error: ObstacleError,
    },
}

impl ObstacleSet {
    /// Everything that must be saved.
    pub fn record(&self) -> ObstacleSetRecord {
        let generations = self.generations.iter();
        let places = self
            .bodies
            .iter()
            .zip(generations)
            .map(|(body, &generation)| (generation, (body.types != 0).then(|| body.obstacle())));
        ObstacleSetRecord {
            bounds: self.bounds(),
            revision: self.revision,
            obstacles: TableRecord {
                slots: places.collect(),
                free: self.free.clone(),
            },
        }
    }

    /// The field of a record. What moved before it was saved is forgotten: paths found then are
    /// told that a shorter way may exist.
    ///
    /// # Errors
    /// What in the record cannot be.
    pub fn from_record(record: &ObstacleSetRecord) -> Result<Self, ObstacleSetRecordError> {
        record.obstacles.check()?;
        let mut obstacles = Self::new(record.bounds).map_err(ObstacleSetRecordError::Bounds)?;
        for (place, (generation, obstacle)) in record.obstacles.slots.iter().enumerate() {
            let slot = u32::try_from(place).ok();
            let slot = slot.filter(|slot| *slot < Self::MAX_OBSTACLES);
            let wrong = |error| ObstacleSetRecordError::Obstacle { place, error };
            let slot = slot.ok_or(wrong(ObstacleError::Full))?;
            let body = match obstacle {
                Some(obstacle) => ObstacleBody::of(obstacle, slot).map_err(wrong)?,
                None => ObstacleBody::NOTHING,
            };
            obstacles.bodies.push(body);
            obstacles.generations.push(*generation);
            if obstacle.is_some() {
                obstacles.grid.count(&body, true);
                obstacles.note(&body, 1);
            }
        }
        obstacles.free.clone_from(&record.obstacles.free);
        obstacles
            .grid
            .rebuild(&obstacles.bodies, obstacles.low, obstacles.high);
        obstacles.revision = record.revision;
        obstacles.eased.as_flattened_mut().fill(record.revision);
        Ok(obstacles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::{Fixed, Point2};

    #[test]
    fn a_field_comes_back_with_its_names_its_dead_and_its_next_name() {
        let mut obstacles = ObstacleSet::square(100).unwrap();
        let at = |x: i32| {
            Obstacle::cells(x, 3, 4, 4, super::super::ObstacleCategories::of(2).unwrap()).unwrap()
        };
        let ids = [1, 20, 40, 60].map(|x| obstacles.edit().insert(&at(x)).unwrap());
        obstacles.edit().remove(ids[1]).unwrap();
        obstacles.edit().remove(ids[3]).unwrap();
        let mut again = ObstacleSet::from_record(&obstacles.record()).unwrap();
        assert_eq!(again.record(), obstacles.record());
        assert_eq!(again.obstacle(ids[2]), Some(at(40)));
        assert_eq!(again.obstacle(ids[1]), None);
        let (one, other) = (obstacles.edit().insert(&at(9)), again.edit().insert(&at(9)));
        assert_eq!(one, other);
        let agent = super::super::DiscAgent::POINT;
        assert_eq!(
            again.density_per_mille(agent),
            obstacles.density_per_mille(agent)
        );
    }

    #[test]
    fn a_table_that_lost_a_place_or_frees_a_living_one_is_refused() {
        let mut record = ObstacleSet::square(10).unwrap().record();
        record.obstacles.slots.push((0, None));
        let lost = ObstacleSetRecordError::Table(TableError::Lost { slot: 0 });
        assert_eq!(ObstacleSet::from_record(&record).unwrap_err(), lost);
        let nothing = Aabb2 {
            low: Point2::new(Fixed::from_raw(5), Fixed::from_raw(5)),
            high: Point2::new(Fixed::from_raw(6), Fixed::from_raw(5)),
        };
        let shape = super::super::ObstacleShape::Box(nothing);
        let types = super::super::ObstacleCategories::of(0).unwrap();
        record.obstacles.slots[0] = (
            0,
            Some(Obstacle {
                shape,
                categories: types,
            }),
        );
        let refused = ObstacleSet::from_record(&record).unwrap_err();
        assert!(
            matches!(refused, ObstacleSetRecordError::Obstacle { place: 0, .. }),
            "{refused}"
        );
    }
}

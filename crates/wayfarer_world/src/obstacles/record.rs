//! Saving and loading obstacles as plain data.

use wayfarer_base::Revision;
use wayfarer_base::record::{TableError, TableRecord};

use super::obstacle::{Obstacle, ObstacleBody};
use super::{Aabb2, ObstacleError, ObstacleSet};

/// The primary state of an [`ObstacleSet`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObstacleSetRecord {
    /// The rectangle that agents keep to.
    pub bounds: Aabb2,
    /// The number of batches of edits.
    pub revision: Revision,
    /// The obstacles.
    pub obstacles: TableRecord<Obstacle>,
}

/// An invalid record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleSetRecordError {
    /// An invalid table.
    #[error("obstacles: {0}")]
    Table(#[from] TableError),
    /// Invalid bounds.
    #[error("bounds: {0}")]
    Bounds(ObstacleError),
    /// An invalid obstacle.
    #[error("obstacle {slot}: {error}")]
    Obstacle {
        /// Its slot.
        slot: usize,
        /// The reason.
        error: ObstacleError,
    },
}

impl ObstacleSet {
    /// The primary state.
    pub fn record(&self) -> ObstacleSetRecord {
        let generations = self.generations.iter();
        let slots = self
            .bodies
            .iter()
            .zip(generations)
            .map(|(body, &generation)| {
                (generation, (body.categories != 0).then(|| body.obstacle()))
            });
        ObstacleSetRecord {
            bounds: self.bounds(),
            revision: self.revision,
            obstacles: TableRecord {
                slots: slots.collect(),
                free: self.free.clone(),
            },
        }
    }

    /// Restores a record. Earlier changes are not recorded: paths found before count as possibly
    /// suboptimal.
    ///
    /// # Errors
    /// The first invalid entry.
    pub fn from_record(record: &ObstacleSetRecord) -> Result<Self, ObstacleSetRecordError> {
        record.obstacles.check()?;
        let mut obstacles = Self::new(record.bounds).map_err(ObstacleSetRecordError::Bounds)?;
        for (index, (generation, obstacle)) in record.obstacles.slots.iter().enumerate() {
            let slot = u32::try_from(index).ok();
            let slot = slot.filter(|slot| *slot < Self::MAX_OBSTACLES);
            let invalid = |error| ObstacleSetRecordError::Obstacle { slot: index, error };
            let slot = slot.ok_or(invalid(ObstacleError::Full))?;
            let body = match obstacle {
                Some(obstacle) => ObstacleBody::from_obstacle(obstacle, slot).map_err(invalid)?,
                None => ObstacleBody::VACANT,
            };
            obstacles.bodies.push(body);
            obstacles.generations.push(*generation);
            if obstacle.is_some() {
                obstacles.grid.count(&body, true);
                obstacles.add_totals(&body, 1);
            }
        }
        obstacles.free.clone_from(&record.obstacles.free);
        obstacles
            .grid
            .rebuild(&obstacles.bodies, obstacles.low, obstacles.high);
        obstacles.revision = record.revision;
        obstacles
            .opened_at
            .as_flattened_mut()
            .fill(record.revision.number);
        Ok(obstacles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::Point2;

    #[test]
    fn a_restored_record_keeps_ids_vacant_slots_and_the_next_id() {
        let mut obstacles = ObstacleSet::square(100).unwrap();
        let at = |x: i32| {
            Obstacle::cells(
                x,
                3,
                4,
                4,
                super::super::ObstacleCategories::one(2).unwrap(),
            )
            .unwrap()
        };
        let ids = [1, 20, 40, 60].map(|x| obstacles.edit().insert(&at(x)).unwrap());
        obstacles.edit().remove(ids[1]).unwrap();
        obstacles.edit().remove(ids[3]).unwrap();
        let mut restored = ObstacleSet::from_record(&obstacles.record()).unwrap();
        assert_eq!(restored.record(), obstacles.record());
        assert_eq!(restored.obstacle(ids[2]), Some(at(40)));
        assert_eq!(restored.obstacle(ids[1]), None);
        let (first, second) = (
            obstacles.edit().insert(&at(9)),
            restored.edit().insert(&at(9)),
        );
        assert_eq!(first, second);
        let agent = super::super::DiscAgent::POINT;
        assert_eq!(
            restored.density_per_mille(agent),
            obstacles.density_per_mille(agent)
        );
    }

    #[test]
    fn a_record_with_a_lost_slot_or_an_empty_obstacle_is_rejected() {
        let mut record = ObstacleSet::square(10).unwrap().record();
        record.obstacles.slots.push((0, None));
        let lost = ObstacleSetRecordError::Table(TableError::Lost { slot: 0 });
        assert_eq!(ObstacleSet::from_record(&record).unwrap_err(), lost);
        let empty = Aabb2 {
            low: Point2::from_raw(5, 5),
            high: Point2::from_raw(6, 5),
        };
        let shape = super::super::ObstacleShape::Box(empty);
        let categories = super::super::ObstacleCategories::one(0).unwrap();
        record.obstacles.slots[0] = (0, Some(Obstacle { shape, categories }));
        let error = ObstacleSet::from_record(&record).unwrap_err();
        assert!(
            matches!(error, ObstacleSetRecordError::Obstacle { slot: 0, .. }),
            "{error}"
        );
    }
}

//! The field as it is saved, and back.

use wayfarer_base::Revision;
use wayfarer_base::record::{TableError, TableRecord};

use super::entity::{Body, Entity};
use super::{Aabb2, Field, FieldError};

/// Everything about a field that does not follow from something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldRecord {
    /// The rectangle that agents keep to.
    pub bounds: Aabb2,
    /// How many batches of edits there were.
    pub revision: Revision,
    /// The entities.
    pub entities: TableRecord<Entity>,
}

/// Why a record did not become a field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FieldRecordError {
    /// The table cannot be.
    #[error("entities: {0}")]
    Table(#[from] TableError),
    /// The bounds cannot be.
    #[error("the field: {0}")]
    Bounds(FieldError),
    /// An entity cannot be.
    #[error("entity {place}: {error}")]
    Entity {
        /// Its place in the table.
        place: usize,
        /// What is wrong with it.
        error: FieldError,
    },
}

impl Field {
    /// Everything that must be saved.
    pub fn record(&self) -> FieldRecord {
        let generations = self.generations.iter();
        let places = self
            .bodies
            .iter()
            .zip(generations)
            .map(|(body, &generation)| (generation, (body.types != 0).then(|| body.entity())));
        FieldRecord {
            bounds: self.bounds(),
            revision: self.revision,
            entities: TableRecord {
                places: places.collect(),
                free: self.free.clone(),
            },
        }
    }

    /// The field of a record. What moved before it was saved is forgotten: paths found then are
    /// told that a shorter way may exist.
    ///
    /// # Errors
    /// What in the record cannot be.
    pub fn from_record(record: &FieldRecord) -> Result<Self, FieldRecordError> {
        record.entities.check()?;
        let mut field = Self::new(record.bounds).map_err(FieldRecordError::Bounds)?;
        for (place, (generation, entity)) in record.entities.places.iter().enumerate() {
            let slot = u32::try_from(place).ok();
            let slot = slot.filter(|slot| *slot < Self::MOST_ENTITIES);
            let wrong = |error| FieldRecordError::Entity { place, error };
            let slot = slot.ok_or(wrong(FieldError::Full))?;
            let body = match entity {
                Some(entity) => Body::of(entity, slot).map_err(wrong)?,
                None => Body::NOTHING,
            };
            field.bodies.push(body);
            field.generations.push(*generation);
            if entity.is_some() {
                field.grid.count(&body, true);
                field.note(&body, 1);
            }
        }
        field.free.clone_from(&record.entities.free);
        field.grid.rebuild(&field.bodies, field.low, field.high);
        field.revision = record.revision;
        field.eased.as_flattened_mut().fill(record.revision);
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfarer_base::{Fixed, Point2};

    #[test]
    fn a_field_comes_back_with_its_names_its_dead_and_its_next_name() {
        let mut field = Field::square(100).unwrap();
        let at =
            |x: i32| Entity::cells(x, 3, 4, 4, super::super::TypeMask::of(2).unwrap()).unwrap();
        let ids = [1, 20, 40, 60].map(|x| field.edit().insert(&at(x)).unwrap());
        field.edit().remove(ids[1]).unwrap();
        field.edit().remove(ids[3]).unwrap();
        let mut again = Field::from_record(&field.record()).unwrap();
        assert_eq!(again.record(), field.record());
        assert_eq!(again.entity(ids[2]), Some(at(40)));
        assert_eq!(again.entity(ids[1]), None);
        let (one, other) = (field.edit().insert(&at(9)), again.edit().insert(&at(9)));
        assert_eq!(one, other);
        let agent = super::super::FieldAgent::POINT;
        assert_eq!(again.load(agent), field.load(agent));
    }

    #[test]
    fn a_table_that_lost_a_place_or_frees_a_living_one_is_refused() {
        let mut record = Field::square(10).unwrap().record();
        record.entities.places.push((0, None));
        let lost = FieldRecordError::Table(TableError::Lost { place: 0 });
        assert_eq!(Field::from_record(&record).unwrap_err(), lost);
        let nothing = Aabb2 {
            low: Point2::new(Fixed::from_raw(5), Fixed::from_raw(5)),
            high: Point2::new(Fixed::from_raw(6), Fixed::from_raw(5)),
        };
        let shape = super::super::EntityShape::Box(nothing);
        let types = super::super::TypeMask::of(0).unwrap();
        record.entities.places[0] = (0, Some(Entity { shape, types }));
        let refused = Field::from_record(&record).unwrap_err();
        assert!(
            matches!(refused, FieldRecordError::Entity { place: 0, .. }),
            "{refused}"
        );
    }
}

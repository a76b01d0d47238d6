//! Directions, sectors and rectangles.

use super::*;

#[test]
fn a_step_and_its_opposite_return_to_the_same_column() {
    let start = Column::new(-7, 3);
    for direction in Direction::ALL {
        let neighbor = start.step(direction).unwrap();
        assert_ne!(neighbor, start);
        assert_eq!(neighbor.step(direction.opposite()), Some(start));
    }
}

#[test]
fn a_diagonal_is_the_sum_of_the_directions_beside_it() {
    for direction in Direction::ALL.into_iter().filter(|d| d.is_diagonal()) {
        let (ax, ay) = direction.turned(1).offset();
        let (bx, by) = direction.turned(7).offset();
        assert_eq!(direction.offset(), (ax + bx, ay + by));
    }
}

#[test]
fn a_step_beyond_the_integer_range_is_none() {
    assert_eq!(Column::new(i32::MAX, 0).step(Direction::East), None);
    assert_eq!(Column::new(0, i32::MIN).step(Direction::North), None);
}

#[test]
fn negative_columns_lie_in_negative_sectors() {
    assert_eq!(
        SectorId::from_column(Column::new(-1, -16)),
        SectorId::new(-1, -1)
    );
    assert_eq!(
        SectorId::from_column(Column::new(-17, 15)),
        SectorId::new(-2, 0)
    );
    assert_eq!(SectorId::new(-1, 2).origin(), Column::new(-16, 32));
    for column in SectorId::new(-3, 5).rect().columns() {
        assert_eq!(SectorId::from_column(column), SectorId::new(-3, 5));
    }
}

#[test]
fn the_empty_rectangle_grows_to_the_bounds_of_its_columns() {
    assert!(Rect::EMPTY.is_empty());
    assert_eq!(Rect::EMPTY.columns().count(), 0);
    let one = Rect::EMPTY.including(Column::new(4, -2));
    assert_eq!((one.width(), one.height()), (1, 1));
    let more = one.including(Column::new(2, 0));
    assert_eq!((more.width(), more.height()), (3, 3));
    assert!(more.contains(Column::new(3, -1)));
    assert!(!more.contains(Column::new(5, -1)));
}

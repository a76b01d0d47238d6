//! Range and rounding of fixed-point positions.

use super::*;

#[test]
fn a_center_lies_in_its_column_on_both_sides_of_the_origin() {
    for column in [
        Column::new(0, 0),
        Column::new(-1, 5),
        Column::new(-8_388_608, 8_388_607),
    ] {
        assert_eq!(Point2::center_of(column).unwrap().column(), column);
    }
}

#[test]
fn coordinates_out_of_range_are_none() {
    assert_eq!(Fixed::from_cell(8_388_608), None);
    assert_eq!(Fixed::from_cells(8_388_608.0), None);
    assert_eq!(Fixed::from_cells(f64::NAN), None);
    assert_eq!(Fixed::from_cells(-0.25), Some(Fixed::from_raw(-64)));
    assert_eq!(Point2::center_of(Column::new(i32::MAX, 0)), None);
}

#[test]
fn an_aabb_excludes_its_high_edge() {
    let square = |x| Aabb2 {
        low: Point2::from_raw(x, 0),
        high: Point2::from_raw(x + 10, 10),
    };
    assert!(!square(0).contains(square(10).low));
}

use wayfarer_base::Rng;

use super::*;

/// The columns of a row that lie nearer to the segment than the radius, tried one by one.
fn by_squares(body: &SweptBody, y: i32, around: std::ops::Range<i32>) -> Option<(i32, i32)> {
    let mut columns = around.filter(|x| body.is_nearer(Column::new(*x, y), body.radius));
    let first = columns.next()?;
    Some((first, columns.next_back().unwrap_or(first)))
}

#[test]
fn the_columns_of_each_row_are_those_whose_squares_are_near() {
    let mut rng = Rng::new(26);
    for round in 0..4_000 {
        let radius = [1, 77, 128, 256, 300, 384, 640, 1_000][round % 8];
        // Every third segment joins centers of cells, where discs touch edges exactly.
        let mut at = |spread: u32| {
            let raw = i64::from(rng.below(spread)) - i64::from(spread) / 2;
            match round % 3 {
                0 => raw / 256 * 256 + 128,
                _ => raw,
            }
        };
        let spread = [600, 3_000, 20_000][round / 8 % 3];
        let mut point = || {
            let raw = |at: i64| Fixed::from_raw(i32::try_from(at).unwrap());
            Point2::new(raw(at(spread)), raw(at(spread)))
        };
        let body = SweptBody::new(point(), point(), Fixed::from_raw(radius));
        let rows = body.rows();
        for y in *rows.start() - 2..=*rows.end() + 2 {
            let expected = by_squares(&body, y, -60..60);
            assert_eq!(
                body.columns_in(y),
                expected,
                "row {y} of {:?} {:?}",
                body.from,
                body.to
            );
        }
    }
}

#[test]
fn long_shallow_segments_keep_their_columns() {
    let raw = |x: i32, y: i32| Point2::new(Fixed::from_raw(x), Fixed::from_raw(y));
    for (far, rise) in [(1 << 20, 1), (1 << 29, 1), (1 << 29, 300)] {
        let body = SweptBody::new(raw(0, 0), raw(far, rise), Fixed::from_raw(128));
        for y in body.rows() {
            let (first, last) = body.columns_in(y).unwrap();
            for (inside, outside) in [(first, first - 1), (last, last + 1)] {
                assert!(
                    body.is_nearer(Column::new(inside, y), 128),
                    "{far} {rise} row {y}"
                );
                assert!(
                    !body.is_nearer(Column::new(outside, y), 128),
                    "{far} {rise} row {y}"
                );
            }
        }
    }
}

//! Round trips and errors of `.field` files.

use wayfarer_base::Rng;

use super::*;

#[test]
fn written_data_reads_back_unchanged() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut point = |far: i32| {
            let [x, y] = [rng.between(-far, far), rng.between(-far, far)].map(Fixed::from_raw);
            Point2::new(x, y)
        };
        let (low, corner) = (point(1 << 27), point(1 << 27));
        let mut data = ObstacleSetData {
            low,
            high: Point2::from_raw(
                low.x.raw() + 1 + corner.x.raw().abs(),
                low.y.raw() + 1 + corner.y.raw().abs(),
            ),
            obstacles: Vec::new(),
        };
        for _ in 0..20 {
            let mut raw = |low: i32, high: i32| Fixed::from_raw(rng.between(low, high));
            let low = Point2::new(raw(-(1 << 27), 1 << 27), raw(-(1 << 27), 1 << 27));
            let (width, height) = (raw(1, 1 << 26), raw(1, 1 << 26));
            let far = |low: Fixed, side: Fixed| Fixed::from_raw(low.raw() + side.raw());
            let high = Point2::new(far(low.x, width), far(low.y, height));
            let categories = match rng.below(3) {
                0 => u64::MAX,
                1 => 1 << rng.below(64),
                _ => rng.next_u64() | 1,
            };
            let shape = if rng.chance(1, 3) {
                ObstacleShapeData::Disc {
                    center: low,
                    radius: width,
                }
            } else {
                ObstacleShapeData::Box(Aabb2 { low, high })
            };
            data.obstacles.push(ObstacleData { shape, categories });
        }
        assert_eq!(read(write(&data).as_bytes()), Ok(data), "seed {seed}");
    }
}

#[track_caller]
fn check(lines: &str, expected: &str) {
    let text = format!("wayfarer field 1\n{lines}");
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    check(
        "bounds 0 0 9 9\nball 1 2 3\nend\n",
        "line 3, column 1: expected bounds, box, disc, end or a comment, found `ball`",
    );
    check(
        "bounds 0 0 9\nend\n",
        "line 2, column 13: expected a number of cells from -8388608 to 8388607, found the end of \
         the line",
    );
    check(
        "bounds 0 0 0 9\nend\n",
        "line 2, column 1: expected bounds of positive width and height, found `bounds`",
    );
    check(
        "bounds 0 0 9 9\nbounds 0 0 9 9\nend\n",
        "line 3, column 1: expected one line `bounds` only, found `bounds`",
    );
    check(
        "box 0 0 1 0\nend\n",
        "line 2, column 11: expected a number of cells above 0, found `0`",
    );
    check(
        "box 8388000 0 1000 1\nend\n",
        "line 2, column 15: expected a number of cells above 0, found `1000`",
    );
    check(
        "disc 1 1 NaN\nend\n",
        "line 2, column 10: expected a number of cells above 0, found `NaN`",
    );
    check(
        "disc 1 1 1 types\nend\n",
        "line 2, column 17: expected one or more category numbers, 0 to 63, found the end of the \
         line",
    );
    check(
        "disc 1 1 1 types 3 64\nend\n",
        "line 2, column 20: expected one or more category numbers, 0 to 63, found `64`",
    );
    check(
        "disc 1 1 1\nend\n",
        "line 3, column 1: expected a line `bounds` before the line `end`, found the end of the \
         file",
    );
    check(
        "bounds 0 0 9 9\n",
        "line 3, column 1: expected more lines, the last of them `end`, found the end of the file",
    );
}

use wayfarer_base::Rng;

use super::*;

/// The columns from -16 to 15 whose square a shape overlaps at one of many sample points inside.
fn sampled(contains: impl Fn(i64, i64) -> bool) -> Vec<(i32, i32)> {
    let mut found = Vec::new();
    for (y, x) in (-16..16).flat_map(|y| (-16..16).map(move |x| (y, x))) {
        let mut samples = (0..16).flat_map(|v| (0..16).map(move |u| (u * 16 + 8, v * 16 + 8)));
        let at = |(u, v): (i64, i64)| (i64::from(x) * 256 + u, i64::from(y) * 256 + v);
        if samples.any(|one| contains(at(one).0, at(one).1)) {
            found.push((y, x));
        }
    }
    found
}

fn columns(outline: &Outline) -> Vec<(i32, i32)> {
    let rows = outline.rows(1 << 20).unwrap();
    let all = rows
        .iter()
        .flat_map(|row| row.columns().map(|x| (row.y, x)));
    all.collect()
}

/// Every sampled column is found, and no column that is farther than a sample from the shape.
#[track_caller]
fn check(
    outline: &Outline,
    contains: impl Fn(i64, i64) -> bool,
    nearly: impl Fn(i64, i64) -> bool,
) {
    let found = columns(outline);
    assert!(found.is_sorted_by(|a, b| a < b));
    for column in sampled(contains) {
        assert!(found.contains(&column), "{column:?} is missing");
    }
    let possible = sampled(nearly);
    for column in found {
        assert!(possible.contains(&column), "{column:?} is too much");
    }
}

#[test]
fn a_disc_overlaps_the_columns_it_reaches_into() {
    let mut rng = Rng::new(5);
    for _ in 0..8 {
        let center: (i64, i64) = (rng.between(-900, 900).into(), rng.between(-900, 900).into());
        let radius = i64::from(rng.between(30, 2_000));
        let square = |x: i64, y: i64| (x - center.0).pow(2) + (y - center.1).pow(2);
        check(
            &Outline::Disc { center, radius },
            |x, y| square(x, y) < radius * radius,
            |x, y| square(x, y) < (radius + 17) * (radius + 17),
        );
    }
    // One that ends between columns.
    let unit = Outline::disc((512, 512), 256);
    assert_eq!(columns(&unit), [(1, 1), (1, 2), (2, 1), (2, 2)]);
}

#[test]
fn a_polygon_overlaps_the_columns_it_reaches_into() {
    let square = Outline::Polygon(vec![(0, 0), (512, 0), (512, 256), (0, 256)]);
    assert_eq!(columns(&square), [(0, 0), (0, 1)]);
    let mut rng = Rng::new(6);
    for _ in 0..8 {
        let mut corner = || {
            (
                rng.between(-3_000, 3_000).into(),
                rng.between(-3_000, 3_000).into(),
            )
        };
        let corners: [(i64, i64); 3] = [corner(), corner(), corner()];
        let side = |a: (i64, i64), b: (i64, i64), x: i64, y: i64| {
            (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0)
        };
        let sides =
            |x: i64, y: i64| [0, 1, 2].map(|n| side(corners[n], corners[(n + 1) % 3], x, y));
        let inside = |x: i64, y: i64| {
            sides(x, y).iter().all(|one| *one > 0) || sides(x, y).iter().all(|one| *one < 0)
        };
        let near = |x: i64, y: i64| {
            let around = [-17, 0, 17];
            let mut offsets = around.iter().flat_map(|u| around.map(|v| (*u, v)));
            let on_edge = |n: usize| {
                let (a, b) = (corners[n], corners[(n + 1) % 3]);
                let length = (b.0 - a.0).abs() + (b.1 - a.1).abs();
                let within = x >= a.0.min(b.0) - 17
                    && x <= a.0.max(b.0) + 17
                    && y >= a.1.min(b.1) - 17
                    && y <= a.1.max(b.1) + 9;
                within && side(a, b, x, y).abs() <= 17 * length
            };
            offsets.any(|(u, v)| inside(x + u, y + v)) || (0..3).any(on_edge)
        };
        check(&Outline::Polygon(corners.to_vec()), inside, near);
    }
}

#[test]
fn an_outline_that_is_too_wide_is_refused_before_it_is_rasterized() {
    let far = i64::from(i32::MAX);
    let wide = Outline::disc((0, 0), i32::MAX);
    assert_eq!(wide.rows(1 << 20), Err(TOO_WIDE));
    let tall: Vec<(i64, i64)> = (0..1_024)
        .map(|n| (n, if n % 2 == 0 { far } else { -far }))
        .collect();
    assert_eq!(Outline::Polygon(tall).rows(1 << 20), Err(TOO_WIDE));
    let flat = Outline::Polygon(vec![(-far, 0), (far, 3_000), (0, 6_000)]);
    assert_eq!(flat.rows(1 << 20), Err(TOO_WIDE));
}

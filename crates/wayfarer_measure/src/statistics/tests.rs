use super::*;

/// Mean, median, 99th percentile and maximum, computed by hand.
#[track_caller]
fn check(numbers: &[f64], expected: Option<(f64, f64, f64, f64)>) {
    let mut numbers = numbers.to_vec();
    let found = Spread::of(&mut numbers).map(|it| (it.mean, it.p50, it.p99, it.max));
    assert_eq!(found, expected, "for {numbers:?}");
}

#[test]
fn statistics_equal_those_computed_by_hand() {
    check(&[], None);
    check(&[7.0], Some((7.0, 7.0, 7.0, 7.0)));
    check(&[4.0, 2.0], Some((3.0, 2.0, 4.0, 4.0)));
    check(&[5.0, 1.0, 3.0], Some((3.0, 3.0, 5.0, 5.0)));
    // 1 to 100: the rank of the 99th percentile is 99, that of the median 50.
    let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
    check(&hundred, Some((50.5, 50.0, 99.0, 100.0)));
    // 200 down to 1: ranks 198 and 100.
    let two_hundred: Vec<f64> = (1..=200).rev().map(f64::from).collect();
    check(&two_hundred, Some((100.5, 100.0, 198.0, 200.0)));
}

#[test]
fn one_outlier_in_a_thousand_moves_max_and_mean_but_not_the_percentiles() {
    let mut numbers = vec![1.0; 999];
    numbers.push(1001.0);
    check(&numbers, Some((2.0, 1.0, 1.0, 1001.0)));
}

#[test]
fn percentiles_beyond_a_hundred_are_the_largest() {
    assert_eq!(percentile(&[1.0, 2.0], 250), Some(2.0));
    assert_eq!(percentile(&[1.0, 2.0], 0), Some(1.0));
    assert_eq!(percentile(&[], 50), None);
}

#[test]
fn the_median_does_not_depend_on_the_order() {
    assert_eq!(median(&mut [9.0, 1.0, 5.0, 7.0, 3.0]), Some(5.0));
    assert_eq!(median(&mut [1.0, 3.0, 5.0, 7.0, 9.0]), Some(5.0));
    assert_eq!(median(&mut []), None);
}

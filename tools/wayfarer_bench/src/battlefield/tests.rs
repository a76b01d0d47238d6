use super::*;

#[test]
fn a_thousand_objects_need_fewer_than_fifty_tests_each() {
    let report = Arguments.run(false, |_, _| {}).unwrap();
    assert_eq!(report.wrong, 0);
    assert!(report.tests_per_body < 50.0, "{}", report.tests_per_body);
    let last = report.rows.last().unwrap();
    assert_eq!((last.brute, last.paired), (999_000, 499_500));
    assert!(last.inside_skipped < last.registered);
    assert!(last.seen <= last.with_sight && last.seen > 0);
    assert!(report.render().contains("999000"));
}

use super::*;

#[test]
fn a_small_run_finds_nothing_wrong_and_tells_its_figures() {
    let arguments = Arguments {
        counts: vec![300, 2_000],
        ticks: 1,
        pin: false,
        ..Arguments::default()
    };
    let mut n_parts = 0;
    let report = run(&arguments, |_| n_parts += 1);
    assert_eq!((report.wrong_in_all, n_parts), (0, 4));
    assert_eq!(report.last.count, 2_000);
    assert!(report.last.checks_done * 10 < report.last.checks_brute);
    assert!(
        (15.0..25.0).contains(&report.sensors.hits),
        "{:?}",
        report.sensors
    );
    let json = report.to_json();
    for key in [
        "update_ns",
        "query_ns",
        "tick_ms",
        "checks_brute",
        "inside_fraction",
    ] {
        assert!(json.contains(key), "{key}");
    }
    assert!(render(&report).contains("10000 sensors over 100000 movers"));
}

use super::*;

#[test]
fn a_small_run_has_all_figures_and_nothing_wrong() {
    let arguments = Arguments {
        counts: vec![300, 2_000],
        ticks: 1,
        baselines: cfg!(feature = "baselines"),
        ..Arguments::default()
    };
    let mut n_parts = 0;
    let report = arguments.run(false, |_, _| n_parts += 1).unwrap();
    assert_eq!((report.wrong_in_all, n_parts), (0, 5));
    assert_eq!(report.last.count, 2_000);
    assert!(report.last.checks_done * 10 < report.last.checks_brute);
    assert!(
        (15.0..25.0).contains(&report.sensors.hits),
        "{:?}",
        report.sensors
    );
    for row in &report.counts {
        let names: Vec<&str> = row.baselines.iter().map(|baseline| baseline.name).collect();
        let expected: &[&str] = if cfg!(feature = "baselines") {
            &["kiddo 6.3", "parry2d 0.31", "rstar 0.14"]
        } else {
            &[]
        };
        assert_eq!(names, expected);
    }
    // Circles as wide as a square hold none; those eight times as wide hold most of theirs.
    assert!(report.last.wide_inside_fraction > 0.5);
    for row in &report.indoors {
        assert!(row.seen <= row.lines_with_rooms, "{row:?}");
        assert!(2 * row.lines_with_rooms < row.lines, "{row:?}");
    }
    let json = report.to_json();
    for key in [
        "update_ns",
        "query_ns",
        "tick_ms",
        "checks_brute",
        "checks_done",
        "inside_fraction",
    ] {
        assert!(json.contains(key), "{key}");
    }
    assert!(report.render().contains("moving bodies"));
}

#[cfg(not(feature = "baselines"))]
#[test]
fn baselines_that_are_not_built_in_are_rejected() {
    let arguments = Arguments {
        baselines: true,
        ..Arguments::default()
    };
    let rejected = arguments.run(false, |_, _| {}).unwrap_err();
    assert_eq!(rejected, BenchError::NoBaselines);
    assert!(rejected.to_string().contains("cargo wayfarer-baselines"));
}

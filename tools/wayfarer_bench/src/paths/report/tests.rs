use super::*;
use crate::measure::Wrong;
use crate::report::Figures;
use wayfarer_engine::base::Column;

fn measured(mean_us: &[f64], times: &[f64], ratios: &[f64]) -> Measured {
    Measured {
        about: about("first"),
        prepare_ms: 2.0,
        memory_bytes: 1000,
        peak_bytes: 3000,
        allocations: 6,
        n_counted: 4,
        run_means_us: mean_us.to_vec(),
        cold_mean_us: None,
        cache_bytes: None,
        cases: times
            .iter()
            .zip(ratios)
            .map(|(&time_us, &ratio)| CaseFigures {
                time_us,
                best: Some(10.0),
                ratio: Some(ratio),
                expansions: Some(50),
                proven_bound: None,
            })
            .collect(),
        wrong: Vec::new(),
        n_corner_cutters: 1,
        n_longer: 2,
    }
}

fn about(name: &str) -> EngineInfo {
    EngineInfo {
        name: name.to_owned(),
        rule: MovementRule::Benchmark,
        bound: Some(1.0),
    }
}

fn figures() -> PathFigures {
    let small = measured(&[2.0, 4.0], &[1.0, 3.0], &[1.0, 1.0]);
    let large = measured(&[9.0, 6.0], &[5.0, 6.0, 7.0, 8.0], &[1.0, 1.0, 1.0, 1.5]);
    let slow = measured(&[60.0], &[50.0, 60.0, 70.0, 80.0], &[1.0, 1.0, 1.0, 1.0]);
    let mut wrong = large.clone();
    wrong.wrong = vec![Wrong {
        start: Column::new(1, 2),
        goal: Column::new(3, 4),
        fault: Fault::Missing,
    }];
    let first = EngineReport::new(about("first"), &[("a", &small), ("b", &wrong)], true);
    let other = EngineReport::new(about("other"), &[("b", &slow)], false);
    PathFigures::new(vec![first, other]).unwrap()
}

#[test]
fn totals_over_maps_are_those_worked_out_by_hand() {
    let report = figures();
    let figures = &report.first;
    assert_eq!((figures.queries, figures.wrong), (6, 1));
    // Best runs 2 over two cases, 6 over four: (2 * 2 + 6 * 4) / 6.
    assert!((figures.mean_us - 28.0 / 6.0).abs() < 1e-12);
    assert_eq!(
        (figures.p50_us, figures.p99_us, figures.max_us),
        (5.0, 8.0, 8.0)
    );
    assert_eq!(figures.expansions_mean, Some(50.0));
    let each = figures.ns_per_expansion.unwrap();
    assert!((each - 28_000.0 / 6.0 / 50.0).abs() < 1e-9);
    let ratio = figures.length_ratio.unwrap();
    assert!((ratio.mean - 6.5 / 6.0).abs() < 1e-12);
    assert_eq!((ratio.p99, ratio.max), (1.5, 1.5));
    assert_eq!(figures.memory_bytes, Some(1000.0));
    assert_eq!(figures.allocations_per_query, Some(1.5));
    assert_eq!((figures.cut_corners, figures.longer), (2, 4));
    assert!((figures.noise - 2.0).abs() < 1e-12);
    // The other engine only took map b: 60 against 6.
    assert_eq!(
        (report.against[0].times_as_fast, report.against[0].least),
        (10.0, 10.0)
    );
    assert_eq!(report.engines[1].figures.memory_bytes, None);
}

#[test]
fn the_json_has_the_agreed_keys() {
    let json: serde_json::Value = serde_json::to_value(figures()).unwrap();
    for key in [
        "/method",
        "/queries",
        "/wrong",
        "/mean_us",
        "/p50_us",
        "/p99_us",
        "/max_us",
        "/expansions_mean",
        "/length_ratio/mean",
        "/length_ratio/p99",
        "/length_ratio/max",
        "/maps/0/map",
        "/maps/0/queries",
        "/maps/1/mean_us",
        "/maps/1/length_ratio/p99",
        "/against/0/times_as_fast",
        "/engines/0/faults/0/fault",
        "/engines/1/rule",
        "/engines/1/maps/0/mean_us",
    ] {
        let value = json.pointer(key);
        assert!(
            value.is_some_and(|value| !value.is_null()),
            "{key} is {value:?}"
        );
    }
    assert_eq!(json["engines"][0]["faults"][0]["start"][1], 2);
    assert!(json["engines"][1]["memory_bytes"].is_null());
}

#[test]
fn no_engine_makes_no_report() {
    assert_eq!(PathFigures::new(Vec::new()), None);
}

#[test]
fn the_text_names_engines_ratios_and_faults() {
    let text = figures().render();
    for part in [
        "| all |  first |",
        "| all |  other |",
        "first is 10.0 times as fast as other",
        "first cuts corners: 2 of 6 paths",
        "first was disturbed: its worst run took 2.00 times its best",
    ] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
    let fault = "first: b from [1, 2] to [3, 4]: Missing";
    assert_eq!(figures().faults(), [fault]);
    let maps = figures().render_maps();
    assert_eq!(maps.lines().count(), 5, "{maps}");
}

use super::*;
use crate::error::BenchError;

#[test]
fn a_small_city_is_measured_and_nothing_is_wrong() {
    let arguments = Arguments {
        size: 300,
        n_queries: 60,
        n_edits: 20,
        ..Arguments::default()
    };
    let report = arguments.run(false, |_, _| {}).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.faults);
    assert!(report.n_cells > 20_000, "{}", report.n_cells);
    assert!(report.whole_path_cells > 300);
    assert!(report.length_ratio.is_some_and(|ratio| ratio.mean < 1.06));
    assert!(report.edit1_us.is_some_and(|mean| mean > 0.0));
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in ["first_step_us", "whole_path_ms", "edit1_us"] {
        assert!(
            json[key].as_f64().is_some_and(|figure| figure > 0.0),
            "{key}"
        );
    }
    assert!(json.get("memory_bytes").is_some());
    assert!(report.render().contains("corner to corner"));
}

#[test]
fn a_city_that_cannot_be_made_is_refused() {
    let arguments = Arguments {
        size: 0,
        ..Arguments::default()
    };
    assert!(matches!(
        arguments.run(false, |_, _| {}),
        Err(BenchError::Make(_))
    ));
}

#[test]
fn worlds_of_every_kind_are_crossed() {
    for (kind, size) in [(Kind::Open, 700), (Kind::Wall, 500), (Kind::Maze, 150)] {
        let arguments = Arguments {
            kind,
            size,
            n_queries: 20,
            n_edits: 5,
            ..Arguments::default()
        };
        let report = arguments.run(false, |_, _| {}).unwrap();
        assert_eq!(report.wrong, 0, "{kind:?}: {:?}", report.faults);
        assert!(report.whole_path_cells > size as usize / 2, "{kind:?}");
        assert!(report.command.contains(kind.name()));
    }
}

#[test]
fn the_cache_stays_below_its_limit_after_every_edit_and_query() {
    for cache_limit_bytes in [None, Some(60_000)] {
        let arguments = SoakArguments {
            kind: Kind::City,
            size: 300,
            seed: 3,
            n_steps: 3_000,
            cache_limit_bytes,
        };
        let report = soak(&arguments).unwrap();
        assert_eq!(report.wrong, 0, "{report}");
        assert!(report.compared > 50, "{report}");
        assert!(
            cache_limit_bytes.is_none_or(|cap| report.most_bytes * 10 > cap * 9),
            "the cache was filled: {report}"
        );
        // One limit for jump points and block tables.
        assert!(cache_limit_bytes.is_none_or(|cap| cap == report.cache_limit_bytes));
    }
}

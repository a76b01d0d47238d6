use super::*;
use crate::report::{Faults, Figures};
use crate::test_folder::Folder;

#[test]
fn every_result_is_right_and_every_invalidation_is_reported() {
    let columns = vec!["..............................."; 23];
    let rooms = [
        "....@....",
        "....@....",
        "@@@@@.@@@",
        "...@...@.",
        "...@...@.",
    ];
    let folder = Folder::new("reachability");
    folder.write_map("rooms.map", &rooms);
    folder.write_map("field.map", &columns);
    let arguments = Arguments {
        maps: folder.path(),
        n_queries: 12,
        n_subscriptions: 20,
        n_cuts: 15,
    };
    let mut n_parts = 0;
    let report = arguments.run(false, |_, _| n_parts += 1).unwrap();
    assert_eq!(n_parts, 3);
    assert_eq!(report.wrong, 0, "{}", report.render());
    // The field has one component and nothing closed, the rooms have several.
    assert!(report.n_unreachable > 0 && report.n_nearest > report.n_unreachable);
    assert_eq!(report.unreachable_expansions, 0);
    let subscriptions = report.subscriptions.as_ref().unwrap();
    assert_eq!(
        (subscriptions.map.as_str(), subscriptions.n_subscriptions),
        ("field", 20)
    );
    assert_eq!(report.n_cuts, 15);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in [
        "unreachable_us",
        "nearest_us",
        "partial_us",
        "invalidate_us",
        "edit_us",
    ] {
        assert!(json[key]["mean"].as_f64().unwrap() > 0.0, "{key}");
    }
    assert!(report.render().contains("20 paths subscribed on field"));
}

#[test]
fn wrong_results_are_counted_and_listed() {
    let faults = |n: usize| {
        let mut faults = Faults::default();
        (0..n).for_each(|number| faults.push(format!("result {number}")));
        faults
    };
    let row = MapRow {
        map: "a".to_owned(),
        faults: faults(19),
        ..MapRow::default()
    };
    let subscriptions = SubscriptionRow {
        map: "a".to_owned(),
        faults: faults(1),
        ..SubscriptionRow::default()
    };
    let figures = ReachabilityFigures::new(vec![row], Some(subscriptions));
    assert_eq!(figures.wrong, 20);
    let faults = figures.faults();
    assert_eq!((faults.len(), faults[4].as_str()), (11, "a: result 4"));
    assert_eq!(faults[10], "subscriptions on a: result 0");
}

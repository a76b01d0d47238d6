use super::*;
use crate::memory;

fn folder(name: &str, maps: &[(&str, &[&str])]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wayfarer_{name}_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (map, rows) in maps {
        let (width, height) = (rows[0].len(), rows.len());
        let text = format!(
            "type octile\nheight {height}\nwidth {width}\nmap\n{}\n",
            rows.join("\n")
        );
        std::fs::write(folder.join(format!("{map}.map")), text).unwrap();
    }
    folder
}

#[test]
fn every_result_is_right_and_every_invalidation_is_reported() {
    let columns = vec!["..............................."; 23];
    let maps: [(&str, &[&str]); 2] = [
        (
            "rooms",
            &[
                "....@....",
                "....@....",
                "@@@@@.@@@",
                "...@...@.",
                "...@...@.",
            ],
        ),
        ("field", &columns),
    ];
    let folder = folder("questions", &maps);
    let arguments = Arguments {
        n_queries: 12,
        n_subscriptions: 20,
        n_cuts: 15,
        pin: false,
        ..Arguments::new(folder.clone())
    };
    let mut n_parts = 0;
    let report = run(&arguments, |_| n_parts += 1).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(n_parts, 3);
    assert_eq!(report.wrong, 0, "{}", render(&report));
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
    assert!(render(&report).contains("20 paths watched on field"));
}

#[test]
fn wrong_results_are_counted_and_listed() {
    let mut row = MapRow::new("a", 3);
    for number in 0..9 {
        row.fault(&format!("answer {number}"));
    }
    let mut subscriptions = SubscriptionRow::new("a");
    subscriptions.fault("another path");
    let machine = Machine::here(&machine::pin_if(false), memory::is_counted());
    let report =
        ReachabilityReport::new(String::new(), machine, 1.0, vec![row], Some(subscriptions));
    assert_eq!(report.wrong, 10);
    let text = render(&report);
    assert!(text.contains("wrong: a: answer 4") && !text.contains("answer 5"));
    assert!(text.contains("wrong: watching a: another path"));
}

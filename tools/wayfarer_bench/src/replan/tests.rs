use super::*;
use crate::memory;

fn folder(name: &str, rows: &[&str], scen: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wayfarer_{name}_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (width, height) = (rows[0].len(), rows.len());
    let map = rows.join("\n");
    let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n{map}\n");
    std::fs::write(folder.join("rooms.map"), text).unwrap();
    std::fs::write(folder.join("rooms.map.scen"), scen).unwrap();
    folder
}

#[test]
fn paths_are_cut_and_healed_and_every_answer_is_right() {
    // The third problem's center is the only entrance of its room; the fourth has no center.
    let scen = "version 1\n\
        0 rooms.map 9 5 0 0 4 4 5.65685\n\
        0 rooms.map 9 5 4 0 0 4 5.65685\n\
        0 rooms.map 9 5 5 2 8 2 3\n\
        0 rooms.map 9 5 0 0 1 0 1\n";
    let rows = [
        ".....@@..",
        ".....@@..",
        ".........",
        ".....@@..",
        ".....@@..",
    ];
    let folder = folder("cuts", &rows, scen);
    let arguments = Arguments {
        pin: false,
        runs: 2,
        ..Arguments::new(folder.clone())
    };
    let report = run(&arguments, |n_maps| assert_eq!(n_maps, 1)).unwrap();
    let unknown = Arguments {
        methods: vec!["telepathy".to_owned()],
        ..arguments.clone()
    };
    let refused = run(&unknown, |_| ()).unwrap_err().to_string();
    let cannot = Arguments {
        methods: vec!["refine".to_owned()],
        ..arguments
    };
    let cannot = run(&cannot, |_| ()).unwrap_err().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(refused.starts_with("method `telepathy`, expected one of `jps`, `optimal`"));
    assert!(cannot.contains("does not take over that cell"), "{cannot}");
    assert_eq!((report.n_cuts, report.wrong), (4, 0), "{}", render(&report));
    assert_eq!(report.maps.len(), 2);
    for row in &report.maps {
        assert_eq!(
            (row.n_disconnected, row.cut_us.len()),
            (1, 2),
            "{}",
            row.method
        );
        assert!(row.next_to_warm().unwrap() > 0.0);
    }
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in ["cut_us", "heal_us", "next_us", "warm_us"] {
        assert!(json["maps"][0][key].as_f64().unwrap() > 0.0, "{key}");
    }
}

#[test]
fn wrong_results_are_counted_and_listed() {
    let mut row = MapRow::new("a", "optimal");
    for number in 0..9 {
        row.fault(&format!("answer {number}"));
    }
    let machine = Machine::here(&machine::pin_if(false), memory::is_counted());
    let report = ReplanReport::new(String::new(), machine, 1.0, vec![row]);
    assert_eq!((report.wrong, report.n_cuts), (9, 0));
    let text = render(&report);
    assert!(text.contains("wrong: a, optimal: answer 4") && !text.contains("answer 5"));
}

use super::*;
use crate::report::Figures;
use crate::test_folder::Folder;

#[test]
fn paths_are_cut_and_healed_and_every_result_is_right() {
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
    let folder = Folder::new("replan");
    folder.write_map("rooms.map", &rows);
    folder.write("rooms.map.scen", scen);
    let run = |methods: &[&str]| {
        let arguments = Arguments {
            maps: folder.path(),
            methods: methods.iter().map(|&name| name.to_owned()).collect(),
            sample: 150,
            runs: 2,
        };
        arguments.run(false, |_, n_maps| assert_eq!(n_maps, 1))
    };
    let unknown = run(&["telepathy"]).unwrap_err().to_string();
    assert!(unknown.starts_with("method `telepathy`, expected one of `jps`, `optimal`"));
    let cannot = run(&["refine"]).unwrap_err().to_string();
    assert!(cannot.contains("cannot apply the edit of cell"), "{cannot}");
    let report = run(&["optimal", "bounded"]).unwrap();
    assert_eq!((report.n_cuts, report.wrong), (4, 0), "{}", report.render());
    assert_eq!(report.maps.len(), 2);
    for row in &report.maps {
        let counts = (row.n_disconnected, row.cut_us.len());
        assert_eq!(counts, (1, 2), "{}", row.method);
        assert!(row.next_to_warm().unwrap() > 0.0);
    }
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in ["cut_us", "heal_us", "next_us", "warm_us"] {
        assert!(json["maps"][0][key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert_eq!(json["maps"][0]["wrong"], 0);
}

#[test]
fn wrong_results_are_counted_and_listed() {
    let mut row = MapRow::new("a", "optimal");
    for number in 0..19 {
        row.faults.push(format!("result {number}"));
    }
    let figures = ReplanFigures::new(vec![row]);
    assert_eq!((figures.wrong, figures.n_cuts), (19, 0));
    let faults = figures.faults();
    assert_eq!(
        (faults[4].as_str(), faults.len()),
        ("a, optimal: result 4", 10)
    );
}

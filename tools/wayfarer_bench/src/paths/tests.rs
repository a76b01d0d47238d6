use super::*;
use crate::test_folder::Folder;
use std::path::Path;

const MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n";
/// Around the block from one end of the middle row to the other, and three cells along the top.
const SCEN: &str = "version 1\n\
    0\troom.map\t5\t3\t0\t1\t4\t1\t6\n\
    0\troom.map\t5\t3\t1\t0\t4\t0\t3\n";

fn quick(maps: &Path, method: &str) -> Arguments {
    Arguments {
        plan: Plan {
            runs: 2,
            repeats: 3,
            ..Plan::default()
        },
        ..Arguments::new(maps.to_owned(), method)
    }
}

#[test]
fn a_folder_is_measured_map_by_map_in_the_order_of_names() {
    let folder = Folder::new("folder");
    for name in ["b", "a"] {
        folder.write(&format!("{name}.map"), MAP);
        folder.write(&format!("{name}.map.scen"), SCEN);
    }
    folder.write("without_problems.map", MAP);
    let mut begun = Vec::new();
    let arguments = Arguments {
        methods: vec!["grid-astar".to_owned(), "grid-astar-heap".to_owned()],
        ..quick(&folder.0, "grid-astar")
    };
    let report = arguments.run(false, |map, n_maps| begun.push((map.to_owned(), n_maps)));
    let report = report.unwrap();
    assert_eq!(begun, [("a".to_owned(), 2), ("b".to_owned(), 2)]);
    assert_eq!((report.first.queries, report.first.wrong), (4, 0));
    assert_eq!(report.method, "grid-astar");
    assert_eq!(report.engines.len(), 2);
    assert!(report.calibration.unwrap() > 0.0);
    assert!(
        report
            .command
            .ends_with("--method grid-astar --method grid-astar-heap")
    );
    let one = quick(&folder.0.join("b.map"), "grid-astar")
        .run(false, |_, _| {})
        .unwrap();
    assert_eq!(one.maps.len(), 1);
    assert_eq!(one.maps[0].map, "b");
}

#[test]
fn a_length_that_the_problems_state_wrongly_is_counted_as_wrong() {
    let folder = Folder::new("lie");
    folder.write("a.map", MAP);
    folder.write("a.scen", &SCEN.replace("\t6\n", "\t4.5\n"));
    let report = quick(&folder.0, "grid-astar")
        .run(false, |_, _| {})
        .unwrap();
    assert_eq!((report.first.queries, report.first.wrong), (2, 1));
    assert_eq!(report.engines[0].faults[0].start, [0, 1]);
}

#[test]
fn bad_input_is_one_clear_line() {
    let folder = Folder::new("bad");
    let message = |arguments: &Arguments| arguments.run(false, |_, _| {}).unwrap_err().to_string();
    let place = folder.0.display();
    assert_eq!(
        message(&quick(&folder.0, "grid-astar")),
        format!("{place}: no .map file with a .scen file beside it")
    );
    assert_eq!(
        message(&quick(&folder.0, "telepathy")),
        "method `telepathy`, expected one of `jps`, `optimal`, `bounded`, `refine`, `grid-astar`, `grid-astar-heap`, `grid-dijkstra`"
    );
    assert!(message(&quick(&folder.0.join("nowhere"), "grid-astar")).contains("nowhere: "));
    folder.write("a.map", "type octile\nheight 1\n");
    folder.write("a.map.scen", SCEN);
    let text = message(&quick(&folder.0, "grid-astar"));
    assert!(text.contains("a.map: ") && text.contains("line"), "{text}");
    let baselines = Arguments {
        baselines: true,
        ..quick(&folder.0, "grid-astar")
    };
    if cfg!(not(feature = "baselines")) {
        assert!(message(&baselines).contains("built without baselines"));
    }
}

use super::*;
use crate::report::{Figures, Report};
use crate::test_folder::Folder;

/// A folder with a room of 40 x 30 that a wall cuts, a gap opens, and another wall closes.
fn folder(name: &str, commands: &str) -> Folder {
    let folder = Folder::new(name);
    let wall = "@\n".repeat(30);
    folder.write(
        "a.patch",
        &format!(
            "type patch\npatches 2\npatch 0\nheight 30\nwidth 1\nmap\n{wall}\
             patch 1\nheight 1\nwidth 2\nmap\n..\n"
        ),
    );
    let head = "version 2\nheight 30\nwidth 40\ncost 1 octile\npatch a.patch\ncommands\n";
    folder.write("a.scen", &format!("{head}{commands}"));
    folder
}

fn arguments(scen: PathBuf, method: &str) -> Arguments {
    Arguments {
        scen,
        methods: vec![method.to_owned()],
        runs: 2,
    }
}

fn measured(name: &str, commands: &str) -> Report<DynamicFigures> {
    let folder = folder(name, commands);
    let arguments = arguments(folder.0.join("a.scen"), "jps");
    let mut n_parts = 0;
    let report = arguments.run(false, |_, _| n_parts += 1).unwrap();
    assert_eq!(n_parts, 2 * 3);
    report
}

#[test]
fn changes_and_queries_are_timed_and_both_engines_agree() {
    // Open; cut; open in the first row; closed again by the wall laid over the gap, and a last
    // patch without a query after it.
    let report = measured(
        "dynamic",
        "Q 0 0 15 39 15 39\nP 1 0 20 0\nQ 1 0 15 39 15 -1\nP 2 1 20 0\n\
         Q 2 19 0 21 0 2\nQ 2 19 1 21 1 4\nP 3 0 20 0\nP 3 0 30 0\nQ 3 19 0 21 0 -1\nP 4 1 30 0\n",
    );
    assert_eq!(report.wrong(), 0, "{}", report.render());
    assert_eq!(report.engines.len(), 2);
    for it in &report.engines {
        assert_eq!(
            (it.queries, it.batches, it.patches),
            (5, 4, 5),
            "{}",
            it.engine
        );
        let (change, query) = (it.change_us.unwrap(), it.query_us.unwrap());
        let search = it.search_us.unwrap();
        assert!(change.mean > 0.0 && query.mean > search.mean);
        let sum = it.total_ms * 1e3;
        let parts = change.mean * 4.0 + search.mean * 5.0;
        assert!((sum - parts).abs() < 1e-6 * sum, "{sum} against {parts}");
        // The change without a query after it is in the total, not in any query.
        assert!(query.mean * 5.0 < sum);
    }
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for key in ["queries", "wrong", "batches", "total_ms", "dense_total_ms"] {
        assert!(json[key].is_number(), "{key}");
    }
    for key in ["change_us", "query_us"] {
        assert!(
            json[key]["mean"].is_number() && json[key]["max"].is_number(),
            "{key}"
        );
    }
    assert_eq!(json["engine"], "jps");
}

#[test]
fn results_that_differ_from_the_file_are_wrong() {
    let report = measured(
        "dynamic_wrong",
        "Q 0 0 15 39 15 38\nP 1 0 20 0\nQ 1 0 15 39 15 39\nQ 1 0 0 1 0 -1\n",
    );
    assert_eq!(report.wrong(), 2 * 3);
    let text = report.render();
    for word in [
        "wrong: jps: step 0",
        "wrong: jps: step 2",
        "wrong: grid-astar: step 3",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn what_cannot_be_measured_is_an_error() {
    let folder = folder("dynamic_bad", "P 0 7 0 0\n");
    let error = |file: &str, method: &str| {
        let arguments = arguments(folder.0.join(file), method);
        arguments.run(false, |_, _| {}).unwrap_err().to_string()
    };
    assert!(error("a.scen", "jps").contains("refers to patch 7"));
    assert!(error("a.scen", "telepathy").contains("telepathy"));
    assert!(error("b.scen", "jps").contains("b.scen"));
}

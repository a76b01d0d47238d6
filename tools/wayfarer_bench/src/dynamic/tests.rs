use super::*;

/// A folder with a room of 40 x 30 that a wall cuts, a gap opens, and another wall closes.
fn folder(name: &str, commands: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wayfarer_{name}_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let wall = "@\n".repeat(30);
    std::fs::write(
        folder.join("a.patch"),
        format!(
            "type patch\npatches 2\npatch 0\nheight 30\nwidth 1\nmap\n{wall}\
             patch 1\nheight 1\nwidth 2\nmap\n..\n"
        ),
    )
    .unwrap();
    let head = "version 2\nheight 30\nwidth 40\ncost 1 octile\npatch a.patch\ncommands\n";
    std::fs::write(folder.join("a.scen"), format!("{head}{commands}")).unwrap();
    folder
}

fn measured(name: &str, commands: &str) -> DynamicReport {
    let folder = folder(name, commands);
    let arguments = Arguments {
        runs: 2,
        pin: false,
        ..Arguments::new(folder.join("a.scen"))
    };
    let mut n_parts = 0;
    let report = run(&arguments, |_| n_parts += 1).unwrap();
    assert_eq!(n_parts, 2 * 3);
    std::fs::remove_dir_all(&folder).unwrap();
    report
}

#[test]
fn changes_are_made_questions_answered_and_both_engines_agree() {
    // Open; cut; open in the first row; closed again by the wall laid over the gap, and a last
    // patch without a query after it.
    let report = measured(
        "dynamic",
        "Q 0 0 15 39 15 39\nP 1 0 20 0\nQ 1 0 15 39 15 -1\nP 2 1 20 0\n\
         Q 2 19 0 21 0 2\nQ 2 19 1 21 1 4\nP 3 0 20 0\nP 3 0 30 0\nQ 3 19 0 21 0 -1\nP 4 1 30 0\n",
    );
    assert_eq!(report.wrong(), 0, "{}", render(&report));
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
        // The change that no question followed is in the total, not in any question.
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
fn answers_that_differ_from_the_file_are_wrong() {
    let report = measured(
        "dynamic_wrong",
        "Q 0 0 15 39 15 38\nP 1 0 20 0\nQ 1 0 15 39 15 39\nQ 1 0 0 1 0 -1\n",
    );
    assert_eq!(report.wrong(), 2 * 3);
    let text = render(&report);
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
    let mut arguments = Arguments::new(folder.join("a.scen"));
    let error = |arguments: &Arguments| run(arguments, |_| {}).unwrap_err().to_string();
    assert!(error(&arguments).contains("refers to patch 7"));
    arguments.methods = vec!["telepathy".to_owned()];
    assert!(error(&arguments).contains("telepathy"));
    arguments = Arguments::new(folder.join("b.scen"));
    assert!(error(&arguments).contains("b.scen"));
    std::fs::remove_dir_all(&folder).unwrap();
}

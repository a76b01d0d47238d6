use super::*;

const REPORT: &str = r#"{"schema":1,"command":"check","problems":30,"matched" : 29,
    "unreachable":2,"wrong":1,"maps":[{"problems":7,"wrong":0}]}"#;

const TALLY: Tally = Tally {
    problems: 30,
    matched: 30,
    unreachable: 2,
    wrong: 0,
};

#[test]
fn totals_are_read_from_the_top_of_the_report() {
    let expected = Tally {
        matched: 29,
        wrong: 1,
        ..TALLY
    };
    assert_eq!(Tally::read(REPORT), Some(expected));
    assert_eq!(Tally::read(r#"{"maps":[{"problems":7,"wrong":0}]}"#), None);
}

#[test]
fn wrong_results_missing_problems_and_false_unreachables_are_faults() {
    let stated = Stated {
        problems: 30,
        unreachable: Some(2),
    };
    assert_eq!(judge("dao", TALLY, stated), Ok(()));
    let faults = [
        Tally { wrong: 1, ..TALLY },
        Tally {
            matched: 29,
            ..TALLY
        },
        Tally {
            problems: 29,
            matched: 29,
            ..TALLY
        },
        Tally {
            unreachable: 1,
            ..TALLY
        },
    ];
    for found in faults {
        assert!(judge("dao", found, stated).is_err(), "{found:?}");
    }
}

#[test]
fn only_length_0_between_different_cells_states_an_unreachable_goal() {
    let cases = [
        ("0\tkeep.map\t9\t9\t1\t2\t8\t8\t0", true),
        ("0 keep.map 9 9 1 2 8 8 0.00000", true),
        ("0\tkeep.map\t9\t9\t1\t2\t1\t2\t0", false),
        ("0\tkeep.map\t9\t9\t1\t2\t4\t2\t3", false),
        ("0", false),
    ];
    for (line, expected) in cases {
        assert_eq!(states_no_path(line), expected, "{line}");
    }
}

#[test]
fn scenarios_are_counted_if_their_map_lies_beside_them() {
    let folder = std::env::temp_dir().join(format!("wayfarer-corpus-{}", std::process::id()));
    let below = folder.join("below");
    fs::create_dir_all(&below).unwrap();
    let lines = "version 1\n0 a 9 9 1 2 8 8 0\n\n0 a 9 9 1 2 4 2 3\n0 a 9 9 1 2 5 2 4\n";
    for file in ["a.map", "below/b.map"] {
        fs::write(folder.join(file), "").unwrap();
    }
    for file in ["a.map.scen", "below/b.map.scen", "without.map.scen"] {
        fs::write(folder.join(file), lines).unwrap();
    }
    let whole = count_folder(&folder, None);
    let sample = count_folder(&folder, Some(2));
    fs::remove_dir_all(&folder).unwrap();
    let stated = |problems, unreachable| {
        Ok(Stated {
            problems,
            unreachable,
        })
    };
    assert_eq!(whole, stated(6, Some(2)));
    assert_eq!(sample, stated(4, None));
}

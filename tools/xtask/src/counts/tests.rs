use super::*;

const REPORT: &str = "\
==71== Callgrind, a call-graph generating cache profiler
==71== Events    : Ir
==71== Collected : 104729045
==71== 
==71== I   refs:      104,729,045
";

fn counts(pairs: &[(&str, u64)]) -> Vec<Count> {
    let count = |&(operation, instructions): &(&str, u64)| Count {
        operation: operation.to_owned(),
        instructions,
    };
    pairs.iter().map(count).collect()
}

#[test]
fn the_total_is_read_from_the_end_of_the_report() {
    assert_eq!(collected(REPORT), Some(104_729_045));
    assert_eq!(collected("==71== Collected : 0\n"), Some(0));
    assert_eq!(collected("==71== Collected : many\n"), None);
    assert_eq!(collected("valgrind: no such program\n"), None);
}

#[test]
fn saved_counts_are_read_back() {
    let saved = to_text(&counts(&[("save", 12), ("load", 345)]));
    assert_eq!(saved, "save 12\nload 345\n");
    let expected = [("load".to_owned(), 345), ("save".to_owned(), 12)];
    assert_eq!(from_text(&saved), Ok(BTreeMap::from(expected)));
}

#[test]
fn an_invalid_baseline_is_rejected_with_its_line() {
    for line in ["load", "load many", "load 0", "load -3", "load 3 4", ""] {
        let fault = from_text(&format!("save 12\n{line}\n")).unwrap_err();
        assert!(fault.starts_with("line 2: expected"), "{line}: {fault}");
    }
}

#[test]
fn deviations_of_3_percent_pass_and_larger_ones_do_not() {
    let cases = [
        (10_000, true),
        (10_300, true),
        (9_700, true),
        (10_301, false),
        (9_699, false),
    ];
    for (instructions, expected) in cases {
        assert_eq!(is_near(instructions, 10_000), expected, "{instructions}");
    }
}

#[test]
fn deviating_and_missing_operations_are_named_and_new_ones_pass() {
    let baseline = from_text("save 100\nload 100\n").unwrap();
    let judged = |pairs: &[(&str, u64)]| judge(&counts(pairs), &baseline);
    assert_eq!(judged(&[("save", 101), ("load", 99), ("new", 7)]), Ok(()));
    let moved = "more than 3 % from the baseline: save 1.1000";
    let found = judged(&[("save", 110), ("load", 100)]);
    assert_eq!(found, Err(moved.to_owned()));
    let gone = "more than 3 % from the baseline: load is missing";
    assert_eq!(judged(&[("save", 100)]), Err(gone.to_owned()));
}

#[test]
fn options_are_files_and_unknown_ones_are_rejected() {
    let options = Options::read(&["--save", "a.txt", "--against", "b.txt"]);
    let expected = Options {
        save: Some(PathBuf::from("a.txt")),
        against: Some(PathBuf::from("b.txt")),
    };
    assert_eq!(options, Ok(expected));
    assert_eq!(Options::read(&[]), Ok(Options::default()));
    assert!(Options::read(&["--save"]).is_err());
    assert!(Options::read(&["--json", "a.txt"]).is_err());
}

//! Round trips and errors of `.scen` files.

use super::*;

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

#[test]
fn tabs_spaces_and_both_versions_are_equivalent() {
    let tabs = read(b"version 1\n44\tmaps/a b.map\t512\t256\t1\t2\t3\t4\t179.36\n").unwrap();
    let spaces = read(b"version 1.0\r\n\r\n44 maps/a_b.map 512 256 1 2 3 4 179.36\r\n").unwrap();
    assert_eq!(&*spaces.lines[0].map, "maps/a_b.map");
    let renamed = ScenarioLine {
        map: "maps/a b.map".into(),
        ..spaces.lines[0].clone()
    };
    assert_eq!(tabs.lines[0], renamed);
    assert_eq!(
        tabs.lines,
        [ScenarioLine {
            bucket: 44,
            map: "maps/a b.map".into(),
            width: 512,
            height: 256,
            start: Column::new(1, 2),
            goal: Column::new(3, 4),
            length: 179.36,
        }]
    );
}

#[test]
fn length_0_means_unreachable_only_if_start_is_not_the_goal() {
    let read = read(b"version 1\n0 m 9 9 1 2 1 2 0\n0 m 9 9 1 2 1 3 0.0\n0 m 9 9 1 2 1 3 1\n");
    let expected: Vec<_> = read.unwrap().problems().map(|p| p.expected).collect();
    assert_eq!(
        expected,
        [
            Expected::Length(0.0),
            Expected::Unreachable,
            Expected::Length(1.0)
        ]
    );
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    check_error(
        "",
        "line 1, column 1: expected `version 1` or `version 1.0`, found the end of the file",
    );
    check_error(
        "version 2\n",
        "line 1, column 9: expected `version 1` or `version 1.0`, found `2`",
    );
    check_error(
        "version 1\n0 m 9 9 1 2 3 4\n",
        "line 2, column 16: expected a length of at least 0, found the end of the line",
    );
    check_error(
        "version 1\n0\n",
        "line 2, column 2: expected the map's name, found the end of the line",
    );
    check_error(
        "version 1\n0 a b 9 9 1 2 3 4 5\n",
        "line 2, column 5: expected a whole number from 0 to 4294967295, found `b`",
    );
    check_error(
        "version 1\n0 m 9 9 -1 2 3 4 5\n",
        "line 2, column 9: expected a whole number from 0 to 2147483647, found `-1`",
    );
    check_error(
        "version 1\n0 m 9 9 1 2 3 4 inf\n",
        "line 2, column 17: expected a length of at least 0, found `inf`",
    );
    check_error(
        "version 1\n0 m 9 9 1 2 3 4 5 6\n",
        "line 2, column 19: expected the end of the line, found `6`",
    );
}

#[test]
fn a_written_scenario_reads_back_unchanged() {
    let line = |map: &str, length| ScenarioLine {
        bucket: 7,
        map: map.into(),
        width: 30,
        height: 40,
        start: Column::new(0, 39),
        goal: Column::new(i32::MAX, 1),
        length,
    };
    let scenario = Scenario {
        lines: vec![line("a.map", 0.1 + 0.2), line("two words.map", 1e300)],
    };
    assert_eq!(read(write(&scenario).as_bytes()), Ok(scenario));
    let irregular_names = Scenario {
        lines: vec![line("", 1.0), line(" a\tb\n", 1.0)],
    };
    let names = read(write(&irregular_names).as_bytes()).unwrap();
    let names: Vec<_> = names.lines.iter().map(|line| &*line.map).collect();
    assert_eq!(names, ["_", "a_b"]);
}

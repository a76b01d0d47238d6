//! Round trips and errors of `.3dscen` files.

use super::*;

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

#[test]
fn a_written_scenario_reads_back_unchanged() {
    let scenario = Scenario3d {
        map: String::from("a cave.3dmap"),
        lines: vec![
            ScenarioLine3d {
                start: Voxel::new(0, i32::MAX, 5),
                goal: Voxel::new(1, 2, 3),
                length: 562.040_947_61,
                ratio: 1.005,
            };
            3
        ],
    };
    assert_eq!(read(write(&scenario).as_bytes()), Ok(scenario.clone()));
    let crlf = write(&scenario).replace('\n', "\r\n");
    assert_eq!(read(crlf.as_bytes()), Ok(scenario));
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    check_error("version 2\n", "line 1, column 9: expected 1, found `2`");
    check_error(
        "version 1\n",
        "line 2, column 1: expected the map's name in UTF-8, found the end of the file",
    );
    check_error(
        "version 1\n\n",
        "line 2, column 1: expected the map's name in UTF-8, found the end of the line",
    );
    check_error(
        "version 1\nm\n1 2 3 4 5 -6 1 1\n",
        "line 3, column 11: expected a whole number from 0 to 2147483647, found `-6`",
    );
    check_error(
        "version 1\nm\n1 2 3 4 5 6 1\n",
        "line 3, column 14: expected a length of at least 0, found the end of the line",
    );
}

//! Round trips and errors of `.patch` files.

use super::*;

const TWO: &str = "type patch\npatches 2\npatch 0\nheight 1\nwidth 2\nmap\n@@\n\
                   patch 1\nheight 2\nwidth 1\nmap\n.\n@\n";

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

#[test]
fn a_file_reads_and_writes_back_unchanged() {
    assert_eq!(write(&read(TWO.as_bytes()).unwrap()), TWO);
    let crlf = TWO.replace('\n', "\r\n");
    assert_eq!(write(&read(crlf.as_bytes()).unwrap()), TWO);
    assert_eq!(read(write(&[]).as_bytes()), Ok(Vec::new()));
}

#[test]
fn wrong_patch_counts_and_numbers_are_reported() {
    check_error(
        &TWO.replace("patches 2", "patches 4000000000"),
        "line 14, column 1: the file ends after 2 of 4000000000 patches",
    );
    check_error(
        &TWO.replace("patches 2", "patches 1"),
        "line 8, column 1: expected the end of the file after the last patch, found `patch`",
    );
    check_error(
        &TWO.replace("patch 1", "patch 2"),
        "line 8, column 7: expected consecutive patch numbers from 0, found `2`",
    );
    check_error(
        &TWO.replace(".\n@\n", ".\n"),
        "line 13, column 1: the file ends after 1 of 2 rows",
    );
    check_error(
        &TWO.replace(".\n@\n", ".\n@@\n"),
        "line 13, column 2: the row has 2 cells, expected 1",
    );
}

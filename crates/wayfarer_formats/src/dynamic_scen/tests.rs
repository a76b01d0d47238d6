//! Dynamic scenarios and their edit traces.

use wayfarer_base::{GroundEdit, Raster, Terrain, TraceStep};

use super::*;

const HEAD: &str = "version 2\nheight 3\nwidth 4\ncost 1 octile\npatch a b.patch\ncommands\n";

fn scenario(commands: &str) -> DynamicScenario {
    read(format!("{HEAD}{commands}").as_bytes()).unwrap()
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
}

fn patches() -> Vec<Raster> {
    let block = |width, height| Raster::new(width, height).unwrap();
    let open = Raster::from_bytes(1, 1, vec![Terrain::GROUND.number()]).unwrap();
    vec![block(2, 1), open]
}

#[test]
fn a_file_reads_and_writes_back_unchanged() {
    let text = format!("{HEAD}P 1 0 2 2\nQ 1 0 0 3 1 3.5\nQ 2 0 0 3 1 -1\n");
    let read = read(text.as_bytes()).unwrap();
    assert_eq!((read.width, read.height), (4, 3));
    assert_eq!(read.patch_file, "a b.patch");
    assert_eq!(write(&read), text);
}

#[test]
fn an_invalid_line_is_reported_with_its_position() {
    check_error("version 1\n", "line 1, column 9: expected 2, found `1`");
    check_error(
        &HEAD.replace("cost 1", "cost 2"),
        "line 4, column 6: expected 1, found `2`",
    );
    check_error(
        &format!("{HEAD}R 1 2\n"),
        "line 7, column 1: expected P or Q, found `R`",
    );
    check_error(
        &format!("{HEAD}P 1 2 -1 0\n"),
        "line 7, column 7: expected a whole number from 0 to 2147483647, found `-1`",
    );
    check_error(
        &format!("{HEAD}Q 1 0 0 1 1\n"),
        "line 7, column 12: expected a number, found the end of the line",
    );
}

#[test]
fn consecutive_patches_form_one_batch() {
    let scenario = scenario("Q 0 0 0 3 2 3\nP 1 0 0 1\nP 1 1 3 2\nQ 1 0 0 3 2 -1\nP 2 1 0 1\n");
    let (map, trace) = join(&scenario, &patches()).unwrap();
    assert!(map.bytes().iter().all(|&cell| cell == 0));
    assert_eq!((map.width(), map.height()), (4, 3));
    let put = |patch: usize, x, y| GroundEdit::Patch {
        at: Column::new(x, y),
        z: 0,
        raster: patches()[patch].clone(),
    };
    let query = |cost| TraceStep::Query(problem(Column::new(0, 0), Column::new(3, 2), cost));
    assert_eq!(
        trace.steps,
        [
            query(3.0),
            TraceStep::Batch(vec![put(0, 0, 1), put(1, 3, 2)]),
            query(-1.0),
            TraceStep::Batch(vec![put(1, 0, 1)]),
        ]
    );
    let TraceStep::Query(unreachable) = &trace.steps[2] else {
        panic!("the third step is a query")
    };
    assert_eq!(unreachable.expected, Expected::Unreachable);
}

#[test]
fn an_invalid_command_is_reported() {
    let check = |commands: &str, expected: &str| {
        let error = join(&scenario(commands), &patches()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check("P 0 2 0 0\n", "command 0 refers to patch 2, there are 2");
    check(
        "P 0 0 2 0\nP 0 0 3 0\n",
        "command 1: patch 0 extends beyond the map",
    );
    check(
        "Q 0 0 0 4 0 1\n",
        "command 0: start or goal lies outside the map",
    );
}

#[test]
fn a_map_above_the_limit_is_rejected_before_allocation() {
    let huge = HEAD
        .replace("height 3", "height 16384")
        .replace("width 4", "width 65535");
    let scenario = read(huge.as_bytes()).unwrap();
    assert_eq!(
        join(&scenario, &[]).unwrap_err().to_string(),
        "the map has 1073725440 cells, the limit is 67108864"
    );
}

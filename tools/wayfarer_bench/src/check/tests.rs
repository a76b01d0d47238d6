use super::*;
use crate::query::QuerySet;
use wayfarer_engine::base::Cell;
use wayfarer_testkit::ascii;

/// Cells written as `"00 10 21"`: x and y of each in one digit.
fn cells(text: &str) -> Vec<Cell> {
    let digit = |byte: u8| i32::from(byte - b'0');
    text.split_whitespace()
        .map(|cell| Cell::flat(digit(cell.as_bytes()[0]), digit(cell.as_bytes()[1])))
        .collect()
}

const ROOM: &str = "
    ....
    .#..
    ....
";

/// Walks a path over the room under a rule: length and corners cut, or what is wrong.
#[track_caller]
fn check_walk(rule: MovementRule, path: &str, expected: &Result<(f64, usize), PathFault>) {
    let open = OpenCells::of(&ascii::raster(ROOM));
    let path = PathBuffer {
        cells: cells(path),
        points: Vec::new(),
    };
    let ends = (Column::new(0, 0), Column::new(2, 2));
    let found = walk(&open, rule, ends, &path).map(|it| (it.length, it.corners_cut));
    assert_eq!(&found, expected, "{path:?} under {rule:?}");
}

#[test]
fn a_path_is_walked_cell_by_cell() {
    let root = std::f64::consts::SQRT_2;
    for rule in [MovementRule::Benchmark, MovementRule::CutsCorners] {
        check_walk(rule, "00 10 20 21 22", &Ok((4.0, 0)));
        check_walk(rule, "00 10 20 31 22", &Ok((2.0 + 2.0 * root, 0)));
        check_walk(rule, "00 11 22", &Err(PathFault::Closed { x: 1, y: 1 }));
        check_walk(rule, "00 10 20 22", &Err(PathFault::Gap { x: 2, y: 0 }));
        check_walk(
            rule,
            "00 10 10 20 21 22",
            &Err(PathFault::Gap { x: 1, y: 0 }),
        );
        check_walk(rule, "00 10 20 21", &Err(PathFault::Ends));
        check_walk(rule, "10 20 21 22", &Err(PathFault::Ends));
        check_walk(rule, "", &Err(PathFault::Ends));
    }
    check_walk(
        MovementRule::Benchmark,
        "00 10 21 22",
        &Err(PathFault::Corner { x: 1, y: 0 }),
    );
    check_walk(
        MovementRule::CutsCorners,
        "00 10 21 22",
        &Ok((2.0 + root, 1)),
    );
}

/// Judges one answer in the room, from its north-west to `goal`.
#[track_caller]
fn check_result(
    bound: Option<f64>,
    case: Case,
    path: Option<&str>,
    stated: Option<f64>,
    expected: &Result<Option<f64>, Fault>,
) {
    let open = OpenCells::of(&ascii::raster(ROOM));
    let about = EngineInfo {
        name: "tested".to_owned(),
        rule: MovementRule::Benchmark,
        bound,
    };
    let buffer = PathBuffer {
        cells: cells(path.unwrap_or("")),
        points: Vec::new(),
    };
    let result = EngineResult {
        found: path.is_some(),
        length: stated,
        expansions: None,
    };
    let found = check(&open, &about, &case, result, &buffer);
    assert_eq!(&found.map(|walked| walked.map(|it| it.length)), expected);
}

#[test]
fn a_claimed_bound_below_the_true_ratio_is_wrong() {
    let about = EngineInfo {
        name: "tested".to_owned(),
        rule: MovementRule::Benchmark,
        bound: None,
    };
    let case = Case {
        start: Column::new(0, 0),
        goal: Column::new(2, 2),
        best: Some(4.0),
        best_cutting: None,
    };
    assert_eq!(check_proof(&about, &case, None), Ok(()));
    assert_eq!(check_proof(&about, &case, Some(4.0)), Ok(()));
    let fault = Fault::FalseProof {
        stated: 4.1,
        best: 4.0,
    };
    assert_eq!(check_proof(&about, &case, Some(4.1)), Err(fault));
}

#[test]
fn an_answer_is_judged_by_the_best_there_is() {
    let set = QuerySet::new("room", ascii::raster(ROOM), &[], None, 0);
    assert!(set.cases.is_empty());
    let case = Case {
        start: Column::new(0, 0),
        goal: Column::new(2, 2),
        best: Some(4.0),
        best_cutting: None,
    };
    let right = Some("00 10 20 21 22");
    // From the start to (2, 2) via (3, 1): 4.83 long.
    let around = Some("00 10 20 31 22");
    let long = 2.0 + 2.0 * std::f64::consts::SQRT_2;
    check_result(Some(1.0), case, right, None, &Ok(Some(4.0)));
    check_result(Some(1.0), case, right, Some(4.000_01), &Ok(Some(4.0)));
    check_result(
        Some(1.0),
        case,
        right,
        Some(4.5),
        &Err(Fault::Misstated {
            stated: 4.5,
            found: 4.0,
        }),
    );
    check_result(Some(1.0), case, None, None, &Err(Fault::Missing));
    check_result(
        Some(1.0),
        case,
        around,
        None,
        &Err(Fault::Long {
            found: long,
            best: 4.0,
        }),
    );
    check_result(Some(1.25), case, around, None, &Ok(Some(long)));
    check_result(None, case, around, None, &Ok(Some(long)));
    let unreachable = Case { best: None, ..case };
    check_result(Some(1.0), unreachable, right, None, &Err(Fault::Phantom));
    check_result(Some(1.0), unreachable, None, None, &Ok(None));
    let far = Case {
        best: Some(6.0),
        ..case
    };
    check_result(
        None,
        far,
        right,
        None,
        &Err(Fault::Short {
            found: 4.0,
            best: 6.0,
        }),
    );
}

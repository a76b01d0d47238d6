use super::*;
use wayfarer_engine::base::Cell;
use wayfarer_testkit::ascii;

fn open_ground(side: u32) -> Raster {
    let n_cells = usize::try_from(side * side).unwrap();
    Raster::from_bytes(side, side, vec![0; n_cells]).unwrap()
}

fn problems(n: i32, side: i32) -> Vec<Problem> {
    (0..n)
        .map(|i| Problem {
            start: Cell::flat(i % side, i / side % side),
            goal: Cell::flat(side - 1, side - 1),
            expected: Expected::Unknown,
        })
        .collect()
}

#[test]
fn a_sample_is_spread_evenly_and_always_the_same() {
    for (len, n) in [(2519, 250), (10, 10), (7, 3), (1, 1), (0, 5), (5, 0)] {
        let chosen = spread(len, n);
        assert_eq!(chosen.len(), n.min(len));
        assert_eq!(chosen, spread(len, n));
        assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
        let gaps = || chosen.windows(2).map(|pair| pair[1] - pair[0]);
        if let (Some(least), Some(most)) = (gaps().min(), gaps().max()) {
            assert!(most - least <= 1, "{len} {n}: gaps from {least} to {most}");
        }
    }
}

#[test]
fn equal_problems_give_equal_questions() {
    let make = || QuerySet::new("field", open_ground(9), &problems(60, 9), Some(20), 8);
    assert_eq!(make(), make());
    assert_eq!(make().cases.len(), 20);
    assert_eq!(make().cases[1].start, Column::new(3, 0));
}

#[test]
fn no_question_is_warmed_up_with_itself() {
    for sample in [Some(1), Some(7), Some(59), None] {
        let set = QuerySet::new("field", open_ground(9), &problems(60, 9), sample, 12);
        for other in &set.others {
            let same = |case: &&Case| (case.start, case.goal) == *other;
            assert_eq!(set.cases.iter().find(same), None, "with sample {sample:?}");
        }
    }
    let set = QuerySet::new("field", open_ground(9), &problems(60, 9), Some(20), 12);
    assert_eq!(set.others.len(), 12);
}

#[test]
fn lengths_that_nobody_states_are_found() {
    let map = ascii::raster(
        "
        ...#.
        .#...
        ...#.
        ",
    );
    let problem = |expected| Problem {
        start: Cell::flat(0, 0),
        goal: Cell::flat(2, 1),
        expected,
    };
    let all = [
        problem(Expected::Unknown),
        problem(Expected::Length(5.0)),
        problem(Expected::Unreachable),
    ];
    let mut set = QuerySet::new("corner", map, &all, None, 0);
    let bests = |rule| {
        set.cases
            .iter()
            .map(|case| case.best(rule))
            .collect::<Vec<_>>()
    };
    assert_eq!(bests(MovementRule::Benchmark), [Some(3.0), Some(5.0), None]);
    assert_eq!(bests(MovementRule::AnyAngle), [Some(3.0), Some(5.0), None]);
    set.solve_cutting();
    let cut = set.cases[0].best(MovementRule::CutsCorners).unwrap();
    assert!((cut - (1.0 + std::f64::consts::SQRT_2)).abs() < 1e-6);
}

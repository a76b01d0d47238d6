use wayfarer_engine::base::Expected;

use super::*;

#[test]
fn a_sample_is_evenly_spread_starts_at_the_first_and_has_no_duplicates() {
    let taken = |count, sample| spread(count, sample).collect::<Vec<_>>();
    assert_eq!(taken(10, Some(5)), [0, 2, 4, 6, 8]);
    assert_eq!(taken(3, Some(7)), [0, 1, 2]);
    assert_eq!(taken(3, None), [0, 1, 2]);
    assert_eq!(taken(0, Some(7)), [0; 0]);
    assert_eq!(taken(7, Some(3)), [0, 2, 4]);
}

#[test]
fn a_wrong_length_a_missing_path_and_a_phantom_path_give_different_faults() {
    let map = Raster::from_bytes(4, 1, vec![0, 0, 255, 0]).unwrap();
    let ground = DenseGround::from_raster(map.clone()).unwrap();
    let mut searcher = DenseSearcher::default();
    let mut check = |goal, expected, result: Result<bool, &str>| {
        let problem = Problem {
            start: wayfarer_engine::base::Cell::flat(0, 0),
            goal: wayfarer_engine::base::Cell::flat(goal, 0),
            expected,
        };
        let request = DenseRequest::new(problem.start, problem.goal);
        let outcomes = [
            find_path(&ground, &mut searcher, &request).unwrap(),
            FlatJps::new(&ground)
                .find(&request, &mut NoopObserver)
                .unwrap(),
        ];
        for outcome in outcomes {
            let found = verified(&map, &problem, outcome, &mut 0, &mut searcher);
            assert_eq!(found, result.map_err(str::to_owned));
        }
    };
    check(1, Expected::Length(1.0), Ok(true));
    check(
        1,
        Expected::Length(1.5),
        Err("found 1.00000, the file says 1.5"),
    );
    check(3, Expected::Unreachable, Ok(false));
    check(
        3,
        Expected::Length(3.0),
        Err("found no path, the file says 3"),
    );
    let phantom = "found 1.00000, the file says there is no path";
    check(1, Expected::Unreachable, Err(phantom));
    check(0, Expected::Length(0.0), Ok(true));
}

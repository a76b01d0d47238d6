//! Small crowds.

use super::*;

#[test]
fn every_path_through_a_moving_crowd_is_free_and_nearly_the_shortest() {
    for method in [PlanarMethod::TangentGraph, PlanarMethod::Quadtree] {
        for radius in [0, 20] {
            let arguments = Arguments {
                method,
                radius,
                n_obstacles: 200,
                world: 4_000,
                size: 120,
                n_ticks: 6,
                n_oracle: 3,
                ..Arguments::default()
            };
            let mut n_reported = 0;
            let report = arguments.run(false, |_, _| n_reported += 1).unwrap();
            assert_eq!(
                (report.wrong, report.unreachable),
                (0, 0),
                "{:?}",
                report.faults
            );
            assert_eq!((report.queries, n_reported, report.obstacles), (6, 6, 200));
            assert!(report.pairs.unwrap() > 0.0 && report.pairs_tree_us.is_some());
            let ratio = report.length_ratio.unwrap();
            assert_eq!(ratio.count, 3);
            assert!(
                ratio.mean >= 1.0 - 1e-6 && ratio.max < 1.1,
                "{method:?}: {ratio:?}"
            );
            assert!(report.to_json().contains("\"update_ns\""));
            assert!(report.render().contains("length x the shortest"));
            let uses_tree = report.spaces.unwrap().mean > 0.0;
            assert_eq!(uses_tree, method == PlanarMethod::Quadtree);
        }
    }
}

#[test]
fn rays_among_long_thin_walls_meet_what_is_there() {
    let arguments = Arguments {
        n_obstacles: 200,
        world: 4_000,
        size: 60,
        n_walls: 60,
        wall: [1_000, 2],
        n_ticks: 3,
        n_oracle: 3,
        ..Arguments::default()
    };
    let report = arguments.run(false, |_, _| {}).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.faults);
    assert_eq!(report.obstacles, 260);
    assert!(report.ray_ns.unwrap() > 0.0 && arguments.command().contains("--wall 1000x2"));
}

#[test]
fn baselines_run_only_where_they_are_built_in_and_exact() {
    let arguments = Arguments {
        baselines: true,
        n_obstacles: 300,
        world: 6_000,
        n_ticks: 2,
        n_oracle: 2,
        ..Arguments::default()
    };
    if !cfg!(feature = "baselines") {
        let missing = arguments.run(false, |_, _| {}).unwrap_err();
        assert_eq!(missing, BenchError::NoBaselines);
        return;
    }
    let report = arguments.run(false, |_, _| {}).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.faults);
    assert_eq!(report.baselines.len(), 6);
    assert!(report.baselines.iter().any(|row| row.compared > 500));
    let too_wide = Arguments {
        world: 70_000,
        ..arguments
    };
    let rejected = too_wide.run(false, |_, _| {}).unwrap_err();
    assert!(matches!(rejected, BenchError::Arguments(_)), "{rejected}");
}

#[test]
fn a_path_that_enters_an_obstacle_is_a_fault() {
    let mut obstacles = ObstacleSet::square(100).unwrap();
    let wall = wayfarer_engine::world::obstacles::Obstacle::cells(
        40,
        0,
        20,
        90,
        wayfarer_engine::world::obstacles::ObstacleCategories::ALL,
    );
    obstacles.edit().insert(&wall.unwrap()).unwrap();
    let at = |x: i32, y: i32| {
        let raw = |n: i32| wayfarer_engine::base::Fixed::from_raw(n * 256);
        Point2::new(raw(x), raw(y))
    };
    let ends = (at(10, 50), at(90, 50));
    let mut searcher = PlanarSearcher::default();
    let request = Arguments::default().request(ends.0, ends.1);
    let outcome = searcher.find(&obstacles, &request).unwrap();
    let cut = outcome.clone().map(|path| PlanarPath {
        points: vec![ends.0, ends.1],
        ..path
    });
    let mut seen = Seen::default();
    seen.result(&obstacles, &mut searcher, outcome, ends, (true, true));
    assert!(seen.faults.is_empty(), "{:?}", seen.faults);
    seen.result(&obstacles, &mut searcher, cut, ends, (true, false));
    assert_eq!(seen.faults.len(), 1);
}

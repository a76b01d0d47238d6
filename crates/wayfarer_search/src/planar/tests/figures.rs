//! How much of the plane a quadtree search splits: figures 6 and 7 of \[Guerrilla2013\].

use wayfarer_world::obstacles::quadtree::QuadState;

use super::*;

/// The quads that a search classified, and their share of the area.
fn classified(
    obstacles: &ObstacleSet,
    from: Point2,
    to: Point2,
    criterion: SplitCriterion,
) -> (usize, f64) {
    let request = PlanarRequest {
        method: PlanarMethod::Quadtree,
        criterion,
        ..PlanarRequest::new(from, to)
    };
    let mut searcher = PlanarSearcher::default();
    let path = searcher.find(obstacles, &request).unwrap().found().unwrap();
    check_path(obstacles, &path, from, to, "a figure");
    let tree = searcher.quadtree();
    let side = obstacles.bounds().high.x.to_cells();
    let (mut n_quads, mut share) = (0, 0.0);
    for id in tree.quads() {
        if matches!(tree.state(id), QuadState::Free | QuadState::Blocked) {
            let Aabb2 { low, high } = tree.area(id);
            let (width, height) = (high.x.raw() - low.x.raw(), high.y.raw() - low.y.raw());
            share += f64::from(width) / 256.0 / side * (f64::from(height) / 256.0 / side);
            n_quads += 1;
        }
    }
    (n_quads, share)
}

fn criterion(smallest: i32, largest: i32) -> SplitCriterion {
    SplitCriterion {
        min_side: Fixed::from_cell(smallest).unwrap(),
        max_side: Fixed::from_cell(largest).unwrap(),
        ..SplitCriterion::GUERRILLA_2013
    }
}

#[test]
fn a_path_north_through_an_empty_world_splits_only_the_quads_along_it() {
    // Figure 6. The rock on the straight line keeps the search from finding it at once.
    let mut obstacles = ObstacleSet::square(1024).unwrap();
    let rock = Obstacle::cells(690, 500, 20, 20, ObstacleCategories::ALL).unwrap();
    obstacles.edit().insert(&rock).unwrap();
    let (n_quads, share) = classified(
        &obstacles,
        cells(700, 1000),
        cells(700, 20),
        criterion(8, 16),
    );
    println!("figure 6: {n_quads} quads, {share:.4} of the area");
    // Three columns of 64 with sides of 16 cells, and a little more around the rock.
    assert!(share < 0.055, "{share}");
}

#[test]
fn a_finer_criterion_takes_more_quads_and_less_of_the_area() {
    // Figure 7: 33 quads of 50 to 150 pixels against 471 of 10 to 40.
    let (mut coarse, mut fine) = ((0, 0.0), (0, 0.0));
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let mut obstacles = ObstacleSet::square(800).unwrap();
        let mut batch = obstacles.edit_bulk();
        for _ in 0..14 {
            let (x, y) = (rng.between(60, 680), rng.between(60, 680));
            let tank = Obstacle::cells(x, y, 60, 60, ObstacleCategories::ALL).unwrap();
            batch.insert(&tank).unwrap();
        }
        drop(batch);
        let ends = (cells(20, 20), cells(780, 780));
        for (sum, criterion) in [
            (&mut coarse, criterion(50, 150)),
            (&mut fine, criterion(10, 40)),
        ] {
            let (n_quads, share) = classified(&obstacles, ends.0, ends.1, criterion);
            sum.0 += n_quads;
            sum.1 += share / 8.0;
        }
    }
    println!("figure 7: {coarse:?} against {fine:?}");
    assert!(fine.0 > 2 * coarse.0, "{coarse:?} {fine:?}");
    assert!(coarse.1 < 0.55 && fine.1 < 0.25, "{coarse:?} {fine:?}");
}

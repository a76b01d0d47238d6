//! The narrow corridor of figure 8 in \[Guerrilla2013\], at every alignment.

use super::*;

/// Two walls across the world, `gap` raw units apart; the gap begins `offset` below the center.
fn walls(gap: i32, offset: i32) -> ObstacleSet {
    let mut obstacles = ObstacleSet::square(400).unwrap();
    let mut batch = obstacles.edit();
    let (center, far) = (200 * 256 + offset, 400 * 256);
    for (top, bottom) in [(-256, center), (center + gap, far + 256)] {
        let shape = ObstacleShape::Box(Aabb2 {
            low: point(180 * 256, top),
            high: point(220 * 256, bottom),
        });
        batch
            .insert(&Obstacle {
                shape,
                categories: ObstacleCategories::ALL,
            })
            .unwrap();
    }
    drop(batch);
    obstacles
}

#[track_caller]
fn check(method: PlanarMethod, agent: DiscAgent, gap: i32, criterion: SplitCriterion) {
    let mut searcher = PlanarSearcher::default();
    for offset in 0..256 {
        // Every alignment to raw units, and to quads.
        for offset in [offset, offset * 20 + 7] {
            let obstacles = walls(gap, offset);
            let (from, to) = (cells(20, 50), cells(380, 350));
            let request = PlanarRequest {
                agent,
                method,
                criterion,
                ..PlanarRequest::new(from, to)
            };
            let outcome = searcher.find(&obstacles, &request).unwrap();
            let what = format!("gap {gap} at offset {offset}");
            let Outcome::Found(path) = outcome else {
                panic!("{what}: {outcome:?}");
            };
            check_path(&obstacles, &path, from, to, &what);
        }
    }
}

#[test]
fn the_tangent_graph_finds_every_gap_that_the_agent_fits_through() {
    // 22 cells, as in the figure; then only the two units by which outlines are inflated.
    check(
        PlanarMethod::TangentGraph,
        DiscAgent::POINT,
        22 * 256,
        SplitCriterion::GUERRILLA_2013,
    );
    check(
        PlanarMethod::TangentGraph,
        DiscAgent::POINT,
        2,
        SplitCriterion::GUERRILLA_2013,
    );
    let wide = DiscAgent {
        radius: Fixed::from_cell(7).unwrap(),
        ..DiscAgent::POINT
    };
    check(
        PlanarMethod::TangentGraph,
        wide,
        14 * 256 + 2,
        SplitCriterion::GUERRILLA_2013,
    );
}

#[test]
fn the_quadtree_finds_every_gap_of_twice_its_smallest_quad() {
    let criterion = SplitCriterion {
        min_side: Fixed::from_cell(10).unwrap(),
        ..SplitCriterion::GUERRILLA_2013
    };
    check(
        PlanarMethod::Quadtree,
        DiscAgent::POINT,
        20 * 256,
        criterion,
    );
    let wide = DiscAgent {
        radius: Fixed::from_cell(7).unwrap(),
        ..DiscAgent::POINT
    };
    check(PlanarMethod::Quadtree, wide, 34 * 256, criterion);
    let criterion = SplitCriterion {
        diagonal: true,
        ..criterion
    };
    check(
        PlanarMethod::Quadtree,
        DiscAgent::POINT,
        20 * 256,
        criterion,
    );
    let criterion = SplitCriterion {
        min_side: Fixed::from_cell(5).unwrap(),
        max_side: Fixed::from_cell(20).unwrap(),
        diagonal: false,
        ..criterion
    };
    check(
        PlanarMethod::Quadtree,
        DiscAgent::POINT,
        22 * 256,
        criterion,
    );
}

#[test]
fn a_gap_too_narrow_for_the_agent_is_no_path() {
    let wide = DiscAgent {
        radius: Fixed::from_cell(7).unwrap(),
        ..DiscAgent::POINT
    };
    for method in [PlanarMethod::TangentGraph, PlanarMethod::Quadtree] {
        let obstacles = walls(14 * 256 + 1, 100);
        let request = PlanarRequest {
            agent: wide,
            method,
            ..PlanarRequest::new(cells(20, 50), cells(380, 350))
        };
        let outcome = PlanarSearcher::default()
            .find(&obstacles, &request)
            .unwrap();
        assert!(
            matches!(outcome, Outcome::Unreachable { .. }),
            "{outcome:?}"
        );
    }
}

#[test]
fn the_quadtree_reaches_every_corner_of_bounds_that_quads_do_not_fill() {
    // Quads of 40 / 256 of a cell, and a remainder that the last quads cover in part.
    for remainder in [0, 1, 2, 3, 20, 39] {
        let far = 40 * 64 + remainder;
        let mut obstacles = ObstacleSet::new(Aabb2 {
            low: point(0, 0),
            high: point(far, far),
        })
        .unwrap();
        let rock = Obstacle {
            shape: ObstacleShape::Box(Aabb2 {
                low: point(far / 3, far / 3),
                high: point(2 * far / 3, 2 * far / 3),
            }),
            categories: ObstacleCategories::ALL,
        };
        obstacles.edit().insert(&rock).unwrap();
        let corners = [point(0, 0), point(far, 0), point(far, far), point(0, far)];
        for (number, from) in corners.into_iter().enumerate() {
            let to = corners[(number + 2) % 4];
            let request = PlanarRequest {
                method: PlanarMethod::Quadtree,
                criterion: SplitCriterion {
                    min_side: Fixed::from_raw(40),
                    max_side: Fixed::from_raw(320),
                    ..SplitCriterion::GUERRILLA_2013
                },
                ..PlanarRequest::new(from, to)
            };
            let what = format!("remainder {remainder}, corner {number}");
            match PlanarSearcher::default()
                .find(&obstacles, &request)
                .unwrap()
            {
                Outcome::Found(path) => check_path(&obstacles, &path, from, to, &what),
                other => panic!("{what}: {other:?}"),
            }
        }
    }
}

//! What is refused, what is left, what is spent, what holds and what is mended.

use super::*;

fn room() -> Field {
    // A box around the middle with walls of ten cells, and a rock outside.
    let mut field = Field::square(400).unwrap();
    let mut batch = field.edit();
    for (x, y, width, height) in [
        (150, 150, 100, 10),
        (150, 240, 100, 10),
        (150, 150, 10, 100),
        (240, 150, 10, 100),
        (20, 20, 40, 40),
    ] {
        batch
            .insert(&Entity::cells(x, y, width, height, TypeMask::ALL).unwrap())
            .unwrap();
    }
    drop(batch);
    field
}

#[test]
fn a_goal_that_is_walled_in_is_refuted_from_either_side() {
    let field = room();
    let mut searcher = FieldSearcher::default();
    for (from, to) in [
        (cells(200, 200), cells(380, 380)),
        (cells(380, 380), cells(200, 200)),
    ] {
        let outcome = searcher.find(&field, &FieldRequest::new(from, to)).unwrap();
        assert!(
            matches!(outcome, Outcome::Unreachable { .. }),
            "{outcome:?}"
        );
    }
}

#[test]
fn blocked_ends_are_refused_or_moved_as_asked() {
    let field = room();
    let mut searcher = FieldSearcher::default();
    let (rock, open) = (cells(30, 40), cells(380, 380));
    let refused = searcher.find(&field, &FieldRequest::new(rock, open));
    assert!(
        matches!(refused, Err(Refusal::StartBlocked { .. })),
        "{refused:?}"
    );
    let refused = searcher.find(&field, &FieldRequest::new(open, rock));
    assert!(
        matches!(refused, Err(Refusal::GoalBlocked { .. })),
        "{refused:?}"
    );
    let refused = searcher.find(&field, &FieldRequest::new(open, cells(401, 3)));
    assert!(
        matches!(refused, Err(Refusal::GoalBlocked { .. })),
        "{refused:?}"
    );

    let request = FieldRequest {
        if_start_blocked: IfBlocked::Nearest,
        ..FieldRequest::new(rock, open)
    };
    let Outcome::Found(path) = searcher.find(&field, &request).unwrap() else {
        panic!("the rock can be left");
    };
    check_path(&field, &path, rock, open, "leaving a rock");
    assert_eq!(path.n_leaving, 1);
    // 10 cells and 1/256 westwards is the nearest way out.
    assert_eq!(path.points[1], point(20 * 256 - 1, 40 * 256));

    let request = FieldRequest {
        if_goal_blocked: IfBlocked::Nearest,
        ..FieldRequest::new(open, rock)
    };
    let Outcome::Partial { best, .. } = searcher.find(&field, &request).unwrap() else {
        panic!("the rock can be approached");
    };
    check_path(
        &field,
        &best,
        open,
        point(20 * 256 - 1, 40 * 256),
        "towards a rock",
    );
}

#[test]
fn the_nearest_free_point_is_the_nearest_of_all() {
    let mut dice = Dice::new(8);
    let mut scratch = wayfarer_world::field::FreeScratch::default();
    for seed in 0..40 {
        let agent = FieldAgent {
            radius: Fixed::from_raw(dice.between(0, 2)),
            blocked_by: TypeMask::ALL,
        };
        // A field of 40 x 40 units, small enough to look at every point.
        let bounds = Box2 {
            low: point(0, 0),
            high: point(40, 40),
        };
        let mut field = Field::new(bounds).unwrap();
        let mut batch = field.edit();
        for _ in 0..dice.between(1, 12) {
            let low = point(dice.between(-5, 35), dice.between(-5, 35));
            let high = point(
                low.x.raw() + dice.between(1, 20),
                low.y.raw() + dice.between(1, 20),
            );
            let shape = EntityShape::Box(Box2 { low, high });
            batch
                .insert(&Entity {
                    shape,
                    types: TypeMask::ALL,
                })
                .unwrap();
        }
        drop(batch);
        for _ in 0..20 {
            let at = point(dice.between(0, 40), dice.between(0, 40));
            let square = |to: Point2| {
                let (x, y) = (to.x.raw() - at.x.raw(), to.y.raw() - at.y.raw());
                (x * x + y * y, y, x)
            };
            let all = (0..=40).flat_map(|y| (0..=40).map(move |x| point(x, y)));
            let slow = all
                .filter(|at| field.is_free(*at, agent))
                .min_by_key(|to| square(*to));
            let found = field.nearest_free(at, agent, &mut scratch);
            assert_eq!(found, slow, "seed {seed}, {at:?}");
        }
    }
}

#[test]
fn a_search_in_slices_ends_as_one_in_one_go() {
    for seed in 0..12 {
        let mut dice = Dice::new(seed);
        let agent = FieldAgent {
            radius: Fixed::from_raw(300),
            ..FieldAgent::POINT
        };
        let field = crowd(&mut dice, 400, 60, agent);
        let ends = (
            free_point(&mut dice, &field, agent),
            free_point(&mut dice, &field, agent),
        );
        let (Some(from), Some(to)) = ends else {
            continue;
        };
        for method in [FieldMethod::Corners, FieldMethod::Tree] {
            for most in [7, u64::MAX] {
                let request = FieldRequest {
                    agent,
                    method,
                    budget: Budget::expansions(most),
                    ..FieldRequest::new(from, to)
                };
                let whole = FieldSearcher::default().find(&field, &request).unwrap();
                let mut session =
                    FieldSession::begin(&field, FieldSearcher::default(), request).unwrap();
                let sliced = loop {
                    if let Progress::Done(outcome) = session.advance(&field, Budget::expansions(3))
                    {
                        break outcome;
                    }
                };
                assert_eq!(sliced, whole, "seed {seed} {method:?} {most}");
            }
        }
    }
}

#[test]
fn a_budget_is_kept_and_the_best_so_far_can_be_walked() {
    let mut dice = Dice::new(77);
    let agent = FieldAgent::POINT;
    let field = crowd(&mut dice, 400, 60, agent);
    let (from, to) = (
        free_point(&mut dice, &field, agent),
        free_point(&mut dice, &field, agent),
    );
    let (from, to) = (from.unwrap(), to.unwrap());
    for method in [FieldMethod::Corners, FieldMethod::Tree] {
        let request = FieldRequest {
            method,
            budget: Budget::expansions(3),
            ..FieldRequest::new(from, to)
        };
        match FieldSearcher::default().find(&field, &request).unwrap() {
            Outcome::OutOfBudget { best, spent } => {
                assert!(spent.expansions <= 3);
                let end = best.end().unwrap();
                check_path(&field, &best, from, end, "out of budget");
            }
            other => panic!("three expansions cannot do: {other:?}"),
        }
    }
}

#[test]
fn a_path_knows_what_broke_it_and_is_mended() {
    let mut n_broken = 0;
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let agent = FieldAgent {
            radius: Fixed::from_raw(200),
            ..FieldAgent::POINT
        };
        let mut field = crowd(&mut dice, 400, 25, agent);
        let (from, to) = (cells(2, 2), cells(398, 398));
        let request = FieldRequest {
            agent,
            ..FieldRequest::new(from, to)
        };
        let mut searcher = FieldSearcher::default();
        let Ok(Outcome::Found(path)) = searcher.find(&field, &request) else {
            continue;
        };
        assert_eq!(status(&field, &path).status, PathStatus::Holds);
        // Something new falls somewhere.
        let at = free_point(&mut dice, &field, agent).unwrap();
        let shape = EntityShape::Disc {
            centre: at,
            radius: Fixed::from_cell(25).unwrap(),
        };
        let id = field
            .edit()
            .insert(&Entity {
                shape,
                types: TypeMask::ALL,
            })
            .unwrap();
        let things = obstacles(&field, agent);
        let outline = field.outline(id, agent).unwrap();
        let crossed = path
            .points
            .windows(2)
            .position(|leg| outline.is_crossed(leg[0], leg[1]));
        let now = status(&field, &path);
        match crossed {
            None => assert_eq!(now.status, PathStatus::Holds, "seed {seed}"),
            Some(leg) => {
                n_broken += 1;
                assert_eq!(now.broken_by, Some(id), "seed {seed}");
                assert!(matches!(now.status, PathStatus::Broken { leg: at, .. } if at == leg));
            }
        }
        let repaired = searcher.repair(&field, &request, &path);
        let outlines = Outlines::new(&things, field.bounds(), agent.radius.raw());
        match repaired {
            Ok(Outcome::Found(repaired)) => {
                check_path(&field, &repaired.path, from, to, "repaired");
                assert_eq!(repaired.broken_by.is_some(), crossed.is_some());
            }
            Ok(other) => assert!(
                outlines.shortest(from, to, 1e12).is_none(),
                "seed {seed}: {other:?}"
            ),
            Err(refusal) => assert!(
                !field.is_free(from, agent) || !field.is_free(to, agent),
                "{refusal}"
            ),
        }
        field.edit().remove(id).unwrap();
        let now = status(&field, &path).status;
        assert!(now == PathStatus::Holds || now == PathStatus::ShorterMayExist);
        if crossed.is_some() {
            assert_eq!(
                now,
                PathStatus::ShorterMayExist,
                "what was on the way made room"
            );
        }
    }
    assert!(n_broken > 5);
}

#[test]
fn a_dear_type_is_walked_through_only_where_going_round_is_dearer() {
    let (mud, rock) = (TypeMask::of(3).unwrap(), TypeMask::of(4).unwrap());
    let price = |sixteenths| wayfarer_base::Price::from_sixteenths(sixteenths).unwrap();
    let mut field = Field::square(400).unwrap();
    let mut batch = field.edit();
    batch
        .insert(&Entity::cells(150, 0, 100, 300, mud).unwrap())
        .unwrap();
    batch
        .insert(&Entity::cells(150, 300, 100, 20, rock).unwrap())
        .unwrap();
    drop(batch);
    let agent = FieldAgent {
        blocked_by: rock,
        ..FieldAgent::POINT
    };
    let (from, to) = (cells(100, 150), cells(300, 150));
    let find = |prices: Vec<(TypeMask, wayfarer_base::Price)>| {
        let request = FieldRequest {
            agent,
            prices,
            method: FieldMethod::Tree,
            ..FieldRequest::new(from, to)
        };
        FieldSearcher::default()
            .find(&field, &request)
            .unwrap()
            .found()
            .unwrap()
    };
    let crosses = |path: &FieldPath| {
        let inside =
            |at: &Point2| (150 * 256..250 * 256).contains(&at.x.raw()) && at.y.raw() < 300 * 256;
        path.points.windows(2).any(|leg| {
            (0..64).any(|n| {
                let mix =
                    |a: Fixed, b: Fixed| Fixed::from_raw(a.raw() + (b.raw() - a.raw()) / 64 * n);
                inside(&Point2::new(
                    mix(leg[0].x, leg[1].x),
                    mix(leg[0].y, leg[1].y),
                ))
            })
        })
    };
    assert!(crosses(&find(Vec::new())), "no price: straight through");
    assert!(
        crosses(&find(vec![(mud, price(20))])),
        "cheap: straight through"
    );
    let round = find(vec![(mud, price(160))]);
    assert!(!crosses(&round), "dear: round it");
    check_path(&field, &round, from, to, "round the mud");
    // Nowhere else to go: dear is not blocked.
    field
        .edit()
        .insert(&Entity::cells(150, 320, 100, 80, rock).unwrap())
        .unwrap();
    let request = FieldRequest {
        agent,
        prices: vec![(mud, price(1600))],
        ..FieldRequest::new(from, to)
    };
    let last_resort = FieldSearcher::default().find(&field, &request).unwrap();
    assert!(crosses(&last_resort.found().unwrap()));
}

use wayfarer_base::{Point2, Rng};

use super::*;
use crate::objects::{Body, Categories, Detection, Outline, Teams};

fn at(x: i32, y: i32) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

/// Strews bodies, moves some, kills some, and compares everybody's list with its own question.
fn check(seed: u64, square: i32, range: i32, largest: i32, detection: Detection) {
    let mut rng = Rng::new(seed);
    let side = 20_000;
    let mut objects = Objects::new(Fixed::from_raw(square)).with_detection(detection);
    let mut ids = Vec::new();
    for _ in 0..300 {
        let place = at(rng.between(-side, side), rng.between(-side, side));
        let radius = Fixed::from_raw(rng.between(0, largest));
        let outline = if rng.chance(1, 4) {
            Outline::Disc { radius }
        } else {
            Outline::Point
        };
        let body = Body {
            outline,
            team: u8::try_from(rng.between(0, 2)).unwrap(),
            ..Body::at(place)
        };
        ids.push(objects.register(&body).unwrap());
    }
    objects.begin_tick();
    for &id in &ids {
        match rng.between(0, 9) {
            0 => objects.unregister(id).unwrap(),
            1 => objects
                .move_to(id, at(rng.between(-side, side), 0))
                .unwrap(),
            _ => {}
        }
    }
    let askers = Filter {
        teams: Teams::except(1),
        ..Filter::ALL
    };
    let wanted = Filter {
        teams: Teams::only(1),
        categories: Categories::ALL,
        ..Filter::ALL
    };
    for (askers, wanted) in [(Filter::ALL, Filter::ALL), (askers, wanted)] {
        let range = Fixed::from_raw(range);
        let mut scratch = Neighbours::default();
        let mut lists = Vec::new();
        let list = |who: u32, near: &[u32]| lists.push((who, near.to_vec()));
        objects
            .neighbours(range, &askers, &wanted, &mut scratch, list)
            .unwrap();
        // By parts it is the same.
        let mut by_parts = Vec::new();
        for part in 0..8 {
            let part = Part { part, n_parts: 8 };
            let list = |who: u32, near: &[u32]| by_parts.push((who, near.to_vec()));
            objects
                .neighbours_of_part(part, range, (&askers, &wanted), &mut scratch, list)
                .unwrap();
        }
        assert_eq!(lists, by_parts);
        let mut found = Found::default();
        for (who, near) in &lists {
            let id = objects.id_at(*who).unwrap();
            let circle = Footprint::circle(objects.registered_at(*who as usize), range);
            let wanted = Filter {
                except: Some(id),
                ..wanted
            };
            objects.find(&circle, &wanted, &mut found).unwrap();
            assert_eq!(near.as_slice(), found.indices(), "of {who}");
        }
        let mut asked: Vec<u32> = lists.iter().map(|(who, _)| *who).collect();
        asked.sort_unstable();
        let expected: Vec<u32> = (0..300)
            .filter(|&index| {
                let id = objects.id_at(index);
                id.is_some_and(|id| objects.passes(id, &askers))
            })
            .collect();
        assert_eq!(asked, expected);
    }
}

#[test]
fn everybody_is_told_what_it_would_have_found_by_itself() {
    for seed in 0..12 {
        for detection in [Detection::AfterMovement, Detection::BeforeMovement] {
            check(seed, 2048, 2048, 0, detection);
            check(seed, 1024, 3000, 0, detection);
            check(seed, 16_384, 500, 0, detection);
            check(seed, 1024, 2500, 3000, detection);
            check(seed, 4096, 0, 0, detection);
        }
    }
}

#[test]
fn a_range_beyond_the_limit_is_refused() {
    let objects = Objects::new(Fixed::from_raw(256));
    let mut scratch = Neighbours::default();
    let all = Filter::ALL;
    let answer = objects.neighbours(Fixed::from_raw(-1), &all, &all, &mut scratch, |_, _| {});
    assert!(answer.is_err());
}

use wayfarer_base::{
    Cell, ChangeLog, Column, Cost, Fixed, GroundEdit, LinkDirection, LinkState, NavLink,
    NavLinkKind, Point2, Point3, Profile, Rng, Terrain, Wall, WallSide,
};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::super::{GroundVisibility, LineOfSightTest, OcclusionRules};
use super::{OcclusionCache, SegmentVerdict};

/// Cells along one side; lines start and end up to two cells outside.
const SIDE: i32 = 40;

fn random_edit(rng: &mut Rng) -> GroundEdit {
    let column = Column::new(rng.between(0, SIDE - 1), rng.between(0, SIDE - 1));
    let cell = column.at(0);
    let side = *rng.pick(&[WallSide::East, WallSide::South]).unwrap();
    let state = *rng.pick(&[LinkState::Open, LinkState::Closed]).unwrap();
    match rng.between(0, 8) {
        0 => GroundEdit::RemoveCell { cell },
        1 => GroundEdit::PutWall(Wall { cell, side }),
        2 => GroundEdit::RemoveWall(Wall { cell, side }),
        3 => GroundEdit::PutCell {
            cell: column.at(rng.between(-1, 4)),
            terrain: Terrain::GROUND,
        },
        4 => GroundEdit::PutNavLink(NavLink {
            from: cell,
            to: column.step(side.direction()).unwrap().at(0),
            kind: NavLinkKind::Door,
            direction: LinkDirection::Bidirectional,
            cost: Cost::STRAIGHT,
            state,
        }),
        5 => GroundEdit::PutCell {
            cell,
            terrain: Terrain::TREES,
        },
        6 => GroundEdit::PutCell {
            cell: column.at(rng.between(0, 3)),
            terrain: Terrain::SOLID,
        },
        _ => GroundEdit::PutCell {
            cell,
            terrain: Terrain::GROUND,
        },
    }
}

fn random_point(rng: &mut Rng) -> Point3 {
    // Some on grid lines, some at whole heights.
    let mut at = |low: i32, high: i32| {
        let raw = rng.between(256 * low, 256 * high);
        Fixed::from_raw(if rng.chance(1, 4) { raw & !127 } else { raw })
    };
    Point3 {
        x: at(-2, SIDE + 2),
        y: at(-2, SIDE + 2),
        z: at(-1, 5),
    }
}

fn ground_with_floors() -> Ground {
    let mut ground = Ground::new(Profile::DEFAULT).unwrap();
    let floors = (0..SIDE * SIDE).map(|index| GroundEdit::PutCell {
        cell: Cell::new(index % SIDE, index / SIDE, 0),
        terrain: Terrain::GROUND,
    });
    ground.apply(&floors.collect::<Vec<_>>()).unwrap();
    ground
}

fn check(cache: &mut OcclusionCache, ground: &Ground, rules: OcclusionRules, rng: &mut Rng) {
    let visibility = GroundVisibility { ground, rules };
    for _ in 0..60 {
        let (from, to) = (random_point(rng), random_point(rng));
        let is_clear = visibility.is_clear(from, to);
        assert_eq!(
            cache.is_clear(ground, from, to),
            is_clear,
            "{from:?} {to:?}"
        );
        assert_eq!(
            cache.is_clear(ground, to, from),
            is_clear,
            "{to:?} {from:?}"
        );

        let high = to.z.raw() + rng.between(0, 600);
        let expected =
            match cache.verdict(ground, from, Point2::new(to.x, to.y), (to.z.raw(), high)) {
                SegmentVerdict::Clear => true,
                SegmentVerdict::Blocked => false,
                SegmentVerdict::Mixed => continue,
            };
        for z in [to.z.raw(), i32::midpoint(to.z.raw(), high), high] {
            let z = Fixed::from_raw(z);
            assert_eq!(
                visibility.is_clear(from, Point3 { z, ..to }),
                expected,
                "{from:?} {to:?}"
            );
        }
    }
}

#[test]
fn cached_lines_equal_lines_over_floors_after_any_edits() {
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let mut ground = ground_with_floors();
        let mut log: ChangeLog<GroundDifference> = ChangeLog::starting_at(ground.revision(), 8);
        let rules = OcclusionRules {
            is_void_transparent: seed % 3 == 0,
            opaque_height: 1 + (seed % 4) as i32,
            wall_height: 1 + (seed % 3) as i32,
            ..OcclusionRules::default()
        };
        let mut cache = OcclusionCache::default();
        for step in 0..26 {
            // Now and then more batches than the log holds.
            let n_batches = if step % 13 == 12 {
                12
            } else {
                rng.between(0, 3)
            };
            for _ in 0..n_batches {
                let edits: Vec<GroundEdit> = (0..6).map(|_| random_edit(&mut rng)).collect();
                for edit in edits {
                    if let Ok(changes) = ground.apply(&[edit]) {
                        log.push(changes.changes);
                    }
                }
            }
            cache.sync(&ground, rules, &log);
            check(&mut cache, &ground, rules, &mut rng);
        }
    }
}

#[test]
fn bits_decide_lines_over_flat_ground() {
    let ground = ground_with_floors();
    let log = ChangeLog::starting_at(ground.revision(), 8);
    let mut cache = OcclusionCache::default();
    cache.sync(&ground, OcclusionRules::default(), &log);
    let eye = Point3 {
        x: Fixed::from_raw(1000),
        y: Fixed::from_raw(1111),
        z: Fixed::from_raw(400),
    };
    let inside = Point2::from_raw(256 * 30 + 5, 256 * 17 + 9);
    let outside = Point2::from_raw(-256 * 30, 256 * 17 + 9);
    let heights = (0, 512);
    assert_eq!(
        cache.verdict(&ground, eye, inside, heights),
        SegmentVerdict::Clear
    );
    assert_eq!(
        cache.verdict(&ground, eye, outside, heights),
        SegmentVerdict::Blocked
    );
}

#[test]
fn a_cache_over_its_limit_is_emptied_without_an_edit() {
    let ground = Ground::new(Profile::DEFAULT).unwrap();
    let log = ChangeLog::new(4);
    let mut cache = OcclusionCache::default();
    let rules = OcclusionRules::default();
    cache.sync(&ground, rules, &log);
    cache
        .sectors
        .resize_with(super::MAX_SECTORS, Default::default);
    cache.sync(&ground, rules, &log);
    assert_eq!(cache.sectors.len(), super::MAX_SECTORS);
    cache.sectors.push(super::CachedSector::default());
    cache.sync(&ground, rules, &log);
    assert!(cache.sectors.is_empty());
}

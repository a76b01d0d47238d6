//! Solids by id: composition, restoration, terrain edits below them, limits.

use wayfarer_base::{Column, ColumnRun, GroundSolid, Rect, SolidExtent, SolidId, Terrain};

use super::both::{Both, put, remove};
use super::*;

fn boxed(low: (i32, i32), high: (i32, i32), bottom: i32, top: i32) -> GroundSolid {
    let column = |(x, y)| Column::new(x, y);
    let rect = Rect::around(column(low), column(high));
    GroundSolid {
        extent: SolidExtent::Box { rect, bottom, top },
        top: Terrain::GROUND,
    }
}

fn place(id: u64, solid: GroundSolid) -> GroundEdit {
    let id = SolidId(id);
    GroundEdit::PutSolid { id, solid }
}

fn take(id: u64) -> GroundEdit {
    GroundEdit::RemoveSolid(SolidId(id))
}

#[test]
fn removing_a_solid_shows_what_it_covered() {
    let mut both = Both::drawn("......");
    let first = both.ground.canonical();
    both.apply(&[place(0, boxed((1, 0), (3, 0), 0, 4))]);
    both.apply(&[place(1, boxed((2, 0), (4, 0), 2, 6))]);
    assert!(!both.is_connected(Cell::flat(0, 0), Cell::flat(5, 0)));
    both.apply(&[take(0)]);
    // Its lower neighbor is gone, the upper one hangs over the floor.
    assert!(both.ground.node(Cell::flat(1, 0)).is_some());
    assert_eq!(
        both.ground.terrain(Cell::new(3, 0, 2)),
        Some(Terrain::SOLID)
    );
    both.apply(&[take(1)]);
    assert_eq!(both.ground.canonical(), first);
}

#[test]
fn terrain_changes_under_a_solid_show_when_it_is_removed() {
    let mut both = Both::drawn("....");
    let at = Cell::flat(1, 0);
    both.apply(&[place(0, boxed((1, 0), (2, 0), 0, 3))]);
    both.apply(&[remove(at), put(Cell::new(2, 0, 1))]);
    assert_eq!(
        both.ground.terrain(Cell::new(1, 0, 3)),
        Some(Terrain::GROUND)
    );
    assert_eq!(both.ground.terrain_floors(at.column()), []);
    let rect = Rect::around(Column::new(0, 0), Column::new(3, 0));
    let carve = GroundEdit::CarveBox {
        rect,
        bottom: -2,
        top: 3,
        terrain: Some(Terrain::SWAMP),
    };
    both.apply(&[carve]);
    assert_eq!(
        both.ground.terrain(Cell::new(1, 0, 3)),
        Some(Terrain::GROUND)
    );
    both.apply(&[take(0)]);
    assert_eq!(
        both.ground.terrain(Cell::new(1, 0, -2)),
        Some(Terrain::SWAMP)
    );
}

#[test]
fn an_invalid_solid_is_an_error_and_changes_nothing() {
    let mut both = Both::drawn("..\n..");
    both.apply(&[place(3, boxed((0, 0), (0, 0), 0, 2))]);
    let before = (both.ground.canonical(), both.ground.revision());
    let run = |x, bottom, top| ColumnRun {
        y: 0,
        x,
        bottom,
        top,
    };
    let runs = |runs: &[ColumnRun]| GroundSolid {
        extent: SolidExtent::Runs(runs.into()),
        top: Terrain::GROUND,
    };
    let cases = [
        (take(4), "edit 1: no solid has id 4"),
        (
            place(9, boxed((0, 0), (1, 1), 2, 2)),
            "edit 1: the solid has runs that overlap, or a top not above its bottom",
        ),
        (
            place(9, runs(&[run(0, 0, 3), run(0, 2, 5)])),
            "edit 1: the solid has runs that overlap, or a top not above its bottom",
        ),
        (
            place(9, boxed((0, 0), (9_000, 9_000), 0, 1)),
            "edit 1: the shape to fill spans more than 16777216 columns",
        ),
        (
            place(9, boxed((0, 0), (1, 1), 0, 1 << 25)),
            "edit 1: cell (1, 1, 33554432) lies outside the world, expected x and y within 8388607 of 0 and z within 16777216",
        ),
    ];
    for (edit, error) in cases {
        let found = both.ground.apply(&[take(3), edit]).unwrap_err();
        assert_eq!(found.to_string(), error);
        assert_eq!((both.ground.canonical(), both.ground.revision()), before);
    }
}

/// A solid that does not fit in its last sector is not in the others either.
#[test]
fn a_solid_with_too_many_floors_in_one_column_is_placed_nowhere() {
    let mut both = Both::drawn("..");
    let far = |z: i32| put(Cell::new(40, 0, 4 * z));
    let floors: Vec<GroundEdit> = (0..254).map(far).collect();
    both.ground.apply(&floors).unwrap();
    let before = both.ground.canonical();
    let solid = boxed((0, 0), (40, 0), 2_000, 2_001);
    let found = both.ground.apply(&[place(0, solid.clone())]).unwrap_err();
    assert!(matches!(found, GroundEditError::TooManyFloors { .. }));
    assert_eq!(both.ground.canonical(), before);
    assert_eq!(both.ground.solids().count(), 0);
    both.ground
        .apply(&[remove(Cell::new(40, 0, 0)), place(0, solid)])
        .unwrap();
}

fn random_solid(rng: &mut Rng) -> GroundSolid {
    let (x, y) = (rng.between(-20, 18), rng.between(-20, 18));
    let bottom = rng.between(-4, 12);
    let top = bottom + rng.between(1, 5);
    let side = [1, 2, 3, 20][rng.below(4) as usize];
    let mut solid = boxed((x, y), (x + side, y + rng.between(0, side)), bottom, top);
    if rng.chance(1, 2) {
        let mut runs = Vec::new();
        for column in solid.extent.bounds().columns() {
            if rng.chance(1, 3) {
                continue;
            }
            let (y, x) = (column.y, column.x);
            runs.push(ColumnRun { y, x, bottom, top });
            if rng.chance(1, 3) {
                let (bottom, top) = (top + 2, top + 4);
                runs.push(ColumnRun { y, x, bottom, top });
            }
        }
        solid.extent = SolidExtent::Runs(runs.into());
    }
    solid.top = *rng.pick(&[Terrain::GROUND, Terrain::SWAMP]).unwrap();
    solid
}

/// An edit of solids or boxes; `ids` are those placed.
fn random_edit(rng: &mut Rng, ids: &mut Vec<u64>, next: &mut u64) -> GroundEdit {
    let solid = random_solid(rng);
    let SolidExtent::Box { rect, bottom, top } =
        boxed((-9, -3), (rng.between(-8, 9), 4), rng.between(-3, 3), 6).extent
    else {
        unreachable!("a box");
    };
    match rng.below(8) {
        0 => GroundEdit::FillBox {
            rect,
            bottom,
            top,
            terrain: solid.top,
        },
        1 => GroundEdit::CarveBox {
            rect,
            bottom,
            top,
            terrain: rng.chance(1, 2).then_some(solid.top),
        },
        2..=3 if !ids.is_empty() => {
            take(ids.swap_remove(rng.below(u32::try_from(ids.len()).unwrap()) as usize))
        }
        4 if !ids.is_empty() => place(ids[0], solid),
        _ => {
            ids.push(*next);
            *next += 1;
            place(*next - 1, solid)
        }
    }
}

/// Solids, boxes and all other edits in any order give the state of the oracle and of a rebuild, and
/// their inverses the state before, for registered profiles too.
#[test]
fn any_sequence_of_solids_and_edits_equals_the_oracle_and_a_rebuild() {
    for (seed, kind) in WorldKind::ALL.into_iter().enumerate() {
        let seed = seed as u64;
        let plan = random_world(seed, kind);
        let mut both = Both::new(&plan);
        let tall = Profile {
            height: 3,
            radius: wayfarer_base::Fixed::from_raw(200),
            ..Profile::DEFAULT
        };
        let profile = both.ground.register_profile(tall).unwrap();
        let mut rng = Rng::for_stream(seed, 77);
        let (mut ids, mut next) = (Vec::new(), 0);
        for _ in 0..8 {
            let mut edits: Vec<GroundEdit> = (0..rng.below(4))
                .map(|_| random_edit(&mut rng, &mut ids, &mut next))
                .collect();
            if rng.chance(1, 2) {
                edits.extend(random_batch(&mut rng, &both.world));
            }
            both.apply(&edits);
        }
        let again = Ground::from_record(&both.ground.record()).unwrap();
        assert_eq!(again.record(), both.ground.record());
        assert_eq!(again.canonical(), both.ground.canonical());
        let cells = |ground: &Ground| -> BTreeSet<Cell> {
            let profile_ground = ground.profile_ground(profile).unwrap();
            profile_ground
                .nodes()
                .map(|node| ground.cell(node))
                .collect()
        };
        assert_eq!(cells(&again), cells(&both.ground), "{kind:?} {seed}");
    }
}

#[test]
fn solids_that_together_exceed_the_limit_are_refused() {
    let mut ground = Both::drawn("......").ground;
    // Listed and not placed, which would take seconds.
    let wide = || Some(boxed((0, 0), (4_095, 4_095), 0, 4));
    (0..4).for_each(|id| ground.solids.set(SolidId(id), wide()));
    let small = [place(4, boxed((1, 0), (1, 0), 0, 4))];
    let error = ground.apply(&small).unwrap_err();
    let limit = Ground::MAX_ALL_SOLID_COLUMNS;
    assert_eq!(error, GroundEditError::SolidsTooWide { edit: 0, limit });
    assert!(ground.apply(&[place(3, wide().unwrap())]).is_ok());
    ground
        .solids
        .set(SolidId(3), Some(boxed((0, 0), (4_094, 4_095), 0, 4)));
    ground.apply(&small).unwrap();
    // A long thin box stores whole sectors.
    let thin = place(5, boxed((0, 0), (0, 256), 0, 4));
    assert!(ground.apply(&[thin]).is_err());
}

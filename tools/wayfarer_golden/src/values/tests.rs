use wayfarer_engine::base::{Cell, Outcome, PathStatus, RequestError, Terrain, Voxel, WorldData};
use wayfarer_engine::formats::TextError;
use wayfarer_engine::search::dense::DensePath;

use super::*;

fn digest(values: &[&dyn Value]) -> u64 {
    let mut all = Values::default();
    all.each(values);
    all.value()
}

fn check_all_differ(cases: &[&dyn Value]) {
    let digests: Vec<u64> = cases.iter().map(|case| digest(&[*case])).collect();
    for (index, one) in digests.iter().enumerate() {
        let first = digests.iter().position(|other| other == one);
        assert_eq!(first, Some(index), "two cases have the same encoding");
    }
}

fn invalid(leg: usize, at: impl Into<wayfarer_engine::base::Location>) -> PathStatus {
    PathStatus::Invalid { leg, at: at.into() }
}

fn path(x: i32) -> DensePath {
    DensePath {
        cells: vec![Cell::flat(0, 0), Cell::flat(x, 0)],
        cost: wayfarer_engine::base::Cost::STRAIGHT,
        expansions: 5,
    }
}

#[test]
fn statuses_that_differ_in_anything_have_different_digests() {
    check_all_differ(&[
        &PathStatus::Valid,
        &PathStatus::MaybeSuboptimal,
        &PathStatus::Unknown,
        &invalid(1, Cell::new(1, 2, 3)),
        &invalid(2, Cell::new(1, 2, 3)),
        &invalid(1, Cell::new(1, 2, 4)),
        &invalid(1, Voxel::new(1, 2, 3)),
    ]);
}

#[test]
fn outcomes_that_differ_in_anything_have_different_digests() {
    let partial = |best, reason| Outcome::Partial { best, reason };
    let longer = DensePath {
        cost: wayfarer_engine::base::Cost::DIAGONAL,
        ..path(1)
    };
    check_all_differ(&[
        &Outcome::Found(path(1)),
        &Outcome::Found(path(2)),
        &Outcome::Found(longer),
        &partial(path(1), wayfarer_engine::base::PartialReason::GoalBlocked),
        &partial(
            path(1),
            wayfarer_engine::base::PartialReason::GoalUnreachable,
        ),
    ]);
}

#[test]
fn moving_an_item_to_another_list_changes_the_digest() {
    let (a, b) = (Voxel::new(1, 1, 1), Voxel::new(2, 2, 2));
    let boxed = WorldData {
        boxes: vec![(a, b)],
        ..WorldData::default()
    };
    let loose = WorldData {
        voxels: vec![a, b],
        ..WorldData::default()
    };
    let floors = WorldData {
        cells: vec![(Cell::flat(1, 1), Terrain::SWAMP)],
        ..WorldData::default()
    };
    check_all_differ(&[&boxed, &loose, &floors, &WorldData::default()]);
}

#[test]
fn a_reason_is_encoded_by_identity_and_not_by_its_text() {
    let error = |reason| RequestError::StartBlocked {
        at: Cell::flat(1, 1).into(),
        reason,
    };
    let digest_of = |words: [&'static str; 3]| {
        let [a, b, c] = words.map(error);
        digest(&[&a, &b, &c])
    };
    let first = digest_of(["it is dug away", "it is locked", "it is dug away"]);
    assert_eq!(
        first,
        digest_of(["no floor", "no key", "no floor"]),
        "other words"
    );
    assert_ne!(
        first,
        digest_of(["no floor", "no key", "no key"]),
        "another reason"
    );
}

#[test]
fn an_error_is_encoded_by_its_position_and_not_by_its_text() {
    let error = |line, expected, found: &str| TextError::Expected {
        line,
        column: 2,
        expected,
        found: found.to_owned(),
    };
    let first = digest(&[&error(1, "a number", "the end of the line")]);
    assert_eq!(first, digest(&[&error(1, "digits", "nothing")]));
    check_all_differ(&[
        &error(1, "a number", "`x`"),
        &error(1, "a number", "`y`"),
        &error(2, "a number", "`x`"),
        &error(1, "a number", "the end of the line"),
    ]);
}

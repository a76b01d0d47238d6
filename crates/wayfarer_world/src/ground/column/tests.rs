use wayfarer_base::Rng;

use super::*;

const ROOF: Terrain = Terrain::SWAMP;

/// Which heights from -8 to 15 are solid.
fn solid_in(floors: &Floors) -> [bool; 24] {
    let mut found = [false; 24];
    for (bottom, top) in solids(floors) {
        let top = top.map_or(16, |(top, _)| top);
        for z in bottom.max(-8)..top.min(16) {
            found[usize::try_from(z + 8).unwrap()] = true;
        }
    }
    found
}

fn check(floors: &[(i32, Terrain)], action: impl Fn(&mut Floors), expected: &[(i32, Terrain)]) {
    let mut now = floors.to_vec();
    action(&mut now);
    assert_eq!(now, expected);
}

const GROUND: Terrain = Terrain::GROUND;
const SOLID: Terrain = Terrain::SOLID;

#[test]
fn a_wall_covers_the_floor_it_stands_on_and_a_bridge_does_not() {
    check(
        &[(0, GROUND)],
        |floors| fill_column(floors, (0, 3), ROOF),
        &[(0, SOLID), (3, ROOF)],
    );
    check(
        &[(0, GROUND)],
        |floors| fill_column(floors, (5, 6), ROOF),
        &[(0, GROUND), (5, SOLID), (6, ROOF)],
    );
}

#[test]
fn boxes_that_touch_merge() {
    let tower = [(0, SOLID), (3, ROOF)];
    check(
        &tower,
        |floors| fill_column(floors, (3, 5), GROUND),
        &[(0, SOLID), (5, GROUND)],
    );
    check(&tower, |floors| fill_column(floors, (1, 2), GROUND), &tower);
    check(
        &tower,
        |floors| fill_column(floors, (-2, 0), GROUND),
        &[(-2, SOLID), (3, ROOF)],
    );
    check(
        &tower,
        |floors| fill_column(floors, (4, 5), GROUND),
        &[(0, SOLID), (3, ROOF), (4, SOLID), (5, GROUND)],
    );
}

#[test]
fn carving_leaves_the_requested_floor() {
    let tower = [(0, SOLID), (6, ROOF)];
    let carve = |range, floor| move |floors: &mut Floors| carve_column(floors, range, floor);
    check(&tower, carve((0, 6), Some(GROUND)), &[(0, GROUND)]);
    check(&tower, carve((0, 6), None), &[]);
    // The upper half, a gap in between, the lower half.
    check(&tower, carve((2, 9), None), &[(0, SOLID), (2, ROOF)]);
    check(
        &tower,
        carve((2, 4), Some(GROUND)),
        &[(0, SOLID), (2, GROUND), (4, SOLID), (6, ROOF)],
    );
    check(
        &tower,
        carve((-1, 2), Some(GROUND)),
        &[(-1, GROUND), (2, SOLID), (6, ROOF)],
    );
    // Solid ground opens; a floor at the bottom stays, one inside is removed.
    check(&[], carve((0, 3), Some(GROUND)), &[(0, GROUND)]);
    check(&[(0, ROOF)], carve((0, 3), Some(GROUND)), &[(0, ROOF)]);
    check(
        &[(0, ROOF), (2, GROUND), (3, GROUND)],
        carve((0, 3), None),
        &[(0, ROOF), (3, GROUND)],
    );
}

#[test]
fn a_column_is_solid_exactly_where_it_was_filled_last() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mut floors = if rng.chance(1, 2) {
            vec![(0, GROUND)]
        } else {
            Vec::new()
        };
        let mut solid = [false; 24];
        for _ in 0..12 {
            let bottom = rng.between(-8, 14);
            let top = rng.between(bottom + 1, 15);
            let is_filled = rng.chance(1, 2);
            if is_filled {
                fill_column(&mut floors, (bottom, top), ROOF);
            } else {
                let floor = rng.chance(1, 2).then_some(GROUND);
                carve_column(&mut floors, (bottom, top), floor);
            }
            for z in bottom..top {
                solid[usize::try_from(z + 8).unwrap()] = is_filled;
            }
            assert_eq!(solid_in(&floors), solid, "seed {seed}: {floors:?}");
            assert!(floors.is_sorted_by(|a, b| a.0 < b.0));
            // Every solid has a top.
            assert!(solids(&floors).iter().all(|(_, top)| top.is_some()));
        }
    }
}

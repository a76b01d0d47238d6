use std::collections::BTreeSet;

use wayfarer_base::{Direction, Profile};
use wayfarer_testkit::{WorldKind, random_world};

use super::*;
use crate::ground::StepBuffer;

/// The cells that the bits of its sheet give as steps from a cell.
fn steps_by_bits(ground: &Ground, node: NodeId) -> BTreeSet<Cell> {
    let (bits, at) = (ground.bits(node), ground.cell(node));
    let (rows, columns) = (
        bits.rows(node.y_in_sector()),
        bits.columns(node.x_in_sector()),
    );
    let open = |dx: i32, dy: i32| {
        let by_row = rows >> ((dy + 1) * 18 + dx + 1) >> node.x_in_sector() & 1;
        let (x, y) = (
            node.x_in_sector().cast_signed() + dx,
            node.y_in_sector().cast_signed() + dy,
        );
        assert_eq!(by_row == 1, bits.sees(x, y), "{at} and ({dx}, {dy})");
        if (0..16).contains(&y) {
            let by_column = columns[(dx + 1).unsigned_abs() as usize] >> y & 1;
            assert_eq!(by_row, u64::from(by_column), "{at} and ({dx}, {dy})");
        }
        by_row == 1
    };
    assert_eq!(bits.cell(node), at);
    for direction in Direction::STRAIGHT {
        let exits = bits.exits(direction);
        for (row, bit) in (0..16).zip(0..) {
            let beyond = match direction {
                Direction::North => (row, -1),
                Direction::East => (16, row),
                Direction::South => (row, 16),
                _ => (-1, row),
            };
            assert_eq!(exits >> bit & 1 == 1, bits.sees(beyond.0, beyond.1));
        }
    }
    let steps = Direction::ALL.into_iter().filter(|direction| {
        let (dx, dy) = direction.offset();
        open(dx, dy) && open(dx, 0) && open(0, dy)
    });
    steps
        .map(|direction| {
            let (dx, dy) = direction.offset();
            let (x, y) = (
                node.x_in_sector().wrapping_add_signed(dx),
                node.y_in_sector().wrapping_add_signed(dy),
            );
            let beyond = |at: u32| i32::from(at == 16) - i32::from(at == u32::MAX);
            let over = Direction::ALL
                .into_iter()
                .find(|over| over.offset() == (beyond(x), beyond(y)));
            let there = over.map_or(Some(bits), |over| bits.next(over));
            ground.cell(there.unwrap().node(x & 15, y & 15))
        })
        .collect()
}

#[test]
fn the_bits_of_plain_sheets_say_every_step() {
    let (mut n_plain, mut n_rough) = (0, 0);
    for kind in WorldKind::ALL {
        for seed in 0..12 {
            let ground = Ground::from_plan(&random_world(seed, kind)).unwrap();
            let mut buffer = StepBuffer::default();
            for node in ground.nodes() {
                if !ground.bits(node).is_plain() {
                    n_rough += 1;
                    continue;
                }
                n_plain += 1;
                let steps = ground.steps(node, &mut buffer);
                let cells: BTreeSet<Cell> = steps.map(|(to, _)| ground.cell(to)).collect();
                assert_eq!(cells, steps_by_bits(&ground, node), "{kind:?} {seed}");
            }
        }
    }
    assert!(n_plain > 1_000 && n_rough > 1_000, "{n_plain} {n_rough}");
}

#[test]
fn a_sheet_is_full_if_nothing_in_or_around_it_is_closed() {
    let mut map = wayfarer_base::Raster::new(48, 48).unwrap();
    for at in map.rect().columns() {
        map.set(at.x, at.y, Some(wayfarer_base::Terrain::GROUND));
    }
    let is_full = |map: &wayfarer_base::Raster| {
        let ground = Ground::from_raster(map);
        let node = |x, y| ground.node(Cell::flat(x, y)).unwrap();
        assert!(!ground.bits(node(2, 2)).is_full(), "at the edge of the map");
        ground.bits(node(20, 20)).is_full()
    };
    assert!(is_full(&map));
    // In it, and next to it on every side and at every corner.
    for (x, y) in [
        (16, 16),
        (24, 31),
        (15, 15),
        (32, 32),
        (15, 32),
        (32, 15),
        (20, 15),
        (32, 20),
    ] {
        let mut holed = map.clone();
        holed.set(x, y, None);
        assert!(!is_full(&holed), "({x}, {y})");
    }
    map.set(14, 20, None);
    map.set(33, 33, None);
    assert!(is_full(&map), "too far away to be seen");
}

#[test]
fn a_way_is_listed_for_each_direction_that_it_can_be_taken_in() {
    let plan = random_world(3, WorldKind::Passages);
    let ground = Ground::from_plan(&plan).unwrap();
    let keys = plan.profile.keys;
    let open = plan
        .passages
        .iter()
        .filter(|passage| passage.gate.lets_through(keys));
    let expected: usize = open
        .map(|passage| if passage.ways == Ways::Both { 2 } else { 1 })
        .sum();
    assert!(expected > 0);
    assert_eq!(ground.ways().count(), expected);
    assert_eq!(Ground::new(Profile::WALKER).unwrap().ways().count(), 0);
}

//! Bits of sheets against successors.

use std::collections::BTreeSet;

use wayfarer_base::{Direction, Profile};
use wayfarer_testkit::{WorldKind, random_world};

use super::*;
use crate::ground::SuccessorBuffer;

/// The successors that the bits of its sheet give for a cell.
fn steps_by_bits(ground: &Ground, node: NodeId) -> BTreeSet<Cell> {
    let (bits, at) = (ground.bits(node), ground.cell(node));
    let (rows, columns) = (
        bits.rows(node.y_in_sector()),
        bits.columns(node.x_in_sector()),
    );
    let open = |dx: i32, dy: i32| {
        let (x, y) = (
            node.x_in_sector().cast_signed() + dx,
            node.y_in_sector().cast_signed() + dy,
        );
        let is_open = bits.is_walkable(x, y);
        assert_eq!(bits.whole_row(y) >> (x + 1) & 1 == 1, is_open, "{at}");
        if (0..16).contains(&x) {
            let by_row = rows[(dy + 1).unsigned_abs() as usize] >> x & 1;
            assert_eq!(by_row == 1, is_open, "{at} and ({dx}, {dy})");
        }
        if (0..16).contains(&y) {
            let by_column = columns[(dx + 1).unsigned_abs() as usize] >> y & 1;
            assert_eq!(by_column == 1, is_open, "{at} and ({dx}, {dy})");
        }
        is_open
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
            assert_eq!(exits >> bit & 1 == 1, bits.is_walkable(beyond.0, beyond.1));
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
            let there = over.map_or(Some(bits), |over| bits.neighbor(over));
            ground.cell(there.unwrap().node(x & 15, y & 15))
        })
        .collect()
}

#[test]
fn the_bits_of_uniform_sheets_determine_every_successor() {
    let (mut n_uniform, mut n_irregular) = (0, 0);
    for kind in WorldKind::ALL {
        for seed in 0..12 {
            let ground = Ground::from_data(&random_world(seed, kind)).unwrap();
            let mut buffer = SuccessorBuffer::default();
            for node in ground.nodes() {
                if !ground.bits(node).is_uniform() {
                    n_irregular += 1;
                    continue;
                }
                n_uniform += 1;
                let steps = ground.successors(node, &mut buffer);
                let cells: BTreeSet<Cell> = steps.map(|(to, _)| ground.cell(to)).collect();
                assert_eq!(cells, steps_by_bits(&ground, node), "{kind:?} {seed}");
            }
        }
    }
    assert!(
        n_uniform > 1_000 && n_irregular > 1_000,
        "{n_uniform} {n_irregular}"
    );
}

#[test]
fn a_nav_link_has_an_edge_for_each_open_direction() {
    let plan = random_world(3, WorldKind::NavLinks);
    let ground = Ground::from_data(&plan).unwrap();
    let keys = plan.profile.keys;
    let open = plan
        .nav_links
        .iter()
        .filter(|nav_link| nav_link.state.admits(keys));
    let expected: usize = open
        .map(|nav_link| {
            if nav_link.direction == LinkDirection::Bidirectional {
                2
            } else {
                1
            }
        })
        .sum();
    assert!(expected > 0);
    assert_eq!(ground.nav_link_edges().count(), expected);
    assert_eq!(
        Ground::new(Profile::DEFAULT)
            .unwrap()
            .nav_link_edges()
            .count(),
        0
    );
}

use wayfarer_base::Edit;

use super::*;
use crate::ascii;
use crate::random::{WorldKind, random_world};

fn found(drawing: &str, profile: &Profile) -> Regions {
    regions(&PlainWorld::new(&ascii::world(drawing)), profile).unwrap()
}

fn name(x: i32, y: i32, ordinal: usize) -> RegionName {
    RegionName {
        sector: SectorId::new(x, y),
        ordinal,
    }
}

#[test]
fn regions_are_ordered_by_their_first_cell_row_by_row() {
    let found = found(
        "
        #..#.
        ..#..
        .#...
        ",
        &Profile::WALKER,
    );
    let cells: Vec<Vec<(i32, i32)>> = found.sectors[&SectorId::new(0, 0)]
        .iter()
        .map(|cells| cells.iter().map(|c| (c.x, c.y)).collect())
        .collect();
    assert_eq!(
        cells,
        [
            vec![(1, 0), (2, 0), (0, 1), (1, 1), (0, 2)],
            vec![(4, 0), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2)],
        ]
    );
    // They touch at corners only, and a corner alone is no step.
    assert!(found.portals.is_empty());
}

#[test]
fn a_full_border_between_two_sectors_has_forty_six_pairs() {
    let rows = vec![".".repeat(32); 16].join("\n");
    let both = found(&rows, &Profile::WALKER);
    assert_eq!(both.portals.len(), 1);
    // 16 straight pairs and 15 corners with two diagonals each.
    let expected = Portal {
        support: 46,
        there: 46,
        back: 46,
    };
    assert_eq!(both.portals[&(name(0, 0, 0), name(1, 0, 0))], expected);
}

#[test]
fn four_sectors_meet_at_a_corner_over_negative_coordinates() {
    let four = found("= 0 at -1,-1\n..\n..", &Profile::WALKER);
    assert_eq!(four.sectors.len(), 4);
    let supports: Vec<u32> = four.portals.values().map(|p| p.support).collect();
    assert_eq!(supports, [1; 6], "four straight, two diagonal");
    let corner = (name(-1, -1, 0), name(0, 0, 0));
    assert_eq!(four.portals[&corner].support, 1);
}

#[test]
fn a_drop_parts_regions_and_is_a_portal_of_one_way() {
    let profile = Profile {
        drop: 3,
        ..Profile::WALKER
    };
    let cliff = found("33\n00", &profile);
    let pair = (name(0, 0, 0), name(0, 0, 1));
    let expected = Portal {
        support: 4, // two straight down, two over the corners
        there: 4,
        back: 0,
    };
    assert_eq!(cliff.portals[&pair], expected);
    let expected = Portal {
        there: 0,
        back: 4,
        ..expected
    };
    assert_eq!(found("00\n33", &profile).portals[&pair], expected);
}

#[test]
fn a_thin_wall_parts_what_it_closes() {
    let mut world = PlainWorld::new(&ascii::world("...."));
    let wall = ascii::wall_between(Cell::flat(1, 0), Cell::flat(2, 0));
    world.apply(&[Edit::PutWall(wall)]);
    let parted = regions(&world, &Profile::WALKER).unwrap();
    assert_eq!(parted.sectors[&SectorId::new(0, 0)].len(), 2);
    assert!(parted.portals.is_empty());
}

#[test]
fn two_floors_in_a_column_are_refused() {
    let world = PlainWorld::new(&ascii::world("..\n= 5 at 1,0\n."));
    assert_eq!(regions(&world, &Profile::WALKER), Err(Column::new(1, 0)));
}

#[test]
fn every_standing_cell_is_in_one_region_and_portals_join_the_components() {
    for kind in [
        WorldKind::Flat,
        WorldKind::Hilly,
        WorldKind::OneWay,
        WorldKind::Walls,
    ] {
        for seed in 0..6 {
            let plan = random_world(seed, kind);
            let mut world = PlainWorld::new(&plan);
            let names: Vec<_> = world.passages().collect();
            for passage in &names {
                world.apply(&[Edit::RemovePassage(passage.into())]);
            }
            let found = regions(&world, &plan.profile).unwrap();
            let listed: usize = found.sectors.values().flatten().map(Vec::len).sum();
            assert_eq!(listed, found.of_cell.len());
            let weak = world.components(&plan.profile);
            assert!(weak.keys().eq(found.of_cell.keys()));
            // Components by way of portals.
            let mut labels: BTreeMap<RegionName, RegionName> =
                found.of_cell.values().map(|n| (*n, *n)).collect();
            for (a, b) in found.portals.keys() {
                let (old, new) = (labels[a].max(labels[b]), labels[a].min(labels[b]));
                for label in labels.values_mut().filter(|label| **label == old) {
                    *label = new;
                }
            }
            let mut by_label: BTreeMap<RegionName, Cell> = BTreeMap::new();
            for (cell, component) in &weak {
                let label = labels[&found.of_cell[cell]];
                assert_eq!(by_label.entry(label).or_insert(*component), component);
            }
            let n_components = weak.iter().filter(|(cell, name)| cell == name).count();
            assert_eq!(by_label.len(), n_components, "{kind:?} {seed}");
        }
    }
}

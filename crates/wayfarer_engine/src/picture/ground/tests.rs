use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{Cell, Raster, Rng, Terrain};
use wayfarer_world::ground::Ground;

use super::*;

/// Random ground, 70 % walkable.
fn caves(seed: u64) -> Ground {
    let mut rng = Rng::new(seed);
    let mut map = Raster::new(70, 50).unwrap();
    for at in map.rect().columns() {
        let open = rng.between(0, 9) < 7;
        map.set(at.x, at.y, open.then_some(Terrain::GROUND));
    }
    Ground::from_raster(&map)
}

fn regions_of(picture: &Picture) -> BTreeMap<Cell, u32> {
    let regions = picture.marks().iter().filter_map(|mark| match mark {
        Mark::Region { cell, number } => Some((*cell, *number)),
        _ => None,
    });
    regions.collect()
}

#[test]
fn every_cell_has_one_mark_with_the_number_of_its_region() {
    let ground = caves(1);
    let mut picture = Picture::default();
    picture.add_regions(&ground);
    let numbers = regions_of(&picture);
    assert_eq!(picture.marks().len(), ground.counts().0);
    assert_eq!(numbers.len(), ground.counts().0);
    let distinct: BTreeSet<u32> = numbers.values().copied().collect();
    assert_eq!(distinct.len(), ground.counts().1);
    for node in ground.nodes() {
        let center = ground.cell(ground.center_of(ground.region(node)));
        assert_eq!(numbers[&ground.cell(node)], numbers[&center]);
    }
}

#[test]
fn regions_that_share_a_border_have_different_colors() {
    // Bars from west to east, so that sectors have at most eight regions each.
    let mut map = Raster::new(64, 64).unwrap();
    for at in map.rect().columns() {
        let open = at.y % 5 != 0 || at.x % 11 == 3;
        map.set(at.x, at.y, open.then_some(Terrain::GROUND));
    }
    let ground = Ground::from_raster(&map);
    let mut picture = Picture::default();
    picture.add_regions(&ground).add_portals(&ground);
    let numbers = regions_of(&picture);
    let mut n_borders = 0;
    for mark in picture.marks() {
        if let Mark::Portal { from, to, .. } = mark {
            n_borders += 1;
            assert_ne!(numbers[from] % 12, numbers[to] % 12, "{from} and {to}");
        }
    }
    assert!(n_borders > 20);
}

#[test]
fn a_portal_is_one_edge_with_its_support() {
    for seed in 0..5 {
        let ground = caves(seed);
        let mut picture = Picture::default();
        picture.add_portals(&ground);
        let mut expected = BTreeSet::new();
        for region in ground.regions() {
            let center = |region| ground.cell(ground.center_of(region));
            ground.for_each_portal(region, |portal| {
                let ends = [center(region), center(portal.to)];
                let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                // On flat ground the support is symmetric.
                expected.insert((ends, u32::from(portal.support)));
            });
        }
        let found: Vec<_> = picture
            .marks()
            .iter()
            .map(|mark| match mark {
                Mark::Portal { from, to, support } => ([*from.min(to), *from.max(to)], *support),
                other => panic!("{other:?} is not a portal"),
            })
            .collect();
        assert_eq!(found.len(), expected.len(), "seed {seed}");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    }
}

#[test]
fn the_largest_component_has_number_0() {
    let map = Raster::from_bytes(7, 1, vec![0, 255, 0, 0, 0, 255, 0]).unwrap();
    let ground = Ground::from_raster(&map);
    let mut picture = Picture::default();
    picture.add_components(&ground);
    let numbers: BTreeMap<i32, u32> = picture
        .marks()
        .iter()
        .map(|mark| match mark {
            Mark::Component { cell, number } => (cell.x, *number),
            other => panic!("{other:?} among the components"),
        })
        .collect();
    assert_eq!([2, 3, 4].map(|x| numbers[&x]), [0; 3]);
    let rest = BTreeSet::from([numbers[&0], numbers[&6]]);
    assert_eq!(rest, BTreeSet::from([1, 2]));
}

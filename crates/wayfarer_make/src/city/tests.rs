//! Determinism, sectors and composition of cities.

use wayfarer_base::Rng;

use super::*;
use crate::{GeneratedWorld, Recipe, make};

#[test]
fn a_sector_does_not_depend_on_the_order_of_generation() {
    let city = City::new(5000, 11).unwrap();
    let mut ids: Vec<SectorId> = (0..12)
        .flat_map(|y| (0..12).map(move |x| SectorId::new(100 + x, 200 + y)))
        .collect();
    let forward: Vec<SectorCells> = ids.iter().map(|&id| city.sector(id)).collect();
    Rng::new(3).shuffle(&mut ids);
    for id in ids {
        let again = City::new(5000, 11).unwrap().sector(id);
        let first = forward.iter().find(|sector| sector.id() == id).unwrap();
        assert_eq!(*first, again);
    }
}

#[test]
fn a_larger_city_of_the_same_seed_is_equal_away_from_the_border() {
    let (small, large) = (City::new(600, 5).unwrap(), City::new(1 << 20, 5).unwrap());
    // Blocks cut by the border of the small city may differ: stay two blocks away.
    for y in 0..28 {
        for x in 0..28 {
            let id = SectorId::new(x, y);
            assert_eq!(small.sector(id), large.sector(id), "{id}");
        }
    }
}

#[test]
fn the_flat_map_is_the_union_of_the_sectors() {
    let city = City::with_sides(333, 210, 2).unwrap();
    let Ok(GeneratedWorld::Flat(map)) = make(&Recipe::new(Generator::City, 333, 210, 2)) else {
        panic!("cities are flat");
    };
    for id in city.sectors() {
        let sector = city.sector(id);
        for column in id.rect().columns() {
            assert_eq!(sector.terrain(column), map.get(column.x, column.y));
        }
        let listed: Vec<_> = sector.cells().collect();
        let expected = id.rect().columns().filter_map(|at| {
            let terrain = map.get(at.x, at.y)?;
            Some((at.at(0), terrain))
        });
        assert!(listed.into_iter().eq(expected));
    }
    for id in [(-1, 0), (0, -1), (21, 0), (0, 14), (i32::MAX, i32::MIN)] {
        assert!(city.sector(SectorId::new(id.0, id.1)).is_empty(), "{id:?}");
    }
}

#[test]
fn every_terrain_occurs_and_about_half_is_built_up() {
    let Ok(GeneratedWorld::Flat(map)) = make(&Recipe::new(Generator::City, 1024, 1024, 1)) else {
        panic!("cities are flat");
    };
    let count = |what: u8| map.bytes().iter().filter(|&&cell| cell == what).count();
    for terrain in [
        Terrain::GROUND,
        Terrain::SWAMP,
        Terrain::WATER,
        Terrain::TREES,
    ] {
        assert!(count(terrain.number()) > 1000, "{terrain}");
    }
    let built = count(ROCK) * 100 / map.bytes().len();
    assert!((40..=65).contains(&built), "{built}%");
}

#[test]
fn any_sector_of_a_huge_city_is_generated() {
    let city = City::new(City::MAX_SIDE, 9).unwrap();
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let id = SectorId::new(rng.between(0, 65_535), rng.between(0, 65_535));
        let sector = city.sector(id);
        assert_eq!(sector, city.sector(id));
        assert_eq!(sector.to_raster().bytes(), sector.cells);
    }
    assert!(!city.sector(SectorId::new(65_535, 65_535)).is_empty());
}

#[test]
fn sizes_out_of_range_are_rejected() {
    assert_eq!(
        City::new(0, 1).unwrap_err().to_string(),
        "city: size 0 x 0, expected sides of at least 1"
    );
    assert_eq!(
        City::with_sides(5, City::MAX_SIDE + 1, 1)
            .unwrap_err()
            .to_string(),
        "city: size 5 x 1048577, expected sides of at most 1048576"
    );
}

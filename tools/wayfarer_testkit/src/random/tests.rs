//! Features of random worlds and profiles.

use super::*;
use crate::ReferenceWorld;

#[test]
fn every_kind_has_its_features_within_the_area() {
    for kind in WorldKind::ALL {
        for seed in 0..8 {
            let data = random_world(seed, kind);
            assert_eq!(data, random_world(seed, kind));
            assert_ne!(data, random_world(seed + 100, kind));
            let description = || format!("{kind:?} {seed}\n{data:?}");
            assert!(data.cells.len() > 50, "{}", description());
            for (cell, _) in &data.cells {
                assert!(AREA.contains(cell.column()), "{cell} {}", description());
                assert!(
                    (HEIGHTS.0..=HEIGHTS.1).contains(&cell.z),
                    "{cell} {}",
                    description()
                );
            }
            let is_flat = data.cells.iter().all(|(cell, _)| cell.z == 0);
            let hilly = [
                WorldKind::Hilly,
                WorldKind::OneWay,
                WorldKind::Floors,
                WorldKind::Mixed,
            ];
            assert_eq!(is_flat, !hilly.contains(&kind), "{}", description());
            let n_columns = data.cells.iter().map(|(c, _)| c.column());
            let n_columns = n_columns.collect::<std::collections::BTreeSet<_>>().len();
            let has_floors = matches!(kind, WorldKind::Floors | WorldKind::Mixed);
            assert_eq!(
                n_columns < data.cells.len(),
                has_floors,
                "{}",
                description()
            );
            let has_links = matches!(
                kind,
                WorldKind::NavLinks | WorldKind::OneWay | WorldKind::Mixed
            );
            assert_eq!(!data.nav_links.is_empty(), has_links, "{}", description());
            let is_varied = data.cells.iter().any(|(_, t)| *t != Terrain::GROUND);
            let has_terrains = matches!(kind, WorldKind::Terrains | WorldKind::Mixed);
            assert_eq!(is_varied, has_terrains, "{}", description());
        }
    }
}

#[test]
fn one_way_worlds_have_steps_without_a_path_back() {
    let data = random_world(2, WorldKind::OneWay);
    let world = ReferenceWorld::new(&data);
    let table = world.successor_table(&data.profile);
    let has_no_path_back =
        |from: &Cell, to: &Cell| world.path_cost(*to, *from, &data.profile).is_none();
    let mut pairs = table.iter().flat_map(|(from, successors)| {
        successors.iter().map(move |successor| (from, &successor.0))
    });
    assert!(pairs.any(|(from, to)| has_no_path_back(from, to)));
}

#[test]
fn most_random_profiles_have_successors() {
    let mut rng = Rng::new(4);
    let world = ReferenceWorld::new(&random_world(3, WorldKind::Mixed));
    let mut n_moving = 0;
    for _ in 0..30 {
        let profile = random_profile(&mut rng);
        assert!(profile.height >= 1 && profile.max_step >= 0 && profile.max_drop >= 0);
        let table = world.successor_table(&profile);
        n_moving += u32::from(table.values().any(|successors| !successors.is_empty()));
    }
    assert!(n_moving > 20, "{n_moving} of 30");
}

use super::*;
use crate::ReferenceWorld;

#[test]
fn every_kind_is_what_it_says_and_keeps_to_its_area() {
    for kind in WorldKind::ALL {
        for seed in 0..8 {
            let plan = random_world(seed, kind);
            assert_eq!(plan, random_world(seed, kind));
            assert_ne!(plan, random_world(seed + 100, kind));
            let drawn = || format!("{kind:?} {seed}\n{plan:?}");
            assert!(plan.cells.len() > 50, "{}", drawn());
            for (cell, _) in &plan.cells {
                assert!(AREA.contains(cell.column()), "{cell} {}", drawn());
                assert!(
                    (HEIGHTS.0..=HEIGHTS.1).contains(&cell.z),
                    "{cell} {}",
                    drawn()
                );
            }
            let flat = plan.cells.iter().all(|(cell, _)| cell.z == 0);
            let hilly = [
                WorldKind::Hilly,
                WorldKind::OneWay,
                WorldKind::Floors,
                WorldKind::Mixed,
            ];
            assert_eq!(flat, !hilly.contains(&kind), "{}", drawn());
            let n_columns = plan.cells.iter().map(|(c, _)| c.column());
            let n_columns = n_columns.collect::<std::collections::BTreeSet<_>>().len();
            let many = matches!(kind, WorldKind::Floors | WorldKind::Mixed);
            assert_eq!(n_columns < plan.cells.len(), many, "{}", drawn());
            let paths = matches!(
                kind,
                WorldKind::NavLinks | WorldKind::OneWay | WorldKind::Mixed
            );
            assert_eq!(!plan.nav_links.is_empty(), paths, "{}", drawn());
            let painted = plan.cells.iter().any(|(_, t)| *t != Terrain::GROUND);
            let terrains = matches!(kind, WorldKind::Terrains | WorldKind::Mixed);
            assert_eq!(painted, terrains, "{}", drawn());
        }
    }
}

#[test]
fn one_way_worlds_have_cells_one_cannot_come_back_from() {
    let plan = random_world(2, WorldKind::OneWay);
    let world = ReferenceWorld::new(&plan);
    let steps = world.step_table(&plan.profile);
    let has_no_path_back =
        |from: &Cell, to: &Cell| world.path_cost(*to, *from, &plan.profile).is_none();
    let mut pairs = steps
        .iter()
        .flat_map(|(from, successors)| successors.iter().map(move |path| (from, &path.0)));
    assert!(pairs.any(|(from, to)| has_no_path_back(from, to)));
}

#[test]
fn random_agents_differ_and_most_of_them_can_walk() {
    let mut rng = Rng::new(4);
    let world = ReferenceWorld::new(&random_world(3, WorldKind::Mixed));
    let mut n_walkers = 0;
    for _ in 0..30 {
        let profile = random_profile(&mut rng);
        assert!(profile.height >= 1 && profile.max_step >= 0 && profile.max_drop >= 0);
        let table = world.step_table(&profile);
        n_walkers += u32::from(table.values().any(|steps| !steps.is_empty()));
    }
    assert!(n_walkers > 20, "{n_walkers} of 30");
}

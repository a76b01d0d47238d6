//! Validity and balance of random batches.

use std::collections::BTreeMap;

use wayfarer_base::LinkState;

use super::*;
use crate::random::{WorldKind, random_world};

/// The kind of an edit, for counting.
fn kind(edit: &GroundEdit) -> &'static str {
    match edit {
        GroundEdit::PutCell { .. } => "put cell",
        GroundEdit::RemoveCell { .. } => "remove cell",
        GroundEdit::Fill { .. } => "fill",
        GroundEdit::Clear { .. } => "clear",
        GroundEdit::Patch { .. } => "patch",
        GroundEdit::SetFloors(_)
        | GroundEdit::FillBox { .. }
        | GroundEdit::CarveBox { .. }
        | GroundEdit::PutSolid { .. }
        | GroundEdit::RemoveSolid(_) => "solid",
        GroundEdit::PutWall(_) => "put wall",
        GroundEdit::RemoveWall(_) => "remove wall",
        GroundEdit::PutNavLink(_) => "put nav link",
        GroundEdit::RemoveNavLink(_) => "remove nav link",
        GroundEdit::SetNavLinkState { .. } => "set nav link state",
        GroundEdit::PutCostModifier { .. } => "put cost modifier",
        GroundEdit::RemoveCostModifier(_) => "remove cost modifier",
    }
}

#[test]
fn long_series_use_every_edit_and_neither_fill_nor_empty_the_world() {
    let mut counts = BTreeMap::new();
    for world_kind in WorldKind::ALL {
        let mut rng = Rng::for_stream(9, world_kind as u64);
        let mut world = ReferenceWorld::new(&random_world(5, world_kind));
        let (mut n_edits, mut n_unchanged) = (0, 0);
        while n_edits < 6_000 {
            let batch = random_batch(&mut rng, &world);
            assert!((1..=6).contains(&batch.len()));
            for edit in &batch {
                *counts.entry(kind(edit)).or_insert(0) += 1;
                check_well_formed(edit, &world);
                let before = world.n_cells();
                world.apply(std::slice::from_ref(edit));
                n_unchanged += usize::from(before == world.n_cells());
            }
            n_edits += batch.len();
            let n_cells = world.n_cells();
            assert!((300..9_000).contains(&n_cells), "{n_cells} cells");
            assert!(world.cells().all(|(cell, _)| AREA.contains(cell.column())));
        }
        assert!(world.nav_links().count() <= MAX_NAV_LINKS + 6);
        assert!(world.modifiers().count() <= 12);
        assert!(
            n_unchanged < n_edits,
            "some edits change the number of floors"
        );
    }
    assert_eq!(counts.len(), 12, "{counts:?}");
    assert!(counts.values().all(|n| *n > 500), "{counts:?}");
}

#[track_caller]
fn check_well_formed(edit: &GroundEdit, world: &ReferenceWorld) {
    match edit {
        GroundEdit::PutNavLink(nav_link) => {
            assert!(nav_link.cost.units() > 0 && nav_link.from != nav_link.to);
            assert_ne!(nav_link.state, LinkState::Locked(0));
        }
        GroundEdit::SetNavLinkState { nav_link, state } => {
            assert!(world.nav_link(*nav_link).is_some());
            assert_ne!(*state, LinkState::Locked(0));
        }
        GroundEdit::RemoveNavLink(id) => assert!(world.nav_link(*id).is_some()),
        GroundEdit::RemoveCell { cell } => assert!(AREA.contains(cell.column())),
        _ => {}
    }
}

#[test]
fn equal_seeds_give_equal_batches() {
    let world = ReferenceWorld::new(&random_world(1, WorldKind::Mixed));
    let (mut a, mut b) = (Rng::new(3), Rng::new(3));
    for _ in 0..100 {
        assert_eq!(random_batch(&mut a, &world), random_batch(&mut b, &world));
    }
}

#[test]
fn a_height_range_of_zero_keeps_a_flat_world_flat() {
    let mut world = ReferenceWorld::new(&random_world(2, WorldKind::NavLinks));
    let mut rng = Rng::new(7);
    for _ in 0..2_000 {
        let batch = random_batch_between(&mut rng, &world, (0, 0));
        world.apply(&batch);
        assert!(world.n_cells() > 300);
    }
    assert!(world.cells().all(|(cell, _)| cell.z == 0));
}

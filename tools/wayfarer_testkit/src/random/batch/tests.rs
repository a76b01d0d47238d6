use std::collections::BTreeMap;

use wayfarer_base::LinkState;

use super::*;
use crate::random::{WorldKind, random_world};

/// The name of an edit's kind, for counting.
fn kind(edit: &GroundEdit) -> &'static str {
    match edit {
        GroundEdit::PutCell { .. } => "put cell",
        GroundEdit::RemoveCell { .. } => "remove cell",
        GroundEdit::Fill { .. } => "fill",
        GroundEdit::Clear { .. } => "clear",
        GroundEdit::Patch { .. } => "patch",
        GroundEdit::PutWall(_) => "put wall",
        GroundEdit::RemoveWall(_) => "remove wall",
        GroundEdit::PutNavLink(_) => "put passage",
        GroundEdit::RemoveNavLink(_) => "remove passage",
        GroundEdit::SetNavLinkState { .. } => "set gate",
        GroundEdit::PutCostModifier { .. } => "put effect",
        GroundEdit::RemoveCostModifier(_) => "remove effect",
    }
}

#[test]
fn long_series_use_every_edit_and_neither_fill_nor_empty_the_world() {
    let mut counts = BTreeMap::new();
    for world_kind in WorldKind::ALL {
        let mut rng = Rng::for_part(9, world_kind as u64);
        let mut world = ReferenceWorld::new(&random_world(5, world_kind));
        let (mut n_edits, mut n_idle) = (0, 0);
        while n_edits < 6_000 {
            let batch = random_batch(&mut rng, &world);
            assert!((1..=6).contains(&batch.len()));
            for edit in &batch {
                *counts.entry(kind(edit)).or_insert(0) += 1;
                check_well_formed(edit, &world);
                let before = world.n_cells();
                world.apply(std::slice::from_ref(edit));
                n_idle += usize::from(before == world.n_cells());
            }
            n_edits += batch.len();
            let n_cells = world.n_cells();
            assert!((300..9_000).contains(&n_cells), "{n_cells} cells");
            assert!(world.cells().all(|(cell, _)| AREA.contains(cell.column())));
        }
        assert!(world.nav_links().count() <= MAX + 6);
        assert!(world.modifiers().count() <= 12);
        assert!(n_idle < n_edits, "some edits change the floors");
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
        GroundEdit::SetNavLinkState {
            nav_link: passage,
            state: gate,
        } => {
            assert!(world.nav_link(*passage).is_some());
            assert_ne!(*gate, LinkState::Locked(0));
        }
        GroundEdit::RemoveNavLink(name) => assert!(world.nav_link(*name).is_some()),
        GroundEdit::RemoveCell { cell } => assert!(AREA.contains(cell.column())),
        _ => {}
    }
}

#[test]
fn equal_dice_draw_equal_batches() {
    let world = ReferenceWorld::new(&random_world(1, WorldKind::Mixed));
    let (mut a, mut b) = (Rng::new(3), Rng::new(3));
    for _ in 0..100 {
        assert_eq!(random_batch(&mut a, &world), random_batch(&mut b, &world));
    }
}

#[test]
fn a_flat_world_stays_flat_if_asked() {
    let mut world = ReferenceWorld::new(&random_world(2, WorldKind::NavLinks));
    let mut rng = Rng::new(7);
    for _ in 0..2_000 {
        let batch = random_batch_between(&mut rng, &world, (0, 0));
        world.apply(&batch);
        assert!(world.n_cells() > 300);
    }
    assert!(world.cells().all(|(cell, _)| cell.z == 0));
}

use wayfarer_base::{Cell, Column, GroundEdit, Profile, Rect, Rng, Terrain, WorldData};

use super::*;

/// `size` by `size` columns, of which a share is closed.
fn ground(size: i32, percent: u32, seed: u64) -> Ground {
    let mut rng = Rng::new(seed);
    let all = Rect::around(Column::new(0, 0), Column::new(size - 1, size - 1));
    let open = all.columns().filter(|_| !rng.chance(percent, 100));
    let data = WorldData {
        profile: Profile::DEFAULT,
        cells: open.map(|at| (at.at(0), Terrain::GROUND)).collect(),
        ..WorldData::default()
    };
    Ground::from_data(&data).unwrap()
}

#[test]
fn ground_with_many_single_obstacles_is_scattered_and_open_or_small_ground_is_not() {
    for (size, percent, is_scattered) in [
        (272, 0, false),
        (272, 2, false),
        (272, 10, true),
        (272, 40, true),
        (200, 10, false),
    ] {
        let ground = ground(size, percent, 3);
        let found = Scatter::default().applies(NavGraph::from(&ground), 4);
        assert_eq!(found, is_scattered, "{percent} % of {size} x {size}");
    }
}

#[test]
fn counts_that_follow_edits_equal_new_ones() {
    let mut ground = ground(272, 8, 4);
    let wide = Profile {
        radius: wayfarer_base::Fixed::from_raw(300),
        ..Profile::DEFAULT
    };
    let wide = ground.register_profile(wide).unwrap();
    let mut rng = Rng::new(5);
    let mut kept = [Scatter::default(), Scatter::default()];
    for round in 0..60 {
        for (kept, profile_id) in kept.iter_mut().zip([None, Some(wide)]) {
            let nav_graph = NavGraph::new(&ground, profile_id).unwrap();
            let mut new = Scatter::default();
            new.applies(nav_graph, 4);
            kept.applies(nav_graph, 4);
            assert_eq!(kept.sum, new.sum, "round {round}, {profile_id:?}");
        }
        let edits: Vec<GroundEdit> = (0..20)
            .map(|_| {
                let cell = Cell::flat(rng.between(0, 271), rng.between(0, 271));
                match rng.chance(1, 2) {
                    true => GroundEdit::PutCell {
                        cell,
                        terrain: Terrain::GROUND,
                    },
                    false => GroundEdit::RemoveCell { cell },
                }
            })
            .collect();
        let present = |edit: &GroundEdit| match edit {
            GroundEdit::RemoveCell { cell } => ground.node(*cell).is_some(),
            _ => true,
        };
        let edits: Vec<GroundEdit> = edits.into_iter().filter(present).collect();
        let Ok(changes) = ground.apply(&edits) else {
            continue;
        };
        kept.iter_mut()
            .for_each(|kept| kept.apply_set(&ground, &changes.changes));
    }
}

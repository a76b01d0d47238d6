//! Statistics against the dense reference.

use super::*;

#[test]
fn component_sizes_equal_those_of_the_reference() {
    for seed in 0..120 {
        let world = random_world(seed);
        let air = world.to_air();
        let labels = world.components();
        let mut expected = std::collections::BTreeMap::new();
        for label in labels.into_iter().filter(|label| *label != 0) {
            *expected.entry(label).or_insert(0_u64) += 1;
        }
        let mut expected: Vec<u64> = expected.into_values().collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        let sizes = air.component_sizes();
        let found: Vec<u64> = sizes.iter().map(|(_, size)| *size).collect();
        assert_eq!(found, expected, "seed {seed}");
        assert_eq!(air.n_components(), expected.len() as u64, "seed {seed}");
        for at in world.voxels().step_by(17).filter(|at| world.is_free(*at)) {
            let component = air.component(at).unwrap();
            assert!(sizes.iter().any(|(known, _)| *known == component));
        }
    }
}

#[test]
fn layer_counts_cover_every_voxel_and_node_once() {
    for seed in 0..60 {
        let world = random_world(seed);
        let air = world.to_air();
        let layers = air.layers();
        assert_eq!(layers.len(), usize::from(air.top_layer()) + 1);
        let nodes: u64 = layers.iter().map(LayerCount::n_nodes).sum();
        assert_eq!(nodes, air.n_nodes() as u64, "seed {seed}");
        for pair in layers.windows(2).skip(1) {
            assert_eq!(pair[0].n_nodes(), 8 * pair[1].n_mixed, "seed {seed}");
        }
        assert_eq!(layers[0].n_nodes(), 8 * layers[1].n_mixed, "seed {seed}");
        // Free and solid nodes and the voxels of mixed leaves fill the root.
        let whole = |of: fn(&LayerCount) -> u64| -> u64 {
            let volume = |layer: &LayerCount| of(layer) * u64::from(layer.side).pow(3);
            layers.iter().map(volume).sum()
        };
        let mixed = 64 * layers[0].n_mixed;
        let solid = whole(|layer| layer.n_solid);
        let root = (4_u64 << air.top_layer()).pow(3);
        assert_eq!(whole(|layer| layer.n_free) + solid + mixed, root);
        assert!(solid <= air.n_solid() && air.n_solid() <= solid + mixed);
    }
}

#[test]
fn statistics_are_correct_after_edits() {
    let mut air = random_world(5).to_air();
    let (low, high) = (air.low(), air.high());
    air.apply(&[AirEdit::Fill { low, high }]).unwrap();
    assert_eq!((air.n_components(), air.component_sizes()), (0, Vec::new()));
    air.apply(&[AirEdit::Clear { low, high }]).unwrap();
    assert_eq!(air.n_components(), 1);
    let nodes: u64 = air.layers().iter().map(LayerCount::n_nodes).sum();
    assert_eq!(nodes, air.n_nodes() as u64);
}

/// Many regions per block and many contacts between blocks: the worst case, processed in bulk.
#[test]
fn sponges_have_the_components_of_the_reference_before_and_after_edits() {
    for seed in 0..24 {
        let mut rng = Rng::new(seed);
        let mut world = Dense::new(Voxel::new(3, -4, 5), [24, 17, 16]);
        let share = [3, 5, 6, 7][rng.below(4) as usize];
        for at in world.voxels() {
            let is_even = (at.x + at.y + at.z) % 2 == 0;
            world.set(at, rng.chance(share, 10) || (seed % 3 == 0 && is_even));
        }
        let mut air = world.to_air();
        check_same(&air, &world, &format!("seed {seed}"));
        for _ in 0..20 {
            let at = Voxel::new(
                world.low.x + rng.below(24) as i32,
                world.low.y + rng.below(17) as i32,
                world.low.z + rng.below(16) as i32,
            );
            let solid = !world.is_solid(at);
            world.set(at, solid);
            let (low, high) = (at, at);
            let edit = if solid {
                AirEdit::Fill { low, high }
            } else {
                AirEdit::Clear { low, high }
            };
            air.apply(&[edit]).unwrap();
        }
        assert_eq!(air.digest(), world.to_air().digest(), "seed {seed}");
        check_same(&air, &world, &format!("seed {seed}, edited"));
    }
}

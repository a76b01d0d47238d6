//! Node lookups and region adjacency against the dense reference.
use super::*;

fn step(at: Voxel, face: Face, by: u32) -> Voxel {
    let by = if face.is_high() {
        by as i32
    } else {
        -(by as i32)
    };
    match face.axis() {
        0 => Voxel::new(at.x + by, at.y, at.z),
        1 => Voxel::new(at.x, at.y + by, at.z),
        _ => Voxel::new(at.x, at.y, at.z + by),
    }
}

fn contains(low: Voxel, side: u32, at: Voxel) -> bool {
    let inside = |low: i32, at: i32| (low..low + side as i32).contains(&at);
    inside(low.x, at.x) && inside(low.y, at.y) && inside(low.z, at.z)
}

/// The located node contains the voxel and reports its content.
#[test]
fn locating_a_voxel_returns_a_uniform_cube_that_contains_it() {
    for seed in 0..60 {
        let world = random_world(seed);
        let air = world.to_air();
        for at in world.voxels() {
            let node = air.locate(at).unwrap();
            assert!(
                contains(node.low, node.side, at),
                "seed {seed}: {at} in {node:?}"
            );
            let expected = if world.is_solid(at) {
                NodeKind::Solid
            } else {
                NodeKind::Free
            };
            assert_eq!(node.kind, expected, "seed {seed}: {at}");
        }
        assert_eq!(
            air.locate(Voxel::new(world.low.x - 1, world.low.y, world.low.z)),
            None
        );
        assert_eq!(air.locate(step(air.high(), Face::Above, 1)), None);
    }
}

#[test]
fn a_region_reaches_exactly_the_faces_its_voxels_touch() {
    for seed in 0..25 {
        let world = random_world(seed);
        let air = world.to_air();
        for layer in 1..=air.top_layer() {
            let mut expected = std::collections::BTreeMap::new();
            for at in world.voxels().filter(|at| world.is_free(*at)) {
                let region = air.region(at, layer).unwrap();
                let (low, side) = air.region_cube(region);
                let faces = expected.entry(region).or_insert(0);
                for (face, next) in Face::ALL.iter().zip(face_neighbors(at)) {
                    if !contains(low, side, next) {
                        *faces |= face.bit();
                    }
                }
            }
            for (region, expected) in expected {
                let faces = air.region_faces(region);
                let found = Face::ALL.into_iter().filter(|face| faces.contains(*face));
                let found = found.fold(0, |bits, face| bits | face.bit());
                assert_eq!(found, expected, "seed {seed} layer {layer}: {region:?}");
            }
        }
    }
}

/// At every scale, two regions are adjacent exactly if voxels of theirs share a face.
#[test]
fn adjacent_regions_are_those_whose_voxels_share_a_face() {
    for seed in 0..25 {
        let world = random_world(seed);
        let air = world.to_air();
        for layer in 1..=air.top_layer().min(3) {
            let mut expected = std::collections::BTreeSet::new();
            let mut all = std::collections::BTreeSet::new();
            for at in world.voxels().filter(|at| world.is_free(*at)) {
                let own = air.region(at, layer).unwrap();
                all.insert(own);
                let (low, side) = air.region_cube(own);
                assert!(side >= 8 && low.x <= at.x && at.x < low.x + side as i32);
                for next in face_neighbors(at)
                    .into_iter()
                    .filter(|next| world.is_free(*next))
                {
                    let other = air.region(next, layer).unwrap();
                    if other != own {
                        expected.insert((own, other));
                    }
                }
            }
            let mut found = std::collections::BTreeSet::new();
            for region in all {
                air.for_each_region_neighbor(region, layer, |_, other| {
                    found.insert((region, other));
                });
            }
            assert_eq!(found, expected, "seed {seed} layer {layer}");
        }
    }
}

/// Start and goal in the same voxel, in an air without solid voxels.
#[test]
fn an_air_of_one_free_voxel_answers_every_query() {
    let air = AirBuilder::new(Voxel::new(5, 5, 5), [1; 3])
        .unwrap()
        .build()
        .unwrap();
    let only = Voxel::new(5, 5, 5);
    assert!(air.is_connected(only, only) && air.has_line_of_sight(only, only));
    let link = air.locate(only).unwrap().link;
    assert_eq!((link.layer(), link.node()), (air.top_layer(), 0));
    let region = air.region(only, 2).unwrap();
    air.for_each_region_neighbor(region, 2, |_, _| panic!("the only voxel has no neighbor"));
}

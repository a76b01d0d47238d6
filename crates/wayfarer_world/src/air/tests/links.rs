use super::*;

/// All nodes and voxels that can be addressed, from the root down.
fn all_spots(air: &Air) -> Vec<Spot> {
    let root = Link::new(air.top_layer(), 0, 0).unwrap();
    let mut open = vec![root];
    let mut spots = Vec::new();
    while let Some(link) = open.pop() {
        let mixed_leaf = link.layer() == 0 && !matches!(air.leaf_voxels(link), Some(0 | u64::MAX));
        let links = if mixed_leaf {
            (0..64)
                .map(|bit| Link::new(0, link.node(), bit).unwrap())
                .collect()
        } else {
            vec![link]
        };
        spots.extend(links.into_iter().map(|link| air.resolve(link).unwrap()));
        if let Some(child) = air.first_child(link) {
            open.extend((0..8).map(|n| Link::new(child.layer(), child.node() + n, 0).unwrap()));
        }
    }
    spots
}

/// A neighbour shares a face, is no smaller, and sees back: the descent of one published port
/// named nodes that are not adjacent, another's links at the border led to the root's child.
#[test]
fn every_neighbour_is_adjacent_and_sees_back() {
    let mut seen = 0;
    for seed in 0..25 {
        let world = made_world(seed);
        let air = world.to_air();
        for spot in all_spots(&air) {
            if world.index(spot.low).is_none() {
                continue;
            }
            for face in Face::ALL {
                let what = format!("seed {seed}: {face:?} of {spot:?}");
                let beyond = step(spot.low, face, if face.is_high() { spot.side } else { 1 });
                let neighbour = air.neighbour(spot.link, face).unwrap();
                // Nothing lies beyond the bounds, and something lies within.
                assert_eq!(neighbour.is_some(), world.index(beyond).is_some(), "{what}");
                let Some(neighbour) = neighbour else {
                    continue;
                };
                assert!(neighbour.side >= spot.side, "{what}: smaller {neighbour:?}");
                assert!(
                    holds(&neighbour, beyond),
                    "{what}: not adjacent {neighbour:?}"
                );
                assert_eq!(
                    air.resolve(neighbour.link).unwrap().low,
                    neighbour.low,
                    "{what}"
                );
                // The address of a leaf with voxels of both kinds is that of its first voxel.
                if neighbour.side != 4 || neighbour.kind != SpotKind::Mixed {
                    let back = air.neighbour(neighbour.link, face.opposite()).unwrap();
                    let back = back.unwrap_or_else(|| panic!("{what}: no way back"));
                    assert!(holds(&back, spot.low), "{what}: {back:?} is not back");
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 20_000, "saw {seen}");
}

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

fn holds(spot: &Spot, at: Voxel) -> bool {
    let inside = |low: i32, at: i32| (low..low + spot.side as i32).contains(&at);
    inside(spot.low.x, at.x) && inside(spot.low.y, at.y) && inside(spot.low.z, at.z)
}

/// The spot of a voxel holds it, says what it is, and has an address that leads back: one port's
/// look-up answers with solid voxels as if they were free.
#[test]
fn localising_finds_the_cube_that_holds_a_voxel() {
    for seed in 0..60 {
        let world = made_world(seed);
        let air = world.to_air();
        for at in world.voxels() {
            let spot = air.localise(at).unwrap();
            assert!(holds(&spot, at), "seed {seed}: {at} in {spot:?}");
            assert_eq!(air.resolve(spot.link), Ok(spot));
            let expected = if world.is_solid(at) {
                SpotKind::Solid
            } else {
                SpotKind::Free
            };
            assert_eq!(spot.kind, expected, "seed {seed}: {at}");
        }
        assert_eq!(
            air.localise(Voxel::new(world.low.x - 1, world.low.y, world.low.z)),
            None
        );
        assert_eq!(air.localise(step(air.high(), Face::Above, 1)), None);
    }
}

#[test]
fn dead_addresses_are_errors() {
    let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [64; 3])
        .unwrap()
        .build()
        .unwrap();
    let one = Voxel::new(9, 9, 9);
    air.apply(&[AirEdit::Fill {
        low: one,
        high: one,
    }])
    .unwrap();
    let link = air.localise(one).unwrap().link;
    assert_eq!(link.layer(), 0);
    air.apply(&[AirEdit::Clear {
        low: one,
        high: one,
    }])
    .unwrap();
    assert!(air.resolve(link).is_err());
    assert!(air.neighbour(link, Face::East).is_err());
    assert_eq!(air.n_nodes(), 1, "merged back into one free cube");
    assert!(air.resolve(Link::new(9, 0, 0).unwrap()).is_err());
    assert!(
        air.resolve(Link::new(air.top_layer(), 1, 0).unwrap())
            .is_err()
    );
}

/// The faces that a node's regions join are those that flooding its voxels joins.
#[test]
fn joined_faces_are_those_that_voxels_join() {
    for seed in 0..25 {
        let world = made_world(seed);
        let air = world.to_air();
        for spot in all_spots(&air) {
            if spot.link.layer() == 0 || world.index(spot.low).is_none() {
                continue;
            }
            let mut expected = faces_of_regions(&world, &spot);
            expected.sort_unstable();
            let mut found: Vec<u8> = air
                .node_regions(spot.link)
                .unwrap()
                .map(|faces| {
                    let bit = |face: &&Face| faces.contains(**face);
                    Face::ALL
                        .iter()
                        .filter(bit)
                        .fold(0, |bits, face| bits | face.bit())
                })
                .collect();
            found.sort_unstable();
            assert_eq!(found, expected, "seed {seed}: {spot:?}");
            for (a, b) in Face::ALL
                .iter()
                .flat_map(|a| Face::ALL.iter().map(move |b| (*a, *b)))
            {
                let both = a.bit() | b.bit();
                let joined = expected.iter().any(|faces| faces & both == both);
                assert_eq!(air.faces_joined(spot.link, a, b), Ok(joined));
            }
        }
    }
}

fn faces_of_regions(world: &Dense, spot: &Spot) -> Vec<u8> {
    let mut seen = std::collections::BTreeSet::new();
    let mut result = Vec::new();
    for start in world
        .voxels()
        .filter(|at| holds(spot, *at) && world.is_free(*at))
    {
        let (mut open, mut faces) = (vec![start], 0);
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            for (face, next) in Face::ALL.iter().zip(around(at)) {
                if !holds(spot, next) {
                    faces |= face.bit();
                } else if world.is_free(next) {
                    open.push(next);
                }
            }
        }
        if faces != 0 {
            result.push(faces);
        }
    }
    result
}

/// At every scale, two regions are neighbours exactly if voxels of theirs share a face, and the
/// voxels of one region have one name.
#[test]
fn region_neighbours_are_those_whose_voxels_touch() {
    for seed in 0..25 {
        let world = made_world(seed);
        let air = world.to_air();
        for layer in 1..=air.top_layer().min(3) {
            let mut expected = std::collections::BTreeSet::new();
            let mut all = std::collections::BTreeSet::new();
            for at in world.voxels().filter(|at| world.is_free(*at)) {
                let own = air.region(at, layer).unwrap();
                all.insert(own);
                let (low, side) = air.region_cube(own);
                assert!(side >= 8 && low.x <= at.x && at.x < low.x + side as i32);
                for next in around(at).into_iter().filter(|next| world.is_free(*next)) {
                    let other = air.region(next, layer).unwrap();
                    if other != own {
                        expected.insert((own, other));
                    }
                }
            }
            let mut found = std::collections::BTreeSet::new();
            for region in all {
                air.region_neighbours(region, layer, |_, other| {
                    found.insert((region, other));
                });
            }
            assert_eq!(found, expected, "seed {seed} layer {layer}");
        }
    }
}

/// Inside a partly solid leaf at the border of the world one steps from voxel to voxel on every
/// side: a published port skips such steps where the leaf itself has no neighbour.
#[test]
fn steps_inside_a_leaf_at_the_border_are_not_skipped() {
    let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [8; 3])
        .unwrap()
        .build()
        .unwrap();
    let one = Voxel::new(3, 3, 3);
    air.apply(&[AirEdit::Fill {
        low: one,
        high: one,
    }])
    .unwrap();
    let start = air.localise(Voxel::new(1, 1, 1)).unwrap();
    assert_eq!(start.side, 1);
    for (face, next) in Face::ALL.into_iter().zip(around(start.low)) {
        let found = air.neighbour(start.link, face).unwrap().unwrap();
        assert_eq!(
            (found.low, found.side, found.kind),
            (next, 1, SpotKind::Free)
        );
    }
    let edge = air.localise(Voxel::new(0, 1, 1)).unwrap();
    assert_eq!(air.neighbour(edge.link, Face::West), Ok(None));
    // Towards the solid voxel, and out of the leaf into a larger free one.
    let beside = air.localise(Voxel::new(2, 3, 3)).unwrap();
    let solid = air.neighbour(beside.link, Face::East).unwrap().unwrap();
    assert_eq!((solid.low, solid.kind), (one, SpotKind::Solid));
    let last = air.localise(Voxel::new(3, 3, 0)).unwrap();
    let out = air.neighbour(last.link, Face::East).unwrap().unwrap();
    assert_eq!(
        (out.low, out.side, out.kind),
        (Voxel::new(4, 0, 0), 4, SpotKind::Free)
    );
}

/// Start and goal in the same voxel, and an air without anything in it: two crashes of a port.
#[test]
fn one_voxel_and_no_voxel_are_no_special_case() {
    let air = AirBuilder::new(Voxel::new(5, 5, 5), [1; 3])
        .unwrap()
        .build()
        .unwrap();
    let only = Voxel::new(5, 5, 5);
    assert!(air.connected(only, only) && air.sees(only, only));
    let spot = air.localise(only).unwrap();
    assert_eq!(spot.link, Link::new(air.top_layer(), 0, 0).unwrap());
    assert!(
        Face::ALL
            .iter()
            .all(|face| air.neighbour(spot.link, *face) == Ok(None))
    );
    let region = air.region(only, 2).unwrap();
    air.region_neighbours(region, 2, |_, _| {
        panic!("nothing lies beside the only voxel")
    });
}

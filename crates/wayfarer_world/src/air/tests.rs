//! The octree against a dense voxel reference.

#![expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "small numbers of a test"
)]

use std::sync::Arc;

use wayfarer_base::{CostChange, CostMultiplier, Fixed, Point3, Rng, VoxelSet};

use super::*;
use crate::solid::Spans;

mod edits;
mod imports;
mod links;
mod lookups;
mod stats;

/// Reference: one bool per voxel.
#[derive(Clone, PartialEq, Debug)]
struct Dense {
    low: Voxel,
    size: [u32; 3],
    solid: Vec<bool>,
}

impl Dense {
    fn new(low: Voxel, size: [u32; 3]) -> Self {
        let count = size.iter().product::<u32>() as usize;
        Self {
            low,
            size,
            solid: vec![false; count],
        }
    }

    fn index(&self, at: Voxel) -> Option<usize> {
        let local = [at.x - self.low.x, at.y - self.low.y, at.z - self.low.z];
        let inside = (0..3).all(|axis| (0..self.size[axis] as i32).contains(&local[axis]));
        let [x, y, z] = local.map(|at| at as usize);
        let [width, depth, _] = self.size.map(|side| side as usize);
        inside.then(|| (z * depth + y) * width + x)
    }

    fn is_solid(&self, at: Voxel) -> bool {
        self.index(at).is_some_and(|index| self.solid[index])
    }

    fn is_free(&self, at: Voxel) -> bool {
        self.index(at).is_some_and(|index| !self.solid[index])
    }

    fn set(&mut self, at: Voxel, solid: bool) {
        if let Some(index) = self.index(at) {
            self.solid[index] = solid;
        }
    }

    fn voxels(&self) -> impl Iterator<Item = Voxel> + use<> {
        let (low, [x, y, z]) = (self.low, self.size.map(|side| side as i32));
        (0..z).flat_map(move |dz| {
            (0..y).flat_map(move |dy| {
                (0..x).map(move |dx| Voxel::new(low.x + dx, low.y + dy, low.z + dz))
            })
        })
    }

    /// A label per voxel, 0 for solid ones; equal labels are connected.
    fn components(&self) -> Vec<u32> {
        let mut labels = vec![0; self.solid.len()];
        let mut last = 0;
        for start in self.voxels() {
            let mut open = vec![start];
            last += 1;
            while let Some(at) = open.pop() {
                match self.index(at) {
                    Some(index) if !self.solid[index] && labels[index] == 0 => {
                        labels[index] = last;
                        open.extend(face_neighbors(at));
                    }
                    _ => {}
                }
            }
        }
        labels
    }

    fn to_air(&self) -> Air {
        let mut builder = AirBuilder::new(self.low, self.size).unwrap();
        for at in self.voxels().filter(|at| self.is_solid(*at)) {
            builder.add_voxel(at).unwrap();
        }
        builder.build().unwrap()
    }
}

fn face_neighbors(at: Voxel) -> [Voxel; 6] {
    [
        Voxel::new(at.x - 1, at.y, at.z),
        Voxel::new(at.x + 1, at.y, at.z),
        Voxel::new(at.x, at.y - 1, at.z),
        Voxel::new(at.x, at.y + 1, at.z),
        Voxel::new(at.x, at.y, at.z - 1),
        Voxel::new(at.x, at.y, at.z + 1),
    ]
}

/// Boxes, hollow boxes, walls with holes and scattered voxels, in bounds of random size.
fn random_world(seed: u64) -> Dense {
    let mut rng = Rng::new(seed);
    let low = Voxel::new(
        rng.between(-100, 100),
        rng.between(-100, 100),
        rng.between(-100, 100),
    );
    let size = [(); 3].map(|()| rng.between(1, 40) as u32);
    let mut world = Dense::new(low, size);
    let random_voxel = |rng: &mut Rng| {
        Voxel::new(
            low.x + rng.below(size[0]) as i32,
            low.y + rng.below(size[1]) as i32,
            low.z + rng.below(size[2]) as i32,
        )
    };
    for _ in 0..rng.below(8) {
        let (a, b) = (random_voxel(&mut rng), random_voxel(&mut rng));
        let solid = !rng.chance(1, 4);
        let is_hollow = rng.chance(1, 2);
        fill(&mut world, a, b, solid);
        if is_hollow {
            let inner = |a: i32, b: i32| (a.min(b) + 1, a.max(b) - 1);
            let (xs, ys, zs) = (inner(a.x, b.x), inner(a.y, b.y), inner(a.z, b.z));
            if xs.0 <= xs.1 && ys.0 <= ys.1 && zs.0 <= zs.1 {
                let (a, b) = (Voxel::new(xs.0, ys.0, zs.0), Voxel::new(xs.1, ys.1, zs.1));
                fill(&mut world, a, b, !solid);
            }
        }
    }
    let dust = [0, 0, 10, 200, 2_000][rng.below(5) as usize];
    for _ in 0..dust {
        let at = random_voxel(&mut rng);
        let solid = rng.chance(2, 3);
        world.set(at, solid);
    }
    world
}

fn fill(world: &mut Dense, a: Voxel, b: Voxel, solid: bool) {
    let range = |a: i32, b: i32| a.min(b)..=a.max(b);
    for z in range(a.z, b.z) {
        for y in range(a.y, b.y) {
            for x in range(a.x, b.x) {
                world.set(Voxel::new(x, y, z), solid);
            }
        }
    }
}

/// Compares solidity and connectivity of every voxel.
fn check_same(air: &Air, world: &Dense, what: &str) {
    let labels = world.components();
    let mut components = vec![None; labels.len() + 1];
    let mut labels_by_component = std::collections::BTreeMap::new();
    let mut last = (None, 0);
    for (at, label) in world.voxels().zip(labels) {
        assert_eq!(air.is_solid(at), world.is_solid(at), "{what}: {at}");
        assert_eq!(air.is_free(at), label != 0, "{what}: {at}");
        let component = air.component(at);
        assert_eq!(component.is_some(), label != 0, "{what}: {at}");
        if component.is_none() || last == (component, label) {
            continue;
        }
        last = (component, label);
        let expected = components[label as usize].get_or_insert(component);
        assert_eq!(*expected, component, "{what}: {at} split");
        assert_eq!(
            *labels_by_component.entry(component).or_insert(label),
            label,
            "{what}: {at} merged"
        );
    }
    let solid = world.solid.iter().filter(|solid| **solid).count();
    assert_eq!(air.n_solid(), solid as u64, "{what}");
}

#[test]
fn a_built_air_has_the_voxels_and_components_of_the_reference() {
    for seed in 0..150 {
        let world = random_world(seed);
        check_same(&world.to_air(), &world, &format!("seed {seed}"));
    }
}

#[test]
fn voxels_spans_boxes_and_sets_build_the_same_air() {
    for seed in 0..60 {
        let world = random_world(seed);
        let expected = world.to_air();
        let solid: Vec<Voxel> = world.voxels().filter(|at| world.is_solid(*at)).collect();
        let mut by_spans = AirBuilder::new(world.low, world.size).unwrap();
        by_spans.add_spans(Spans::from_voxels(solid.iter().copied()));
        let mut by_boxes = AirBuilder::new(world.low, world.size).unwrap();
        for at in &solid {
            by_boxes.add_box(*at, *at).unwrap();
        }
        assert_eq!(
            by_boxes.build().unwrap().digest(),
            expected.digest(),
            "seed {seed}"
        );
        let local = |at: &Voxel| {
            [at.x - world.low.x, at.y - world.low.y, at.z - world.low.z].map(|at| at as u32)
        };
        let set = VoxelSet::new(world.size, solid.iter().map(local).collect()).unwrap();
        let by_set = AirBuilder::from_set(&set).unwrap().build().unwrap();
        assert_eq!(by_set.digest(), expected.digest(), "seed {seed}");
        // Not only equal digests: equal links, every layer in Morton order.
        let by_spans = by_spans.build().unwrap();
        assert_eq!(by_spans.digest(), expected.digest(), "seed {seed}");
        for at in world.voxels() {
            let moved = Voxel::new(at.x - world.low.x, at.y - world.low.y, at.z - world.low.z);
            let link = expected.locate(at).unwrap().link;
            assert_eq!(by_spans.locate(at).unwrap().link, link, "seed {seed}");
            assert_eq!(by_set.locate(moved).unwrap().link, link, "seed {seed}");
        }
        for blocks in expected.tree.inner.iter().map(|blocks| &blocks.codes) {
            assert!(blocks.is_sorted(), "seed {seed}");
        }
        assert!(expected.tree.leaves.codes.is_sorted(), "seed {seed}");
    }
}

#[test]
fn spans_are_clipped_to_the_bounds() {
    let world = random_world(3);
    let mut builder = AirBuilder::new(world.low, world.size).unwrap();
    let outside = Voxel::new(world.low.x - 500, world.low.y, world.low.z);
    builder.add_spans(Spans::from_boxes(&[
        (outside, outside),
        (world.low, world.low),
    ]));
    let air = builder.build().unwrap();
    assert_eq!(air.n_solid(), 1);
    assert!(air.is_solid(world.low));
}

#[test]
fn invalid_bounds_are_rejected() {
    let low = Voxel::new(0, 0, 0);
    for size in [[0, 1, 1], [1, 131_073, 1], [1, 1, u32::MAX]] {
        let error = AirBuilder::new(low, size).unwrap_err();
        assert_eq!(error, AirError::BadBounds { low, size });
    }
    let edge = Voxel::new(i32::MAX - 1, 0, 0);
    assert!(AirBuilder::new(edge, [2, 1, 1]).is_ok());
    assert!(AirBuilder::new(edge, [3, 1, 1]).is_err());
    let air = AirBuilder::new(Voxel::new(i32::MIN, 0, 0), [131_072; 3]).unwrap();
    let air = air.build().unwrap();
    assert_eq!(air.top_layer(), 15);
    assert!(air.is_free(Voxel::new(i32::MIN, 0, 0)) && !air.is_free(Voxel::new(0, 0, 0)));
}

#[test]
fn exceeding_the_node_limit_is_an_error_and_changes_nothing() {
    // One voxel in every block of eight leaves of a plane: the limit is 2^19 blocks.
    let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [8 * 1_024, 8 * 513, 8]).unwrap();
    for y in 0..512 {
        for x in 0..1_024 {
            air.add_voxel(Voxel::new(8 * x, 8 * y, 0)).unwrap();
        }
    }
    let mut air = air.build().unwrap();
    let digest = air.digest();
    let one_more = [
        AirEdit::Clear {
            low: Voxel::new(0, 0, 0),
            high: Voxel::new(0, 0, 0),
        },
        AirEdit::Fill {
            low: Voxel::new(0, 8 * 512, 0),
            high: Voxel::new(0, 8 * 512, 0),
        },
        AirEdit::Fill {
            low: Voxel::new(5_000, 8 * 512, 0),
            high: Voxel::new(5_000, 8 * 512, 0),
        },
    ];
    assert_eq!(
        air.apply(&one_more),
        Err(AirError::TooManyNodes { layer: 0 })
    );
    assert_eq!(air.digest(), digest);
    assert_eq!(air.revision().number, 0);
    assert!(air.apply(&one_more[..2]).is_ok());
}

#[test]
fn volumes_close_or_scale_the_cost_of_flight() {
    let mut air = AirBuilder::new(Voxel::new(0, 0, 0), [32; 3])
        .unwrap()
        .build()
        .unwrap();
    let at = |x| Voxel::new(x, 5, 5);
    let volume = |from, to, rule| Volume {
        low: Voxel::new(from, 0, 0),
        high: Voxel::new(to, 31, 31),
        rule,
    };
    let two = CostMultiplier::from_sixteenths(32).unwrap();
    air.set_default_multiplier(two);
    let put = |id, volume| AirEdit::PutVolume {
        id: VolumeId(id),
        volume,
    };
    let before = air.digest();
    let changes = air
        .apply(&[
            put(
                1,
                volume(0, 9, VolumeRule::CostMultiplier(CostMultiplier::ONE)),
            ),
            put(2, volume(5, 20, VolumeRule::CostMultiplier(two))),
            put(3, volume(8, 8, VolumeRule::Closed)),
        ])
        .unwrap();
    let multipliers = [4, 6, 8, 15, 30].map(|x| air.cost_multiplier(at(x)));
    assert_eq!(
        multipliers,
        [
            Some(CostMultiplier::ONE),
            Some(CostMultiplier::ONE),
            None,
            Some(two),
            Some(two)
        ]
    );
    let missing = AirEdit::RemoveVolume { id: VolumeId(9) };
    assert_eq!(air.apply(&[missing]), Err(AirError::UnknownId { id: 9 }));
    air.restore(&changes.inverse()).unwrap();
    assert_eq!(air.digest(), before);
    assert_eq!(air.volumes().count(), 0);
}

/// A wall through the world with one hole: closing the hole splits the free space in half at the
/// cost of an ordinary edit, without a flood fill of either half.
#[test]
fn splitting_the_world_in_half_rebuilds_few_regions() {
    let side = 512;
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [side; 3]).unwrap();
    let end = side as i32 - 1;
    builder
        .add_box(Voxel::new(256, 0, 0), Voxel::new(256, end, end))
        .unwrap();
    let mut air = builder.build().unwrap();
    let built = air.n_region_rebuilds();
    let hole = Voxel::new(256, 100, 77);
    let (west, east) = (Voxel::new(0, 0, 0), Voxel::new(end, end, end));
    assert!(!air.is_connected(west, east));
    for _ in 0..3 {
        for (edit, connected) in [
            (
                AirEdit::Clear {
                    low: hole,
                    high: hole,
                },
                true,
            ),
            (
                AirEdit::Fill {
                    low: hole,
                    high: hole,
                },
                false,
            ),
        ] {
            let before = air.n_region_rebuilds();
            air.apply(&[edit]).unwrap();
            assert_eq!(air.is_connected(west, east), connected);
            let rebuilt = air.n_region_rebuilds() - before;
            assert!(rebuilt <= 64, "{rebuilt} of {built}");
        }
    }
    assert!(built > 10_000, "{built}");
}

/// Coordinates at the limits of their range do not panic.
#[test]
fn extreme_coordinates_do_not_panic() {
    let world = random_world(8);
    let mut air = world.to_air();
    let (min_voxel, max_voxel) = (
        Voxel::new(i32::MIN, i32::MIN, i32::MIN),
        Voxel::new(i32::MAX, i32::MAX, i32::MAX),
    );
    let corner = |raw| Point3 {
        x: Fixed::from_raw(raw),
        y: Fixed::from_raw(raw),
        z: Fixed::from_raw(raw),
    };
    let dot = Arc::new(Spans::from_voxels([
        Voxel::new(0, 0, 0),
        max_voxel,
        min_voxel,
    ]));
    let everything = Geometry::Box {
        low: min_voxel,
        high: max_voxel,
    };
    let geometries = [
        everything.clone(),
        Geometry::Box {
            low: max_voxel,
            high: min_voxel,
        },
        Geometry::Ball {
            center: corner(0),
            radius: Fixed::MAX,
        },
        Geometry::Ball {
            center: corner(i32::MIN),
            radius: Fixed::MAX,
        },
        Geometry::Ball {
            center: corner(0),
            radius: Fixed::from_raw(i32::MIN),
        },
        Geometry::Mesh {
            spans: dot.clone(),
            shift: air.low(),
        },
        Geometry::Mesh {
            spans: dot.clone(),
            shift: min_voxel,
        },
        Geometry::Mesh {
            spans: dot,
            shift: max_voxel,
        },
        Geometry::Mesh {
            spans: Arc::new(Spans::default()),
            shift: max_voxel,
        },
    ];
    let count = world.solid.len() as u64;
    let empty = air.n_solid();
    let solid = geometries.map(|geometry| {
        let id = GeometryId(u64::MAX - 1);
        air.apply(&[AirEdit::Put { id, geometry }]).unwrap();
        air.n_solid()
    });
    assert_eq!(solid[..5], [count, empty, count, empty, empty]);
    assert!(solid[5] - empty <= 1 && solid[6..].iter().all(|solid| *solid == empty));
    for raw in [i32::MIN, -1, 0, i32::MAX] {
        let clear = air.clearance(corner(raw), Fixed::MAX);
        assert!(clear.raw() >= 0);
        assert!(
            air.sweep(corner(raw), corner(i32::MAX), Fixed::from_raw(1))
                .is_none_or(|hit| { air.is_solid(hit.voxel) })
        );
    }
    assert!(air.nearest_free(max_voxel, u32::MAX).is_some());
    assert_eq!(air.nearest_free(max_voxel, 1), None);
    assert!(!air.is_free(min_voxel) && !air.is_solid(max_voxel) && air.locate(min_voxel).is_none());
    assert_eq!(air.component(max_voxel), None);
}

#[test]
fn an_id_can_be_added_and_removed_within_a_batch() {
    let mut air = random_world(4).to_air();
    let digest = air.digest();
    let id = GeometryId(5);
    let put = AirEdit::Put {
        id,
        geometry: Geometry::Box {
            low: air.low(),
            high: air.high(),
        },
    };
    let remove = AirEdit::Remove { id };
    let unknown = Err(AirError::UnknownId { id: 5 });
    assert_eq!(air.apply(&[remove.clone(), put.clone()]), unknown);
    let twice = [put.clone(), remove.clone(), remove.clone()];
    assert_eq!(air.apply(&twice), unknown);
    assert_eq!(air.digest(), digest);
    let changes = air
        .apply(&[put.clone(), remove.clone(), put.clone(), remove])
        .unwrap();
    assert_eq!(changes.differences.len(), 4);
    assert_eq!(air.digest(), digest);
    assert_eq!(air.geometry(id), None);
}

#[test]
fn the_number_of_threads_does_not_change_the_built_bytes() {
    let build = |n_threads| {
        let mut rng = Rng::new(21);
        let mut builder = AirBuilder::new(Voxel::new(-7, 0, 9), [300, 200, 256]).unwrap();
        builder.threads(n_threads);
        let voxel = |rng: &mut Rng| {
            let mut at = |low: i32, side: u32| low + rng.below(side) as i32;
            Voxel::new(at(-7, 300), at(0, 200), at(9, 256))
        };
        for _ in 0..20_000 {
            builder.add_voxel(voxel(&mut rng)).unwrap();
        }
        for id in 0..150 {
            let low = voxel(&mut rng);
            let [x, y, z] = [low.x, low.y, low.z].map(|at| Fixed::from_raw(at * 256 + 77));
            let radius = Fixed::from_raw(rng.between(100, 30 * 256));
            let ball = Geometry::Ball {
                center: Point3 { x, y, z },
                radius,
            };
            builder.add_geometry(GeometryId(id), ball).unwrap();
            let high = Voxel::new(low.x + 9, low.y + 1, low.z + 40);
            builder.add_box(low, high).unwrap();
        }
        builder.build().unwrap()
    };
    let single = build(1);
    assert!(
        single.tree.leaves.len() > 4_096,
        "too small for parallel builds"
    );
    for n_threads in [2, 3, 8, 64, 1_000] {
        let many = build(n_threads);
        assert_eq!(many.digest(), single.digest(), "{n_threads} threads");
        assert_eq!(many.memory(), single.memory(), "{n_threads} threads");
        assert_eq!(many.tree.leaves.codes, single.tree.leaves.codes);
        assert_eq!(many.tree.leaves.items, single.tree.leaves.items);
        for (a, b) in many.tree.inner.iter().zip(&single.tree.inner) {
            assert_eq!(
                (&a.codes, &a.items),
                (&b.codes, &b.items),
                "{n_threads} threads"
            );
        }
        assert_eq!(
            many.regions.to_words(),
            single.regions.to_words(),
            "{n_threads} threads"
        );
    }
}

/// A checkerboard of single free voxels: each is a region that reaches the face below, and the root
/// cannot number more than 65,535.
#[test]
fn exceeding_the_region_limit_is_an_error_and_changes_nothing() {
    let free = |x: i32, y: i32| (x + y) % 2 == 0;
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [512, 512, 1]).unwrap();
    for (x, y) in (0..512).flat_map(|y| (0..512).map(move |x| (x, y))) {
        if y >= 250 || !free(x, y) {
            builder.add_voxel(Voxel::new(x, y, 0)).unwrap();
        }
    }
    let mut air = builder.build().unwrap();
    let digest = air.digest();
    let clear = |y: i32| {
        (0..512)
            .filter(move |x| free(*x, y))
            .map(move |x| AirEdit::Clear {
                low: Voxel::new(x, y, 0),
                high: Voxel::new(x, y, 0),
            })
    };
    let few: Vec<AirEdit> = (250..255).flat_map(clear).collect();
    let many: Vec<AirEdit> = (250..270).flat_map(clear).collect();
    let error = air.apply(&many).unwrap_err();
    assert!(matches!(error, AirError::TooManyRegions { .. }), "{error}");
    assert_eq!((air.digest(), air.revision().number), (digest, 0));
    air.apply(&few).unwrap();
    assert!(!air.is_connected(Voxel::new(0, 0, 0), Voxel::new(1, 1, 0)));
}

#[test]
fn world_data_becomes_floors_boxes_and_voxels() {
    let mut world = wayfarer_base::WorldData::default();
    world.cells.push((
        wayfarer_base::Cell::new(2, 3, 5),
        wayfarer_base::Terrain::GROUND,
    ));
    world
        .boxes
        .push((Voxel::new(0, 0, 0), Voxel::new(0, 0, 99)));
    world.voxels.push(Voxel::new(7, 7, 7));
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [8; 3]).unwrap();
    builder.add_world(&world).unwrap();
    let air = builder.build().unwrap();
    let solid = |x, y, z| air.is_solid(Voxel::new(x, y, z));
    assert!(solid(2, 3, 4) && !solid(2, 3, 5) && !solid(2, 3, 3));
    assert!(solid(0, 0, 7) && solid(7, 7, 7));
    assert_eq!(air.n_solid(), 1 + 8 + 1);
    world.voxels.push(Voxel::new(8, 7, 7));
    let mut builder = AirBuilder::new(Voxel::new(0, 0, 0), [8; 3]).unwrap();
    assert!(matches!(
        builder.add_world(&world),
        Err(AirError::OutOfBounds { .. })
    ));
}

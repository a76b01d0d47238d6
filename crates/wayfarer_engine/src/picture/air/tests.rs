//! Slices and projections of the air, compared voxel by voxel.

use wayfarer_base::Rng;
#[cfg(feature = "meshes")]
use wayfarer_formats::gltf::{self, write_glb, write_gltf};
use wayfarer_make::{GeneratedWorld, Generator, Recipe, make, surface};
use wayfarer_world::air::AirBuilder;
use wayfarer_world::solid::Fill;

use super::*;

fn some_air(seed: u64) -> Air {
    let mut rng = Rng::new(seed);
    let low = Voxel::new(-7, 3, -2);
    let size = [21, 18, 14];
    let mut builder = AirBuilder::new(low, size).unwrap();
    for _ in 0..60 {
        let at = [0, 1, 2].map(|axis| rng.below(size[axis]).cast_signed());
        let from = Voxel::new(low.x + at[0], low.y + at[1], low.z + at[2]);
        let to = Voxel::new(from.x + 2, from.y + rng.between(0, 5), from.z + 1);
        builder.add_box(from, to).unwrap();
    }
    builder.build().unwrap()
}

/// The last mark that covers each column.
fn drawn(picture: &Picture) -> OrderedMap<Column, (SliceContent, i32)> {
    let mut drawn = OrderedMap::new();
    for mark in picture.marks() {
        let Mark::Slice { from, what, .. } = mark else {
            panic!("{mark:?} is not a slice");
        };
        for column in mark.bounds().columns() {
            drawn.insert(column, (*what, from.z));
        }
    }
    drawn
}

#[test]
fn a_slice_shows_every_voxel() {
    for axis in Axis::ALL {
        let air = some_air(1);
        let depth = axis.of(air.low()) + 5;
        for picture in [
            Picture::from_air_slice(&air, axis, depth).unwrap(),
            Picture::from_air_layers(&air, axis, depth).unwrap(),
        ] {
            let drawn = drawn(&picture);
            assert_eq!(picture.bounds(), axis.bounds(&air));
            let mut n_solid = 0;
            for column in picture.bounds().columns() {
                let at = axis.voxel(column, depth);
                let solid = drawn[&column].0 == SliceContent::Solid;
                assert_eq!(solid, air.is_solid(at), "{axis:?} {at}");
                n_solid += u32::from(solid);
            }
            assert!(n_solid > 20);
        }
    }
}

#[test]
fn layers_match_the_octree_and_squares_do_not_overlap() {
    let air = some_air(2);
    for axis in Axis::ALL {
        let depth = axis.of(air.low());
        let picture = Picture::from_air_layers(&air, axis, depth).unwrap();
        let mut free = 0;
        for mark in picture.marks() {
            let Mark::Slice {
                from,
                what: SliceContent::Free { layer },
                ..
            } = mark
            else {
                continue;
            };
            let node = air.locate(axis.voxel(from.column(), depth)).unwrap();
            assert_eq!(node.link.layer(), *layer);
            let rect = mark.bounds();
            free += u64::from(rect.width()) * u64::from(rect.height());
        }
        let all = picture.bounds();
        assert!(free <= u64::from(all.width()) * u64::from(all.height()));
    }
}

#[test]
fn a_projection_shows_the_nearest_solid_voxel() {
    for axis in Axis::ALL {
        let air = some_air(3);
        let picture = Picture::from_air_projection(&air, axis).unwrap();
        let drawn = drawn(&picture);
        for column in picture.bounds().columns() {
            let depths = (axis.of(air.low())..=axis.of(air.high())).rev();
            let nearest = depths
                .into_iter()
                .find(|depth| air.is_solid(axis.voxel(column, *depth)));
            let found = drawn.get(&column).map(|(_, depth)| *depth);
            assert_eq!(found, nearest, "{axis:?} {column:?}");
        }
    }
}

#[test]
fn an_oversized_or_out_of_bounds_slice_is_none() {
    let air = some_air(4);
    assert!(Picture::from_air_slice(&air, Axis::Z, air.high().z + 1).is_none());
    assert!(Picture::from_air_layers(&air, Axis::X, air.low().x - 1).is_none());
    let wide = AirBuilder::new(Voxel::new(0, 0, 0), [131_072, 131_072, 1]).unwrap();
    let wide = wide.build().unwrap();
    assert!(Picture::from_air_projection(&wide, Axis::Z).is_none());
    assert!(Picture::from_air_slice(&wide, Axis::Y, 5).is_some());
}

fn center(at: Voxel) -> Point3 {
    let part = |at: i32| Fixed::from_raw(at * 256 + 128);
    Point3 {
        x: part(at.x),
        y: part(at.y),
        z: part(at.z),
    }
}

/// A hall written as glTF, read back, voxelized and built as air.
#[cfg(feature = "meshes")]
#[test]
fn a_voxelized_mesh_casts_and_projects_like_its_voxels() {
    let recipe = Recipe {
        depth: 12,
        ..Recipe::new(Generator::Hall, 26, 19, 5)
    };
    let GeneratedWorld::Voxels(voxels) = make(&recipe).unwrap() else {
        panic!("a hall is made of voxels");
    };
    let soup = surface(&voxels).unwrap();
    let solid: std::collections::BTreeSet<Voxel> = voxels
        .solid()
        .iter()
        .map(|at| at.map(u32::cast_signed))
        .map(|[x, y, z]| Voxel::new(x, y, z))
        .collect();
    let is_solid = |at: Voxel| solid.contains(&at);
    // The mesh import adds a voxel on every side.
    let low = Voxel::new(-1, -1, -1);
    let mut reference = AirBuilder::new(low, [28, 21, 14]).unwrap();
    solid
        .iter()
        .for_each(|at| reference.add_voxel(*at).unwrap());
    let reference = reference.build().unwrap();
    for bytes in [
        write_glb(&soup).unwrap(),
        write_gltf(&soup).unwrap().into_bytes(),
    ] {
        let mesh = gltf::read(&bytes).unwrap();
        let (builder, boundary) = AirBuilder::from_mesh(&mesh, 1.0, Fill::Interior, 0).unwrap();
        let air = builder.build().unwrap();
        assert_eq!(boundary.n_edges, 0);
        assert_eq!((air.low(), air.size()), (reference.low(), reference.size()));
        assert_eq!(air.n_solid(), solid.len() as u64);
        let mut n_hits = 0;
        for axis in Axis::ALL {
            let picture = Picture::from_air_projection(&air, axis).unwrap();
            assert_eq!(
                picture,
                Picture::from_air_projection(&reference, axis).unwrap()
            );
            let (low, high) = (axis.of(air.low()), axis.of(air.high()));
            for column in picture.bounds().columns() {
                let end = |depth: i32| center(axis.voxel(column, depth));
                let directions = [(low, high), (high, low)];
                let firsts = [
                    (low..=high).find(|at| is_solid(axis.voxel(column, *at))),
                    (low..=high)
                        .rev()
                        .find(|at| is_solid(axis.voxel(column, *at))),
                ];
                for ((from, to), first) in directions.into_iter().zip(firsts) {
                    let hit = air.cast_ray(end(from), end(to)).unwrap();
                    assert_eq!(hit.map(|hit| axis.of(hit.voxel)), first);
                    n_hits += usize::from(hit.is_some());
                }
            }
        }
        assert!(n_hits > 500, "{n_hits}");
        let mut rng = Rng::new(8);
        for _ in 0..500 {
            let mut random = || {
                let [x, y, z] = air.size().map(|side| rng.below(side).cast_signed());
                center(Voxel::new(low.x + x, low.y + y, low.z + z))
            };
            let (from, to) = (random(), random());
            assert_eq!(air.cast_ray(from, to), reference.cast_ray(from, to));
        }
    }
}

/// Compares with a count of the nodes in each column.
#[test]
fn heat_is_the_number_of_nodes_in_a_column() {
    let air = some_air(6);
    let mut rng = Rng::new(3);
    let free: Vec<Voxel> = std::iter::repeat_with(|| {
        let [x, y, z] = air.size().map(|side| rng.below(side).cast_signed());
        Voxel::new(air.low().x + x, air.low().y + y, air.low().z + z)
    })
    .filter(|at| air.is_free(*at))
    .take(40)
    .collect();
    for (method, least) in [
        (FlightMethod::VoxelAStar, 1),
        (FlightMethod::Octree(OctreeParams::UNTUNED), 1),
        (FlightMethod::Octree(OctreeParams::BALANCED), 4),
    ] {
        for axis in Axis::ALL {
            let depth = axis.of(air.low()) + 6;
            for depth in [None, Some(depth)] {
                let mut picture = Picture::empty_slice(&air, axis).unwrap();
                picture.add_explored(&air, (axis, depth, 7), method, free.iter().copied());
                let mut marks = OrderedMap::new();
                for mark in picture.marks() {
                    let Mark::Explored { cell, times } = mark else {
                        panic!("{mark:?}");
                    };
                    assert_eq!(cell.z, 7);
                    assert!(marks.insert(cell.column(), *times).is_none());
                }
                assert!(!marks.is_empty());
                for column in picture.bounds().columns() {
                    let covers = |at: &&Voxel| {
                        let side = match method {
                            FlightMethod::VoxelAStar => 1,
                            FlightMethod::Octree(_) => air.locate(**at).unwrap().side.max(least),
                        };
                        let side = side.cast_signed();
                        let cube = |a: i32, low: i32| (a - low).div_euclid(side);
                        let low = air.low();
                        let other = axis.voxel(column, depth.unwrap_or(axis.of(**at)));
                        cube(at.x, low.x) == cube(other.x, low.x)
                            && cube(at.y, low.y) == cube(other.y, low.y)
                            && cube(at.z, low.z) == cube(other.z, low.z)
                    };
                    let n = free.iter().filter(covers).count();
                    let is_free = depth.is_none_or(|at| air.is_free(axis.voxel(column, at)));
                    let expected = (n > 0 && is_free).then_some(u32::try_from(n).unwrap());
                    assert_eq!(marks.get(&column).copied(), expected, "{axis:?} {column:?}");
                }
            }
        }
    }
}

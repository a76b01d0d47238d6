//! Meshes of the corpus in `WAYFARER_DATA`: voxelized, inserted into the air, hit by rays at the
//! tops of their spans.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking and may print what it skips"
)]

use std::path::PathBuf;

use wayfarer_base::{Column, Fixed, Point3, TriangleSoup, Voxel};
use wayfarer_world::air::AirBuilder;
use wayfarer_world::solid::{Fill, VoxelGrid, voxelize};

fn meshes() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("WAYFARER_DATA") else {
        println!("skipped: no data");
        return Vec::new();
    };
    let folder = PathBuf::from(folder).join("meshes");
    let mut meshes: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "obj"))
        .collect();
    meshes.sort();
    assert!(!meshes.is_empty(), "no mesh in {}", folder.display());
    meshes
}

/// Reads an OBJ file and converts y up to z up; the conversion mirrors, so the winding is swapped.
fn read(path: &PathBuf) -> TriangleSoup {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut corners, mut faces) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut number = || words.next().unwrap().parse::<f64>().unwrap();
                let [x, y, z] = [number(), number(), number()];
                corners.push([x, z, y]);
            }
            Some("f") => {
                let named: Vec<u32> = words
                    .map(|word| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1)
                    .collect();
                for pair in named[1..].windows(2) {
                    faces.push([named[0], pair[1], pair[0]]);
                }
            }
            _ => {}
        }
    }
    TriangleSoup::new(corners, faces).unwrap()
}

#[test]
fn rays_from_above_hit_the_tops_of_columns() {
    for path in meshes() {
        let mesh = read(&path);
        let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
            let all = mesh.vertices().iter().map(|corner| corner[axis]);
            all.reduce(pick).unwrap()
        };
        let low: [f64; 3] = std::array::from_fn(|axis| bound(axis, f64::min));
        let high: [f64; 3] = std::array::from_fn(|axis| bound(axis, f64::max));
        let widest = (0..3)
            .map(|axis| high[axis] - low[axis])
            .fold(0.0, f64::max);
        let side = widest / 120.0;
        let frame = VoxelGrid {
            origin: low,
            voxel: [side; 3],
            low: Voxel::new(-1, -1, -1),
            high: Voxel::new(125, 125, 125),
        };
        let solid = voxelize(&mesh, &frame, Fill::Interior).unwrap();
        assert!(solid.spans.n_voxels() > 1_000, "{}", path.display());
        let mut builder = AirBuilder::new(frame.low, [127; 3]).unwrap();
        builder.add_spans(solid.spans.clone());
        let air = builder.build().unwrap();
        assert_eq!(air.n_solid(), solid.spans.n_voxels(), "{}", path.display());
        let mut hits = 0;
        for (x, y) in (0..120).flat_map(|y| (0..120).map(move |x| (x, y))) {
            let at = |z: i32| Point3 {
                x: Fixed::from_raw(x * 256 + 128),
                y: Fixed::from_raw(y * 256 + 128),
                z: Fixed::from_raw(z * 256 + 128),
            };
            let hit = air
                .cast_ray(at(125), at(-1))
                .unwrap()
                .map(|hit| hit.voxel.z);
            let column = solid.spans.column(Column::new(x, y));
            assert_eq!(
                hit,
                column.last().map(|span| span.high),
                "{}",
                path.display()
            );
            hits += usize::from(hit.is_some());
        }
        assert!(hits > 500, "{}: {hits} hits", path.display());
        // Every used vertex lies in or on the face of a solid voxel.
        for corner in mesh.vertices().iter().step_by(7) {
            #[expect(clippy::cast_possible_truncation, reason = "small numbers of a test")]
            let at = |axis: usize| ((corner[axis] - low[axis]) / side * 256.0).round() as i32;
            let point = Point3 {
                x: Fixed::from_raw(at(0)),
                y: Fixed::from_raw(at(1)),
                z: Fixed::from_raw(at(2)),
            };
            let used = mesh.iter().any(|face| face.contains(corner));
            assert!(
                !used || air.clearance(point, Fixed::from_raw(256)).raw() == 0,
                "{}: {corner:?}",
                path.display()
            );
        }
    }
}

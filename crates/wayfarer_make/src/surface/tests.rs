//! Closedness and volume of boundary meshes.

use crate::{GeneratedWorld, Generator, Recipe, make};

use super::*;

fn generated(kind: Generator) -> VoxelSet {
    let recipe = Recipe {
        depth: 20,
        ..Recipe::new(kind, 24, 24, 5)
    };
    match make(&recipe) {
        Ok(GeneratedWorld::Voxels(voxels)) => voxels,
        other => panic!("{kind} is made of voxels, found {other:?}"),
    }
}

#[test]
fn the_mesh_is_closed_and_encloses_the_solid_volume() {
    for kind in [Generator::Hall, Generator::Asteroids] {
        let voxels = generated(kind);
        let mesh = surface(&voxels).unwrap();
        // Every edge is traversed equally often in both directions.
        let mut edges: OrderedMap<(u32, u32), i64> = OrderedMap::new();
        let mut volume = 0.0;
        for (indices, [a, b, c]) in mesh.triangles().iter().zip(mesh.iter()) {
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                let (from, to) = (indices[from], indices[to]);
                let direction = if from < to { 1 } else { -1 };
                *edges.entry((from.min(to), from.max(to))).or_default() += direction;
            }
            let cross = [
                b[1] * c[2] - b[2] * c[1],
                b[2] * c[0] - b[0] * c[2],
                b[0] * c[1] - b[1] * c[0],
            ];
            volume += a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2];
        }
        assert!(edges.values().all(|balance| *balance == 0), "{kind}");
        let solid = voxels.solid().len() as f64;
        assert!((volume / 6.0 - solid).abs() < 1e-6, "{kind}: {volume}");
    }
}

//! Golden digests of mesh voxelization, the only stage with floating-point input.

use wayfarer_engine::base::{Rng, TriangleSoup, Voxel};
use wayfarer_engine::world::solid::{Fill, VoxelGrid, voxelize};

use super::values::Values;

pub(super) fn solids(values: &mut Values) {
    let mut rng = Rng::new(12);
    let grid = VoxelGrid::cubes(0.3, Voxel::new(-30, -30, -30), Voxel::new(30, 30, 30));
    for _ in 0..40 {
        let Some(mesh) = some_mesh(&mut rng) else {
            continue;
        };
        for fill in [Fill::Surface, Fill::Interior] {
            match voxelize(&mesh, &grid, fill) {
                Ok(solid) => {
                    for run in solid.spans.runs() {
                        values.take(&run);
                    }
                    for floor in solid.spans.floors(2) {
                        values.take(&floor);
                    }
                }
                Err(error) => values.take(&error),
            }
        }
    }
}

/// A closed tetrahedron of either orientation.
pub(super) fn some_mesh(rng: &mut Rng) -> Option<TriangleSoup> {
    let mut at = || f64::from(rng.between(-7000, 7000)) / 701.0;
    let corners = (0..4).map(|_| [at(), at(), at()]).collect();
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    TriangleSoup::new(corners, faces).ok()
}

//! Imports of floors, ceilings, heightmaps, world data and meshes.

use wayfarer_base::{Cell, Column, Heightmap, Terrain, TriangleSoup, WorldData};

use super::*;
use crate::solid::{Fill, VoxelGrid, voxelize};

#[test]
fn floors_are_solid_below() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let low = Voxel::new(-3, 5, -7);
        let size = [9, 11, 23];
        let mut world = Dense::new(low, size);
        let mut builder = AirBuilder::new(low, size).unwrap();
        for _ in 0..12 {
            let at = Cell::new(rng.between(-5, 8), rng.between(3, 17), rng.between(-10, 20));
            let thickness = [0, 1, 3, u32::MAX][rng.below(4) as usize];
            builder.add_floors([at], thickness);
            for voxel in world.voxels() {
                let depth = i64::from(at.z) - 1 - i64::from(voxel.z);
                if (voxel.x, voxel.y) == (at.x, at.y) && (0..i64::from(thickness)).contains(&depth)
                {
                    world.set(voxel, true);
                }
            }
        }
        check_same(&builder.build().unwrap(), &world, &format!("seed {seed}"));
    }
}

#[test]
fn a_heightmap_is_solid_down_to_the_bottom() {
    let heights = (0..3).flat_map(|y| (0..4).map(move |x| x * 2 - y));
    let map = Heightmap::new(4, 3, heights.collect()).unwrap();
    let builder = AirBuilder::from_heights(&map, 5).unwrap();
    assert_eq!(
        builder.bounds(),
        (Voxel::new(0, 0, -3), Voxel::new(3, 2, 11))
    );
    let air = builder.build().unwrap();
    for at in Dense::new(air.low(), air.size()).voxels() {
        assert_eq!(air.is_solid(at), at.z < at.x * 2 - at.y, "{at}");
    }
}

#[test]
fn empty_worlds_and_meshes_are_rejected() {
    let error = AirBuilder::from_data(&WorldData::default(), 3).map(|_| ());
    assert_eq!(error, Err(AirImportError::Nothing));
    let nothing = TriangleSoup::new(vec![[0.0; 3]], Vec::new()).unwrap();
    let error = AirBuilder::from_mesh(&nothing, 1.0, Fill::Interior, 1).map(|_| ());
    assert_eq!(error, Err(AirImportError::Nothing));
    let far = WorldData {
        voxels: vec![Voxel::new(i32::MIN, 0, 0), Voxel::new(i32::MAX, 0, 0)],
        ..WorldData::default()
    };
    let error = AirBuilder::from_data(&far, 9).map(|_| ()).unwrap_err();
    assert!(matches!(
        error,
        AirImportError::Air(AirError::BadBounds { .. })
    ));
}

#[test]
fn imported_world_data_has_the_margin_around_it() {
    let world = WorldData {
        cells: vec![(Cell::new(2, 3, 4), Terrain::GROUND)],
        voxels: vec![Voxel::new(-1, 3, 9)],
        ..WorldData::default()
    };
    let air = AirBuilder::from_data(&world, 2).unwrap().build().unwrap();
    assert_eq!(
        (air.low(), air.high()),
        (Voxel::new(-3, 1, 1), Voxel::new(4, 5, 11))
    );
    assert!(air.is_solid(Voxel::new(2, 3, 3)) && air.is_free(Voxel::new(2, 3, 4)));
    assert!(air.is_solid(Voxel::new(-1, 3, 9)));
    assert_eq!(air.n_solid(), 2);
}

/// Closed, open, flat and degenerate meshes of all sizes: nothing is lost at the bounds, and the
/// tree has exactly the voxels of the spans.
#[test]
fn an_imported_mesh_has_exactly_the_voxels_of_its_spans() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let extent = [4, 30, 4_000][rng.below(3) as usize];
        let corner =
            |rng: &mut Rng| [(); 3].map(|()| f64::from(rng.between(-extent, extent)) / 4.0);
        let mut corners: Vec<[f64; 3]> = (0..6).map(|_| corner(&mut rng)).collect();
        if rng.chance(1, 3) {
            corners.iter_mut().for_each(|corner| corner[2] = 1.0); // between two layers of voxels
        }
        let faces = (0..8).map(|_| [(); 3].map(|()| rng.below(6))).collect();
        let mesh = TriangleSoup::new(corners, faces).unwrap();
        let side = f64::from(extent) / 40.0;
        let (builder, boundary_edges) =
            AirBuilder::from_mesh(&mesh, side, Fill::Interior, 0).unwrap();
        let (low, high) = builder.bounds();
        let offset = |at: Voxel, by: i32| Voxel::new(at.x + by, at.y + by, at.z + by);
        let grid = VoxelGrid::cubes(side, offset(low, -9), offset(high, 9));
        let solid = voxelize(&mesh, &grid, Fill::Interior).unwrap();
        assert_eq!(boundary_edges, solid.boundary_edges, "seed {seed}");
        let air = builder.build().unwrap();
        assert_eq!(air.n_solid(), solid.spans.n_voxels(), "seed {seed}");
        for at in Dense::new(air.low(), air.size()).voxels() {
            let column = solid.spans.column(Column::new(at.x, at.y));
            let covered = column
                .iter()
                .any(|span| span.low <= at.z && at.z <= span.high);
            assert_eq!(air.is_solid(at), covered, "seed {seed}: {at}");
        }
    }
}

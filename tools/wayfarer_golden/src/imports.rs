//! Golden digests of ground imported from height maps and meshes, with fractional scales.

use wayfarer_engine::base::{Heightmap, Rng};
use wayfarer_engine::world::ground::import::{
    HeightmapImportOptions, ImportError, Imported, MeshImportOptions, from_heightmap, from_mesh,
};

use super::solids::some_mesh;
use super::values::Values;

pub(super) fn imports(values: &mut Values) {
    let mut rng = Rng::new(15);
    let mut height = || rng.between(-400, 400);
    let scales = [0.3, 0.7, 1.1, 2.9];
    for scale in scales {
        let heights = (0..40 * 30).map(|_| height()).collect();
        let options = HeightmapImportOptions {
            meters_per_unit: scale / 13.0,
            meters_per_step: scale * scale,
            meters_per_cell: 3.7,
            max_slope: Some(scale * 2.0),
            no_data: Some(-7),
            zero: 3,
            ..HeightmapImportOptions::default()
        };
        if let Some(land) = Heightmap::new(40, 30, heights) {
            digest(values, from_heightmap(&land, &options));
        }
    }
    let mut rng = Rng::new(16);
    for scale in scales.repeat(6) {
        let options = MeshImportOptions {
            cell: scale / 1.9,
            step: scale / 5.3,
            origin: [scale, -scale, 0.1],
            max_slope: scale,
            ..MeshImportOptions::default()
        };
        if let Some(mesh) = some_mesh(&mut rng) {
            digest(values, from_mesh(&mesh, &options));
        }
    }
}

fn digest(values: &mut Values, imported: Result<Imported, ImportError>) {
    match imported {
        Ok(Imported { ground, report }) => values.each(&[&0, &report, &ground.canonical()]),
        Err(error) => values.each(&[&1, &error]),
    }
}

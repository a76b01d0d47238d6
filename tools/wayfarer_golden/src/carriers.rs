//! Golden digests of voxel, patch, image, height and mesh files.

use wayfarer_engine::base::{Heightmap, Rng};
use wayfarer_engine::formats::heightmap::{
    RawLayout, Sample, read_png, read_raw, write_png, write_raw,
};
use wayfarer_engine::formats::mesh::Up;
use wayfarer_engine::formats::{gltf, map3d, obj, patch, png_raster};
use wayfarer_engine::make::{GeneratedWorld, make};

use super::solids::some_mesh;
use super::values::Values;
use super::worlds::{flat_worlds, recipes};

pub(super) fn voxel_files(values: &mut Values) {
    for recipe in recipes() {
        if let Ok(GeneratedWorld::Voxels(voxels)) = make(&recipe) {
            let text = map3d::write(&voxels);
            values.bytes(text.as_bytes());
            values.number((map3d::read(text.as_bytes()) == Ok(voxels)).into());
        }
    }
}

pub(super) fn patches(values: &mut Values) {
    let maps: Vec<_> = flat_worlds().collect();
    let text = patch::write(&maps);
    values.bytes(text.as_bytes());
    values.number((patch::read(text.as_bytes()) == Ok(maps)).into());
}

/// Digests the decoded pixels, not the bytes: the compression of PNG may differ.
pub(super) fn images(values: &mut Values) {
    for map in flat_worlds() {
        let again = png_raster::write(&map).and_then(|bytes| png_raster::read(&bytes));
        match again {
            Ok(again) => values.bytes(again.bytes()),
            Err(error) => values.take(&error),
        }
    }
}

pub(super) fn heights(values: &mut Values) {
    let mut rng = Rng::new(13);
    for sample in Sample::ALL {
        let heights = (0..31 * 17).map(|_| rng.between(0, 255)).collect();
        let Some(map) = Heightmap::new(31, 17, heights) else {
            continue;
        };
        let layout = RawLayout {
            width: 31,
            height: 17,
            sample,
        };
        let raw = write_raw(&map, sample);
        values.take(&raw);
        let again = raw.and_then(|bytes| read_raw(&bytes, &layout));
        values.number((again.as_ref() == Ok(&map)).into());
        let png = write_png(&map).and_then(|bytes| read_png(&bytes));
        values.take(&png.as_ref().map(Heightmap::heights));
    }
}

pub(super) fn meshes(values: &mut Values) {
    let mut rng = Rng::new(15);
    for _ in 0..20 {
        let Some(mesh) = some_mesh(&mut rng) else {
            continue;
        };
        for up in [Up::Y, Up::Z] {
            let text = obj::write(&mesh, up);
            values.bytes(text.as_bytes());
            values.take(&obj::read(text.as_bytes()));
        }
        let text = gltf::write_gltf(&mesh).unwrap_or_default();
        values.bytes(text.as_bytes());
        values.take(&gltf::read(text.as_bytes()));
        let binary = gltf::write_glb(&mesh).unwrap_or_default();
        values.bytes(&binary);
        values.take(&gltf::read(&binary));
    }
}

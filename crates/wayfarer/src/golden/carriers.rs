//! Golden results of files that carry voxels, patches, pictures and heights.

use wayfarer_base::{Dice, Digest, Heightmap};
use wayfarer_formats::heightmap::{RawLayout, Sample, read_png, read_raw, write_png, write_raw};
use wayfarer_formats::mesh::Up;
use wayfarer_formats::{gltf, map3d, obj, patch, png_raster};
use wayfarer_make::{Made, make};

use super::solids::some_mesh;
use super::worlds::{flat_worlds, recipes};

pub(super) fn voxel_files(digest: &mut Digest) {
    for recipe in recipes() {
        if let Ok(Made::Space(voxels)) = make(&recipe) {
            let text = map3d::write(&voxels);
            digest.bytes(text.as_bytes());
            digest.number((map3d::read(text.as_bytes()) == Ok(voxels)).into());
        }
    }
}

pub(super) fn patches(digest: &mut Digest) {
    let maps: Vec<_> = flat_worlds().collect();
    let text = patch::write(&maps);
    digest.bytes(text.as_bytes());
    digest.number((patch::read(text.as_bytes()) == Ok(maps)).into());
}

/// What is read back counts, not the bytes: how a PNG is packed is its packer's affair.
pub(super) fn images(digest: &mut Digest) {
    for map in flat_worlds() {
        let again = png_raster::write(&map).and_then(|bytes| png_raster::read(&bytes));
        match again {
            Ok(again) => digest.bytes(again.bytes()),
            Err(error) => digest.bytes(error.to_string().as_bytes()),
        }
    }
}

pub(super) fn heights(digest: &mut Digest) {
    let mut dice = Dice::new(13);
    for sample in Sample::ALL {
        let heights = (0..31 * 17).map(|_| dice.between(0, 255)).collect();
        let Some(map) = Heightmap::new(31, 17, heights) else {
            continue;
        };
        let layout = RawLayout {
            width: 31,
            height: 17,
            sample,
        };
        let raw = write_raw(&map, sample);
        digest.bytes(format!("{raw:?}").as_bytes());
        let again = raw.and_then(|bytes| read_raw(&bytes, &layout));
        digest.number((again.as_ref() == Ok(&map)).into());
        let png = write_png(&map).and_then(|bytes| read_png(&bytes));
        digest.bytes(format!("{:?}", png.map(|map| map.heights().to_vec())).as_bytes());
    }
}

pub(super) fn meshes(digest: &mut Digest) {
    let mut dice = Dice::new(15);
    for _ in 0..20 {
        let Some(mesh) = some_mesh(&mut dice) else {
            continue;
        };
        for up in [Up::Y, Up::Z] {
            let text = obj::write(&mesh, up);
            digest.bytes(text.as_bytes());
            digest.bytes(format!("{:?}", obj::read(text.as_bytes())).as_bytes());
        }
        let text = gltf::write_gltf(&mesh).unwrap_or_default();
        digest.bytes(text.as_bytes());
        digest.bytes(format!("{:?}", gltf::read(text.as_bytes())).as_bytes());
        let binary = gltf::write_glb(&mesh).unwrap_or_default();
        digest.bytes(&binary);
        digest.bytes(format!("{:?}", gltf::read(&binary)).as_bytes());
    }
}

//! Detection of every file format.

use wayfarer_base::{Raster, TriangleSoup, VoxelSet, WorldData};

use super::*;
use crate::mesh::Up;
use crate::*;

fn soup() -> TriangleSoup {
    TriangleSoup::new(vec![[0.0; 3]; 3], vec![[0, 1, 2]]).unwrap()
}

/// A file of every format that is detected by content.
fn files() -> Vec<(FileFormat, Vec<u8>)> {
    let raster = Raster::from_bytes(2, 1, vec![0, 255]).unwrap();
    let scen = "version 1\n0\ta.map\t2\t2\t0\t0\t1\t1\t1.5\n";
    let dynamic = dynamic_scen::DynamicScenario {
        patch_file: String::from("a.patch"),
        ..dynamic_scen::DynamicScenario::default()
    };
    let scen3d = "version 1\na.3dmap\n0 0 0 1 1 1 2 1\n";
    vec![
        (FileFormat::Map, movingai_map::write(&raster).into()),
        (FileFormat::Scen, scen.into()),
        (
            FileFormat::Scen,
            scen.replace("version 1", "version 1.0")
                .replace('\t', " ")
                .into(),
        ),
        (
            FileFormat::DynamicScen,
            dynamic_scen::write(&dynamic).into(),
        ),
        (
            FileFormat::Patch,
            patch::write(std::slice::from_ref(&raster)).into(),
        ),
        (FileFormat::Map3d, map3d::write(&VoxelSet::default()).into()),
        (FileFormat::Scen3d, scen3d.into()),
        (FileFormat::Obj, obj::write(&soup(), Up::Y).into()),
        (
            FileFormat::Obj,
            b"# made by hand\n\nmtllib a.mtl\n".to_vec(),
        ),
        (FileFormat::Gltf, gltf::write_gltf(&soup()).unwrap().into()),
        (FileFormat::Gltf, gltf::write_glb(&soup()).unwrap()),
        (FileFormat::Png, png_raster::write(&raster).unwrap()),
        (
            FileFormat::World,
            world_file::write(&WorldData::default()).into(),
        ),
        (FileFormat::Edits, b"wayfarer edits 1\n".to_vec()),
        (
            FileFormat::Obstacles,
            obstacle_file::write(&wayfarer_base::ObstacleSetData::default()).into(),
        ),
        (FileFormat::Baked, b"WFRZ\x01\0".to_vec()),
        (
            FileFormat::Tiled,
            b"<?xml version=\"1.0\"?>\n<map width=\"1\"/>".to_vec(),
        ),
        (
            FileFormat::Tiled,
            b"{ \"tilewidth\": 8, \"x\": \"asset\" }".to_vec(),
        ),
        (FileFormat::Ldtk, b"{ \"__header__\": {} }".to_vec()),
        (FileFormat::Saved, snapshot::MAGIC.to_vec()),
    ]
}

#[test]
fn content_takes_precedence_over_the_extension() {
    for (format, bytes) in files() {
        for name in ["file", "file.txt", "file.map", "file.png"] {
            assert_eq!(FileFormat::detect(name, &bytes), Some(format), "{format}");
        }
    }
}

#[test]
fn every_format_but_one_has_its_own_extension() {
    let extensions = [
        "map", "scen", "patch", "3dmap", "3dscen", "obj", "gltf", "glb", "png", "raw", "world",
        "edits", "field", "frozen", "tmx", "tmj", "ldtk", "wayfarer",
    ];
    let named: Vec<_> = extensions
        .iter()
        .filter_map(|extension| FileFormat::from_name(&format!("a.b.{extension}")))
        .collect();
    assert_eq!(named.len(), extensions.len());
    let unnamed: Vec<_> = FileFormat::ALL
        .iter()
        .filter(|format| !named.contains(format))
        .collect();
    assert_eq!(unnamed, [&FileFormat::DynamicScen]);
    assert_eq!(FileFormat::from_name("map"), None);
    assert_eq!(FileFormat::detect("empty.map", b""), Some(FileFormat::Map));
}

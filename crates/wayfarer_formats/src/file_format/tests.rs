use wayfarer_base::{Raster, TriangleSoup, VoxelSet, WorldData};

use super::*;
use crate::mesh::Up;
use crate::*;

fn soup() -> TriangleSoup {
    TriangleSoup::new(vec![[0.0; 3]; 3], vec![[0, 1, 2]]).unwrap()
}

/// A file of every kind that shows what it is.
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
            FileFormat::Clutter,
            obstacle_file::write(&wayfarer_base::ObstacleSetData::default()).into(),
        ),
        (FileFormat::Baked, b"WFRZ\x01\0".to_vec()),
        (FileFormat::Saved, snapshot::MAGIC.to_vec()),
    ]
}

#[test]
fn files_show_what_they_are_whatever_their_name() {
    for (kind, bytes) in files() {
        for name in ["file", "file.txt", "file.map", "file.png"] {
            assert_eq!(FileFormat::of(name, &bytes), Some(kind), "{kind}");
        }
    }
}

#[test]
fn every_kind_but_one_has_an_end_of_name_of_its_own() {
    let ends = [
        "map", "scen", "patch", "3dmap", "3dscen", "obj", "gltf", "glb", "png", "raw", "world",
        "edits", "field", "frozen", "wayfarer",
    ];
    let named: Vec<_> = ends
        .iter()
        .filter_map(|end| FileFormat::of_name(&format!("a.b.{end}")))
        .collect();
    assert_eq!(named.len(), ends.len());
    let unnamed: Vec<_> = FileFormat::ALL
        .iter()
        .filter(|kind| !named.contains(kind))
        .collect();
    assert_eq!(unnamed, [&FileFormat::DynamicScen]);
    assert_eq!(FileFormat::of_name("map"), None);
    assert_eq!(FileFormat::of("empty.map", b""), Some(FileFormat::Map));
}

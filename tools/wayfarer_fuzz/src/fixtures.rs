//! Sample files of every format, from the writers or written by hand.

use wayfarer_engine::base::{
    Cell, Column, Heightmap, Raster, Rng, Terrain, TriangleSoup, VoxelSet, WorldData,
};
use wayfarer_engine::formats::mesh::Up;
use wayfarer_engine::formats::{
    gltf, heightmap, map3d, movingai_map, movingai_scen, obj, patch, png_raster, scen3d, world_file,
};

/// A random flat map of all benchmark terrains.
pub fn raster(rng: &mut Rng, width: u32, height: u32) -> Raster {
    let kinds = [0, 0, 0, 0, 1, 2, 3, 255, 255];
    let cells = (0..width * height).map(|_| *rng.pick(&kinds).unwrap());
    Raster::from_bytes(width, height, cells.collect()).unwrap()
}

/// Flat maps.
pub fn maps() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(1);
    let sizes = [(1, 1), (12, 9), (70, 50)];
    sizes
        .map(|(width, height)| movingai_map::write(&raster(&mut rng, width, height)).into_bytes())
        .to_vec()
}

/// Scenarios.
pub fn scens() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(2);
    let mut column = || Column::new(rng.between(0, 99), rng.between(0, 99));
    let lines = (0..40_u16).map(|number| movingai_scen::ScenarioLine {
        bucket: u32::from(number / 10),
        map: if number % 7 == 0 {
            "other.map".into()
        } else {
            "keep.map".into()
        },
        width: 100,
        height: 100,
        start: column(),
        goal: column(),
        length: f64::from(number) * 1.25,
    });
    let tabs = movingai_scen::write(&movingai_scen::Scenario {
        lines: lines.collect(),
    });
    let spaces = tabs.replace('\t', " ").replace("version 1", "version 1.0");
    vec![tabs.into_bytes(), spaces.replace('\n', "\r\n").into_bytes()]
}

/// Patches of flat maps.
pub fn patches() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(3);
    let patches: Vec<_> = (1..9)
        .map(|side| raster(&mut rng, side, 9 - side))
        .collect();
    vec![
        patch::write(&patches).into_bytes(),
        patch::write(&patches[..1]).into_bytes(),
    ]
}

/// Dynamic scenarios.
pub fn dynamic_scens() -> Vec<Vec<u8>> {
    let mut text =
        String::from("version 2\nheight 20\nwidth 30\ncost 1 octile\npatch keep.patch\ncommands\n");
    for number in 0..30 {
        let line = match number % 3 {
            0 => format!("P {number} {} {} 5\n", number % 8, number % 20),
            1 => format!("Q {number} 1 2 {} 7 10.5\n", number % 30),
            _ => format!("Q {number} 1 2 3 4 -1\n"),
        };
        text.push_str(&line);
    }
    vec![text.into_bytes()]
}

/// Voxel maps.
pub fn maps3d() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(4);
    let solid = (0..100).map(|_| [30, 20, 10].map(|size| rng.below(size)));
    let map = VoxelSet::new([30, 20, 10], solid.collect()).unwrap();
    vec![map3d::write(&map).into_bytes()]
}

/// Voxel scenarios.
pub fn scens3d() -> Vec<Vec<u8>> {
    let line = "1 2 3 14 15 16 22.5166 1.0001\n";
    let text = format!("version 1\ncave.3dmap\n{}", line.repeat(20));
    let read = scen3d::read(text.as_bytes()).unwrap();
    vec![text.into_bytes(), scen3d::write(&read).into_bytes()]
}

/// A small mesh.
pub fn soup() -> TriangleSoup {
    let mut rng = Rng::new(5);
    let at = |rng: &mut Rng| f64::from(rng.between(-9999, 9999)) / 64.0;
    let vertices = (0..30).map(|_| [at(&mut rng), at(&mut rng), at(&mut rng)]);
    let vertices = vertices.collect();
    let triangles = (0..40).map(|_| [0; 3].map(|_: u32| rng.below(30)));
    TriangleSoup::new(vertices, triangles.collect()).unwrap()
}

/// OBJ meshes.
pub fn objs() -> Vec<Vec<u8>> {
    let by_hand = "mtllib a.mtl\no floor\nv 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nvt 0 0\nvn 0 1 0\n\
                   s off\nf 1/1/1 2/1/1 -2//1 4\nf -1 -2 -3\n";
    vec![
        obj::write(&soup(), Up::Y).into_bytes(),
        by_hand.as_bytes().to_vec(),
    ]
}

/// glTF meshes, binary and text.
pub fn gltfs() -> Vec<Vec<u8>> {
    vec![
        gltf::write_gltf(&soup()).unwrap().into_bytes(),
        gltf::write_glb(&soup()).unwrap(),
        GLTF_BY_HAND.as_bytes().to_vec(),
    ]
}

/// Nodes with every kind of transform, strips, 8-bit indices, a stride; one element per line.
const GLTF_BY_HAND: &str = r#"{
"asset":{"version":"2.0"},
"scene":0,
"scenes":[{"nodes":[0,2]}],
"nodes":[
{"children":[1],"translation":[1,2,3],"rotation":[0,0.6,0,0.8],"scale":[2,-1,1]},
{"mesh":0},
{"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,7,8,9,1]}
],
"meshes":[
{"primitives":[
{"attributes":{"POSITION":0},"indices":1,"mode":5},
{"attributes":{"POSITION":0,"NORMAL":0},"mode":1},
{"attributes":{"POSITION":0},"mode":6}
]}
],
"accessors":[
{"bufferView":0,"byteOffset":4,"componentType":5126,"count":3,"type":"VEC3"},
{"bufferView":1,"componentType":5121,"count":4,"type":"SCALAR"}
],
"bufferViews":[
{"buffer":0,"byteOffset":0,"byteLength":48,"byteStride":16},
{"buffer":0,"byteOffset":48,"byteLength":4}
],
"buffers":[
{"byteLength":52,"uri":"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAIA/AACAPwAAAAAAAAAAAAECAQ=="}
]
}
"#;

/// Heightmap images.
pub fn heightmaps() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(6);
    let mut map = |width: u32, height: u32| {
        let heights = (0..width * height).map(|_| rng.between(0, 65_535));
        let map = Heightmap::new(width, height, heights.collect()).unwrap();
        heightmap::write_png(&map).unwrap()
    };
    vec![map(5, 4), map(40, 30)]
}

/// Images.
pub fn pngs() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(7);
    let plain = Raster::from_bytes(30, 20, vec![0; 600]).unwrap();
    let mut files = vec![
        png_raster::write(&plain).unwrap(),
        png_raster::write(&raster(&mut rng, 40, 30)).unwrap(),
    ];
    files.extend(heightmaps());
    files
}

/// World files.
pub fn worlds() -> Vec<Vec<u8>> {
    let mut data = WorldData::from_raster(&raster(&mut Rng::new(8), 30, 20));
    let own = Terrain::new(40).unwrap();
    data.cells
        .extend((0..9).map(|x| (Cell::new(x, -x, 7), own)));
    vec![
        example(
            include_str!("../../../docs/design/world-format.md"),
            "world",
        ),
        world_file::write(&data).into_bytes(),
    ]
}

/// Edit files.
pub fn edits() -> Vec<Vec<u8>> {
    let example = example(
        include_str!("../../../docs/design/edits-format.md"),
        "edits",
    );
    vec![example]
}

/// Obstacle files.
pub fn obstacle_sets() -> Vec<Vec<u8>> {
    let example = example(
        include_str!("../../../docs/design/field-format.md"),
        "field",
    );
    vec![example]
}

/// The example of a format document.
fn example(document: &str, name: &str) -> Vec<u8> {
    let mark = format!("```{name}\n");
    let example = document.split(&mark).nth(1).unwrap();
    example.split("```").next().unwrap().as_bytes().to_vec()
}

//! Fuzzing of the readers of tile maps, and of the rules that make a raster of what they read.

use wayfarer_engine::base::Raster;
use wayfarer_engine::formats::tile_rules::{TileRules, TileTerrain};
use wayfarer_engine::formats::{TileMapError, ldtk, tiled};

use crate::{N_FILES, read_mutated, with_peak};

/// 10 x 6 tiles with all encodings, properties, groups and objects.
fn tmx() -> Vec<u8> {
    let csv = "1,2,3,4,0,1,2,2,2,2,\n".repeat(5) + "1,1,1,1,1,1,1,1,1,1";
    let elements = "<tile gid=\"1\"/>\n".repeat(60);
    let file = format!(
        "<?xml version=\"1.0\"?>\n<map orientation=\"orthogonal\" width=\"10\" height=\"6\" \
         tilewidth=\"16\" tileheight=\"16\" infinite=\"0\">\n<!-- all -->\n<properties>\n<property \
         name=\"a\" type=\"float\" value=\"1.5\"/>\n</properties>\n<tileset firstgid=\"1\">\n<tile \
         id=\"1\"><properties><property name=\"terrain\" value=\"water\"/></properties></tile>\n<tile \
         id=\"2\" class=\"a&amp;b\"/>\n</tileset>\n<group name=\"g\">\n<layer name=\"floor\" \
         width=\"10\" height=\"6\">\n<data encoding=\"csv\">\n{csv}\n</data>\n</layer>\n</group>\n<layer \
         name=\"collision\">\n<data>\n{elements}</data>\n</layer>\n<layer name=\"roof\">\n<data \
         encoding=\"base64\" compression=\"zlib\">\n{ZLIB}\n</data>\n</layer>\n<objectgroup \
         name=\"zones\">\n<object id=\"1\" x=\"3.5\" y=\"4\" width=\"20\" \
         height=\"9\"><properties><property name=\"solid\" type=\"bool\" \
         value=\"true\"/></properties></object>\n</objectgroup>\n</map>\n"
    );
    file.into_bytes()
}

const ZLIB: &str = "eJxjZGBgYAJiZiBmYYAARigejuIANcAAbw==";

fn tmj() -> Vec<u8> {
    let ids = "1, 2, 3, 4, 0, 1, 2, 2, 2, 2,\n".repeat(5) + "1, 1, 1, 1, 1, 1, 1, 1, 1, 1";
    let file = format!(
        "{{ \"type\": \"map\", \"orientation\": \"orthogonal\", \"width\": 10, \"height\": 6,\n\
         \"tilewidth\": 16, \"tileheight\": 16, \"infinite\": false,\n\"tilesets\": [ {{ \
         \"firstgid\": 1, \"tiles\": [\n{{ \"id\": 1, \"properties\": [ {{ \"name\": \"terrain\", \
         \"value\": \"swamp\" }} ] }} ] }} ],\n\"layers\": [ {{ \"type\": \"tilelayer\", \"name\": \
         \"floor\", \"data\": [\n{ids} ] }},\n{{ \"type\": \"group\", \"name\": \"g\", \"layers\": [ \
         {{ \"type\": \"objectgroup\",\n\"name\": \"collision\", \"objects\": [ {{ \"id\": 4, \"x\": \
         1, \"y\": 2.5, \"width\": 9, \"height\": 9 }} ] }} ] }},\n{{ \"type\": \"tilelayer\", \
         \"name\": \"roof\", \"encoding\": \"base64\", \"compression\": \"zlib\",\n\"data\": \
         \"{ZLIB}\" }} ] }}\n"
    );
    file.into_bytes()
}

fn ldtk_files() -> Vec<Vec<u8>> {
    let level = |name: &str, x: i32| {
        let values = "0, 1, 0, 2,\n".repeat(3) + "0, 0, 0, 0";
        format!(
            "{{ \"identifier\": \"{name}\", \"worldX\": {x}, \"worldY\": 0,\n\"pxWid\": 32, \
             \"pxHei\": 32, \"layerInstances\": [ {{ \"__identifier\": \"Grid\",\n\"__type\": \
             \"IntGrid\", \"__gridSize\": 8, \"layerDefUid\": 4,\n\"intGridCsv\": [ {values} ] }} ] }}"
        )
    };
    let project = |levels: String| {
        let file = format!(
            "{{ \"__header__\": {{}}, \"worldLayout\": \"Free\",\n\"defs\": {{ \"layers\": [ {{ \
             \"type\": \"IntGrid\", \"identifier\": \"Grid\", \"uid\": 4,\n\"intGridValues\": [ {{ \
             \"value\": 1, \"identifier\": \"walls\" }},\n{{ \"value\": 2, \"identifier\": \"water\" }} \
             ] }} ] }},\n\"levels\": [\n{levels} ] }}\n"
        );
        file.into_bytes()
    };
    vec![
        project(level("A", 0)),
        project([level("A", 0), level("B", -32), level("C", 64)].join(",\n")),
    ]
}

fn from_tiled(bytes: &[u8]) -> Result<Raster, TileMapError> {
    let rules = TileRules::default();
    rules.raster(&tiled::read(bytes, rules.tilesets())?)
}

fn from_ldtk(bytes: &[u8]) -> Result<Raster, TileMapError> {
    let rules = TileRules::default().with_layer("Grid", TileTerrain::NoFloor);
    rules.raster(&ldtk::read(bytes, rules.level())?)
}

/// Parsed JSON takes more memory than its text; decompression has a state of fixed size.
fn limit(n_bytes: usize) -> i64 {
    100 * i64::try_from(n_bytes).unwrap() + 100_000
}

#[test]
fn mutated_tile_maps_never_panic() {
    type Read = fn(&[u8]) -> Result<Raster, TileMapError>;
    let cases: [(Vec<Vec<u8>>, Read); 3] = [
        (vec![tmx()], from_tiled),
        (vec![tmj()], from_tiled),
        (ldtk_files(), from_ldtk),
    ];
    for (files, read) in cases {
        let outcomes = read_mutated(&files, |_| {}, limit, read, (drop, |_, _| {}));
        assert!(outcomes.n_errors > N_FILES / 5, "{outcomes:?}");
        assert!(outcomes.n_values > N_FILES / 100, "{outcomes:?}");
    }
}

#[test]
fn truncated_tile_maps_are_errors() {
    let tiled = [tmx(), tmj()].map(|file| (file, true));
    let ldtk = ldtk_files().into_iter().map(|file| (file, false));
    for (file, is_tiled) in tiled.into_iter().chain(ldtk) {
        let content = file.trim_ascii_end();
        for length in 0..content.len() {
            let bytes = &content[..length];
            let read = if is_tiled {
                from_tiled(bytes)
            } else {
                from_ldtk(bytes)
            };
            assert!(read.is_err(), "{length} of {} bytes", content.len());
        }
    }
}

#[test]
fn dense_tile_maps_take_at_most_ten_times_their_bytes() {
    const N_TILES: usize = 100_000;
    let head =
        "<map orientation=\"orthogonal\" tilewidth=\"8\" tileheight=\"8\" height=\"1\" width=";
    let tail = "</data></layer></map>";
    let files = [
        format!(
            "{head}\"{N_TILES}\"><layer name=\"a\"><data encoding=\"csv\">1{}{tail}",
            ",1".repeat(N_TILES - 1)
        ),
        format!(
            "{head}\"{N_TILES}\"><layer name=\"a\"><data>{}{tail}",
            "<tile/>".repeat(N_TILES)
        ),
        format!(
            "{{\"orientation\":\"orthogonal\",\"tilewidth\":8,\"tileheight\":8,\"height\":1,\
             \"width\":{N_TILES},\"layers\":[{{\"type\":\"tilelayer\",\"name\":\"a\",\"data\":[1{}]}}]}}",
            ",1".repeat(N_TILES - 1)
        ),
    ];
    for file in files {
        let (read, peak) = with_peak(|| from_tiled(file.as_bytes()));
        assert_eq!(read.unwrap().width() as usize, N_TILES);
        let limit = 10 * i64::try_from(file.len()).unwrap();
        assert!(peak <= limit, "{peak} bytes held, the limit is {limit}");
    }
}

#[test]
fn tile_maps_with_a_huge_stated_size_take_no_memory() {
    let tmx = String::from_utf8(tmx()).unwrap();
    let ldtk = String::from_utf8(ldtk_files().remove(1)).unwrap();
    let check = |file: &str, from: &str, to: &str, read: fn(&[u8]) -> _| {
        assert!(file.contains(from), "{from}");
        let file = file.replacen(from, to, 1);
        let (read, peak): (Result<Raster, TileMapError>, _) = with_peak(|| read(file.as_bytes()));
        assert!(read.is_err(), "{to}");
        assert!(peak < limit(file.len()), "{to}: {peak}");
    };
    check(&tmx, "width=\"10\"", "width=\"4294967295\"", from_tiled);
    check(&tmx, "height=\"6\"", "height=\"4294967295\"", from_tiled);
    check(&tmx, "x=\"3.5\"", "x=\"1e309\"", from_tiled);
    check(&ldtk, "\"pxWid\": 32", "\"pxWid\": 4294967295", from_ldtk);
    check(&ldtk, "\"worldX\": 64", "\"worldX\": 2147483640", from_ldtk);
    let deep = format!("{}{}", "<group>".repeat(60_000), "</group>".repeat(60_000));
    check(&tmx, "<!-- all -->", &deep, from_tiled);
    let layers = "\"layers\":[{\"type\":\"group\",\"name\":\"\",".repeat(60_000);
    check("{ }", " ", &layers, from_tiled);
}

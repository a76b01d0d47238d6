//! Encodings, tilesets, groups, objects and refusals of Tiled maps.

#![expect(clippy::float_cmp, reason = "small integers, exact in floating point")]

use super::*;
use crate::tile_rules::TileRules;

/// A map of 3 x 2 tiles in XML with these elements.
fn tmx(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" \
         orientation=\"orthogonal\" renderorder=\"right-down\" width=\"3\" height=\"2\" \
         tilewidth=\"16\" tileheight=\"8\" infinite=\"0\">\n{body}</map>\n"
    )
}

/// A layer of a map of 3 x 2 tiles.
fn layer(attributes: &str, data: &str) -> String {
    format!(
        " <layer id=\"1\" name=\"floor\" width=\"3\" height=\"2\">\n  \
         <data {attributes}>{data}</data>\n </layer>\n"
    )
}

/// The same in JSON; `members` follow the head.
fn tmj(members: &str) -> String {
    format!(
        "{{\"type\":\"map\",\"orientation\":\"orthogonal\",\"infinite\":false,\"width\":3,\
         \"height\":2,\"tilewidth\":16,\"tileheight\":8,{members}}}"
    )
}

fn read_text(text: &str) -> Result<TileMap, TileMapError> {
    read(text.as_bytes(), &BTreeMap::new())
}

fn ids(map: &TileMap) -> &[u32] {
    match &map.layers[0].content {
        LayerContent::Tiles(ids) => ids,
        other => panic!("{other:?}"),
    }
}

const IDS: [u32; 6] = [1, 2, 3, 4, 0, 1];
const BASE64: &str = "AQAAAAIAAAADAAAABAAAgAAAAAABAAAA";
const ZLIB: &str = "eJxjZGBgYAJiZiBmYWBoAFIMjEAMAAU8AIw=";
const GZIP: &str = "H4sIAAAAAAACA2NkYGBgAmJmIGZhYGgAUgyMQAwALDENHBgAAAA=";

#[test]
fn every_encoding_has_the_same_tiles_without_flips() {
    let csv = "\n1,2,3,\n2147483652,0,1\n";
    let elements = "<tile gid=\"1\"/><tile gid=\"2\"/><tile gid=\"3\"/>\
                    <tile gid=\"2147483652\"/><tile/><tile gid=\"1\"/>";
    let files = [
        tmx(&layer("encoding=\"csv\"", csv)),
        tmx(&layer("", elements)),
        tmx(&layer("encoding=\"base64\"", &format!("\n   {BASE64}\n  "))),
        tmx(&layer("encoding=\"base64\" compression=\"zlib\"", ZLIB)),
        tmx(&layer("encoding=\"base64\" compression=\"gzip\"", GZIP)),
        tmj(
            "\"layers\":[{\"type\":\"tilelayer\",\"name\":\"floor\",\"width\":3,\"height\":2,\
             \"data\":[1,2,3,2147483652,0,1]}]",
        ),
        tmj(&format!(
            "\"layers\":[{{\"type\":\"tilelayer\",\"name\":\"floor\",\"encoding\":\"base64\",\
             \"compression\":\"zlib\",\"data\":\"{ZLIB}\"}}]"
        )),
    ];
    for file in files {
        let map = read_text(&file).unwrap();
        assert_eq!(ids(&map), IDS, "{file}");
        assert_eq!((map.width, map.height, map.tile_size), (3, 2, (16, 8)));
        assert_eq!(map.layers[0].name, "floor");
    }
}

#[test]
fn faults_name_the_layer_and_what_was_expected() {
    let csv = "encoding=\"csv\"";
    let at = "line 3, column 2: layer `floor`: expected ";
    let cases = [
        (
            layer(csv, "1,2,3"),
            "a tile for every cell, found 3 for 6 cells",
        ),
        (
            layer(csv, "1,2,3,4,5,6,7"),
            "a tile id for every cell, separated by commas, found `7`",
        ),
        (
            layer(csv, "1,2,x,4,5,6"),
            "a tile id for every cell, separated by commas, found `x` at index 2",
        ),
        (
            layer("encoding=\"base64\"", "AAAA"),
            "4 bytes for every cell, found 3 bytes",
        ),
        (
            layer("encoding=\"base64\"", "AA!A"),
            "base64, found another character at 2",
        ),
        (
            layer("encoding=\"base64\" compression=\"zstd\"", "AAAA"),
            "no compression, `zlib` or `gzip`, found `zstd`",
        ),
        (
            layer("encoding=\"base64\" compression=\"zlib\"", "AAAA"),
            "compressed tile data, found damaged data",
        ),
        (
            layer("encoding=\"hex\"", "00"),
            "tile data as `csv`, `base64` or elements, found `hex`",
        ),
        (" <layer name=\"floor\"/>".into(), "tile data, found none"),
        (
            layer(csv, "").replace("width=\"3\"", "width=\"4\""),
            "the size of the map, found 4 x 2",
        ),
    ];
    for (body, expected) in cases {
        let error = read_text(&tmx(&body)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{at}{expected}")), "{error}");
    }
}

#[test]
fn maps_of_other_kinds_are_refused_by_name() {
    let good = tmx(&layer("encoding=\"csv\"", "1,1,1,1,1,1"));
    let cases = [
        (
            "orthogonal",
            "isometric",
            "map: expected orientation `orthogonal`, found `isometric`",
        ),
        (
            "infinite=\"0\"",
            "infinite=\"1\"",
            "map: expected a map of fixed size, found an infinite map",
        ),
        (
            "tilewidth=\"16\"",
            "tilewidth=\"0\"",
            "map: expected tiles of at least 1 x 1 pixel",
        ),
        (
            " height=\"2\" tile",
            " tile",
            "line 2, column 1: expected attributes `width`, `height`",
        ),
        (
            "<layer",
            "<imagelayer",
            "line 5, column 2: expected the end of the element",
        ),
        (
            "width=\"3\" height=\"2\" tile",
            "width=\"99999\" height=\"99999\" tile",
            "the size of the map",
        ),
    ];
    for (from, to, expected) in cases {
        let error = read_text(&good.replacen(from, to, 1))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
    let none = read_text(&tmx("")).unwrap_err().to_string();
    assert_eq!(none, "map: expected a tile layer, found none");
    let json = read_text("{\n \"width\": \"3\" }").unwrap_err().to_string();
    assert!(json.starts_with("line 2, column "), "{json}");
    let root = read_text("<tileset/>").unwrap_err().to_string();
    assert!(root.contains("expected the element `map`"), "{root}");
}

const TILES: &str = "<tile id=\"0\"><properties><property name=\"solid\" type=\"bool\" \
    value=\"true\"/></properties></tile><tile id=\"1\" type=\"mud\"><image source=\"a\"/></tile>\
    <tile id=\"2\"><properties><property name=\"note\">two\nlines</property><property name=\"n\" \
    type=\"int\" value=\"-3\"/><property name=\"c\" type=\"class\"><properties><property name=\"x\" \
    value=\"1\"/></properties></property></properties></tile>";

#[test]
fn properties_of_tiles_come_from_the_map_or_from_given_bytes() {
    let data = layer("encoding=\"csv\"", "1,1,1,1,1,1");
    let inside = tmx(&format!(
        "<tileset firstgid=\"10\" name=\"t\">{TILES}</tileset>{data}"
    ));
    let map = read_text(&inside).unwrap();
    let keys: Vec<_> = map.tiles.keys().copied().collect();
    assert_eq!(keys, [10, 11, 12]);
    assert_eq!(map.tiles[&10]["solid"], true.into());
    assert_eq!(map.tiles[&11]["class"], "mud".into());
    assert_eq!(map.tiles[&12]["note"], "two\nlines".into());
    assert_eq!(map.tiles[&12]["n"], (-3).into());
    assert_eq!(map.tiles[&12].len(), 2);

    let outside = tmx(&format!(
        "<tileset firstgid=\"10\" source=\"t.tsx\"/>{data}"
    ));
    let refused = read_text(&outside).unwrap_err().to_string();
    let expected = "line 3, column 1: tileset `t.tsx`: expected a tileset inside the map, or its \
                    bytes by `TileRules::with_tileset`, found an external tileset";
    assert_eq!(refused, expected);
    let json = "{\"tiles\":[{\"id\":0,\"properties\":[{\"name\":\"solid\",\"type\":\"bool\",\
                \"value\":true}]},{\"id\":1,\"type\":\"mud\"},{\"id\":2,\"properties\":[{\"name\":\
                \"note\",\"value\":\"two\\nlines\"},{\"name\":\"n\",\"value\":-3},\
                {\"name\":\"c\",\"value\":{\"x\":[1]}}]}]}";
    for tileset in [
        format!("<tileset name=\"t\">{TILES}</tileset>"),
        json.into(),
    ] {
        let tilesets = BTreeMap::from([(String::from("t.tsx"), tileset.into_bytes())]);
        let read = read(outside.as_bytes(), &tilesets).unwrap();
        assert_eq!(read.tiles, map.tiles);
    }
    let damaged = BTreeMap::from([(String::from("t.tsx"), b"<map/>".to_vec())]);
    let error = read(outside.as_bytes(), &damaged).unwrap_err().to_string();
    assert!(
        error.contains("tileset `t.tsx`: expected a valid tileset, found line 1"),
        "{error}"
    );
}

#[test]
fn groups_objects_and_properties_keep_their_order() {
    let file = tmx(&format!(
        "<properties><property name=\"night\" type=\"bool\" value=\"false\"/></properties>\
         <group name=\"g\">{}<objectgroup name=\"zones\"><properties><property name=\"terrain\" \
         value=\"swamp\"/></properties><object id=\"7\" name=\"a\" type=\"bog\" x=\"16\" y=\"8\" \
         width=\"16\" height=\"4.5\"/><object id=\"8\" x=\"1\" y=\"1\"><point/></object><object \
         id=\"9\" x=\"0\" y=\"0\" rotation=\"45\"/></objectgroup></group><imagelayer name=\"sky\"><image \
         source=\"s\"/></imagelayer>",
        layer("encoding=\"csv\"", "1,1,1,1,1,1")
    ));
    let map = read_text(&file).unwrap();
    assert_eq!(map.properties["night"], false.into());
    let names: Vec<_> = map.layers.iter().map(|layer| &*layer.name).collect();
    assert_eq!(names, ["floor", "zones"]);
    let LayerContent::Shapes(shapes) = &map.layers[1].content else {
        panic!("{:?}", map.layers[1]);
    };
    assert_eq!(shapes[0].rect, [16.0, 8.0, 16.0, 4.5]);
    assert_eq!(shapes[0].properties["class"], "bog".into());
    let kinds: Vec<_> = shapes.iter().map(|shape| shape.kind).collect();
    assert_eq!(kinds, ["rectangle", "point", "rotated rectangle"]);
    let error = TileRules::default().raster(&map).unwrap_err().to_string();
    assert_eq!(
        error,
        "layer `zones`, object 8: expected a rectangle without rotation, found point"
    );
}

#[test]
fn a_compressed_layer_expands_to_the_stated_size_at_most() {
    // 2^20 zeros in 1 KB.
    let bomb = "eNrtwTEBAAAAwqD1T20IX6AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD4DAPAAAQ==";
    let file = tmx(&layer("encoding=\"base64\" compression=\"zlib\"", bomb));
    let error = read_text(&file).unwrap_err().to_string();
    assert!(
        error.contains("expected 4 bytes for every cell, found 25 bytes or more"),
        "{error}"
    );
}

#[test]
fn all_layers_together_are_limited() {
    let huge = tmx(&layer("encoding=\"csv\"", "1")).replace(
        "width=\"3\" height=\"2\"",
        "width=\"65536\" height=\"65536\"",
    );
    let error = read_text(&huge).unwrap_err().to_string();
    assert!(
        error.ends_with("layer `floor`: 4294967296 tiles, the limit is 33554432"),
        "{error}"
    );
}

//! Tile maps to mutate.

/// A tile map of Tiled in XML: 10 x 6 tiles with all encodings, properties, groups and objects.
pub fn tmx() -> Vec<u8> {
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

/// A tile map of Tiled in JSON.
pub fn tmj() -> Vec<u8> {
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

/// Projects of LDtk.
pub fn ldtk_files() -> Vec<Vec<u8>> {
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

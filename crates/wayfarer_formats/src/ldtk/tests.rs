//! Levels, positions and refusals of LDtk projects.

use super::*;
use crate::tile_rules::{TileRules, TileTerrain};

/// A level of 3 x 2 cells of 8 pixels at a pixel position.
fn level(name: &str, x: i32, y: i32, values: &str) -> String {
    format!(
        "{{\"identifier\":\"{name}\",\"worldX\":{x},\"worldY\":{y},\"pxWid\":24,\"pxHei\":16,\
         \"layerInstances\":[{{\"__identifier\":\"Entities\",\"__type\":\"Entities\",\
         \"__gridSize\":4,\"layerDefUid\":9,\"entityInstances\":[{{}}]}},\
         {{\"__identifier\":\"Grid\",\"__type\":\"IntGrid\",\"__gridSize\":8,\"layerDefUid\":4,\
         \"__pxTotalOffsetX\":0,\"intGridCsv\":[{values}]}}]}}"
    )
}

fn project(layout: &str, levels: &[String]) -> String {
    format!(
        "{{\"__header__\":{{}},\"worldLayout\":\"{layout}\",\"defs\":{{\"layers\":[\
         {{\"type\":\"Entities\",\"identifier\":\"Entities\",\"uid\":9}},\
         {{\"type\":\"IntGrid\",\"identifier\":\"Grid\",\"uid\":4,\"intGridValues\":[\
         {{\"value\":1,\"identifier\":\"Walls\"}},{{\"value\":2,\"identifier\":\"water\"}},\
         {{\"value\":3,\"identifier\":null}}]}}]}},\"levels\":[{}]}}",
        levels.join(",")
    )
}

/// The rows of the raster: `.` ground, `W` water, `@` no floor.
fn drawn(map: &TileMap, rules: &TileRules) -> Vec<String> {
    let raster = rules.raster(map).unwrap();
    let text = crate::movingai_map::write(&raster);
    text.lines().skip(4).map(String::from).collect()
}

#[test]
fn levels_lie_at_their_positions_and_are_ground_without_values() {
    let levels = [
        level("A", -24, 8, "0,1,0,0,2,0"),
        level("B", 8, -8, "1,1,1,0,0,0"),
    ];
    let map = read(project("Free", &levels).as_bytes(), None).unwrap();
    let expected = ["@@@@@@@", "@@@@...", ".@.@@@@", ".W.@@@@"];
    assert_eq!(drawn(&map, &TileRules::default()), expected);
    let swamp = TileRules::default().with_background(TileTerrain::NoFloor);
    let expected = ["@@@@@@@", "@@@@@@@", "@@@@@@@", "@W@@@@@"];
    assert_eq!(drawn(&map, &swamp), expected);
}

#[test]
fn one_level_can_be_chosen() {
    let levels = [
        level("A", -1, -1, "0,1,0,0,2,0"),
        level("B", -1, -1, "0,0,0,1,1,1"),
    ];
    let file = project("LinearHorizontal", &levels);
    let map = read(file.as_bytes(), Some("B")).unwrap();
    assert_eq!(drawn(&map, &TileRules::default()), ["...", "@@@"]);
    let single = project("LinearHorizontal", &levels[..1]);
    let map = read(single.as_bytes(), None).unwrap();
    assert_eq!(drawn(&map, &TileRules::default()), [".@.", ".W."]);
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let two = |x, y| {
        [
            level("A", 0, 0, "0,0,0,0,0,0"),
            level("B", x, y, "0,0,0,0,0,0"),
        ]
    };
    let good = project("Free", &two(24, 0));
    assert!(read(good.as_bytes(), None).is_ok());
    let cases = [
        (
            good.clone(),
            Some("C"),
            "project: expected the level to read, found `C`",
        ),
        (
            project("LinearVertical", &two(24, 0)),
            None,
            "found `LinearVertical`",
        ),
        (
            project("Free", &two(16, 0)),
            None,
            "level `B`: expected levels that do not overlap",
        ),
        (
            project("Free", &two(25, 0)),
            None,
            "level `B`: expected a position on the grid, found 25 0",
        ),
        (
            project("Free", &two(80_000, 80_000)),
            None,
            "cells in the box around the levels",
        ),
        (
            project("Free", &[]),
            None,
            "project: expected a level, found none",
        ),
        (
            good.replacen("0,0,0,0,0,0", "0,0", 1),
            None,
            "level `A`, layer `Grid`: expected a value for every cell of the level, found 2 for 6",
        ),
        (
            good.replacen("OffsetX\":0", "OffsetX\":3", 1),
            None,
            "a layer without offset, found 3 0",
        ),
        (
            good.replacen("\"__gridSize\":8", "\"__gridSize\":16", 1),
            None,
            "the same grid size",
        ),
        (
            good.replacen("\"__gridSize\":8", "\"__gridSize\":0", 1),
            None,
            "the same grid size",
        ),
        (
            good.replacen("layerDefUid\":4", "layerDefUid\":5", 1),
            None,
            "a definition of the layer",
        ),
        (
            good.replace("IntGrid\"", "Tiles\""),
            None,
            "project: expected an IntGrid layer, found none",
        ),
        (
            good.replacen("layerInstances", "other", 1),
            None,
            "level `A`: expected its layers in the project (`Save levels separately` is off)",
        ),
        (
            good.replacen("\"worldX\":0", "\"worldX\":\"0\"", 1),
            None,
            "line 1, column ",
        ),
        (
            good.replacen(
                "\"levels\"",
                "\"worlds\":[{\"levels\":[]},{\"levels\":[]}],\"levels\"",
                1,
            ),
            None,
            "project: expected one world, found 2 worlds",
        ),
    ];
    for (file, chosen, expected) in cases {
        let error = read(file.as_bytes(), chosen).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn values_need_a_rule_or_a_known_name() {
    let file = project("Free", &[level("A", 0, 0, "1,2,3,0,0,0")]);
    let map = read(file.as_bytes(), None).unwrap();
    let error = TileRules::default().raster(&map).unwrap_err().to_string();
    assert!(
        error.starts_with("layer `Grid`, value 3: expected a rule"),
        "{error}"
    );
    let swamp = TileTerrain::Floor(wayfarer_base::Terrain::SWAMP);
    let rules = TileRules::default().with_value("Grid", 3, swamp);
    assert_eq!(drawn(&map, &rules), ["@WS", "..."]);
    let rules = TileRules::default().with_layer("Grid", TileTerrain::Unchanged);
    assert_eq!(drawn(&map, &rules), ["@W.", "..."]);
}

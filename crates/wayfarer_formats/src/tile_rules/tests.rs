//! Drawn maps and the rasters that the table makes of them.

use super::*;

const GROUND: TileTerrain = TileTerrain::Floor(Terrain::GROUND);
const SWAMP: TileTerrain = TileTerrain::Floor(Terrain::SWAMP);

/// A layer from rows of digits, `.` for no tile.
fn tiles(name: &str, rows: &[&str]) -> MapLayer {
    let letters = rows.concat();
    let ids = letters
        .chars()
        .map(|letter| letter.to_digit(10).unwrap_or(0));
    MapLayer {
        name: name.into(),
        properties: Properties::new(),
        content: LayerContent::Tiles(ids.collect()),
    }
}

fn properties(list: &[(&str, PropertyValue)]) -> Properties {
    let owned = list
        .iter()
        .map(|(name, value)| (String::from(*name), value.clone()));
    owned.collect()
}

/// A map of 5 columns with tiles of 10 pixels.
fn map(layers: Vec<MapLayer>, tiles: &[(u32, (&str, PropertyValue))]) -> TileMap {
    let height = match &layers[0].content {
        LayerContent::Tiles(ids) => ids.len() / 5,
        _ => 0,
    };
    let tiles = tiles
        .iter()
        .map(|(id, of)| (*id, properties(std::slice::from_ref(of))));
    TileMap {
        width: 5,
        height: u32::try_from(height).unwrap(),
        tile_size: (10, 10),
        layers,
        tiles: tiles.collect(),
        ..TileMap::default()
    }
}

#[track_caller]
fn check(rules: &TileRules, map: &TileMap, expected: &[&str]) {
    let raster = rules.raster(map).unwrap();
    let text = crate::movingai_map::write(&raster);
    let rows: Vec<_> = text.lines().skip(4).collect();
    assert_eq!(rows, expected);
}

#[test]
fn tiles_are_ground_and_their_properties_decide() {
    let map = map(
        vec![tiles("floor", &["12345", "6789."])],
        &[
            (2, ("solid", true.into())),
            (3, ("walkable", false.into())),
            (4, ("terrain", "water".into())),
            (5, ("terrain", 3.into())),
            (6, ("terrain", "none".into())),
            (7, ("solid", false.into())),
            (8, ("solid", "yes".into())),
            (9, ("terrain", "swamp".into())),
        ],
    );
    check(&TileRules::default(), &map, &[".@@WT", "@..S@"]);
}

#[test]
fn the_topmost_layer_that_says_something_decides() {
    let layers = vec![
        tiles("floor", &["11111", "22222"]),
        tiles("decoration", &["11111", "11111"]),
        tiles("bridge", &[".3...", ".3..."]),
        tiles("Collisions", &["..11.", "..3.."]),
    ];
    let map = map(
        layers,
        &[
            (2, ("terrain", "water".into())),
            (3, ("walkable", true.into())),
        ],
    );
    check(&TileRules::default(), &map, &["..@@.", "W..WW"]);
}

#[test]
fn the_table_goes_before_the_conventions_and_tiles_before_layers() {
    let layers = vec![
        tiles("floor", &["12345", "12345"]),
        tiles("collision", &["1....", "2...."]),
    ];
    let map = map(
        layers,
        &[
            (2, ("solid", true.into())),
            (3, ("class", "mud".into())),
            (4, ("solid", true.into())),
        ],
    );
    check(&TileRules::default(), &map, &["@@.@.", "@@.@."]);
    let rules = TileRules::default()
        .with_layer("floor", TileTerrain::Floor(Terrain::WATER))
        .with_layer("collision", TileTerrain::Unchanged)
        .with_property("class", "mud", SWAMP)
        .with_property("class", "mud", GROUND)
        .with_tile(4, GROUND);
    check(&rules, &map, &["W@S.W", "@@S.W"]);
    let rules = TileRules::default()
        .with_tile(1, TileTerrain::Unchanged)
        .with_background(SWAMP);
    check(&rules, &map, &["S@.@.", "@@.@."]);
}

fn shape(rect: [f64; 4], of: &[(&str, PropertyValue)]) -> MapShape {
    MapShape {
        id: 1,
        name: String::new(),
        properties: properties(of),
        rect,
        kind: "rectangle",
    }
}

fn shapes(name: &str, shapes: Vec<MapShape>) -> MapLayer {
    MapLayer {
        name: name.into(),
        properties: Properties::new(),
        content: LayerContent::Shapes(shapes),
    }
}

#[test]
fn rectangles_cover_every_cell_that_they_meet() {
    let floor = tiles("floor", &["11111", "11111", "11111"]);
    let zones = shapes(
        "zones",
        vec![
            shape([10.0, 0.0, 20.0, 10.0], &[("solid", true.into())]),
            shape([39.0, 9.0, 2.0, 2.0], &[("terrain", "swamp".into())]),
            shape([-50.0, 21.0, 55.0, 900.0], &[("terrain", "water".into())]),
            shape([1e300, -1e300, 1e308, 1e308], &[("solid", true.into())]),
            shape([0.0, 0.0, 50.0, 50.0], &[("note", "no rule".into())]),
        ],
    );
    let blocks = shapes("collision", vec![shape([40.0, 20.0, 10.0, 10.0], &[])]);
    let map = map(vec![floor, zones, blocks], &[]);
    check(&TileRules::default(), &map, &[".@@SS", "...SS", "W...@"]);
}

#[test]
fn rectangles_that_cover_the_map_too_often_are_refused() {
    let floor = tiles("floor", &["11111"]);
    let all = || shape([0.0, 0.0, 50.0, 10.0], &[]);
    let blocks = |n_shapes| shapes("collision", (0..n_shapes).map(|_| all()).collect());
    check(
        &TileRules::default(),
        &map(vec![floor.clone(), blocks(16)], &[]),
        &["@@@@@"],
    );
    let error = TileRules::default().raster(&map(vec![floor, blocks(17)], &[]));
    let error = error.unwrap_err().to_string();
    let expected = "layer `collision`, object 1: 85 cells under rectangles, the limit is 80";
    assert_eq!(error, expected);
}

#[test]
fn unknown_terrains_and_wrong_sizes_are_errors() {
    let floor = || tiles("floor", &["11111"]);
    let lava = map(vec![floor()], &[(7, ("terrain", "lava".into()))]);
    let error = TileRules::default().raster(&lava).unwrap_err().to_string();
    let expected = "tile 7, property `terrain`: expected ground, swamp, water, trees or a number \
                    from 0 to 63, found `lava`";
    assert_eq!(error, expected);
    let rules = TileRules::default().with_property("terrain", "lava", TileTerrain::NoFloor);
    assert!(rules.raster(&lava).is_ok());

    let short = map(vec![floor(), tiles("roof", &["11"])], &[]);
    let error = TileRules::default().raster(&short).unwrap_err().to_string();
    assert!(
        error.starts_with("layer `roof`: expected as many cells"),
        "{error}"
    );
    let outside = TileMap {
        has_ground: vec![true],
        ..map(vec![floor()], &[])
    };
    assert!(TileRules::default().raster(&outside).is_err());
}

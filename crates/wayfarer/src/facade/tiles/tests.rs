//! Tile maps become worlds in world units.

use super::*;
use crate::{PathRequest, Position, Searcher};
use wayfarer_engine::base::Terrain;
use wayfarer_engine::formats::tile_rules::TileTerrain;

/// A wall of value 1 across the center but for its southern row.
const LDTK: &[u8] = br#"{ "__header__": {}, "worldLayout": "Free",
  "defs": { "layers": [ { "type": "IntGrid", "identifier": "Obstacles", "uid": 4,
    "intGridValues": [ { "value": 1, "identifier": "rock" } ] } ] },
  "levels": [ { "identifier": "Yard", "worldX": 0, "worldY": 0, "pxWid": 24, "pxHei": 24,
    "layerInstances": [ { "__identifier": "Obstacles", "__type": "IntGrid", "__gridSize": 8,
      "layerDefUid": 4, "intGridCsv": [ 0,1,0, 0,1,0, 0,0,0 ] } ] } ] }"#;

fn cost(world: &World) -> f64 {
    let (from, to) = (Position::new(1.0, 1.0, 0.0), Position::new(5.0, 1.0, 0.0));
    let path = world.find_path(&mut Searcher::default(), &PathRequest::new(from, to));
    path.unwrap().cost()
}

#[test]
fn a_value_of_the_table_blocks_or_is_terrain() {
    let scale = Scale::meters(2.0);
    let rules = TileRules::default().with_value("Obstacles", 1, TileTerrain::NoFloor);
    let around = World::import_tiles("yard.ldtk", LDTK, scale, &rules).unwrap();
    let ground = TileTerrain::Floor(Terrain::GROUND);
    let rules = TileRules::default().with_value("Obstacles", 1, ground);
    let through = World::import_tiles("yard.ldtk", LDTK, scale, &rules).unwrap();
    assert!(cost(&through) <= 4.01, "{}", cost(&through));
    assert!(cost(&around) > 5.0, "{}", cost(&around));
    assert!(!around.import_report().is_empty());
}

#[test]
fn a_value_without_a_rule_is_named() {
    let refused = World::import("yard.ldtk", LDTK, Scale::meters(2.0)).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("layer `Obstacles`, value 1: "), "{text}");
    assert!(text.contains("`rock`"), "{text}");
}

use wayfarer_base::{Cell, Terrain, WorldData};
use wayfarer_formats::world_file;

use super::*;

/// Bytes of a flat map with two cells, and of a mesh of one triangle.
const MAP: &[u8] = b"type octile\nheight 1\nwidth 3\nmap\n.@.\n";
const MESH: &[u8] = b"v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n";

/// The number of cells of the world in `bytes`; the report counts the same.
fn n_cells(name: &str, bytes: &[u8]) -> usize {
    let (world, report) = World::from_file(name, bytes).unwrap();
    let found = world.ground().counts().0;
    assert_eq!(found as u64, report.n_floors, "{name}");
    found
}

#[test]
fn worlds_are_read_from_text_formats() {
    let data = WorldData {
        cells: vec![(Cell::new(4, 5, 6), Terrain::GROUND)],
        ..WorldData::default()
    };
    let world = world_file::write(&data).into_bytes();
    assert_eq!((n_cells("a.map", MAP), n_cells("b.world", &world)), (2, 1));
    let wrong = World::from_file("x", b"hello").unwrap_err();
    assert_eq!(wrong, WorldFileError::Unknown);
    let edits = World::from_file("x", b"wayfarer edits 1\n").unwrap_err();
    let kind = FileFormat::Edits;
    assert_eq!(edits, WorldFileError::NoGround { kind });
}

#[cfg(feature = "images")]
#[test]
fn heights_are_read_from_images() {
    let land = wayfarer_base::Heightmap::new(2, 1, vec![7, 8]).unwrap();
    let land = heightmap::write_png(&land).unwrap();
    assert_eq!(n_cells("c.png", &land), 2);
}

#[cfg(feature = "meshes")]
#[test]
fn ground_is_read_from_meshes() {
    assert!(n_cells("d.obj", MESH) > 0);
}

#[cfg(not(feature = "meshes"))]
#[test]
fn a_format_of_a_feature_that_is_off_names_the_feature() {
    let refused = World::from_file("d.obj", MESH).unwrap_err();
    assert!(refused.to_string().contains("`meshes`"), "{refused}");
}

const TILES: &[u8] =
    br#"<map orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8">
  <layer name="floor"><data encoding="csv">1,1,7</data></layer>
</map>"#;

#[cfg(feature = "tilemaps")]
#[test]
fn ground_is_read_from_tile_maps() {
    use wayfarer_formats::tile_rules::TileTerrain;
    assert_eq!(n_cells("e.tmx", TILES), 3);
    let rules = TileRules::default().with_tile(7, TileTerrain::NoFloor);
    let (world, _) = World::from_tiles("e.tmx", TILES, &rules).unwrap();
    assert_eq!(world.ground().counts().0, 2);
    let kind = FileFormat::Map;
    let refused = World::from_tiles("a.map", MAP, &rules).unwrap_err();
    assert_eq!(refused, WorldFileError::NoTiles { kind });
}

#[cfg(not(feature = "tilemaps"))]
#[test]
fn tile_maps_name_the_feature_that_is_off() {
    let refused = World::from_file("e.tmx", TILES).unwrap_err();
    assert!(refused.to_string().contains("`tilemaps`"), "{refused}");
}

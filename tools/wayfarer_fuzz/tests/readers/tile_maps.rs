//! Fuzzing of the readers of tile maps, and of the rules that make a raster of what they read.

use wayfarer_engine::base::Raster;
use wayfarer_engine::formats::tile_rules::{TileRules, TileTerrain};
use wayfarer_engine::formats::{TileMapError, ldtk, tiled};

use crate::{N_FILES, read_mutated, with_peak};
use wayfarer_fuzz::tile_maps::{ldtk_files, tmj, tmx};

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

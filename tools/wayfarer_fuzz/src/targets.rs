//! The list of targets.

use wayfarer_engine::World;
use wayfarer_engine::formats::heightmap::{RawLayout, read_raw};
use wayfarer_engine::formats::{
    dynamic_scen, edits_file, gltf, heightmap, ldtk, map3d, mesh, movingai_map, movingai_scen, obj,
    obstacle_file, patch, png_raster, scen3d, tile_rules::TileRules, tiled, world_file,
};
use wayfarer_engine::world::baked::{AbstractionBuilder, BakedAbstraction};

use crate::{Target, calls, facade, facade_saved, fixtures, journal, mutate, saved, tile_maps};

/// Every target.
pub const TARGETS: &[Target] = &[
    text("map", fixtures::maps, |bytes| {
        round_trip(bytes, movingai_map::read, movingai_map::write);
    }),
    text("scen", fixtures::scens, |bytes| {
        round_trip(bytes, movingai_scen::read, movingai_scen::write);
    }),
    text("patch", fixtures::patches, |bytes| {
        round_trip(bytes, patch::read, |patches| patch::write(patches));
    }),
    text("dynamic-scen", fixtures::dynamic_scens, |bytes| {
        round_trip(bytes, dynamic_scen::read, dynamic_scen::write);
    }),
    text("map3d", fixtures::maps3d, |bytes| {
        round_trip(bytes, map3d::read, map3d::write);
    }),
    text("scen3d", fixtures::scens3d, |bytes| {
        round_trip(bytes, scen3d::read, scen3d::write);
    }),
    text("obj", fixtures::objs, |bytes| {
        round_trip(bytes, obj::read, |soup| obj::write(soup, mesh::Up::Y));
    }),
    text("world", fixtures::worlds, |bytes| {
        round_trip(bytes, world_file::read, |file| {
            world_file::write(&file.clone().into_data())
        });
    }),
    text("edits", fixtures::edits, |bytes| {
        round_trip(bytes, edits_file::read, edits_file::write);
    }),
    text("obstacles", fixtures::obstacle_sets, |bytes| {
        round_trip(bytes, obstacle_file::read, obstacle_file::write);
    }),
    Target {
        bytes_per_byte: 100,
        ..text("gltf", fixtures::gltfs, |bytes| {
            gltf::read(bytes).map(drop).ok();
        })
    },
    Target {
        repair: |bytes| mutate::fix_checksums(bytes),
        bytes_per_byte: 1_100,
        ..text("png", fixtures::pngs, |bytes| {
            png_raster::read(bytes).map(drop).ok();
            heightmap::read_png(bytes).map(drop).ok();
        })
    },
    Target {
        bytes_per_byte: 1_000,
        ..text("baked", baked, |bytes| {
            if let Ok(baked) = BakedAbstraction::from_bytes(bytes) {
                assert_eq!(baked.to_bytes(), bytes);
            }
        })
    },
    // Whole worlds, built from files of small and large stated size.
    Target {
        bytes_per_byte: 4_000,
        ..text("build", fixtures::worlds, |bytes| {
            if let Ok((world, _)) = World::from_file("a.world", bytes) {
                assert_eq!(World::load(&world.save()).unwrap().save(), world.save());
            }
        })
    },
    Target {
        name: "saved",
        seeds: saved::seeds,
        repair: saved::repair_digests,
        run: saved::run,
        bytes_per_byte: 4_000,
        solid_columns: saved::solid_columns,
    },
    Target {
        name: "calls",
        seeds: calls::seeds,
        repair: |_| {},
        run: calls::run,
        bytes_per_byte: 1 << 14,
        solid_columns: |_| 0,
    },
    Target {
        bytes_per_byte: 100,
        ..text(
            "tiled",
            || vec![tile_maps::tmx(), tile_maps::tmj()],
            |bytes| {
                let rules = TileRules::default();
                let map = tiled::read(bytes, rules.tilesets());
                map.and_then(|map| rules.raster(&map)).map(drop).ok();
            },
        )
    },
    Target {
        bytes_per_byte: 100,
        ..text("ldtk", tile_maps::ldtk_files, |bytes| {
            let rules = TileRules::default();
            let map = ldtk::read(bytes, rules.level());
            map.and_then(|map| rules.raster(&map)).map(drop).ok();
        })
    },
    text("raw-heights", raw_heights, run_raw_heights),
    Target {
        name: "facade-saved",
        seeds: facade_saved::seeds,
        repair: facade_saved::repair,
        run: facade_saved::run,
        bytes_per_byte: 4_000,
        solid_columns: facade_saved::solid_columns,
    },
    Target {
        name: "planner",
        seeds: facade_saved::planner_seeds,
        repair: facade_saved::repair_planner,
        run: facade_saved::run_planner,
        bytes_per_byte: 4_000,
        solid_columns: |_| 0,
    },
    Target {
        name: "path",
        seeds: facade_saved::path_seeds,
        repair: facade_saved::repair_path,
        run: facade_saved::run_path,
        bytes_per_byte: 4_000,
        solid_columns: |_| 0,
    },
    Target {
        name: "command",
        seeds: journal::command_seeds,
        repair: |_| {},
        run: journal::run_command,
        bytes_per_byte: 4_000,
        solid_columns: |_| 0,
    },
    Target {
        name: "journal",
        seeds: journal::seeds,
        repair: journal::repair,
        run: journal::run,
        bytes_per_byte: 4_000,
        solid_columns: journal::solid_columns,
    },
    Target {
        name: "facade",
        seeds: facade::seeds,
        repair: |_| {},
        run: facade::run,
        bytes_per_byte: 1 << 16,
        solid_columns: |_| 0,
    },
];

/// A target of a text format.
const fn text(name: &'static str, seeds: fn() -> Vec<Vec<u8>>, run: fn(&[u8])) -> Target {
    Target {
        name,
        seeds,
        repair: |_| {},
        run,
        bytes_per_byte: 40,
        solid_columns: |_| 0,
    }
}

/// Reads; what was read is written and read again.
fn round_trip<V, E: std::fmt::Display>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<V, E>,
    write: impl Fn(&V) -> String,
) {
    match read(bytes) {
        Ok(value) => {
            let written = write(&value);
            match read(written.as_bytes()) {
                Ok(again) => assert_eq!(write(&again), written),
                Err(error) => panic!("{error} in what was written"),
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A line with the layout, then the samples.
fn raw_heights() -> Vec<Vec<u8>> {
    let files = ["4x3:u8", "3x2:u16le", "2x3:i16be"];
    let file = |layout: &str| [layout.as_bytes(), b"\n", &[7; 12]].concat();
    files.map(file).to_vec()
}

fn run_raw_heights(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (layout, samples) = bytes.split_at(end.unwrap_or(bytes.len()));
    if let Ok(layout) = String::from_utf8_lossy(layout).parse::<RawLayout>() {
        read_raw(samples.get(1..).unwrap_or_default(), &layout)
            .map(drop)
            .ok();
    }
}

fn baked() -> Vec<Vec<u8>> {
    let maps = fixtures::maps();
    let maps = maps.iter().map(|map| movingai_map::read(map).unwrap());
    let bake = |map| AbstractionBuilder::from_raster(&map, 16).unwrap().bake();
    maps.filter_map(|map| Some(bake(map).ok()?.to_bytes()))
        .collect()
}

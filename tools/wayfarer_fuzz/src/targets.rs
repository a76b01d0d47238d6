//! The list of targets.

use wayfarer_engine::World;
use wayfarer_engine::formats::{
    dynamic_scen, edits_file, gltf, heightmap, map3d, mesh, movingai_map, movingai_scen, obj,
    obstacle_file, patch, png_raster, scen3d, world_file,
};
use wayfarer_engine::world::baked::{AbstractionBuilder, BakedAbstraction};

use crate::{Target, calls, fixtures, mutate, saved};

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
    },
    Target {
        name: "calls",
        seeds: calls::seeds,
        repair: |_| {},
        run: calls::run,
        bytes_per_byte: 1 << 14,
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

fn baked() -> Vec<Vec<u8>> {
    let maps = fixtures::maps();
    let maps = maps.iter().map(|map| movingai_map::read(map).unwrap());
    let bake = |map| AbstractionBuilder::from_raster(&map, 16).unwrap().bake();
    maps.filter_map(|map| Some(bake(map).ok()?.to_bytes()))
        .collect()
}

//! Ten thousand spoilt files of each format: errors or values, never a panic, never much memory.

#![expect(clippy::unwrap_used, reason = "every file of this crate is a test")]

mod fixtures;
mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};

use wayfarer_base::Rng;
use wayfarer_counting::{Counting, reset_peak, tally};
use wayfarer_formats::heightmap::{RawLayout, read_png, read_raw};
use wayfarer_formats::{
    FileFormat, TextError, dynamic_scen, edits_file, gltf, map3d, movingai_map, movingai_scen, obj,
    obstacle_file, patch, png_raster, scen3d, world_file,
};

use crate::mutate::{check_sum, fix_checksums, spoil};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const N_FILES: u64 = 10_000;

/// Room for messages and first allocations, whatever the size of the file.
const SMALL: i64 = 1024;

/// What came of reading many spoilt files.
#[derive(Default, Debug)]
struct Tallied {
    n_values: u64,
    n_errors: u64,
}

/// Most bytes held at once while `act` runs, its result included.
fn peak_of<T>(act: impl FnOnce() -> T) -> (T, i64) {
    let before = tally().bytes_now;
    reset_peak();
    let result = act();
    (result, tally().bytes_peak - before)
}

/// Spoils files and reads them; `limit` is the most memory that reading so many bytes may take.
fn read_spoilt<V, E: std::fmt::Display>(
    files: &[Vec<u8>],
    repair: impl Fn(&mut [u8]),
    limit: impl Fn(usize) -> i64,
    read: impl Fn(&[u8]) -> Result<V, E>,
    mut checks: (impl FnMut(V), impl FnMut(E, &[u8])),
) -> Tallied {
    let mut tallied = Tallied::default();
    for file in files {
        assert!(read(file).is_ok(), "a file that is not spoilt must be read");
    }
    for seed in 0..N_FILES {
        let mut rng = Rng::for_part(seed, 77);
        let (file, other) = (rng.pick(files).unwrap(), rng.pick(files).unwrap());
        let (file, other) = (file.clone(), other.clone());
        let mut bytes = spoil(&file, &other, &mut rng);
        if rng.chance(1, 2) {
            repair(&mut bytes);
        }
        let (result, peak) = peak_of(|| catch_unwind(AssertUnwindSafe(|| read(&bytes))));
        let Ok(result) = result else {
            panic!("seed {seed} panicked on {}", bytes.escape_ascii());
        };
        let limit = limit(bytes.len());
        let n_bytes = bytes.len();
        assert!(
            peak <= limit,
            "seed {seed}: {peak} bytes held for a file of {n_bytes}, the limit is {limit}"
        );
        match result {
            Ok(read) => {
                (checks.0)(read);
                tallied.n_values += 1;
            }
            Err(error) => {
                // A message can always be made, and it says something.
                assert!(error.to_string().len() > 10);
                (checks.1)(error, &bytes);
                tallied.n_errors += 1;
            }
        }
    }
    tallied
}

/// Text formats: at most ten times the bytes read, and what was read can be written and read.
fn check_text<V>(
    files: &[Vec<u8>],
    read: impl Fn(&[u8]) -> Result<V, TextError>,
    write: impl Fn(&V) -> String,
) {
    let ten_times = |n_bytes: usize| 10 * i64::try_from(n_bytes).unwrap() + SMALL;
    let value = |value| {
        let written = write(&value);
        match read(written.as_bytes()) {
            Ok(again) => assert_eq!(write(&again), written),
            Err(error) => panic!("{error}\n{written}"),
        }
    };
    let error = |error: TextError, bytes: &[u8]| {
        let n_lines = bytes.split(|&byte| byte == b'\n').count();
        assert!((1..=n_lines + 1).contains(&error.line()), "{error}");
    };
    let tallied = read_spoilt(files, |_| {}, ten_times, &read, (value, error));
    // The spoiling is neither too mild nor too wild to test anything.
    assert!(tallied.n_errors > N_FILES / 5, "{tallied:?}");
    assert!(tallied.n_values > N_FILES / 100, "{tallied:?}");
}

#[test]
fn spoilt_maps_are_errors_or_maps() {
    check_text(&fixtures::maps(), movingai_map::read, movingai_map::write);
}

#[test]
fn spoilt_scenarios_are_errors_or_scenarios() {
    check_text(
        &fixtures::scens(),
        movingai_scen::read,
        movingai_scen::write,
    );
}

#[test]
fn spoilt_patches_are_errors_or_patches() {
    check_text(&fixtures::patches(), patch::read, |patches| {
        patch::write(patches)
    });
}

#[test]
fn spoilt_dynamic_scenarios_are_errors_or_scenarios() {
    let files = fixtures::dynamic_scens();
    check_text(&files, dynamic_scen::read, dynamic_scen::write);
}

#[test]
fn spoilt_dynamic_scenarios_and_patches_join_or_not() {
    let patch_files = fixtures::patches();
    let (mut n_joined, mut n_refused) = (0, 0);
    for seed in 0..N_FILES {
        let mut rng = Rng::new(seed);
        let scenario = &fixtures::dynamic_scens()[0];
        let scenario = dynamic_scen::read(&spoil(scenario, scenario, &mut rng));
        let patches = patch::read(&spoil(&patch_files[0], &patch_files[1], &mut rng));
        let patches = patches.or_else(|_| patch::read(&patch_files[0])).unwrap();
        let Ok(scenario) = scenario else {
            continue;
        };
        match dynamic_scen::join(&scenario, &patches) {
            Ok((map, _)) => {
                n_joined += 1;
                assert_eq!(
                    (map.width(), map.height()),
                    (scenario.width, scenario.height)
                );
            }
            Err(_) => n_refused += 1,
        }
    }
    assert!(n_joined > 500 && n_refused > 50, "{n_joined} {n_refused}");
}

#[test]
fn spoilt_voxel_maps_are_errors_or_maps() {
    check_text(&fixtures::maps3d(), map3d::read, map3d::write);
}

#[test]
fn spoilt_voxel_scenarios_are_errors_or_scenarios() {
    check_text(&fixtures::scens3d(), scen3d::read, scen3d::write);
}

#[test]
fn spoilt_obj_files_are_errors_or_triangles() {
    let up = wayfarer_formats::mesh::Up::Y;
    check_text(&fixtures::objs(), obj::read, |soup| obj::write(soup, up));
}

#[test]
fn spoilt_worlds_are_errors_or_worlds() {
    check_text(&fixtures::worlds(), world_file::read, |file| {
        world_file::write(&file.clone().into_plan())
    });
}

#[test]
fn spoilt_edits_are_errors_or_edits() {
    check_text(&fixtures::edits(), edits_file::read, edits_file::write);
    check_text(
        &fixtures::obstacle_sets(),
        obstacle_file::read,
        obstacle_file::write,
    );
}

/// Most that reading a small picture may take: the decoder's own room, and what the packing can
/// unfold.
fn picture(n_bytes: usize) -> i64 {
    (1 << 20) + 1032 * i64::try_from(n_bytes).unwrap()
}

#[test]
fn spoilt_pictures_are_errors_or_maps() {
    let files = fixtures::pngs();
    let tallied = read_spoilt(
        &files,
        fix_checksums,
        picture,
        png_raster::read,
        (drop, |_, _| {}),
    );
    assert!(tallied.n_errors > N_FILES / 5, "{tallied:?}");
    assert!(tallied.n_values > N_FILES / 100, "{tallied:?}");
}

#[test]
fn spoilt_heightmap_pictures_are_errors_or_heights() {
    let files = fixtures::heightmaps();
    let tallied = read_spoilt(&files, fix_checksums, picture, read_png, (drop, |_, _| {}));
    assert!(tallied.n_errors > N_FILES / 5, "{tallied:?}");
    assert!(tallied.n_values > N_FILES / 100, "{tallied:?}");
}

#[test]
fn spoilt_raw_heights_and_layouts_are_errors_or_heights() {
    let (mut n_values, mut n_errors) = (0, 0);
    for seed in 0..N_FILES {
        let mut rng = Rng::new(seed);
        let layout = *rng.pick(&["4x3:i16le", "12x2:u8", "6x2:u16be"]).unwrap();
        let layout = spoil(layout.as_bytes(), b"1x1:i16be", &mut rng);
        let layout = String::from_utf8_lossy(&layout).parse::<RawLayout>();
        let layout = layout.unwrap_or_else(|_| "4x3:u16le".parse().unwrap());
        let bytes = spoil(&[7; 24], &[9; 24], &mut rng);
        let (read, peak) = peak_of(|| read_raw(&bytes, &layout));
        assert!(peak <= 4 * i64::try_from(bytes.len()).unwrap());
        match read {
            Ok(_) => n_values += 1,
            Err(_) => n_errors += 1,
        }
    }
    assert!(n_values > 100 && n_errors > 1000, "{n_values} {n_errors}");
}

#[test]
fn spoilt_gltf_files_are_errors_or_triangles() {
    // Small JSON values take more room as numbers and lists than as text.
    let limit = |n_bytes: usize| 100 * i64::try_from(n_bytes).unwrap() + 4096;
    let files = fixtures::gltfs();
    let tallied = read_spoilt(&files, |_| {}, limit, gltf::read, (drop, |_, _| {}));
    assert!(tallied.n_errors > N_FILES / 5, "{tallied:?}");
    assert!(tallied.n_values > N_FILES / 100, "{tallied:?}");
}

#[test]
fn every_spoilt_file_has_a_kind_or_none() {
    let all = [
        fixtures::maps(),
        fixtures::scens(),
        fixtures::objs(),
        fixtures::gltfs(),
        fixtures::pngs(),
        fixtures::worlds(),
    ]
    .concat();
    let mut n_known = 0;
    for seed in 0..N_FILES {
        let mut rng = Rng::new(seed);
        let (file, other) = (
            rng.pick(&all).unwrap().clone(),
            rng.pick(&all).unwrap().clone(),
        );
        let bytes = spoil(&file, &other, &mut rng);
        n_known += u64::from(FileFormat::of_content(&bytes).is_some());
    }
    assert!(n_known > N_FILES / 2, "{n_known}");
}

/// Reads a file made of one line many times over, the densest that its format allows.
#[track_caller]
fn check_dense<V, E: std::fmt::Display>(
    head: &str,
    line: &str,
    read: impl Fn(&[u8]) -> Result<V, E>,
) {
    let file = format!("{head}{}", line.repeat(200_000 / line.len()));
    let (read, peak) = peak_of(|| read(file.as_bytes()));
    if let Err(error) = read {
        panic!("{error} in {line:?}");
    }
    let limit = 10 * i64::try_from(file.len()).unwrap();
    assert!(
        peak <= limit,
        "{peak} bytes held, the limit is {limit}: {line:?}"
    );
}

#[test]
fn the_densest_files_take_at_most_ten_times_their_bytes() {
    let octile = "type octile\nheight 40000\nwidth 4\nmap\n";
    check_dense(octile, "....\n", movingai_map::read);
    check_dense("version 1\n", "0 a 0 0 0 0 0 0 0\n", movingai_scen::read);
    let two_names = "0 a 0 0 0 0 0 0 0\n0 b 0 0 0 0 0 0 0\n";
    check_dense("version 1\n", two_names, movingai_scen::read);
    let dynamic = "version 2\nheight 1\nwidth 1\ncost 1 octile\npatch a\ncommands\n";
    check_dense(dynamic, "P 0 0 0 0\n", dynamic_scen::read);
    check_dense(dynamic, "Q 0 0 0 0 0 0\n", dynamic_scen::read);
    check_dense("voxel 1 1 1\n", "0 0 0\n", map3d::read);
    check_dense("version 1\na\n", "0 0 0 0 0 0 0 0\n", scen3d::read);
    check_dense("", "v 0 0 0\n", obj::read);
    check_dense("v 0 0 0\n", "f 1 1 1\n", obj::read);
    check_dense("v 0 0 0\nf 1 1 1", " 1", obj::read);
}

#[test]
fn the_densest_worlds_take_at_most_ten_times_their_bytes() {
    let header = "wayfarer world 1\n";
    let lines = [
        "layer 0 0 0\n|.\n",
        "layer 0 0 0\n|................\n|................\n",
        "cell 0 0 0 0\n",
        "passage door 0 0 0 to 0 0 0 cost 1\n",
        "wall 0 0 0 east\n",
        "box 0 0 0 to 0 0 0\n",
        "voxel 0 0 0\n",
        "# nothing\n",
    ];
    for line in lines {
        check_dense(header, line, world_file::read);
    }
    check_dense(
        "wayfarer world 1\nlayer 0 0 0\n",
        "|....\n",
        world_file::read,
    );
}

#[test]
fn plain_lists_of_a_world_take_what_they_hold_and_no_more() {
    let rows = "|....@\n".repeat(9999);
    let file = format!("wayfarer world 1\nlayer 0 0 0\n{rows}");
    let (plan, peak) = peak_of(|| world_file::read_plan(file.as_bytes()).unwrap());
    assert_eq!(plan.cells.len(), 4 * 9999);
    let cell = i64::try_from(size_of_val(&plan.cells[0])).unwrap();
    let limit = 2 * i64::try_from(file.len()).unwrap() + 4 * 9999 * cell;
    assert!(peak <= limit, "{peak} bytes held, the limit is {limit}");
}

#[test]
fn the_densest_edits_take_at_most_ten_times_their_bytes() {
    let lines = [
        "batch\n",
        "batch\nremove effect 0\n",
        "query 0 0 0 to 0 0 0 unknown\n",
        "batch\npatch 0 0 0\n|.\n",
        "batch\nremove cell 0 0 0\n",
        "batch\nfill 0 0 polygon 0 0 0 0 0 0\n",
    ];
    for line in lines {
        check_dense("wayfarer edits 1\n", line, edits_file::read);
    }
    let batch = "wayfarer edits 1\nbatch\n";
    let in_a_batch = [
        "remove effect 0\n",
        "remove cell 0 0 0\n",
        "put cell 0 0 0 0\n",
        "put wall 0 0 0 east\n",
        "patch 0 0 0\n|.\n",
        "fill 0 0 box 0 0 to 0 0\n",
        "clear 0 to 0 polygon 0 0 0 0 0 0\n",
    ];
    for line in in_a_batch {
        check_dense(batch, line, edits_file::read);
    }
    let polygon = "wayfarer edits 1\nbatch\nfill 0 0 polygon 0 0 0 0 0 0";
    check_dense(polygon, " 0 0", edits_file::read);
}

/// A PNG file whose header claims a size that nothing behind it bears out.
fn claim(width: u32, height: u32, interlace: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    let start = bytes.len();
    bytes.extend(b"IHDR");
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([16, 0, 0, 0, interlace]);
    let sum = check_sum(&bytes[start..]);
    bytes.extend(sum.to_be_bytes());
    // An empty stream of pixels.
    bytes.extend(b"\0\0\0\x02IDAT\x78\x9c");
    let start = bytes.len() - 6;
    let sum = check_sum(&bytes[start..]);
    bytes.extend(sum.to_be_bytes());
    bytes
}

#[test]
fn pictures_that_claim_to_be_huge_take_no_memory() {
    let sizes = [
        (u32::MAX, u32::MAX, 0),
        (u32::MAX, 1, 0),
        (1, u32::MAX, 1),
        (65_537, 1, 0),
        (8193, 8192, 0),
        (4097, 4096, 1),
        (8192, 8192, 0),
        (4096, 4096, 1),
    ];
    for (width, height, interlace) in sizes {
        let bytes = claim(width, height, interlace);
        let (read, peak) = peak_of(|| (png_raster::read(&bytes), read_png(&bytes)));
        assert!(read.0.is_err() && read.1.is_err());
        assert!(peak < SMALL, "{width} x {height}: {peak}");
    }
    // Within the limits, but with nothing behind it: only rows are made, not the whole.
    let mut bytes = claim(65_536, 1024, 0);
    bytes.resize(200_000, 0);
    let (read, peak) = peak_of(|| (png_raster::read(&bytes), read_png(&bytes)));
    assert!(read.0.is_err() && read.1.is_err());
    assert!(peak < 4 << 20, "{peak}");
}

#[test]
fn meshes_that_claim_to_be_huge_take_no_memory() {
    let glb = &fixtures::gltfs()[1];
    for at in [8, 12] {
        let mut bytes = glb.clone();
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let (read, peak) = peak_of(|| gltf::read(&bytes));
        assert!(read.is_err());
        assert!(peak < SMALL, "{peak}");
    }
    let text = String::from_utf8(fixtures::gltfs()[2].clone()).unwrap();
    let length = i64::try_from(text.len()).unwrap();
    let claims = [
        ("\"count\":3", "\"count\":4294967295"),
        ("\"count\":4", "\"count\":4294967295"),
        ("\"byteLength\":48", "\"byteLength\":4294967295"),
        ("\"byteLength\":52", "\"byteLength\":4294967295"),
        ("\"byteOffset\":4", "\"byteOffset\":4294967295"),
        ("\"byteStride\":16", "\"byteStride\":4294967295"),
    ];
    for (from, to) in claims {
        assert!(text.contains(from), "{from}");
        let bytes = text.replacen(from, to, 1).into_bytes();
        let (read, peak) = peak_of(|| gltf::read(&bytes));
        assert!(read.is_err(), "{to}");
        assert!(peak < 4 * length, "{to}: {peak}");
    }
}

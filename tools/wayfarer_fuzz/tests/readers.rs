//! Fuzzing of every reader with ten thousand mutated files each: no panic, bounded memory.

#![expect(clippy::unwrap_used, reason = "every file of this crate is a test")]

#[path = "readers/tile_maps.rs"]
mod tile_maps;

use std::panic::{AssertUnwindSafe, catch_unwind};

use wayfarer_counting::{CountingAllocator, allocation_stats, reset_peak};
use wayfarer_engine::base::Rng;
use wayfarer_engine::formats::heightmap::{RawLayout, read_png, read_raw};
use wayfarer_engine::formats::{
    FileFormat, TextError, dynamic_scen, edits_file, gltf, map3d, movingai_map, movingai_scen, obj,
    obstacle_file, patch, png_raster, scen3d, world_file,
};

use wayfarer_fuzz::fixtures;
use wayfarer_fuzz::mutate::{crc32, fix_checksums, mutate};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const N_FILES: u64 = 10_000;

/// Bytes allowed for error texts and first allocations.
const BASE_BYTES: i64 = 1024;

/// Outcomes of reading mutated files.
#[derive(Default, Debug)]
struct Outcomes {
    n_values: u64,
    n_errors: u64,
}

/// The result of `act` and its peak memory in bytes, including the result.
fn with_peak<T>(act: impl FnOnce() -> T) -> (T, i64) {
    let before = allocation_stats().bytes_now;
    reset_peak();
    let result = act();
    (result, allocation_stats().bytes_peak - before)
}

/// Mutates and reads files; `limit` is the maximum memory for a file of a given length.
fn read_mutated<V, E: std::fmt::Display>(
    files: &[Vec<u8>],
    repair: impl Fn(&mut [u8]),
    limit: impl Fn(usize) -> i64,
    read: impl Fn(&[u8]) -> Result<V, E>,
    mut checks: (impl FnMut(V), impl FnMut(E, &[u8])),
) -> Outcomes {
    let mut outcomes = Outcomes::default();
    for file in files {
        assert!(read(file).is_ok(), "an unmodified file must be valid");
    }
    for seed in 0..N_FILES {
        let mut rng = Rng::for_stream(seed, 77);
        let (file, other) = (rng.pick(files).unwrap(), rng.pick(files).unwrap());
        let (file, other) = (file.clone(), other.clone());
        let mut bytes = mutate(&file, &other, &mut rng);
        if rng.chance(1, 2) {
            repair(&mut bytes);
        }
        let (result, peak) = with_peak(|| catch_unwind(AssertUnwindSafe(|| read(&bytes))));
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
                outcomes.n_values += 1;
            }
            Err(error) => {
                // The error text is not empty.
                assert!(error.to_string().len() > 10);
                (checks.1)(error, &bytes);
                outcomes.n_errors += 1;
            }
        }
    }
    outcomes
}

/// Text formats: memory of at most ten times the bytes read, and values survive a round trip.
fn check_text<V>(
    files: &[Vec<u8>],
    read: impl Fn(&[u8]) -> Result<V, TextError>,
    write: impl Fn(&V) -> String,
) {
    let ten_times = |n_bytes: usize| 10 * i64::try_from(n_bytes).unwrap() + BASE_BYTES;
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
    let outcomes = read_mutated(files, |_| {}, ten_times, &read, (value, error));
    // Both outcomes occur often enough to test something.
    assert!(outcomes.n_errors > N_FILES / 5, "{outcomes:?}");
    assert!(outcomes.n_values > N_FILES / 100, "{outcomes:?}");
}

#[test]
fn mutated_maps_never_panic() {
    check_text(&fixtures::maps(), movingai_map::read, movingai_map::write);
}

#[test]
fn mutated_scenarios_never_panic() {
    check_text(
        &fixtures::scens(),
        movingai_scen::read,
        movingai_scen::write,
    );
}

#[test]
fn mutated_patches_never_panic() {
    check_text(&fixtures::patches(), patch::read, |patches| {
        patch::write(patches)
    });
}

#[test]
fn mutated_dynamic_scenarios_never_panic() {
    let files = fixtures::dynamic_scens();
    check_text(&files, dynamic_scen::read, dynamic_scen::write);
}

#[test]
fn joining_mutated_scenarios_and_patches_never_panics() {
    let patch_files = fixtures::patches();
    let (mut n_joined, mut n_rejected) = (0, 0);
    for seed in 0..N_FILES {
        let mut rng = Rng::new(seed);
        let scenario = &fixtures::dynamic_scens()[0];
        let scenario = dynamic_scen::read(&mutate(scenario, scenario, &mut rng));
        let patches = patch::read(&mutate(&patch_files[0], &patch_files[1], &mut rng));
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
            Err(_) => n_rejected += 1,
        }
    }
    assert!(n_joined > 500 && n_rejected > 50, "{n_joined} {n_rejected}");
}

#[test]
fn mutated_voxel_maps_never_panic() {
    check_text(&fixtures::maps3d(), map3d::read, map3d::write);
}

#[test]
fn mutated_voxel_scenarios_never_panic() {
    check_text(&fixtures::scens3d(), scen3d::read, scen3d::write);
}

#[test]
fn mutated_obj_files_never_panic() {
    let up = wayfarer_engine::formats::mesh::Up::Y;
    check_text(&fixtures::objs(), obj::read, |soup| obj::write(soup, up));
}

#[test]
fn mutated_worlds_never_panic() {
    check_text(&fixtures::worlds(), world_file::read, |file| {
        world_file::write(&file.clone().into_data())
    });
}

#[test]
fn mutated_edits_and_obstacle_sets_never_panic() {
    check_text(&fixtures::edits(), edits_file::read, edits_file::write);
    check_text(
        &fixtures::obstacle_sets(),
        obstacle_file::read,
        obstacle_file::write,
    );
}

/// Maximum memory of a small image: the decoder's own and the maximum expansion of deflate.
fn image_limit(n_bytes: usize) -> i64 {
    (1 << 20) + 1032 * i64::try_from(n_bytes).unwrap()
}

#[test]
fn mutated_images_never_panic() {
    let files = fixtures::pngs();
    let outcomes = read_mutated(
        &files,
        fix_checksums,
        image_limit,
        png_raster::read,
        (drop, |_, _| {}),
    );
    assert!(outcomes.n_errors > N_FILES / 5, "{outcomes:?}");
    assert!(outcomes.n_values > N_FILES / 100, "{outcomes:?}");
}

#[test]
fn mutated_heightmap_images_never_panic() {
    let files = fixtures::heightmaps();
    let outcomes = read_mutated(
        &files,
        fix_checksums,
        image_limit,
        read_png,
        (drop, |_, _| {}),
    );
    assert!(outcomes.n_errors > N_FILES / 5, "{outcomes:?}");
    assert!(outcomes.n_values > N_FILES / 100, "{outcomes:?}");
}

#[test]
fn mutated_raw_heights_and_layouts_never_panic() {
    let (mut n_values, mut n_errors) = (0, 0);
    for seed in 0..N_FILES {
        let mut rng = Rng::new(seed);
        let layout = *rng.pick(&["4x3:i16le", "12x2:u8", "6x2:u16be"]).unwrap();
        let layout = mutate(layout.as_bytes(), b"1x1:i16be", &mut rng);
        let layout = String::from_utf8_lossy(&layout).parse::<RawLayout>();
        let layout = layout.unwrap_or_else(|_| "4x3:u16le".parse().unwrap());
        let bytes = mutate(&[7; 24], &[9; 24], &mut rng);
        let (read, peak) = with_peak(|| read_raw(&bytes, &layout));
        assert!(peak <= 4 * i64::try_from(bytes.len()).unwrap());
        match read {
            Ok(_) => n_values += 1,
            Err(_) => n_errors += 1,
        }
    }
    assert!(n_values > 100 && n_errors > 1000, "{n_values} {n_errors}");
}

#[test]
fn mutated_gltf_files_never_panic() {
    // Parsed JSON takes more memory than its text.
    let limit = |n_bytes: usize| 100 * i64::try_from(n_bytes).unwrap() + 4096;
    let files = fixtures::gltfs();
    let outcomes = read_mutated(&files, |_| {}, limit, gltf::read, (drop, |_, _| {}));
    assert!(outcomes.n_errors > N_FILES / 5, "{outcomes:?}");
    assert!(outcomes.n_values > N_FILES / 100, "{outcomes:?}");
}

#[test]
fn format_detection_never_panics_on_mutated_files() {
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
        let bytes = mutate(&file, &other, &mut rng);
        n_known += u64::from(FileFormat::from_content(&bytes).is_some());
    }
    assert!(n_known > N_FILES / 2, "{n_known}");
}

/// Reads a file of one line repeated, the densest content of its format.
#[track_caller]
fn check_dense<V, E: std::fmt::Display>(
    head: &str,
    line: &str,
    read: impl Fn(&[u8]) -> Result<V, E>,
) {
    let file = format!("{head}{}", line.repeat(200_000 / line.len()));
    let (read, peak) = with_peak(|| read(file.as_bytes()));
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
fn dense_files_take_at_most_ten_times_their_bytes() {
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
fn dense_worlds_take_at_most_ten_times_their_bytes() {
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
fn world_data_allocates_no_excess_capacity() {
    let rows = "|....@\n".repeat(9999);
    let file = format!("wayfarer world 1\nlayer 0 0 0\n{rows}");
    let (data, peak) = with_peak(|| world_file::read_data(file.as_bytes()).unwrap());
    assert_eq!(data.cells.len(), 4 * 9999);
    let cell = i64::try_from(size_of_val(&data.cells[0])).unwrap();
    let limit = 2 * i64::try_from(file.len()).unwrap() + 4 * 9999 * cell;
    assert!(peak <= limit, "{peak} bytes held, the limit is {limit}");
}

#[test]
fn dense_edits_take_at_most_ten_times_their_bytes() {
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

/// A PNG file with a header of this size and an empty pixel stream.
fn empty_png(width: u32, height: u32, interlace: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    let start = bytes.len();
    bytes.extend(b"IHDR");
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([16, 0, 0, 0, interlace]);
    let sum = crc32(&bytes[start..]);
    bytes.extend(sum.to_be_bytes());
    // An empty stream of pixels.
    bytes.extend(b"\0\0\0\x02IDAT\x78\x9c");
    let start = bytes.len() - 6;
    let sum = crc32(&bytes[start..]);
    bytes.extend(sum.to_be_bytes());
    bytes
}

#[test]
fn images_with_a_huge_stated_size_take_no_memory() {
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
        let bytes = empty_png(width, height, interlace);
        let (read, peak) = with_peak(|| (png_raster::read(&bytes), read_png(&bytes)));
        assert!(read.0.is_err() && read.1.is_err());
        assert!(peak < BASE_BYTES, "{width} x {height}: {peak}");
    }
    // Within the limits but without pixels: the reader allocates rows, not the image.
    let mut bytes = empty_png(65_536, 1024, 0);
    bytes.resize(200_000, 0);
    let (read, peak) = with_peak(|| (png_raster::read(&bytes), read_png(&bytes)));
    assert!(read.0.is_err() && read.1.is_err());
    assert!(peak < 4 << 20, "{peak}");
}

#[test]
fn meshes_with_a_huge_stated_size_take_no_memory() {
    let glb = &fixtures::gltfs()[1];
    for at in [8, 12] {
        let mut bytes = glb.clone();
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let (read, peak) = with_peak(|| gltf::read(&bytes));
        assert!(read.is_err());
        assert!(peak < BASE_BYTES, "{peak}");
    }
    let text = String::from_utf8(fixtures::gltfs()[2].clone()).unwrap();
    let length = i64::try_from(text.len()).unwrap();
    let sizes = [
        ("\"count\":3", "\"count\":4294967295"),
        ("\"count\":4", "\"count\":4294967295"),
        ("\"byteLength\":48", "\"byteLength\":4294967295"),
        ("\"byteLength\":52", "\"byteLength\":4294967295"),
        ("\"byteOffset\":4", "\"byteOffset\":4294967295"),
        ("\"byteStride\":16", "\"byteStride\":4294967295"),
    ];
    for (from, to) in sizes {
        assert!(text.contains(from), "{from}");
        let bytes = text.replacen(from, to, 1).into_bytes();
        let (read, peak) = with_peak(|| gltf::read(&bytes));
        assert!(read.is_err(), "{to}");
        assert!(peak < 4 * length, "{to}: {peak}");
    }
}

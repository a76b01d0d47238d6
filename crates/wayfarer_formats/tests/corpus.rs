//! Reads every benchmark file under the folder `WAYFARER_DATA` and compares with independent
//! counts.

#![expect(clippy::unwrap_used, reason = "every file of this crate is a test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wayfarer_base::{Expected, Raster, Terrain, TraceStep};
use wayfarer_formats::heightmap::{RawLayout, read_raw};
use wayfarer_formats::{
    FileFormat, dynamic_scen, map3d, movingai_map, movingai_scen, obj, patch, scen3d,
};

/// All files under `folder`, sorted.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The text of a file with LF line ends.
fn normalized(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap().replace('\r', "")
}

/// The number after `word` at the start of a line.
fn stated(text: &str, word: &str) -> u32 {
    let line = text.lines().find_map(|line| line.strip_prefix(word));
    line.unwrap().trim().parse().unwrap()
}

fn non_blank_lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().map(|line| line.split_whitespace().collect());
    lines.filter(|words: &Vec<&str>| !words.is_empty())
}

fn check_map(bytes: &[u8]) -> usize {
    let map = movingai_map::read(bytes).unwrap();
    let text = normalized(bytes);
    let size = (stated(&text, "width "), stated(&text, "height "));
    assert_eq!((map.width(), map.height()), size);
    let (_, drawing) = text.split_once("map\n").unwrap();
    let count = |letters: &str| {
        drawing
            .chars()
            .filter(|letter| letters.contains(*letter))
            .count()
    };
    let cells = |map: &Raster, terrain: Option<Terrain>| {
        let columns = map.rect().columns();
        columns.filter(|at| map.get(at.x, at.y) == terrain).count()
    };
    assert_eq!(cells(&map, Some(Terrain::GROUND)), count(".G"));
    assert_eq!(cells(&map, Some(Terrain::TREES)), count("T"));
    assert_eq!(cells(&map, None), count("@O"));
    assert_eq!(
        movingai_map::read(movingai_map::write(&map).as_bytes()),
        Ok(map)
    );
    1
}

fn check_scen(path: &Path, bytes: &[u8]) -> usize {
    let scenario = movingai_scen::read(bytes).unwrap();
    let text = normalized(bytes);
    let lines: Vec<_> = non_blank_lines(&text).skip(1).collect();
    assert_eq!(scenario.lines.len(), lines.len());
    let is_unreachable =
        |line: &&Vec<&str>| line[4..6] != line[6..8] && line[8].parse::<f64>().unwrap() <= 0.0;
    let n_unreachable = scenario
        .problems()
        .filter(|problem| problem.expected == Expected::Unreachable)
        .count();
    assert_eq!(n_unreachable, lines.iter().filter(is_unreachable).count());

    let map = std::fs::read(path.with_extension("")).unwrap();
    let map = movingai_map::read(&map).unwrap();
    for line in &scenario.lines {
        assert_eq!((line.width, line.height), (map.width(), map.height()));
        assert!(map.rect().contains(line.start) && map.rect().contains(line.goal));
    }
    scenario.lines.len()
}

fn check_dynamic(path: &Path, bytes: &[u8]) -> usize {
    let scenario = dynamic_scen::read(bytes).unwrap();
    let text = normalized(bytes);
    let is_command = |words: &Vec<&str>| matches!(words[0], "P" | "Q");
    let letters: Vec<_> = non_blank_lines(&text)
        .filter(is_command)
        .map(|words| words[0])
        .collect();
    assert_eq!(scenario.commands.len(), letters.len());
    assert_eq!(scenario.height, stated(&text, "height "));

    let patches = std::fs::read(path.with_file_name(&scenario.patch_file)).unwrap();
    let patches = patch::read(&patches).unwrap();
    let (map, trace) = dynamic_scen::join(&scenario, &patches).unwrap();
    assert_eq!(map.width(), stated(&text, "width "));
    let is_batch = |step: &&TraceStep| matches!(step, TraceStep::Batch(_));
    let n_batches = trace.steps.iter().filter(is_batch).count();
    let n_runs = letters
        .chunk_by(|a, b| a == b)
        .filter(|run| run[0] == "P")
        .count();
    assert_eq!(n_batches, n_runs);
    let n_queries = letters.iter().filter(|letter| **letter == "Q").count();
    assert_eq!(trace.steps.len() - n_batches, n_queries);
    letters.len()
}

fn check_patch(bytes: &[u8]) -> usize {
    let patches = patch::read(bytes).unwrap();
    let count = stated(&normalized(bytes), "patches ");
    assert_eq!(patches.len(), count as usize);
    patches.len()
}

fn check_map3d(bytes: &[u8]) -> usize {
    let map = map3d::read(bytes).unwrap();
    let text = normalized(bytes);
    let mut lines: Vec<[u32; 3]> = non_blank_lines(&text)
        .skip(1)
        .map(|words| [0, 1, 2].map(|at| words[at].parse().unwrap()))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(map.solid().len(), lines.len());
    assert!(lines.iter().step_by(97).all(|voxel| map.contains(*voxel)));
    let [x, y, z] = map.size();
    assert!(text.starts_with(&format!("voxel {x} {y} {z}\n")));
    lines.len()
}

fn check_scen3d(bytes: &[u8]) -> usize {
    let scenario = scen3d::read(bytes).unwrap();
    assert_eq!(
        scenario.lines.len(),
        non_blank_lines(&normalized(bytes)).count() - 2
    );
    assert_eq!(
        scen3d::read(scen3d::write(&scenario).as_bytes()),
        Ok(scenario.clone())
    );
    scenario.lines.len()
}

fn check_obj(bytes: &[u8]) -> usize {
    let mesh = obj::read(bytes).unwrap();
    let text = normalized(bytes);
    let n_vertices = non_blank_lines(&text)
        .filter(|words| words[0] == "v")
        .count();
    let faces = non_blank_lines(&text).filter(|words| words[0] == "f");
    let n_triangles: usize = faces.map(|words| words.len() - 3).sum();
    assert_eq!(mesh.vertices().len(), n_vertices);
    assert_eq!(mesh.triangles().len(), n_triangles);
    n_triangles
}

/// The layout is the last two parts of the name: `..._403x344_i16le.raw`.
fn check_raw(path: &Path, bytes: &[u8]) -> usize {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let mut parts = name.rsplitn(3, '_');
    let (sample, size) = (parts.next().unwrap(), parts.next().unwrap());
    let layout: RawLayout = format!("{size}:{sample}").parse().unwrap();
    let map = read_raw(bytes, &layout).unwrap();
    assert_eq!(map.heights().len() * layout.sample.n_bytes(), bytes.len());
    let (low, high) = map.range().unwrap();
    assert!(low < high, "{low} to {high}");
    map.heights().len()
}

#[test]
fn every_benchmark_file_reads_to_independently_counted_content() {
    let Some(folder) = std::env::var_os("WAYFARER_DATA") else {
        println!("skipped: no data");
        return;
    };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    // Per format: number of files and of entries (maps, problems, voxels, ...).
    let mut counts: BTreeMap<FileFormat, (usize, usize)> = BTreeMap::new();
    for path in &paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".md") {
            continue;
        }
        println!("{}", path.display());
        let bytes = std::fs::read(path).unwrap();
        let format = FileFormat::detect(name, &bytes).unwrap();
        let by_name = FileFormat::from_name(name).unwrap();
        assert!(
            format == by_name || (format, by_name) == (FileFormat::DynamicScen, FileFormat::Scen)
        );
        let n_entries = match format {
            FileFormat::Map => check_map(&bytes),
            FileFormat::Scen => check_scen(path, &bytes),
            FileFormat::DynamicScen => check_dynamic(path, &bytes),
            FileFormat::Patch => check_patch(&bytes),
            FileFormat::Map3d => check_map3d(&bytes),
            FileFormat::Scen3d => check_scen3d(&bytes),
            FileFormat::Obj => check_obj(&bytes),
            FileFormat::Raw => check_raw(path, &bytes),
            other => panic!("no check for a {other}"),
        };
        let count = counts.entry(format).or_default();
        count.0 += 1;
        count.1 += n_entries;
    }
    assert!(!counts.is_empty(), "no files under {}", folder.display());
    for (format, (n_files, n_entries)) in &counts {
        println!("{format}: {n_files} files, {n_entries}");
    }
}

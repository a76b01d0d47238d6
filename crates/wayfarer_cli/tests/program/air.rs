//! The air: counted, drawn and measured.

use serde_json::Value;

use crate::room::{Pixels, Room};

const SOLID: [u8; 3] = [0x3A, 0x44, 0x4E];
const LARGEST_COMPONENT: [u8; 3] = [0xE9, 0xF0, 0xF4];
const SMALLER_COMPONENT: [u8; 3] = [0xE0, 0xA4, 0x6A];

/// A wall at x = 2 with nothing through it, 6 x 4 x 3.
fn wall() -> String {
    let mut text = "voxel 6 4 3\n".to_owned();
    for z in 0..3 {
        for y in 0..4 {
            text.push_str(&format!("2 {y} {z}\n"));
        }
    }
    text
}

fn numbers(air: &Value, keys: &[&str]) -> Vec<u64> {
    keys.iter().map(|key| air[key].as_u64().unwrap()).collect()
}

#[test]
fn info_counts_layers_components_and_bytes() {
    let room = Room::new("air_info");
    room.write("wall.3dmap", wall());
    let air = room.done("info wall.3dmap --json -").json()["air"].clone();
    let keys = ["solid", "free", "components", "largest_component"];
    assert_eq!(numbers(&air, &keys), [12, 60, 2, 36]);
    let layers = air["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 2);
    assert_eq!(numbers(&layers[0], &["nodes", "solid", "mixed"]), [8, 0, 1]);
    assert_eq!(numbers(&layers[1], &["nodes", "free", "mixed"]), [1, 0, 1]);
    let memory = air["memory"].as_object().unwrap();
    let sum: u64 = memory.values().map(|bytes| bytes.as_u64().unwrap()).sum();
    assert_eq!(air["memory_bytes"].as_u64().unwrap(), sum);
    let text = room.done("info wall.3dmap").out;
    assert!(text.contains("2, the largest 36"), "{text}");
}

#[test]
fn every_format_becomes_the_same_air() {
    let room = Room::new("air_formats");
    for end in ["3dmap", "world", "obj", "glb"] {
        room.done(&format!("make hall --size 40x30x16 --seed 3 -o hall.{end}"));
    }
    let air = |line: &str| room.done(&format!("info {line} --json -")).json()["air"].clone();
    let plain = air("hall.3dmap");
    assert!(plain["solid"].as_u64().unwrap() > 1_000);
    for line in [
        "hall.world --margin 0",
        "hall.obj --air --margin 0",
        "hall.glb --air --margin 0",
    ] {
        let other = air(line);
        assert_eq!(other["solid"], plain["solid"], "{line}");
        assert_eq!(other["boundary_edges"], 0, "{line}");
    }
    // Half as large voxels: eight times as many.
    let fine = air("hall.glb --air --voxel 0.5 --margin 2");
    let solid = plain["solid"].as_u64().unwrap();
    assert_eq!(fine["solid"].as_u64().unwrap(), 8 * solid);
    let scaled = air("hall.glb --air --scale 2 --margin 2");
    assert_eq!(scaled["solid"], fine["solid"]);
    // A world of boxes.
    room.write(
        "box.world",
        "wayfarer world 1\nbox 0 0 0 to 3 4 1\nvoxel 9 9 9\n",
    );
    assert_eq!(air("box.world")["solid"], 41);
    assert_eq!(air("box.world --margin 1")["size"][0], 12);
}

#[test]
fn boundary_edges_of_a_mesh_are_reported() {
    let room = Room::new("air_leak");
    let corners = "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\n";
    room.write("open.obj", format!("{corners}f 1 3 2\nf 1 2 4\nf 1 4 3\n"));
    let report = room.done("info open.obj --air --up z --json -").json();
    assert_eq!(report["air"]["boundary_edges"], 3);
    assert_eq!(
        report["air"]["first_boundary_edges"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let text = room.done("info open.obj --air").out;
    assert!(text.contains("boundary edges"), "{text}");
}

#[test]
fn a_slice_is_colored_by_component() {
    let room = Room::new("air_slice");
    room.write("wall.3dmap", wall());
    room.done("render wall.3dmap -o cut.png --slice z=1 --zoom 20");
    let pixels = Pixels::of(&room.read("cut.png"));
    for y in 0..4 {
        for x in 0..6 {
            let expected = match x {
                0 | 1 => SMALLER_COMPONENT,
                2 => SOLID,
                _ => LARGEST_COMPONENT,
            };
            assert_eq!(pixels.cell(x, y), expected, "({x}, {y})");
        }
    }
    // Across x the wall fills the picture: 4 wide, 3 high.
    room.done("render wall.3dmap -o across.txt --slice x=2");
    assert_eq!(room.read("across.txt"), b"OOOO\nOOOO\nOOOO\n");
    room.done("render wall.3dmap -o side.txt --project y");
    assert_eq!(room.read("side.txt"), b"##O###\n##O###\n##O###\n");
    room.done("render wall.3dmap -o layers.svg --slice y=0 --layers");
    assert!(room.read("layers.svg").starts_with(b"<svg"));
}

/// The projections of a generated mesh equal those of its voxels.
#[test]
fn a_generated_mesh_is_projected_like_its_voxels() {
    let room = Room::new("air_mesh");
    for end in ["3dmap", "glb"] {
        room.done(&format!("make hall --size 40x30x16 --seed 4 -o hall.{end}"));
    }
    for axis in ["x", "y", "z"] {
        for (file, more) in [("3dmap", ""), ("glb", "--margin 0")] {
            let line = format!("render hall.{file} -o {file}.txt --project {axis} {more}");
            room.done(&line);
            room.done(&line.replace(".txt", ".png"));
        }
        // A mesh has one voxel more on every side: its faces touch it.
        let text = |name: &str| String::from_utf8(room.read(name)).unwrap();
        let (mesh, map) = (text("glb.txt"), text("3dmap.txt"));
        let rows: Vec<&str> = mesh.lines().collect();
        let inner = rows[1..rows.len() - 1].iter();
        let inner: Vec<&str> = inner.map(|row| &row[1..row.len() - 1]).collect();
        assert_eq!(inner, map.lines().collect::<Vec<_>>(), "{axis}");
        assert!(mesh.matches('O').count() > 100, "{mesh}");
        assert!(room.read("glb.png").starts_with(b"\x89PNG"));
    }
}

/// A real level, if `WAYFARER_DATA` names the folder that holds it.
#[test]
fn a_dungeon_is_projected_and_sliced() {
    let Some(folder) = std::env::var_os("WAYFARER_DATA") else {
        println!("skipped: no data");
        return;
    };
    let mesh = std::path::PathBuf::from(folder).join("meshes/recast_dungeon.obj");
    let room = Room::new("air_dungeon");
    let mesh = mesh.display();
    let air = room.done(&format!("info {mesh} --air --voxel 0.5 --json -"));
    let air = air.json()["air"].clone();
    assert!(air["solid"].as_u64().unwrap() > 10_000);
    for (name, options) in [
        ("x", "--project x"),
        ("y", "--project y"),
        ("z", "--project z"),
        ("cut", "--slice z=2"),
        ("cubes", "--slice z=2 --layers"),
    ] {
        let line = format!("render {mesh} -o {name}.png {options} --voxel 0.5 --json -");
        let report = room.done(&line).json();
        assert!(report["marks"].as_u64().unwrap() > 100, "{options}");
        let pixels = Pixels::of(&room.read(&format!("{name}.png")));
        let mut colors: Vec<&[u8]> = pixels.bytes.chunks(3).collect();
        colors.sort_unstable();
        colors.dedup();
        assert!(colors.len() > 5, "{options}: {} colors", colors.len());
    }
}

#[test]
fn invalid_slices_are_rejected_in_one_line() {
    let room = Room::new("air_rejected");
    room.write("wall.3dmap", wall());
    room.write("a.map", crate::room::map(&["..."]));
    for (line, wanted) in [
        ("render wall.3dmap -o a.png --slice z=3", "z is 0 to 2"),
        ("render wall.3dmap -o a.png --slice w=3", "expected x=N"),
        (
            "render wall.3dmap -o a.png --project up",
            "expected x, y or z",
        ),
        ("render wall.3dmap -o a.png --layers", "--slice"),
        ("render a.map -o a.png --slice z=0", "a flat map has no air"),
        ("info a.map --air", "a flat map has no air"),
        ("make caves -o a.glb", "voxel worlds only"),
    ] {
        let run = room.run(line);
        assert_eq!(run.code, 2, "{line}: {}", run.err);
        assert!(run.err.contains(wanted), "{line}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{line}: {}", run.err);
    }
}

#[cfg(feature = "bench")]
#[test]
fn the_air_is_measured_and_compared_with_the_oracle() {
    let room = Room::new("bench_air");
    room.done("make hall --size 40x30x16 -o hall.3dmap");
    let line = "bench air --maps . --edits 50 --asteroids 20 --size 64 --moving 3 --ticks 50";
    let run = room.done(&format!("{line} --boards 8 --no-pin --json out.json"));
    assert!(
        run.out.contains("| hall") && run.out.contains("tick ms"),
        "{}",
        run.out
    );
    let report: Value = serde_json::from_slice(&room.read("out.json")).unwrap();
    assert_eq!(report["wrong"], 0);
    assert_eq!(report["asteroids"]["checks"], 1);
    for key in ["build_ms", "memory_bytes", "nodes", "ray_ns", "locate_ns"] {
        assert!(report[key].as_f64().unwrap() > 0.0, "{key}");
    }
    for key in ["mean", "p99", "max"] {
        assert!(report["edit_us"][key].as_f64().unwrap() > 0.0, "{key}");
    }
    let run = room.run("bench air --maps nowhere");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("nowhere: "), "{}", run.err);
}

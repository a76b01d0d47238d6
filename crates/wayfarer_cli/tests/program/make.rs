//! `make` and `info`: worlds written and read back.

use crate::room::{Room, map};

#[test]
fn equal_arguments_give_equal_files_and_another_seed_another() {
    let room = Room::new("make_equal");
    for name in ["a.map", "b.map"] {
        room.done(&format!("make caves --size 60x40 --seed 5 -o {name}"));
    }
    room.done("make caves --size 60x40 --seed 6 -o c.map");
    assert_eq!(room.read("a.map"), room.read("b.map"));
    assert_ne!(room.read("a.map"), room.read("c.map"));
    assert!(
        room.read("a.map")
            .starts_with(b"type octile\nheight 40\nwidth 60\n")
    );
}

#[test]
fn every_generator_makes_a_world_that_info_and_render_read() {
    let room = Room::new("make_kinds");
    let help = room.done("make -h").out;
    let (_, rest) = help.split_once("possible values: ").unwrap();
    let (kinds, _) = rest.split_once(']').unwrap();
    let kinds: Vec<&str> = kinds.split(", ").collect();
    assert!(kinds.len() >= 10, "{kinds:?}");
    for kind in kinds {
        room.done(&format!(
            "make {kind} --size 64x48 --seed 3 -o {kind}.world"
        ));
        let info = room.done(&format!("info {kind}.world --json -")).json();
        let count = |key: &str| info[key].as_u64().unwrap();
        assert!(count("cells") + count("voxels") > 0, "{kind}: {info}");
        assert_eq!(info["format"], "world", "{kind}");
        room.done(&format!("render {kind}.world -o {kind}.png"));
    }
}

#[test]
fn a_world_is_the_same_in_every_format_that_can_hold_it() {
    let room = Room::new("make_formats");
    let of = |name: &str| {
        room.done(&format!("make terrain --size 50x30 --seed 9 -o {name}"));
        let mut info = room.done(&format!("info {name} --json -")).json();
        for key in [
            "file",
            "format",
            "components",
            "largest_component",
            "machine",
        ] {
            info.as_object_mut().unwrap().remove(key);
        }
        info
    };
    let map = of("a.map");
    assert_eq!(map, of("a.png"));
    assert_eq!(map["walkable"], of("a.world")["walkable"]);
    assert_eq!(map["terrains"], of("a.world")["terrains"]);
    let voxels = |name: &str| {
        room.done(&format!("make asteroids --size 32x32x16 -o {name}"));
        room.done(&format!("info {name} --json -")).json()["voxels"].clone()
    };
    assert_eq!(voxels("b.3dmap"), voxels("b.world"));
}

#[test]
fn info_counts_what_is_there() {
    let room = Room::new("info");
    room.write("a.map", map(&["..@S", "@@@W", "T..."]));
    let info = room.done("info a.map --json -").json();
    assert_eq!(info["command"], "info");
    assert_eq!(info["schema"], "wayfarer/info/3");
    assert!(info["machine"]["cores"].as_u64().unwrap() >= 1);
    assert_eq!((&info["width"], &info["height"]), (&4.into(), &3.into()));
    assert_eq!(info["cells"], 8);
    assert_eq!(info["walkable"], 6);
    assert_eq!(info["terrains"]["trees"], 1);
    assert_eq!(info["components"], 3);
    assert_eq!(info["largest_component"], 3);
    let text = room.done("info a.map").out;
    assert!(text.contains("4 x 3 cells"), "{text}");
}

#[test]
fn json_to_a_file_leaves_the_text_on_standard_output() {
    let room = Room::new("make_json");
    let run = room.done("make open --size 4 -o a.map --json made.json");
    assert!(run.out.contains("16 walkable cells"), "{}", run.out);
    let made: serde_json::Value = serde_json::from_slice(&room.read("made.json")).unwrap();
    assert_eq!(made["walkable"], 16);
    // No temporary file remains.
    let names: Vec<String> = room
        .files()
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["a.map", "made.json"]);
}

#[test]
fn info_counts_scenarios_patches_and_edits() {
    let room = Room::new("info_stories");
    room.write(
        "a.scen",
        "version 1\n0\ta.map\t4\t3\t0\t0\t3\t0\t3\n0\ta.map\t4\t3\t0\t0\t3\t2\t0\n",
    );
    room.write("a.3dscen", "version 1\nA.3dmap\n0 0 0 3 0 0 3 1\n");
    room.write(
        "b.scen",
        "version 2\nheight 4\nwidth 4\ncost 1 octile\npatch b.patch\ncommands\n\
         P 0 0 1 1\nP 0 0 2 2\nQ 0 0 0 3 3 5\nP 0 0 0 1\nQ 0 0 0 3 3 -1\n",
    );
    room.write(
        "b.patch",
        "type patch\npatches 1\npatch 0\nheight 1\nwidth 2\nmap\n.@\n",
    );
    let info = |name: &str| room.done(&format!("info {name} --json -")).json();
    let flat = info("a.scen");
    assert_eq!(
        (&flat["problems"], &flat["impossible"]),
        (&2.into(), &1.into())
    );
    assert_eq!(
        (&flat["longest"], &flat["names"]),
        (&3.0.into(), &"a.map".into())
    );
    assert_eq!(info("a.3dscen")["problems"], 1);
    let dynamic = info("b.scen");
    assert_eq!(
        (&dynamic["batches"], &dynamic["edits"]),
        (&2.into(), &3.into())
    );
    assert_eq!(
        (&dynamic["problems"], &dynamic["impossible"]),
        (&2.into(), &1.into())
    );
    assert_eq!(info("b.patch")["edits"], 1);
    let text = room.done("info a.scen").out;
    assert!(text.contains("without a path  1"), "{text}");
}

#[test]
fn a_saved_world_is_read_by_info_render_and_path() {
    let room = Room::new("make_saved");
    room.done("make caves --size 40x30 --seed 5 -o caves.map");
    room.done("make caves --size 40x30 --seed 5 -o caves.wayfarer");
    let [flat, saved] = ["map", "wayfarer"].map(|end| {
        let info = room.done(&format!("info caves.{end} --json -"));
        info.json()
    });
    assert_eq!(saved["format"], "saved world");
    assert_eq!(saved["walkable"], flat["walkable"]);
    assert_eq!(saved["saved"]["revision"], 0);
    let cell = {
        let map = String::from_utf8(room.read("caves.map")).unwrap();
        let open = |row: &str| row.find('.');
        let mut rows = map.lines().skip(4).enumerate();
        let (y, x) = rows.find_map(|(y, row)| Some((y, open(row)?))).unwrap();
        format!("{x},{y}")
    };
    for end in ["map", "wayfarer"] {
        room.done(&format!(
            "path caves.{end} --from {cell} --to {cell} --png {end}.png"
        ));
        room.done(&format!(
            "render caves.{end} --regions -o regions-{end}.png"
        ));
    }
    room.done("make asteroids --size 24x24x24 --seed 2 -o belt.wayfarer");
    let belt = room.done("info belt.wayfarer --json -").json();
    assert!(belt["air"]["free"].as_u64().unwrap() > 0);
    room.done("render belt.wayfarer --slice z=4 -o slice.png");
    let mut bytes = room.read("caves.wayfarer");
    let center = bytes.len() / 2;
    bytes[center] ^= 1;
    room.write("broken.wayfarer", bytes);
    let damaged = room.run("info broken.wayfarer");
    assert_eq!(damaged.code, 2);
    assert!(damaged.err.contains("broken.wayfarer: "), "{}", damaged.err);
    let none = room.run("render caves.wayfarer --slice z=0 -o none.png");
    assert!(
        none.err.contains("the saved world has no air"),
        "{}",
        none.err
    );
}

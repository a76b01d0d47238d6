//! Worlds are made, written, and read back as they were.

use crate::room::{Room, map};

#[test]
fn equal_arguments_make_equal_files_and_another_seed_another() {
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
fn every_kind_can_be_made_looked_at_and_drawn() {
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
        let things = |key: &str| info[key].as_u64().unwrap();
        assert!(things("cells") + things("voxels") > 0, "{kind}: {info}");
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
    assert_eq!(info["schema"], "wayfarer/1");
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
fn json_to_a_file_leaves_the_words_on_standard_output() {
    let room = Room::new("make_json");
    let run = room.done("make open --size 4 -o a.map --json made.json");
    assert!(run.out.contains("16 cells to walk on"), "{}", run.out);
    let made: serde_json::Value = serde_json::from_slice(&room.read("made.json")).unwrap();
    assert_eq!(made["walkable"], 16);
    // Nothing half-written is left behind.
    let names: Vec<String> = room
        .files()
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["a.map", "made.json"]);
}

//! Regions, portals and components: counted, drawn, edited and compared.

use crate::room::{Pixels, Room, map};

/// Two sectors side by side, all ground.
fn hall() -> String {
    let row = ".".repeat(32);
    map(&vec![row.as_str(); 16])
}

#[test]
fn info_counts_regions_portals_components_and_bytes() {
    let room = Room::new("ground_info");
    room.write("hall.map", hall());
    let report = room.done("info hall.map --json -").json();
    let ground = &report["ground"];
    for (name, value) in [
        ("walkable", 512),
        ("sectors", 2),
        ("regions", 2),
        ("portals", 1),
        ("widest_portal", 46),
        ("components", 1),
        ("largest_component", 512),
    ] {
        assert_eq!(ground[name], value, "{name}");
    }
    let memory = ground["memory"].as_object().unwrap();
    let sum: u64 = memory.values().map(|bytes| bytes.as_u64().unwrap()).sum();
    assert!(sum > 0);
    assert_eq!(ground["memory_bytes"], sum);
    let text = room.done("info hall.map").out;
    assert!(
        text.contains("regions") && text.contains("46 steps"),
        "{text}"
    );
}

#[test]
fn info_reports_skipped_cells() {
    let room = Room::new("ground_skipped");
    room.write("wood.map", map(&["..TT", "T..."]));
    let report = room.done("info wood.map --json -").json();
    let skipped = &report["ground"]["skipped"][0];
    assert_eq!(
        (&skipped["reason"], &skipped["count"]),
        (&"trees".into(), &3.into())
    );
    assert_eq!(skipped["first"][0], serde_json::json!([2, 0, 0]));
    room.write(
        "wide.world",
        "wayfarer world 1\nprofile radius 2\ncell 0 0 0 ground\n",
    );
    let text = room.done("info wide.world").out;
    assert!(
        text.contains("no ground") && text.contains("radius"),
        "{text}"
    );
}

#[test]
fn regions_and_components_are_colored_and_portals_are_lines() {
    let room = Room::new("ground_render");
    room.write("hall.map", hall());
    room.done("render hall.map -o plain.png --zoom 20");
    room.done("render hall.map -o regions.png --zoom 20 --regions");
    room.done("render hall.map -o portals.png --zoom 20 --portals");
    room.done("render hall.map -o components.png --zoom 20 --components");
    let pixels = |name: &str| Pixels::of(&room.read(name));
    let (plain, regions) = (pixels("plain.png"), pixels("regions.png"));
    assert_ne!(regions.cell(2, 2), plain.cell(2, 2));
    assert_ne!(regions.cell(2, 2), regions.cell(30, 2));
    assert_eq!(regions.cell(2, 2), regions.cell(14, 14));
    let components = pixels("components.png");
    assert_eq!(components.cell(2, 2), components.cell(30, 2));
    // From center to center, along the seventh row, more than a cell thick.
    let portals = pixels("portals.png");
    assert_ne!(portals.cell(15, 7), plain.cell(15, 7));
    assert_eq!(portals.cell(15, 3), plain.cell(15, 3));
    assert_eq!(portals.cell(2, 7), plain.cell(2, 7));
    room.write("air.3dmap", "voxel 2 2 2\n0 0 0\n");
    let run = room.run("render air.3dmap -o air.png --regions");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("no ground"), "{}", run.err);
}

#[test]
fn the_ground_equals_a_rebuilt_one_after_doors_open_and_close() {
    let room = Room::new("ground_doors");
    room.done("make building --seed 3 -o k.world --edits k.edits --trace doors --batches 30");
    let line = "replay k.world k.edits --check --json -";
    let report = room.done(line).json();
    assert_eq!(
        (&report["batches"], &report["wrong"]),
        (&30.into(), &0.into())
    );
    assert_eq!(report["problems"], report["matched"]);
    let ground = &report["ground"];
    assert_eq!(ground["compared"], 30);
    assert!(ground["split"].is_u64() && ground["merged"].is_u64());
    assert!(ground["batch_max_us"].as_f64().unwrap() > 0.0);
    let text = room.done("replay k.edits --world k.world").out;
    assert!(
        text.contains("split components") && text.contains("valid paths"),
        "{text}"
    );
}

#[test]
fn a_wrong_expectation_in_a_world_with_floors_is_found() {
    let room = Room::new("ground_wrong");
    room.write(
        "a.world",
        "wayfarer world 1\nlayer 0 0 0\n|...\npassage ladder 2 0 0 to 0 0 9 cost 4\ncell 0 0 9 ground\n",
    );
    let trace = "wayfarer edits 1\nquery 0 0 0 to 0 0 9 length 6\n";
    room.write("right.edits", trace);
    room.done("replay a.world right.edits");
    room.write(
        "wrong.edits",
        format!("{trace}batch\nremove cell 1 0 0\nquery 0 0 0 to 0 0 9 length 6\n"),
    );
    let run = room.run("replay a.world wrong.edits");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert!(run.out.contains("wrong: step 2"), "{}", run.out);
    room.write(
        "far.edits",
        "wayfarer edits 1\nbatch\nput cell 8388608 0 0 ground\n",
    );
    let run = room.run("replay a.world far.edits");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    room.write(
        "deep.edits",
        "wayfarer edits 1\nbatch\nput cell 0 0 99999999 ground\n",
    );
    let run = room.run("replay a.world deep.edits");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("step 0: edit 0"), "{}", run.err);
}

#[test]
fn heights_and_meshes_become_ground_by_the_given_scale() {
    let room = Room::new("ground_scale");
    // Three columns, 0, 10 and 20 units high, and a hole.
    room.write("a.raw", [0_u8, 10, 20, 99]);
    let info = |more: &str| {
        let line = format!("info a.raw --raw 4x1:u8 --json - {more}");
        room.done(&line).json()["ground"].clone()
    };
    let ground = info("--no-data 99");
    assert_eq!(
        (&ground["components"], &ground["cliffs"]),
        (&3.into(), &2.into())
    );
    assert_eq!(ground["skipped"][0]["reason"], "no data");
    let ground = info("--no-data 99 --step 10");
    assert_eq!(
        (&ground["components"], &ground["cliffs"]),
        (&1.into(), &0.into())
    );
    let ground = info("--no-data 99 --step 10 --max-slope 9");
    assert_eq!(ground["walkable"], 0);
    // A plate two cells up, and one above it that leaves too little room.
    let plate = |z: f64, first: usize| {
        let corners = format!("v 0 {z} 0\nv 3 {z} 0\nv 3 {z} 3\nv 0 {z} 3\n");
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| first + n);
        format!("{corners}f {a} {c} {b}\nf {a} {d} {c}\n")
    };
    room.write("b.obj", plate(2.0, 1) + &plate(3.2, 5));
    let info =
        |more: &str| room.done(&format!("info b.obj --json - {more}")).json()["ground"].clone();
    assert_eq!(info("")["walkable"], 9);
    assert_eq!(info("")["skipped"][0]["reason"], "no headroom");
    assert_eq!(info("--step 0.25")["walkable"], 18);
    room.done("render b.obj --step 0.25 --regions -o b.png");
    let run = room.run("render b.obj --step 0 --regions -o b.png");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("'0' for '--step"), "{}", run.err);
}

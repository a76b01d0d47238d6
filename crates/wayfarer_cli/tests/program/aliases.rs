//! Commands, options, methods and values of version 0.1 still work.

use crate::room::{Room, map};

fn room(name: &str) -> Room {
    let room = Room::new(name);
    room.write("a.map", map(&["......", ".@@@@.", "......"]));
    room
}

/// Runs both lines; the JSON results must be equal but for times.
#[track_caller]
fn same(room: &Room, old: &str, new: &str) {
    let run = |line: &str| {
        let run = room.run(&format!("{line} --json -"));
        assert!(run.code < 2, "{line}: {}", run.err);
        let mut json = run.json();
        json.as_object_mut().unwrap().remove("machine");
        json
    };
    assert_eq!(run(old), run(new), "{old}");
}

#[test]
fn old_options_and_methods_of_path_work() {
    let room = room("aliases_path");
    let path = "path a.map --from 0,0 --to 5,2";
    room.done(&format!("{path} --json old.json"));
    for (old, new) in [
        ("--method default", "--method bounded"),
        ("--method exact", "--method optimal"),
        ("--method plain", "--method jps"),
        ("--method far", "--method hierarchical"),
        ("--method mm:hpa", "--method refine:hpa"),
        ("--if-no-way refuse", "--partial never"),
        ("--if-no-way by-path", "--partial octile"),
        ("--if-no-way by-air", "--partial euclidean"),
        ("--in-sight 2", "--line-of-sight 2"),
        ("--extra-price 0,1:0,1=4", "--area-cost 0,1:0,1=4"),
        ("--terrain-price swamp=3", "--terrain-cost swamp=3"),
        ("--climb 2 --drop 3", "--max-step 2 --max-drop 3"),
        (
            "--former old.json --slack 5",
            "--previous old.json --tolerance 5",
        ),
    ] {
        same(&room, &format!("{path} {old}"), &format!("{path} {new}"));
    }
}

#[test]
fn old_commands_and_values_work() {
    let room = room("aliases_commands");
    same(
        &room,
        "freeze a.map -o a.frozen --centres middle",
        "bake a.map -o a.frozen --centers middle",
    );
    let path = "path a.map --from 0,0 --to 5,2";
    same(
        &room,
        &format!("{path} --method mm:hpa --frozen a.frozen"),
        &format!("{path} --method refine:hpa --baked a.frozen"),
    );
    same(
        &room,
        "make keep --storeys 2 -o b.world --edits b.edits --story doors --batches 3",
        "make building --floors 2 -o b.world --edits b.edits --trace doors --batches 3",
    );
    same(
        &room,
        "make field --size 20 -o c.map",
        "make clutter --size 20 -o c.map",
    );
    room.done("edits b.edits --world b.world");
    room.write("a.map.scen", "version 1\n0\ta.map\t6\t3\t0\t0\t5\t0\t5\n");
    room.done("check a.map a.map.scen --method plain");
    same(
        &room,
        "render a.map -o a.png --field --from 0,1 --to 5,1 --min 1 --max 2 --method tree",
        "render a.map -o a.png --walls-as-obstacles --from 0,1 --to 5,1 --min 1 --max 2 \
         --method quadtree",
    );
    same(
        &room,
        "render a.map -o a.png --field --felt 3",
        "render a.map -o a.png --walls-as-obstacles --influence 3",
    );
    room.write("b.raw", [0, 1, 2, 3]);
    same(
        &room,
        "info b.raw --raw 2x2:u8 --steepest 1",
        "info b.raw --raw 2x2:u8 --max-slope 1",
    );
    room.write("air.3dmap", "voxel 4 4 4\n1 1 1\n");
    let flight = "path air.3dmap --from 0,0,0 --to 3,3,3";
    same(
        &room,
        &format!("{flight} --preset plain"),
        &format!("{flight} --preset untuned"),
    );
    same(
        &room,
        &format!("{flight} --preset exact"),
        &format!("{flight} --preset voxel-astar"),
    );
    room.done("demo keep --ticks 2 --agents 2 -o castle.png");
    for show in ["field", "objects"] {
        room.done(&format!("demo {show} -o {show}.png"));
    }
}

#[cfg(feature = "bench")]
#[test]
fn old_benchmarks_options_and_methods_work() {
    let room = room("aliases_bench");
    room.write("a.map.scen", "version 1\n0\ta.map\t6\t3\t0\t0\t5\t0\t5\n");
    for (line, key, value) in [
        (
            "paths --maps a.map --method dense --runs 1",
            "method",
            "grid-astar",
        ),
        (
            "cuts --maps a.map --method default --runs 1",
            "schema",
            "wayfarer/bench-replan/2",
        ),
        (
            "prices --maps a.map --runs 1",
            "schema",
            "wayfarer/bench-terrain-costs/3",
        ),
        (
            "questions --maps a.map --watched 2 --cuts 1",
            "schema",
            "wayfarer/bench-reachability/2",
        ),
        (
            "nasty --side 40 --walls 64",
            "schema",
            "wayfarer/bench-worst-case/1",
        ),
        (
            "field --entities 20 --world 900 --size 50 --ticks 2 --oracle 1 --method corners",
            "schema",
            "wayfarer/bench-planar/2",
        ),
        (
            "ground --maps a.map --views",
            "schema",
            "wayfarer/bench-ground/2",
        ),
    ] {
        let report = room.done(&format!("bench {line} --no-pin --json -")).json();
        assert_eq!(report[key], value, "{line}");
    }
    let line = "bench scale --size 64 --soak 10 --cap 200000 --json -";
    assert_eq!(room.done(line).json()["cache_limit_bytes"], 200_000);
    room.write("a.3dmap", "voxel 8 8 8\n1 1 1\n");
    room.write(
        "a.3dmap.3dscen",
        "version 1\na.3dmap\n0 0 0 7 0 0 7.0 1.0\n",
    );
    let line = "bench air --map a.3dmap --greed 1.2 --preset plain --edits 5 --runs 1 --no-pin";
    let report = room.done(&format!("{line} --json -")).json();
    let command = report["command"].as_str().unwrap();
    assert!(command.contains("--heuristic-weight 1.199"), "{command}");
    assert!(command.contains("--preset untuned"), "{command}");
}

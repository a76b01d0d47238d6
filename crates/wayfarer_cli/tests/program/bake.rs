//! `bake`, and `path --method refine` over baked abstractions and live ground.

use crate::room::{Pixels, Room, map};
use serde_json::Value;

/// Four by two sectors with a wall across, open in one place.
fn hall(gap: &str) -> String {
    let (open, wall) = (".".repeat(64), "@".repeat(62));
    let mut rows = vec![open.as_str(); 32];
    let wall = format!("{wall}{gap}");
    rows[20] = &wall;
    map(&rows)
}

fn room(name: &str) -> Room {
    let room = Room::new(name);
    room.write("shut.map", hall("@@"));
    room.write("open.map", hall(".."));
    room
}

/// Walks the path step by step; the segments must end where it ends.
#[track_caller]
fn walk(found: &Value, from: [i64; 3], to: [i64; 3]) {
    let cells = found["path"].as_array().unwrap();
    assert_eq!(cells[0], serde_json::json!(from));
    assert_eq!(cells[cells.len() - 1], serde_json::json!(to));
    let at = |cell: &Value, axis: usize| cell[axis].as_i64().unwrap();
    let mut length = 0.0;
    for pair in cells.windows(2) {
        let (dx, dy) = (
            at(&pair[1], 0) - at(&pair[0], 0),
            at(&pair[1], 1) - at(&pair[0], 1),
        );
        assert!(dx.abs() <= 1 && dy.abs() <= 1, "{pair:?}");
        // A vertical nav link has no length on the map.
        length += [0.0, 1.0, 2_f64.sqrt()][usize::from(dx != 0) + usize::from(dy != 0)];
    }
    assert!((found["length"].as_f64().unwrap() - length).abs() < 1e-6);
    let segments = found["segments"].as_array().unwrap();
    let ends: Vec<u64> = segments.iter().map(|end| end.as_u64().unwrap()).collect();
    assert!(ends.is_sorted() && ends.last() == Some(&(cells.len() as u64 - 1)));
}

#[test]
fn info_counts_a_baked_abstraction() {
    let room = room("frozen_info");
    let made = room.done("bake open.map -o a.frozen --json -").json();
    let info = room.done("info a.frozen --json -").json();
    for (name, value) in [
        ("width", 64),
        ("height", 32),
        ("sector", 16),
        ("sectors", 8),
        ("regions", 11),
    ] {
        assert_eq!(
            (&made[name], &info[name]),
            (&value.into(), &value.into()),
            "{name}"
        );
    }
    let bytes = room.read("a.frozen").len() as u64;
    assert_eq!(info["file_bytes"], bytes);
    let payload = info["payload_bytes"].as_u64().unwrap();
    assert!(payload < bytes && payload >= 8 * 4 + 11 * 2);
    let per_cent = info["payload_per_cent"].as_f64().unwrap();
    assert!((per_cent - payload as f64 * 100.0 / 2048.0).abs() < 1e-9);
    assert_eq!(info["variants"], serde_json::json!([]));
    let text = room.done("info a.frozen").out;
    assert!(
        text.contains("baked abstraction") && text.contains("% of 8 bits per cell"),
        "{text}"
    );
    // Equal maps give equal bytes; other sectors and centers do not.
    room.done("bake open.map -o b.frozen");
    assert_eq!(room.read("a.frozen"), room.read("b.frozen"));
    for more in ["--sector 8", "--centers middle", "--centers far-from-walls"] {
        room.done(&format!("bake open.map -o b.frozen {more}"));
        assert_ne!(room.read("a.frozen"), room.read("b.frozen"), "{more}");
    }
}

#[test]
fn a_gate_is_a_variant_of_few_sectors() {
    let room = room("frozen_variant");
    room.done("bake shut.map -o a.frozen --variant gate=open.map");
    let info = room.done("info a.frozen --json -").json();
    let variant = &info["variants"][0];
    assert_eq!(
        (&variant["name"], &variant["is_on"]),
        (&"gate".into(), &false.into())
    );
    let sectors = variant["sectors"].as_u64().unwrap();
    assert!((1..=4).contains(&sectors), "{sectors} of 8 sectors");
    let text = room.done("info a.frozen").out;
    assert!(text.contains("variant gate"), "{text}");
}

#[test]
fn a_variant_is_turned_on_per_query() {
    let room = room("frozen_turned");
    room.done("bake shut.map -o shut.frozen --variant gate=open.map");
    let line = "--from 1,30 --to 3,2 --method refine:1,10%,-,- --baked shut.frozen --json -";
    let run = room.run(&format!("path shut.map {line}"));
    assert_eq!(
        (run.code, &run.json()["variants"]),
        (1, &serde_json::json!([]))
    );
    // With the gate shut in the abstraction, the open map has a path but no abstract one.
    let unplanned = room.done(&format!("path open.map {line}")).json();
    assert_eq!(
        (&unplanned["found"], &unplanned["abstract_regions"]),
        (&true.into(), &0.into())
    );
    let turned = room
        .done(&format!("path open.map {line} --variant gate"))
        .json();
    assert_eq!(
        (&turned["found"], &turned["variants"]),
        (&true.into(), &serde_json::json!(["gate"]))
    );
    walk(&turned, [1, 30, 0], [3, 2, 0]);
    assert!(turned["abstract_regions"].as_u64().unwrap() > 5);
    assert!(turned["expansions"].as_u64() < unplanned["expansions"].as_u64());
    // The same as over a map that was baked with the gate open.
    room.done("bake open.map -o open.frozen");
    let whole = "--from 1,30 --to 3,2 --method refine:1,10%,-,- --baked open.frozen --json -";
    let whole = room.done(&format!("path open.map {whole}")).json();
    assert_eq!(whole["found"], true);
    let text = room.done(&format!(
        "path open.map {} --variant gate",
        line.replace(" --json -", "")
    ));
    assert!(text.out.contains("bytes, gate)"), "{}", text.out);
}

#[test]
fn a_flat_ground_is_baked_wherever_it_lies() {
    let room = room("frozen_ground");
    let row = format!("|{}\n", ".".repeat(40));
    let world = format!("wayfarer world 1\nlayer -7 30 4\n{}", row.repeat(20));
    room.write("meadow.world", world);
    let made = room
        .done("bake meadow.world -o meadow.frozen --json -")
        .json();
    assert_eq!((&made["width"], &made["height"]), (&40.into(), &20.into()));
    let line = "path meadow.world --from=-6,31 --to 31,48 --method refine:1,10%,-,- --json -";
    let live = room.done(line).json();
    let found = room.done(&format!("{line} --baked meadow.frozen")).json();
    assert_eq!(
        (&live["over"], &found["over"]),
        (&"live".into(), &"baked".into())
    );
    walk(&found, [-6, 31, 4], [31, 48, 4]);
    // What lies over itself is no flat map, and says where.
    let floor = |z: i32| format!("layer 0 0 {z}\n{}", row.repeat(20));
    room.write(
        "hall.world",
        format!("wayfarer world 1\n{}{}", floor(0), floor(9)),
    );
    for line in [
        "bake hall.world -o hall.frozen",
        "path hall.world --from 1,1,0 --to 9,9,0 --method refine:hpa --baked meadow.frozen",
    ] {
        let run = room.run(line);
        assert_eq!(run.code, 2, "{line}");
        for word in ["hall.world", "flat map", "(0, 0, 0)", "(0, 0, 9)"] {
            assert!(run.err.contains(word), "{word}: {}", run.err);
        }
    }
}

#[test]
fn refinement_finds_paths_segment_by_segment() {
    let room = room("frozen_path");
    room.done("bake open.map -o a.frozen --sector 8");
    for method in [
        "refine:1,10%,-,-",
        "refine:2,15%,p,-",
        "refine:hpa",
        "refine:pra",
        "refine:1,-,-,-,search",
    ] {
        for more in ["", "--baked a.frozen"] {
            let line =
                format!("path open.map --from 1,30 --to 3,2 --method {method} {more} --json -");
            let found = room.done(&line).json();
            assert_eq!(
                (&found["found"], &found["over"]),
                (&true.into(), &"baked".into())
            );
            walk(&found, [1, 30, 0], [3, 2, 0]);
            let plan = found["abstract_path"].as_array().unwrap();
            assert!(plan.len() > 5, "{line}");
            assert_eq!(found["abstract_regions"], plan.len());
            assert!(found["abstract_length"].as_f64().unwrap() > 80.0, "{line}");
            let stats = &found["stats"];
            let sum = stats["regions"].as_u64().unwrap() + stats["cells"].as_u64().unwrap();
            assert!(stats["max_segment"].is_u64());
            assert_eq!(found["expansions"], sum);
        }
    }
    let text = room
        .done("path open.map --from 1,30 --to 3,2 --method refine:1,10%,-,-")
        .out;
    assert!(
        text.contains("regions") && text.contains("segments"),
        "{text}"
    );
}

#[test]
fn an_unreachable_goal_and_an_exhausted_budget_exit_with_1() {
    let room = room("frozen_none");
    let run = room.run("path shut.map --from 1,30 --to 3,2 --method refine:1,10%,-,- --json -");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let none = run.json();
    assert_eq!(
        (&none["found"], &none["length"]),
        (&false.into(), &Value::Null)
    );
    assert_eq!(none["outcome"], "different components");
    let line =
        "path open.map --from 1,30 --to 3,2 --method refine:1,-,-,-,search --budget 1 --json -";
    let run = room.run(line);
    let part = run.json();
    assert_eq!((run.code, &part["outcome"]), (1, &"out of budget".into()));
    assert_eq!(part["segments"].as_array().unwrap().len(), 1);
    assert_ne!(
        part["path"].as_array().unwrap().last(),
        Some(&serde_json::json!([3, 2, 0]))
    );
}

#[test]
fn refinement_runs_over_live_ground_with_floors() {
    let room = room("frozen_live");
    room.done("make building --seed 3 -o tower.world");
    let info = room.done("info tower.world --json -").json();
    assert!(info["height_bands"].as_u64().unwrap() > 1);
    // Two floors of a hall, with a ladder at the far end.
    let row = format!("|{}\n", ".".repeat(40));
    let floor = |z: i32| format!("layer 0 0 {z}\n{}", row.repeat(20));
    let world = format!(
        "wayfarer world 1\n{}{}passage ladder 38 10 0 to 38 10 9 cost 4\n",
        floor(0),
        floor(9)
    );
    room.write("hall.world", world);
    let line = "path hall.world --from 1,1,0 --to 2,18,9 --method refine:1,10%,-,- --png path.png --json -";
    let found = room.done(line).json();
    assert_eq!(
        (&found["found"], &found["over"]),
        (&true.into(), &"live".into())
    );
    walk(&found, [1, 1, 0], [2, 18, 9]);
    assert!(found["length"].as_f64().unwrap() > 70.0);
    assert!(room.read("path.png").starts_with(b"\x89PNG"));
}

#[test]
fn the_picture_shows_graph_abstract_path_corridor_and_segments() {
    let room = room("frozen_picture");
    let line = "path open.map --from 1,30 --to 3,2 --method refine:1,-,p,-";
    room.done(&format!("{line} --png path.svg"));
    let text = String::from_utf8(room.read("path.svg")).unwrap();
    for word in [
        "edge",
        "center",
        "abstract path",
        "odd segments",
        "even segments",
        "corridor",
    ] {
        assert!(text.contains(word), "no `{word}` in the legend");
    }
    room.done(&format!("{line} --png path.png --zoom 20"));
    room.done("path open.map --from 1,30 --to 3,2 --png plain.png --zoom 20");
    room.done(&format!("{line} --png path.txt"));
    let (path, plain) = (room.read("path.png"), room.read("plain.png"));
    let (path, plain) = (Pixels::of(&path), Pixels::of(&plain));
    // The south-east corner, far from the path, is in the corridor.
    assert_ne!(path.cell(62, 30), plain.cell(62, 30));
    let letters = String::from_utf8(room.read("path.txt")).unwrap();
    let found = room.done(&format!("{line} --json -")).json();
    let steps = found["steps"].as_u64().unwrap();
    assert_eq!(letters.matches('*').count() as u64, steps - 1);
}

//! Flights: results, pictures, benchmarks.

use crate::room::Room;

/// A wall at x = 6 of a box of 12 cubed, with a hole of one voxel in its far upper corner.
fn wall(with_hole: bool) -> String {
    let mut text = "voxel 12 12 12\n".to_owned();
    for z in 0..12 {
        for y in 0..12 {
            if !(with_hole && y == 11 && z == 11) {
                text.push_str(&format!("6 {y} {z}\n"));
            }
        }
    }
    text
}

#[test]
fn every_preset_finds_the_flight_through_the_hole() {
    let room = Room::new("flight_found");
    room.write("a.3dmap", wall(true));
    for preset in ["short", "balanced", "fast", "untuned", "voxel-astar"] {
        let line = format!("path a.3dmap --from 0,0,0 --to 11,0,0 --preset {preset} --json -");
        let found = room.done(&line).json();
        assert_eq!(found["found"], true);
        assert_eq!(found["preset"], preset);
        let waypoints = found["waypoints"].as_array().unwrap();
        assert_eq!(waypoints[0], serde_json::json!([0, 0, 0]));
        assert_eq!(
            waypoints[waypoints.len() - 1],
            serde_json::json!([11, 0, 0])
        );
        let length = found["length"].as_f64().unwrap();
        assert!((32.0..45.0).contains(&length), "{preset}: {length}");
        assert!(found["expansions"].as_u64().unwrap() > 0);
    }
    let run = room.done("path a.3dmap --from 0,0,0 --to 11,0,0 --png path.png --expanded");
    assert!(run.out.contains("before string pulling"), "{}", run.out);
    assert!(room.read("path.png").starts_with(b"\x89PNG"));
    let wide = room.run("path a.3dmap --from 3,3,3 --to 9,3,3 --radius 1.5");
    assert_eq!(wide.code, 1, "the hole is too narrow: {}", wide.out);
}

#[test]
fn a_closed_wall_exits_with_1_and_the_blocked_voxel() {
    let room = Room::new("flight_none");
    room.write("a.3dmap", wall(false));
    let run = room.run("path a.3dmap --from 0,5,5 --to 11,5,5");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert!(run.out.contains("blocked   6,5,5"), "{}", run.out);
    room.write("b.map", crate::room::map(&["..."]));
    for (line, word) in [
        (
            "path a.3dmap --from 0,5,5 --to 1,5,5 --method astar",
            "flights",
        ),
        (
            "path a.3dmap --from 0,5,5 --to 1,5,5 --max-step 3",
            "flights",
        ),
        (
            "path a.3dmap --from 0,5,5 --to 1,5,5 --to 2,5,5",
            "--to once",
        ),
        ("path b.map --from 0,0 --to 2,0 --preset fast", "--fly"),
    ] {
        let run = room.run(line);
        assert_eq!(run.code, 2, "{line}");
        assert!(run.err.contains(word), "{line}: {}", run.err);
    }
    let solid = room.run("path a.3dmap --from 6,5,5 --to 11,5,5");
    assert_eq!(solid.code, 2);
    assert!(
        solid.err.contains("--from 6,5,5") && solid.err.contains("solid"),
        "{}",
        solid.err
    );
}

#[cfg(feature = "bench")]
#[test]
fn problems_are_measured_together_with_their_air() {
    let room = Room::new("flight_bench");
    room.write("a.3dmap", wall(true));
    let problem = "version 1\na.3dmap\n0 11 11 11 11 10 11.41421356 1.0\n";
    room.write("a.3dmap.3dscen", problem);
    let line = "bench air --map a.3dmap --preset balanced --preset voxel-astar --edits 20 --json -";
    let report = room.done(line).json();
    for key in [
        "queries",
        "wrong",
        "p50_us",
        "p99_us",
        "max_us",
        "mean_us",
        "expansions_mean",
        "build_ms",
        "memory_bytes",
    ] {
        assert!(report[key].is_number(), "{key}");
    }
    assert_eq!(
        (report["queries"].as_u64(), report["wrong"].as_u64()),
        (Some(1), Some(0))
    );
    assert!(report["length_ratio"]["mean"].as_f64().unwrap() <= 1.0);
    assert!(report["length_ratio"]["p99"].is_number());
    assert_eq!(report["presets"].as_array().unwrap().len(), 2);
    room.write("a.3dmap.3dscen", problem.replace("11.41", "12.41"));
    let run = room.run("bench air --map a.3dmap --preset voxel-astar --edits 20");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("its length is"), "{}", run.out);
}

#[cfg(feature = "bench")]
#[test]
fn presets_are_compared_and_wide_agents_checked() {
    let room = Room::new("flight_presets");
    room.write("a.3dmap", wall(true));
    let problem = "version 1\na.3dmap\n0 11 11 11 11 10 11.41421356 1.0\n0 1 1 2 3 3 3.46 1.0\n";
    room.write("other.3dscen", problem);
    let bench = "bench air --map a.3dmap --scen other.3dscen --edits 20 --runs 1";
    let run = room.done(&format!("{bench} --preset all"));
    for preset in ["short", "balanced", "fast", "untuned"] {
        // One row with times and lengths, one with the checks.
        let cell = format!(" {preset} |");
        let rows = run.out.lines().filter(|line| line.contains(&cell));
        assert_eq!(rows.count(), 2, "{preset}: {}", run.out);
    }
    assert!(run.out.contains("| flights checked |"), "{}", run.out);
    let report = room.done(&format!("{bench} --preset all --json -")).json();
    let presets = report["presets"].as_array().unwrap();
    assert_eq!(presets.len(), 4);
    for row in presets {
        assert_eq!(row["wrong"], 0, "{row}");
        assert!(row["raw_legs"].as_u64().unwrap() >= 2, "{row}");
        assert!(row["expansions_by_layer"].is_array(), "{row}");
    }
    // Too wide for the hole: one problem is unreachable, the other is solved.
    let report = room.done(&format!("{bench} --radius 1.5 --json -")).json();
    for (key, expected) in [("wrong", 0), ("no_room", 0), ("cut_off", 1), ("checked", 1)] {
        assert_eq!(report[key], expected, "{key}");
    }
    assert!(report["command"].as_str().unwrap().contains("--radius 1.5"));
}

#[cfg(feature = "bench")]
#[test]
fn mazes_are_flown_without_a_map() {
    let room = Room::new("flight_mazes");
    let report = room.done("bench air --mazes 2 --json -").json();
    assert_eq!(report["wrong_in_all"], 0);
    assert_eq!(report["mazes"][0]["walls"], 2);
    assert_eq!(report["mazes"][0]["wrong"], 0);
}

/// The wall is at x = 6; the search reaches it before it finds the hole.
#[test]
fn the_heat_map_covers_expanded_voxels_and_no_wall() {
    let room = Room::new("flight_heat");
    room.write("a.3dmap", wall(true));
    let render = "render a.3dmap --from 0,0,0 --to 11,0,0";
    let text = |name: &str| String::from_utf8(room.read(name)).unwrap();
    for preset in ["short", "balanced", "fast", "untuned", "voxel-astar"] {
        room.done(&format!(
            "{render} --preset {preset} --slice z=5 -o cut.txt"
        ));
        let cut = text("cut.txt");
        for row in cut.lines() {
            let wall = row.as_bytes()[6];
            assert!([b'O', b'*'].contains(&wall), "{preset}:\n{cut}");
        }
        let line = format!("{render} --preset {preset} --project z -o heat.txt --json -");
        let report = room.done(&line).json();
        assert_eq!(report["flight"]["found"], true);
        let hot = text("heat.txt").bytes().filter(u8::is_ascii_digit).count();
        assert!(hot > 10, "{preset}:\n{}", text("heat.txt"));
    }
    room.done(&format!("{render} --project y -o heat.png"));
    assert!(room.read("heat.png").starts_with(b"\x89PNG"));
    for (line, word) in [
        ("render a.3dmap -o b.png --from 0,0,0 --to 1,1,1", "--slice"),
        ("render a.3dmap -o b.png --project z --from 0,0,0", "--to"),
        (
            "render a.3dmap -o b.png --project z --from 0,0 --to 1,1",
            "x,y,z",
        ),
        (
            "render a.3dmap -o b.png --project z --from 6,0,0 --to 1,1,1",
            "solid",
        ),
    ] {
        let run = room.run(line);
        assert_eq!(run.code, 2, "{line}: {}", run.err);
        assert!(run.err.contains(word), "{line}: {}", run.err);
    }
}

#[test]
fn the_air_demo_repairs_the_flight() {
    let room = Room::new("flight_demo");
    let report = room.done("demo air -o field.png --json -").json();
    assert_eq!(report["searches"].as_array().unwrap().len(), 5);
    assert!(report["broken_leg"].is_number());
    let repaired = report["length_round"].as_f64().unwrap();
    let first = report["searches"][1]["length"].as_f64().unwrap();
    assert!(repaired >= first * 0.9, "{repaired} {first}");
    for picture in ["field.png", "field-after.png"] {
        assert!(room.read(picture).starts_with(b"\x89PNG"), "{picture}");
    }
}

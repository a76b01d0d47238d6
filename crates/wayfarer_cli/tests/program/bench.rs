//! `bench` and `soak`: tables, JSON, plots.

use crate::room::{Room, map};

fn room(name: &str) -> Room {
    let room = Room::new(name);
    room.write("a.map", map(&["....", ".@@.", "...."]));
    let problems = "0\ta.map\t4\t3\t0\t0\t3\t2\t5\n0\ta.map\t4\t3\t0\t0\t3\t0\t3\n";
    room.write("a.map.scen", format!("version 1\n{problems}"));
    room
}

#[test]
fn paths_are_measured_checked_and_plotted() {
    let room = room("bench_paths");
    let line =
        "bench paths --maps a.map --method grid-astar --method grid-dijkstra --runs 1 --no-pin";
    let run = room.done(&format!("{line} --by-map --plot times.svg --json out.json"));
    assert!(run.out.contains("grid-dijkstra"), "{}", run.out);
    assert!(room.read("times.svg").starts_with(b"<svg"));
    let report: serde_json::Value = serde_json::from_slice(&room.read("out.json")).unwrap();
    assert_eq!(
        (&report["queries"], &report["wrong"]),
        (&2.into(), &0.into())
    );
    assert_eq!(report["method"], "grid-astar");
    assert_eq!(report["engines"].as_array().unwrap().len(), 2);
    assert_eq!(report["machine"]["memory_counted"], true);
    assert!(report["calibration"].as_f64().unwrap() > 0.0);
    assert!(report["memory_bytes"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_wrong_result_exits_with_1() {
    let room = room("bench_wrong");
    // The file claims less than any path can have.
    room.write("a.map.scen", "version 1\n0\ta.map\t4\t3\t0\t0\t3\t2\t4\n");
    let run = room.run("bench paths --maps . --runs 1 --no-pin --json -");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert_eq!(run.json()["wrong"], 1);
}

#[test]
fn a_dynamic_map_is_measured_beside_the_dense_grid() {
    let room = Room::new("bench_dynamic");
    let head = "version 2\nheight 3\nwidth 3\ncost 1 octile\npatch a.patch\ncommands\n";
    let wall = "Q 0 0 0 2 0 2\nP 0 0 1 0\nQ 0 0 0 2 0 -1\nQ 0 1 0 2 0 -1\n";
    room.write("a.scen", format!("{head}{wall}"));
    room.write(
        "a.patch",
        "type patch\npatches 1\npatch 0\nheight 3\nwidth 1\nmap\n@\n@\n@\n",
    );
    let run = room.done("bench dynamic a.scen --runs 1 --no-pin --json out.json");
    assert!(run.out.contains("change us"), "{}", run.out);
    let report: serde_json::Value = serde_json::from_slice(&room.read("out.json")).unwrap();
    assert_eq!(
        (&report["queries"], &report["wrong"], &report["batches"]),
        (&3.into(), &0.into(), &1.into())
    );
    assert!(report["change_us"]["max"].as_f64().unwrap() > 0.0);
    assert_eq!(report["engines"][1]["engine"], "grid-astar");
    room.write("a.scen", format!("{head}Q 0 0 0 2 0 1\n"));
    let run = room.run("bench dynamic a.scen --runs 1 --no-pin");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    room.write("a.scen", head.replace("version 2", "version 1"));
    let run = room.run("bench dynamic a.scen");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a.scen: line 1"), "{}", run.err);
}

#[test]
fn the_memory_of_the_ground_equals_the_count_of_the_allocator() {
    let room = Room::new("bench_ground");
    let row = ".".repeat(110);
    room.write("a.map", map(&[row.as_str(); 40]));
    let run = room.done("bench ground --maps . --no-pin --json out.json");
    assert!(run.out.contains("memory, bytes"), "{}", run.out);
    let report: serde_json::Value = serde_json::from_slice(&room.read("out.json")).unwrap();
    assert_eq!(report["machine"]["memory_counted"], true);
    assert_eq!(
        (&report["n_maps"], &report["wrong"]),
        (&1.into(), &0.into())
    );
    assert!(report["memory_bytes"]["max"].as_f64().unwrap() > 0.0);
    let run = room.run("bench ground --maps nowhere");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("nowhere: "), "{}", run.err);
}

#[test]
fn worst_case_edits_are_measured() {
    let room = Room::new("bench_worst_case");
    let run = room.done("bench worst-case --side 40 --walls 64 --no-pin --json -");
    assert_eq!(run.json()["wrong"], 0);
    assert_eq!(run.json()["walls"][0]["parted"], 1);
}

#[test]
fn terrain_costs_are_measured() {
    let room = Room::new("bench_terrain_costs");
    room.write("a.map", map(&[".....", ".@@@.", "....."]));
    let scen = "version 1\n0 a.map 5 3 0 0 4 2 6\n0 a.map 5 3 0 2 4 2 4\n";
    room.write("a.map.scen", scen);
    let all = "--kind patches,noise,roads,random,one --share 5,100";
    let run = room.done(&format!(
        "bench terrain-costs --maps . {all} --runs 1 --no-pin --json -"
    ));
    assert_eq!(run.json()["wrong"], 0);
    assert_eq!(run.json()["mean_us"], serde_json::Value::Null);
    let rows = run.json()["rows"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 20);
    assert_eq!(rows[19]["kind"], "one");
    assert_eq!(rows[19]["engine"], "optimal");
    let run = room.done("bench terrain-costs --maps . --share 30 --runs 1 --no-pin --json -");
    assert_eq!(run.json()["cost_ratio"]["max"], 1.0);
    for key in ["mean_us", "p99_us", "cold_first_us", "bytes_per_cell"] {
        assert!(run.json()[key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert_eq!(room.run("bench terrain-costs --maps nowhere").code, 2);
}

#[test]
fn unreachable_goals_are_measured() {
    let room = Room::new("bench_reachability");
    room.write("a.map", map(&["..@..", "..@..", "..@.."]));
    let run = room.done("bench reachability --maps . --subscriptions 5 --cuts 2 --no-pin --json -");
    assert_eq!(run.json()["wrong"], 0);
    assert_eq!(run.json()["unreachable_expansions"], 0);
    assert!(run.json()["nearest_us"]["max"].as_f64().unwrap() > 0.0);
    let run = room.run("bench reachability --maps nowhere");
    assert_eq!(run.code, 2);
}

#[test]
fn a_soak_reports_its_counts() {
    let room = Room::new("soak");
    let run = room.done("soak ground --minutes 0.001 --seed 3 --json -");
    assert!(run.json()["comparisons"].as_u64().unwrap() > 0);
    assert_eq!(run.json()["schema"], "wayfarer/soak-ground/2");
    assert!(run.json()["cases"].as_u64().unwrap() > 0);
    assert_eq!(run.json()["wrong"], serde_json::Value::Null);
    room.write("w.world", "wayfarer world 1\nlayer 0 0 0\n|...\n");
    room.write("s.edits", "wayfarer edits 1\nbatch\nremove cell 1 0 0\n");
    let run = room.done("soak ground --replay s.edits --world w.world");
    assert_eq!(run.out, "1 batches, no difference\n");
}

#[test]
fn bodies_and_the_battlefield_are_measured() {
    let room = Room::new("bench_bodies");
    let run = room.done("bench battlefield --json -");
    assert!(run.out.contains("\"tests_per_object\""), "{}", run.out);
    assert_eq!(run.json()["wrong"], 0);
    let run = room.run("bench bodies --count 0");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is not in 1..=4000000"), "{}", run.err);
}

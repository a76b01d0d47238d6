//! The measuring frame answers through the program: a table, JSON, a plot.

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
    let line = "bench paths --maps a.map --method dense --method dense-dijkstra --runs 1 --no-pin";
    let run = room.done(&format!("{line} --by-map --plot times.svg --json out.json"));
    assert!(run.out.contains("dense-dijkstra"), "{}", run.out);
    assert!(room.read("times.svg").starts_with(b"<svg"));
    let report: serde_json::Value = serde_json::from_slice(&room.read("out.json")).unwrap();
    assert_eq!(
        (&report["queries"], &report["wrong"]),
        (&2.into(), &0.into())
    );
    assert_eq!(report["method"], "dense");
    assert_eq!(report["engines"].as_array().unwrap().len(), 2);
    assert_eq!(report["machine"]["memory_counted"], true);
    assert!(report["calibration"].as_f64().unwrap() > 0.0);
    assert!(report["memory_bytes"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_wrong_answer_exits_with_1() {
    let room = room("bench_wrong");
    // The file claims less than any path can have.
    room.write("a.map.scen", "version 1\n0\ta.map\t4\t3\t0\t0\t3\t2\t4\n");
    let run = room.run("bench paths --maps . --runs 1 --no-pin --json -");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert_eq!(run.json()["wrong"], 1);
}

#[test]
fn a_map_that_changes_is_measured_beside_the_dense_search() {
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
    assert_eq!(report["engines"][1]["engine"], "dense");
    room.write("a.scen", format!("{head}Q 0 0 0 2 0 1\n"));
    let run = room.run("bench dynamic a.scen --runs 1 --no-pin");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    room.write("a.scen", head.replace("version 2", "version 1"));
    let run = room.run("bench dynamic a.scen");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a.scen: line 1"), "{}", run.err);
}

#[test]
fn the_ground_is_measured_and_its_memory_is_what_the_allocator_counted() {
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
fn nasty_worlds_are_measured() {
    let room = Room::new("bench_nasty");
    let run = room.done("bench nasty --side 40 --walls 64 --no-pin --json -");
    assert_eq!(run.json()["wrong"], 0);
    assert_eq!(run.json()["walls"][0]["parted"], 1);
}

#[test]
fn dear_ground_is_measured() {
    let room = Room::new("bench_prices");
    room.write("a.map", map(&[".....", ".@@@.", "....."]));
    let scen = "version 1\n0 a.map 5 3 0 0 4 2 6\n0 a.map 5 3 0 2 4 2 4\n";
    room.write("a.map.scen", scen);
    let run = room.done("bench prices --maps . --runs 1 --no-pin --json -");
    assert_eq!(run.json()["wrong"], 0);
    assert_eq!(run.json()["rows"][0]["dear_percent"], 0.0);
    assert_eq!(run.json()["rows"][7]["dear_percent"], 100.0);
    assert_eq!(room.run("bench prices --maps nowhere").code, 2);
}

#[test]
fn questions_without_a_way_are_measured() {
    let room = Room::new("bench_questions");
    room.write("a.map", map(&["..@..", "..@..", "..@.."]));
    let run = room.done("bench questions --maps . --watched 5 --cuts 2 --no-pin --json -");
    assert_eq!(run.json()["wrong"], 0);
    assert_eq!(run.json()["verdict_expansions"], 0);
    assert!(run.json()["nearest_us"]["max"].as_f64().unwrap() > 0.0);
    let run = room.run("bench questions --maps nowhere");
    assert_eq!(run.code, 2);
}

#[test]
fn a_soak_tells_what_it_lived_through() {
    let room = Room::new("soak");
    let run = room.done("soak ground --minutes 0.001 --seed 3 --json -");
    assert!(run.json()["comparisons"].as_u64().unwrap() > 0);
    assert_eq!(run.json()["wrong"], serde_json::Value::Null);
    room.write("w.world", "wayfarer world 1\nlayer 0 0 0\n|...\n");
    room.write("s.edits", "wayfarer edits 1\nbatch\nremove cell 1 0 0\n");
    let run = room.done("soak ground --replay s.edits --world w.world");
    assert_eq!(run.out, "1 batches, no difference\n");
}

#[test]
fn objects_and_the_battlefield_are_measured() {
    let room = Room::new("bench_objects");
    let run = room.done("bench battlefield --json -");
    assert!(run.out.contains("\"tests_per_object\""), "{}", run.out);
    assert_eq!(run.json()["wrong"], 0);
    let run = room.run("bench objects --count 0");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("expected 1 to"), "{}", run.err);
}

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

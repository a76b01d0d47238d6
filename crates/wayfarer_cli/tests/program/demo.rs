//! `demo`: the castle, and one domain each with a path that is invalidated and repaired.

use crate::room::Room;

#[test]
fn the_castle_is_simulated_and_drawn_deterministically() {
    let room = Room::new("demo_castle");
    let run = room.done("demo --ticks 240 --agents 60");
    for word in [
        "ground path",
        "flight",
        "multimodal path",
        "path status",
        "sensor update",
        "0 agents inside walls",
        "out/demo.png",
    ] {
        assert!(run.out.contains(word), "no `{word}` in\n{}", run.out);
    }
    assert!(room.read("out/demo.png").starts_with(b"\x89PNG"));
    let saved = room.done("info out/demo.wayfarer --json -").json();
    assert_eq!(saved["saved"]["bodies"], 60);
    let simulate = |file: &str| {
        room.done(&format!("demo --ticks 240 --agents 60 -o {file} --json -"))
            .json()
    };
    let (one, other) = (simulate("a.svg"), simulate("b.svg"));
    assert_eq!(one["schema"], "wayfarer/demo/2");
    for key in ["queries", "repaired", "sensor_events"] {
        assert!(one["tally"][key].is_u64(), "{key}");
    }
    assert_eq!(one["digest"], other["digest"]);
    assert_eq!(one["tally"], other["tally"]);
    assert_eq!(one["tally"]["inside_walls"], 0);
    assert_eq!(room.read("a.svg"), room.read("b.svg"));
    let rejected = room.run("demo castle -o castle.txt");
    assert_eq!(rejected.code, 2);
    assert!(rejected.err.contains(".png or .svg"), "{}", rejected.err);
}

#[test]
fn the_ground_demo_prints_a_table_and_writes_pictures() {
    let room = Room::new("demo");
    let run = room.done("demo ground");
    for word in [
        "A*",
        "Dijkstra",
        "bounded",
        "expanded",
        "out/demo.png",
        "invalid from leg",
    ] {
        assert!(run.out.contains(word), "no `{word}` in\n{}", run.out);
    }
    for picture in ["out/demo.png", "out/demo-after.png"] {
        assert!(room.read(picture).starts_with(b"\x89PNG"), "{picture}");
    }
}

#[test]
fn the_ground_demo_runs_for_every_seed() {
    let room = Room::new("demo_seeds");
    for seed in [0, 1, 2, 3, 7, 99, 12345, u64::MAX] {
        let report = room
            .done(&format!("demo ground --seed {seed} -o path.txt --json -"))
            .json();
        let searches = report["searches"].as_array().unwrap();
        assert_eq!(searches[0]["length"], searches[1]["length"], "seed {seed}");
        let [optimal, bounded] = [0, 2].map(|at| searches[at]["length"].as_f64().unwrap());
        assert!(
            optimal <= bounded && bounded <= 1.1 * optimal,
            "seed {seed}"
        );
        assert!(report["broken_leg"].is_u64(), "seed {seed}: {report}");
        if let Some(detour) = report["length_round"].as_f64() {
            assert!(
                detour >= searches[0]["length"].as_f64().unwrap(),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn the_planar_demo_finds_repairs_and_draws_a_path() {
    let room = Room::new("demo_planar");
    let report = room.done("demo planar -o path.png --json -").json();
    let searches = report["searches"].as_array().unwrap();
    assert_eq!(searches.len(), 2);
    assert_eq!(searches[0]["quads"], 0);
    assert!(searches[1]["quads"].as_u64().unwrap() > 100, "{report}");
    assert!(report["broken_by"].is_u64(), "{report}");
    for picture in ["path.png", "path-after.png"] {
        assert!(room.read(picture).starts_with(b"\x89PNG"), "{picture}");
    }
}

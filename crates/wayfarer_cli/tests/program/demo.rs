//! The demo plays in a castle; those of single parts show a way, break it, and draw both.

use crate::room::Room;

#[test]
fn the_castle_is_played_told_and_drawn_and_every_time_the_same() {
    let room = Room::new("demo_keep");
    let run = room.done("demo --ticks 240 --agents 60");
    for word in [
        "path on foot",
        "path in the air",
        "path walked and flown",
        "does a path hold",
        "all sensors look",
        "0 agents inside walls",
        "out/demo.png",
    ] {
        assert!(run.out.contains(word), "no `{word}` in\n{}", run.out);
    }
    assert!(room.read("out/demo.png").starts_with(b"\x89PNG"));
    let saved = room.done("info out/demo.wayfarer --json -").json();
    assert_eq!(saved["saved"]["objects"], 60);
    let play = |file: &str| {
        room.done(&format!("demo --ticks 240 --agents 60 -o {file} --json -"))
            .json()
    };
    let (one, other) = (play("a.svg"), play("b.svg"));
    assert_eq!(one["digest"], other["digest"]);
    assert_eq!(one["tally"], other["tally"]);
    assert_eq!(one["tally"]["inside_walls"], 0);
    assert_eq!(room.read("a.svg"), room.read("b.svg"));
    let refused = room.run("demo -o castle.txt");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains(".png or .svg"), "{}", refused.err);
}

#[test]
fn the_demo_finds_a_way_prints_a_table_and_writes_pictures() {
    let room = Room::new("demo");
    let run = room.done("demo ground");
    for word in [
        "A*",
        "Dijkstra",
        "default",
        "expanded",
        "out/demo.png",
        "broken at leg",
    ] {
        assert!(run.out.contains(word), "no `{word}` in\n{}", run.out);
    }
    for picture in ["out/demo.png", "out/demo-after.png"] {
        assert!(room.read(picture).starts_with(b"\x89PNG"), "{picture}");
    }
}

#[test]
fn the_demo_tells_the_same_story_for_every_seed() {
    let room = Room::new("demo_seeds");
    for seed in [0, 1, 2, 3, 7, 99, 12345, u64::MAX] {
        let report = room
            .done(&format!("demo ground --seed {seed} -o way.txt --json -"))
            .json();
        let searches = report["searches"].as_array().unwrap();
        assert_eq!(searches[0]["length"], searches[1]["length"], "seed {seed}");
        let [exact, default] = [0, 2].map(|at| searches[at]["length"].as_f64().unwrap());
        assert!(exact <= default && default <= 1.1 * exact, "seed {seed}");
        assert!(report["broken_leg"].is_u64(), "seed {seed}: {report}");
        if let Some(round) = report["length_round"].as_f64() {
            assert!(
                round >= searches[0]["length"].as_f64().unwrap(),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn the_demo_of_the_field_finds_mends_and_draws_a_way() {
    let room = Room::new("demo_field");
    let report = room.done("demo field -o way.png --json -").json();
    let searches = report["searches"].as_array().unwrap();
    assert_eq!(searches.len(), 2);
    assert_eq!(searches[0]["spaces"], 0);
    assert!(searches[1]["spaces"].as_u64().unwrap() > 100, "{report}");
    assert!(report["broken_by"].is_u64(), "{report}");
    for picture in ["way.png", "way-after.png"] {
        assert!(room.read(picture).starts_with(b"\x89PNG"), "{picture}");
    }
}

//! `path` on the ground: results, pictures, unreachable goals.

use crate::room::{Room, map};

fn room(name: &str) -> Room {
    let room = Room::new(name);
    room.write(
        "a.map",
        map(&["......", ".@@@@.", ".@..@.", ".@@@@.", "......"]),
    );
    room
}

#[test]
fn every_method_finds_the_path_with_its_length_and_cells() {
    let room = room("path_found");
    for method in ["bounded", "optimal", "jps", "astar", "dijkstra"] {
        let line = format!("path a.map --from 0,0 --to 5,4 --method {method} --json -");
        let found = room.done(&line).json();
        assert_eq!(found["command"], "path");
        assert_eq!(found["schema"], "wayfarer/path/2");
        assert_eq!(found["found"], true);
        assert_eq!(found["method"], method);
        // Around the walls no corner can be cut: nine straight steps.
        assert_eq!(found["length"], 9.0);
        assert_eq!(found["steps"], 9);
        assert!(found["suboptimality_bound"].as_f64().unwrap() <= 1.1);
        assert!(method == "bounded" || found["suboptimality_bound"] == 1.0);
        let path = found["path"].as_array().unwrap();
        assert_eq!(path.len(), 10);
        assert_eq!(path[0], serde_json::json!([0, 0, 0]));
        assert_eq!(path[9], serde_json::json!([5, 4, 0]));
        assert!(found["expansions"].as_u64().unwrap() > 0);
    }
    let text = room.done("path a.map --from 0,0 --to 5,4").out;
    assert!(text.contains("9.000 cells, 9 steps"), "{text}");
}

#[test]
fn an_unreachable_goal_exits_with_1_and_a_picture() {
    let room = room("path_none");
    let run = room.run("path a.map --from 0,0 --to 2,2 --png none.png --json none.json");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert!(run.out.contains("no path"), "{}", run.out);
    assert!(room.read("none.png").starts_with(b"\x89PNG"));
    let none: serde_json::Value = serde_json::from_slice(&room.read("none.json")).unwrap();
    assert_eq!(none["found"], false);
    assert_eq!(none["outcome"], "different components");
    assert_eq!(none["length"], serde_json::Value::Null);
    assert_eq!(none["expansions"], 0);
    // One cell of the ring would be enough: of two equally good ones the western.
    assert_eq!(
        none["cheapest_blocked_step"]["cell"],
        serde_json::json!([1, 2, 0])
    );
    assert_eq!(none["cheapest_blocked_step"]["length"], 4.0);
    let blocked =
        "blocked   from 0,2,0 to 1,2,0: there is no floor; if it were open, a path of 4.000";
    assert!(run.out.contains(blocked), "{}", run.out);
}

#[test]
fn an_exhausted_budget_gives_the_best_path_so_far() {
    let room = room("path_budget");
    let run = room.run("path a.map --from 0,0 --to 5,4 --budget 2 --method astar --json -");
    assert_eq!(run.code, 1);
    let found = run.json();
    assert_eq!(found["found"], false);
    assert_eq!(found["outcome"], "out of budget");
    assert_eq!(found["expansions"], 2);
}

#[test]
fn paths_use_the_coordinates_of_the_world() {
    let room = Room::new("path_offset");
    room.write("a.world", "wayfarer world 1\nlayer -3 10 4\n|....\n|.@@.\n");
    let found = room
        .done("path a.world --from -3,11 --to 0,11 --json -")
        .json();
    assert_eq!(found["length"], 5.0);
    assert_eq!(found["path"][0], serde_json::json!([-3, 11, 4]));
    assert_eq!(found["path"][5], serde_json::json!([0, 11, 4]));
    let rejected = room.run("path a.world --from -3,11,0 --to 0,11");
    assert_eq!(rejected.code, 2, "{}", rejected.out);
}

#[cfg(unix)]
#[test]
fn empty_space_between_two_cells_takes_no_memory() {
    let room = Room::new("path_far");
    let cells = "cell 0 0 0 ground\ncell 16000 16000 0 ground\n";
    room.write("far.world", format!("wayfarer world 1\n{cells}"));
    for (line, code) in [
        ("info far.world", 0),
        ("render far.world -o far.png", 0),
        (
            "path far.world --from 0,0 --to 16000,16000 --png path.png",
            1,
        ),
        (
            "path far.world --from 0,0 --to 16000,16000 --method astar",
            1,
        ),
        (
            "path far.world --from 0,0 --to 16000,16000 --method refine:1,10%,-,-",
            1,
        ),
        ("path far.world --from 0,0,1 --to 16000,16000,1 --fly", 0),
    ] {
        let run = room.run_within(200_000, line);
        assert_eq!((run.code, run.err.as_str()), (code, ""), "{line}");
        assert!(!run.out.contains("-0.0"), "{line}: {}", run.out);
    }
}

#[test]
fn a_path_is_drawn_as_text() {
    let room = room("path_letters");
    room.done("path a.map --from 0,0 --to 5,4 --png path.txt");
    let text = String::from_utf8(room.read("path.txt")).unwrap();
    let letters = |letter: char| text.chars().filter(|l| *l == letter).count();
    assert_eq!(
        (letters('A'), letters('B'), letters('*')),
        (1, 1, 8),
        "{text}"
    );
}

/// Two floors of five by three, a ladder between them, and a shut door across the upper one.
const HOUSE: &str = "wayfarer world 1
profile radius 0.5 height 2 climb 1 drop 1 keys 0
layer 0 0 0
|.....
|.....
|.....
layer 0 0 4
|.....
|.....
|.....
wall 2 0 4 east
wall 2 1 4 east
wall 2 2 4 east
passage ladder 0 0 0 to 0 0 4 cost 6
passage door 2 1 4 to 3 1 4 cost 1 locked 2
";

#[test]
fn paths_use_nav_links_between_floors() {
    let room = Room::new("path_floors");
    room.write("house.world", HOUSE);
    let find = |rest: &str| room.run(&format!("path house.world --from 2,2,0 {rest} --json -"));
    let up = find("--to 2,2,4").json();
    assert_eq!((&up["found"], &up["steps"]), (&true.into(), &5.into()));
    let kinds: Vec<&str> = up["legs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|leg| leg["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["walk", "ladder", "walk"]);
    // Without a key the door is reported.
    let shut = find("--to 4,1,4 --explain");
    assert_eq!(shut.code, 1);
    let shut = shut.json();
    assert_eq!(
        shut["cheapest_blocked_step"]["reason"],
        "the nav link is locked"
    );
    assert_eq!(shut["explain"]["unblock_options"][0]["what"], "door");
    assert_eq!(
        find("--to 4,1,4 --keys 2").json()["legs"][2]["kind"],
        "walk"
    );
    assert_eq!(find("--to 4,1,4 --keys 2").json()["found"], true);
    // Too tall for the lower floor.
    let tall = room.run("path house.world --from 2,2,0 --to 0,0,4 --headroom 5");
    assert_eq!(tall.code, 2);
    assert!(tall.err.contains("too little room"), "{}", tall.err);
    let which = room.run("path house.world --from 2,2 --to 0,0,4");
    assert_eq!(which.code, 2);
    assert!(
        which.err.contains("heights 0, 4: say which, as in 2,2,0"),
        "{}",
        which.err
    );
    // The cell right below is the nearest on the map.
    let near = find("--to 4,1,4 --partial euclidean");
    assert_eq!(
        (near.code, &near.json()["end"]),
        (1, &serde_json::json!([4, 1, 0]))
    );
    room.done("path house.world --from 2,2,0 --to 2,2,4 --expanded --png house.png");
    room.done("path house.world --from 2,2,0 --to 2,2,4 --png house.txt");
    let text = String::from_utf8(room.read("house.txt")).unwrap();
    assert!(text.contains("floor 2") && text.contains('B'), "{text}");
}

#[test]
fn every_option_constrains_the_path() {
    let room = Room::new("path_wishes");
    // North of the wall it is 4 longer than south of it.
    room.write(
        "a.map",
        map(&[
            ".........",
            ".........",
            "..@@@@@..",
            "..@@@@@..",
            ".........",
            "....S....",
        ]),
    );
    let find = |rest: &str| {
        room.run(&format!("path a.map --from 0,4 {rest} --json -"))
            .json()
    };
    let length = |rest: &str| find(rest)["length"].as_f64().unwrap();
    assert!((length("--to 8,4") - 8.0).abs() < 1e-6);
    assert!((length("--to 8,4 --to 2,4 --to 0,0") - 2.0).abs() < 1e-6);
    assert!((length("--to-area 6,0:8,5") - 6.0).abs() < 1e-6);
    assert!((length("--to 8,4 --within 3") - 5.0).abs() < 1e-6);
    assert!((length("--to 8,0 --line-of-sight 20") - 2.0 * 2f64.sqrt()).abs() < 3.0);
    assert!(length("--to 8,4 --avoid 4,4:4,5") > 8.5);
    let costly = find("--to 8,4 --area-cost 3,4@1=2");
    assert!(costly["cost"].as_f64().unwrap() > costly["length"].as_f64().unwrap());
    assert_eq!(
        find("--to 4,5 --terrains ground --partial octile")["outcome"],
        "goal blocked"
    );
    assert_eq!(
        find("--to 8,4 --terrain-cost swamp=3")["profile"]["radius"],
        0.5
    );
    let around = find("--to 8,4 --avoid 4,4:4,5");
    assert!(
        around["smoothed_length"].as_f64().unwrap() > 8.5,
        "string pulling avoids it, too"
    );
    // Wider than a cell: clear of the walls and of the border.
    let wide = room
        .run("path a.map --from 1,1 --to 7,1 --radius 0.7 --json -")
        .json();
    assert_eq!(
        (&wide["found"], &wide["profile"]["radius"]),
        (&false.into(), &0.69921875.into())
    );
    let free = find("--to 8,1 --method any-angle");
    assert!(free["length"].as_f64().unwrap() < length("--to 8,1"));
    assert_eq!(free["path"], serde_json::json!([]));
    let far = find("--to 8,1 --method hierarchical");
    assert_eq!(
        (&far["method"], &far["found"]),
        (&"hierarchical".into(), &true.into())
    );
    assert!(far["length"].as_f64().unwrap() >= length("--to 8,1"));
    assert_eq!(
        far["path"].as_array().unwrap().last(),
        Some(&serde_json::json!([8, 1, 0]))
    );
    // A previous path is kept while it is not much costlier; both schemas are read.
    room.run("path a.map --from 0,4 --to 8,4 --avoid 0,5:8,5 --area-cost 4,4@1=9 --json old.json");
    room.run("path a.map --from 0,4 --to 8,4 --avoid 2,4:6,5 --json old.json");
    let old: serde_json::Value = serde_json::from_slice(&room.read("old.json")).unwrap();
    let kept = find("--to 8,4 --previous old.json --tolerance 80");
    assert_eq!(kept["path"], old["path"]);
    let path = &old["path"];
    room.write(
        "v1.json",
        format!("{{\"schema\": \"wayfarer/path/1\", \"path\": {path}}}"),
    );
    let kept = find("--to 8,4 --previous v1.json --tolerance 80");
    assert_eq!(kept["path"], old["path"]);
    let left = find("--to 8,4 --previous old.json --tolerance 5");
    assert_ne!(left["path"], old["path"]);
    assert_eq!(find("--to 8,0 --memory 10")["outcome"], "out of budget");
}

#[test]
fn heights_and_meshes_are_ground() {
    let room = Room::new("path_heights");
    // A slope of one step a cell, and a cliff of five.
    room.write("land.raw", [0, 1, 2, 7, 0, 1, 2, 3, 0, 1, 2, 3]);
    let up = room
        .done("path land.raw --raw 4x3:u8 --from 0,0 --to 3,1 --json -")
        .json();
    assert_eq!(
        (&up["to"], &up["found"]),
        (&serde_json::json!([3, 1, 3]), &true.into())
    );
    let cliff = room.run("path land.raw --raw 4x3:u8 --from 0,0 --to 3,0 --explain");
    assert_eq!(cliff.code, 1);
    assert!(cliff.out.contains("too high a step up"), "{}", cliff.out);
    let able =
        room.done("path land.raw --raw 4x3:u8 --from 0,0 --to 3,0 --max-step 5 --png land.png");
    assert!(able.out.contains("3.000 cells, 3 steps"), "{}", able.out);
    room.write(
        "ramp.obj",
        "v 0 0 0\nv 8 0 0\nv 8 4 8\nv 0 4 8\nf 1 3 2\nf 1 4 3\n",
    );
    let ramp = room
        .done("path ramp.obj --from 1,1 --to 6,6 --png ramp.png --json -")
        .json();
    assert_eq!(ramp["found"], true);
    assert!(room.read("ramp.png").starts_with(b"\x89PNG"));
}

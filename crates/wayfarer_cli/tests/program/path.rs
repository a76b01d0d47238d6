//! Ways are found, told, drawn, or rightly not found.

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
fn a_way_is_found_with_its_length_and_every_cell() {
    let room = room("path_found");
    for method in ["plain", "astar", "dijkstra"] {
        let line = format!("path a.map --from 0,0 --to 5,4 --method {method} --json -");
        let found = room.done(&line).json();
        assert_eq!(found["command"], "path");
        assert_eq!(found["found"], true);
        assert_eq!(found["method"], method);
        // Around the walls no corner can be cut: nine straight steps.
        assert_eq!(found["length"], 9.0);
        assert_eq!(found["steps"], 9);
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
fn no_way_is_an_answer_with_exit_code_1_and_a_picture() {
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
    // One cell of the ring would be enough: of two equally good ones the northern.
    assert_eq!(none["opener"]["cell"], serde_json::json!([2, 1, 0]));
    assert_eq!(none["opener"]["length"], 4.0);
    assert!(run.out.contains("opener    2,1"), "{}", run.out);
}

#[test]
fn a_budget_that_is_too_small_gives_the_best_so_far() {
    let room = room("path_budget");
    let run = room.run("path a.map --from 0,0 --to 5,4 --budget 2 --json -");
    assert_eq!(run.code, 1);
    let found = run.json();
    assert_eq!(found["found"], false);
    assert_eq!(found["outcome"], "out of budget");
    assert_eq!(found["expansions"], 2);
}

#[test]
fn a_world_that_begins_elsewhere_is_walked_in_its_own_coordinates() {
    let room = Room::new("path_offset");
    room.write("a.world", "wayfarer world 1\nlayer -3 10 4\n|....\n|.@@.\n");
    let found = room
        .done("path a.world --from -3,11 --to 0,11 --json -")
        .json();
    assert_eq!(found["length"], 5.0);
    assert_eq!(found["path"][0], serde_json::json!([-3, 11, 4]));
    assert_eq!(found["path"][5], serde_json::json!([0, 11, 4]));
    let refused = room.run("path a.world --from -3,11,0 --to 0,11");
    assert_eq!(refused.code, 2, "{}", refused.out);
}

#[test]
fn the_way_is_drawn_with_letters_as_well() {
    let room = room("path_letters");
    room.done("path a.map --from 0,0 --to 5,4 --png way.txt");
    let text = String::from_utf8(room.read("way.txt")).unwrap();
    let letters = |letter: char| text.chars().filter(|l| *l == letter).count();
    assert_eq!(
        (letters('A'), letters('B'), letters('*')),
        (1, 1, 8),
        "{text}"
    );
}

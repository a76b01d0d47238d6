//! `replay`: generated edit traces, wrong expectations, dynamic scenarios.

use crate::room::{Room, map};

#[test]
fn a_generated_trace_and_generated_problems_match() {
    let room = Room::new("edits_made");
    let line = "make caves --size 60x50 --seed 4 -o a.map --scenario a.map.scen --problems 50";
    room.done(&format!(
        "{line} --edits a.edits --trace build --batches 40"
    ));
    let report = room.done("replay a.edits --world a.map --json -").json();
    assert_eq!(report["command"], "replay");
    assert_eq!(report["schema"], "wayfarer/replay/2");
    assert_eq!(report["batches"], 40);
    assert_eq!(
        (&report["wrong"], &report["problems"]),
        (&0.into(), &report["matched"])
    );
    let report = room.done("check a.map a.map.scen --json -").json();
    assert_eq!(
        (&report["problems"], &report["matched"]),
        (&50.into(), &50.into())
    );
    let text = room.done("replay a.edits --world a.map").out;
    assert!(text.contains("valid paths"), "{text}");
}

#[test]
fn a_generated_trace_states_every_result_and_a_wrong_one_is_found() {
    let room = Room::new("edits_answers");
    room.done("make caves --size 60x50 --seed 4 -o a.map --edits a.edits --batches 30");
    let line = "make building --size 40x40 -o b.world --edits b.edits --trace doors --batches 20";
    room.done(line);
    for (trace, world) in [("a.edits", "a.map"), ("b.edits", "b.world")] {
        let text = String::from_utf8(room.read(trace)).unwrap();
        assert!(!text.contains("unknown"), "{text}");
        let line = format!("replay {trace} --world {world} --json -");
        let report = room.done(&line).json();
        assert_eq!(report["matched"], report["problems"], "{trace}");
        assert_eq!(
            (&report["unknown"], &report["wrong"]),
            (&0.into(), &0.into())
        );
        let (before, after) = text.split_once(" length ").unwrap();
        room.write(trace, format!("{before} length 1{after}"));
        assert_eq!(room.run(&line).code, 1, "{trace}");
    }
}

#[test]
fn results_without_expectation_are_counted_separately() {
    let room = Room::new("edits_unknown");
    let world = "layer 0 0 0\n|...\n";
    room.write("flat.map", map(&["..."]));
    room.write(
        "steps.world",
        format!("wayfarer world 1\n{world}cell 0 0 9 ground\n"),
    );
    let queries = "query 0 0 0 to 2 0 0 unknown\nquery 0 0 0 to 1 0 0 length 1\n";
    room.write("a.edits", format!("wayfarer edits 1\n{queries}"));
    for world in ["flat.map", "steps.world"] {
        let report = room
            .done(&format!("replay a.edits --world {world} --json -"))
            .json();
        let counts = ["problems", "matched", "unknown", "wrong"].map(|key| report[key].as_u64());
        assert_eq!(counts, [2, 1, 1, 0].map(Some), "{world}");
        let text = room.done(&format!("replay a.edits --world {world}")).out;
        assert!(text.contains("unknown"), "{text}");
    }
}

#[test]
fn a_dynamic_scenario_needs_no_world() {
    let room = Room::new("edits_dynamic");
    let head = "version 2\nheight 3\nwidth 3\ncost 1 octile\npatch far/away/a.patch\ncommands\n";
    let wall = "Q 0 0 0 2 0 2\nP 0 0 1 0\nQ 0 0 0 2 0 -1\nQ 0 1 0 2 0 -1\n";
    room.write("a.scen", format!("{head}{wall}"));
    room.write(
        "a.patch",
        "type patch\npatches 1\npatch 0\nheight 3\nwidth 1\nmap\n@\n@\n@\n",
    );
    let report = room.done("replay a.scen --json -").json();
    assert_eq!(
        (&report["matched"], &report["unreachable"]),
        (&3.into(), &2.into())
    );
    assert_eq!(report["statuses"]["invalid"], 1);
    room.write(
        "b.scen",
        format!("{head}P 0 0 1 0\nQ 0 0 0 2 0 2\n").replace("a.patch", "b.patch"),
    );
    room.write("b.patch", room.read("a.patch"));
    let wrong = room.run("replay b.scen");
    assert_eq!((wrong.code, wrong.err.as_str()), (1, ""));
    assert!(wrong.out.contains("wrong: step 1"), "{}", wrong.out);
}

#[test]
fn an_inapplicable_trace_is_rejected() {
    let room = Room::new("edits_refused");
    room.write("a.map", map(&["..", ".."]));
    room.done("make caves --size 40 -o big.map --edits big.edits");
    room.write(
        "a.scen",
        "version 2\nheight 1\nwidth 1\ncost 1 octile\npatch no.patch\ncommands\n",
    );
    for (line, word) in [
        ("replay big.edits", "--world"),
        ("replay big.edits --world a.map", "step"),
        ("replay a.map", "found map"),
        ("replay a.scen", "no.patch"),
        ("replay a.scen --world a.map", "its own world"),
        ("make building -o k.world --scenario k.scen", "flat"),
        ("make caves -o k.map --edits k.edits --trace doors", "doors"),
        ("make caves -o k.map --edits k.edits --trace war", "war"),
        ("make caves -o k.map --trace dig", "--edits"),
    ] {
        let before = room.files();
        let run = room.run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}");
        assert!(
            run.err.contains(word) && run.err.lines().count() == 1,
            "{line}: {}",
            run.err
        );
        assert_eq!(room.files(), before, "{line}");
    }
}

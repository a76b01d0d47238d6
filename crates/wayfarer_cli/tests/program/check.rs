//! `check`: right and wrong results, folders, samples, threads.

use crate::room::{Room, map};

const SCENARIO: &str = "\
version 1
0\ta.map\t4\t3\t0\t0\t3\t0\t3.00000
0\ta.map\t4\t3\t0\t0\t3\t2\t5.00000
0\ta.map\t4\t3\t1\t0\t1\t0\t0
0\ta.map\t4\t3\t0\t0\t0\t2\t2
";

fn room(name: &str) -> Room {
    let room = Room::new(name);
    room.write("a.map", map(&["....", ".@@.", "...."]));
    room.write("a.map.scen", SCENARIO);
    room
}

#[test]
fn right_results_are_counted_and_exit_with_0() {
    let room = room("check_right");
    for method in ["astar", "jps"] {
        let line = format!("check a.map a.map.scen --method {method} --json -");
        let report = room.done(&line).json();
        assert_eq!(report["schema"], "wayfarer/check/2");
        assert_eq!(report["method"], method);
        for (key, value) in [
            ("problems", 4),
            ("matched", 4),
            ("unreachable", 0),
            ("wrong", 0),
        ] {
            assert_eq!(report[key], value, "{key}");
            assert_eq!(report["maps"][0][key], value, "{key}");
        }
        assert_eq!(report["maps"][0]["map"], "a.map");
    }
}

#[test]
fn a_wrong_length_a_missing_path_and_a_phantom_path_exit_with_1() {
    let room = room("check_wrong");
    // Too long, too short, a goal behind walls, and a path where none should be.
    room.write("b.map", map(&[".@.", ".@."]));
    let cases = [
        (
            "a.map",
            "0\tx\t4\t3\t0\t0\t3\t2\t5.5",
            "found 5.00000, the file says 5.5",
        ),
        (
            "a.map",
            "0\tx\t4\t3\t0\t0\t3\t2\t4.4",
            "found 5.00000, the file says 4.4",
        ),
        (
            "b.map",
            "0\tx\t3\t2\t0\t0\t2\t1\t3",
            "found no path, the file says 3",
        ),
        (
            "a.map",
            "0\tx\t4\t3\t0\t0\t3\t2\t0",
            "the file says there is no path",
        ),
        ("a.map", "0\tx\t4\t3\t0\t0\t1\t1\t1", "is blocked"),
    ];
    for (map, problem, words) in cases {
        room.write("x.scen", format!("version 1\n{problem}\n"));
        let run = room.run(&format!("check {map} x.scen --json out.json"));
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{problem}");
        assert!(run.out.contains(words), "{problem}: {}", run.out);
        let report: serde_json::Value = serde_json::from_slice(&room.read("out.json")).unwrap();
        assert_eq!(
            (&report["wrong"], &report["matched"]),
            (&1.into(), &0.into())
        );
        let fault = &report["maps"][0]["faults"][0];
        assert!(fault["reason"].as_str().unwrap().contains(words), "{fault}");
    }
}

#[test]
fn a_goal_stated_unreachable_counts_as_matched_and_unreachable() {
    let room = room("check_unreachable");
    room.write("b.map", map(&[".@.", ".@."]));
    room.write("b.map.scen", "version 1\n0\tb\t3\t2\t0\t0\t2\t1\t0\n");
    let report = room.done("check --dir . --json -").json();
    assert_eq!(report["problems"], 5);
    assert_eq!(report["matched"], 5);
    assert_eq!(report["unreachable"], 1);
}

#[test]
fn folders_are_searched_recursively_and_maps_without_scenarios_skipped() {
    let room = room("check_folders");
    room.write("x/y/deep.map", map(&["..."]));
    room.write(
        "x/y/deep.map.scen",
        "version 1.0\r\n0\tdeep\t3\t1\t0\t0\t2\t0\t2\r\n",
    );
    room.write("x/lonely.map", map(&["..."]));
    let report = room.done("check --dir . --json -").json();
    let names: Vec<&str> = report["maps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["map"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a.map", "x/y/deep.map"]);
    assert_eq!(report["problems"], 5);
    let none = room.run("check --dir x/y/.. --sample 1");
    assert_eq!(none.code, 0, "{}", none.err);
}

#[test]
fn a_sample_takes_n_problems_of_each_map() {
    let room = room("check_sample");
    for (sample, problems) in [(1, 1), (3, 3), (4, 4), (900, 4)] {
        let line = format!("check --dir . --sample {sample} --json -");
        assert_eq!(room.done(&line).json()["problems"], problems);
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let room = Room::new("check_threads");
    for seed in 0..6 {
        room.done(&format!(
            "make caves --size 40x30 --seed {seed} -o {seed}.map"
        ));
        // Wrong on purpose here and there, so that the faults are compared as well.
        let problems: String = (0..40)
            .map(|n| {
                format!(
                    "0\tm\t40\t30\t{}\t{}\t{}\t{}\t7\n",
                    n % 40,
                    n % 30,
                    39 - n % 40,
                    12
                )
            })
            .collect();
        room.write(
            &format!("{seed}.map.scen"),
            format!("version 1\n{problems}"),
        );
    }
    let result = |threads: u32| {
        let run = room.run(&format!("check --dir . --threads {threads} --json -"));
        let mut report = run.json();
        let report = report.as_object_mut().unwrap();
        for changing in ["seconds", "threads", "machine"] {
            report.remove(changing);
        }
        for row in report["maps"].as_array_mut().unwrap() {
            row.as_object_mut().unwrap().remove("seconds");
        }
        (run.code, report.clone())
    };
    let alone = result(1);
    assert_eq!(alone.0, 1);
    assert_eq!(alone, result(4));
}

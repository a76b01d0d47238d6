//! `--help`: every command with examples, in today's names only.

use crate::room::Room;

const COMMANDS: [&str; 10] = [
    "demo", "make", "info", "render", "path", "check", "replay", "run", "bake", "tiles",
];

#[cfg(feature = "bench")]
const LABORATORY: [&str; 19] = [
    "bench",
    "soak",
    "soak ground",
    "bench paths",
    "bench dynamic",
    "bench replan",
    "bench terrain-costs",
    "bench abstraction",
    "bench ground",
    "bench planar",
    "bench worst-case",
    "bench bodies",
    "bench battlefield",
    "bench air",
    "bench reachability",
    "bench world",
    "bench scale",
    "bench journal",
    "bench streaming",
];
#[cfg(not(feature = "bench"))]
const LABORATORY: [&str; 0] = [];

/// Commands, options, methods and words of version 0.1 that no help may show.
const RETIRED: [&str; 41] = [
    "freeze",
    "wayfarer edits",
    "demo keep",
    "demo field",
    "demo objects",
    "bench cuts",
    "bench prices",
    "bench questions",
    "bench nasty",
    "bench field",
    "bench objects",
    "make keep",
    "--former",
    "--slack",
    "--if-no-way",
    "by-air",
    "--extra-price",
    "--terrain-price",
    "--in-sight",
    "--frozen",
    "--centres",
    "--storeys",
    "--story",
    "--felt",
    "--steepest",
    "--rivals",
    "--greed",
    "--cap ",
    "--views",
    "--neighbours",
    "--climb",
    "--drop",
    "--field",
    "--entities",
    "--watched",
    "--only-rival",
    "mm:",
    "dense-heap",
    " way ",
    "nobody",
    "somebody",
];

#[test]
fn the_help_names_every_command_and_the_exit_codes() {
    let room = Room::new("help");
    let help = room.done("--help").out;
    // Subcommands are listed by their own commands.
    let laboratory = LABORATORY.iter().filter(|command| !command.contains(' '));
    let expected = COMMANDS.iter().chain(laboratory);
    for word in expected.chain(&["Examples:", "Exit codes:"]) {
        assert!(help.contains(word), "no `{word}` in\n{help}");
    }
    let nothing = room.run("");
    assert_eq!(nothing.code, 2);
    assert!(nothing.err.contains("Examples:"), "{}", nothing.err);
    let version = room.done("--version").out;
    assert_eq!(
        version.trim(),
        concat!("wayfarer ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn every_command_teaches_with_examples_in_todays_names() {
    let room = Room::new("help_commands");
    for command in COMMANDS.iter().chain(&LABORATORY) {
        let help = room.done(&format!("{command} --help")).out;
        assert!(help.contains("Examples:"), "{command}\n{help}");
        let example = format!("  wayfarer {command}");
        assert!(help.contains(&example), "{command}\n{help}");
        assert!(!help.contains('\x1b'), "{command}: colors in a pipe");
        for word in RETIRED {
            assert!(!help.contains(word), "{command}: `{word}` in\n{help}");
        }
    }
    let generators = room.done("make --help").out;
    assert!(generators.contains("winding caves"), "{generators}");
}

#[cfg(not(feature = "bench"))]
#[test]
fn without_the_laboratory_bench_and_soak_are_unknown() {
    let room = Room::new("help_product");
    for command in ["bench paths", "soak"] {
        assert_eq!(room.run(command).code, 2, "{command}");
    }
}

#[cfg(unix)]
#[test]
fn help_into_a_closed_pipe_is_no_failure() {
    use std::process::{Command, Stdio};
    for word in ["--help", "make"] {
        // The reader is closed before the program writes.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_wayfarer"));
        command.args([word, "--help"]);
        let done = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), err.as_str()), (Some(0), ""), "{word}");
    }
}

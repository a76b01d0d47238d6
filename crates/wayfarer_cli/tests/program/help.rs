//! The help teaches: every command, every option, with examples that work.

use crate::room::Room;

const COMMANDS: [&str; 21] = [
    "demo",
    "make",
    "info",
    "render",
    "path",
    "check",
    "freeze",
    "bench",
    "soak",
    "bench paths",
    "bench dynamic",
    "bench cuts",
    "bench prices",
    "bench abstraction",
    "bench ground",
    "bench nasty",
    "bench objects",
    "bench battlefield",
    "bench questions",
    "soak ground",
    "edits",
];

#[test]
fn the_help_names_every_command_and_the_exit_codes() {
    let room = Room::new("help");
    let help = room.done("--help").out;
    for word in COMMANDS[..9]
        .iter()
        .copied()
        .chain(["Examples:", "Exit codes:"])
    {
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
fn every_command_teaches_with_examples() {
    let room = Room::new("help_commands");
    for command in COMMANDS {
        let help = room.done(&format!("{command} --help")).out;
        assert!(help.contains("Examples:"), "{command}\n{help}");
        let example = format!("  wayfarer {command}");
        assert!(help.contains(&example), "{command}\n{help}");
        assert!(!help.contains('\x1b'), "{command}: colours in a pipe");
    }
    let kinds = room.done("make --help").out;
    assert!(kinds.contains("winding caves in solid rock"), "{kinds}");
}

#[cfg(unix)]
#[test]
fn help_into_a_pipe_that_nobody_reads_is_no_fault() {
    use std::process::{Command, Stdio};
    for word in ["--help", "make"] {
        // The reader is gone before a word is said.
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

//! Checks of the workspace, the same locally and in CI: `cargo xtask test`.

mod baselines;
mod bevy;
mod cluster;
mod corpus;
mod counts;
mod examples;
mod fuzz;
mod golden;
mod page;
mod release;
mod run;
mod test;
mod tidy;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use run::say;

const HELP: &str = "\
Checks of the wayfarer workspace.

    cargo xtask test             runs every check, in two lanes; stops at the first fault
    cargo xtask test --core      leaves out front ends and the release digests
    cargo xtask test --list      lists the checks
    cargo xtask test --only NAME runs one check; may be repeated
    cargo xtask page             builds the page and serves it on http://127.0.0.1:4173
    cargo xtask tidy             static rules: layers, file lengths, dead links, vocabulary
    cargo xtask corpus           solves every benchmark problem; needs WAYFARER_DATA
    cargo xtask baselines        tests the adapters of other path finding crates; builds long
    cargo xtask bench-bevy       measures the plugin for Bevy against the library alone
    cargo xtask counts           counts the instructions of fixed operations under valgrind
    cargo xtask cluster          plays a cluster of real servers and kills its parts
    cargo xtask fuzz [TARGET…]   runs the fuzz targets, ten minutes each

Options of test
    --strict      a missing tool is a fault; otherwise its check is skipped

Options of page
    --build       leaves static files in target/page
    --pictures    makes the pictures of README.md, in docs/pictures

Options of counts
    --save FILE     writes the counts, one operation per line
    --against FILE  compares with such a file; a difference over 3 % is a fault

Options of bench-bevy
    --units N     units of the game
    --ticks N     ticks of the game

Options of cluster
    --seconds N   how long; 30 if not given
    --seed N      of edits, queries and faults

Options of fuzz
    --quick       a minute each
    --seconds N   N seconds each
    --seed N      the first seed of the seeded loops

Environment
    WAYFARER_DATA  folder of benchmark data; see README.md
    CHROMIUM       path of the browser for the page, if it is not Debian's
    UPDATE=1       rewrites snapshots and golden files instead of comparing
";

/// The environment of a run of `cargo xtask`.
pub(crate) struct Context {
    /// Root of the workspace.
    pub(crate) root: PathBuf,
    /// Folder of benchmark data, if set.
    pub(crate) data: Option<PathBuf>,
    /// True if a missing tool is a fault.
    pub(crate) strict: bool,
    /// True to rewrite snapshots instead of comparing.
    pub(crate) update: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run_command(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

fn run_command(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut context = Context {
        root: root(),
        data: std::env::var_os("WAYFARER_DATA")
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from),
        strict: false,
        update: std::env::var_os("UPDATE").is_some_and(|value| value == "1"),
    };
    match words.as_slice() {
        [] | ["--help" | "-h" | "help", ..] | [_, "--help" | "-h"] => {
            say(HELP);
            Ok(())
        }
        ["test", options @ ..] => {
            let options = test::Options::read(options)?;
            context.strict = options.strict;
            test::run(&context, &options)
        }
        ["corpus"] => corpus::whole(&context),
        ["counts", options @ ..] => counts::run(&context, &counts::Options::read(options)?),
        ["fuzz", options @ ..] => fuzz::run(&context, &fuzz::Options::read(options)?),
        ["page", options @ ..] => page::run(&context, page::Page::read(options)?),
        ["bench-bevy", options @ ..] => bevy::bench(&context, options),
        ["baselines"] => baselines::run(&context),
        ["cluster", options @ ..] => cluster::run(&context, options),
        ["tidy"] => tidy::run(&context.root),
        _ => Err(format!(
            "unknown command: cargo xtask {}; see cargo xtask --help",
            words.join(" ")
        )),
    }
}

/// Root of the workspace, two levels above this package.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("xtask lies in the folder tools of the workspace")
        .to_path_buf()
}

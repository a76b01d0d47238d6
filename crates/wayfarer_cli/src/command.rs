//! The commands, one file each.

mod bake;
#[cfg(feature = "bench")]
mod bench;
mod check;
mod connection;
mod demo;
mod info;
mod make;
mod path;
mod render;
mod replay;
mod run;
mod serve;
#[cfg(feature = "bench")]
mod soak;
mod tiles;

use clap::Subcommand;

use crate::failure::{Failure, Verdict};

/// A command; its help stands with its options.
#[derive(Subcommand)]
pub(crate) enum Command {
    Demo(demo::Demo),
    Make(make::Make),
    Info(info::Info),
    Render(render::Render),
    Path(Box<path::Path>),
    Check(check::Check),
    #[command(alias = "edits")]
    Replay(replay::Replay),
    Run(run::Run),
    #[command(alias = "freeze")]
    Bake(bake::Bake),
    Serve(Box<serve::Serve>),
    Tiles(Box<tiles::Tiles>),
    #[cfg(feature = "bench")]
    Bench(bench::Bench),
    #[cfg(feature = "bench")]
    Soak(soak::Soak),
}

impl Command {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        match self {
            Self::Demo(demo) => demo.run(),
            Self::Make(make) => make.run(),
            Self::Info(info) => info.run(),
            Self::Render(render) => render.run(),
            Self::Path(path) => path.run(),
            Self::Check(check) => check.run(),
            Self::Replay(replay) => replay.run(),
            Self::Run(run) => run.run(),
            Self::Bake(bake) => bake.run(),
            Self::Serve(serve) => serve.run(),
            Self::Tiles(tiles) => tiles.run(),
            #[cfg(feature = "bench")]
            Self::Bench(bench) => bench.run(),
            #[cfg(feature = "bench")]
            Self::Soak(soak) => soak.run(),
        }
    }
}

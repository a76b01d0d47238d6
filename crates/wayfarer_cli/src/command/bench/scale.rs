//! `wayfarer bench scale`: worlds of any size.

use clap::{Args, ValueEnum};
use wayfarer_bench::scale::{self, Arguments, SoakArguments};

use super::Common;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Output};

/// Measure a world of any size, built sector by sector
///
/// Memory after some queries, time to the first segment of a path from corner to corner, time of
/// the whole path, cost of an edit. Every path is walked cell by cell. Exit code 1 if any result is
/// wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench scale --kind city --size 2048
  wayfarer bench scale --kind city --size 16384 --json scale.json
  wayfarer bench scale --kind city --size 512 --soak 100000 --cache-limit 200000")]
pub(super) struct Scale {
    /// Kind of world
    #[arg(long, value_enum, default_value_t = Kind::City)]
    kind: Kind,
    /// Side in cells
    #[arg(long, value_name = "CELLS", default_value_t = Arguments::default().size)]
    size: u32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = Arguments::default().seed)]
    seed: u64,
    /// Queries before the memory is measured
    #[arg(long, value_name = "N", default_value_t = Arguments::default().n_queries)]
    queries: usize,
    /// Random cells removed and put back
    #[arg(long, value_name = "N", default_value_t = Arguments::default().n_edits)]
    edits: usize,
    /// Instead: alternate edits and queries, and compare the memory with the cache limit after each
    #[arg(long, value_name = "STEPS")]
    soak: Option<u64>,
    /// With --soak: cache limit; four times the bytes of the ground if not given
    #[arg(long, alias = "cap", value_name = "BYTES", requires = "soak")]
    cache_limit: Option<usize>,
    #[command(flatten)]
    common: Common,
}

/// A world of any size.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Avenues, streets, houses, parks
    City,
    /// The same with a wall from north to south and one gap at its end
    Wall,
    /// Open ground
    Open,
    /// Corridors of width 1 without loops
    Maze,
}

impl Scale {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let kind = match self.kind {
            Kind::City => scale::Kind::City,
            Kind::Wall => scale::Kind::Wall,
            Kind::Open => scale::Kind::Open,
            Kind::Maze => scale::Kind::Maze,
        };
        if let Some(n_steps) = self.soak {
            return self.soak(kind, n_steps);
        }
        let arguments = Arguments {
            kind,
            size: self.size,
            seed: self.seed,
            n_queries: self.queries,
            n_edits: self.edits,
        };
        self.common.run("worlds", &arguments)
    }

    fn soak(&self, kind: scale::Kind, n_steps: u64) -> Result<Verdict, Failure> {
        let json = &self.common.json;
        output::can_write(json.file())?;
        let report = scale::soak(&SoakArguments {
            kind,
            size: self.size,
            seed: self.seed,
            n_steps,
            cache_limit_bytes: self.cache_limit,
        })?;
        let mut out = Output::default();
        out.line(report.to_string());
        out.json(json, "scale-soak/2", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}

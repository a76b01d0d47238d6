//! `wayfarer bench scale`: worlds of any size.

use clap::{Args, ValueEnum};
use wayfarer_bench::scale::{self, Arguments, ScaleError, SoakArguments};

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};

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
    /// Do not pin the program to one core
    #[arg(long)]
    no_pin: bool,
    #[command(flatten)]
    json: Json,
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
        output::can_write(self.json.file())?;
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
            pin: !self.no_pin,
        };
        let report = scale::run(&arguments).map_err(|error| failure(&error))?;
        let mut out = Output::default();
        out.line(scale::render(&report).trim_end());
        out.json_text(&self.json, report.to_json());
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }

    fn soak(&self, kind: scale::Kind, n_steps: u64) -> Result<Verdict, Failure> {
        let arguments = SoakArguments {
            kind,
            size: self.size,
            seed: self.seed,
            n_steps,
            cache_limit_bytes: self.cache_limit,
        };
        let report = scale::soak(&arguments).map_err(|error| failure(&error))?;
        let mut out = Output::default();
        out.line(report.to_string());
        out.json(&self.json, "scale-soak/2", &report)?;
        out.finish()?;
        Ok(Verdict::negative_if(report.wrong > 0))
    }
}

fn failure(error: &ScaleError) -> Failure {
    match error {
        ScaleError::Engine(_) => Failure::OurFault(error.to_string()),
        _ => Failure::BadInput(error.to_string()),
    }
}

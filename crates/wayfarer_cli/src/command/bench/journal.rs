//! `wayfarer bench journal`: batches written to disk, and the recovery.

use std::path::PathBuf;

use clap::Args;
use wayfarer_bench::journal::Arguments;

use super::Common;
use crate::failure::{Failure, Verdict};

/// Write batches to a journal, synced one by one and in groups; measure the recovery
///
/// A world of 256 x 256 cells in which cells open and close. Every recovered world is compared with one
/// that the same batches were applied to in memory. Exit code 1 if any differs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bench journal --folder journal.d
  wayfarer bench journal --folder /mnt/disk/journal.d --batches 10000 --groups 1,64")]
pub(super) struct Journal {
    /// The folder to write to; it must not exist, and is removed at the end
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
    /// Batches of each run
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,
    /// Edits in a batch
    #[arg(long, value_name = "N", default_value_t = 8)]
    edits: u32,
    /// Batches that share one sync to disk
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 8, 64], value_parser = clap::value_parser!(u32).range(1..))]
    groups: Vec<u32>,
    #[command(flatten)]
    common: Common,
}

impl Journal {
    pub(super) fn run(&self) -> Result<Verdict, Failure> {
        let arguments = Arguments {
            folder: self.folder.clone(),
            n_batches: self.batches,
            n_edits: self.edits,
            groups: self.groups.clone(),
        };
        self.common.run("runs", &arguments)
    }
}

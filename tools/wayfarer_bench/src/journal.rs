//! `bench journal`: batches written to a journal, synced one by one and in groups, and the recovery.
//!
//! Each recovered world is compared with one that the same batches were applied to in memory.

use std::path::PathBuf;

use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_engine::base::{Cell, GroundEdit, Raster, Rng, Terrain};
use wayfarer_measure::clock::Timer;
use wayfarer_store::{Journal, JournalOptions};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::table;

/// Columns along a side of the world.
const SIDE: u32 = 256;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// The folder to write to, which must not exist; the disk under it is what is measured.
    pub folder: PathBuf,
    /// Batches of each run.
    pub n_batches: u32,
    /// Edits in a batch.
    pub n_edits: u32,
    /// The sizes of groups that share a sync.
    pub groups: Vec<u32>,
}

/// One size of groups.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupRow {
    /// Batches that share a sync.
    pub sync_every: u32,
    /// Batches accepted in a second.
    pub batches_per_second: f64,
    /// Mean time of a batch in microseconds, edits and sync included.
    pub batch_us: f64,
    /// Bytes of the journal per batch.
    pub bytes_per_batch: f64,
    /// Loading the snapshot and replaying all batches, in milliseconds.
    pub recovery_ms: f64,
    /// The same for 10,000 batches.
    pub recovery_ms_per_10000: f64,
}

/// Rows of groups, beside the batches without a journal.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JournalFigures {
    /// Mean time of a batch in memory alone, in microseconds.
    pub memory_us: f64,
    /// Sizes of groups, as asked for.
    pub rows: Vec<GroupRow>,
    /// Worlds that differ after the recovery.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Benchmark for Arguments {
    type Figures = JournalFigures;

    fn command(&self) -> String {
        CommandLine::new("journal")
            .option("folder", self.folder.display())
            .option("batches", self.n_batches)
            .option("edits", self.n_edits)
            .list("groups", &self.groups)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<JournalFigures, BenchError> {
        if self.folder.exists() {
            let folder = self.folder.display();
            let reason = format!("{folder}: exists already, expected a folder to create");
            return Err(BenchError::Arguments(reason));
        }
        let timer = Timer::new();
        let n_parts = self.groups.len() + 1;
        progress("memory", n_parts);
        let mut world = meadow();
        let (applied, nanoseconds) = timer.time_of_all(|| {
            (0..self.n_batches).try_for_each(|number| {
                let applied = world.apply(self.batch(number));
                applied.map(drop).map_err(BenchError::world("meadow"))
            })
        });
        applied?;
        let mut figures = JournalFigures {
            memory_us: nanoseconds / 1e3 / f64::from(self.n_batches),
            rows: Vec::new(),
            faults: Faults::default(),
        };
        let expected = world.save();
        for &sync_every in &self.groups {
            progress(&format!("groups of {sync_every}"), n_parts);
            let row = self.measure_group(sync_every, &expected, &mut figures.faults, &timer);
            // What could not be measured leaves no folder either.
            let removed = std::fs::remove_dir_all(&self.folder);
            figures.rows.push(row?);
            removed.map_err(BenchError::world("journal"))?;
        }
        Ok(figures)
    }
}

impl Arguments {
    fn measure_group(
        &self,
        sync_every: u32,
        expected: &[u8],
        faults: &mut Faults,
        timer: &Timer,
    ) -> Result<GroupRow, BenchError> {
        let wrong = BenchError::world("journal");
        let options = JournalOptions {
            sync_every,
            // One segment: the recovery replays every batch.
            snapshot_every: u64::MAX,
            keep_snapshots: 0,
        };
        let mut journal = Journal::create(&self.folder, meadow(), options).map_err(wrong)?;
        let (written, nanoseconds) = timer.time_of_all(|| {
            for number in 0..self.n_batches {
                journal.apply(self.batch(number))?;
            }
            journal.commit()
        });
        written.map_err(BenchError::world("journal"))?;
        drop(journal);
        let info = wayfarer_store::journal_info(&self.folder);
        let info = info.map_err(BenchError::world("journal"))?;
        let bytes: u64 = info.segments.iter().map(|segment| segment.bytes).sum();
        let (opened, recovery) = timer.time_of_all(|| Journal::open(&self.folder, options));
        let (journal, _) = opened.map_err(BenchError::world("journal"))?;
        if journal.save() != expected {
            faults.push(format!("groups of {sync_every}: another world"));
        }
        let n_batches = f64::from(self.n_batches);
        Ok(GroupRow {
            sync_every,
            batches_per_second: n_batches / (nanoseconds / 1e9),
            batch_us: nanoseconds / 1e3 / n_batches,
            bytes_per_batch: bytes as f64 / n_batches,
            recovery_ms: recovery / 1e6,
            recovery_ms_per_10000: recovery / 1e6 / n_batches * 1e4,
        })
    }

    /// Cells that open and close, as a game digs and builds.
    fn batch(&self, number: u32) -> Vec<GroundEdit> {
        let mut rng = Rng::for_stream(1, number.into());
        let mut at = || i32::try_from(rng.below(SIDE)).expect("the side is small");
        let edit = |index: u32, cell: Cell| {
            if (index + number).is_multiple_of(2) {
                GroundEdit::RemoveCell { cell }
            } else {
                let terrain = Terrain::GROUND;
                GroundEdit::PutCell { cell, terrain }
            }
        };
        (0..self.n_edits)
            .map(|index| edit(index, Cell::flat(at(), at())))
            .collect()
    }
}

fn meadow() -> World {
    let bytes = vec![0; (SIDE * SIDE) as usize];
    let map = Raster::from_bytes(SIDE, SIDE, bytes).expect("the side is small");
    World::from_raster(&map)
}

impl Figures for JournalFigures {
    const SCHEMA: &'static str = "wayfarer/bench-journal/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn summary(&self) -> String {
        format!("in memory alone {:.1} us a batch", self.memory_us)
    }

    fn render(&self) -> String {
        table!(row in &self.rows;
            "batches per sync" => row.sync_every,
            "batches per second" => row.batches_per_second.round(),
            "us a batch" => row.batch_us,
            "bytes a batch" => row.bytes_per_batch.round(),
            "recovery ms" => row.recovery_ms,
            "per 10,000" => row.recovery_ms_per_10000,
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.of("journal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_recovered_and_the_folder_removed() {
        let folder = std::env::temp_dir().join(format!("bench-journal-{}", std::process::id()));
        let arguments = Arguments {
            folder: folder.clone(),
            n_batches: 40,
            n_edits: 4,
            groups: vec![1, 7],
        };
        let report = arguments.run(false, |_, _| {}).unwrap();
        assert_eq!((report.rows.len(), report.figures.wrong()), (2, 0));
        assert!(report.rows[0].bytes_per_batch > 60.0);
        assert!(report.render().contains("batches per second"));
        assert!(!folder.exists());
        std::fs::create_dir(&folder).unwrap();
        assert!(arguments.run(false, |_, _| {}).is_err());
        std::fs::remove_dir(&folder).unwrap();
    }
}

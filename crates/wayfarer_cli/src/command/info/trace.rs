//! `wayfarer info` of scenarios, patches and edit traces.

use serde::Serialize;
use wayfarer_engine::base::{EditTrace, Expected, Problem, TraceStep};
use wayfarer_engine::formats::dynamic_scen::{self, Command};
use wayfarer_engine::formats::file_format::FileFormat;
use wayfarer_engine::formats::{TextError, edits_file, movingai_scen, patch, scen3d};

use crate::words;

/// Statistics of such a file.
#[derive(Serialize, Default)]
pub(super) struct TraceFacts {
    pub(super) file: String,
    format: &'static str,
    /// Queries for a path.
    problems: u64,
    /// Of those, problems that the file states to be unreachable.
    impossible: u64,
    /// The longest stated length, in cells.
    longest: Option<f64>,
    /// Batches of edits.
    batches: u64,
    /// Edits in them; or patches.
    edits: u64,
    /// The map or the patch file that the file names.
    names: Option<String>,
}

/// Reads such a file; `None` for other formats.
pub(super) fn read(bytes: &[u8], format: FileFormat) -> Option<Result<TraceFacts, TextError>> {
    let mut facts = TraceFacts {
        format: format.name(),
        ..TraceFacts::default()
    };
    let read = match format {
        FileFormat::Scen => movingai_scen::read(bytes).map(|scenario| {
            facts.names = scenario.lines.first().map(|line| line.map.to_string());
            scenario
                .problems()
                .for_each(|problem| facts.problem(&problem));
        }),
        FileFormat::Scen3d => scen3d::read(bytes).map(|scenario| {
            facts.problems = scenario.lines.len() as u64;
            let lengths = scenario.lines.iter().map(|line| line.length);
            facts.longest = lengths.reduce(f64::max);
            facts.names = Some(scenario.map);
        }),
        FileFormat::DynamicScen => dynamic_scen::read(bytes).map(|scenario| {
            facts.commands(&scenario.commands);
            facts.names = Some(scenario.patch_file);
        }),
        FileFormat::Patch => patch::read(bytes).map(|patches| facts.edits = patches.len() as u64),
        FileFormat::Edits => edits_file::read(bytes).map(|trace| facts.trace(&trace)),
        _ => return None,
    };
    Some(read.map(|()| facts))
}

impl TraceFacts {
    fn problem(&mut self, problem: &Problem) {
        self.problems += 1;
        match problem.expected {
            Expected::Length(length) => {
                self.longest = Some(self.longest.map_or(length, |longest| longest.max(length)));
            }
            Expected::Unreachable => self.impossible += 1,
            Expected::Unknown => {}
        }
    }

    fn trace(&mut self, trace: &EditTrace) {
        for step in &trace.steps {
            match step {
                TraceStep::Batch(edits) => {
                    self.batches += 1;
                    self.edits += edits.len() as u64;
                }
                TraceStep::Query(problem) => self.problem(problem),
            }
        }
    }

    fn commands(&mut self, commands: &[Command]) {
        let mut in_batch = false;
        for command in commands {
            match command {
                Command::Patch { .. } => {
                    self.edits += 1;
                    self.batches += u64::from(!in_batch);
                    in_batch = true;
                }
                Command::Query {
                    start, goal, cost, ..
                } => {
                    in_batch = false;
                    self.problem(&dynamic_scen::problem(*start, *goal, *cost));
                }
            }
        }
    }

    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![
            ("file".to_owned(), self.file.clone()),
            ("format".to_owned(), self.format.to_owned()),
        ];
        if let Some(name) = &self.names {
            facts.push(("names".to_owned(), name.clone()));
        }
        let counts = [
            ("problems", self.problems),
            ("  without a path", self.impossible),
            ("batches", self.batches),
            ("edits", self.edits),
        ];
        for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            facts.push((name.to_owned(), words::count(count)));
        }
        if let Some(longest) = self.longest {
            facts.push(("longest".to_owned(), format!("{longest:.2} cells")));
        }
        facts
    }
}

//! What `info` says of files that are no world: problems to solve, patches and edits.

use serde::Serialize;
use wayfarer::base::{EditTrace, Expected, Problem, TraceStep};
use wayfarer::formats::dynamic_scen::{self, Command};
use wayfarer::formats::file_format::FileFormat;
use wayfarer::formats::{TextError, edits_file, movingai_scen, patch, scen3d};

use crate::words;

/// What such a file holds.
#[derive(Serialize, Default)]
pub(super) struct TraceFacts {
    pub(super) file: String,
    format: &'static str,
    /// Paths to find.
    problems: u64,
    /// Of those, paths that the file says are not there.
    impossible: u64,
    /// The longest stated length, in cells.
    longest: Option<f64>,
    /// Batches of edits between the problems.
    batches: u64,
    /// Edits in them; or patches.
    edits: u64,
    /// The map or the patches that the file names.
    names: Option<String>,
}

/// Reads such a file; `None` if it is of another kind.
pub(super) fn read(bytes: &[u8], kind: FileFormat) -> Option<Result<TraceFacts, TextError>> {
    let mut edit_trace = TraceFacts {
        format: kind.name(),
        ..TraceFacts::default()
    };
    let done = match kind {
        FileFormat::Scen => movingai_scen::read(bytes).map(|scenario| {
            edit_trace.names = scenario.lines.first().map(|line| line.map.to_string());
            scenario
                .problems()
                .for_each(|problem| edit_trace.problem(&problem));
        }),
        FileFormat::Scen3d => scen3d::read(bytes).map(|scenario| {
            edit_trace.problems = scenario.lines.len() as u64;
            let lengths = scenario.lines.iter().map(|line| line.length);
            edit_trace.longest = lengths.reduce(f64::max);
            edit_trace.names = Some(scenario.map);
        }),
        FileFormat::DynamicScen => dynamic_scen::read(bytes).map(|scenario| {
            edit_trace.commands(&scenario.commands);
            edit_trace.names = Some(scenario.patch_file);
        }),
        FileFormat::Patch => {
            patch::read(bytes).map(|patches| edit_trace.edits = patches.len() as u64)
        }
        FileFormat::Edits => edits_file::read(bytes).map(|trace| edit_trace.trace(&trace)),
        _ => return None,
    };
    Some(done.map(|()| edit_trace))
}

impl TraceFacts {
    fn problem(&mut self, problem: &Problem) {
        self.problems += 1;
        match problem.expected {
            Expected::Length(length) => {
                self.longest = Some(self.longest.map_or(length, |most| most.max(length)));
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

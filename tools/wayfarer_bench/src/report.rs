//! The frame of all benchmarks: arguments that measure, and a report of machine and figures.
//!
//! A benchmark is a module with an `Arguments`, which are its options on the command line and
//! implement [`Benchmark`], and a struct of figures that implements [`Figures`]. The frame pins the program, describes and calibrates the machine, and
//! writes text and JSON.

use std::fmt::Display;
use std::ops::{Deref, RangeBounds};

use clap::builder::RangedU64ValueParser;
use serde::Serialize;
use wayfarer_measure::machine::{self, Machine, Pinned};

use crate::error::BenchError;
use crate::{calibration, memory};

/// Most faults that a text lists one by one.
pub const MAX_FAULTS_SHOWN: usize = 10;

/// Called before each part of a measurement with its name and the number of parts.
pub type Progress<'a> = &'a mut dyn FnMut(&str, usize);

/// The arguments of a benchmark.
pub trait Benchmark {
    /// What it measures.
    type Figures: Figures;
    /// Whether anything is timed: if so, the report has a calibration.
    const IS_TIMED: bool = true;
    /// What the progress counts.
    const PARTS: &'static str = "maps";

    /// The command that measures the same.
    fn command(&self) -> String;

    /// Whether the program may be pinned to one core: not with several threads.
    fn can_pin(&self) -> bool {
        true
    }

    /// Measures and checks; a wrong result is counted in the figures, not an error.
    fn measure(&self, progress: Progress<'_>) -> Result<Self::Figures, BenchError>;

    /// Measures, with `pin` on one core from here to the end of the program, and calibrates the
    /// machine.
    ///
    /// # Errors
    /// Bad arguments and unreadable files. A wrong result is no error: it is counted.
    fn run(
        &self,
        pin: bool,
        mut progress: impl FnMut(&str, usize),
    ) -> Result<Report<Self::Figures>, BenchError> {
        let pinned = if Self::IS_TIMED {
            machine::pin_if(pin && self.can_pin())
        } else {
            Pinned::No("nothing is timed")
        };
        let machine = Machine::here(&pinned, memory::is_counted());
        let figures = self.measure(&mut progress)?;
        let calibration = Self::IS_TIMED.then(calibration::ns_per_expansion);
        Ok(Report {
            schema: Self::Figures::SCHEMA,
            command: self.command(),
            machine,
            calibration: calibration.transpose()?,
            figures,
        })
    }
}

/// The figures of a benchmark; serialized, its keys of the JSON.
pub trait Figures: Serialize {
    /// Name and version of the JSON layout: a changed key raises the version.
    const SCHEMA: &'static str;

    /// Wrong results. With any the command exits with 1.
    fn wrong(&self) -> usize;

    /// One line of context, such as counts of worlds; may be empty.
    fn summary(&self) -> String {
        String::new()
    }

    /// The tables.
    fn render(&self) -> String;

    /// The first wrong results in words.
    fn faults(&self) -> Vec<String>;
}

/// The report of a benchmark.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report<F> {
    /// Name and version of the layout.
    pub schema: &'static str,
    /// The command that measures the same.
    pub command: String,
    /// The machine it was measured on.
    pub machine: Machine,
    /// Nanoseconds per expansion of the dense bucket A* on the fixed world, to compare machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<f64>,
    /// What was measured.
    #[serde(flatten)]
    pub figures: F,
}

impl<F> Deref for Report<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.figures
    }
}

impl<F: Figures> Report<F> {
    /// The report as text: the machine, the figures, then the first wrong results.
    pub fn render(&self) -> String {
        let mut text = format!("{}\n", self.machine);
        if let Some(calibration) = self.calibration {
            text += &format!("calibration {calibration:.1} ns per expansion\n");
        }
        let summary = self.figures.summary();
        if !summary.is_empty() {
            text += &format!("{summary}\n");
        }
        text += &format!("\n{}", self.figures.render());
        for fault in self.figures.faults().iter().take(MAX_FAULTS_SHOWN) {
            text += &format!("wrong: {fault}\n");
        }
        text
    }

    /// The report as JSON, indented, with a final newline.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("plain values always have a JSON form") + "\n"
    }
}

/// Wrong results of one part of a benchmark: all are counted, the first are kept in words.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Faults {
    /// Wrong results.
    pub wrong: usize,
    /// The first of them.
    pub faults: Vec<String>,
}

impl Faults {
    /// Counts a wrong result.
    pub fn push(&mut self, fault: impl Into<String>) {
        self.wrong += 1;
        if self.faults.len() < MAX_FAULTS_SHOWN {
            self.faults.push(fault.into());
        }
    }

    /// Those in words, each with the name of the part.
    pub(crate) fn of(&self, part: &str) -> Vec<String> {
        in_part(part, &self.faults)
    }
}

/// Wrong results in words, each with the name of the part they were found in.
pub(crate) fn in_part(part: &str, faults: &[String]) -> Vec<String> {
    let faults = faults.iter();
    faults.map(|fault| format!("{part}: {fault}")).collect()
}

/// Parses a number of this range.
pub(crate) fn number(range: impl RangeBounds<u64>) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(range)
}

/// Builds the command of a benchmark from its options.
pub struct CommandLine(String);

impl CommandLine {
    /// The command `bench NAME`.
    pub fn new(name: &str) -> Self {
        Self(format!("bench {name}"))
    }

    /// Adds an option with its value.
    pub fn option(mut self, name: &str, value: impl Display) -> Self {
        self.0 += &format!(" --{name} {value}");
        self
    }

    /// Adds an option once for each value.
    pub fn options(self, name: &str, values: impl IntoIterator<Item = impl Display>) -> Self {
        let values = values.into_iter();
        values.fold(self, |line, value| line.option(name, value))
    }

    /// Adds an option with values separated by commas; nothing without a value.
    pub fn list<T: Display>(self, name: &str, values: &[T]) -> Self {
        let values: Vec<String> = values.iter().map(T::to_string).collect();
        let joined = (!values.is_empty()).then(|| values.join(","));
        self.options(name, joined)
    }

    /// Adds a flag if it is set.
    pub fn flag(mut self, name: &str, is_set: bool) -> Self {
        if is_set {
            self.0 += &format!(" --{name}");
        }
        self
    }

    /// The line.
    pub fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests;

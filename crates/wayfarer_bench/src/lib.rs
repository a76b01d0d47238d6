//! Asks any number of path finders the same questions, checks every answer and reports how they did.
//!
//! Part of `wayfarer`: the command `bench` calls it. One frame for all: an [`Engine`] answers
//! queries on a map; [`measure`](measure::measure) times a set of engines side by side, checks
//! each path cell by cell and compares its length with the best there is; a [`report::Report`] is
//! what came of it, as plain values that a table, a JSON file or a plot is drawn from.
//!
//! A front end does this, and counts memory if the program has the counting allocator in place
//! (`#[global_allocator] static ALLOCATOR: wayfarer_bench::Counting = wayfarer_bench::Counting;`,
//! which changes no time by more than the noise):
//!
//! ```no_run
//! use wayfarer_bench::{paths, plot, table};
//!
//! let mut arguments = paths::Arguments::new("maps/dao".into(), "dense");
//! arguments.sample = Some(100); // of each map
//! let report = paths::run(&arguments, |begun| eprintln!("{}", begun.map))?;
//! println!("{}", table::render(&report)); // for people
//! std::fs::write("report.json", report.to_json())?; // for programs
//! std::fs::write("report.svg", plot::time_by_length(&report).to_svg())?;
//! let is_right = report.figures.wrong == 0; // or else exit code 1
//! # let _ = is_right;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How a time is judged: on one core if that can be had, five runs, the best run's mean; `max` is
//! the largest over the cases of each case's median of 21; engines take turns, so that whatever
//! else the machine does hits all alike; and time in which the system ran other programs is taken
//! off, where it tells.

pub mod any_angle;
pub mod calibration;
pub mod check;
pub mod clock;
pub mod engine;
pub mod engines;
pub mod load;
pub mod machine;
pub mod measure;
pub mod memory;
pub mod open_cells;
pub mod paths;
pub mod plot;
pub mod query;
pub mod reference;
pub mod report;
#[cfg(feature = "rivals")]
pub mod rivals;
pub mod statistics;
pub mod table;

pub use engine::{About, Answer, Engine, EngineError, PathBuffer, Rule};
pub use query::{Case, QuerySet};
pub use wayfarer_counting::Counting;

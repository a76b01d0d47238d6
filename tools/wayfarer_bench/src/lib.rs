//! Benchmarks and soak of wayfarer: engines on equal queries, every result checked.
//!
//! The command `bench` calls it. Every benchmark is a module whose arguments implement
//! [`Benchmark`]; its [`Report`] writes text and JSON. An [`Engine`] answers path queries on a map;
//! [`measure`](measure::measure) times several engines side by side, checks each path cell by cell and
//! compares its length with the optimum.
//!
//! Memory is counted if the program installs the counting allocator
//! (`#[global_allocator] static ALLOCATOR: CountingAllocator = CountingAllocator;`,
//! which changes times by less than the noise):
//!
//! ```
//! use wayfarer_bench::{Benchmark, paths, plot};
//!
//! # let folder = std::env::temp_dir().join(format!("wayfarer_bench_{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # std::fs::write(folder.join("room.map"), "type octile\nheight 1\nwidth 3\nmap\n...\n")?;
//! # std::fs::write(folder.join("room.map.scen"), "version 1\n0 room.map 3 1 0 0 2 0 2\n")?;
//! let mut arguments = paths::Arguments::new(folder.clone(), "grid-astar");
//! arguments.sample = Some(100); // of each map, evenly spread
//! let pin = false; // pinning to one core reduces noise
//! let report = arguments.run(pin, |map, _| assert_eq!(map, "room"))?;
//! assert_eq!((report.first.queries, report.first.wrong), (1, 0));
//! let text = report.render();
//! let json = report.to_json();
//! let picture = plot::time_by_length(&report).to_svg();
//! # assert!(text.contains("grid-astar") && json.contains("mean_us"));
//! # assert!(picture.starts_with("<svg"));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Timing: on one core if pinning works, five runs, the mean of the best run; `max` is the largest of
//! the per-query medians of 21. Engines alternate, so that load affects all alike, and time in which
//! the system ran other programs is subtracted where the system reports it.

pub mod abstraction;
pub mod agents;
pub mod air;
pub mod any_angle;
#[cfg(feature = "baselines")]
pub mod baselines;
pub mod battlefield;
pub mod bodies;
pub mod calibration;
pub mod check;
#[cfg(feature = "nats")]
pub mod cluster;
pub mod crowd;
pub mod dynamic;
pub mod edit_times;
pub mod engine;
pub mod engines;
pub mod error;
pub mod flight;
pub mod flow;
pub mod ground;
pub mod journal;
pub mod load;
pub mod measure;
pub mod memory;
pub mod open_cells;
pub mod paths;
pub mod planar;
pub mod plot;
pub mod query;
pub mod reachability;
pub mod reference;
pub mod replan;
pub mod report;
pub mod scale;
pub mod sensors;
pub mod skirmish;
pub mod soak;
pub mod streaming;
pub mod table;
pub mod terrain_costs;
#[cfg(test)]
mod test_folder;
pub mod world;
pub mod worst_case;

pub use engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};
pub use error::BenchError;
pub use query::{Case, QuerySet};
pub use report::{Benchmark, Figures, Report};
pub use wayfarer_counting::CountingAllocator;

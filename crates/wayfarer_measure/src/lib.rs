//! Measuring and checking, shared by the program and the benchmarks: timers, statistics, Markdown
//! tables, the machine, input files, path checks.
//!
//! Part of `wayfarer`; the searches never use it.

pub mod check;
pub mod clock;
pub mod load;
pub mod machine;
pub mod statistics;
pub mod table;

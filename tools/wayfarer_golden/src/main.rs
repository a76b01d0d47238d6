//! Prints the golden report: one line per part of the suite, `all` last.
//!
//! wasm32 has no output: the report stays in memory between two markers, where `run.mjs` finds it,
//! so that the compared build needs no bindings.

#![expect(clippy::print_stdout, reason = "the program prints a report")]

use std::hint::black_box;

use wayfarer_golden::golden_report;

fn main() {
    let report = golden_report();
    // The markers are built at run time, so that constants in memory do not match.
    let marked = format!("{}-{}:\n{report}END", "WAYFARER", black_box("GOLDEN"));
    let kept: &'static str = Box::leak(marked.into_boxed_str());
    black_box(kept);
    print!("{report}");
}

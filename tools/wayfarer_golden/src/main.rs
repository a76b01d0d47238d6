//! Prints the golden report of wayfarer: one line for each part of the suite, `all` last.
//!
//! On wasm32 there is nothing to print to. There the report stays in memory between two marks,
//! where `run.mjs` finds it; so the machine code that is compared needs no glue of any kind.

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::hint::black_box;

use wayfarer_golden::golden_report;

fn main() {
    let report = golden_report();
    // The marks are put together at run time: what the compiler stores of them is no report.
    let marked = format!("{}-{}:\n{report}END", "WAYFARER", black_box("GOLDEN"));
    let kept: &'static str = Box::leak(marked.into_boxed_str());
    black_box(kept);
    print!("{report}");
}

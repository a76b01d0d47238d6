//! Runs fuzz targets as seeded loops: `wayfarer_fuzz SECONDS FIRST_SEED [TARGET…]`.

#![expect(clippy::print_stdout, reason = "a program reports")]
#![expect(clippy::disallowed_methods, reason = "the time of a run is limited")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use wayfarer_counting::CountingAllocator;
use wayfarer_fuzz::{TARGETS, Target};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers = (words.first(), words.get(1));
    let (Some(Ok(seconds)), Some(Ok(first))) = (
        numbers.0.map(|word| word.parse::<u64>()),
        numbers.1.map(|word| word.parse::<u64>()),
    ) else {
        println!("usage: wayfarer_fuzz SECONDS FIRST_SEED [TARGET…]");
        return ExitCode::FAILURE;
    };
    let names = words.get(2..).unwrap_or_default();
    if let Some(unknown) = names.iter().find(|name| Target::named(name).is_none()) {
        println!("unknown target {unknown}");
        return ExitCode::FAILURE;
    }
    let wanted =
        |target: &&Target| names.is_empty() || names.iter().any(|name| name == target.name);
    for target in TARGETS.iter().filter(wanted) {
        let seeds = (target.seeds)();
        let (start, mut seed) = (Instant::now(), first);
        while start.elapsed() < Duration::from_secs(seconds) {
            target.run_mutation(&seeds, seed);
            seed += 1;
        }
        println!("{:<16} {} inputs", target.name, seed - first);
    }
    ExitCode::SUCCESS
}

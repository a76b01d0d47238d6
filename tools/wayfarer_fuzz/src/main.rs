//! Runs fuzz targets as seeded loops: `wayfarer_fuzz SECONDS FIRST_SEED [TARGET…]`, in processor time; or writes the inputs
//! that they start from, as a corpus for cargo-fuzz: `wayfarer_fuzz corpus FOLDER TARGET`; or runs one
//! input again: `wayfarer_fuzz replay FILE TARGET`.

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
    if let [command, folder, name] = &words[..]
        && command == "corpus"
    {
        return write_corpus(folder, name);
    }
    if let [command, file, name] = &words[..]
        && command == "replay"
    {
        return replay(file, name);
    }
    let numbers = (words.first(), words.get(1));
    let (Some(Ok(seconds)), Some(Ok(first))) = (
        numbers.0.map(|word| word.parse::<u64>()),
        numbers.1.map(|word| word.parse::<u64>()),
    ) else {
        println!(
            "usage: wayfarer_fuzz SECONDS FIRST_SEED [TARGET…]\n       wayfarer_fuzz corpus FOLDER TARGET\n       \
             wayfarer_fuzz replay FILE TARGET"
        );
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
        let (start, mut seed) = (Clock::start(), first);
        while !seed.is_multiple_of(INPUTS_PER_LOOK)
            || start.elapsed() < Duration::from_secs(seconds)
        {
            target.run_mutation(&seeds, seed);
            seed += 1;
        }
        let (n_inputs, seconds) = (seed - first, start.elapsed().as_secs());
        println!("{:<16} {n_inputs} inputs in {seconds} s", target.name);
    }
    ExitCode::SUCCESS
}

/// Inputs between two looks at the clock.
const INPUTS_PER_LOOK: u64 = 64;

/// Time that this thread computed, where the system tells it, so that a busy machine runs as many inputs
/// as an idle one; elsewhere the time that passed.
struct Clock {
    start: Instant,
    computed: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self {
            start: Instant::now(),
            computed: computed(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.computed, computed()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.start.elapsed(),
        }
    }
}

/// The processor time of this thread, which Linux keeps in nanoseconds.
fn computed() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Writes the seeds of a target into a folder, each as a file of its own.
fn write_corpus(folder: &str, name: &str) -> ExitCode {
    let Some(target) = Target::named(name) else {
        println!("unknown target {name}");
        return ExitCode::FAILURE;
    };
    let seeds = (target.seeds)();
    let result = std::fs::create_dir_all(folder).and_then(|()| {
        let mut seeds = seeds.iter().enumerate();
        seeds.try_for_each(|(number, seed)| std::fs::write(format!("{folder}/seed-{number}"), seed))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the input in a file, which panics on a fault.
fn replay(file: &str, name: &str) -> ExitCode {
    let (Some(target), Ok(bytes)) = (Target::named(name), std::fs::read(file)) else {
        println!("no target {name}, or {file} cannot be read");
        return ExitCode::FAILURE;
    };
    target.check(&bytes);
    println!("{name}: no fault in {} bytes", bytes.len());
    ExitCode::SUCCESS
}

//! The checks that every change must pass, cheapest first.

use crate::run::{self, Lanes, Outcome, Step, say};
use crate::{
    Context, baselines, bevy, cluster, corpus, examples, golden, page, release, tidy, tools,
};

/// The features of the command line with `bench` and `soak`, and with clusters: the step `cluster` runs
/// what the tests have built.
pub(crate) const BENCH: &str = "wayfarer_cli/bench,wayfarer_cli/nats";

/// The steps besides the core: front ends, with tools and builds of their own, and the digests of a
/// release build, which the tests compute with checks and wasm32 without.
const NOT_CORE: [&str; 4] = ["golden", "page", "bevy", "cluster"];

/// The steps in the order they run.
const STEPS: &[Step] = &[
    Step {
        name: "format",
        what: "the code is formatted by rustfmt",
        is_apart: false,
        work: |context| {
            tools::cargo_command("fmt", "rustfmt")?;
            passed(run::cargo(context, &["fmt", "--all", "--check"]))
        },
    },
    Step {
        name: "tidy",
        what: "the static rules of the workspace hold",
        is_apart: false,
        work: |context| passed(tidy::run(&context.root)),
    },
    Step {
        name: "clippy",
        what: "no lint warns, baseline adapters included",
        is_apart: false,
        work: |context| {
            baselines::clippy(context, baselines::FEATURE)?;
            cluster::clippy(context)?;
            // The command line builds without the benchmarks; clippy has checked what it uses.
            let words = [
                "clippy",
                "--package",
                "wayfarer_cli",
                "--",
                "-D",
                "warnings",
            ];
            passed(run::cargo(context, &words))
        },
    },
    Step {
        name: "tests",
        what: "unit, property and documentation tests pass",
        is_apart: false,
        work: |context| {
            passed(run::cargo(
                context,
                &["test", "--workspace", "--features", BENCH],
            ))
        },
    },
    Step {
        name: "docs",
        what: "the API documentation builds without a dead link",
        is_apart: false,
        work: documents,
    },
    Step {
        name: "examples",
        what: "the output of each example equals its snapshot",
        is_apart: false,
        work: examples::check,
    },
    Step {
        name: "cluster",
        what: "a cluster of real servers survives kills and stops with right answers",
        is_apart: false,
        work: cluster::check,
    },
    Step {
        name: "golden",
        what: "a release build computes the pinned digests, as the tests do with checks",
        is_apart: true,
        work: golden::native,
    },
    Step {
        name: "wasm",
        what: "wasm32 under node computes the same digests",
        is_apart: true,
        work: golden::wasm,
    },
    Step {
        name: "page",
        what: "every view of the page works in Chromium, with the same digests",
        is_apart: true,
        work: page::check,
    },
    Step {
        name: "deny",
        what: "licenses, duplicates and sources of what the product links are allowed",
        is_apart: true,
        work: release::deny,
    },
    Step {
        name: "package",
        what: "every published crate packages; the lean library links few foreign crates",
        is_apart: true,
        work: release::package,
    },
    Step {
        name: "msrv",
        what: "the library builds with the compiler that rust-version promises",
        is_apart: true,
        work: release::msrv,
    },
    Step {
        name: "bevy",
        what: "the plugin for Bevy is formatted, linted, tested and documented",
        is_apart: true,
        work: bevy::check,
    },
    Step {
        name: "corpus",
        what: "a sample of the benchmark problems is solved optimally, if WAYFARER_DATA is set",
        is_apart: false,
        work: corpus::sample,
    },
];

/// Options of `cargo xtask test`.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    pub(crate) strict: bool,
    list: bool,
    core: bool,
    only: Vec<String>,
}

impl Options {
    /// Parses the arguments after `test`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--strict" => options.strict = true,
                "--list" => options.list = true,
                "--core" => options.core = true,
                "--only" => {
                    let name = words.next().ok_or("--only expects the name of a check")?;
                    if !STEPS.iter().any(|step| step.name == *name) {
                        return Err(format!("unknown check {name}; see cargo xtask test --list"));
                    }
                    options.only.push((*name).to_owned());
                }
                _ => return Err(format!("unknown option {word}; see cargo xtask --help")),
            }
        }
        Ok(options)
    }
}

/// Runs the selected checks, or lists all.
pub(crate) fn run(context: &Context, options: &Options) -> Result<(), String> {
    if options.list {
        for step in STEPS {
            say(&format!("{:<10} {}", step.name, step.what));
        }
        return Ok(());
    }
    let steps: Vec<Step> = STEPS
        .iter()
        .filter(|step| options.only.is_empty() || options.only.iter().any(|name| name == step.name))
        .filter(|step| !(options.core && NOT_CORE.contains(&step.name)))
        .copied()
        .collect();
    let lanes = if steps.len() > 1 {
        Lanes::Two
    } else {
        Lanes::One
    };
    run::all(context, &steps, lanes)
}

/// The program and the library share a name and so an output page: the program is documented
/// first, the library overwrites it. The features are those of clippy, so that cargo reuses its
/// check of the dependencies.
fn documents(context: &Context) -> Result<Outcome, String> {
    let common = [
        "doc",
        "--no-deps",
        "--document-private-items",
        "--workspace",
    ];
    let environment = [("RUSTDOCFLAGS", "-D warnings")];
    for targets in ["--bins", "--lib"] {
        let words = [&common[..], &["--features", baselines::FEATURE, targets]].concat();
        run::cargo_with(context, &words, &environment)?;
    }
    Ok(Outcome::Passed)
}

fn passed(done: Result<(), String>) -> Result<Outcome, String> {
    done.map(|()| Outcome::Passed)
}

#[cfg(test)]
mod tests;

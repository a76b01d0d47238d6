//! Every check that must pass before anything lands, cheapest first.

use crate::run::{self, Outcome, Step, say};
use crate::{Context, baselines, corpus, examples, golden, tidy, tools};

/// The program with `bench` and `soak`.
pub(crate) const BENCH: &str = "wayfarer_cli/bench";

/// The steps in the order they run.
const STEPS: &[Step] = &[
    Step {
        name: "format",
        what: "the code is laid out as rustfmt does",
        work: |context| {
            tools::cargo_command("fmt", "rustfmt")?;
            passed(run::cargo(context, &["fmt", "--all", "--check"]))
        },
    },
    Step {
        name: "tidy",
        what: "the rules of the house hold",
        work: |context| passed(tidy::run(&context.root)),
    },
    Step {
        name: "clippy",
        what: "no warning anywhere, the rivals' adapters included",
        work: |context| {
            baselines::clippy(context, baselines::FEATURE)?;
            // The product builds without the laboratory.
            passed(run::cargo(context, &["check", "--package", "wayfarer_cli"]))
        },
    },
    Step {
        name: "tests",
        what: "unit, property and document tests",
        work: |context| passed(run::cargo(context, &["test", "--workspace", "--features", BENCH])),
    },
    Step {
        name: "docs",
        what: "the documents build without a dead link",
        work: documents,
    },
    Step {
        name: "examples",
        what: "each example still prints what it printed",
        work: examples::check,
    },
    Step {
        name: "golden",
        what: "debug and release builds compute the same",
        work: golden::native,
    },
    Step {
        name: "wasm",
        what: "so does wasm32 under node",
        work: golden::wasm,
    },
    Step {
        name: "corpus",
        what: "a sample of the benchmark problems, if WAYFARER_DATA is set",
        work: corpus::sample,
    },
];

/// Which steps the user wants.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Wish {
    pub(crate) strict: bool,
    list: bool,
    only: Vec<String>,
}

impl Wish {
    /// Reads the words after `test`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--strict" => wish.strict = true,
                "--list" => wish.list = true,
                "--only" => {
                    let name = words.next().ok_or("--only wants the name of a check")?;
                    if !STEPS.iter().any(|step| step.name == *name) {
                        return Err(format!(
                            "no check is called {name}; see cargo xtask test --list"
                        ));
                    }
                    wish.only.push((*name).to_owned());
                }
                _ => return Err(format!("unknown option {word}; see cargo xtask --help")),
            }
        }
        Ok(wish)
    }
}

/// Runs the steps, or names them.
pub(crate) fn run(context: &Context, wish: &Wish) -> Result<(), String> {
    if wish.list {
        for step in STEPS {
            say(&format!("{:<10} {}", step.name, step.what));
        }
        return Ok(());
    }
    let steps: Vec<Step> = STEPS
        .iter()
        .filter(|step| wish.only.is_empty() || wish.only.iter().any(|name| name == step.name))
        .copied()
        .collect();
    run::all(context, &steps)
}

/// The program and the library share a name, hence a page: the program's is checked first, the
/// library's stays. Both with the features that clippy had, so that dependencies are not read
/// again.
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

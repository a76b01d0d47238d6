//! `cargo xtask fuzz`: the targets of `wayfarer_fuzz` for some time each.

use std::process::Command;

use crate::Context;
use crate::run::{self, say};

/// Options of `cargo xtask fuzz`.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Options {
    /// Seconds of processor time for each target.
    seconds: u64,
    /// The first seed of the seeded loops.
    seed: u64,
    targets: Vec<String>,
}

impl Options {
    /// Parses the arguments after `fuzz`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            seconds: 600,
            seed: 1 << 32,
            targets: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut number = |name: &str| {
                let text = words.next().ok_or(format!("{name} expects a number"))?;
                text.parse()
                    .map_err(|_error| format!("{name} expects a number, found {text}"))
            };
            match word {
                "--quick" => options.seconds = 60,
                "--seconds" => options.seconds = number(word)?,
                "--seed" => options.seed = number(word)?,
                _ if word.starts_with('-') => return Err(format!("unknown option {word}")),
                _ => options.targets.push(word.to_owned()),
            }
        }
        Ok(options)
    }
}

/// Runs the targets as seeded loops; then under cargo-fuzz those that are named, if it is installed.
pub(crate) fn run(context: &Context, options: &Options) -> Result<(), String> {
    let (seconds, seed) = (options.seconds.to_string(), options.seed.to_string());
    let mut words = vec![
        "run",
        "--release",
        "--package",
        "wayfarer_fuzz",
        "--",
        &seconds,
        &seed,
    ];
    words.extend(options.targets.iter().map(String::as_str));
    run::cargo(context, &words)?;
    let has_cargo_fuzz = Command::new("cargo")
        .args(["+nightly", "fuzz", "--version"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_cargo_fuzz {
        say("cargo-fuzz on nightly is not installed: the seeded loops are all");
        return Ok(());
    }
    for target in &options.targets {
        let limit = format!("-max_total_time={seconds}");
        let corpus = format!("fuzz/corpus/{target}");
        let folder = context.root.join(&corpus).display().to_string();
        let words = [
            "run",
            "--release",
            "--package",
            "wayfarer_fuzz",
            "--",
            "corpus",
            &folder,
            target,
        ];
        run::cargo(context, &words)?;
        let status = Command::new("cargo")
            .args(["+nightly", "fuzz", "run", "target", &corpus, "--", &limit])
            .env("WAYFARER_FUZZ_TARGET", target)
            .current_dir(&context.root)
            .status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(format!("cargo-fuzz found a fault of {target}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_seconds_seed_and_targets() {
        let options = Options::read(&["--quick", "--seed", "7", "saved"]).unwrap();
        assert_eq!((options.seconds, options.seed), (60, 7));
        assert_eq!(options.targets, ["saved"]);
        assert!(Options::read(&["--seconds", "long"]).is_err());
        assert!(Options::read(&["--fast"]).is_err());
    }
}

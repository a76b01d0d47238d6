//! What a command gives back: lines on the terminal, files that are whole or not there, JSON.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use wayfarer_bench::machine::{Machine, Pinned};

use crate::failure::Failure;

/// Where the result goes for other programs.
#[derive(Args, Debug)]
pub(crate) struct Json {
    /// Write the result as JSON to FILE; `-` is standard output, and then nothing else goes there
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What every JSON result begins with.
#[derive(Serialize)]
struct Envelope<'a, Body: Serialize> {
    schema: String,
    command: &'a str,
    version: &'static str,
    machine: Machine,
    #[serde(flatten)]
    body: &'a Body,
}

/// What a command will write once all of it is ready, so that a fault leaves nothing behind.
#[derive(Default)]
pub(crate) struct Output {
    text: String,
    files: Vec<(PathBuf, Vec<u8>)>,
    json: Option<String>,
}

impl Output {
    /// Adds a line for the reader.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// Adds a file.
    pub(crate) fn file(&mut self, path: &Path, bytes: Vec<u8>) {
        self.files.push((path.to_owned(), bytes));
    }

    /// Adds the result for other programs, if it was asked for.
    pub(crate) fn json(
        &mut self,
        wish: &Json,
        command: &str,
        body: &impl Serialize,
    ) -> Result<(), Failure> {
        if wish.json.is_none() {
            return Ok(());
        }
        let envelope = Envelope {
            schema: format!("wayfarer/{command}/1"),
            command,
            version: env!("CARGO_PKG_VERSION"),
            machine: Machine::here(&Pinned::No("not asked for")),
            body,
        };
        let mut text = serde_json::to_string_pretty(&envelope)
            .map_err(|error| Failure::OurFault(error.to_string()))?;
        text.push('\n');
        self.json_text(wish, text);
        Ok(())
    }

    /// Adds a result that is JSON already, if it was asked for.
    pub(crate) fn json_text(&mut self, wish: &Json, text: String) {
        if wish.takes_stdout() {
            self.json = Some(text);
        } else if let Some(path) = &wish.json {
            self.file(path, text.into_bytes());
        }
    }

    /// Writes the files, all or none, then speaks.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        for (index, (path, _)) in self.files.iter().enumerate() {
            if self.files[..index].iter().any(|(other, _)| other == path) {
                return Err(Failure::of_file(
                    path,
                    "two results would go to this one file",
                ));
            }
        }
        let mut parts = Vec::new();
        for (path, bytes) in &self.files {
            let part = part_of(path);
            let written = fs::write(&part, bytes);
            parts.push(part);
            if let Err(error) = written {
                remove(&parts);
                return Err(cannot_write(path, &error));
            }
        }
        for ((path, _), part) in self.files.iter().zip(&parts) {
            if let Err(error) = fs::rename(part, path) {
                remove(&parts);
                return Err(cannot_write(path, &error));
            }
        }
        say(self.json.as_deref().unwrap_or(&self.text))
    }
}

impl Json {
    fn takes_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    /// The file it will be written to, if any.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.json.as_deref().filter(|_| !self.takes_stdout())
    }
}

/// An error if a file could not be written there anyway, so that nobody waits in vain.
pub(crate) fn can_write<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    for path in paths {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if path.is_dir() || path.file_name().is_none() {
            return Err(Failure::of_file(path, "cannot write: it is a folder"));
        }
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(Failure::of_file(
                path,
                "cannot write: there is no such folder",
            ));
        }
    }
    Ok(())
}

/// The name a file has until it is whole.
fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

fn remove(parts: &[PathBuf]) {
    for part in parts {
        // It may never have been made.
        fs::remove_file(part).ok();
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::of_file(path, format!("cannot write: {error}"))
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever read has heard enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::BadInput(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

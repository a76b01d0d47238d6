//! What a command writes: lines on stdout, files all or none, JSON.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use wayfarer_measure::load;
use wayfarer_measure::machine::{self, Machine};

use crate::failure::Failure;

/// Where the JSON goes.
#[derive(Args, Debug)]
pub(crate) struct Json {
    /// Write the result as JSON to FILE; `-` is standard output, and then nothing else goes there
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
}

/// The first keys of every JSON result.
#[derive(Serialize)]
struct Envelope<'a, Body: Serialize> {
    schema: String,
    command: &'a str,
    version: &'static str,
    machine: Machine,
    #[serde(flatten)]
    body: &'a Body,
}

/// Everything that a command writes, held back until all of it is ready.
#[derive(Default)]
pub(crate) struct Output {
    text: String,
    files: Vec<(PathBuf, Vec<u8>)>,
    json: Option<String>,
}

impl Output {
    /// Adds a line of text.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// Adds a file.
    pub(crate) fn file(&mut self, path: &Path, bytes: Vec<u8>) {
        self.files.push((path.to_owned(), bytes));
    }

    /// Adds the JSON result if requested. `schema` is the command and the version of its keys, as
    /// in `path/2`: a changed key raises the version.
    pub(crate) fn json(
        &mut self,
        json: &Json,
        schema: &str,
        body: &impl Serialize,
    ) -> Result<(), Failure> {
        if json.json.is_none() {
            return Ok(());
        }
        let envelope = Envelope {
            schema: format!("wayfarer/{schema}"),
            command: schema.split('/').next().unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION"),
            machine: Machine::here(&machine::pin_if(false), cfg!(feature = "bench")),
            body,
        };
        let mut text = serde_json::to_string_pretty(&envelope)
            .map_err(|error| Failure::OurFault(error.to_string()))?;
        text.push('\n');
        self.json_text(json, text);
        Ok(())
    }

    /// Adds a result that is JSON already, if requested.
    pub(crate) fn json_text(&mut self, json: &Json, text: String) {
        if json.takes_stdout() {
            self.json = Some(text);
        } else if let Some(path) = &json.json {
            self.file(path, text.into_bytes());
        }
    }

    /// Writes the files, all or none, then the text.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let is_reserved = |path: &PathBuf| load::is_reserved_output(path);
        if let Some((path, _)) = self.files.iter().find(|(path, _)| !is_reserved(path)) {
            let reason = format!("{}: written without a check that it may be", path.display());
            return Err(Failure::OurFault(reason));
        }
        self.write_files()?;
        print(self.json.as_deref().unwrap_or(&self.text))
    }

    fn write_files(&self) -> Result<(), Failure> {
        for (index, (path, _)) in self.files.iter().enumerate() {
            if self.files[..index].iter().any(|(other, _)| other == path) {
                let reason = "two results would go to this one file";
                return Err(Failure::for_file(path, reason));
            }
        }
        wayfarer_store::write_files(&self.files)
            .map_err(|error| Failure::BadInput(error.to_string()))
    }
}

impl Json {
    fn takes_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    /// The file it is written to, if any.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.json.as_deref().filter(|_| !self.takes_stdout())
    }
}

/// Checks before the work that the files can be written, and reserves them: the command cannot
/// read them any more, so no result overwrites its own input.
pub(crate) fn can_write<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    for path in paths {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if path.is_dir() || path.file_name().is_none() {
            return Err(Failure::for_file(path, "cannot write: it is a folder"));
        }
        if folder.is_some_and(|folder| !folder.is_dir()) {
            let reason = "cannot write: there is no such folder";
            return Err(Failure::for_file(path, reason));
        }
        load::reserve_output(path);
    }
    Ok(())
}

/// Makes the folder that results go into, if it is missing.
pub(crate) fn create_folder(folder: &Path) -> Result<(), Failure> {
    let made = fs::create_dir_all(folder);
    made.map_err(|error| Failure::for_file(folder, format!("cannot write into it: {error}")))
}

/// An error unless the file has that extension.
pub(crate) fn must_end_in(path: &Path, end: &str) -> Result<(), Failure> {
    if path.extension().is_some_and(|found| found == end) {
        return Ok(());
    }
    let reason = format!("the name must end in .{end}");
    Err(Failure::for_file(path, reason))
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // The reader closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::BadInput(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

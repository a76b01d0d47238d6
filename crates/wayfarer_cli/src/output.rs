//! What a command gives back: lines on the terminal, files that are whole or not there, JSON.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use wayfarer_measure::machine::{self, Machine};

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
            machine: Machine::here(&machine::pin_if(false), cfg!(feature = "bench")),
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
        let is_known = |path: &PathBuf| wayfarer_measure::load::is_reserved_output(path);
        if let Some((path, _)) = self.files.iter().find(|(path, _)| !is_known(path)) {
            let why = format!("{}: nobody asked whether it may be written", path.display());
            return Err(Failure::OurFault(why));
        }
        self.place()?;
        say(self.json.as_deref().unwrap_or(&self.text))
    }

    /// Writes all files under other names first; only when all are whole, each gets its own.
    fn place(&self) -> Result<(), Failure> {
        for (index, (path, _)) in self.files.iter().enumerate() {
            if self.files[..index].iter().any(|(other, _)| other == path) {
                return Err(Failure::of_file(
                    path,
                    "two results would go to this one file",
                ));
            }
        }
        let mut placing = Placing::default();
        for (path, bytes) in &self.files {
            let written = placing.write(path, bytes);
            written.map_err(|error| placing.give_up(path, &error))?;
        }
        for index in 0..placing.files.len() {
            let renamed = placing.rename(index);
            renamed.map_err(|error| placing.give_up(&self.files[index].0, &error))?;
        }
        placing.clear_previous();
        Ok(())
    }
}

/// Files on their way to their names.
#[derive(Default)]
struct Placing {
    files: Vec<Placed>,
}

struct Placed {
    path: PathBuf,
    /// The name it has until it is whole; none for what is no plain file, such as a pipe: that is
    /// written to as it is.
    part: Option<PathBuf>,
    /// Another name of what was there before.
    previous: Option<PathBuf>,
    done: bool,
}

impl Placing {
    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let special = fs::metadata(path).is_ok_and(|known| !known.is_file());
        let part = (!special).then(|| beside(path, "part"));
        self.files.push(Placed {
            path: path.to_owned(),
            part: part.clone(),
            previous: None,
            done: false,
        });
        match part {
            Some(part) => fs::write(part, bytes),
            None => fs::OpenOptions::new()
                .write(true)
                .open(path)
                .and_then(|mut file| file.write_all(bytes)),
        }
    }

    fn rename(&mut self, index: usize) -> io::Result<()> {
        let last = index + 1 == self.files.len();
        let file = &mut self.files[index];
        let Some(part) = &file.part else {
            return Ok(());
        };
        // If a later file fails, what was there before must come back.
        if !last && file.path.is_file() {
            let previous = beside(&file.path, "former");
            fs::hard_link(&file.path, &previous)
                .or_else(|_unsupported| fs::copy(&file.path, &previous).map(|_bytes| ()))?;
            file.previous = Some(previous);
        }
        fs::rename(part, &file.path)?;
        file.done = true;
        Ok(())
    }

    /// Takes back all that was done, and says why.
    fn give_up(&mut self, path: &Path, error: &io::Error) -> Failure {
        for file in self.files.drain(..) {
            // What cannot be taken back, nobody can help.
            match (&file.previous, file.done) {
                (Some(previous), true) => fs::rename(previous, &file.path).ok(),
                (None, true) => fs::remove_file(&file.path).ok(),
                (previous, false) => previous
                    .iter()
                    .chain(&file.part)
                    .try_for_each(fs::remove_file)
                    .ok(),
            };
        }
        Failure::of_file(path, format!("cannot write: {error}"))
    }

    fn clear_previous(&self) {
        for previous in self.files.iter().filter_map(|file| file.previous.as_ref()) {
            fs::remove_file(previous).ok();
        }
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

/// An error if a file could not be written there anyway, so that nobody waits in vain. None of
/// them can be read from then on: a result never goes over what it was made from.
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
        wayfarer_measure::load::reserve_output(path);
    }
    Ok(())
}

/// Makes the folder that results will go into, if there is none; an error if that cannot be.
pub(crate) fn can_fill(folder: &Path) -> Result<(), Failure> {
    let made = fs::create_dir_all(folder);
    made.map_err(|error| Failure::of_file(folder, format!("cannot write into it: {error}")))
}

/// A name beside the file's own that nothing else has.
fn beside(path: &Path, what: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.{what}", std::process::id()))
}

/// An error unless the file's name ends as its contents will ask for.
pub(crate) fn must_end_in(path: &Path, end: &str) -> Result<(), Failure> {
    if path.extension().is_some_and(|found| found == end) {
        return Ok(());
    }
    Err(Failure::of_file(
        path,
        format!("the name must end in .{end}"),
    ))
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

#[cfg(test)]
mod tests;

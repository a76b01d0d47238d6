//! A folder for one test, and runs of the program in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The result of one run.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {}", self.out))
    }
}

/// An empty folder for one test.
pub(crate) struct Room {
    folder: PathBuf,
}

impl Room {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    pub(crate) fn run(&self, line: &str) -> Run {
        self.run_command(&mut Command::new(env!("CARGO_BIN_EXE_wayfarer")), line)
    }

    /// A run within a limit of virtual memory.
    #[cfg(unix)]
    pub(crate) fn run_within(&self, kilobytes: u32, line: &str) -> Run {
        let limited = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limited, env!("CARGO_BIN_EXE_wayfarer")]);
        self.run_command(&mut shell, line)
    }

    fn run_command(&self, command: &mut Command, line: &str) -> Run {
        let output = command
            .args(line.split_whitespace())
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run {
            code: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// A run that must exit with 0 and print no error.
    #[track_caller]
    pub(crate) fn done(&self, line: &str) -> Run {
        let run = self.run(line);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{line}");
        run
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub(crate) fn create_folder(&self, name: &str) {
        fs::create_dir(self.folder.join(name)).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Every file here and below, with its size, sorted.
    pub(crate) fn files(&self) -> Vec<(PathBuf, u64)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.path().is_dir() {
                    folders.push(entry.path());
                }
                files.push((entry.path(), entry.metadata().unwrap().len()));
            }
        }
        files.sort();
        files
    }

    /// Every file here and below with its contents.
    pub(crate) fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = self.files().into_iter().map(|(path, _)| path);
        let files = files.filter(|path| path.is_file());
        files
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect()
    }
}

/// A map file from rows: `.` ground, `S` swamp, `W` water, `@` nothing.
pub(crate) fn map(rows: &[&str]) -> String {
    let (width, height) = (rows[0].len(), rows.len());
    let rows = rows.join("\n");
    format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}\n")
}

/// The pixels of a PNG.
pub(crate) struct Pixels {
    pub(crate) width: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Pixels {
    pub(crate) fn of(png: &[u8]) -> Self {
        let decoder = png::Decoder::new(std::io::Cursor::new(png));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        Self {
            width: info.width as usize,
            bytes,
        }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let first = (y * self.width + x) * 3;
        self.bytes[first..first + 3].try_into().unwrap()
    }

    /// The center of a cell of the map, drawn at 20 pixels per cell below a title.
    pub(crate) fn cell(&self, x: usize, y: usize) -> [u8; 3] {
        self.at(24 + x * 20 + 10, 24 + 34 + y * 20 + 10)
    }
}

//! Temporary folders of the tests, with maps in them.

use std::fs;
use std::path::PathBuf;

/// A folder of one test, removed with it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("wayfarer_bench_{}_{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// Writes a map whose rows are drawn with `.` and `@`.
    pub(crate) fn write_map(&self, name: &str, rows: &[impl AsRef<str>]) {
        self.write(name, &octile(rows));
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.clone()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind lies among the system's temporary files.
        let _removed = fs::remove_dir_all(&self.0);
    }
}

/// The text of a map whose rows are drawn with `.` and `@`.
pub(crate) fn octile(rows: &[impl AsRef<str>]) -> String {
    let rows: Vec<&str> = rows.iter().map(AsRef::as_ref).collect();
    let (width, height) = (rows[0].len(), rows.len());
    let rows = rows.join("\n");
    format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}\n")
}

//! Atomic replacement of groups of files.

use super::*;

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let unique = format!("wayfarer-files-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(unique);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_failed_write_replaces_no_file_and_leaves_no_temporary_one() {
    let folder = folder("all-or-none");
    fs::write(folder.join("old"), "before").unwrap();
    // A folder cannot be written to.
    fs::create_dir(folder.join("late")).unwrap();
    let files = ["old", "new", "late"].map(|name| (folder.join(name), "after"));
    let error = write_files(&files).unwrap_err().to_string();
    assert!(error.contains("late: cannot write it"), "{error}");
    assert_eq!(names(&folder), ["late", "old"]);
    assert_eq!(fs::read(folder.join("old")).unwrap(), b"before");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_failed_rename_restores_the_files_renamed_before_it() {
    let folder = folder("roll-back");
    fs::write(folder.join("old"), "before").unwrap();
    let mut batch = Batch::default();
    for name in ["old", "new", "last"] {
        batch.write(&folder.join(name), b"after").unwrap();
    }
    fs::remove_file(beside(&folder.join("last"), "part")).unwrap();
    let error = batch.rename_all().unwrap_err().to_string();
    assert!(error.contains("last: cannot put"), "{error}");
    batch.roll_back();
    assert_eq!(names(&folder), ["old"]);
    assert_eq!(fs::read(folder.join("old")).unwrap(), b"before");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_are_replaced_and_nothing_else_is_left() {
    let folder = folder("replace");
    for round in ["one", "two"] {
        let files = ["a", "b"].map(|name| (folder.join(name), round));
        write_files(&files).unwrap();
        assert_eq!(names(&folder), ["a", "b"]);
        assert_eq!(fs::read(folder.join("a")).unwrap(), round.as_bytes());
    }
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_device_is_written_in_place() {
    let link = folder("special").join("nowhere");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    write_files(&[(link.clone(), "gone")]).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    fs::remove_dir_all(link.parent().unwrap()).unwrap();
}

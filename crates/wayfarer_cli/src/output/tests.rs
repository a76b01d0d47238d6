use super::*;

/// A folder of its own.
fn folder(name: &str) -> PathBuf {
    let unique = format!("wayfarer-output-{name}-{}", std::process::id());
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
fn if_one_file_cannot_be_placed_none_is_and_what_was_there_stays() {
    let folder = folder("all-or-none");
    fs::write(folder.join("old"), "before").unwrap();
    let mut out = Output::default();
    out.file(&folder.join("old"), b"after".to_vec());
    out.file(&folder.join("new"), b"after".to_vec());
    let part = beside(&folder.join("late"), "part");
    out.file(&folder.join("late"), b"after".to_vec());
    // A folder of its name comes in between: it is no plain file, and cannot be written to.
    fs::create_dir(folder.join("late")).unwrap();
    let failure = out.place().unwrap_err().to_string();
    assert!(failure.contains("late: cannot write"), "{failure}");
    assert_eq!(names(&folder), ["late", "old"]);
    assert_eq!(fs::read(folder.join("old")).unwrap(), b"before");

    let mut placing = Placing::default();
    for name in ["old", "new", "last"] {
        placing.write(&folder.join(name), b"after").unwrap();
    }
    placing.rename(0).unwrap();
    placing.rename(1).unwrap();
    fs::remove_file(beside(&folder.join("last"), "part")).unwrap();
    let error = placing.rename(2).unwrap_err();
    placing.give_up(&folder.join("last"), &error);
    assert_eq!(names(&folder), ["late", "old"]);
    assert_eq!(fs::read(folder.join("old")).unwrap(), b"before");
    assert!(!part.exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_replace_those_of_their_names_and_leave_nothing_else() {
    let folder = folder("replace");
    for round in ["one", "two"] {
        let mut out = Output::default();
        for name in ["a", "b"] {
            out.file(&folder.join(name), round.as_bytes().to_vec());
        }
        out.place().unwrap();
        assert_eq!(names(&folder), ["a", "b"]);
        assert_eq!(fs::read(folder.join("a")).unwrap(), round.as_bytes());
    }
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_written_to_and_not_replaced() {
    let link = folder("special").join("nowhere");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    let mut out = Output::default();
    out.file(&link, b"gone".to_vec());
    out.place().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    fs::remove_dir_all(link.parent().unwrap()).unwrap();
}

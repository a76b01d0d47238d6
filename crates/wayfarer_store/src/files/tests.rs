//! Atomic replacement of groups of files.

use std::fs;

use wayfarer_engine::base::Rng;

use super::*;
use crate::disk::simulated::{Fault, SimulatedDisk};

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

#[test]
fn threads_that_write_one_file_leave_one_whole_version_of_it() {
    let folder = folder("threads");
    let target = folder.join("world");
    std::thread::scope(|scope| {
        for version in 1..=4_u8 {
            let target = &target;
            scope.spawn(move || {
                for round in 0..40 {
                    let length = usize::from(version) * 5_000 + round;
                    let files = [(target.clone(), vec![version; length])];
                    write_files(&files).unwrap();
                    let found = fs::read(target).unwrap();
                    assert!(found.iter().all(|byte| *byte == found[0]), "torn");
                    assert_eq!(found.len() / 5_000, usize::from(found[0]), "torn");
                }
            });
        }
    });
    assert_eq!(names(&folder), ["world"]);
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn temporary_files_of_dead_processes_are_removed_and_others_stay() {
    let folder = folder("orphans");
    let orphans = [
        ".world.wayfarer-99-3.part",
        ".world.wayfarer-7-0.backup",
        ".other.wayfarer-99-3.part",
    ];
    let others = [
        ".world.notes.part",
        ".world.wayfarer-7-0.swp",
        "a.wayfarer-1-1.part",
    ];
    for name in orphans.iter().chain(&others) {
        fs::write(folder.join(name), "left behind").unwrap();
    }
    // Another write is in progress: none of them may be touched.
    let lock = SystemDisk.lock_folder(&folder, false).unwrap();
    write_files(&[(folder.join("world"), "new")]).unwrap();
    assert_eq!(names(&folder).len(), 7);
    drop(lock);
    write_files(&[(folder.join("world"), "newer")]).unwrap();
    let mut expected = others.to_vec();
    expected.push("world");
    expected.sort_unstable();
    assert_eq!(names(&folder), expected);
    fs::write(folder.join(orphans[0]), "left behind").unwrap();
    assert_eq!(remove_orphans(&folder).unwrap(), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn links_and_permissions_survive() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = folder("links");
    fs::create_dir(folder.join("real")).unwrap();
    let real = folder.join("real/world");
    fs::write(&real, "before").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/world", folder.join("link")).unwrap();
    symlink("link", folder.join("link-to-link")).unwrap();
    symlink("real/later", folder.join("dangling")).unwrap();
    for (name, real) in [
        ("link", "real/world"),
        ("link-to-link", "real/world"),
        ("dangling", "real/later"),
    ] {
        write_files(&[(folder.join(name), name)]).unwrap();
        let known = fs::symlink_metadata(folder.join(name)).unwrap();
        assert!(known.is_symlink(), "{name}");
        assert_eq!(fs::read(folder.join(real)).unwrap(), name.as_bytes());
    }
    let mode = fs::metadata(&real).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(names(&folder.join("real")), ["later", "world"]);
    fs::remove_dir_all(folder).unwrap();
}

/// Two files that stand on a simulated disk, and a group that replaces them and adds one.
fn group(version: &str) -> [(PathBuf, String); 3] {
    ["a", "b", "c"].map(|name| {
        let path = Path::new("/worlds").join(name);
        (path, format!("{name} of the {version} version"))
    })
}

fn standing() -> SimulatedDisk {
    let disk = SimulatedDisk::default();
    for (path, bytes) in &group("old")[..2] {
        disk.put(path, bytes.as_bytes(), 0o640);
    }
    disk
}

#[test]
fn a_call_that_fails_leaves_the_old_files_and_no_other() {
    for fault in [Fault::Fails, Fault::FailsLate, Fault::NoSpace] {
        for n_calls in 0.. {
            let disk = standing();
            disk.plan(n_calls, fault);
            let done = write_files_on(&disk, &group("new"));
            let fired = disk.fired();
            let case = format!("{fault:?} at call {n_calls}, {fired:?}");
            // The last calls remove backups; what fails there is swept by the next write.
            match done {
                Ok(()) => {
                    check_files(&disk, "new", &case);
                    disk.restart(&mut Rng::new(1));
                    write_files_on(&disk, &group("next")).unwrap();
                    check_files(&disk, "next", &case);
                    assert_eq!(disk.file_names(), ["a", "b", "c"], "{case}");
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with("/worlds"), "{case}: {error}");
                    check_files(&disk, "old", &case);
                }
            }
            if fired.is_none() {
                assert!(n_calls > 12, "{case}");
                break;
            }
        }
    }
}

#[test]
fn after_a_kill_or_a_power_cut_every_file_is_whole_and_the_next_write_sweeps() {
    let mut n_cuts = 0;
    for fault in [Fault::Kill, Fault::PowerCut] {
        for n_calls in 0.. {
            let mut has_fired = false;
            for seed in 0..24 {
                let disk = standing();
                disk.plan(n_calls, fault);
                let done = write_files_on(&disk, &group("new")).is_ok();
                let case = format!("{fault:?} at call {n_calls}, {:?}", disk.fired());
                has_fired |= disk.fired().is_some();
                n_cuts += usize::from(has_fired);
                disk.restart(&mut Rng::new(seed));
                for ((path, new), (_, old)) in group("new").iter().zip(group("old")) {
                    let found = disk.contents(path).unwrap_or_default();
                    let is_new = found == new.as_bytes();
                    let is_old = found == old.as_bytes() || found.is_empty() && path.ends_with("c");
                    assert!(is_new || !done && is_old, "{case} seed {seed}");
                }
                write_files_on(&disk, &group("next")).unwrap();
                check_files(&disk, "next", &case);
                assert_eq!(disk.file_names(), ["a", "b", "c"], "{case} seed {seed}");
            }
            if !has_fired {
                break;
            }
        }
    }
    assert!(n_cuts > 1_000, "{n_cuts}");
}

fn check_files(disk: &SimulatedDisk, version: &str, case: &str) {
    for (path, bytes) in group(version) {
        let found = disk.contents(&path);
        if version == "old" && path.ends_with("c") {
            assert_eq!(found, None, "{case}");
            continue;
        }
        assert_eq!(
            found,
            Some(bytes.into_bytes()),
            "{case}: {}",
            path.display()
        );
        let mode = if path.ends_with("c") { 0o644 } else { 0o640 };
        assert_eq!(disk.mode(&path), mode, "{case}");
    }
}

//! Saves, loads and failures on disk.

use wayfarer_engine::base::{Cell, GroundEdit, Raster};

use super::*;

/// A folder for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let unique = format!("wayfarer-store-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(unique);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn meadow() -> World {
    World::from_raster(&Raster::from_bytes(20, 20, vec![0; 400]).unwrap())
}

#[test]
fn a_second_save_replaces_the_first_and_leaves_no_other_file() {
    let folder = Folder::new("second");
    let path = folder.0.join("a.wayfarer");
    let mut world = meadow();
    save(&world, &path).unwrap();
    let cell = Cell::flat(3, 3);
    world.apply([GroundEdit::RemoveCell { cell }]).unwrap();
    save(&world, &path).unwrap();
    assert_eq!(load(&path).unwrap().save(), world.save());
    assert_eq!(folder.names(), ["a.wayfarer"]);
}

#[test]
fn errors_name_the_file_and_leave_no_temporary_file() {
    let folder = Folder::new("errors");
    let missing = folder.0.join("no.wayfarer");
    let error = load(&missing).unwrap_err().to_string();
    assert!(error.contains("no.wayfarer: cannot read it: "), "{error}");

    let damaged = folder.0.join("damaged.wayfarer");
    let mut bytes = meadow().save();
    bytes.truncate(100);
    fs::write(&damaged, bytes).unwrap();
    let error = load(&damaged).unwrap_err().to_string();
    assert!(
        error.contains("damaged.wayfarer: byte 16: 100 bytes, expected"),
        "{error}"
    );

    let taken = folder.0.join("taken");
    fs::create_dir_all(taken.join("by a folder")).unwrap();
    let error = save(&meadow(), &taken).unwrap_err().to_string();
    assert!(error.contains("taken: cannot write it: "), "{error}");
    assert_eq!(folder.names(), ["damaged.wayfarer", "taken"]);
}

#[test]
fn a_file_above_the_limit_is_refused_before_it_is_read() {
    let folder = Folder::new("large");
    let path = folder.0.join("large.wayfarer");
    // Sparse: it takes no space.
    let file = fs::File::create(&path).unwrap();
    file.set_len(MAX_FILE_BYTES + 1).unwrap();
    let error = load(&path).unwrap_err();
    assert!(
        matches!(error, StoreError::TooLarge { found, .. } if found == MAX_FILE_BYTES + 1),
        "{error}"
    );
}

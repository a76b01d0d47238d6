//! Journals on disk and on a simulated one that fails, tears, is killed and loses power.

use std::fs;

use wayfarer_engine::base::{Cell, Fixed, GroundEdit, Point2, Profile, Rng, Terrain};
use wayfarer_engine::world::bodies::{Body, Footprint, Mount, Sensor};
use wayfarer_engine::{AgentType, BodyEdit};

use super::*;
use crate::disk::simulated::{Fault, SimulatedDisk};

mod faults;

/// An empty folder for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let unique = format!("wayfarer-journal-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(unique);
        fs::remove_dir_all(&path).ok();
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

fn empty_world() -> World {
    World::new(Profile::DEFAULT).unwrap()
}

fn options(sync_every: u32, snapshot_every: u64) -> JournalOptions {
    JournalOptions {
        sync_every,
        snapshot_every,
        keep_snapshots: 1,
    }
}

/// The command of a number: batches of several kinds, and calls that are no edits.
fn command(number: u32) -> Command {
    let mut rng = Rng::new(number.into());
    let mut at = || Fixed::from_raw(rng.between(0, 4_000));
    let point = Point2::new(at(), at());
    let x = i32::try_from(number % 20).unwrap();
    match number % 7 {
        0 => Command::AddAgentType(AgentType::from(Profile {
            keys: number,
            ..Profile::DEFAULT
        })),
        1 => {
            let circle = Footprint::circle(point, Fixed::from_raw(900));
            Command::AddSensor(Sensor::new(Mount::Point(point), circle))
        }
        2 => Command::UpdateSensors,
        3 => Command::Apply(vec![BodyEdit::Register(Body::at(point)).into()]),
        _ => {
            let cells = (0..1 + number % 4).map(|y| GroundEdit::PutCell {
                cell: Cell::flat(x, i32::try_from(y).unwrap()),
                terrain: Terrain::GROUND,
            });
            Command::Apply(cells.map(Edit::from).collect())
        }
    }
}

/// The bytes of the world after each number of commands.
fn expected_saves(n_commands: u32) -> Vec<Vec<u8>> {
    let mut world = empty_world();
    let mut saves = vec![world.save()];
    for number in 0..n_commands {
        world.execute(command(number)).unwrap();
        saves.push(world.save());
    }
    saves
}

fn save_at(saves: &[Vec<u8>], n_commands: u64) -> &Vec<u8> {
    &saves[usize::try_from(n_commands).unwrap()]
}

#[test]
fn a_journal_opens_in_the_state_it_was_left_in_and_goes_on() {
    let saves = expected_saves(40);
    for (sync_every, snapshot_every) in [(1, 1), (1, 5), (4, 5), (3, 1_000)] {
        let folder = Folder::new(&format!("open-{sync_every}-{snapshot_every}"));
        let options = options(sync_every, snapshot_every);
        let mut journal = Journal::create(&folder.0, empty_world(), options).unwrap();
        for number in 0..40 {
            journal.execute(command(number)).unwrap();
            // Between visits of any length the world is the same.
            if number % 6 == 5 {
                journal.commit().unwrap();
                assert_eq!(
                    journal.accepted(),
                    (u64::from(number) + 1, journal.revision())
                );
                drop(journal);
                let (again, recovery) = Journal::open(&folder.0, options).unwrap();
                assert_eq!(
                    recovery.n_before + recovery.n_replayed,
                    u64::from(number) + 1
                );
                assert_eq!(
                    (recovery.n_cut_bytes, recovery.unread_snapshots),
                    (0, vec![])
                );
                journal = again;
            }
            assert!(journal.save() == saves[number as usize + 1], "{number}");
        }
        let info = journal_info(&folder.0).unwrap();
        assert!(info.snapshots.len() <= 2 && info.segments.len() <= 2);
        let last = info.segments.last().unwrap();
        assert!(last.n_commands <= snapshot_every, "{last:?}");
        let n_files = 1 + info.snapshots.len() + info.segments.len();
        assert_eq!(folder.names().len(), n_files, "{:?}", folder.names());
    }
}

#[test]
fn a_cut_at_any_byte_leaves_the_commands_before_it() {
    let folder = Folder::new("cut");
    let saves = expected_saves(9);
    let mut journal = Journal::create(&folder.0, empty_world(), options(1, 1_000)).unwrap();
    let path = folder::segment_path(&folder.0, 0);
    let mut ends = vec![fs::metadata(&path).unwrap().len()];
    for number in 0..9 {
        journal.execute(command(number)).unwrap();
        ends.push(fs::metadata(&path).unwrap().len());
    }
    drop(journal);
    let whole = fs::read(&path).unwrap();
    for length in ends[0]..=whole.len() as u64 {
        fs::write(&path, &whole[..usize::try_from(length).unwrap()]).unwrap();
        let n_whole = ends.iter().filter(|end| **end <= length).count() - 1;
        let (mut journal, recovery) = Journal::open(&folder.0, options(1, 1_000)).unwrap();
        assert_eq!(recovery.n_replayed, n_whole as u64, "cut at {length}");
        assert_eq!(recovery.n_cut_bytes, length - ends[n_whole]);
        assert!(journal.save() == saves[n_whole], "cut at {length}");
        // It goes on where it was cut.
        if n_whole < 9 {
            let next = u32::try_from(n_whole).unwrap();
            journal.execute(command(next)).unwrap();
            drop(journal);
            let (journal, recovery) = Journal::open(&folder.0, options(1, 1_000)).unwrap();
            assert_eq!(recovery.n_cut_bytes, 0);
            assert!(journal.save() == saves[n_whole + 1], "cut at {length}");
        }
    }
    // A header is never torn: it is written like a save.
    fs::write(&path, &whole[..20]).unwrap();
    let error = Journal::open(&folder.0, options(1, 5)).unwrap_err();
    assert!(
        error.to_string().contains("20 bytes, expected a header"),
        "{error}"
    );
}

#[test]
fn a_reader_follows_a_live_journal_and_rewinds() {
    let folder = Folder::new("reader");
    let saves = expected_saves(60);
    let kept = JournalOptions {
        keep_snapshots: 2,
        ..options(2, 8)
    };
    let mut journal = Journal::create(&folder.0, empty_world(), kept).unwrap();
    let mut reader = JournalReader::open(&folder.0).unwrap();
    let mut lagging = JournalReader::open(&folder.0).unwrap();
    for number in 0..60 {
        journal.execute(command(number)).unwrap();
        if number % 5 == 4 {
            journal.commit().unwrap();
        }
        while reader.poll().unwrap().is_some() {}
        let n_written = journal.accepted().0;
        assert_eq!(reader.n_read(), n_written);
        assert!(
            reader.world().save() == *save_at(&saves, n_written),
            "{number}"
        );
    }
    // One that never read has lost its segment.
    let error = lagging.poll().unwrap_err();
    assert!(
        matches!(error, JournalError::Lagged { n_read: 0 }),
        "{error}"
    );

    // Every revision that is kept, at its last command.
    let info = journal_info(&folder.0).unwrap();
    let n_first = info.snapshots[0].n_before;
    let mut last_at = std::collections::BTreeMap::new();
    for n_commands in n_first..=60 {
        let world = World::load(save_at(&saves, n_commands)).unwrap();
        last_at.insert(world.revision().number, n_commands);
    }
    for (revision, n_commands) in &last_at {
        let reader = JournalReader::at_revision(&folder.0, *revision).unwrap();
        assert_eq!(reader.n_read(), *n_commands);
        assert!(reader.into_world().save() == *save_at(&saves, *n_commands));
    }
    let (first, last) = (last_at.keys().min().unwrap(), last_at.keys().max().unwrap());
    for wanted in [first - 1, last + 1] {
        let error = JournalReader::at_revision(&folder.0, wanted).unwrap_err();
        let report = format!("revision {wanted}, expected {first} to {last}");
        assert_eq!(error.to_string(), report);
    }
}

#[test]
fn refused_commands_are_not_recorded() {
    let folder = Folder::new("refused");
    let mut journal = Journal::create(&folder.0, empty_world(), options(1, 4)).unwrap();
    let far = GroundEdit::PutCell {
        cell: Cell::flat(i32::MAX, 0),
        terrain: Terrain::GROUND,
    };
    let error = journal.apply([far]).unwrap_err();
    assert!(matches!(error, JournalError::Command(_)), "{error}");
    assert_eq!(journal.accepted().0, 0);
    journal.execute(command(4)).unwrap();
    assert_eq!(journal.accepted().0, 1);
}

#[test]
fn a_folder_has_one_writer_and_one_journal() {
    let folder = Folder::new("one");
    let error = Journal::open(&folder.0, options(1, 4)).unwrap_err();
    assert!(error.to_string().contains("cannot list it"), "{error}");
    let journal = Journal::create(&folder.0, empty_world(), options(1, 4)).unwrap();
    let error = Journal::open(&folder.0, options(1, 4)).unwrap_err();
    assert!(matches!(error, JournalError::InUse { .. }), "{error}");
    drop(journal);
    let error = Journal::create(&folder.0, empty_world(), options(1, 4)).unwrap_err();
    assert!(matches!(error, JournalError::Exists { .. }), "{error}");
    fs::remove_dir_all(&folder.0).unwrap();
    fs::create_dir(&folder.0).unwrap();
    let error = Journal::open(&folder.0, options(1, 4)).unwrap_err();
    assert!(matches!(error, JournalError::Missing { .. }), "{error}");
}

#[test]
fn damage_is_reported_and_an_older_snapshot_serves_if_it_can() {
    let folder = Folder::new("damage");
    let saves = expected_saves(10);
    let mut journal = Journal::create(&folder.0, empty_world(), options(1, 4)).unwrap();
    for number in 0..10 {
        journal.execute(command(number)).unwrap();
    }
    drop(journal);
    let snapshot = folder::snapshot_path(&folder.0, 8);
    let whole = fs::read(&snapshot).unwrap();
    fs::write(&snapshot, &whole[..whole.len() / 2]).unwrap();
    let (journal, recovery) = Journal::open(&folder.0, options(1, 4)).unwrap();
    assert_eq!((recovery.n_before, recovery.n_replayed), (4, 6));
    assert_eq!(recovery.unread_snapshots.len(), 1);
    assert!(journal.save() == saves[10]);
    drop(journal);

    // Now the segment that would replace it is damaged in the middle.
    let segment = folder::segment_path(&folder.0, 4);
    let mut bytes = fs::read(&segment).unwrap();
    bytes[100] ^= 1;
    fs::write(&segment, bytes).unwrap();
    let error = Journal::open(&folder.0, options(1, 4)).unwrap_err();
    assert!(
        error.to_string().contains("but a later file goes on"),
        "{error}"
    );
}

#[test]
fn files_with_numbers_that_would_overflow_are_not_ours() {
    let folder = Folder::new("overflow");
    let mut journal = Journal::create(&folder.0, empty_world(), options(1, 100)).unwrap();
    journal.execute(command(4)).unwrap();
    drop(journal);
    for number in [u64::MAX, 1 << 63] {
        for name in ["wayfarer", "journal"] {
            let from = folder.0.join(format!("{:020}.{name}", 0));
            fs::copy(from, folder.0.join(format!("{number}.{name}"))).unwrap();
        }
    }
    let (journal, recovery) = Journal::open(&folder.0, options(1, 100)).unwrap();
    assert_eq!((recovery.n_before, recovery.n_replayed), (0, 1));
    drop(journal);
    assert_eq!(journal_info(&folder.0).unwrap().segments.len(), 1);
}

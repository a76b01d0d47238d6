//! Journals: live, torn and forged folders of snapshots and segments, and single commands.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use wayfarer_engine::base::{
    Cell, Column, Digest, Fixed, GroundEdit, Point2, Profile, Rect, Shape, Terrain,
};
use wayfarer_engine::world::bodies::{Body, Footprint, Mount, Sensor};
use wayfarer_engine::world::ground::Ground;
use wayfarer_engine::{AgentType, BodyEdit, Command, Edit, Position, Solid, World};
use wayfarer_store::{Journal, JournalOptions, JournalReader, journal_info};

use crate::saved;

const OPTIONS: JournalOptions = JournalOptions {
    sync_every: 1,
    snapshot_every: 4,
    keep_snapshots: 2,
};
/// Bytes of a file's entry before its content: kind, number, length.
const ENTRY: usize = 13;
const HEADER: usize = 48;
const PREFIX: usize = 32;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // In memory where that can be had: millions of small files.
        let shared = Path::new("/dev/shm");
        let base = if shared.is_dir() {
            shared.to_owned()
        } else {
            std::env::temp_dir()
        };
        let folder = base.join(format!("wayfarer-fuzz-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Commands of every kind.
fn commands() -> Vec<Command> {
    let floor = |x: i32| GroundEdit::PutCell {
        cell: Cell::flat(x, 0),
        terrain: Terrain::GROUND,
    };
    let meadow = GroundEdit::Fill {
        shape: Shape::Box(Rect::around(Column::new(0, 0), Column::new(9, 9))),
        z: 0,
        terrain: Terrain::SWAMP,
    };
    let point = Point2::new(Fixed::from_raw(300), Fixed::from_raw(500));
    let circle = Footprint::circle(point, Fixed::from_raw(900));
    let high = Position::new(4.0, 4.0, 2.0);
    let wide = Profile {
        radius: Fixed::from_raw(200),
        ..Profile::DEFAULT
    };
    vec![
        Command::Apply(vec![meadow.into()]),
        Command::AddAgentType(AgentType::from(wide)),
        Command::Apply(vec![BodyEdit::Register(Body::at(point)).into()]),
        Command::AddSensor(Sensor::new(Mount::Point(point), circle)),
        Command::UpdateSensors,
        Command::Apply(vec![Edit::add_solid(Solid::cuboid(
            Position::new(2.0, 2.0, 0.0),
            high,
        ))]),
        Command::Apply(vec![floor(20).into(), floor(21).into()]),
    ]
}

/// Journals as one list of files each: of one segment, of several, and torn.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (n_commands, snapshot_every) in [(3, 100), (7, 3), (7, 1)] {
        let folder = Folder::new();
        let world = World::new(Profile::DEFAULT).unwrap();
        let options = JournalOptions {
            snapshot_every,
            ..OPTIONS
        };
        let mut journal = Journal::create(&folder.0, world, options).unwrap();
        for command in commands().into_iter().take(n_commands) {
            journal.execute(command).unwrap();
        }
        drop(journal);
        let packed = pack(&folder.0);
        seeds.push(packed[..packed.len() - 5].to_vec());
        seeds.push(packed);
    }
    seeds
}

/// The files of a journal, one after another.
fn pack(folder: &Path) -> Vec<u8> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut packed = Vec::new();
    for name in names.iter().filter(|name| *name != "lock") {
        let (number, extension) = name.split_once('.').unwrap();
        let content = fs::read(folder.join(name)).unwrap();
        packed.push(u8::from(extension == "journal"));
        packed.extend(number.parse::<u64>().unwrap().to_le_bytes());
        packed.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
        packed.extend(content);
    }
    packed
}

/// The files: whether one is a segment, its number and its bytes.
fn unpack(mut bytes: &[u8]) -> Vec<(bool, u64, &[u8])> {
    let mut files = Vec::new();
    while bytes.len() >= ENTRY && files.len() < 16 {
        let number = u64::from_le_bytes(bytes[1..9].try_into().unwrap());
        let stated = u32::from_le_bytes(bytes[9..13].try_into().unwrap()) as usize;
        let (content, rest) = bytes[ENTRY..].split_at(stated.min(bytes.len() - ENTRY));
        files.push((bytes[0] & 1 == 1, number, content));
        bytes = rest;
    }
    files
}

fn digest(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    digest.value()
}

/// Makes snapshots, headers and records belong to each other.
pub fn repair(bytes: &mut Vec<u8>) {
    let files: Vec<(bool, u64, Vec<u8>)> = unpack(bytes)
        .into_iter()
        .map(|(is_segment, number, content)| (is_segment, number, content.to_vec()))
        .collect();
    bytes.clear();
    let mut snapshot = 0;
    let mut hash = 0;
    for (is_segment, number, mut content) in files {
        if is_segment {
            hash = repair_segment(&mut content, (number, hash, snapshot));
        } else {
            saved::repair_digests(&mut content);
            snapshot = digest(&content);
        }
        bytes.push(u8::from(is_segment));
        bytes.extend(number.to_le_bytes());
        bytes.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
        bytes.extend(content);
    }
}

/// Returns the hash of its last record.
fn repair_segment(bytes: &mut [u8], (number, mut hash, snapshot): (u64, u64, u64)) -> u64 {
    if bytes.len() < HEADER {
        return hash;
    }
    bytes[..8].copy_from_slice(b"WAYFJRNL");
    bytes[8..16].copy_from_slice(&1_u64.to_le_bytes());
    bytes[16..24].copy_from_slice(&number.to_le_bytes());
    bytes[24..32].copy_from_slice(&hash.to_le_bytes());
    bytes[32..40].copy_from_slice(&snapshot.to_le_bytes());
    let sum = digest(&bytes[..40]);
    bytes[40..48].copy_from_slice(&sum.to_le_bytes());
    let mut at = HEADER;
    while bytes.len() >= at + PREFIX + 8 {
        let stated = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = at + PREFIX + stated.min(bytes.len() - at - PREFIX - 8);
        bytes[at + 4..at + 8].copy_from_slice(&1_u32.to_le_bytes());
        bytes[at + 24..at + 32].copy_from_slice(&hash.to_le_bytes());
        hash = digest(&bytes[at..end]);
        bytes[end..end + 8].copy_from_slice(&hash.to_le_bytes());
        at = end + 8;
    }
    hash
}

/// True if a command may take seconds within its limits: those have tests of their own.
fn is_large(command: &Command) -> bool {
    let Command::Apply(edits) = command else {
        return false;
    };
    let is_wide = |rect: Rect| Ground::limited_columns(rect) > 1 << 16;
    let known = commands();
    edits.iter().any(|edit| match edit {
        Edit::Ground(edit) => match edit {
            GroundEdit::Fill { shape, .. } => is_wide(shape.bounds()),
            GroundEdit::FillBox { rect, .. } | GroundEdit::CarveBox { rect, .. } => is_wide(*rect),
            GroundEdit::PutSolid { solid, .. } => is_wide(solid.extent.bounds()),
            _ => false,
        },
        Edit::FillBox { low, high, .. } | Edit::CarveBox { low, high, .. } => {
            let far = 200 * Position::PARTS;
            high.x.saturating_sub(low.x) > far || high.y.saturating_sub(low.y) > far
        }
        Edit::AddSolid(_) => !known.contains(&Command::Apply(vec![edit.clone()])),
        _ => false,
    })
}

/// True if a record of a segment holds a command that may take seconds.
fn has_large_command(segment: &[u8]) -> bool {
    let mut rest = segment.get(HEADER..).unwrap_or_default();
    while rest.len() >= PREFIX + 8 {
        let stated = u32::from_le_bytes(rest[..4].try_into().unwrap()) as usize;
        if stated > rest.len() - PREFIX - 8 {
            return false;
        }
        let (record, after) = rest.split_at(PREFIX + stated);
        if Command::from_bytes(&record[PREFIX..]).is_ok_and(|command| is_large(&command)) {
            return true;
        }
        rest = &after[8..];
    }
    false
}

fn write(folder: &Path, (is_segment, number, content): (bool, u64, &[u8])) {
    let extension = if is_segment { "journal" } else { "wayfarer" };
    fs::write(folder.join(format!("{number:020}.{extension}")), content).unwrap();
}

/// The columns of all solids in the snapshots.
pub fn solid_columns(bytes: &[u8]) -> u64 {
    let files = unpack(bytes);
    let snapshots = files.iter().filter(|(is_segment, ..)| !is_segment);
    snapshots
        .map(|(_, _, content)| saved::solid_columns(content))
        .sum()
}

/// Reads a journal while it appears and at rest, then recovers it: all agree.
///
/// # Panics
/// On a fault.
pub fn run(bytes: &[u8]) {
    let files = unpack(bytes);
    if files
        .iter()
        .any(|(_, _, content)| has_large_command(content))
    {
        return;
    }
    let folder = Folder::new();
    // A live reader sees the last file grow.
    let mut live = None;
    for (number, (is_segment, n_before, content)) in files.iter().enumerate() {
        let is_last = number + 1 == files.len();
        if is_last && *is_segment {
            let half = &content[..content.len() / 2];
            write(&folder.0, (*is_segment, *n_before, half));
            live = JournalReader::open(&folder.0).ok();
            if let Some(reader) = &mut live {
                read_all(reader).ok();
            }
        }
        write(&folder.0, (*is_segment, *n_before, content));
    }
    if let Ok(info) = journal_info(&folder.0) {
        let held: u64 = info.segments.iter().map(|segment| segment.bytes).sum();
        assert!(held <= bytes.len() as u64);
    }
    let at_rest = JournalReader::open(&folder.0).and_then(|mut reader| {
        read_all(&mut reader)?;
        Ok(reader)
    });
    if let Ok(reader) = &at_rest {
        let number = reader.world().revision().number;
        JournalReader::at_revision(&folder.0, number).map(drop).ok();
        JournalReader::at_revision(&folder.0, 1).map(drop).ok();
        if let Some(live) = &mut live
            && read_all(live).is_ok()
            && live.n_read() == reader.n_read()
        {
            assert!(live.world().save() == reader.world().save(), "read live");
        }
    }
    let recovered = Journal::open(&folder.0, OPTIONS);
    if let (Ok(reader), Ok((journal, recovery))) = (&at_rest, &recovered)
        && recovery.unread_snapshots.is_empty()
    {
        assert_eq!(reader.n_read(), journal.accepted().0);
        assert!(reader.world().save() == journal.save(), "recovered");
    }
    if let Ok((mut journal, _)) = recovered {
        // What is recovered goes on, and opens again.
        let accepted = journal.execute(Command::UpdateSensors).is_ok();
        let (n_accepted, bytes) = (journal.accepted().0, journal.save());
        drop(journal);
        let (journal, recovery) = Journal::open(&folder.0, OPTIONS).unwrap();
        assert_eq!(recovery.n_cut_bytes, 0);
        assert!(!accepted || journal.accepted().0 == n_accepted);
        assert!(!accepted || journal.save() == bytes, "opened again");
    }
}

fn read_all(reader: &mut JournalReader) -> Result<(), wayfarer_store::JournalError> {
    while reader.poll()?.is_some() {}
    Ok(())
}

/// Commands as bytes.
pub fn command_seeds() -> Vec<Vec<u8>> {
    commands().iter().map(Command::to_bytes).collect()
}

/// Reads a command and runs it.
///
/// # Panics
/// On a fault.
pub fn run_command(bytes: &[u8]) {
    let Ok(command) = Command::from_bytes(bytes) else {
        return;
    };
    let written = command.to_bytes();
    assert_eq!(Command::from_bytes(&written).unwrap().to_bytes(), written);
    if is_large(&command) {
        return;
    }
    let mut world = World::new(Profile::DEFAULT).unwrap();
    let meadow = commands().swap_remove(0);
    world.execute(meadow).unwrap();
    let before = world.save();
    if world.execute(command).is_err() {
        assert!(world.save() == before, "all or nothing");
    }
    World::load(&world.save()).unwrap();
}

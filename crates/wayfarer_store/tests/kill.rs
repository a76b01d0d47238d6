//! Kills processes that save and write journals, with SIGKILL at random moments, and checks what they
//! left. `WAYFARER_KILLS` asks for more kills.
//!
//! The test runs itself as the process to kill. Four threads write: two save to one path, two apply
//! batches to one journal with frequent snapshots. Each accepted batch is printed, so the test knows
//! what must be there.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use wayfarer_engine::World;
use wayfarer_engine::base::{Cell, GroundEdit, Profile, Rng, Terrain};
use wayfarer_store::{Journal, JournalError, JournalOptions, JournalReader};

const N_KILLS: u64 = 40;
const OPTIONS: JournalOptions = JournalOptions {
    sync_every: 1,
    snapshot_every: 5,
    keep_snapshots: 1,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--write") {
        write(Path::new(&arguments.next().unwrap()));
        return;
    }
    let wanted = std::env::var("WAYFARER_KILLS").ok();
    let n_kills = wanted.and_then(|n| n.parse().ok()).unwrap_or(N_KILLS);
    let folder = std::env::temp_dir().join(format!("wayfarer-kill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut n_accepted = 0;
    let mut n_torn = 0;
    for seed in 0..n_kills {
        let last_printed = kill_one(&folder, seed);
        n_torn += u64::from(check(
            &folder,
            n_accepted.max(last_printed),
            &mut n_accepted,
        ));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let report = format!("{n_kills} kills, {n_accepted} batches accepted, {n_torn} torn tails");
    assert!(n_accepted > n_kills, "the processes hardly wrote: {report}");
}

/// The batch of a number: a floor whose place and terrain follow from it.
fn batch(number: u64) -> [GroundEdit; 2] {
    let small = |n: u64| i32::try_from(n).unwrap();
    let put = |y: i32, terrain: u64| GroundEdit::PutCell {
        cell: Cell::flat(small(number % 40), y),
        terrain: Terrain::new(u8::try_from(terrain % 5).unwrap()).unwrap(),
    };
    [put(0, number / 40), put(1 + small(number % 7), number)]
}

fn meadow() -> World {
    World::new(Profile::DEFAULT).unwrap()
}

/// The process to kill: writes until it dies.
fn write(folder: &Path) {
    let journal = match Journal::open(folder.join("journal"), OPTIONS) {
        Ok((journal, _)) => journal,
        Err(_) => Journal::create(folder.join("journal"), meadow(), OPTIONS).unwrap(),
    };
    let journal = Mutex::new(journal);
    std::thread::scope(|scope| {
        for thread in 0..2_u64 {
            scope.spawn(move || {
                let mut world = meadow();
                for number in 0.. {
                    world.apply(batch(number * 2 + thread)).unwrap();
                    wayfarer_store::save(&world, folder.join("saved.wayfarer")).unwrap();
                }
            });
            let journal = &journal;
            scope.spawn(move || {
                loop {
                    let mut journal = journal.lock().unwrap();
                    let number = journal.accepted().0;
                    journal.apply(batch(number)).unwrap();
                    let mut out = std::io::stdout().lock();
                    writeln!(out, "{}", number + 1).unwrap();
                    out.flush().unwrap();
                }
            });
        }
    });
}

/// Starts a writer and kills it after a random number of batches and a random moment more; returns the
/// last batch that it reported as accepted.
fn kill_one(folder: &Path, seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg("--write")
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut last = 0;
    for _ in 0..rng.below(30) {
        let Some(line) = lines.next() else { break };
        last = line.unwrap().parse().unwrap();
    }
    for _ in 0..rng.below(40_000) {
        std::hint::black_box(rng.next_u64());
    }
    kill(&mut child);
    // What it had written before it died.
    for line in lines.map_while(Result::ok) {
        last = line.parse().unwrap_or(last);
    }
    last
}

fn kill(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Checks what a killed process left; true if the journal had a torn tail.
fn check(folder: &Path, n_expected: u64, n_accepted: &mut u64) -> bool {
    let journal_folder = folder.join("journal");
    let (journal, is_torn) = match Journal::open(&journal_folder, OPTIONS) {
        Ok((journal, recovery)) => (journal, recovery.n_cut_bytes > 0),
        // Killed before the journal began.
        Err(JournalError::Missing { .. } | JournalError::Store(_)) if n_expected == 0 => {
            return false;
        }
        Err(error) => panic!("{error}"),
    };
    let n_found = journal.accepted().0;
    assert!(n_found >= n_expected, "{n_found} of {n_expected} batches");
    // Of those not reported, one per thread may have been accepted as the process died.
    assert!(
        n_found <= n_expected + 2,
        "{n_found} of {n_expected} batches"
    );
    *n_accepted = n_found;
    let mut expected = meadow();
    for number in 0..n_found {
        expected.apply(batch(number)).unwrap();
    }
    assert!(journal.save() == expected.save(), "{n_found} batches");
    drop(journal);
    let mut reader = JournalReader::open(&journal_folder).unwrap();
    while reader.poll().unwrap().is_some() {}
    assert_eq!(reader.n_read(), n_found);

    // The save is whole, and its next write leaves no other file.
    let saved = folder.join("saved.wayfarer");
    if saved.exists() {
        let world = wayfarer_store::load(&saved).unwrap();
        wayfarer_store::save(&world, &saved).unwrap();
        assert_eq!(names(folder), ["journal", "saved.wayfarer"]);
    }
    let is_ours =
        |name: &String| name == "lock" || name.ends_with(".wayfarer") || name.ends_with(".journal");
    let found = names(&journal_folder);
    assert!(found.iter().all(is_ours) && found.len() <= 6, "{found:?}");
    is_torn
}

fn names(folder: &Path) -> Vec<String> {
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| name(entry.unwrap().path()))
        .collect();
    names.sort();
    names
}

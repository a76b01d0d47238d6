//! `run`, `replay` and `info` of journals.

use crate::room::Room;

#[test]
fn a_journal_goes_on_where_it_was_left_and_rewinds() {
    let room = Room::new("journal");
    let line =
        "make caves --size 60x50 --seed 4 -o a.map --edits a.edits --trace build --batches 40";
    room.done(line);
    let run = "run a.map --journal a.d --edits a.edits --snapshot-every 16 --json -";
    let first = room.done(run).json();
    assert_eq!(
        (&first["batches"], &first["accepted"]),
        (&40.into(), &40.into())
    );
    assert!(first["recovery"].is_null());
    let info = room.done("info a.d --json -").json();
    assert_eq!(
        (&info["commands"], &info["snapshots"]),
        (&40.into(), &2.into())
    );
    assert_eq!(
        (&info["first_command"], &info["torn_bytes"]),
        (&16.into(), &0.into())
    );

    // The same state again, and the state before the last batches.
    let again = room.done("replay a.d --json -").json();
    assert_eq!(again["state_hash"], first["state_hash"]);
    room.done("replay a.d --to 20 -o early.wayfarer");
    let early = room.done("info early.wayfarer --json -").json();
    assert_eq!(early["saved"]["revision"], 20);
    let late = room.run("replay a.d --to 41");
    assert_eq!(late.code, 2);
    assert!(
        late.err.contains("revision 41, expected 16 to 40"),
        "{}",
        late.err
    );

    // A torn tail is cut; the journal goes on without reading the map.
    let segment = "a.d/00000000000000000032.journal";
    let mut bytes = room.read(segment);
    bytes.truncate(bytes.len() - 3);
    room.write(segment, bytes);
    let report = room.done("run no.map --journal a.d --json -").json();
    let found = report["recovery"].as_str().unwrap();
    assert!(
        found.starts_with("snapshot after 32 commands, 7 replayed, a torn tail of "),
        "{found}"
    );
    assert_eq!(
        (&report["accepted"], &report["revision"]),
        (&39.into(), &39.into())
    );
}

#[test]
fn bad_journals_are_named() {
    let room = Room::new("bad_journals");
    room.write("a.edits", "");
    room.create_folder("empty.d");
    for (line, expected) in [
        (
            "info empty.d",
            "empty.d: no journal, expected a folder with snapshots",
        ),
        (
            "replay empty.d",
            "empty.d: no journal, expected a folder with snapshots",
        ),
        (
            "replay a.edits --to 3",
            "--to and --output are for journals only, expected a folder",
        ),
        ("run no.map --journal new.d", "no.map"),
    ] {
        let run = room.run(line);
        assert_eq!(run.code, 2, "{line}");
        assert!(run.err.contains(expected), "{line}: {}", run.err);
    }
}

//! Records in any order, repeated and from another world.

use super::*;
use crate::writer::Writer;
use wayfarer::prelude::*;

fn open_ground(n: usize) -> World {
    let rows = vec![".".repeat(n); n].join("\n");
    let map = format!("type octile\nheight {n}\nwidth {n}\nmap\n{rows}\n");
    World::import("open.map", map.as_bytes(), Scale::UNIT).unwrap()
}

/// The records of some edits, and the writer after them.
fn records(world: &World, n: u32, hash_every: u64) -> (Writer, Vec<Record>) {
    let follower = Follower::load(&Snapshot::new(world)).unwrap();
    let mut writer = Writer::new(&follower, hash_every);
    let edit = |x: u32| {
        format!(
            r#"{{"id":"e{x}","edits":[{{"add_solid":{{"cuboid":{{"low":[{x},1,0],"high":[{},2,2]}}}}}}]}}"#,
            x + 1
        )
    };
    let records = (0..n).map(|x| {
        let proposal = writer.propose(edit(x).as_bytes()).unwrap();
        writer.accept(&proposal);
        Record::from_bytes(&proposal.record).unwrap()
    });
    let records = records.collect();
    (writer, records)
}

#[test]
fn records_are_applied_once_repeats_are_ignored_and_gaps_are_reported() {
    let world = open_ground(12);
    let (writer, records) = records(&world, 8, 2);
    let mut follower = Follower::load(&Snapshot::new(&world)).unwrap();
    let sequences = [0, 0, 1, 3, 0, 2, 1, 3, 4, 7, 5, 6, 7, 7];
    let mut n_applied = 0;
    for index in sequences {
        let at = follower.world().revision().number;
        let followed = follower.apply(index + 1, &records[usize::try_from(index).unwrap()]);
        match followed {
            Followed::Applied { revision, hash } => {
                assert_eq!((at, revision.number), (index, index + 1));
                assert_eq!(hash.is_some(), revision.number % 2 == 0);
                assert!(hash.is_none_or(|hash| follower.is_hash(hash)));
                n_applied += 1;
            }
            Followed::Repeated => assert!(index < at),
            Followed::Gap { at: here, found } => assert_eq!((here, found), (at, index)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(n_applied, 8);
    assert_eq!(follower.sequence(), 8);
    assert_eq!(follower.world().hash(), writer.world().hash());
    assert_eq!(follower.ids().revision("e3"), Some(4));
}

#[test]
fn a_snapshot_in_the_middle_goes_on_with_the_rest() {
    let world = open_ground(12);
    let (writer, records) = records(&world, 8, 4);
    let mut follower = Follower::load(&Snapshot::new(&world)).unwrap();
    for (sequence, record) in (1..).zip(&records[..5]) {
        follower.apply(sequence, record);
    }
    let bytes = follower.snapshot().to_bytes();
    let mut loaded = Follower::load(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!(loaded.sequence(), 5);
    for (sequence, record) in (1..).zip(&records) {
        loaded.apply(sequence, record);
    }
    assert_eq!(loaded.world().hash(), writer.world().hash());
    assert_eq!(loaded.ids(), &writer.snapshot(8).ids);
}

#[test]
fn a_replica_of_another_world_is_found_out() {
    let (_, records) = records(&open_ground(12), 2, 1);
    let mut other = Follower::load(&Snapshot::new(&open_ground(13))).unwrap();
    let followed = other.apply(1, &records[0]);
    assert!(
        matches!(followed, Followed::Diverged { .. }),
        "{followed:?}"
    );

    // A replica that took another batch is at the same number on another branch.
    let (mut writer, _) = self::records(&open_ground(12), 0, 1);
    let other = br#"{"edits":[{"add_solid":{"cuboid":{"low":[7,7,0],"high":[8,8,2]}}}]}"#;
    let proposal = writer.propose(other).unwrap();
    let mut follower = Follower::load(&Snapshot::new(&open_ground(12))).unwrap();
    follower.apply(1, &Record::from_bytes(&proposal.record).unwrap());
    for record in &records {
        let followed = follower.apply(2, record);
        assert!(
            matches!(followed, Followed::Diverged { .. }),
            "{followed:?}"
        );
    }
}

use wayfarer_base::Rng;

use super::*;
use crate::facade::random;

#[test]
fn every_command_survives_its_bytes() {
    let mut tags = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let (world, mut rng) = (random::world(seed % 20), Rng::new(seed));
        for _ in 0..20 {
            let command = random::command(&mut rng, &world);
            let bytes = command.to_bytes();
            let again = Command::from_bytes(&bytes).unwrap();
            assert!(again.to_bytes() == bytes, "seed {seed}: {command:?}");
            // Profiles are normalized.
            let is_same = matches!(command, Command::AddAgentType(_)) || again == command;
            assert!(is_same, "seed {seed}: {again:?} for {command:?}");
            // Kind of command, of the first edit, and of the edit in its domain.
            let first_edit = bytes.get(9..11).unwrap_or_default();
            tags.insert((bytes[0], first_edit.to_vec()));
            // A byte more or less is an error.
            let longer = [&bytes[..], &[0]].concat();
            assert!(Command::from_bytes(&longer).is_err(), "seed {seed}");
            let shorter = &bytes[..bytes.len() - 1];
            assert!(Command::from_bytes(shorter).is_err(), "seed {seed}");
        }
    }
    let n_edits = tags.iter().filter(|(kind, _)| *kind == 0).count();
    assert!(n_edits >= 28, "{n_edits} kinds of edits");
    assert!(tags.iter().map(|(kind, _)| kind).max() == Some(&7));
}

#[test]
fn damaged_bytes_are_an_error_or_another_command_and_never_a_panic() {
    let (mut n_errors, mut n_commands) = (0, 0);
    for seed in 0..400 {
        let (world, mut rng) = (random::world(seed % 20), Rng::new(seed));
        let mut bytes = random::command(&mut rng, &world).to_bytes();
        for _ in 0..8 {
            let at = rng.below(u32::try_from(bytes.len()).unwrap()) as usize;
            bytes[at] = [0, 1, 0x7f, 0x80, 0xff][rng.below(5) as usize];
            match Command::from_bytes(&bytes) {
                Ok(command) => {
                    n_commands += 1;
                    // The world takes it or refuses it.
                    drop(world.clone().execute(command));
                }
                Err(error) => {
                    n_errors += 1;
                    assert!(error.to_string().starts_with("byte "), "{error}");
                }
            }
        }
    }
    assert!(
        n_errors > 300 && n_commands > 300,
        "{n_errors} {n_commands}"
    );
}

#[test]
fn a_snapshot_and_the_commands_after_it_give_the_same_bytes() {
    for seed in 0..60 {
        let mut world = random::world(seed);
        let mut again = World::load(&world.save()).unwrap();
        let mut rng = Rng::new(seed);
        for _ in 0..30 {
            let command = random::command(&mut rng, &world);
            let read = Command::from_bytes(&command.to_bytes()).unwrap();
            let (result, repeated) = (world.execute(command), again.execute(read));
            match (result, repeated) {
                (Ok(result), Ok(repeated)) => assert_eq!(result, repeated, "seed {seed}"),
                (result, repeated) => assert_eq!(result.is_err(), repeated.is_err()),
            }
        }
        assert!(again.save() == world.save(), "seed {seed}");
    }
}

#[test]
fn an_unknown_kind_is_named_with_its_offset() {
    let cases = [
        (
            vec![8],
            "byte 0: the kind of a command is 8, expected 0 to 7",
        ),
        (
            [&[0, 1, 0, 0, 0, 0, 0, 0, 0][..], &[0, 99]].concat(),
            "byte 10: the kind of a ground edit is 99, expected 0 to 16",
        ),
    ];
    for (bytes, expected) in cases {
        let error = Command::from_bytes(&bytes).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

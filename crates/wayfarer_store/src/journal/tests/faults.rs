//! A fault at every call of the file system in turn.

use super::*;

const N_COMMANDS: u32 = 11;

/// Creates a journal and runs the commands; returns how many the journal began to run and how many it
/// accepted, or stops at the first error.
fn run(disk: &SimulatedDisk, options: JournalOptions) -> (u64, u64, Option<JournalError>) {
    let folder = Path::new("/journal");
    let mut writer = match Writer::create(disk.clone(), folder, empty_world(), options) {
        Ok(writer) => writer,
        Err(error) => return (0, 0, Some(error)),
    };
    for number in 0..N_COMMANDS {
        if let Err(error) = writer.execute(command(number)) {
            return (u64::from(number) + 1, writer.accepted().0, Some(error));
        }
    }
    let error = writer.commit().err();
    (N_COMMANDS.into(), writer.accepted().0, error)
}

/// Opens what is there, or begins anew; returns the commands it holds.
fn reopen(
    disk: &SimulatedDisk,
    options: JournalOptions,
    saves: &[Vec<u8>],
    case: &str,
) -> (Writer<SimulatedDisk>, u64) {
    let folder = Path::new("/journal");
    let writer = match Writer::open(disk.clone(), folder, options) {
        Ok((writer, recovery)) => {
            assert_eq!(recovery.unread_snapshots, vec![], "{case}");
            writer
        }
        Err(JournalError::Missing { .. }) => {
            Writer::create(disk.clone(), folder, empty_world(), options).unwrap()
        }
        Err(error) => panic!("{case}: {error}"),
    };
    let n_commands = writer.accepted().0;
    assert!(
        writer.world().save() == *save_at(saves, n_commands),
        "{case}"
    );
    (writer, n_commands)
}

/// Runs the rest of the commands and checks that nothing but the journal's own files is left.
fn go_on(mut writer: Writer<SimulatedDisk>, disk: &SimulatedDisk, saves: &[Vec<u8>], case: &str) {
    let next = u32::try_from(writer.accepted().0).unwrap();
    for number in next..N_COMMANDS {
        writer.execute(command(number)).unwrap();
    }
    // A snapshot sweeps what writes of a killed process left.
    writer.commit().unwrap();
    writer.execute(command(N_COMMANDS)).unwrap();
    writer.snapshot().unwrap();
    assert!(writer.world().save() == *saves.last().unwrap(), "{case}");
    let names = disk.file_names();
    let is_known =
        |name: &String| name == "lock" || name.ends_with(".wayfarer") || name.ends_with(".journal");
    assert!(
        names.iter().all(is_known) && names.len() <= 6,
        "{case}: {names:?}"
    );
}

#[test]
fn a_call_that_fails_loses_nothing_accepted_and_adds_nothing() {
    let saves = expected_saves(N_COMMANDS + 1);
    for options in [options(1, 4), options(3, 4)] {
        for fault in [Fault::Fails, Fault::FailsLate, Fault::NoSpace] {
            for n_calls in 0.. {
                let disk = SimulatedDisk::default();
                disk.plan(n_calls, fault);
                let (_, n_accepted, error) = run(&disk, options);
                let fired = disk.fired();
                let case = format!("{options:?} {fault:?} at call {n_calls}, {fired:?}");
                if let Some(error) = &error {
                    assert!(error.to_string().starts_with("/journal"), "{case}: {error}");
                }
                disk.restart(&mut Rng::new(0));
                let (writer, n_found) = reopen(&disk, options, &saves, &case);
                assert_eq!(n_found, n_accepted, "{case}");
                go_on(writer, &disk, &saves, &case);
                if fired.is_none() {
                    assert!(n_calls > 30, "{case}");
                    break;
                }
            }
        }
    }
}

#[test]
fn after_a_kill_or_a_power_cut_the_accepted_commands_are_there() {
    let saves = expected_saves(N_COMMANDS + 1);
    let mut n_cuts = 0;
    for options in [options(1, 4), options(3, 4)] {
        for fault in [Fault::Kill, Fault::PowerCut] {
            for n_calls in 0.. {
                let mut has_fired = false;
                for seed in 0..9 {
                    let disk = SimulatedDisk::default();
                    disk.plan(n_calls, fault);
                    disk.set_progress(seed % 3);
                    let (n_begun, n_accepted, _) = run(&disk, options);
                    has_fired |= disk.fired().is_some();
                    n_cuts += usize::from(has_fired);
                    let case = format!(
                        "{options:?} {fault:?} at call {n_calls}, {:?}, seed {seed}",
                        disk.fired()
                    );
                    disk.restart(&mut Rng::new(seed));
                    let (writer, n_found) = reopen(&disk, options, &saves, &case);
                    assert!(
                        (n_accepted..=n_begun).contains(&n_found),
                        "{case}: {n_found} of {n_accepted} to {n_begun}"
                    );
                    go_on(writer, &disk, &saves, &case);
                }
                if !has_fired {
                    break;
                }
            }
        }
    }
    assert!(n_cuts > 2_000, "{n_cuts}");
}

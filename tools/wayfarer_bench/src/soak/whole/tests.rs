use wayfarer_engine::base::GroundEdit;

use super::*;

#[test]
fn whole_worlds_are_lived_through_and_nothing_is_wrong() {
    let arguments = Arguments {
        n_steps: 60,
        n_threads: 2,
        ..Arguments::new(1_000)
    };
    let (tally, failed) = run(&arguments, |tally| tally.cases < 12);
    assert_eq!(failed, None);
    // Everything that can happen has happened.
    let least = [12, 720, 150, 20, 600, 400, 150, 10, 80, 200, 30, 15, 15, 15];
    let counts = { tally }.counts().map(|count| *count);
    for (number, (found, least)) in counts.into_iter().zip(least).enumerate() {
        assert!(
            found >= least,
            "count {number}: {found} of {least}; {tally:?}"
        );
    }
}

/// A wall disappears without a change set, as a defect in the world would have it.
fn a_floor_is_lost(step: u32, world: &mut World) {
    if step != 13 {
        return;
    }
    let node = world.ground().nodes().next();
    if let Some(cell) = node.map(|node| world.ground().cell(node)) {
        world.apply([GroundEdit::RemoveCell { cell }]).unwrap();
    }
}

#[test]
fn a_defect_is_found_made_short_written_down_and_seen_again() {
    let arguments = Arguments::new(77);
    let (tally, failed) = run_corrupted(&arguments, &a_floor_is_lost, |_| true);
    let failed = failed.expect("something is wrong");
    assert!(tally.cases >= 1);
    assert!(failed.n_steps > 13, "{failed:?}");
    // The step in which the floor was lost, and one that looks.
    assert!(failed.trace.steps.contains(&13), "{failed:?}");
    assert!(failed.trace.steps.len() <= 4, "{failed:?}");

    let written = format!("{}# {}\n", failed.trace, failed.reason);
    let read = Trace::read(&written).unwrap();
    assert_eq!(read, failed.trace);
    let (step, reason) = replay_corrupted(&read, &a_floor_is_lost).unwrap_err();
    assert_eq!((step, reason), (read.steps.len(), failed.reason));
    assert!(replay(&read).is_ok(), "without the defect all is well");
}

#[test]
fn a_panic_is_a_defect_like_any_other() {
    let panics = |step: u32, _: &mut World| assert!(step < 5, "no step {step}");
    let (_, failed) = run_corrupted(&Arguments::new(3), &panics, |_| true);
    let failed = failed.expect("something is wrong");
    assert_eq!(failed.trace.steps.len(), 1);
    assert!(failed.reason.starts_with("panicked: no step"), "{failed:?}");
}

#[test]
fn what_is_lived_through_does_not_depend_on_the_threads() {
    let tallies = [1, 2].map(|n_threads| {
        let arguments = Arguments {
            n_steps: 25,
            n_threads,
            ..Arguments::new(40)
        };
        let mut first = None;
        run(&arguments, |tally| {
            first.get_or_insert(*tally);
            tally.cases < 2
        })
    });
    assert!(
        tallies
            .iter()
            .all(|(tally, failed)| { failed.is_none() && (2..=4).contains(&tally.cases) })
    );
    let trace = Trace::whole(40, 25);
    assert_eq!(replay(&trace), replay(&trace));
}

#[test]
fn a_text_that_is_no_trace_says_which_line() {
    let check = |text: &str, expected: &str| {
        assert_eq!(Trace::read(text).unwrap_err().to_string(), expected);
    };
    check("", "line 1: found ``, expected `wayfarer soak 1`");
    check(
        "wayfarer soak 1\nseed x\n",
        "line 2: found `seed x`, expected `seed` and a number",
    );
    check(
        "wayfarer soak 1\n# a word\nseed 1\nsteps 1 -2\n",
        "line 4: found `steps 1 -2`, expected `steps` and numbers",
    );
}

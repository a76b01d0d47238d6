use super::*;

fn context() -> Context {
    Context {
        root: crate::root(),
        data: None,
        strict: false,
        update: false,
    }
}

const PASSES: Step = Step {
    name: "passes",
    what: "passes",
    work: |_| Ok(Outcome::Passed),
};
const SKIPS: Step = Step {
    name: "skips",
    what: "skips",
    work: |_| Ok(Outcome::Skipped("no data".to_owned())),
};
const FAILS: Step = Step {
    name: "fails",
    what: "fails",
    work: |_| Err("a fault".to_owned()),
};

#[test]
fn a_fault_stops_the_steps_that_follow() {
    let never = Step {
        work: |_| panic!("must not run"),
        ..PASSES
    };
    let done = all(&context(), &[PASSES, FAILS, never]);
    assert_eq!(done, Err("fault in fails".to_owned()));
    assert_eq!(all(&context(), &[PASSES, SKIPS]), Ok(()));
}

#[test]
fn the_summary_counts_passed_skipped_and_unrun_steps() {
    let done = [PASSES, SKIPS, FAILS].map(|step| Done {
        name: step.name,
        time: Duration::from_millis(1500),
        result: (step.work)(&context()),
    });
    let text = summary(&done, 5);
    assert!(
        text.contains("skips          1.5 s  skipped: no data\n"),
        "{text}"
    );
    assert!(
        text.ends_with("5 steps: 1 passed, 1 skipped, 1 failed, 2 not run, in 4.5 s"),
        "{text}"
    );
}

#[test]
fn the_first_difference_is_reported_with_its_line() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(
        first_difference("a\nb\n", "a\nc\n").as_deref(),
        Some("line 2: expected `b`, found `c`")
    );
    assert_eq!(
        first_difference("a", "a\nb").as_deref(),
        Some("line 2: expected the end, found `b`")
    );
}

#[test]
fn a_command_that_fails_is_a_fault() {
    assert!(cargo(&context(), &["no-such-command-of-cargo"]).is_err());
    assert!(cargo_output(&context(), &["--version"]).is_ok_and(|text| text.starts_with("cargo")));
}

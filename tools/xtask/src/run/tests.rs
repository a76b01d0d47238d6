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
    is_apart: false,
    work: |_| Ok(Outcome::Passed),
};
const SKIPS: Step = Step {
    name: "skips",
    what: "skips",
    is_apart: false,
    work: |_| Ok(Outcome::Skipped("no data".to_owned())),
};
const FAILS: Step = Step {
    name: "fails",
    what: "fails",
    is_apart: false,
    work: |_| Err("a fault".to_owned()),
};

#[test]
fn a_fault_stops_the_steps_that_follow() {
    let never = Step {
        work: |_| panic!("must not run"),
        ..PASSES
    };
    let done = all(&context(), &[PASSES, FAILS, never], Lanes::Two);
    assert_eq!(done, Err("fault in fails".to_owned()));
    assert_eq!(all(&context(), &[PASSES, SKIPS], Lanes::Two), Ok(()));
}

#[test]
fn the_summary_counts_passed_skipped_and_unrun_steps() {
    let done = [PASSES, SKIPS, FAILS].map(|step| Done {
        name: step.name,
        time: Duration::from_millis(1500),
        result: (step.work)(&context()),
    });
    let text = summary(&done, 5, Duration::from_secs(4));
    assert!(
        text.contains("skips          1.5 s  skipped: no data\n"),
        "{text}"
    );
    assert!(
        text.ends_with("5 steps: 1 passed, 1 skipped, 1 failed, 2 not run, in 4.0 s"),
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

#[test]
fn a_skipped_step_of_the_second_lane_gives_its_reason() {
    let text = "building\n== page skipped: no browser\n";
    assert_eq!(skip_reason(text, "page").as_deref(), Some("no browser"));
    assert_eq!(skip_reason(text, "bevy"), None);
}

#[test]
fn a_fault_of_one_lane_stops_the_other_before_its_next_step() {
    let fault = AtomicBool::new(true);
    let done = run_lane(&[PASSES], &fault, |_| panic!("must not run"));
    assert!(done.is_empty());
}

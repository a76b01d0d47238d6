use super::*;

#[test]
fn options_are_parsed_and_unknown_ones_rejected() {
    let options = Options::read(&["--strict", "--only", "tidy", "--only", "docs"]);
    assert_eq!(
        options,
        Ok(Options {
            strict: true,
            list: false,
            core: false,
            only: vec!["tidy".to_owned(), "docs".to_owned()],
        })
    );
    for words in [&["--only"][..], &["--only", "nothing"], &["--quick"]] {
        assert!(Options::read(words).is_err(), "{words:?}");
    }
}

#[test]
fn names_of_checks_are_unique() {
    for (index, step) in STEPS.iter().enumerate() {
        assert!(STEPS[..index].iter().all(|before| before.name != step.name));
    }
}

#[test]
fn what_is_left_out_of_the_core_are_steps() {
    for name in NOT_CORE {
        assert!(STEPS.iter().any(|step| step.name == name), "{name}");
    }
}

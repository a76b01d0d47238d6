use super::*;

#[test]
fn options_are_read_and_unknown_ones_refused() {
    let wish = Wish::read(&["--strict", "--only", "tidy", "--only", "docs"]);
    assert_eq!(
        wish,
        Ok(Wish {
            strict: true,
            list: false,
            only: vec!["tidy".to_owned(), "docs".to_owned()],
        })
    );
    for words in [&["--only"][..], &["--only", "nothing"], &["--quick"]] {
        assert!(Wish::read(words).is_err(), "{words:?}");
    }
}

#[test]
fn every_check_has_a_name_of_its_own() {
    for (index, step) in STEPS.iter().enumerate() {
        assert!(STEPS[..index].iter().all(|before| before.name != step.name));
    }
}

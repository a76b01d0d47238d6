use super::*;

#[test]
fn a_program_that_no_machine_has_does_not_run() {
    assert!(!runs("no-such-program-of-wayfarer", &[]));
    assert!(!runs("rustc", &["--no-such-word"]));
    assert!(runs("rustc", &["--version"]));
}

#[test]
fn what_cannot_be_installed_is_named_in_one_line() {
    let fault = install("component", "no-such-part-of-rust", || false).unwrap_err();
    assert!(
        fault.starts_with("no-such-part-of-rust is missing: "),
        "{fault}"
    );
    assert_eq!(fault.lines().count(), 1);
    let fault = cargo_command("no-such-command-of-cargo", "no-such-part").unwrap_err();
    assert!(fault.starts_with("no-such-part is missing: "), "{fault}");
    assert_eq!(cargo_command("fmt", "rustfmt"), Ok(()));
}

#[test]
fn what_is_there_is_not_installed() {
    assert_eq!(install("component", "no-such-part", || true), Ok(()));
}

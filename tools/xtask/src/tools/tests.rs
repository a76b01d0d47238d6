use super::*;

#[test]
fn an_unknown_program_does_not_run() {
    assert!(!runs("no-such-program-of-wayfarer", &[]));
    assert!(!runs("rustc", &["--no-such-word"]));
    assert!(runs("rustc", &["--version"]));
}

#[test]
fn a_failed_installation_is_reported_in_one_line() {
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
fn an_installed_part_is_not_installed_again() {
    assert_eq!(install("component", "no-such-part", || true), Ok(()));
}

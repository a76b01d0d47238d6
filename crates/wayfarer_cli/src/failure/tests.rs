use super::*;

#[test]
fn a_message_of_several_lines_becomes_one_without_usage_and_help() {
    let clap = "error: invalid value 'x' for '<KIND>'\n  [possible values: caves]\n\n\
        Usage: wayfarer make\n\nFor more information, try '--help'.\n";
    let line = "invalid value 'x' for '<KIND>' [possible values: caves]";
    assert_eq!(in_one_line(clap), line);
    assert_eq!(
        panic_line("a\nb"),
        "error: a b (this is a fault of wayfarer)"
    );
}

#[test]
fn a_panic_becomes_exit_code_3() {
    let code = guarded(|| panic!("on purpose"));
    assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(3)));
    let code_without_panic = guarded(|| ExitCode::from(1));
    // Other tests print their panics in full.
    drop(std::panic::take_hook());
    let one = ExitCode::from(1);
    assert_eq!(format!("{code_without_panic:?}"), format!("{one:?}"));
}

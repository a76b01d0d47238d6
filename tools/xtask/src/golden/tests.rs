use super::*;

#[test]
fn the_folder_that_cargo_builds_into_is_found() {
    let context = Context {
        root: crate::root(),
        data: None,
        strict: true,
        update: false,
    };
    let folder = target_folder(&context).unwrap();
    assert!(folder.is_absolute(), "{}", folder.display());
}

#[test]
fn a_target_that_no_machine_has_is_missing() {
    assert!(!has_target("wasm512-nowhere"));
}

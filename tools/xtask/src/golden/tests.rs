use super::*;

#[test]
fn the_target_directory_is_found() {
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
fn an_unknown_target_is_missing() {
    assert!(!has_target("wasm512-nowhere"));
}

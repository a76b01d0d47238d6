use super::*;

#[test]
fn foreign_crates_are_counted_once_and_ours_are_not() {
    let tree = "wayfarer v0.2.0 (/x)\nthiserror v2.0.1\nsyn v2.0.0 (*)\nsyn v2.0.0\n\nwayfarer_base v0.2.0 (/x)\n";
    assert_eq!(foreign(tree), ["syn", "thiserror"]);
}

#[test]
fn a_patch_release_is_the_promised_version() {
    let printed = |number: &str| format!("rustc {number} (59807616e 2026-04-14)\n");
    assert!(is_version(&printed("1.95.0"), "1.95"));
    assert!(is_version(&printed("1.95.0"), "1.95.0"));
    assert!(!is_version(&printed("1.96.0"), "1.95"));
    assert!(!is_version(&printed("1.950.0"), "1.95"));
}

use super::*;
use std::sync::LazyLock;

/// The suite is slow: one run serves all tests.
static ONCE: LazyLock<Vec<GoldenPart>> = LazyLock::new(golden_parts);

#[test]
fn every_part_has_a_distinct_nonempty_digest() {
    let parts = &*ONCE;
    let empty = Digest::default().value();
    for (index, part) in parts.iter().enumerate() {
        assert_ne!(part.digest, empty, "{} is empty", part.name);
        let alike = |other: &&GoldenPart| other.name == part.name || other.digest == part.digest;
        assert_eq!(parts[..index].iter().find(alike), None, "{}", part.name);
    }
}

#[test]
fn the_report_ends_with_the_digest_of_all() {
    let report = report_of(&ONCE);
    assert_eq!(report.lines().count(), PARTS.len() + 1);
    let last = format!("all {:016x}\n", digest_of(&ONCE));
    assert!(report.ends_with(&last), "{report}");
}

#[test]
fn one_changed_part_changes_the_digest_of_all() {
    let parts = &*ONCE;
    for index in 0..parts.len() {
        let mut changed = parts.clone();
        changed[index].digest ^= 1;
        assert_ne!(digest_of(&changed), digest_of(parts));
    }
}

#[test]
fn the_test_build_computes_the_pinned_digests() {
    let pinned = include_str!("../golden.txt");
    let found = report_of(&ONCE);
    assert!(
        pinned == found,
        "pinned:\n{pinned}found:\n{found}if intended: UPDATE=1 cargo xtask test --only golden"
    );
}

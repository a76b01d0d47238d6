use super::*;

#[test]
fn the_last_core_of_a_list_is_found() {
    let cases = [
        ("0", Some(0)),
        ("0-3", Some(3)),
        ("0-3,8", Some(8)),
        ("1,4-7", Some(7)),
        ("", None),
        ("none", None),
    ];
    for (list, expected) in cases {
        assert_eq!(last_core(list), expected, "of `{list}`");
    }
}

#[test]
fn a_machine_reports_why_it_is_not_pinned() {
    let machine = Machine::here(&Pinned::No("tests share their cores"), false);
    let text = machine.to_string();
    assert!(
        text.contains("not pinned: tests share their cores"),
        "{text}"
    );
    assert!(machine.cores >= 1 && machine.clock_ns >= 0.0);
}

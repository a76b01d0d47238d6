/// The names between `pub use` and the end of each line of them.
fn names(source: &str) -> Vec<&str> {
    let uses = source.split("pub use ").skip(1);
    let uses = uses.map(|rest| rest.split(';').next().unwrap_or(""));
    let lists = uses.map(|path| path.split_once("::{").map_or(path, |(_, list)| list));
    lists
        .flat_map(|list| list.split(','))
        .map(|name| name.trim().trim_end_matches('}').trim())
        .map(|name| name.rsplit("::").next().unwrap_or(name))
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn names_are_counted_one_by_one() {
    let source = "pub use a::{B, C,\n D};\npub use e::f::G;\n";
    assert_eq!(names(source), ["B", "C", "D", "G"]);
}

#[test]
fn the_prelude_has_at_most_25_names_and_no_glob() {
    let names = names(include_str!("../prelude.rs"));
    assert!(names.contains(&"World") && names.contains(&"FlightProfile"));
    assert!(names.len() <= 25, "{}: {names:?}", names.len());
    assert!(!names.contains(&"*"));
}

//! Names of version 0.1: read for one more release, shown in no help.
//!
//! Commands, options and the values of enums carry their old names as hidden clap aliases; here
//! are the names that are read by other parsers.

/// The search method that had this name; names of today stay as they are.
pub(crate) fn method(name: &str) -> String {
    let today = match name {
        "default" => "bounded",
        "exact" => "optimal",
        "plain" => "jps",
        "far" => "hierarchical",
        "mm" => "refine",
        "dense" => "grid-astar",
        "dense-heap" => "grid-astar-heap",
        "dense-dijkstra" => "grid-dijkstra",
        _ => match name.strip_prefix("mm:") {
            Some(params) => return format!("refine:{params}"),
            None => name,
        },
    };
    today.to_owned()
}

/// The old name of a generator, if it had another.
pub(crate) fn old_generator(name: &str) -> Option<&'static str> {
    match name {
        "building" => Some("keep"),
        "clutter" => Some("field"),
        _ => None,
    }
}

//! Numbers, facts and tables for the terminal.

/// A count with its digits grouped by commas.
pub(crate) fn count(number: u64) -> String {
    wayfarer_measure::table::grouped(&number.to_string())
}

/// A duration in microseconds, milliseconds or seconds.
pub(crate) fn duration(time: std::time::Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1e-3 {
        format!("{:.0} us", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{seconds:.1} s")
    }
}

/// Names and values in two aligned columns.
pub(crate) fn facts(facts: &[(String, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.chars().count());
    let width = width.max().unwrap_or(0);
    let lines = facts
        .iter()
        .map(|(name, value)| format!("{name:<width$}  {value}\n"));
    lines.collect()
}

/// Aligned columns: the first to the left, the others to the right.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if index == 0 {
                line.push_str(&format!("{cell:<width$}"));
            } else {
                line.push_str(&format!("  {cell:>width$}"));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

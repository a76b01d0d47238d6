//! A report as a table that reads well in a terminal and in Markdown.

use crate::engine::MovementRule;
use crate::report::{EngineReport, Figures, Report};
use crate::statistics::Spread;

/// A table of text, its first column to the left and all others to the right, with Markdown's
/// bars.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column heads.
    pub fn new<T: Into<String>>(heads: impl IntoIterator<Item = T>) -> Self {
        Self {
            rows: vec![heads.into_iter().map(Into::into).collect()],
        }
    }

    /// Adds a row; missing fields stay empty.
    pub fn row<T: Into<String>>(&mut self, columns: impl IntoIterator<Item = T>) {
        self.rows
            .push(columns.into_iter().map(Into::into).collect());
    }

    /// The table as text, one line per row.
    pub fn render(&self) -> String {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let columns =
            |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let widths: Vec<usize> = (0..n_columns)
            .map(|column| {
                let lengths = self
                    .rows
                    .iter()
                    .map(|row| columns(row, column).chars().count());
                lengths.max().unwrap_or(0).max(3)
            })
            .collect();
        let mut text = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let content = columns(row, column);
                text += "| ";
                let padding = " ".repeat(width - content.chars().count());
                if column == 0 {
                    text = text + &content + &padding + " ";
                } else {
                    text = text + &padding + &content + " ";
                }
            }
            text += "|\n";
            if place == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width + 1);
                    text = text + "|" + &dashes + if column == 0 { "-" } else { ":" };
                }
                text += "|\n";
            }
        }
        text
    }
}

/// A number with about three digits that matter.
///
/// ```
/// use wayfarer_bench::table::short;
/// assert_eq!(short(0.01234), "0.0123");
/// assert_eq!(short(4.567), "4.57");
/// assert_eq!(short(45.67), "45.7");
/// assert_eq!(short(4567.8), "4,568");
/// ```
pub fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => grouped(&format!("{number:.0}")),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}

/// Digits in groups of three.
pub fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |d| ("-", d));
    let mut text = String::from(sign);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

const ANSWER_HEADS: [&str; 12] = [
    "engine",
    "queries",
    "wrong",
    "mean us",
    "p50 us",
    "p99 us",
    "max us",
    "expansions",
    "ns each",
    "length",
    "length p99",
    "length max",
];

fn or_dash(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), short)
}

fn results(name: &str, figures: &Figures) -> Vec<String> {
    let ratio = |pick: fn(&Spread) -> f64| {
        let ratio = figures.length_ratio.as_ref().map(pick);
        ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.4}"))
    };
    vec![
        name.to_owned(),
        grouped(&figures.queries.to_string()),
        grouped(&figures.wrong.to_string()),
        short(figures.mean_us),
        short(figures.p50_us),
        short(figures.p99_us),
        short(figures.max_us),
        or_dash(figures.expansions_mean),
        or_dash(figures.ns_per_expansion),
        ratio(|it| it.mean),
        ratio(|it| it.p99),
        ratio(|it| it.max),
    ]
}

const COST_HEADS: [&str; 7] = [
    "engine",
    "prepare ms",
    "memory kB",
    "peak kB",
    "allocations",
    "cut corners",
    "longer",
];

fn costs(name: &str, figures: &Figures) -> Vec<String> {
    let kilobytes = |bytes: Option<f64>| or_dash(bytes.map(|bytes| bytes / 1e3));
    vec![
        name.to_owned(),
        short(figures.prepare_ms),
        kilobytes(figures.memory_bytes),
        kilobytes(figures.peak_bytes_max.map(|bytes| bytes as f64)),
        or_dash(figures.allocations_per_query),
        grouped(&figures.cut_corners.to_string()),
        grouped(&figures.longer.to_string()),
    ]
}

/// The report as text: the machine, what each engine answered and what that took, then what needs
/// saying.
pub fn render(report: &Report) -> String {
    let mut answered = Table::new(ANSWER_HEADS);
    let mut cost = Table::new(COST_HEADS);
    for engine in &report.engines {
        answered.row(results(&engine.name, &engine.figures));
        cost.row(costs(&engine.name, &engine.figures));
    }
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n\n{}\n{}\n",
        report.machine,
        report.calibration,
        answered.render(),
        cost.render()
    );
    for against in &report.against {
        text += &format!(
            "{} is {} times as fast as {} (least on a map: {})\n",
            report.method,
            short(against.times_as_fast),
            against.name,
            short(against.least),
        );
    }
    for engine in &report.engines {
        text += &notes(engine);
    }
    text
}

/// What a reader must know of an engine besides its figures.
fn notes(engine: &EngineReport) -> String {
    let mut text = String::new();
    let name = &engine.name;
    let figures = &engine.figures;
    let mut say = |line: String| text = std::mem::take(&mut text) + &line + "\n";
    if figures.cut_corners > 0 {
        say(format!(
            "{name} cuts corners: {} of {} paths; lengths are against the best that does not",
            figures.cut_corners, figures.queries
        ));
    }
    if engine.rule == MovementRule::AnyAngle {
        say(format!(
            "{name} walks at any angle: lengths are against the best over cells"
        ));
    }
    if let Some(cold) = figures.cold_mean_us {
        say(format!(
            "{name} with nothing remembered: {} us",
            short(cold)
        ));
    }
    if let Some(bytes) = figures.cache_bytes {
        say(format!(
            "{name} remembers at most {} kB a map",
            short(bytes / 1e3)
        ));
    }
    if let Some(bound) = figures.proven_bound {
        say(format!(
            "{name} proves its paths to be at most {:.4} times the best on average, {:.4} at most",
            bound.mean, bound.max
        ));
    }
    if figures.noise > 1.4 {
        say(format!(
            "{name} was disturbed: its worst run took {} times its best",
            short(figures.noise)
        ));
    }
    for fault in &engine.faults {
        say(format!(
            "{name} wrong on {} from {:?} to {:?}: {:?}",
            fault.map, fault.start, fault.goal, fault.fault
        ));
    }
    for refused in &engine.refused {
        say(refused.clone());
    }
    text
}

/// The same table map by map, one row per engine and map.
pub fn render_maps(report: &Report) -> String {
    let mut table = Table::new(["map"].into_iter().chain(ANSWER_HEADS));
    for row in &report.maps {
        for engine in &report.engines {
            if let Some(its) = engine.maps.iter().find(|its| its.map == row.map) {
                let mut all = vec![row.map.clone()];
                all.extend(results(&engine.name, &its.figures));
                table.row(all);
            }
        }
    }
    table.render()
}

#[cfg(test)]
mod tests;

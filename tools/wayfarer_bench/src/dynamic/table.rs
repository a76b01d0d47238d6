//! The report as a table.

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, short};

use super::report::DynamicReport;

/// The report as text: the machine, the figures, then what was wrong.
pub fn render(report: &DynamicReport) -> String {
    let mut table = Table::new([
        "engine",
        "queries",
        "wrong",
        "batches",
        "change us",
        "change max",
        "query us",
        "query max",
        "search us",
        "expansions",
        "total ms",
    ]);
    let mean = |spread: Option<Spread>| spread.map_or_else(|| "–".to_owned(), |it| short(it.mean));
    let max = |spread: Option<Spread>| spread.map_or_else(|| "–".to_owned(), |it| short(it.max));
    for it in &report.engines {
        table.row([
            it.engine.clone(),
            it.queries.to_string(),
            it.wrong.to_string(),
            it.batches.to_string(),
            mean(it.change_us),
            max(it.change_us),
            mean(it.query_us),
            max(it.query_us),
            mean(it.search_us),
            short(it.expansions_mean),
            short(it.total_ms),
        ]);
    }
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\nthe dense A* takes {:.1} times as long\n\n{}",
        report.machine,
        report.calibration,
        report.times_dense,
        table.render(),
    );
    for it in &report.engines {
        for fault in &it.faults {
            text += &format!("wrong: {}: {fault}\n", it.engine);
        }
    }
    text
}

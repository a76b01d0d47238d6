//! The report as a table.

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, short};

use super::report::PlanarReport;

/// The report as text: the machine, the figures, then what was wrong.
pub fn render(report: &PlanarReport) -> String {
    let mut table = Table::new(["", "mean", "p50", "p99", "max"]);
    let mut row = |name: &str, spread: Option<Spread>| {
        let figures = spread.map_or_else(
            || ["–", "–", "–", "–"].map(str::to_owned),
            |it| [it.mean, it.p50, it.p99, it.max].map(short),
        );
        let mut row = vec![name.to_owned()];
        row.extend(figures);
        table.row(row);
    };
    row("path us", report.path_us);
    row("update us", report.update_us);
    row("path and update us", report.tick_us);
    row("pairs us", report.pairs_us);
    row("pairs through the tree us", report.pairs_tree_us);
    row("expansions", report.expansions);
    row("spaces", report.spaces);
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n{} entities, {} queries, {} without a way\n\n{}",
        report.machine,
        report.calibration,
        report.obstacles,
        report.queries,
        report.unreachable,
        table.render(),
    );
    if !report.baselines.is_empty() {
        let columns = [
            "",
            "",
            "ours us",
            "theirs us",
            "times",
            "compared",
            "different",
        ];
        let mut table = Table::new(columns);
        for row in &report.baselines {
            table.row(vec![
                row.name.to_owned(),
                row.what.to_owned(),
                short(row.ours_us),
                short(row.theirs_us),
                format!("{:.1}", row.times_ours),
                row.compared.to_string(),
                row.different.to_string(),
            ]);
        }
        text += &format!("{}\n", table.render());
    }
    if let Some(ns) = report.update_ns {
        text += &format!("update: {} ns for each entity that moves\n", short(ns));
    }
    if let Some(ns) = report.ray_ns {
        text += &format!("ray: {} ns\n", short(ns));
    }
    if let Some(ratio) = report.length_ratio {
        text += &format!(
            "length: {:.4} x the shortest, at worst {:.4} ({} compared)\n",
            ratio.mean, ratio.max, ratio.count
        );
    }
    if let (Some(straight), Some(points)) = (report.straight_ratio, report.points) {
        text += &format!("length: {straight:.4} x the straight line, {points:.1} points\n");
    }
    for fault in &report.faults {
        text += &format!("wrong: {fault}\n");
    }
    text
}

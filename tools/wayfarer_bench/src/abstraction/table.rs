//! The report as a table, a row per sector size.

use wayfarer_measure::table::{Table, short};

use super::report::{AbstractionReport, Bucket};

/// The report as text: the machine, the figures, then what needs saying.
pub fn render(report: &AbstractionReport) -> String {
    let mut table = Table::new([
        "refine",
        "sector",
        "centres",
        "bytes mean",
        "max",
        "all stored",
        "16-bit",
        "half edges",
        "ns to neighbours",
        "16-bit",
        "half edges",
        "us",
        "length mean",
        "p90",
        "max",
        "longest p90",
        "work",
        "p95",
        "refine",
        "piece p95",
        "of A*",
    ]);
    let dash = || "–".to_owned();
    for sector in &report.sectors {
        let number = |number: Option<f64>| number.map_or_else(dash, short);
        let ratio = |ratio: Option<f64>| ratio.map_or_else(dash, |ratio| format!("{ratio:.3}"));
        let length = sector.length_ratio;
        let neighbors = sector.neighbors_ns;
        table.row([
            sector.refine.clone(),
            sector.sector.to_string(),
            sector.centers.to_owned(),
            short(sector.baked_bytes.mean),
            short(sector.baked_bytes.max),
            short(sector.baked_with_defaults_bytes.mean),
            number(sector.compressed_bytes),
            number(sector.half_edges_bytes),
            short(neighbors.baked),
            number(neighbors.compressed),
            number(neighbors.half_edges),
            short(sector.mean_us),
            ratio(length.map(|length| length.mean)),
            ratio(length.map(|length| length.p90)),
            ratio(length.map(|length| length.max)),
            ratio(sector.length_ratio_longest.map(|length| length.p90)),
            number(sector.expansions_longest),
            number(sector.expansions_longest_p95),
            number(sector.refinement_longest),
            number(sector.worst_piece_longest_p95),
            sector
                .expansions_ratio_longest
                .map_or_else(dash, |ratio| format!("{ratio:.4}")),
        ]);
    }
    let totals = &report.totals;
    format!(
        "{}\ncalibration {:.1} ns per expansion\n{} questions, {} wrong; {} of {} cells and more: work, pieces and shares are theirs\n\n{}\nexpansions by length of path, {}\n\n{}",
        report.machine,
        report.calibration,
        totals.queries,
        totals.wrong,
        totals.queries_longest,
        report.longest,
        table.render(),
        totals.refine,
        lengths(report),
    )
}

/// Expansions by path length, in steps of 64 cells: figure 10 of \[Sturtevant2007\].
fn lengths(report: &AbstractionReport) -> String {
    let mut table = Table::new([
        "length", "paths", "mean", "most", "A* mean", "A* most", "of A*",
    ]);
    for bucket in Bucket::joined(&report.by_length, 16.0) {
        let share = bucket.expansions_mean / bucket.astar_mean.max(1.0);
        table.row([
            format!("{} to {}", bucket.from, bucket.to),
            bucket.queries.to_string(),
            short(bucket.expansions_mean),
            short(bucket.expansions_max),
            short(bucket.astar_mean),
            short(bucket.astar_max),
            format!("{share:.4}"),
        ]);
    }
    table.render()
}

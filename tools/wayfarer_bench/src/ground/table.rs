//! The report as a table beside the published figures of \[Sturtevant2011\].

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, short};

use super::profiles::mean_and_max;
use super::report::GroundReport;

/// What Sturtevant's sparse grid of 2011 was published with, sectors of 16 where it matters; its
/// times are of its own machine.
mod published {
    pub(super) const MEMORY: [&str; 2] = ["93,064", "519,292"];
    pub(super) const SUCCESSORS: &str = "100 to 240";
    pub(super) const CUT: [&str; 2] = ["172", "804"];
    pub(super) const ADD: [&str; 2] = ["100", "207"];
    pub(super) const ONE_BY_ONE: &str = "about 2";
}

/// The report as text: the machine, the figures, then what needs saying.
pub fn render(report: &GroundReport) -> String {
    let mut table = Table::new(["", "mean", "p99", "max", "2011 mean", "2011 max"]);
    let mut spread = |name: &str, spread: Option<Spread>, published: [&str; 2]| {
        let figures = spread.map_or_else(
            || vec!["–".to_owned(); 3],
            |it| vec![short(it.mean), short(it.p99), short(it.max)],
        );
        let mut row = vec![name.to_owned()];
        row.extend(figures);
        row.extend(published.map(str::to_owned));
        table.row(row);
    };
    const NONE: [&str; 2] = ["", ""];
    spread("memory, bytes", report.memory_bytes, published::MEMORY);
    spread(
        "memory after 1,000 edits, bytes",
        report.memory_after_edits_bytes,
        NONE,
    );
    spread("cut middle strip, us", report.cut99_us, published::CUT);
    spread("add middle strip, us", report.add99_us, published::ADD);
    spread("cut busiest strip, us", report.busiest_cut99_us, NONE);
    spread("add busiest strip, us", report.busiest_add99_us, NONE);
    spread("both, caches cold, us", report.cold_edit_us, NONE);
    spread(
        "cut middle strip cell by cell, us",
        report.cut99_one_by_one_us,
        NONE,
    );
    spread(
        "add middle strip cell by cell, us",
        report.add99_one_by_one_us,
        NONE,
    );
    spread("one cell, us", report.edit1_us, NONE);
    spread("  in sectors with one region", report.edit1_lone_us, NONE);
    spread(
        "  in sectors with several regions",
        report.edit1_shared_us,
        NONE,
    );
    let mut line = |name: &str, figure: f64, published: &str| {
        table.row([name, &short(figure), "", "", published]);
    };
    line("build, ns per walkable cell", report.build_ns_per_cell, "");
    line(
        "all steps of a cell, ns",
        report.successors_ns,
        published::SUCCESSORS,
    );
    line("  cells in random order", report.successors_random_ns, "");
    line("  direction by direction", report.successors_single_ns, "");
    let ratio = |ratio: Option<f64>| ratio.unwrap_or(f64::NAN);
    let one_by_one = published::ONE_BY_ONE;
    line(
        "cut cell by cell over one batch",
        ratio(report.cut99_one_by_one_ratio),
        one_by_one,
    );
    line(
        "add cell by cell over one batch",
        ratio(report.add99_one_by_one_ratio),
        one_by_one,
    );
    line("bits once per sector, bytes", report.shared_grid_bytes, "");
    line("bits once per region, bytes", report.region_grid_bytes, "");
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n{} maps, {} walkable cells, {} of {} sectors with several regions, {} maps with cells in the middle strip\n\n{}",
        report.machine,
        report.calibration,
        report.n_maps,
        report.n_cells,
        report.n_shared_sectors,
        report.n_sectors,
        report.n_center_strips,
        table.render(),
    );
    if !report.profiles.is_empty() {
        text += &format!("\n{}", profiles(report));
    }
    for map in &report.maps {
        for fault in &map.faults {
            text += &format!("wrong on {}: {fault}\n", map.map);
        }
    }
    text
}

/// What views of other agents cost, beside the ground without any.
fn profiles(report: &GroundReport) -> String {
    let mut table = Table::new([
        "view of",
        "cells",
        "build ns",
        "bytes",
        "max",
        "of ground",
        "cut us",
        "max",
        "add us",
        "max",
        "cell us",
        "max",
    ]);
    let mut row = |agent: &str, n_cells: usize, build: f64, ratio: f64, spreads: [_; 4]| {
        let [bytes, cut, add, single] = spreads.map(mean_and_max);
        let mut row = vec![agent.to_owned(), n_cells.to_string(), short(build)];
        row.extend(bytes);
        row.push(short(ratio));
        row.extend([cut, add, single].into_iter().flatten());
        table.row(row);
    };
    row(
        "none",
        report.n_cells,
        report.build_ns_per_cell,
        1.0,
        [
            report.memory_bytes,
            report.cut99_us,
            report.add99_us,
            report.edit1_us,
        ],
    );
    for profile in &report.profiles {
        row(
            profile.agent,
            profile.n_cells,
            profile.build_ns_per_cell,
            profile.memory_ratio,
            [
                profile.memory_bytes,
                profile.cut99_us,
                profile.add99_us,
                profile.edit1_us,
            ],
        );
    }
    table.render()
}

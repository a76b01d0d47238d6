//! The report as a table.

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, short};

use super::report::WorstCaseReport;

/// The report as text: the machine, the figures, then what was wrong.
pub fn render(report: &WorstCaseReport) -> String {
    let mut table = Table::new(["edits", "mean us", "p99 us", "max us", "over 100 us"]);
    let mut row = |name: String, spread: Option<Spread>, over: String| {
        let figures = spread.map_or_else(
            || ["–", "–", "–"].map(str::to_owned),
            |it| [it.mean, it.p99, it.max].map(short),
        );
        let mut row = vec![name];
        row.extend(figures);
        row.push(over);
        table.row(row);
    };
    for world in &report.worlds {
        let (name, side) = (&world.world, world.side);
        let over = world.over_100_us.to_string();
        row(format!("{name}, {side}: one cell"), world.edit1_us, over);
        let over = world.strips_over_100_us.to_string();
        row(format!("{name}, {side}: strip of 99"), world.strip_us, over);
    }
    for wall in &report.walls {
        let side = wall.side;
        let over = wall.over_100_us.to_string();
        row(format!("wall across {side}: built"), wall.cut_us, over);
        row(
            format!("wall across {side}: taken down"),
            wall.add_us,
            String::new(),
        );
    }
    let doors = &report.doors;
    let nothing = String::new;
    row(
        "door that parts a keep: closed".to_owned(),
        doors.close_us,
        nothing(),
    );
    row(
        "door that parts a keep: opened".to_owned(),
        doors.open_us,
        nothing(),
    );
    row(
        "other door: closed".to_owned(),
        doors.close_other_us,
        nothing(),
    );
    row(
        "other door: opened".to_owned(),
        doors.open_other_us,
        nothing(),
    );
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n{} single edits over 100 us; {} of {} doors part the keep of {} cells\n\n{}",
        report.machine,
        report.calibration,
        report.over_100_us,
        doors.n_parting,
        doors.n_doors,
        doors.n_cells,
        table.render(),
    );
    for fault in report.faults() {
        text += &format!("wrong: {fault}\n");
    }
    text
}

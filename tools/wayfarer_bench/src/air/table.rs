//! The report as tables.

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, short};

use super::report::AirReport;

/// The report as text: the machine, the figures, then what was wrong.
pub fn render(report: &AirReport) -> String {
    let mut text = format!(
        "{}\ncalibration {:.1} ns per expansion\n",
        report.machine, report.calibration
    );
    let tables = [maps(report), asteroids(report), boards(report)];
    for table in tables.into_iter().flatten() {
        text = text + "\n" + &table.render();
    }
    for fault in report.faults() {
        text += &format!("wrong on {fault}\n");
    }
    text
}

fn spread(of: Option<Spread>) -> [String; 3] {
    of.map_or_else(
        || ["–"; 3].map(str::to_owned),
        |it| [it.mean, it.p99, it.max].map(short),
    )
}

fn maps(report: &AirReport) -> Option<Table> {
    let mut table = Table::new([
        "map",
        "solid voxels",
        "components",
        "build ms",
        "ns per voxel",
        "bytes",
        "per voxel",
        "nodes",
        "edit us",
        "p99",
        "max",
        "localise ns",
        "ray ns",
        "reach ns",
    ]);
    for map in &report.maps {
        let per = |of: f64| short(of / map.solid_voxels.max(1) as f64);
        let [mean, p99, max] = spread(map.edit_us);
        table.row([
            map.map.clone(),
            short(map.solid_voxels as f64),
            short(map.components as f64),
            short(map.build_ms),
            per(map.build_ms * 1e6),
            short(map.memory_bytes as f64),
            per(map.memory_bytes as f64),
            short(map.nodes as f64),
            mean,
            p99,
            max,
            short(map.locate_ns),
            short(map.ray_ns),
            short(map.reach_ns),
        ]);
    }
    (!report.maps.is_empty()).then_some(table)
}

fn asteroids(report: &AirReport) -> Option<Table> {
    let rocks = report.asteroids.as_ref()?;
    let mut table = Table::new([
        "asteroids",
        "side",
        "solid voxels",
        "build ms",
        "MB",
        "MB after",
        "moving",
        "tick ms: mean",
        "p50",
        "p99",
        "max",
        "compared",
    ]);
    let [mean, p99, max] = spread(rocks.tick_ms);
    table.row([
        short(rocks.rocks.into()),
        short(rocks.side.into()),
        short(rocks.solid_voxels as f64),
        short(rocks.build_ms),
        short(rocks.memory_bytes as f64 / 1e6),
        short(rocks.memory_after_ticks_bytes as f64 / 1e6),
        rocks.moving.to_string(),
        mean,
        rocks.tick_ms.map_or("–".to_owned(), |it| short(it.p50)),
        p99,
        max,
        rocks.checks.to_string(),
    ]);
    Some(table)
}

fn boards(report: &AirReport) -> Option<Table> {
    let mut table = Table::new([
        "board",
        "components",
        "build ms",
        "MB",
        "edit us",
        "p99",
        "max",
    ]);
    for board in &report.boards {
        let [mean, p99, max] = spread(board.edit_us);
        table.row([
            format!("{} cubed", board.side),
            short(board.components as f64),
            short(board.build_ms),
            short(board.memory_bytes as f64 / 1e6),
            mean,
            p99,
            max,
        ]);
    }
    (!report.boards.is_empty()).then_some(table)
}

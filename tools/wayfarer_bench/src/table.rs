//! A report as a Markdown table.

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, grouped, short};

use crate::engine::MovementRule;
use crate::report::{EngineReport, Figures, Report};

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

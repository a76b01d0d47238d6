//! Tables of the path benchmark.

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{grouped, short};

use super::report::{EngineFigures, EngineReport, PathFigures};
use crate::engine::MovementRule;
use crate::report::{Figures, in_part};
use crate::table::{fixed, table};

/// Results of engines: for each row the map, the engine and the figures.
fn results<'a>(rows: impl Iterator<Item = (&'a str, &'a str, &'a EngineFigures)>) -> String {
    let ratio = |figures: &EngineFigures, pick: fn(&Spread) -> f64| {
        let ratio = figures.length_ratio.as_ref().map(pick);
        ratio.map(|ratio| fixed(ratio, 4))
    };
    table!((map, engine, figures) in rows;
        "map" => map,
        "engine" => engine,
        "queries" => grouped(&figures.queries.to_string()),
        "wrong" => grouped(&figures.wrong.to_string()),
        "mean us" => figures.mean_us,
        "p50 us" => figures.p50_us,
        "p99 us" => figures.p99_us,
        "max us" => figures.max_us,
        "expansions" => figures.expansions_mean,
        "ns each" => figures.ns_per_expansion,
        "length" => ratio(figures, |it| it.mean),
        "length p99" => ratio(figures, |it| it.p99),
        "length max" => ratio(figures, |it| it.max),
    )
}

impl Figures for PathFigures {
    const SCHEMA: &'static str = "wayfarer/bench-paths/1";

    fn wrong(&self) -> usize {
        self.engines.iter().map(|engine| engine.figures.wrong).sum()
    }

    fn render(&self) -> String {
        let rows = self.engines.iter();
        let results = results(rows.map(|it| ("all", it.name.as_str(), &it.figures)));
        let kilobytes = |bytes: Option<f64>| bytes.map(|bytes| bytes / 1e3);
        let costs = table!(EngineReport { name, figures, .. } in &self.engines;
            "engine" => name.as_str(),
            "prepare ms" => figures.prepare_ms,
            "memory kB" => kilobytes(figures.memory_bytes),
            "peak kB" => kilobytes(figures.peak_bytes_max.map(|bytes| bytes as f64)),
            "allocations" => figures.allocations_per_query,
            "cut corners" => grouped(&figures.cut_corners.to_string()),
            "longer" => grouped(&figures.longer.to_string()),
        );
        let mut text = format!("{results}\n{costs}\n");
        for against in &self.against {
            text += &format!(
                "{} is {} times as fast as {} (least on a map: {})\n",
                self.method,
                short(against.times_as_fast),
                against.name,
                short(against.least),
            );
        }
        for note in self.engines.iter().flat_map(notes) {
            text += &format!("{note}\n");
        }
        text
    }

    fn faults(&self) -> Vec<String> {
        let of_engine = |engine: &EngineReport| {
            let faults = engine.faults.iter().map(|row| {
                let (map, start, goal) = (&row.map, row.start, row.goal);
                format!("{map} from {start:?} to {goal:?}: {:?}", row.fault)
            });
            in_part(&engine.name, &faults.collect::<Vec<_>>())
        };
        self.engines.iter().flat_map(of_engine).collect()
    }
}

impl PathFigures {
    /// The results map by map, a row per engine and map.
    pub fn render_maps(&self) -> String {
        let rows = self.maps.iter().flat_map(|row| {
            self.engines.iter().filter_map(|engine| {
                let its = engine.maps.iter().find(|its| its.map == row.map)?;
                Some((row.map.as_str(), engine.name.as_str(), &its.figures))
            })
        });
        results(rows)
    }
}

/// Remarks on an engine besides its figures.
fn notes(engine: &EngineReport) -> Vec<String> {
    let (name, figures) = (&engine.name, &engine.figures);
    let mut notes = Vec::new();
    if figures.cut_corners > 0 {
        notes.push(format!(
            "{name} cuts corners: {} of {} paths; lengths are over the optimum without",
            figures.cut_corners, figures.queries
        ));
    }
    if engine.rule == MovementRule::AnyAngle {
        let note = "has any-angle paths: lengths are over the optimum on the grid";
        notes.push(format!("{name} {note}"));
    }
    if let Some(cold) = figures.cold_mean_us {
        notes.push(format!("{name} with an empty cache: {} us", short(cold)));
    }
    if let Some(bytes) = figures.cache_bytes {
        let kilobytes = short(bytes / 1e3);
        notes.push(format!("{name} caches at most {kilobytes} kB a map"));
    }
    if let Some(bound) = figures.proven_bound {
        notes.push(format!(
            "{name} proves a suboptimality bound of {:.4} on average, {:.4} at most",
            bound.mean, bound.max
        ));
    }
    if figures.noise > 1.4 {
        notes.push(format!(
            "{name} was disturbed: its worst run took {} times its best",
            short(figures.noise)
        ));
    }
    notes.extend(engine.rejected.iter().cloned());
    notes
}

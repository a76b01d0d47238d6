//! `bench world`: whole ticks of a city that changes, with a crowd that walks, senses and replans.

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, grouped};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Figures, Progress, number};
use crate::table::spreads;

pub mod streets;

use streets::{Part, Setting, Streets};
use wayfarer_engine::base::Terrain;
use wayfarer_engine::make::{City, MakeError};

/// What to measure.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    #[command(flatten)]
    #[expect(
        missing_docs,
        reason = "documentation would become the help of the command"
    )]
    pub setting: Setting,
    /// Ticks of 1/30 s
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = number(1..=100_000))]
    pub ticks: usize,
}

/// Ticks of a city, and what happened in them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorldFigures {
    /// Milliseconds of whole ticks.
    pub tick_ms: Spread,
    /// Milliseconds of the parts of a tick.
    pub parts: BTreeMap<&'static str, Spread>,
    /// Paths that an edit invalidated and that were repaired.
    pub repaired_paths: u64,
    /// Paths found to a new goal.
    pub new_paths: u64,
    /// Agents whose goal was disconnected, so that they took another.
    pub cut_off: u64,
    /// Ticks whose searches exceeded the budget of expansions.
    pub budget_overruns: u64,
    /// Searches postponed to the next tick for lack of budget.
    pub postponed: u64,
    /// Searches that exceeded a whole tick's expansions: the agent follows the best partial path.
    pub partial_paths: u64,
    /// The most expansions of a tick.
    pub most_expansions: u64,
    /// Cells of all found paths, per tick.
    pub cells_per_tick: u64,
    /// Longest wait for a path in ticks.
    pub longest_wait_ticks: u32,
    /// Agents inside walls, checked after every tick.
    pub inside_walls: u64,
    /// Sensor events.
    #[serde(rename = "sightings")]
    pub sensor_events: u64,
    /// Cells closed and opened.
    pub edits: u64,
    /// The digest of the world at the end: the same on every machine.
    pub state_hash: String,
}

impl Benchmark for Arguments {
    type Figures = WorldFigures;
    const PARTS: &'static str = "ticks";

    fn command(&self) -> String {
        let setting = &self.setting;
        CommandLine::new("world")
            .option("agents", setting.agents)
            .option("edits", setting.edits)
            .option("ticks", self.ticks)
            .option("size", setting.size)
            .option("budget", setting.budget)
            .option("cells", setting.cells)
            .option("seed", setting.seed)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<WorldFigures, BenchError> {
        let timer = Timer::new();
        let map = city_map(self.setting.size, self.setting.seed)?;
        let streets = Streets::new(self.setting, &map);
        let mut streets = streets.map_err(|error| BenchError::World {
            world: "the city".to_owned(),
            reason: error.to_string(),
        })?;
        let n_ticks = self.ticks.max(1);
        let mut ticks = Vec::with_capacity(n_ticks);
        let mut parts: [Vec<f64>; 4] = Default::default();
        for _ in 0..n_ticks {
            progress("tick", n_ticks);
            let mut whole = 0.0;
            for (part, times) in Part::ALL.into_iter().zip(&mut parts) {
                let ((), ns) = timer.time(|| streets.play(part));
                times.push(ns / 1e6);
                whole += ns / 1e6;
            }
            ticks.push(whole);
            streets.check();
        }
        let names = Part::ALL.map(Part::name).into_iter();
        let spread = |numbers: &mut Vec<f64>| Spread::of(numbers).expect("at least one tick");
        let tally = &streets.tally;
        Ok(WorldFigures {
            tick_ms: spread(&mut ticks),
            parts: names.zip(parts.iter_mut().map(spread)).collect(),
            repaired_paths: tally.repaired,
            new_paths: tally.new_paths,
            cut_off: tally.cut_off,
            budget_overruns: tally.overruns,
            postponed: tally.postponed,
            partial_paths: tally.partial,
            most_expansions: tally.most_expansions,
            cells_per_tick: tally.cells / n_ticks as u64,
            longest_wait_ticks: tally.longest_wait,
            inside_walls: tally.inside_walls,
            sensor_events: tally.sensor_events,
            edits: tally.edits,
            state_hash: format!("{:016x}", streets.state_hash()),
        })
    }
}

impl Figures for WorldFigures {
    const SCHEMA: &'static str = "wayfarer/bench-world/1";

    /// Agents inside walls and ticks that exceeded their budget.
    fn wrong(&self) -> usize {
        usize::try_from(self.inside_walls + self.budget_overruns).unwrap_or(usize::MAX)
    }

    fn render(&self) -> String {
        let parts = Part::ALL.map(|part| (part.name(), self.parts.get(part.name()).copied()));
        let times = [("tick", Some(self.tick_ms))].into_iter().chain(parts);
        let mut counts = Table::new(["count", "of all ticks"]);
        for (name, count) in [
            ("cells closed or opened", self.edits),
            ("paths repaired", self.repaired_paths),
            ("paths found to new goals", self.new_paths),
            ("goals disconnected", self.cut_off),
            ("path cells per tick", self.cells_per_tick),
            ("sensor events", self.sensor_events),
            ("most expansions in a tick", self.most_expansions),
            ("searches postponed", self.postponed),
            ("partial paths", self.partial_paths),
            ("longest wait, ticks", self.longest_wait_ticks.into()),
            ("budget overruns", self.budget_overruns),
            ("agents inside walls", self.inside_walls),
        ] {
            counts.row([name, &grouped(&count.to_string())]);
        }
        format!("{}\n{}", spreads("milliseconds", times), counts.render())
    }

    fn faults(&self) -> Vec<String> {
        let wrong = [
            (self.inside_walls, "agents inside walls"),
            (self.budget_overruns, "ticks over their budget"),
        ];
        let wrong = wrong.iter().filter(|(count, _)| *count > 0);
        wrong
            .map(|(count, what)| format!("{count} {what}"))
            .collect()
    }
}

/// A made city in the format of grid benchmarks.
fn city_map(size: u32, seed: u64) -> Result<Vec<u8>, MakeError> {
    let city = City::new(size, seed)?;
    let side = size as usize;
    let mut tiles = vec![b'@'; side * side];
    for id in city.sectors() {
        for (cell, terrain) in city.sector(id).cells() {
            let at = |at: i32| usize::try_from(at).ok().filter(|at| *at < side);
            if let (Some(x), Some(y)) = (at(cell.x), at(cell.y)) {
                tiles[y * side + x] = match terrain {
                    Terrain::GROUND => b'.',
                    Terrain::WATER => b'W',
                    _ => b'T',
                };
            }
        }
    }
    let mut map = format!("type octile\nheight {size}\nwidth {size}\nmap\n").into_bytes();
    for row in tiles.chunks(side) {
        map.extend(row);
        map.push(b'\n');
    }
    Ok(map)
}

#[cfg(test)]
mod tests;

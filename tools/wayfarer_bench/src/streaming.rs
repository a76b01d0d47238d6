//! `bench streaming`: a traveler crosses a city larger than memory, tile by tile under a limit, among
//! edits of tiles that are not loaded.
//!
//! The city is drawn from its seed whenever a tile is loaded; edited tiles are in a folder of the
//! temporary directory. Every leg is checked against the next, the memory against the limit after each, and
//! the opened world against the flushed one. Costs are compared with optimal paths on a smaller
//! city that one tile holds.

mod city;

use std::path::PathBuf;

use serde::Serialize;
use wayfarer::streaming::{CitySource, MemoryStore, StreamedLayout, StreamedWorld};
use wayfarer::{AgentTypeId, PathRequest, Position, Scale, Searcher, Solid};
use wayfarer_engine::base::Rng;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::Spread;
use wayfarer_store::TileDirectory;

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress, number};
use crate::table::table;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug, clap::Args)]
pub struct Arguments {
    /// Side of the city in cells
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u32).range(256..=262_144))]
    pub size: u32,
    /// Side of a tile in cells, a multiple of 16
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(32..=4_096))]
    pub tile: u32,
    /// Memory limit of the world in MiB
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = number(1..=65_536))]
    pub limit: usize,
    /// Seed of the city
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads that build the graph
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number(1..=64))]
    pub threads: usize,
    /// Random buildings that go up anywhere
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number(1..=10_000))]
    pub edits: usize,
    /// Paths compared with optimal ones
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = number(1..=1_000))]
    pub compared: usize,
}

/// A streamed world measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StreamingFigures {
    /// Side of the city in cells.
    pub size: u32,
    /// Tiles of the city.
    pub tiles: u32,
    /// Seconds to draw every tile once and build the graph.
    pub create_s: f64,
    /// Bytes of the graph.
    pub graph_bytes: usize,
    /// The memory limit in bytes.
    pub limit_bytes: usize,
    /// Most bytes of graph and loaded tiles after any leg or edit.
    pub most_bytes: usize,
    /// Most bytes resident in the process so far, where the system says so.
    pub process_bytes: Option<usize>,
    /// Milliseconds of the first question about reachability, which joins the components of all tiles.
    pub join_ms: f64,
    /// Milliseconds to plan the path across.
    pub plan_ms: f64,
    /// Legs of the path across.
    pub legs: usize,
    /// Its cost over the octile distance of its ends.
    pub detour: f64,
    /// Milliseconds of a leg, loading included.
    pub leg_ms: Option<Spread>,
    /// Milliseconds to load a tile.
    pub load_ms: Option<Spread>,
    /// Tiles loaded while crossing.
    pub loads: u64,
    /// Milliseconds of an edit somewhere, loading included.
    pub edit_ms: Option<Spread>,
    /// Milliseconds to save what was edited, and to open the world again.
    pub flush_ms: f64,
    /// Milliseconds to open it again.
    pub open_ms: f64,
    /// Cost over that of an optimal path, on a city of at most 2,048 cells a side.
    pub ratio: Option<Spread>,
    /// What was wrong.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Benchmark for Arguments {
    type Figures = StreamingFigures;
    const PARTS: &'static str = "parts";

    fn command(&self) -> String {
        CommandLine::new("streaming")
            .option("size", self.size)
            .option("tile", self.tile)
            .option("limit", self.limit)
            .option("seed", self.seed)
            .option("threads", self.threads)
            .option("edits", self.edits)
            .option("compared", self.compared)
            .finish()
    }

    fn can_pin(&self) -> bool {
        self.threads == 1
    }

    fn measure(&self, progress: Progress<'_>) -> Result<StreamingFigures, BenchError> {
        let folder = Folder::new();
        let store = || TileDirectory::new(&folder.0).map_err(BenchError::world("store"));
        let timer = Timer::new();
        progress("graph", 5);
        let city = CitySource::new(self.size, self.seed).map_err(failed)?;
        let layout = layout(self.size, self.tile);
        let (source, tiles) = (Box::new(city.clone()), Box::new(store()?));
        let (world, create_ns) =
            timer.time_of_all(|| StreamedWorld::create(&layout, source, tiles, self.threads));
        let mut world = world.map_err(failed)?;
        world.set_memory_limit(self.limit << 20).map_err(failed)?;
        let mut run = Run {
            timer,
            world,
            searcher: Searcher::default(),
            faults: Faults::default(),
            limit: self.limit << 20,
            most_bytes: 0,
        };
        progress("across", 5);
        let (from, to) = city::corners(&city, self.size)?;
        let (connected, join_ns) = run.timed(|world| {
            let connected = world.is_connected(AgentTypeId::DEFAULT, from, to);
            connected.map_err(failed)
        })?;
        run.expect(connected == Some(true), "the corners are not connected");
        let across = run.across(from, to)?;
        progress("edits", 5);
        let mut edits = run.edits(self)?;
        progress("store", 5);
        let ((), flush_ns) = run.timed(|world| world.flush().map_err(failed))?;
        let expected = run.world.hash();
        let (tiles, source) = (Box::new(store()?), Box::new(city));
        let (opened, open_ns) = run
            .timer
            .time_of_all(|| StreamedWorld::open(tiles, Some(source)));
        let is_same = opened.map_err(failed)?.hash() == expected;
        run.expect(is_same, "the opened world is not the flushed one");
        progress("ratios", 5);
        let mut ratios = run.ratios(self)?;
        let (n_x, n_y) = run.world.n_tiles();
        Ok(StreamingFigures {
            size: self.size,
            tiles: n_x * n_y,
            create_s: create_ns / 1e9,
            graph_bytes: run.world.memory().graph,
            limit_bytes: run.limit,
            most_bytes: run.most_bytes,
            process_bytes: process_bytes(),
            join_ms: join_ns / 1e6,
            edit_ms: Spread::of(&mut edits),
            flush_ms: flush_ns / 1e6,
            open_ms: open_ns / 1e6,
            ratio: Spread::of(&mut ratios),
            faults: run.faults,
            ..across
        })
    }
}

fn layout(size: u32, tile: u32) -> StreamedLayout {
    let side = f64::from(size);
    StreamedLayout {
        tile_cells: tile,
        ..StreamedLayout::new(
            Scale::UNIT,
            Position::new(0.0, 0.0, 0.0),
            Position::new(side, side, 0.0),
        )
    }
}

fn failed(error: wayfarer::streaming::StreamError) -> BenchError {
    BenchError::world("streaming")(error)
}

/// A world under measurement.
struct Run {
    timer: Timer,
    world: StreamedWorld,
    searcher: Searcher,
    faults: Faults,
    limit: usize,
    most_bytes: usize,
}

impl Run {
    fn timed<T>(
        &mut self,
        work: impl FnOnce(&mut StreamedWorld) -> Result<T, BenchError>,
    ) -> Result<(T, f64), BenchError> {
        let (result, nanoseconds) = self.timer.time_of_all(|| work(&mut self.world));
        Ok((result?, nanoseconds))
    }

    fn expect(&mut self, is_right: bool, what: &str) {
        if !is_right {
            self.faults.push(what);
        }
    }

    fn check_memory(&mut self) {
        let bytes = self.world.memory().total();
        self.most_bytes = self.most_bytes.max(bytes);
        let is_within = bytes <= self.limit;
        self.expect(is_within, "the memory is above the limit");
    }

    /// The path across, leg by leg.
    fn across(&mut self, from: Position, to: Position) -> Result<StreamingFigures, BenchError> {
        let id = AgentTypeId::DEFAULT;
        let (mut path, plan_ns) =
            self.timed(|world| world.find_path(id, from, to).map_err(failed))?;
        let n_tiles = path.tiles().len();
        let (mut at, mut cost) = (from, 0.0);
        let (mut leg_ms, mut load_ms) = (Vec::new(), Vec::new());
        let first_load = self.world.n_loads();
        while !path.is_complete() {
            if let Some(tile) = path.tiles().first().copied() {
                let before = self.world.n_loads();
                let ((), nanoseconds) =
                    self.timed(|world| world.load_tile(tile).map_err(failed))?;
                if self.world.n_loads() > before {
                    load_ms.push(nanoseconds / 1e6);
                }
            }
            let mut searcher = std::mem::take(&mut self.searcher);
            let leg = self.timed(|world| world.next_leg(&mut searcher, &mut path).map_err(failed));
            self.searcher = searcher;
            let (leg, nanoseconds) = leg?;
            let Some(leg) = leg else {
                break;
            };
            leg_ms.push(nanoseconds / 1e6);
            self.expect(
                leg.start() == Some(at),
                "a leg does not start where the last ended",
            );
            at = leg.end().unwrap_or(at);
            cost += leg.cost();
            self.check_memory();
        }
        self.expect(at == to, "the path does not end at its goal");
        self.expect(
            leg_ms.len() == n_tiles,
            "the path needs other tiles than it says",
        );
        let ([x, y, _], [a, b, _]) = (from.units(), to.units());
        let (dx, dy) = ((a - x).abs(), (b - y).abs());
        let octile = dx.max(dy) + dx.min(dy) * (2_f64.sqrt() - 1.0);
        Ok(StreamingFigures {
            size: 0,
            tiles: 0,
            create_s: 0.0,
            graph_bytes: 0,
            limit_bytes: 0,
            most_bytes: 0,
            process_bytes: None,
            join_ms: 0.0,
            plan_ms: plan_ns / 1e6,
            legs: leg_ms.len(),
            detour: cost / octile,
            leg_ms: Spread::of(&mut leg_ms),
            load_ms: Spread::of(&mut load_ms),
            loads: self.world.n_loads() - first_load,
            edit_ms: None,
            flush_ms: 0.0,
            open_ms: 0.0,
            ratio: None,
            faults: Faults::default(),
        })
    }

    /// Buildings anywhere; every second is torn down again.
    fn edits(&mut self, arguments: &Arguments) -> Result<Vec<f64>, BenchError> {
        let mut rng = Rng::for_stream(arguments.seed, 77);
        let mut times = Vec::new();
        for number in 0..arguments.edits {
            let [x, y] = [0; 2].map(|_| f64::from(rng.below(arguments.size - 12)));
            let (low, high) = (
                Position::new(x, y, 0.0),
                Position::new(x + 12.0, y + 12.0, 4.0),
            );
            let solid = Solid::cuboid(low, high);
            let (id, nanoseconds) = self.timed(|world| world.add_solid(solid).map_err(failed))?;
            times.push(nanoseconds / 1e6);
            self.check_memory();
            if number % 2 == 1 {
                self.timed(|world| world.remove_solid(id).map_err(failed))?;
            }
        }
        Ok(times)
    }

    /// Costs over optimal ones, on a city that one tile holds.
    fn ratios(&mut self, arguments: &Arguments) -> Result<Vec<f64>, BenchError> {
        let size = arguments.size.min(2_048);
        let city = CitySource::new(size, arguments.seed).map_err(failed)?;
        let store = || Box::new(MemoryStore::default());
        let side = size.div_ceil(16) * 16;
        let whole = layout(size, side.min(4_096));
        let mut whole =
            StreamedWorld::create(&whole, Box::new(city.clone()), store(), 1).map_err(failed)?;
        let tile = layout(size, arguments.tile.min(side));
        let mut tiled =
            StreamedWorld::create(&tile, Box::new(city.clone()), store(), 1).map_err(failed)?;
        let origin = Position::new(0.5, 0.5, 0.0);
        let tile = whole
            .tile_at(origin)
            .ok_or_else(|| BenchError::Arguments("no tile".into()))?;
        whole.load_tile(tile).map_err(failed)?;
        let mut rng = Rng::for_stream(arguments.seed, 78);
        let mut ratios = Vec::new();
        for _ in 0..arguments.compared {
            let (from, to) = ([0; 2])
                .map(|_| city::open_cell(&city, size, &mut rng))
                .into();
            let mut path = tiled
                .find_path(AgentTypeId::DEFAULT, from, to)
                .map_err(failed)?;
            let mut cost = 0.0;
            while let Some(leg) = tiled
                .next_leg(&mut self.searcher, &mut path)
                .map_err(failed)?
            {
                cost += leg.cost();
            }
            let request = PathRequest::new(from, to);
            let world = whole.tile_world(tile);
            let optimal = world.map(|world| world.distance(&mut self.searcher, &request));
            match optimal {
                Some(Ok(optimal)) if optimal > 0.0 => {
                    self.expect(
                        cost >= optimal - 1e-6,
                        "a path is shorter than the optimal one",
                    );
                    ratios.push(cost / optimal);
                }
                Some(Ok(_)) => {}
                _ => self.expect(false, "a path exists that the whole world does not have"),
            }
        }
        Ok(ratios)
    }
}

impl Figures for StreamingFigures {
    const SCHEMA: &'static str = "wayfarer/bench-streaming/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn summary(&self) -> String {
        let mib = |bytes: usize| bytes.div_ceil(1 << 20);
        let process = self.process_bytes.map_or_else(String::new, |bytes| {
            format!("; the process had at most {} MiB", mib(bytes))
        });
        format!(
            "{0} x {0} cells in {1} tiles: graph in {2:.1} s and {3} MiB, at most {4} of {5} MiB with the tiles{process}",
            self.size,
            self.tiles,
            self.create_s,
            mib(self.graph_bytes),
            mib(self.most_bytes),
            mib(self.limit_bytes),
        )
    }

    fn render(&self) -> String {
        let rows = [
            ("leg, ms", self.leg_ms),
            ("load of a tile, ms", self.load_ms),
            ("edit anywhere, ms", self.edit_ms),
            ("cost over optimal", self.ratio),
        ];
        let rows: Vec<_> = rows
            .into_iter()
            .filter_map(|(what, spread)| Some((what, spread?)))
            .collect();
        let spreads = table!(row in &rows;
            "" => row.0,
            "mean" => row.1.mean,
            "p50" => row.1.p50,
            "p99" => row.1.p99,
            "max" => row.1.max,
        );
        format!(
            "{spreads}\nacross: planned in {:.1} ms, {} legs, {} tiles loaded, {:.3} of the octile distance; \
             components of all tiles in {:.1} ms; flushed in {:.0} ms, opened in {:.0} ms",
            self.plan_ms,
            self.legs,
            self.loads,
            self.detour,
            self.join_ms,
            self.flush_ms,
            self.open_ms
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.faults.clone()
    }
}

/// Most bytes resident so far.
fn process_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}

/// A folder of the temporary directory, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let name = format!("wayfarer-streaming-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_city_is_crossed_within_the_limit_and_nothing_is_wrong() {
        let arguments = Arguments {
            size: 512,
            tile: 64,
            limit: 1,
            seed: 1,
            threads: 2,
            edits: 6,
            compared: 4,
        };
        let report = arguments.run(false, |_, _| ()).unwrap();
        assert_eq!(report.figures.faults.faults, [""; 0]);
        assert!(report.figures.loads >= 8 && report.figures.legs >= 8);
        assert!(report.render().contains("load of a tile"));
    }
}

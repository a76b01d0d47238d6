//! `bench agents`: registered agent types beside the default profile: paths, edits, bytes.
//!
//! The same queries run for the default profile and for each sort of type that can solve them. Edits run with
//! a growing number of registered types; each is undone by the next, so the ground stays the same.

use std::path::PathBuf;

use serde::Serialize;
use wayfarer_engine::base::{
    Cell, Column, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit, Profile, Rect,
    Rng, Shape, Terrain,
};
use wayfarer_engine::search::ground::jps_cached::HeuristicWeight;
use wayfarer_engine::search::ground::{GroundRequest, Method, PathSearcher};
use wayfarer_engine::world::ground::{Ground, ProfileId};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{mean, percentile};

use crate::engine::EngineError;
use crate::error::BenchError;
use crate::load;
use crate::query::QuerySet;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::{fixed, table};

/// What is measured.
const METHODS: [Method; 3] = [Method::Jps, Method::Optimal, Method::Bounded];

/// Water: open to swimmers only.
const WATER: u8 = 5;
/// Side of a pond in cells.
const POND: i32 = 10;
/// Open cells under water, in percent.
const WATER_PERCENT: usize = 8;
/// Edits of each sort and number of types.
const N_EDITS: usize = 400;
/// Queries of each type that A* checks.
const N_CHECKED: usize = 12;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// A folder of `.map` files with `.scen` files beside them, or one such `.map` file.
    pub maps: PathBuf,
    /// Problems taken from each map, evenly spread over its list.
    pub sample: usize,
    /// Numbers of registered types for the edits.
    pub types: Vec<usize>,
    /// How often each query runs after it ran once; the best time counts.
    pub runs: usize,
    /// Where ponds and edits lie.
    pub seed: u64,
}

/// Paths of one type by one method, and of the default profile on the same queries; means in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PathRow {
    /// The map's name.
    pub map: String,
    /// The sort of type.
    pub agent: &'static str,
    /// The method.
    pub method: &'static str,
    /// Queries that both can solve.
    pub n_queries: usize,
    /// The type.
    pub us: f64,
    /// The default profile.
    pub walker_us: f64,
    /// Quotient of the two per cell of the path.
    pub ratio: f64,
}

/// Mean and 99th percentile, in microseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct EditTimes {
    /// Mean.
    pub mean: f64,
    /// 99th percentile.
    pub p99: f64,
}

/// Edits by sort.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct EditRow {
    /// A cell removed or put.
    pub cell: EditTimes,
    /// A cell's terrain changed.
    pub terrain: EditTimes,
    /// A modifier put on one cell or removed.
    pub cost: EditTimes,
    /// Three by three cells cleared or put back.
    pub solid: EditTimes,
}

/// One map with a number of types.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TypesRow {
    /// The map's name.
    pub map: String,
    /// Registered types.
    pub types: usize,
    /// Time of an edit, repair of all types included.
    pub edit_us: EditRow,
    /// Mean bytes of a layer.
    pub layer_bytes: f64,
    /// The same over the bytes of the ground.
    pub layer_ratio: f64,
    /// Mean of a `bounded` query over the types.
    pub path_us: f64,
}

/// Paths, edits and bytes of agent types.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AgentFigures {
    /// The only row of `by_types`, if one number and one map were asked for.
    #[serde(flatten)]
    pub single: Option<TypesRow>,
    /// Paths map by map, type by type.
    pub paths: Vec<PathRow>,
    /// Edits map by map, number by number.
    pub by_types: Vec<TypesRow>,
    /// Wrong results.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Benchmark for Arguments {
    type Figures = AgentFigures;

    fn command(&self) -> String {
        CommandLine::new("agents")
            .option("maps", self.maps.display())
            .option("sample", self.sample)
            .list("types", &self.types)
            .option("runs", self.runs)
            .option("seed", self.seed)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<AgentFigures, BenchError> {
        let files = load::find(&self.maps)?;
        let mut figures = AgentFigures::default();
        for file in &files {
            progress(&file.name(), files.len());
            let set = file.load(Some(self.sample), 0)?;
            let ground = ground_of(&set, self.seed)?;
            for sort in sorts() {
                measure_paths(&set, &ground, sort, self, &mut figures)?;
            }
            for &types in &self.types {
                let row = measure_types(&set, &ground, types, self)?;
                figures.by_types.push(row);
            }
        }
        if let [only] = figures.by_types.as_slice() {
            figures.single = Some(only.clone());
        }
        Ok(figures)
    }
}

fn water() -> Terrain {
    Terrain::new(WATER).unwrap_or(Terrain::GROUND)
}

/// The sorts of types that paths are measured for.
fn sorts() -> [(&'static str, Profile); 6] {
    let wide = |radius: i32| Profile {
        radius: Fixed::from_raw(radius),
        ..Profile::DEFAULT
    };
    [
        ("same", Profile::DEFAULT),
        (
            "keys",
            Profile {
                keys: 2,
                ..Profile::DEFAULT
            },
        ),
        ("swimmer", swimmer()),
        ("radius 1.0", wide(256)),
        ("radius 1.5", wide(384)),
        ("radius 2.5", wide(640)),
    ]
}

fn swimmer() -> Profile {
    Profile {
        allowed_terrains: Profile::DEFAULT.allowed_terrains | water().bit(),
        ..Profile::DEFAULT
    }
}

/// Type number `index`: radii, swimmers and keys in turn, no two equal.
fn nth_type(index: usize) -> Profile {
    let radius = [384, 256, 128, 640, 768][index % 5];
    let base = if (index / 5).is_multiple_of(2) {
        Profile::DEFAULT
    } else {
        swimmer()
    };
    Profile {
        radius: Fixed::from_raw(radius),
        keys: 1 << (index / 10 % 32),
        ..base
    }
}

fn map_error(set: &QuerySet, error: &impl ToString) -> BenchError {
    BenchError::from(EngineError::Map {
        engine: "the ground".to_owned(),
        reason: format!("{}: {}", set.name, error.to_string()),
    })
}

/// The map with ponds.
fn ground_of(set: &QuerySet, seed: u64) -> Result<Ground, BenchError> {
    let mut rng = Rng::for_stream(seed, 62);
    let (mut map, all) = (set.map.clone(), set.map.rect());
    let mut n_water = 0;
    while n_water * 100 < WATER_PERCENT * set.open.n_open() {
        let (x, y) = (
            rng.between(all.low.x, all.high.x),
            rng.between(all.low.y, all.high.y),
        );
        let pond = Rect::around(Column::new(x, y), Column::new(x + POND - 1, y + POND - 1));
        for at in pond.columns() {
            if map.get(at.x, at.y) == Some(Terrain::GROUND) {
                map.set(at.x, at.y, Some(water()));
                n_water += 1;
            }
        }
    }
    let walker = Profile {
        allowed_terrains: Profile::DEFAULT.allowed_terrains & !water().bit(),
        ..Profile::DEFAULT
    };
    let mut ground = Ground::new(walker).map_err(|error| map_error(set, &error))?;
    let patch = GroundEdit::Patch {
        at: Column::new(0, 0),
        z: 0,
        raster: map,
    };
    ground
        .apply(&[patch])
        .map_err(|error| map_error(set, &error))?;
    Ok(ground)
}

/// A query by a profile: cost in units, cells and nanoseconds; `None` if there is no path.
fn find(
    (ground, profile_id): (&Ground, Option<ProfileId>),
    searcher: &mut PathSearcher,
    (from, to): (Cell, Cell),
    method: Method,
    timer: &Timer,
) -> Option<(u32, usize, f64)> {
    let request = GroundRequest {
        profile_id,
        method,
        ..GroundRequest::new(from, to)
    };
    let (path, nanoseconds) = timer.time(|| searcher.find(ground, &request).ok()?.found());
    let path = path?;
    let found = (path.cost.units(), path.cells.len(), nanoseconds);
    searcher.recycle(path);
    Some(found)
}

fn measure_paths(
    set: &QuerySet,
    ground: &Ground,
    (agent, profile): (&'static str, Profile),
    arguments: &Arguments,
    figures: &mut AgentFigures,
) -> Result<(), BenchError> {
    let mut ground = ground.clone();
    let walker = ground.default_profile().clone();
    let profile = Profile {
        allowed_terrains: if agent == "swimmer" {
            profile.allowed_terrains
        } else {
            walker.allowed_terrains
        },
        ..profile
    };
    let id = ground
        .register_profile(profile)
        .map_err(|error| map_error(set, &error))?;
    let timer = Timer::new();
    let both = [None, Some(id)];
    let queries = set
        .cases
        .iter()
        .map(|case| (case.start.at(0), case.goal.at(0)));
    let can_solve = |query: &(Cell, Cell)| {
        both.iter().all(|id| {
            let found = find(
                (&ground, *id),
                &mut PathSearcher::default(),
                *query,
                Method::Jps,
                &timer,
            );
            found.is_some()
        })
    };
    let queries: Vec<(Cell, Cell)> = queries.filter(can_solve).collect();
    let mut costs: Vec<[Option<u32>; 3]> = vec![[None; 3]; queries.len()];
    for (number, method) in METHODS.into_iter().enumerate() {
        let mut searchers = [PathSearcher::default(), PathSearcher::default()];
        let mut times = [vec![f64::MAX; queries.len()], vec![f64::MAX; queries.len()]];
        let mut n_cells = [0; 2];
        for run in 0..=arguments.runs {
            for (index, query) in queries.iter().enumerate() {
                for (one, id) in both.into_iter().enumerate() {
                    let found = find((&ground, id), &mut searchers[one], *query, method, &timer);
                    let Some((cost, length, nanoseconds)) = found else {
                        continue;
                    };
                    if run == 0 {
                        n_cells[one] += length;
                        if one == 1 {
                            costs[index][number] = Some(cost);
                        }
                    } else {
                        let best = &mut times[one][index];
                        *best = best.min(nanoseconds / 1e3);
                    }
                }
            }
        }
        let [walker_us, us] = times.map(|times| mean(&times).unwrap_or(0.0));
        let per_cell = |us: f64, n_cells: usize| us / n_cells.max(1) as f64;
        figures.paths.push(PathRow {
            map: set.name.clone(),
            agent,
            method: ["jps", "optimal", "bounded"][number],
            n_queries: queries.len(),
            us,
            walker_us,
            ratio: per_cell(us, n_cells[1]) / per_cell(walker_us, n_cells[0]),
        });
    }
    let stride = queries.len().div_ceil(N_CHECKED).max(1);
    for (index, query) in queries.iter().enumerate() {
        let [jps, optimal, bounded] = costs[index];
        let most =
            |cost: u32| u64::from(cost) * u64::from(HeuristicWeight::BOUNDED.to_1024ths()) / 1024;
        let is_bounded = jps
            .zip(bounded)
            .is_some_and(|(best, found)| best <= found && u64::from(found) <= most(best));
        let mut is_right = jps == optimal && is_bounded;
        if index % stride == 0 {
            let searcher = &mut PathSearcher::default();
            let known = find((&ground, Some(id)), searcher, *query, Method::AStar, &timer);
            is_right &= known.map(|(cost, ..)| cost) == jps;
        }
        if !is_right {
            let fault = format!("{}, {agent}, {query:?}: {:?}", set.name, costs[index]);
            figures.faults.push(fault);
        }
    }
    Ok(())
}

fn measure_types(
    set: &QuerySet,
    ground: &Ground,
    types: usize,
    arguments: &Arguments,
) -> Result<TypesRow, BenchError> {
    let mut ground = ground.clone();
    let bytes = ground.memory_report().total();
    let mut ids = Vec::new();
    for index in 0..types {
        let id = ground.register_profile(nth_type(index));
        ids.push(id.map_err(|error| map_error(set, &error))?);
    }
    let layer_bytes = ground.memory_report().profiles as f64 / types.max(1) as f64;
    let mut rng = Rng::for_stream(arguments.seed, 63);
    let cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    let timer = Timer::new();
    let mut edit_us = EditRow::default();
    for sort in 0..4 {
        let mut times = Vec::with_capacity(2 * N_EDITS);
        for _ in 0..N_EDITS {
            let Some(&cell) = rng.pick(&cells) else { break };
            for edits in edits_of(&ground, sort, cell) {
                let (done, nanoseconds) = timer.time(|| ground.apply(&edits));
                done.map_err(|error| map_error(set, &error))?;
                times.push(nanoseconds / 1e3);
            }
        }
        times.sort_unstable_by(f64::total_cmp);
        let found = EditTimes {
            mean: mean(&times).unwrap_or(0.0),
            p99: percentile(&times, 99).unwrap_or(0.0),
        };
        match sort {
            0 => edit_us.cell = found,
            1 => edit_us.terrain = found,
            2 => edit_us.cost = found,
            _ => edit_us.solid = found,
        }
    }
    let mut searcher = PathSearcher::default();
    let mut times = Vec::new();
    for run in 0..2 {
        for case in set.cases.iter().take(50) {
            for &id in ids.iter().take(8) {
                let query = (case.start.at(0), case.goal.at(0));
                let found = find(
                    (&ground, Some(id)),
                    &mut searcher,
                    query,
                    Method::Bounded,
                    &timer,
                );
                if let Some((.., nanoseconds)) = found.filter(|_| run > 0) {
                    times.push(nanoseconds / 1e3);
                }
            }
        }
    }
    Ok(TypesRow {
        map: set.name.clone(),
        types,
        edit_us,
        layer_bytes,
        layer_ratio: layer_bytes / bytes.max(1) as f64,
        path_us: mean(&times).unwrap_or(0.0),
    })
}

/// An edit of a sort at a cell, and the one that undoes it.
fn edits_of(ground: &Ground, sort: usize, cell: Cell) -> [Vec<GroundEdit>; 2] {
    let put = |cell: Cell, terrain: Terrain| GroundEdit::PutCell { cell, terrain };
    match sort {
        0 => [
            vec![GroundEdit::RemoveCell { cell }],
            vec![put(cell, Terrain::GROUND)],
        ],
        1 => [vec![put(cell, water())], vec![put(cell, Terrain::GROUND)]],
        2 => {
            let id = CostModifierId(1);
            let modifier = CostModifier {
                shape: Shape::Box(Rect::around(cell.column(), cell.column())),
                heights: (0, 0),
                multiplier: CostMultiplier::from_sixteenths(32).unwrap_or(CostMultiplier::MAX),
            };
            [
                vec![GroundEdit::PutCostModifier { id, modifier }],
                vec![GroundEdit::RemoveCostModifier(id)],
            ]
        }
        _ => {
            let low = cell.column();
            let rect = Rect::around(low, Column::new(low.x + 2, low.y + 2));
            let floors = rect.columns().filter_map(|at| {
                let (z, terrain) = ground.floors(at).next()?;
                Some(put(at.at(z), terrain))
            });
            let clear = GroundEdit::Clear {
                shape: Shape::Box(rect),
                heights: (0, 0),
            };
            [vec![clear], floors.collect()]
        }
    }
}

impl Figures for AgentFigures {
    const SCHEMA: &'static str = "wayfarer/bench-agents/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn render(&self) -> String {
        let paths = table!(row in &self.paths;
            "map" => row.map.as_str(),
            "agent" => row.agent,
            "method" => row.method,
            "queries" => row.n_queries,
            "us" => row.us,
            "walker us" => row.walker_us,
            "ratio per cell" => fixed(row.ratio, 2),
        );
        let edits = table!(row in &self.by_types;
            "map" => row.map.as_str(),
            "types" => row.types,
            "cell us" => row.edit_us.cell.mean,
            "p99" => row.edit_us.cell.p99,
            "terrain us" => row.edit_us.terrain.mean,
            "cost us" => row.edit_us.cost.mean,
            "solid us" => row.edit_us.solid.mean,
            "layer bytes" => row.layer_bytes,
            "of the ground" => fixed(row.layer_ratio, 3),
            "path us" => row.path_us,
        );
        format!("{paths}\n{edits}")
    }

    fn faults(&self) -> Vec<String> {
        self.faults.faults.clone()
    }
}

//! `bench bodies`: bulk update, range queries, sensors and line of sight over moving bodies.

use clap::Args;
use wayfarer_engine::base::{Fixed, Point2, Rng};
use wayfarer_engine::world::bodies::{
    Body, BodyFilter, BodySet, Footprint, NeighborLists, QueryHits, QueryStats,
};
use wayfarer_measure::clock::Timer;

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Progress, number};

#[cfg(feature = "baselines")]
mod baselines;
mod indoors;
mod report;
mod sensors;
mod sight;

pub use report::{BaselineRow, BodyFigures, CountRow, IndoorsRow, SensorRow, SightRow};

/// What to measure.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Numbers of bodies, one run each
    #[arg(long = "count", value_name = "N", value_delimiter = ',', default_values_t = Self::default().counts, value_parser = number(1..=4_000_000))]
    pub counts: Vec<usize>,
    /// Bodies in range of each, on average
    #[arg(long, alias = "neighbours", value_name = "N", default_value_t = Self::default().neighbors, value_parser = clap::value_parser!(u32).range(1..10_000))]
    pub neighbors: u32,
    /// Ticks of each run; the best one counts
    #[arg(long, value_name = "T", default_value_t = Self::default().ticks, value_parser = clap::value_parser!(u32).range(1..))]
    pub ticks: u32,
    /// Measure the registry's spatial trees, too (needs `cargo wayfarer-baselines`)
    #[arg(long, alias = "rivals")]
    pub baselines: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            counts: vec![1_000, 10_000, 100_000, 1_000_000],
            neighbors: 20,
            ticks: 5,
            baselines: false,
        }
    }
}

/// The side of a square: 16 cells.
pub(crate) const RANGE: i32 = 16 * 256;
/// The range of every query: a unit less, so that its square has 24 bits and is exact in the
/// 32-bit floating-point numbers of the baselines, too.
const REACH: i32 = RANGE - 1;
/// Largest motion in a tick along each axis: 0.4 cells.
const STEP: i32 = 100;
/// Queries whose results are compared with brute force.
const N_CHECKED: usize = 50;

/// Uniformly random points such that a circle of [`RANGE`] holds so many others.
pub(crate) struct Crowd {
    pub(crate) side: i32,
    pub(crate) places: Vec<Point2>,
    rng: Rng,
}

impl Crowd {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the side of a world that holds a million"
    )]
    pub(crate) fn new(count: usize, neighbors: u32, seed: u64) -> Self {
        let area = std::f64::consts::PI * f64::from(RANGE) * f64::from(RANGE);
        let side = (count as f64 * area / f64::from(neighbors.max(1))).sqrt() as i32;
        let mut rng = Rng::new(seed);
        let places = (0..count)
            .map(|_| {
                let mut at = || Fixed::from_raw(rng.between(0, side));
                Point2::new(at(), at())
            })
            .collect();
        Self { side, places, rng }
    }

    pub(crate) fn step(&mut self) {
        for place in &mut self.places {
            let mut at = |from: Fixed| {
                let to = from.raw() + self.rng.between(-STEP, STEP);
                Fixed::from_raw(to.clamp(0, self.side))
            };
            *place = Point2::new(at(place.x), at(place.y));
        }
    }

    pub(crate) fn bodies(&self, square: i32) -> BodySet {
        let mut bodies = BodySet::new(Fixed::from_raw(square));
        for &place in &self.places {
            bodies
                .register(&Body::at(place))
                .expect("inside the world by construction");
        }
        bodies.begin_tick();
        bodies
    }
}

impl Benchmark for Arguments {
    type Figures = BodyFigures;
    const PARTS: &'static str = "parts";

    fn command(&self) -> String {
        CommandLine::new("bodies")
            .list("count", &self.counts)
            .option("neighbors", self.neighbors)
            .option("ticks", self.ticks)
            .flag("baselines", self.baselines)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<BodyFigures, BenchError> {
        if self.baselines && !cfg!(feature = "baselines") {
            return Err(BenchError::NoBaselines);
        }
        let timer = Timer::new();
        let n_parts = self.counts.len() + 3;
        let mut counts = Vec::new();
        for &count in &self.counts {
            progress("bodies", n_parts);
            counts.push(one_count(self, count, &timer));
        }
        progress("sensors", n_parts);
        let sensors = sensors::measure(&timer, self.ticks);
        progress("sight", n_parts);
        let sight = sight::measure(&timer);
        progress("indoors", n_parts);
        let indoors = indoors::measure(&timer);
        Ok(BodyFigures::new(counts, sensors, sight, indoors))
    }
}

fn one_count(arguments: &Arguments, count: usize, timer: &Timer) -> CountRow {
    let mut crowd = Crowd::new(count, arguments.neighbors, 8);
    let mut bodies = crowd.bodies(RANGE);
    let (mut found, mut together) = (QueryHits::default(), NeighborLists::default());
    let range = Fixed::from_raw(REACH);
    let (mut update, mut query, mut each, mut tick) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
    let (mut n_hits, mut work) = (0_usize, QueryStats::default());
    let mut beside = Beside::new(arguments.baselines);
    // The first tick warms up.
    for _ in 0..=arguments.ticks {
        crowd.step();
        let (moved, update_ns) = timer.time(|| bodies.move_all(&crowd.places));
        moved.expect("inside the world by construction");
        n_hits = 0;
        work = QueryStats::default();
        let ((), query_ns) = timer.time(|| {
            for &place in &crowd.places {
                let circle = Footprint::circle(place, range);
                let result = bodies.find(&circle, &BodyFilter::ALL, &mut found);
                debug_assert!(result.is_ok());
                n_hits += found.len();
                work += found.stats;
            }
        });
        let mut n_near = 0;
        let (result, each_ns) = timer.time(|| {
            let all = BodyFilter::ALL;
            bodies.neighbors(range, &all, &all, &mut together, |_, near| {
                n_near += near.len();
            })
        });
        // A single query finds its own body as well.
        assert!(
            result.is_ok() && n_near + count == n_hits,
            "both queries find the same"
        );
        update = update.min(update_ns);
        query = query.min(query_ns);
        each = each.min(each_ns);
        tick = tick.min(update_ns + query_ns.min(each_ns));
        beside.tick(&crowd.places, timer);
    }
    let wrong = wrong_results(&bodies, &crowd, &mut found);
    let wide = query_wide(&bodies, &crowd, &mut found, timer);
    let one = count.max(1) as f64;
    CountRow {
        count,
        update_ns: update / one,
        query_ns: query / one,
        each_ns: each / one,
        tick_ms: tick / 1e6,
        hits: n_hits as f64 / one,
        checks_brute: (count as u64) * (count as u64).saturating_sub(1),
        checks_done: work.tests,
        squares: work.bins,
        inside_fraction: work.skips as f64 / (work.tests + work.skips).max(1) as f64,
        wide_inside_fraction: wide.inside_fraction,
        wide_hits: wide.hits,
        wide_tests: wide.tests,
        wide_ns: wide.ns,
        bytes: bodies.bytes(),
        wrong,
        baselines: beside.rows(&bodies, &crowd.places, tick),
    }
}

/// Means of wide circles.
struct Wide {
    inside_fraction: f64,
    hits: f64,
    tests: f64,
    ns: f64,
}

/// Some circles that reach eight times as far: wide enough to hold squares.
fn query_wide(bodies: &BodySet, crowd: &Crowd, found: &mut QueryHits, timer: &Timer) -> Wide {
    let range = Fixed::from_raw(8 * RANGE);
    let some: Vec<Point2> = crowd
        .places
        .iter()
        .step_by((crowd.places.len() / 500).max(1))
        .copied()
        .collect();
    let (mut best, mut n_hits, mut work) = (f64::MAX, 0, QueryStats::default());
    for _ in 0..3 {
        n_hits = 0;
        work = QueryStats::default();
        let ((), time) = timer.time(|| {
            for &place in &some {
                let circle = Footprint::circle(place, range);
                let result = bodies.find(&circle, &BodyFilter::ALL, found);
                debug_assert!(result.is_ok());
                n_hits += found.len();
                work += found.stats;
            }
        });
        best = best.min(time);
    }
    let one = some.len().max(1) as f64;
    Wide {
        inside_fraction: work.skips as f64 / (work.tests + work.skips).max(1) as f64,
        hits: n_hits as f64 / one,
        tests: work.tests as f64 / one,
        ns: best / one,
    }
}

/// The baselines, if built in and requested.
struct Beside {
    #[cfg(feature = "baselines")]
    baselines: Vec<(Box<dyn baselines::Registry>, f64, f64)>,
}

#[cfg(feature = "baselines")]
impl Beside {
    fn new(is_requested: bool) -> Self {
        let all = if is_requested {
            baselines::all(REACH)
        } else {
            Vec::new()
        };
        let baselines = all
            .into_iter()
            .map(|baseline| (baseline, f64::MAX, f64::MAX))
            .collect();
        Self { baselines }
    }

    /// Updates each with all positions and runs a range query per body, in table order and in map
    /// order; the faster counts.
    fn tick(&mut self, places: &[Point2], timer: &Timer) {
        let mut by_map = places.to_vec();
        by_map.sort_unstable_by_key(|place| (place.y.raw() / RANGE, place.x.raw() / RANGE));
        let mut found = Vec::new();
        for (baseline, update, query) in &mut self.baselines {
            let ((), update_ns) = timer.time(|| baseline.update(places));
            *update = update.min(update_ns);
            for order in [places, by_map.as_slice()] {
                let mut n_hits = 0;
                let ((), query_ns) = timer.time(|| {
                    for &place in order {
                        found.clear();
                        baseline.find(place, &mut found);
                        n_hits += found.len();
                    }
                });
                assert!(n_hits >= places.len(), "every body is in its own range");
                *query = query.min(query_ns);
            }
        }
    }

    /// Their figures; every result is compared with ours.
    fn rows(&self, bodies: &BodySet, places: &[Point2], tick_ns: f64) -> Vec<BaselineRow> {
        let one = places.len().max(1) as f64;
        let (mut ours, mut theirs) = (QueryHits::default(), Vec::new());
        let range = Fixed::from_raw(REACH);
        let mut rows = Vec::new();
        for (baseline, update, query) in &self.baselines {
            let is_different = |place: &&Point2| {
                let circle = Footprint::circle(**place, range);
                let result = bodies.find(&circle, &BodyFilter::ALL, &mut ours);
                let mut found = ours.indices().to_vec();
                found.sort_unstable();
                theirs.clear();
                baseline.find(**place, &mut theirs);
                theirs.sort_unstable();
                result.is_err() || found != theirs
            };
            rows.push(BaselineRow {
                name: baseline.name(),
                update_ns: update / one,
                query_ns: query / one,
                tick_ms: (update + query) / 1e6,
                times_ours: (update + query) / tick_ns,
                different: places.iter().filter(is_different).count(),
            });
        }
        rows
    }
}

#[cfg(not(feature = "baselines"))]
impl Beside {
    fn new(_is_requested: bool) -> Self {
        Self {}
    }

    fn tick(&mut self, _places: &[Point2], _timer: &Timer) {}

    fn rows(&self, _objects: &BodySet, _places: &[Point2], _tick_ns: f64) -> Vec<BaselineRow> {
        Vec::new()
    }
}

/// Queries, evenly spread, whose results differ from brute force.
fn wrong_results(bodies: &BodySet, crowd: &Crowd, found: &mut QueryHits) -> usize {
    let each = (crowd.places.len() / N_CHECKED).max(1);
    let range = i64::from(REACH);
    let is_wrong = |place: &&Point2| {
        let circle = Footprint::circle(**place, Fixed::from_raw(REACH));
        let is_near = |other: &&Point2| {
            let away = |a: Fixed, b: Fixed| i64::from(a.raw()) - i64::from(b.raw());
            let (x, y) = (away(other.x, place.x), away(other.y, place.y));
            x * x + y * y <= range * range
        };
        let expected = crowd.places.iter().filter(is_near).count();
        bodies.find(&circle, &BodyFilter::ALL, found).is_err() || found.len() != expected
    };
    crowd.places.iter().step_by(each).filter(is_wrong).count()
}

#[cfg(test)]
mod tests;

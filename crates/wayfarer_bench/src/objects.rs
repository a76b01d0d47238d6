//! `bench objects`: how fast everything that moves is registered, asked about and looked at.

use wayfarer::base::{Dice, Fixed, Point2};
use wayfarer::world::objects::{Body, Filter, Footprint, Found, Objects, Work};

use crate::clock::Timer;
use crate::machine::{self, Machine};

mod report;
mod sensors;
mod sight;

pub use report::{CountRow, ObjectsReport, SensorRow, SightRow, render};

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// How many objects, one run for each.
    pub counts: Vec<usize>,
    /// How many others are in range of each, on average.
    pub neighbours: u32,
    /// Ticks of each run; the best counts.
    pub ticks: u32,
    /// Whether to keep the program on one core from here to its end.
    pub pin: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            counts: vec![1_000, 10_000, 100_000, 1_000_000],
            neighbours: 20,
            ticks: 5,
            pin: true,
        }
    }
}

impl Arguments {
    /// The command that measures the same.
    pub fn command(&self) -> String {
        let counts: Vec<String> = self.counts.iter().map(usize::to_string).collect();
        format!(
            "bench objects --count {} --neighbours {} --ticks {}",
            counts.join(","),
            self.neighbours,
            self.ticks
        )
    }
}

/// The range of every question: 16 cells.
pub(crate) const RANGE: i32 = 16 * 256;
/// How far anybody goes in a tick, along each axis: 0.4 cells.
const STEP: i32 = 100;
/// Questions whose answers are compared with a look at everybody.
const N_CHECKED: usize = 50;

/// Points evenly strewn so that a circle of [`RANGE`] holds so many others.
pub(crate) struct Crowd {
    pub(crate) side: i32,
    pub(crate) places: Vec<Point2>,
    dice: Dice,
}

impl Crowd {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the side of a world that holds a million"
    )]
    pub(crate) fn new(count: usize, neighbours: u32, seed: u64) -> Self {
        let area = std::f64::consts::PI * f64::from(RANGE) * f64::from(RANGE);
        let side = (count as f64 * area / f64::from(neighbours.max(1))).sqrt() as i32;
        let mut dice = Dice::new(seed);
        let places = (0..count)
            .map(|_| {
                let mut at = || Fixed::from_raw(dice.between(0, side));
                Point2::new(at(), at())
            })
            .collect();
        Self { side, places, dice }
    }

    pub(crate) fn step(&mut self) {
        for place in &mut self.places {
            let mut at = |from: Fixed| {
                let to = from.raw() + self.dice.between(-STEP, STEP);
                Fixed::from_raw(to.clamp(0, self.side))
            };
            *place = Point2::new(at(place.x), at(place.y));
        }
    }

    pub(crate) fn objects(&self, square: i32) -> Objects {
        let mut objects = Objects::new(Fixed::from_raw(square));
        for &place in &self.places {
            objects
                .register(&Body::at(place))
                .expect("inside the world by construction");
        }
        objects.begin_tick();
        objects
    }
}

/// Measures, telling `progress` as each part begins, of how many.
pub fn run(arguments: &Arguments, mut progress: impl FnMut(usize)) -> ObjectsReport {
    let pinned = machine::pin_if(arguments.pin);
    let machine = Machine::here(&pinned);
    let timer = Timer::new();
    let n_parts = arguments.counts.len() + 2;
    let mut counts = Vec::new();
    for &count in &arguments.counts {
        progress(n_parts);
        counts.push(one_count(arguments, count, &timer));
    }
    progress(n_parts);
    let sensors = sensors::measure(&timer, arguments.ticks);
    progress(n_parts);
    let sight = sight::measure(&timer);
    ObjectsReport::new(arguments.command(), machine, counts, sensors, sight)
}

fn one_count(arguments: &Arguments, count: usize, timer: &Timer) -> CountRow {
    let mut crowd = Crowd::new(count, arguments.neighbours, 8);
    let mut objects = crowd.objects(RANGE);
    let mut found = Found::default();
    let range = Fixed::from_raw(RANGE);
    let (mut update, mut query, mut tick) = (f64::MAX, f64::MAX, f64::MAX);
    let (mut n_hits, mut work) = (0_usize, Work::default());
    // The first tick warms up.
    for _ in 0..=arguments.ticks {
        crowd.step();
        let (moved, update_ns) = timer.time(|| objects.move_all(&crowd.places));
        moved.expect("inside the world by construction");
        n_hits = 0;
        work = Work::default();
        let ((), query_ns) = timer.time(|| {
            for &place in &crowd.places {
                let circle = Footprint::circle(place, range);
                let asked = objects.find(&circle, &Filter::ALL, &mut found);
                debug_assert!(asked.is_ok());
                n_hits += found.len();
                work += found.work;
            }
        });
        update = update.min(update_ns);
        query = query.min(query_ns);
        tick = tick.min(update_ns + query_ns);
    }
    let wrong = wrong_answers(&objects, &crowd, &mut found);
    let each = count.max(1) as f64;
    CountRow {
        count,
        update_ns: update / each,
        query_ns: query / each,
        tick_ms: tick / 1e6,
        hits: n_hits as f64 / each,
        checks_brute: (count as u64) * (count as u64).saturating_sub(1),
        checks_done: work.tests,
        squares: work.squares,
        inside_fraction: work.skips as f64 / (work.tests + work.skips).max(1) as f64,
        bytes: objects.bytes(),
        wrong,
    }
}

/// Questions, evenly spread, that a look at everybody answers differently.
fn wrong_answers(objects: &Objects, crowd: &Crowd, found: &mut Found) -> usize {
    let each = (crowd.places.len() / N_CHECKED).max(1);
    let range = i64::from(RANGE);
    let is_wrong = |place: &&Point2| {
        let circle = Footprint::circle(**place, Fixed::from_raw(RANGE));
        let is_near = |other: &&Point2| {
            let away = |a: Fixed, b: Fixed| i64::from(a.raw()) - i64::from(b.raw());
            let (x, y) = (away(other.x, place.x), away(other.y, place.y));
            x * x + y * y <= range * range
        };
        let expected = crowd.places.iter().filter(is_near).count();
        objects.find(&circle, &Filter::ALL, found).is_err() || found.len() != expected
    };
    crowd.places.iter().step_by(each).filter(is_wrong).count()
}

#[cfg(test)]
mod tests;

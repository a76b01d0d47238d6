//! `bench battlefield`: exact tests per sensor after the registration grid \[Smith\] has culled the rest.
//!
//! Bodies on 10 x 10 km, each with a wedge of 60 degrees and 1 km; a cell is a meter.

use clap::Args;
use serde::Serialize;
use wayfarer_engine::base::{Column, Fixed, Point2, Rect, Rng};
use wayfarer_engine::search::sight::OpacityGrid;
use wayfarer_engine::world::bodies::{
    Body, BodyFilter, BodySet, Footprint, Heading, QueryHits, QueryStats,
};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Figures, Progress};
use crate::table::{fixed, table};

/// Side of the field, in meters.
const SIDE: i32 = 10_000;
/// Sensor range in meters.
const RANGE: i32 = 1_000;
/// Side of a square, in meters.
const SQUARE: i32 = 256;
/// Side of a column of the board that blocks the eye, in meters.
const GRAIN: i32 = 10;

/// A number of bodies; tests of all of them in one tick.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BattleRow {
    /// How many.
    pub count: usize,
    /// All against all.
    pub brute: u64,
    /// Each pair once.
    pub paired: u64,
    /// Bodies in the bins that a wedge overlaps.
    pub registered: u64,
    /// Of those, bodies in bins that the wedge covers only in part: exact tests.
    pub inside_skipped: u64,
    /// Exact tests of one body, on average.
    #[serde(rename = "tests_per_object")]
    pub tests_per_body: f64,
    /// Bodies in a wedge: lines of sight to test.
    pub with_sight: u64,
    /// Lines of sight that were clear.
    pub seen: u64,
    /// Wedges whose result differs from brute force.
    pub wrong: usize,
}

/// The counts of all battles.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BattleFigures {
    /// Exact tests of one body in the largest battle.
    #[serde(rename = "tests_per_object")]
    pub tests_per_body: f64,
    /// Wrong results.
    pub wrong: usize,
    /// Count by count.
    pub rows: Vec<BattleRow>,
}

/// Takes no arguments; the counts are the same on every machine.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments;

impl Benchmark for Arguments {
    type Figures = BattleFigures;
    const IS_TIMED: bool = false;
    const PARTS: &'static str = "battles";

    fn command(&self) -> String {
        CommandLine::new("battlefield").finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<BattleFigures, BenchError> {
        let mut rows = Vec::new();
        for count in [10, 100, 1_000] {
            progress("battle", 3);
            rows.push(one_battle(count));
        }
        Ok(BattleFigures {
            tests_per_body: rows.last().map_or(0.0, |row| row.tests_per_body),
            wrong: rows.iter().map(|row| row.wrong).sum(),
            rows,
        })
    }
}

fn one_battle(count: usize) -> BattleRow {
    let mut rng = Rng::new(1_000);
    let mut bodies = BodySet::new(Fixed::from_raw(SQUARE * 256));
    let mut wedges = Vec::new();
    for _ in 0..count {
        let mut at = || Fixed::from_raw(rng.between(0, SIDE * 256 - 1));
        let place = Point2::new(at(), at());
        let id = bodies
            .register(&Body::at(place))
            .expect("inside the world by construction");
        let heading = loop {
            let drawn = Heading::new(rng.between(-100, 100), rng.between(-100, 100));
            if let Ok(heading) = drawn {
                break heading;
            }
        };
        let radius = Fixed::from_raw(RANGE * 256);
        let wedge = Footprint::wedge(place, radius, heading, 3.0_f64.sqrt() / 2.0);
        wedges.push((id, place, wedge));
    }
    bodies.begin_tick();
    let board = some_board(&mut rng);
    let column = |point: Point2| Column::new(point.x.cell() / GRAIN, point.y.cell() / GRAIN);
    let mut found = QueryHits::default();
    let (mut work, mut n_found, mut n_seen, mut wrong) = (QueryStats::default(), 0, 0, 0);
    for (id, place, wedge) in &wedges {
        if bodies
            .find(wedge, &BodyFilter::all_except(*id), &mut found)
            .is_err()
        {
            wrong += 1;
            continue;
        }
        work += found.stats;
        n_found += found.len() as u64;
        let others = wedges.iter().filter(|(other, _, _)| other != id);
        let expected = others.filter(|(_, at, _)| wedge.contains(*at)).count();
        wrong += usize::from(expected != found.len());
        for other in found.ids(&bodies) {
            let to = bodies.body(other).map(|body| body.position);
            let is_seen = to.is_ok_and(|to| board.has_line_of_sight(column(*place), column(to)));
            n_seen += u64::from(is_seen);
        }
    }
    let n_others = count as u64 * (count as u64 - 1);
    BattleRow {
        count,
        brute: n_others,
        paired: n_others / 2,
        registered: work.tests + work.skips,
        inside_skipped: work.tests,
        tests_per_body: work.tests as f64 / count as f64,
        with_sight: n_found,
        seen: n_seen,
        wrong,
    }
}

/// One column of a hundred is a house or a wood.
fn some_board(rng: &mut Rng) -> OpacityGrid {
    let rect = Rect {
        low: Column::new(0, 0),
        high: Column::new(SIDE / GRAIN - 1, SIDE / GRAIN - 1),
    };
    let mut board = OpacityGrid::open(rect);
    for column in rect.columns() {
        board.set_opaque(column, rng.chance(1, 100));
    }
    board
}

impl Figures for BattleFigures {
    const SCHEMA: &'static str = "wayfarer/bench-battlefield/1";

    fn wrong(&self) -> usize {
        self.wrong
    }

    fn render(&self) -> String {
        table!(row in &self.rows;
            "bodies" => row.count,
            "brute" => row.brute,
            "paired" => row.paired,
            "registered" => row.registered,
            "inside skipped" => row.inside_skipped,
            "each" => fixed(row.tests_per_body, 1),
            "lines of sight" => row.with_sight,
            "seen" => row.seen,
            "wrong" => row.wrong,
        )
    }

    fn faults(&self) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;

//! `bench planar`: paths through obstacles that all move every tick.
//!
//! Each tick moves every obstacle, updates the broad phase, finds all overlapping pairs and one path from
//! corner to corner. Every path is checked by a routine that shares no code with the engine; on some ticks
//! its length is compared with the shortest. With a map the obstacles are its walls at rest, and the
//! paths its longest problems.

#[cfg(feature = "baselines")]
mod baselines;
mod crowd;
mod rays;
mod report;
mod walls;

pub use report::{BaselineRow, PlanarFigures};

use std::path::PathBuf;

use wayfarer_engine::base::{Outcome, Point2};
use wayfarer_engine::search::planar::{PlanarMethod, PlanarPath, PlanarRequest, PlanarSearcher};
use wayfarer_engine::world::obstacles::quadtree::SplitCriterion;
use wayfarer_engine::world::obstacles::{DiscAgent, ObstacleSet, ObstacleShape};
use wayfarer_testkit::obstacles::{ReferenceObstacle, ReferenceOutlines};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Progress};

/// What to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Arguments {
    /// How to search.
    pub method: PlanarMethod,
    /// Obstacles.
    pub n_obstacles: u32,
    /// Side of the world, in cells.
    pub world: i32,
    /// Side of the obstacles, in cells.
    pub size: i32,
    /// How the quadtree is split.
    pub criterion: SplitCriterion,
    /// Radius of the agent, in cells.
    pub radius: i32,
    /// Most that an obstacle moves along each axis in a tick, in cells.
    pub speed: i32,
    /// Walls among them that run east.
    pub n_walls: u32,
    /// How long and how thick each wall is, in cells.
    pub wall: [i32; 2],
    /// Ticks.
    pub n_ticks: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Ticks on which the path is compared with the shortest.
    pub n_oracle: u32,
    /// Whether to measure the registry's trees, too; needs the feature `baselines`.
    pub baselines: bool,
    /// A map whose walls are the obstacles, in place of a crowd.
    pub map: Option<PathBuf>,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            method: PlanarMethod::TangentGraph,
            n_obstacles: 5_000,
            world: 40_000,
            size: 300,
            criterion: SplitCriterion::GUERRILLA_2013,
            radius: 0,
            speed: 2,
            n_walls: 0,
            wall: [10_000, 10],
            n_ticks: 400,
            seed: 1,
            n_oracle: 4,
            baselines: false,
            map: None,
        }
    }
}

impl Arguments {
    fn agent(&self) -> DiscAgent {
        DiscAgent {
            radius: wayfarer_engine::base::Fixed::from_raw(self.radius.saturating_mul(256)),
            ..DiscAgent::POINT
        }
    }

    fn request(&self, from: Point2, to: Point2) -> PlanarRequest {
        PlanarRequest {
            agent: self.agent(),
            method: self.method,
            criterion: self.criterion,
            ..PlanarRequest::new(from, to)
        }
    }
}

/// Measurements, tick by tick.
#[derive(Clone, PartialEq, Debug, Default)]
struct Seen {
    path_ns: Vec<f64>,
    pairs_ns: Vec<f64>,
    pairs_tree_ns: Vec<f64>,
    update_ns: Vec<f64>,
    ray_ns: Vec<f64>,
    spaces: Vec<f64>,
    expansions: Vec<f64>,
    ratios: Vec<f64>,
    straight: Vec<f64>,
    turns: Vec<f64>,
    n_pairs: Vec<f64>,
    n_obstacles: usize,
    n_moving: usize,
    n_unreachable: usize,
    baselines: Vec<BaselineRow>,
    faults: Vec<String>,
}

/// Widest world of the baselines, in cells: coordinates below 2^24.
const MAX_WORLD_OF_BASELINES: i32 = 65_535;

impl Benchmark for Arguments {
    type Figures = PlanarFigures;

    fn command(&self) -> String {
        let method = match self.method {
            PlanarMethod::TangentGraph => "tangent",
            PlanarMethod::Quadtree => "quadtree",
        };
        let mut line = CommandLine::new("planar").option("method", method);
        if let Some(map) = &self.map {
            line = line.option("map", map.display());
        } else {
            line = line
                .option("obstacles", self.n_obstacles)
                .option("world", self.world)
                .option("size", self.size)
                .option("speed", self.speed);
            if self.n_walls > 0 {
                let [long, thick] = self.wall;
                line = line.option("walls", self.n_walls);
                line = line.option("wall", format_args!("{long}x{thick}"));
            }
        }
        line.option("min", self.criterion.min_side.to_cells())
            .option("max", self.criterion.max_side.to_cells())
            .option("radius", self.radius)
            .option("ticks", self.n_ticks)
            .option("seed", self.seed)
            .option("oracle", self.n_oracle)
            .flag("diagonal", self.criterion.diagonal)
            .flag("baselines", self.baselines)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<PlanarFigures, BenchError> {
        if self.baselines && !cfg!(feature = "baselines") {
            return Err(BenchError::NoBaselines);
        }
        if self.baselines && (self.map.is_some() || self.world > MAX_WORLD_OF_BASELINES) {
            let reason = "baselines run in worlds of up to 65,535 cells, not on maps";
            return Err(BenchError::Arguments(reason.to_owned()));
        }
        let seen = match &self.map {
            None => crowd::measure(self, progress)?,
            Some(map) => walls::measure(self, map, progress)?,
        };
        Ok(PlanarFigures::new(seen))
    }
}

impl Seen {
    /// Adds one result; `compare`: also its length against the oracle.
    fn result(
        &mut self,
        obstacle_set: &ObstacleSet,
        searcher: &mut PlanarSearcher,
        outcome: Outcome<PlanarPath>,
        ends: (Point2, Point2),
        (check, compare): (bool, bool),
    ) {
        self.expansions.push(searcher.stats().expansions as f64);
        self.spaces.push(searcher.quadtree().len() as f64);
        let path = match outcome {
            Outcome::Found(path) => path,
            Outcome::Unreachable { .. } => {
                self.n_unreachable += 1;
                return;
            }
            other => {
                self.faults
                    .push(format!("neither found nor unreachable: {other:?}"));
                return;
            }
        };
        let cells = |a: Point2, b: Point2| {
            let (x, y) = (
                a.x.to_cells() - b.x.to_cells(),
                a.y.to_cells() - b.y.to_cells(),
            );
            wayfarer_engine::base::math::length(x, y)
        };
        let length: f64 = path
            .points
            .windows(2)
            .map(|leg| cells(leg[0], leg[1]))
            .sum();
        self.turns.push(path.points.len() as f64);
        self.straight.push(length / cells(ends.0, ends.1).max(1.0));
        if path.start() != Some(ends.0) || path.end() != Some(ends.1) {
            self.faults
                .push(format!("{} to {}: other endpoints", ends.0, ends.1));
        }
        if check || compare {
            let things = obstacles(obstacle_set);
            self.check(&things, &path);
            if compare {
                let radius = path.agent.radius.raw();
                let outlines = ReferenceOutlines::new(&things, obstacle_set.bounds(), radius);
                match outlines.shortest(ends.0, ends.1, length * 256.0 + 256.0) {
                    Some(best) => self.ratios.push(length * 256.0 / best),
                    None => self.faults.push("the oracle finds no path".to_owned()),
                }
            }
        }
        searcher.recycle(path);
    }

    fn check(&mut self, things: &[ReferenceObstacle], path: &PlanarPath) {
        let radius = path.agent.radius.raw();
        for leg in path.points.windows(2) {
            let (from, to) = (leg[0], leg[1]);
            let dirty = things.iter().find(|thing| {
                is_near(thing, from, to, radius) && thing.is_hit_by_sweep(from, to, radius)
            });
            if let Some(thing) = dirty {
                self.faults
                    .push(format!("{from} to {to} touches {thing:?}"));
            }
        }
    }
}

/// True if the inflated AABB of an obstacle overlaps that of a path.
fn is_near(thing: &ReferenceObstacle, from: Point2, to: Point2, radius: i32) -> bool {
    let ([left, top], [right, bottom]) = match thing {
        ReferenceObstacle::Box(area) => (
            [area.low.x.raw(), area.low.y.raw()],
            [area.high.x.raw(), area.high.y.raw()],
        ),
        ReferenceObstacle::Disc(center, size) => (
            [center.x.raw() - size, center.y.raw() - size],
            [center.x.raw() + size, center.y.raw() + size],
        ),
    };
    left - radius <= from.x.max(to.x).raw()
        && from.x.min(to.x).raw() <= right + radius
        && top - radius <= from.y.max(to.y).raw()
        && from.y.min(to.y).raw() <= bottom + radius
}

/// All obstacles, for the oracle.
fn obstacles(obstacle_set: &ObstacleSet) -> Vec<ReferenceObstacle> {
    let shapes = obstacle_set.obstacles().map(|(_, obstacle)| obstacle.shape);
    shapes
        .map(|shape| match shape {
            ObstacleShape::Box(area) => ReferenceObstacle::Box(area),
            ObstacleShape::Disc { center, radius } => ReferenceObstacle::Disc(center, radius.raw()),
        })
        .collect()
}

#[cfg(test)]
mod tests;

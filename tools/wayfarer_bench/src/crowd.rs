//! `bench crowd`: scenarios of a crowd over the facade, every tick checked.
//!
//! Agents of radius 0.4 walk 1.5 units a second, 30 ticks a second. What is timed is the tick of the
//! crowd: following, neighbors, avoidance, motion and the moves of the bodies, without the searches.
//! Overlaps and walls are checked by a sweep and squares that share no code with the crowd; with more
//! than 1,000 agents every tenth tick.

#[cfg(feature = "baselines")]
mod baseline;
mod picture;
mod scenario;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use wayfarer::{
    Body, BodyShape, Budget, Crowd, CrowdAgent, CrowdAgentId, CrowdAgentState, CrowdEvent,
    CrowdOptions, Formation, Planner, PlannerOptions, Position, World,
};
use wayfarer_engine::base::Rng;
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{mean, percentile};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress, number};
use crate::table::table;

use picture::Strip;
pub use scenario::Scenario;
use scenario::{GroupOrder, Setup};

/// Radius of all agents.
const RADIUS: f64 = 0.4;
/// Distance between neighbors of a formation.
const SPACING: f64 = 1.5;
/// How far a flow field reaches.
const REACH: f64 = 1_000.0;
/// Speed of all agents, in units a second.
const SPEED: f64 = 1.5;
/// Largest overlap allowed, as a share of the radius, with the rounding of the check.
const MAX_OVERLAP: f64 = 0.05 + 1e-6;

/// What to measure.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// The scenario
    #[arg(long, value_enum, default_value_t = Scenario::Circle)]
    pub scenario: Scenario,
    /// Agents
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number(2..=100_000))]
    pub agents: usize,
    /// Ticks of 1/30 s at most; it ends when all have arrived
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = number(1..=1_000_000))]
    pub ticks: usize,
    /// Width of the corridor of a counterflow, in cells
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number(2..=64))]
    pub width: usize,
    /// Threads that choose velocities
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=64))]
    pub threads: usize,
    /// Seed of random positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Measure the registry's ORCA, too, on circle and crossing (needs `cargo wayfarer-baselines`)
    #[arg(long)]
    pub baselines: bool,
    /// Draw some moments side by side into a gray PNG file
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
}

/// Microseconds of ticks.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct TickTimes {
    /// Mean.
    pub mean: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Longest.
    pub max: f64,
}

impl TickTimes {
    pub(crate) fn of(times: &mut [f64]) -> Self {
        times.sort_by(f64::total_cmp);
        Self {
            mean: mean(times).unwrap_or(0.0),
            p99: percentile(times, 99).unwrap_or(0.0),
            max: times.last().copied().unwrap_or(0.0),
        }
    }
}

/// One crowd in one scenario.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CrowdFigures {
    /// The crowd.
    pub name: &'static str,
    /// The scenario.
    pub scenario: String,
    /// Agents.
    pub agents: usize,
    /// Agents that arrived or settled; in the city, arrivals.
    pub arrived: usize,
    /// Ticks until nine of ten had arrived.
    pub ticks_to_90: Option<usize>,
    /// Ticks until all had arrived.
    pub ticks_to_all: Option<usize>,
    /// Ticks that an agent alone on its path would take, the longest.
    pub ticks_alone: usize,
    /// The largest overlap of two agents, as a share of the radius.
    pub max_overlap: f64,
    /// The largest overlap of a tick, mean over ticks.
    pub mean_overlap: f64,
    /// Discs found inside walls, over all checks.
    pub inside: usize,
    /// Agents reported stuck.
    pub stuck: usize,
    /// Distance walked by those that arrived, relative to their first paths.
    pub path_stretch: f64,
    /// Microseconds of ticks.
    pub tick_us: TickTimes,
    /// Microseconds of the second half of the ticks.
    pub late_tick_us: TickTimes,
    /// Agents per millisecond of the mean tick.
    pub agents_per_ms: f64,
    /// The digest of the crowd at the end: the same on every machine.
    pub hash: String,
    /// The registry's ORCA on the same agents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Self>,
    /// Ticks with discs in walls or with too much overlap.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Figures for CrowdFigures {
    const SCHEMA: &'static str = "wayfarer-bench-crowd/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn render(&self) -> String {
        let ticks = |ticks: Option<usize>| ticks.map_or("-".to_owned(), |ticks| ticks.to_string());
        let rows = [self].into_iter().chain(&self.baselines);
        table!(row in rows;
            "crowd" => row.name,
            "scenario" => row.scenario.as_str(),
            "agents" => row.agents,
            "arrived" => row.arrived,
            "90 %" => ticks(row.ticks_to_90),
            "all" => ticks(row.ticks_to_all),
            "alone" => row.ticks_alone,
            "overlap %" => row.max_overlap * 100.0,
            "inside" => row.inside,
            "stuck" => row.stuck,
            "stretch" => row.path_stretch,
            "tick us" => row.tick_us.mean,
            "p99" => row.tick_us.p99,
            "max" => row.tick_us.max,
            "late" => row.late_tick_us.mean,
            "late max" => row.late_tick_us.max,
            "agents per ms" => row.agents_per_ms,
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.of("crowd")
    }
}

impl Benchmark for Arguments {
    type Figures = CrowdFigures;
    const PARTS: &'static str = "ticks";

    fn command(&self) -> String {
        CommandLine::new("crowd")
            .option("scenario", self.scenario.name())
            .option("agents", self.agents)
            .option("ticks", self.ticks)
            .option("width", self.width)
            .option("threads", self.threads)
            .option("seed", self.seed)
            .flag("baselines", self.baselines)
            .finish()
    }

    fn can_pin(&self) -> bool {
        self.threads == 1
    }

    fn measure(&self, progress: Progress<'_>) -> Result<CrowdFigures, BenchError> {
        if self.baselines && !cfg!(feature = "baselines") {
            return Err(BenchError::NoBaselines);
        }
        let setup = Setup::new(self)?;
        let figures = Run::new(self, &setup)?.finish(progress)?;
        #[cfg(feature = "baselines")]
        let figures = CrowdFigures {
            baselines: match self.baselines && setup.is_open {
                true => vec![baseline::measure(self, &setup)],
                false => Vec::new(),
            },
            ..figures
        };
        Ok(figures)
    }
}

/// A crowd that walks.
struct Run<'a> {
    arguments: &'a Arguments,
    setup: &'a Setup,
    world: World,
    planner: Planner,
    crowd: Crowd,
    agents: Vec<CrowdAgentId>,
    walked: Vec<f64>,
    planned: Vec<f64>,
    has_arrived: Vec<bool>,
    rng: Rng,
    figures: CrowdFigures,
}

impl<'a> Run<'a> {
    fn new(arguments: &'a Arguments, setup: &'a Setup) -> Result<Self, BenchError> {
        let fault = |reason: String| BenchError::world("crowd")(reason);
        let (world, agent_type) = setup.world().map_err(fault)?;
        let mut world = world;
        let options = CrowdOptions {
            n_threads: arguments.threads,
            waiting_cost: setup.waiting_cost,
            ..CrowdOptions::default()
        };
        let crowd = Crowd::new(&world, options);
        let mut crowd = crowd.map_err(|error| fault(error.to_string()))?;
        let mut planner = Planner::new(PlannerOptions {
            budget: Budget::expansions(200_000),
            ..PlannerOptions::default()
        });
        let mut agents = Vec::new();
        for (from, to) in setup.starts.iter().zip(&setup.goals) {
            let body = world.add_body(Body {
                position: position(*from),
                shape: BodyShape::disc(RADIUS),
                blocks_movement: false,
                ..Body::default()
            });
            let body = body.map_err(|error| fault(error.to_string()))?;
            let agent = CrowdAgent {
                agent_type,
                max_speed: SPEED,
                ..CrowdAgent::default()
            };
            let agent = crowd.add(&world, body, agent);
            let agent = agent.map_err(|error| fault(error.to_string()))?;
            if setup.order == GroupOrder::Single {
                let ordered = crowd.order(&mut planner, agent, position(*to));
                ordered.map_err(|error| fault(error.to_string()))?;
            }
            agents.push(agent);
        }
        let goal = position(setup.goals.first().copied().unwrap_or_default());
        let ordered = match setup.order {
            GroupOrder::Single => Ok(()),
            GroupOrder::Formation => {
                crowd.order_group(&mut planner, &agents, goal, (Formation::Box, SPACING))
            }
            GroupOrder::Flow => {
                crowd.order_flow(&world, &mut planner, &agents, (goal.into(), REACH))
            }
        };
        ordered.map_err(|error| fault(error.to_string()))?;
        let n = agents.len();
        let mut run = Self {
            arguments,
            setup,
            world,
            planner,
            crowd,
            agents,
            walked: vec![0.0; n],
            planned: vec![0.0; n],
            has_arrived: vec![false; n],
            rng: Rng::for_stream(arguments.seed, 72),
            figures: CrowdFigures {
                name: "wayfarer",
                scenario: arguments.scenario.name().to_owned(),
                agents: n,
                ..CrowdFigures::default()
            },
        };
        run.find_paths();
        Ok(run)
    }

    /// Answers all requests before the first tick.
    fn find_paths(&mut self) {
        loop {
            self.planner.update(&self.world);
            self.planner.take_events();
            if self.planner.stats().n_waiting == 0 {
                break;
            }
        }
        for (agent, planned) in self.agents.iter().zip(&mut self.planned) {
            let path = self
                .crowd
                .request(*agent)
                .and_then(|id| self.planner.path(id));
            *planned = path.map_or(0.0, wayfarer::Path::length);
        }
        let longest = self.planned.iter().copied().fold(0.0, f64::max);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a positive number of ticks"
        )]
        let ticks_alone = (longest / SPEED * 30.0).ceil() as usize;
        self.figures.ticks_alone = ticks_alone;
    }

    fn finish(mut self, progress: Progress<'_>) -> Result<CrowdFigures, BenchError> {
        let timer = Timer::new();
        let mut times = Vec::new();
        let mut overlaps = Vec::new();
        let n = self.agents.len();
        let mut strip = Strip::default();
        for tick in 1..=self.arguments.ticks {
            progress("tick", self.arguments.ticks);
            let before = self.positions();
            self.planner.update(&self.world);
            self.planner.take_events();
            let (ticked, ns) = timer.time(|| self.crowd.tick(&mut self.world, &mut self.planner));
            ticked.map_err(|error| BenchError::world("crowd")(error.to_string()))?;
            times.push(ns / 1e3);
            let now = self.positions();
            for (walked, (a, b)) in self.walked.iter_mut().zip(before.iter().zip(&now)) {
                *walked += length(*a, *b);
            }
            self.take_events()?;
            strip.note(tick, &now);
            if n <= 1_000 || tick % 10 == 0 {
                let overlap = max_overlap(&now);
                overlaps.push(overlap);
                self.check(tick, &now, overlap);
            }
            let n_arrived = self.has_arrived.iter().filter(|arrived| **arrived).count();
            if n_arrived * 10 >= n * 9 && self.figures.ticks_to_90.is_none() {
                self.figures.ticks_to_90 = Some(tick);
            }
            if n_arrived == n && self.figures.ticks_to_all.is_none() {
                self.figures.ticks_to_all = Some(tick);
                if !self.setup.is_endless {
                    break;
                }
            }
        }
        if let Some(file) = &self.arguments.picture {
            strip.write(self.setup, file)?;
        }
        Ok(self.into_figures(&mut times, &overlaps))
    }

    fn into_figures(mut self, times: &mut [f64], overlaps: &[f64]) -> CrowdFigures {
        let (mut walked, mut planned) = (0.0, 0.0);
        for (index, arrived) in self.has_arrived.iter().enumerate() {
            if *arrived {
                walked += self.walked[index];
                planned += self.planned[index];
            }
        }
        let figures = &mut self.figures;
        if !self.setup.is_endless {
            figures.arrived = self.has_arrived.iter().filter(|arrived| **arrived).count();
            figures.path_stretch = if planned > 0.0 { walked / planned } else { 0.0 };
        }
        figures.mean_overlap = mean(overlaps).unwrap_or(0.0);
        let half = times.len() / 2;
        figures.late_tick_us = TickTimes::of(&mut times[half..]);
        figures.tick_us = TickTimes::of(times);
        figures.agents_per_ms = per_ms(figures.agents, figures.tick_us.mean);
        figures.hash = format!("{:016x}", self.crowd.state_hash());
        self.figures
    }

    fn positions(&self) -> Vec<[f64; 3]> {
        let agents = self.agents.iter();
        let at = agents.filter_map(|agent| self.crowd.position(*agent));
        at.map(Position::units).collect()
    }

    /// Notes arrivals; in an endless scenario those that arrived go on.
    fn take_events(&mut self) -> Result<(), BenchError> {
        for event in self.crowd.take_events() {
            match event {
                CrowdEvent::Arrived { agent }
                | CrowdEvent::Settled { agent }
                | CrowdEvent::NoPath { agent, .. }
                    if self.setup.is_endless =>
                {
                    self.figures.arrived += 1;
                    let [x, y] = self.setup.any_goal(&mut self.rng);
                    let goal = position([x, y, 0.0]);
                    let ordered = self.crowd.order(&mut self.planner, agent, goal);
                    ordered.map_err(|error| BenchError::world("crowd")(error.to_string()))?;
                }
                CrowdEvent::Stuck { .. } => self.figures.stuck += 1,
                _ => {}
            }
        }
        for (agent, arrived) in self.agents.iter().zip(&mut self.has_arrived) {
            let state = self.crowd.state(*agent);
            *arrived |= state == Some(CrowdAgentState::Arrived);
        }
        Ok(())
    }

    fn check(&mut self, tick: usize, now: &[[f64; 3]], overlap: f64) {
        let inside = now.iter().filter(|at| self.setup.is_inside(**at)).count();
        let figures = &mut self.figures;
        figures.max_overlap = figures.max_overlap.max(overlap);
        figures.inside += inside;
        if inside > 0 {
            figures
                .faults
                .push(format!("tick {tick}: {inside} discs in walls"));
        }
        if overlap > MAX_OVERLAP {
            figures
                .faults
                .push(format!("tick {tick}: overlap {overlap:.4}"));
        }
    }
}

/// The largest overlap of two discs as a share of the radius, by a sweep along x.
pub(crate) fn max_overlap(at: &[[f64; 3]]) -> f64 {
    let mut sorted = at.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut worst: f64 = 0.0;
    for (rank, a) in sorted.iter().enumerate() {
        let near = sorted[rank + 1..].iter();
        for b in near.take_while(|b| b[0] - a[0] < 2.0 * RADIUS) {
            worst = worst.max((2.0 * RADIUS - length(*a, *b)) / RADIUS);
        }
    }
    worst
}

fn length(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| a[axis] - b[axis]);
    (x * x + y * y + z * z).sqrt()
}

fn position([x, y, z]: [f64; 3]) -> Position {
    Position::new(x, y, z)
}

#[expect(clippy::cast_precision_loss, reason = "counts of agents are small")]
pub(crate) fn per_ms(agents: usize, mean_us: f64) -> f64 {
    if mean_us > 0.0 {
        agents as f64 / mean_us * 1e3
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;

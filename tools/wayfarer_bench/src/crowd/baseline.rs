//! The registry's ORCA, `dodgy_2d`, on the same agents: neighbors from a grid sorted every tick.

use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::mean;

use super::scenario::Setup;
use super::{Arguments, CrowdFigures, RADIUS, SPEED, TickTimes, max_overlap, per_ms};

const TICK: f32 = 1.0 / 30.0;
/// Neighbors, as many and as far as those of the crowd.
const MAX_NEIGHBORS: usize = 10;
const SIGHT: f32 = 5.0;

/// Runs the scenario to its end.
pub(super) fn measure(arguments: &Arguments, setup: &Setup) -> CrowdFigures {
    let timer = Timer::new();
    let goals: Vec<Vec2> = setup.goals.iter().map(|at| vector(*at)).collect();
    let mut agents: Vec<Agent> = setup.starts.iter().map(|at| agent(*at)).collect();
    let mut has_arrived = vec![false; agents.len()];
    let mut figures = CrowdFigures {
        name: "dodgy_2d",
        scenario: arguments.scenario.name().to_owned(),
        agents: agents.len(),
        ..CrowdFigures::default()
    };
    let (mut times, mut overlaps) = (Vec::new(), Vec::new());
    for tick in 1..=arguments.ticks {
        let ((), ns) = timer.time(|| step(&mut agents, &goals));
        times.push(ns / 1e3);
        let at: Vec<[f64; 3]> = agents.iter().map(|agent| place(agent.position)).collect();
        let overlap = max_overlap(&at);
        figures.max_overlap = figures.max_overlap.max(overlap);
        overlaps.push(overlap);
        for (index, agent) in agents.iter().enumerate() {
            has_arrived[index] |= agent.position.distance(goals[index]) < 0.06;
        }
        figures.arrived = has_arrived.iter().filter(|arrived| **arrived).count();
        if figures.arrived * 10 >= agents.len() * 9 && figures.ticks_to_90.is_none() {
            figures.ticks_to_90 = Some(tick);
        }
        if figures.arrived == agents.len() {
            figures.ticks_to_all = Some(tick);
            break;
        }
    }
    figures.mean_overlap = mean(&overlaps).unwrap_or(0.0);
    figures.tick_us = TickTimes::of(&mut times);
    figures.agents_per_ms = per_ms(figures.agents, figures.tick_us.mean);
    figures
}

fn step(agents: &mut [Agent], goals: &[Vec2]) {
    let grid = Grid::new(agents);
    let options = AvoidanceOptions {
        obstacle_margin: 0.0,
        time_horizon: 2.0,
        obstacle_time_horizon: 0.1,
    };
    #[expect(clippy::cast_possible_truncation, reason = "the speed of all agents")]
    let max_speed = SPEED as f32;
    let mut found = Vec::new();
    let mut velocities = Vec::with_capacity(agents.len());
    for (index, agent) in agents.iter().enumerate() {
        grid.neighbors(agents, index, &mut found);
        let near: Vec<Cow<'_, Agent>> = found
            .iter()
            .map(|(_, slot)| Cow::Borrowed(&agents[*slot]))
            .collect();
        let to_goal = goals[index] - agent.position;
        let preferred = (to_goal / TICK).clamp_length_max(max_speed);
        let chosen =
            agent.compute_avoiding_velocity(&near, &[], preferred, max_speed, TICK, &options);
        velocities.push(chosen);
    }
    for (agent, velocity) in agents.iter_mut().zip(velocities) {
        agent.velocity = velocity;
        agent.position += velocity * TICK;
    }
}

/// Slots sorted by bin.
struct Grid {
    sorted: Vec<((i32, i32), usize)>,
}

impl Grid {
    fn new(agents: &[Agent]) -> Self {
        let slots = agents.iter().enumerate();
        let mut sorted: Vec<_> = slots
            .map(|(slot, agent)| (bin(agent.position), slot))
            .collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// The nearest others in sight, nearest first.
    fn neighbors(&self, agents: &[Agent], index: usize, found: &mut Vec<(f32, usize)>) {
        found.clear();
        let at = agents[index].position;
        let (x, y) = bin(at);
        for column in x - 1..=x + 1 {
            let begin = self
                .sorted
                .partition_point(|(bin, _)| *bin < (column, y - 1));
            let bins = self.sorted[begin..].iter();
            for (_, slot) in bins.take_while(|(bin, _)| *bin <= (column, y + 1)) {
                let distance = agents[*slot].position.distance_squared(at);
                if *slot != index && distance <= SIGHT * SIGHT {
                    found.push((distance, *slot));
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.truncate(MAX_NEIGHBORS);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates of small maps")]
fn bin(at: Vec2) -> (i32, i32) {
    ((at.x / SIGHT).floor() as i32, (at.y / SIGHT).floor() as i32)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the baseline computes in 32 bits"
)]
fn vector([x, y, _]: [f64; 3]) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

fn place(at: Vec2) -> [f64; 3] {
    [f64::from(at.x), f64::from(at.y), 0.0]
}

fn agent(at: [f64; 3]) -> Agent {
    #[expect(clippy::cast_possible_truncation, reason = "the radius of all agents")]
    let radius = RADIUS as f32;
    Agent {
        position: vector(at),
        velocity: Vec2::ZERO,
        radius,
        avoidance_responsibility: 1.0,
    }
}

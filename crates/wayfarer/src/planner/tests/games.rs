//! Games of many ticks: agents walk from goal to goal while the world changes.

use wayfarer_engine as engine;
use wayfarer_engine::base::{Cell, GroundEdit, Rng};

use super::*;

const SIDE: i32 = 48;

struct Game {
    world: World,
    planner: Planner,
    rng: Rng,
    /// Each agent's request and position.
    agents: Vec<(RequestId, Position)>,
    agent_types: Vec<AgentTypeId>,
    n_expansions: u64,
}

/// What happened in a tick.
#[derive(Clone, PartialEq, Debug)]
struct Tick {
    events: Vec<PlannerEvent>,
    positions: Vec<Position>,
    expansions: u64,
}

impl Game {
    fn new(seed: u64, options: PlannerOptions, n_agents: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut rows = vec![String::new(); SIDE as usize];
        for row in &mut rows {
            row.extend((0..SIDE).map(|_| if rng.chance(1, 7) { 'T' } else { '.' }));
        }
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut world = world(&rows);
        let wide = AgentType {
            radius: 0.7,
            ..AgentType::GROUND
        };
        let agent_types = vec![AgentTypeId::DEFAULT, world.add_agent_type(wide).unwrap()];
        let mut game = Self {
            world,
            planner: Planner::new(options),
            rng,
            agents: Vec::new(),
            agent_types,
            n_expansions: 0,
        };
        for number in 0..n_agents {
            let (from, to) = (game.random_position(), game.random_position());
            let methods = [Method::Bounded, Method::AStar, Method::AnyAngle];
            let method = methods[number % 3];
            let request = PathRequest {
                agent_type: game.agent_types[number % 2],
                method,
                partial: match method {
                    Method::AnyAngle => PartialPolicy::Never,
                    _ => PartialPolicy::NearestEuclidean,
                },
                ..PathRequest::new(from, to)
            };
            let id = game.planner.request(request);
            game.agents.push((id, from));
        }
        game
    }

    fn random_position(&mut self) -> Position {
        loop {
            let (x, y) = (self.rng.between(0, SIDE - 1), self.rng.between(0, SIDE - 1));
            if self.world.engine().is_walkable(Cell::flat(x, y)) {
                return at(f64::from(x) + 0.5, f64::from(y) + 0.5);
            }
        }
    }

    fn edit(&mut self) {
        let n_edits = self.rng.below(3);
        let edits = (0..n_edits).map(|_| {
            let cell = Cell::flat(self.rng.between(0, SIDE - 1), self.rng.between(0, SIDE - 1));
            let terrain = Terrain::GROUND;
            engine::Edit::from(match self.rng.chance(1, 2) {
                true => GroundEdit::RemoveCell { cell },
                false => GroundEdit::PutCell { cell, terrain },
            })
        });
        let edits: Vec<_> = edits.collect();
        if !edits.is_empty() {
            self.world.apply_engine(edits);
        }
    }

    fn tick(&mut self) -> Tick {
        self.edit();
        self.planner.update(&self.world);
        let expansions = self.planner.stats().expansions;
        self.n_expansions += expansions;
        let events = self.planner.take_events();
        for event in &events {
            if let PlannerEvent::Failed { id, .. } = event {
                let to = self.random_position();
                self.planner.retarget(*id, to);
            }
        }
        for number in 0..self.agents.len() {
            let (id, position) = self.agents[number];
            let Some(step) = self.planner.advance(id, position) else {
                continue;
            };
            self.agents[number].1 = toward(position, step.target, 0.4);
            if step.has_arrived {
                let to = self.random_position();
                self.planner.retarget(id, to);
            }
        }
        Tick {
            events,
            positions: self.agents.iter().map(|agent| agent.1).collect(),
            expansions,
        }
    }
}

fn toward(from: Position, to: Position, stride: f64) -> Position {
    let (a, b) = (from.units(), to.units());
    let square = |axis: usize| (b[axis] - a[axis]) * (b[axis] - a[axis]);
    let distance = (square(0) + square(1)).sqrt();
    let share = if distance <= stride {
        1.0
    } else {
        stride / distance
    };
    let coordinate = |axis: usize| a[axis] + (b[axis] - a[axis]) * share;
    at(coordinate(0), coordinate(1))
}

fn options(expansions: u64, n_threads: usize) -> PlannerOptions {
    PlannerOptions {
        budget: Budget::expansions(expansions),
        n_threads,
        arrival: 0.05,
        ..PlannerOptions::default()
    }
}

#[test]
fn rule_6_no_update_exceeds_its_budget_and_no_request_waits_long() {
    for (seed, budget) in [(1, 600), (2, 1_500), (3, 6_000)] {
        let mut game = Game::new(seed, options(budget, 1), 60);
        let mut n_found = 0;
        let mut n_repaired = 0;
        for _ in 0..200 {
            let tick = game.tick();
            assert!(
                tick.expansions <= budget + budget / 10,
                "seed {seed}: {}",
                tick.expansions
            );
            for event in tick.events {
                n_found += u32::from(matches!(event, PlannerEvent::Found { .. }));
                n_repaired += u32::from(matches!(event, PlannerEvent::Repaired { .. }));
            }
        }
        assert!(n_found > 100 && n_repaired > 10, "{n_found} {n_repaired}");
        let stats = game.planner.stats();
        assert!(stats.max_wait <= 30, "seed {seed}: {stats:?}");
    }
}

#[test]
fn rule_6_any_number_of_threads_gives_the_same_results() {
    let [mut one, mut four] = [1, 4].map(|n_threads| Game::new(7, options(900, n_threads), 60));
    for number in 0..150 {
        assert_eq!(one.tick(), four.tick(), "tick {number}");
    }
    for (id, _) in &one.agents {
        assert_eq!(one.planner.path(*id), four.planner.path(*id));
    }
    assert!(one.n_expansions > 10_000);
}

#[test]
fn rule_6_task_9_a_game_saved_in_the_middle_goes_on_with_the_same_events() {
    let mut game = Game::new(11, options(400, 1), 50);
    for _ in 0..20 {
        game.tick();
    }
    let is_paused = |game: &Game| {
        let entries = game.planner.entries.values();
        entries.filter(|entry| entry.search.is_some()).count()
    };
    while is_paused(&game) == 0 {
        game.tick();
    }
    let loaded = Planner::load(&game.planner.save(), &game.world).unwrap();
    assert!(loaded.save() == game.planner.save());
    game.edit(); // After the update: the planner has not read it.
    let bytes = (game.world.save(), game.planner.save());
    let world = World::load(&bytes.0).unwrap();
    let planner = Planner::load(&bytes.1, &world).unwrap();
    let mut loaded = Game {
        world,
        planner,
        rng: game.rng.clone(),
        agents: game.agents.clone(),
        agent_types: game.agent_types.clone(),
        n_expansions: 0,
    };
    for number in 0..600 {
        assert_eq!(loaded.tick(), game.tick(), "tick {number}");
    }
}

#[test]
fn rule_6_searches_over_weighted_ground_are_saved_where_they_are() {
    let mut rng = Rng::new(19);
    let mut rows = vec![String::new(); 96];
    for row in &mut rows {
        row.extend((0..96).map(|_| if rng.chance(1, 3) { 'S' } else { '.' }));
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut world = world(&rows);
    let soldier = AgentType {
        terrain_costs: vec![(Terrain::SWAMP, 3.0)],
        ..AgentType::GROUND
    };
    let agent_type = world.add_agent_type(soldier).unwrap();
    let mut planner = planner(2_000);
    for _ in 0..24 {
        let mut place = || {
            at(
                f64::from(rng.below(96)) + 0.5,
                f64::from(rng.below(96)) + 0.5,
            )
        };
        let request = PathRequest {
            agent_type,
            ..PathRequest::new(place(), place())
        };
        planner.request(request);
    }
    let (mut n_paused, mut n_ticks) = (0, 0);
    let mut loaded = Planner::load(&planner.save(), &world).unwrap();
    while n_ticks == 0 || planner.stats().n_waiting > 0 {
        n_ticks += 1;
        let events = update(&mut planner, &world);
        assert_eq!(update(&mut loaded, &world), events, "tick {n_ticks}");
        assert_eq!(loaded.stats(), planner.stats(), "tick {n_ticks}");
        n_paused += planner
            .entries
            .values()
            .filter(|entry| entry.search.is_some())
            .count();
        loaded = Planner::load(&planner.save(), &world).unwrap();
        assert!(loaded.save() == planner.save(), "tick {n_ticks}");
    }
    assert!(n_paused > 2 && n_ticks > 3, "{n_paused} {n_ticks}");
}

#[test]
fn a_planner_that_has_seen_all_edits_does_not_lag_after_a_load() {
    let mut game = Game::new(23, options(20_000, 1), 12);
    game.tick();
    // Bodies that move are no edit of what paths lead through.
    let position = game.random_position();
    let body = Body {
        position,
        blocks_movement: false,
        ..Body::default()
    };
    let body = game.world.add_body(body).unwrap();
    game.world.move_bodies(&[(body, position)]).unwrap();
    let world = World::load(&game.world.save()).unwrap();
    let mut loaded = Planner::load(&game.planner.save(), &world).unwrap();
    assert_eq!(loaded.cursor, Some(Seen::of(&world)));
    // Requests whose wide agents do not fit where they stand fail again; no path is invalid.
    let events = update(&mut loaded, &world);
    let is_failed = |event: &PlannerEvent| matches!(event, PlannerEvent::Failed { .. });
    assert!(events.iter().all(is_failed), "{events:?}");
}

#[test]
fn no_cut_or_changed_byte_is_a_planner() {
    let mut game = Game::new(13, options(200, 1), 4);
    for _ in 0..4 {
        game.tick();
    }
    let bytes = game.planner.save();
    for length in 0..bytes.len() {
        assert!(Planner::load(&bytes[..length], &game.world).is_err());
    }
    for index in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[index] ^= 0x11;
        assert!(Planner::load(&changed, &game.world).is_err(), "{index}");
    }
}

#[test]
fn rule_6_agents_that_follow_the_planner_stay_out_of_walls() {
    // Waypoints lie at corners: an agent that turns before them clips.
    let options = PlannerOptions {
        arrival: 0.001,
        ..options(4_000, 1)
    };
    let mut n_steps = 0;
    // In each game but the first an edit blocks the place where a walking agent was last seen.
    // In the last ones a place and the center of its cell are free, and the line between them is not.
    for seed in [
        17, 29, 85, 101, 105, 111, 113, 115, 125, 126, 127, 128, 149, 170, 192, 261, 326,
    ] {
        let mut game = Game::new(seed, options, 40);
        for _ in 0..300 {
            let before: Vec<Position> = game.agents.iter().map(|agent| agent.1).collect();
            let tick = game.tick();
            for (number, (from, to)) in before.iter().zip(&tick.positions).enumerate() {
                if from == to {
                    continue;
                }
                n_steps += 1;
                let radius = if number % 2 == 0 { 0.45 } else { 0.7 };
                let is_free = is_free_disc(&game.world, *to, radius);
                // An agent inside something new may walk out of it.
                assert!(
                    is_free || !is_free_disc(&game.world, *from, radius),
                    "seed {seed}: agent {number} walks from {from} to {to}"
                );
            }
        }
    }
    assert!(n_steps > 30_000, "{n_steps}");
}

/// How deep a disc may be in a wall by rounding.
const SLACK: f64 = 0.01;

/// The slow test: every column that the disc overlaps has a floor.
fn is_free_disc(world: &World, center: Position, radius: f64) -> bool {
    let [x, y, _] = center.units();
    let cell = |at: f64| {
        (-64..128)
            .find(|cell| f64::from(cell + 1) > at)
            .expect("on the map")
    };
    for row in cell(y - radius)..=cell(y + radius) {
        for column in cell(x - radius)..=cell(x + radius) {
            let near = |at: f64, low: i32| at.clamp(f64::from(low), f64::from(low + 1));
            let (dx, dy) = (x - near(x, column), y - near(y, row));
            let is_under = dx * dx + dy * dy < (radius - SLACK) * (radius - SLACK);
            if is_under && !world.engine().is_walkable(Cell::flat(column, row)) {
                return false;
            }
        }
    }
    true
}

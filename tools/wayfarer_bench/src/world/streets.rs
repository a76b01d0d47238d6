//! A city that changes while a crowd walks through it: agents, waiting requests, construction.
//!
//! Every agent follows its path, stops when the path is invalidated, and waits for its turn to replan. No
//! clock is read: a seed gives the same run on every machine.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;

use clap::Args;
use wayfarer::prelude::*;
use wayfarer::{Follower, PathSubscription};

use crate::report::number;
use crate::skirmish::map::Rng;

/// How far an agent goes in a tick: 7.5 cells a second at 30 ticks.
const STRIDE: f64 = 0.25;
/// How far its sensor reaches.
const SIGHT: f64 = 8.0;
/// How far from every agent construction keeps.
const APART: f64 = 2.0;
/// Tries at a new goal before an agent stays where it is for a tick.
const TRIES: usize = 8;

/// An expansion takes as long as so many cells of a path.
pub const CELLS_PER_EXPANSION: u64 = 10;

/// What to play.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Agents, each with a path and a sensor of eight cells
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number(1..=100_000))]
    pub agents: usize,
    /// Cells closed or opened per tick
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number(1..=100_000))]
    pub edits: usize,
    /// Side of the city, in cells
    #[arg(long, value_name = "N", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(32..=4_096))]
    pub size: u32,
    /// Budget of expansions of all searches of a tick
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: u64,
    /// Path cells per tick after which waiting agents are postponed; an expansion counts as ten
    // Repairing takes few expansions, and time for every cell that is kept.
    #[arg(long, value_name = "N", default_value_t = 145_000)]
    pub cells: usize,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// An agent that walks.
#[derive(Clone, Debug)]
struct Walker {
    body: BodyId,
    at: Position,
    goal: Position,
    path: Option<(PathSubscription, Follower)>,
    /// True if no path to the goal is known yet.
    is_new: bool,
    /// The tick in which it began to wait for a path.
    waits_since: Option<u32>,
}

/// What happened so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Paths found to a new goal.
    pub new_paths: u64,
    /// Paths that a change broke and that were repaired.
    pub repaired: u64,
    /// Unreachable outcomes, after which another goal is chosen.
    pub cut_off: u64,
    /// Searches that ran out of budget and were repeated in the next tick.
    pub postponed: u64,
    /// Searches that exceeded the expansions of a whole tick: the agent follows the best partial path
    /// and requests again at its end.
    pub partial: u64,
    /// Ticks in which searches took more expansions than they may.
    pub overruns: u64,
    /// Longest wait for a path in ticks.
    pub longest_wait: u32,
    /// The most expansions of a tick.
    pub most_expansions: u64,
    /// Cells of all paths that were given out.
    pub cells: u64,
    /// Sensor events.
    pub sensor_events: u64,
    /// Cells closed and opened.
    pub edits: u64,
    /// Agents inside walls.
    pub inside_walls: u64,
}

/// The city, its crowd and what happened.
#[derive(Debug)]
pub struct Streets {
    setting: Setting,
    world: World,
    searcher: Searcher,
    rng: Rng,
    walkers: Vec<Walker>,
    /// Agents that wait for a path, the longest first.
    queue: VecDeque<usize>,
    /// By column: true where there is a floor to stand on, kept apart from the world.
    is_open: Vec<bool>,
    closed: Vec<[i32; 2]>,
    whose: BTreeMap<PathSubscription, usize>,
    tick: u32,
    /// What happened so far.
    pub tally: Tally,
}

/// What became of a request.
enum SearchOutcome {
    /// A finished search: its expansions and the cells of its path.
    After(u64, usize),
    /// There were too few expansions left.
    TooFew,
}

/// The parts of a tick, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Cells are closed and opened; broken paths are noticed.
    Edits,
    /// Paths are found and repaired.
    Paths,
    /// All agents walk.
    Moves,
    /// Every sensor is updated.
    Sensors,
}

impl Part {
    /// All parts, in order.
    pub const ALL: [Self; 4] = [Self::Edits, Self::Paths, Self::Moves, Self::Sensors];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edits => "edits",
            Self::Paths => "paths",
            Self::Moves => "moves",
            Self::Sensors => "sensors",
        }
    }
}

impl Streets {
    /// A city of `setting.size` squared with its agents, each with a path and a sensor; its map is in the
    /// format of grid benchmarks.
    ///
    /// # Errors
    /// The map is no map.
    pub fn new(setting: Setting, map: &[u8]) -> Result<Self, Box<dyn Error>> {
        let world = World::import("city.map", map, Scale::UNIT)?;
        let side = setting.size.cast_signed();
        let columns = (0..side).flat_map(|y| (0..side).map(move |x| [x, y]));
        let is_floor = |at| {
            world
                .project_to_floor(AgentTypeId::DEFAULT, middle(at))
                .is_some()
        };
        let is_open: Vec<bool> = columns.map(is_floor).collect();
        let mut streets = Self {
            rng: Rng::new(setting.seed ^ 0x57_EE75),
            walkers: Vec::with_capacity(setting.agents),
            queue: VecDeque::new(),
            is_open,
            closed: Vec::new(),
            whose: BTreeMap::new(),
            searcher: Searcher::default(),
            tick: 0,
            tally: Tally::default(),
            world,
            setting,
        };
        for number in 0..setting.agents {
            let at = middle(streets.any_cell());
            let body = streets.world.add_body(Body {
                position: at,
                ..Body::default()
            })?;
            streets.world.add_sensor(Sensor {
                mount: body.into(),
                footprint: Footprint::disc(at, SIGHT),
                ..Sensor::default()
            })?;
            streets.walkers.push(Walker {
                body,
                at,
                goal: at,
                path: None,
                is_new: true,
                waits_since: None,
            });
            streets.want(number);
        }
        // The first paths are part of loading, however long they take.
        (streets.setting.budget, streets.setting.cells) = (u64::MAX, usize::MAX);
        streets.paths();
        streets.setting = setting;
        streets.tally = Tally::default();
        Ok(streets)
    }

    /// Does a part of a tick; a tick is all of them in order.
    pub fn play(&mut self, part: Part) {
        match part {
            Part::Edits => self.edits(),
            Part::Paths => self.paths(),
            Part::Moves => self.moves(),
            Part::Sensors => {
                let events = self.world.update_sensors();
                self.tally.sensor_events += events.len() as u64;
                self.tick += 1;
            }
        }
    }

    /// A digest of the world and of all agents.
    pub fn state_hash(&self) -> u64 {
        let places = self.walkers.iter().flat_map(|walker| {
            let at = [walker.at.x, walker.at.y, walker.at.z];
            at.map(i64::to_le_bytes).into_iter().flatten()
        });
        let bytes = self.world.save().into_iter().chain(places);
        bytes.fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    /// Number of agents whose disc, a cell wide, overlaps a column without a floor, added to the tally.
    /// Checks all agents: for use between ticks.
    pub fn check(&mut self) -> u64 {
        let is_wrong = |walker: &&Walker| {
            let [x, y, _] = walker.at.units();
            // Positions are rounded.
            let radius = 0.49;
            let columns = |at: f64| whole(at - radius)..=whole(at + radius);
            let beyond = |at: f64, column: i32| {
                let low = f64::from(column);
                (low - at).max(at - (low + 1.0)).max(0.0)
            };
            columns(y).any(|row| {
                columns(x).any(|column| {
                    let (dx, dy) = (beyond(x, column), beyond(y, row));
                    dx * dx + dy * dy < radius * radius && !self.is_open_at([column, row])
                })
            })
        };
        let n_wrong = self.walkers.iter().filter(is_wrong).count() as u64;
        self.tally.inside_walls += n_wrong;
        n_wrong
    }

    fn index(&self, [x, y]: [i32; 2]) -> Option<usize> {
        let side = self.setting.size.cast_signed();
        let is_inside = (0..side).contains(&x) && (0..side).contains(&y);
        is_inside.then(|| usize::try_from(y * side + x).ok())?
    }

    fn is_open_at(&self, at: [i32; 2]) -> bool {
        self.index(at).is_some_and(|index| self.is_open[index])
    }

    fn any_cell(&mut self) -> [i32; 2] {
        let side = self.setting.size.cast_signed();
        loop {
            let at = [self.rng.between(0, side), self.rng.between(0, side)];
            if self.is_open_at(at) {
                return at;
            }
        }
    }

    /// Puts an agent at the end of the queue for a path.
    fn want(&mut self, number: usize) {
        let walker = &mut self.walkers[number];
        if walker.waits_since.is_none() {
            walker.waits_since = Some(self.tick);
            self.queue.push_back(number);
        }
    }

    /// Closes cells without an agent nearby, and reopens as many closed before.
    fn edits(&mut self) {
        let mut batch: Vec<Edit> = Vec::with_capacity(self.setting.edits);
        for number in 0..self.setting.edits {
            let is_opening = number % 2 == 1 && self.closed.len() > self.setting.edits;
            let cell = if is_opening {
                let n_closed = i32::try_from(self.closed.len()).unwrap_or(i32::MAX);
                let which = usize::try_from(self.rng.between(0, n_closed)).unwrap_or(0);
                self.closed.swap_remove(which)
            } else {
                let Some(cell) = self.lonely_cell() else {
                    continue;
                };
                self.closed.push(cell);
                cell
            };
            let [x, y] = cell.map(f64::from);
            let (low, high) = (
                Position::new(x, y, 0.0),
                Position::new(x + 1.0, y + 1.0, 0.0),
            );
            let area = Area::rect(low, high);
            batch.push(match is_opening {
                true => Edit::add_floors(area, 0.0, Terrain::GROUND),
                false => Edit::remove_floors(area),
            });
            if let Some(index) = self.index(cell) {
                self.is_open[index] = is_opening;
            }
        }
        self.tally.edits += batch.len() as u64;
        let changes = self.world.apply(&batch);
        let changes = changes.expect("floors inside the city");
        for id in changes.invalidated() {
            if let Some(&number) = self.whose.get(id) {
                self.want(number);
            }
        }
    }

    /// An open cell without an agent nearby, if a few tries find one.
    fn lonely_cell(&mut self) -> Option<[i32; 2]> {
        for _ in 0..4 * TRIES {
            let cell = self.any_cell();
            let around = Footprint::disc(middle(cell), APART);
            let near = self.world.bodies_in(&around, BodyFilter::ALL);
            if near.is_ok_and(|near| near.is_empty()) {
                return Some(cell);
            }
        }
        None
    }

    /// Serves waiting requests, the longest first, within the budget.
    fn paths(&mut self) {
        self.searcher.sync(&self.world);
        let Setting { budget, cells, .. } = self.setting;
        let (mut n_expansions, mut n_cells) = (0_u64, 0_u64);
        while let Some(number) = self.queue.pop_front() {
            let work = n_cells + CELLS_PER_EXPANSION.saturating_mul(n_expansions);
            let rest = (cells as u64).saturating_sub(work);
            // The first of a tick may take it all.
            let left = match work {
                0 => budget,
                _ => budget
                    .saturating_sub(n_expansions)
                    .min(rest / CELLS_PER_EXPANSION),
            };
            if left == 0 {
                self.queue.push_front(number);
                break;
            }
            let SearchOutcome::After(expansions, length) = self.result(number, left) else {
                self.tally.postponed += 1;
                self.queue.push_front(number);
                n_expansions += left;
                break;
            };
            n_cells += length as u64;
            n_expansions += expansions;
            if let Some(since) = self.walkers[number].waits_since.take() {
                self.tally.longest_wait = self.tally.longest_wait.max(self.tick - since);
            }
        }
        self.tally.most_expansions = self.tally.most_expansions.max(n_expansions);
        self.tally.overruns += u64::from(n_expansions > self.setting.budget);
        // Remaining requests have waited one tick more.
        let oldest = self
            .queue
            .iter()
            .filter_map(|n| self.walkers[*n].waits_since)
            .min();
        let wait = oldest.map_or(0, |since| self.tick - since);
        self.tally.longest_wait = self.tally.longest_wait.max(wait);
    }

    /// Gives one agent a path, or the word that there is none.
    fn result(&mut self, number: usize, left: u64) -> SearchOutcome {
        let Walker { at, goal, .. } = self.walkers[number];
        let is_linked =
            |world: &World, goal| world.is_connected(AgentTypeId::DEFAULT, at, goal) == Some(true);
        let has_arrived = at == goal;
        if has_arrived || !is_linked(&self.world, goal) {
            self.tally.cut_off += u64::from(!has_arrived);
            let others: [Position; TRIES] = std::array::from_fn(|_| middle(self.any_cell()));
            let mut others = others.into_iter();
            let other = others.find(|other| *other != at && is_linked(&self.world, *other));
            let Some(other) = other else {
                // Enclosed: it stays, and requests a path again after a tick.
                self.walkers[number].goal = at;
                self.drop_path(number);
                return SearchOutcome::After(0, 0);
            };
            self.walkers[number].goal = other;
            self.walkers[number].is_new = true;
        }
        let walker = &self.walkers[number];
        let is_new = walker.is_new;
        let request = PathRequest {
            budget: Budget::expansions(left),
            // Every cell is a waypoint: the longest paths for followers.
            smoothing: false,
            ..PathRequest::new(at, walker.goal)
        };
        let previous = walker.path.as_ref().filter(|_| !is_new);
        let result = match previous {
            Some((_, follower)) => self
                .world
                .repair(&mut self.searcher, &request, follower.path()),
            None => self.world.find_path(&mut self.searcher, &request),
        };
        let path = match result {
            Ok(path) => path,
            // A whole tick was not enough: it sets out for where it has come to.
            Err(NoPath::OutOfBudget { best: Some(best) }) if left == self.setting.budget => {
                self.tally.partial += 1;
                best
            }
            Err(NoPath::OutOfBudget { .. }) => return SearchOutcome::TooFew,
            Err(error) => unreachable!("start and goal are connected: {error}"),
        };
        let (expansions, n_cells) = (path.expansions(), path.n_cells());
        let walker = &mut self.walkers[number];
        let id = match &walker.path {
            Some((id, _)) => {
                self.world.update_subscription(*id, path.clone());
                *id
            }
            None => self.world.subscribe(path.clone()),
        };
        self.whose.insert(id, number);
        walker.path = Some((id, Follower::new(path, ARRIVAL)));
        walker.is_new = false;
        let kind = match is_new {
            true => &mut self.tally.new_paths,
            false => &mut self.tally.repaired,
        };
        *kind += 1;
        self.tally.cells += n_cells as u64;
        SearchOutcome::After(expansions, n_cells)
    }

    fn drop_path(&mut self, number: usize) {
        if let Some((id, _)) = self.walkers[number].path.take() {
            self.world.unsubscribe(id);
            self.whose.remove(&id);
        }
    }

    /// Every agent with a valid path advances.
    fn moves(&mut self) {
        let mut moves = Vec::with_capacity(self.walkers.len());
        for number in 0..self.walkers.len() {
            let walker = &mut self.walkers[number];
            if walker.waits_since.is_some() {
                continue;
            }
            let has_arrived = walker.walk();
            moves.push((walker.body, walker.at));
            if has_arrived {
                self.want(number);
            }
        }
        let moved = self.world.move_bodies(&moves);
        moved.expect("every body is alive and inside the city");
    }
}

/// Waypoints lie at corners: an agent that turns before them clips.
const ARRIVAL: f64 = 0.001;

impl Walker {
    /// Advances by a stride; true at the end of its path.
    fn walk(&mut self) -> bool {
        let Some((_, follower)) = &mut self.path else {
            return true;
        };
        let mut left = STRIDE;
        while let Some(step) = follower.advance(self.at).filter(|_| left > 0.0) {
            if step.has_arrived {
                // Exactly, so that it knows its goal.
                self.at = step.target;
                return true;
            }
            let next = self.at.toward(step.target, left);
            left -= self.at.distance(next).max(ARRIVAL);
            self.at = next;
        }
        false
    }
}

fn middle([x, y]: [i32; 2]) -> Position {
    Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0)
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates of a city")]
fn whole(at: f64) -> i32 {
    at.floor() as i32
}

#[cfg(test)]
mod tests;

//! A city that changes while a crowd walks through it: agents, waiting requests, construction.
//!
//! Every agent follows its path cell by cell, stops when the path is invalidated, and waits for its turn to
//! replan. No clock is read: a seed gives the same run on every machine.

use std::collections::VecDeque;

use clap::Args;
use wayfarer_engine::base::{
    Budget, Cell, Column, Fixed, GroundEdit, Location, Outcome, Point2, Rng, Terrain,
};
use wayfarer_engine::base::{Profile, SubscriptionId};
use wayfarer_engine::make::{City, MakeError};
use wayfarer_engine::world::bodies::{
    Body, BodyId, BodySet, Footprint, Mount, Sensor, SensorEvent,
};
use wayfarer_engine::world::ground::Ground;
use wayfarer_engine::{BodyEdit, PathRequest, Position, Searcher, World};

use crate::report::number;

/// How far an agent goes in a tick, in 1/256 of a cell: 7.5 cells a second at 30 ticks.
const STRIDE: u32 = 64;
/// How far its sensor reaches, in 1/256 of a cell.
const SIGHT: i32 = 8 * 256;
/// Bin size of the registration grid in 1/256 of a cell: the sensor range, at one agent in a hundred
/// cells.
const SQUARE: i32 = 8 * 256;
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
    id: BodyId,
    goal: Cell,
    path: Option<SubscriptionId>,
    /// True if no path to the goal is known yet.
    is_new: bool,
    /// Where it is, and the next cell; the same twice where it stands.
    step: (Cell, Cell),
    /// The cells of its path, and which of them comes after the step.
    cells: Vec<Cell>,
    next: usize,
    /// How far it has come to the next cell, in 1/256 of a cell.
    along: u32,
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
    /// By column: how many agents are in it or about to be.
    taken: Vec<u16>,
    closed: Vec<(Cell, Terrain)>,
    /// Positions by the index of the body's id.
    places: Vec<Point2>,
    reported: Vec<SensorEvent>,
    whose: wayfarer_engine::base::collections::FastMap<SubscriptionId, usize>,
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
    /// A city with its agents, each with a path and a sensor.
    ///
    /// # Errors
    /// A size that no city has.
    pub fn new(setting: Setting) -> Result<Self, MakeError> {
        let city = City::new(setting.size, setting.seed)?;
        let mut ground = Ground::new(Profile::DEFAULT).expect("the walker of the benchmarks");
        for id in city.sectors() {
            let sector = city.sector(id);
            let put = |(cell, terrain)| GroundEdit::PutCell { cell, terrain };
            let floors: Vec<GroundEdit> = sector.cells().map(put).collect();
            ground.apply(&floors).expect("cells of a city");
        }
        let world = World::from_ground(ground).with_bodies(BodySet::new(Fixed::from_raw(SQUARE)));
        let side = setting.size as usize;
        let mut streets = Self {
            rng: Rng::new(setting.seed ^ 0x57_EE75),
            walkers: Vec::with_capacity(setting.agents),
            queue: VecDeque::new(),
            taken: vec![0; side * side],
            closed: Vec::new(),
            places: Vec::new(),
            reported: Vec::new(),
            whose: Default::default(),
            searcher: Searcher::default(),
            tick: 0,
            tally: Tally::default(),
            world,
            setting,
        };
        for number in 0..setting.agents {
            let at = streets.any_cell();
            let body = Body::at(middle(at));
            let changes = streets.world.apply([BodyEdit::Register(body)]);
            let changes = changes.expect("inside the world by construction");
            let id = changes.new_bodies().next().expect("it was just registered");
            streets.places.push(middle(at));
            let circle = Footprint::circle(Point2::default(), Fixed::from_raw(SIGHT));
            let sensor = Sensor::new(Mount::Body(id), circle);
            streets
                .world
                .add_sensor(sensor)
                .expect("a circle of eight cells");
            streets.walkers.push(Walker {
                id,
                goal: at,
                path: None,
                is_new: true,
                step: (at, at),
                cells: Vec::new(),
                next: 0,
                along: 0,
                waits_since: None,
            });
            streets.take(at, true);
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
                self.reported.clear();
                self.world.update_sensors(&mut self.reported);
                self.tally.sensor_events += self.reported.len() as u64;
                self.tick += 1;
            }
        }
    }

    /// The world as it is.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Number of agents on illegal cells or steps, added to the tally. Checks all agents: for use between ticks.
    pub fn check(&mut self) -> u64 {
        let ground = self.world.ground();
        let is_wrong = |walker: &&Walker| {
            let Ok(body) = self.world.bodies().body(walker.id) else {
                return true;
            };
            let is_on_floor = ground.node(body.position.column().at(0)).is_some();
            let (from, to) = walker.step;
            let may_step =
                walker.along == 0 || self.world.successors(from).iter().any(|step| step.0 == to);
            !is_on_floor || !may_step
        };
        let n_wrong = self.walkers.iter().filter(is_wrong).count() as u64;
        self.tally.inside_walls += n_wrong;
        n_wrong
    }

    fn any_cell(&mut self) -> Cell {
        let size = self.setting.size;
        loop {
            let (x, y) = (self.rng.below(size), self.rng.below(size));
            let cell = Cell::flat(x.cast_signed(), y.cast_signed());
            if self.world.is_walkable(cell) {
                return cell;
            }
        }
    }

    fn place_of(&self, column: Column) -> usize {
        let side = self.setting.size as usize;
        let at = |at: i32| usize::try_from(at).expect("inside the city");
        at(column.y) * side + at(column.x)
    }

    fn take(&mut self, cell: Cell, is_coming: bool) {
        let place = self.place_of(cell.column());
        let count = &mut self.taken[place];
        *count = if is_coming { *count + 1 } else { *count - 1 };
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
        let mut batch: Vec<GroundEdit> = Vec::with_capacity(self.setting.edits);
        for number in 0..self.setting.edits {
            if number % 2 == 1 && self.closed.len() > self.setting.edits {
                let which = self
                    .rng
                    .below(u32::try_from(self.closed.len()).unwrap_or(1));
                let (cell, terrain) = self.closed.swap_remove(which as usize);
                batch.push(GroundEdit::PutCell { cell, terrain });
                continue;
            }
            let Some(cell) = self.lonely_cell(&batch) else {
                continue;
            };
            let terrain = self.world.terrain(cell).unwrap_or_default();
            self.closed.push((cell, terrain));
            batch.push(GroundEdit::RemoveCell { cell });
        }
        self.tally.edits += batch.len() as u64;
        let changes = self
            .world
            .apply(batch)
            .expect("cells that are there, or were");
        for id in changes.invalidated.clone() {
            if let Some(&number) = self.whose.get(&id) {
                self.want(number);
            }
        }
    }

    /// A cell without an agent nearby and not in this tick's batch, if a few tries find one.
    fn lonely_cell(&mut self, batch: &[GroundEdit]) -> Option<Cell> {
        for _ in 0..4 * TRIES {
            let cell = self.any_cell();
            let is_taken = batch.contains(&GroundEdit::RemoveCell { cell });
            if !is_taken && !self.is_near_somebody(cell) {
                return Some(cell);
            }
        }
        None
    }

    fn is_near_somebody(&self, cell: Cell) -> bool {
        let size = self.setting.size.cast_signed();
        (cell.y - 1..=cell.y + 1).any(|y| {
            (cell.x - 1..=cell.x + 1).any(|x| {
                let is_inside = (0..size).contains(&x) && (0..size).contains(&y);
                is_inside && self.taken[self.place_of(Column::new(x, y))] > 0
            })
        })
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
        // An agent between two cells continues from the next.
        let is_between = self.walkers[number].along > 0;
        let step = self.walkers[number].step;
        let from = if is_between { step.1 } else { step.0 };
        let is_open = |world: &World, goal| world.is_connected(from, goal) == Some(true);
        let goal = self.walkers[number].goal;
        let has_arrived = from == goal;
        if has_arrived || !is_open(&self.world, goal) {
            self.tally.cut_off += u64::from(!has_arrived);
            let others: [Cell; TRIES] = std::array::from_fn(|_| self.any_cell());
            let mut others = others.into_iter();
            let other = others.find(|cell| *cell != from && is_open(&self.world, *cell));
            let Some(other) = other else {
                // Enclosed: it stays, and requests a path again after a tick.
                self.walkers[number].goal = from;
                self.walkers[number].cells.clear();
                self.walkers[number].begin();
                return SearchOutcome::After(0, 0);
            };
            self.walkers[number].goal = other;
            self.walkers[number].is_new = true;
        }
        let walker = &self.walkers[number];
        let is_new = walker.is_new;
        let position = |cell: Cell| self.world.position_of(Location::Cell(cell));
        let (from, to): (Position, Position) = (position(from), position(walker.goal));
        let request = PathRequest {
            budget: Budget::expansions(left),
            ..PathRequest::new(from, to)
        };
        let previous = walker.path.and_then(|id| self.world.subscribed_path(id));
        let result = match previous.filter(|_| !is_new) {
            Some(path) => self.world.repair(&mut self.searcher, &request, path),
            None => self.world.find_path(&mut self.searcher, &request),
        };
        let path = match result.expect("start and goal can be stood on") {
            Outcome::Found(path) => path,
            // A whole tick was not enough: it sets out for where it has come to.
            Outcome::OutOfBudget { best, .. } if left == self.setting.budget => {
                self.tally.partial += 1;
                best
            }
            _ => return SearchOutcome::TooFew,
        };
        let expansions = path.expansions;
        let walk = path.as_ground_path().expect("walkers walk");
        let walker = &mut self.walkers[number];
        walker.is_new = false;
        walker.cells.clear();
        walker.cells.extend_from_slice(&walk.cells);
        walker.begin();
        let n_cells = walk.cells.len();
        if let Some(id) = walker.path {
            let previous = self.world.update_subscription(id, path);
            previous
                .into_iter()
                .for_each(|path| self.searcher.recycle(path));
        } else {
            let id = self.world.subscribe(path);
            self.walkers[number].path = Some(id);
            self.whose.insert(id, number);
        }
        if is_new {
            self.tally.new_paths += 1;
        } else {
            self.tally.repaired += 1;
        }
        self.tally.cells += n_cells as u64;
        SearchOutcome::After(expansions, n_cells)
    }

    /// Every agent with a path advances.
    fn moves(&mut self) {
        for number in 0..self.walkers.len() {
            let walker = &self.walkers[number];
            // An agent between two cells continues to the next: construction avoids it.
            if walker.waits_since.is_some() && walker.along == 0 {
                continue;
            }
            self.walk(number);
            let walker = &self.walkers[number];
            self.places[walker.id.index() as usize] = walker.position();
            if walker.has_arrived() {
                self.want(number);
            }
        }
        let all = BodyEdit::MoveAll(self.places.clone());
        self.world
            .apply([all])
            .expect("every body is alive and inside the city");
    }

    fn walk(&mut self, number: usize) {
        let mut left = STRIDE;
        while left > 0 && !self.walkers[number].has_arrived() {
            let walker = &self.walkers[number];
            let (from, to) = walker.step;
            if walker.along == 0 {
                if walker.waits_since.is_some() {
                    break;
                }
                self.take(to, true);
            }
            let walker = &mut self.walkers[number];
            let length = length_of(from, to);
            let by = left.min(length - walker.along);
            walker.along += by;
            left -= by;
            if walker.along < length {
                break;
            }
            walker.along = 0;
            walker.go_on();
            self.take(from, false);
        }
    }
}

impl Walker {
    /// Starts its path, which begins at its cell or, between two cells, at the next.
    fn begin(&mut self) {
        self.next = 1;
        if self.along == 0 {
            self.step.1 = self.step.0;
            self.go_on();
        }
    }

    /// Comes to the next cell.
    fn go_on(&mut self) {
        let here = self.step.1;
        let next = self.cells.get(self.next).copied();
        self.step = (here, next.unwrap_or(here));
        self.next += 1;
    }

    fn has_arrived(&self) -> bool {
        self.step.0 == self.step.1
    }

    fn position(&self) -> Point2 {
        let (from, next) = self.step;
        let here = middle(from);
        if self.along == 0 {
            return here;
        }
        let there = middle(next);
        let length = length_of(from, next).cast_signed();
        let part = |a: Fixed, b: Fixed| {
            let by = (b.raw() - a.raw()) * self.along.cast_signed() / length;
            Fixed::from_raw(a.raw() + by)
        };
        Point2::new(part(here.x, there.x), part(here.y, there.y))
    }
}

/// From the middle of a cell to that of the next, in 1/256 of a cell.
const fn length_of(from: Cell, to: Cell) -> u32 {
    if from.x == to.x || from.y == to.y {
        256
    } else {
        362
    }
}

fn middle(cell: Cell) -> Point2 {
    Point2::center_of(cell.column()).expect("cities lie near the origin")
}

#[cfg(test)]
mod tests;

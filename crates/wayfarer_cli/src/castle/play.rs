//! The ticks: edits, requests, planner, crowd, flights, sensors.

use std::error::Error;

use wayfarer::prelude::*;
use wayfarer::{Crowd, CrowdEvent, CrowdOptions, RequestId, TickBudget, Viewer};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::Spread;

use super::agents::{Agent, Role, Types};
use super::site::{
    self, BRIDGE, BUILDING, Block, DEPTH, FLOORS, Rng, Site, TOP, WALL, WIDTH, YARD, middle,
};
use super::{CastleReport, Query, Tally};

/// The work of planner and sensors in a tick.
const TICK_BUDGET: u64 = 12_000;
/// The work of one request.
const REQUEST_BUDGET: Budget = Budget::expansions(12_000);
/// Ticks between two doors opening or closing.
const DOOR: u32 = 20;
/// Ticks between two walls falling.
const FALL: u32 = 480;
/// Ticks between two moves of the bridge.
const BRIDGE_TICKS: u32 = 600;

/// The castle and its agents.
#[derive(Debug)]
pub(crate) struct Castle {
    site: Site,
    planner: Planner,
    crowd: Crowd,
    budget: TickBudget,
    types: Types,
    agents: Vec<Agent>,
    /// The solids of closed doors.
    closed: Vec<Option<SolidId>>,
    /// Walls that have fallen, and whether the first is rebuilt.
    n_fallen: usize,
    is_rebuilt: bool,
    is_bridge_down: bool,
    rng: Rng,
    tick: u32,
    tally: Tally,
    clock: Clock,
    /// For queries that are timed as plain calls.
    searcher: Searcher,
}

/// Nanoseconds of each operation, and milliseconds of whole ticks.
#[derive(Debug)]
struct Clock {
    timer: Timer,
    times: [Vec<f64>; Query::ALL.len()],
    ticks: Vec<f64>,
}

impl Clock {
    fn time<T>(&mut self, query: Query, run: impl FnOnce() -> T) -> T {
        let (value, ns) = self.timer.time(run);
        self.times[query as usize].push(ns);
        value
    }

    /// Time of all parts of ticks so far.
    fn in_ticks(&self) -> f64 {
        let parts = Query::ALL.iter().filter(|query| query.is_part());
        parts.flat_map(|part| &self.times[*part as usize]).sum()
    }
}

impl Castle {
    /// A castle with agents.
    ///
    /// # Errors
    /// None for this castle.
    pub(crate) fn new(seed: u64, n_agents: usize) -> Result<Self, Box<dyn Error>> {
        let mut rng = Rng::new(seed);
        let mut site = Site::new(&mut rng)?;
        let types = Types::register(&mut site.world)?;
        let crowd = Crowd::new(&site.world, CrowdOptions::default())?;
        let mut castle = Self {
            planner: Planner::new(PlannerOptions {
                // Waypoints lie at corners: a flyer that turns before them clips.
                arrival: 0.001,
                request_budget: REQUEST_BUDGET,
                ..PlannerOptions::default()
            }),
            crowd,
            budget: TickBudget::new(TICK_BUDGET),
            types,
            agents: Vec::new(),
            closed: vec![None; site.doors.len()],
            site,
            n_fallen: 0,
            is_rebuilt: false,
            is_bridge_down: true,
            rng,
            tick: 0,
            tally: Tally::default(),
            clock: Clock {
                timer: Timer::new(),
                times: Default::default(),
                ticks: Vec::new(),
            },
            searcher: Searcher::default(),
        };
        for number in 0..n_agents {
            let role = Role::of_number(number);
            let at = castle.place(role, None);
            let (world, crowd) = (&mut castle.site.world, &mut castle.crowd);
            let mut agent = Agent::new(world, crowd, (role, types.of(role)), at)?;
            agent.rest = castle.rng.below(90);
            castle.agents.push(agent);
        }
        for agent_type in [types.walker, types.of(Role::Winged)] {
            let budget = Budget::UNLIMITED;
            let world = &castle.site.world;
            castle.planner.prepare(world, agent_type, budget)?;
            castle.searcher.prepare(world, agent_type, budget)?;
        }
        Ok(castle)
    }

    /// The world.
    pub(crate) fn world(&self) -> &World {
        &self.site.world
    }

    /// The castle itself.
    pub(crate) fn site(&self) -> &Site {
        &self.site
    }

    /// The agent type of those on foot.
    pub(crate) fn walker(&self) -> AgentTypeId {
        self.types.walker
    }

    /// The agents.
    pub(crate) fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// Every door, and whether it is closed.
    pub(crate) fn doors(&self) -> impl Iterator<Item = (Block, bool)> {
        let closed = self.closed.iter().map(Option::is_some);
        self.site.doors.iter().copied().zip(closed)
    }

    /// The walls that have fallen, and whether they are rebuilt.
    pub(crate) fn fallen(&self) -> impl Iterator<Item = (Block, bool)> {
        let fallen = self.site.breaches[..self.n_fallen].iter().copied();
        fallen
            .enumerate()
            .map(|(number, block)| (block, number == 0 && self.is_rebuilt))
    }

    /// True if the bridge is down.
    pub(crate) fn is_bridge_down(&self) -> bool {
        self.is_bridge_down
    }

    /// Ticks simulated.
    pub(crate) fn now(&self) -> u32 {
        self.tick
    }

    /// A random place for a role where it fits; for those that walk in the yard, in the building, on
    /// the wall or outside, and connected to `from`, if one of twenty is, or to the yard.
    fn place(&mut self, role: Role, from: Option<Position>) -> Position {
        let home = Position::new(50.5, 52.5, 0.0);
        let mut n_left = 20;
        loop {
            let rng = &mut self.rng;
            if role == Role::Raven {
                let column = [rng.between(1, WIDTH - 1), rng.between(1, DEPTH - 1)];
                let z = f64::from(rng.between(1, TOP - 4)) + 0.5;
                let at = middle(column, z);
                if !self.site.stone.overlaps(at, (0.5, 0.0, true)) {
                    return at;
                }
                continue;
            }
            let (within, outside, floor) = match rng.below(8) {
                0..=2 => (YARD.grown(-2), Some(BUILDING), 0),
                3..=5 => (BUILDING.grown(-1), None, FLOORS[rng.below(4) as usize]),
                6 => (YARD.grown(2), Some(YARD.grown(-2)), WALL),
                _ => (YARD.grown(99), Some(YARD.grown(7)), 0),
            };
            let x = rng.between(within.low[0].max(0), within.high[0].min(WIDTH));
            let y = rng.between(within.low[1].max(0), within.high[1].min(DEPTH));
            if outside.is_some_and(|rect| rect.contains(x, y)) {
                continue;
            }
            let at = middle([x, y], floor.into());
            let (world, walker) = (&self.site.world, self.types.walker);
            if world.project_to_floor(walker, at) != Some(at) {
                continue;
            }
            n_left -= 1;
            let from = from.filter(|_| n_left > 0).unwrap_or(home);
            if world.is_connected(walker, from, at) == Some(true) || n_left < -20 {
                return at;
            }
        }
    }

    /// Simulates one tick.
    ///
    /// # Errors
    /// None for this castle.
    pub(crate) fn tick(&mut self) -> Result<(), Box<dyn Error>> {
        let before = self.clock.in_ticks();
        self.tick += 1;
        self.budget.begin();
        self.edit()?;
        self.send_agents()?;
        self.plan()?;
        self.make_moves()?;
        self.sense();
        self.clock
            .ticks
            .push((self.clock.in_ticks() - before) / 1e6);
        let is_inside = |agent: &&Agent| {
            let (at, body) = agent.outline();
            self.site.stone.overlaps(at, body)
        };
        let n_inside = self.agents.iter().filter(is_inside).count();
        self.tally.inside_walls += u32::try_from(n_inside).unwrap_or(u32::MAX);
        Ok(())
    }

    /// Opens and closes doors, drops walls, moves the bridge: only where no agent is.
    fn edit(&mut self) -> Result<(), Box<dyn Error>> {
        if self.tick.is_multiple_of(DOOR) {
            self.swing_door()?;
        }
        let due = (self.tick / FALL) as usize;
        let next = self.site.breaches.get(self.n_fallen).copied();
        if let Some(wall) = next.filter(|wall| due > self.n_fallen && self.is_clear(wall)) {
            self.apply(&[wall.carved(Some(site::rubble()))])?;
            self.site.stone.set(&wall, false);
            self.n_fallen += 1;
            self.tally.fallen += 1;
        }
        let first = self.site.breaches[0];
        if self.tick > 6 * FALL && !self.is_rebuilt && self.n_fallen > 0 && self.is_clear(&first) {
            self.apply(&[Edit::add_solid(first.solid())])?;
            self.site.stone.set(&first, true);
            self.is_rebuilt = true;
            self.tally.rebuilt += 1;
        }
        let is_wanted_down = (self.tick / BRIDGE_TICKS).is_multiple_of(2);
        let over = Block::new(
            (BRIDGE.low[0], BRIDGE.high[0]),
            (BRIDGE.low[1], BRIDGE.high[1]),
            (0, 2),
        );
        if self.is_bridge_down != is_wanted_down && (is_wanted_down || self.is_clear(&over)) {
            self.is_bridge_down = is_wanted_down;
            self.tally.bridge += 1;
            self.apply(&[Site::bridge(is_wanted_down)])?;
        }
        Ok(())
    }

    fn apply(&mut self, edits: &[Edit]) -> Result<WorldChanges, Box<dyn Error>> {
        let world = &mut self.site.world;
        Ok(self.clock.time(Query::Edits, || world.apply(edits))?)
    }

    /// Opens a door or closes one that no agent stands in; at most one in three is closed.
    fn swing_door(&mut self) -> Result<(), Box<dyn Error>> {
        let n_closed = self.closed.iter().flatten().count();
        let is_enough = 3 * n_closed >= self.closed.len();
        let may_move = |door: &usize| {
            let is_clear = || !is_enough && self.is_clear(&self.site.doors[*door]);
            self.closed[*door].is_some() || is_clear()
        };
        let doors: Vec<usize> = (0..self.closed.len()).filter(may_move).collect();
        let chosen = self.rng.below(u32::try_from(doors.len()).unwrap_or(1));
        let Some(&number) = doors.get(chosen as usize) else {
            return Ok(());
        };
        let door = self.site.doors[number];
        let (world, clock) = (&mut self.site.world, &mut self.clock);
        self.closed[number] = match self.closed[number] {
            Some(id) => {
                clock.time(Query::Doors, || world.remove_solid(id))?;
                None
            }
            None => {
                let (id, _) = clock.time(Query::Doors, || world.add_solid(door.solid()))?;
                Some(id)
            }
        };
        let is_closed = self.closed[number].is_some();
        self.site.stone.set(&door, is_closed);
        self.tally.doors += 1;
        Ok(())
    }

    /// True if no agent is in a box, nor half a unit from it, nor on top of it.
    fn is_clear(&self, block: &Block) -> bool {
        !self.agents.iter().any(|agent| {
            let at = agent.at.units();
            (0..3).all(|axis| {
                let margin = if axis == 2 { 2.0 } else { 0.5 };
                let (low, high) = (f64::from(block.low[axis]), f64::from(block.high[axis]));
                (low - margin..=high + margin).contains(&at[axis])
            })
        })
    }

    /// Sends rested agents to new goals.
    fn send_agents(&mut self) -> Result<(), Box<dyn Error>> {
        for number in 0..self.agents.len() {
            if self.request_of(&self.agents[number]).is_some() {
                if (number + self.tick as usize).is_multiple_of(15) {
                    self.check_status(number);
                }
            } else if self.agents[number].rest > 0 {
                self.agents[number].rest -= 1;
            } else {
                self.send(number)?;
            }
        }
        Ok(())
    }

    fn request_of(&self, agent: &Agent) -> Option<RequestId> {
        agent.request.or_else(|| self.crowd.request(agent.walker?))
    }

    /// Sends an agent to a random goal. The query is timed as a plain call, beside the tick.
    fn send(&mut self, number: usize) -> Result<(), Box<dyn Error>> {
        let role = self.agents[number].role;
        let from = self.agents[number].at;
        let goal = self.place(role, (role != Role::Winged).then_some(from));
        let agent = &self.agents[number];
        let mut request = PathRequest {
            agent_type: self.types.of(role),
            budget: REQUEST_BUDGET,
            own_body: Some(agent.body),
            ..PathRequest::new(agent.at, goal)
        };
        if role == Role::Thief {
            request.viewers = self.viewers_near(agent.at);
            request.exposure_cost = 10.0;
        }
        let query = match role {
            Role::Servant | Role::Guard => Query::Ground,
            Role::Thief => Query::Exposure,
            Role::Raven => Query::Flight,
            Role::Winged => Query::Multimodal,
        };
        let (world, searcher) = (&self.site.world, &mut self.searcher);
        // Whether there is a path the planner says.
        let _found = self
            .clock
            .time(query, || world.find_path(searcher, &request));
        self.tally.queries += 1;
        match self.agents[number].walker {
            Some(walker) => self.crowd.order_path(&mut self.planner, walker, request)?,
            None => self.agents[number].request = Some(self.planner.request(request)),
        }
        Ok(())
    }

    /// The six nearest guards as viewers.
    fn viewers_near(&self, at: Position) -> Vec<Viewer> {
        let mut guards: Vec<&Agent> = self
            .agents
            .iter()
            .filter(|one| one.sensor.is_some())
            .collect();
        guards.sort_by(|a, b| a.at.distance(at).total_cmp(&b.at.distance(at)));
        guards
            .into_iter()
            .take(6)
            .filter_map(Agent::viewer)
            .collect()
    }

    /// Asks for the status of a path, as a plain call beside the tick.
    fn check_status(&mut self, number: usize) {
        if let Some(path) = &self.agents[number].path {
            let world = &self.site.world;
            self.clock.time(Query::Status, || world.status(path));
        }
    }

    /// The planner checks and searches paths; agents take them over.
    fn plan(&mut self) -> Result<(), Box<dyn Error>> {
        let (world, planner, budget) = (&self.site.world, &mut self.planner, &mut self.budget);
        self.clock
            .time(Query::Planner, || budget.update_planner(planner, world));
        for event in self.planner.take_events() {
            let id = event.id();
            let is_its = |agent: &Agent| self.request_of(agent) == Some(id);
            let Some(number) = self.agents.iter().position(is_its) else {
                continue;
            };
            let path = self.planner.path(id).cloned();
            match event {
                PlannerEvent::Found { .. } => {
                    self.tally.found += 1;
                    self.agents[number].path = path;
                    self.agents[number].is_repaired = false;
                }
                PlannerEvent::Invalidated { .. } => {
                    self.tally.broken += 1;
                    self.time_repair(number, id);
                }
                PlannerEvent::Repaired { .. } => {
                    self.tally.repaired += 1;
                    self.agents[number].path = path;
                    self.agents[number].is_repaired = true;
                }
                _ => {
                    let rest = 30 + self.rng.below(30);
                    self.stop(number, rest)?;
                }
            }
        }
        Ok(())
    }

    /// Repairs the path that an edit invalidated, as a plain call beside the tick.
    fn time_repair(&mut self, number: usize, id: RequestId) {
        let request = self.planner.path_request(id);
        if let (Some(path), Some(request)) = (&self.agents[number].path, request) {
            let (world, searcher) = (&self.site.world, &mut self.searcher);
            // What the agent follows is the planner's.
            let _repaired = self
                .clock
                .time(Query::Repair, || world.repair(searcher, request, path));
        }
    }

    /// Ends what an agent does; it rests for some ticks.
    fn stop(&mut self, number: usize, rest: u32) -> Result<(), Box<dyn Error>> {
        let agent = &mut self.agents[number];
        agent.rest = rest;
        agent.path = None;
        if let Some(id) = agent.request.take() {
            self.planner.cancel(id);
        }
        if let Some(walker) = agent.walker {
            self.crowd.stop(&mut self.planner, walker)?;
        }
        Ok(())
    }

    /// Moves the crowd, and every flyer along its path.
    fn make_moves(&mut self) -> Result<(), Box<dyn Error>> {
        let (world, planner, crowd) = (&mut self.site.world, &mut self.planner, &mut self.crowd);
        self.clock
            .time(Query::Crowd, || crowd.tick(world, planner))?;
        let mut arrived = Vec::new();
        for event in self.crowd.take_events() {
            let is_there = match event {
                CrowdEvent::Arrived { agent } | CrowdEvent::Settled { agent } => {
                    Some((agent, true))
                }
                CrowdEvent::Stuck { agent } => Some((agent, false)),
                _ => None,
            };
            if let Some((agent, is_there)) = is_there {
                let number = self.agents.iter().position(|one| one.walker == Some(agent));
                arrived.extend(number.map(|number| (number, is_there)));
            }
        }
        let mut moves = Vec::new();
        for (number, agent) in self.agents.iter_mut().enumerate() {
            if agent.walker.is_some() {
                agent.walk(&mut self.site.world, &self.crowd)?;
            } else {
                let site = (&self.site.world, self.types.of(agent.role));
                if agent.follow(site, &mut self.planner) {
                    arrived.push((number, true));
                }
                moves.push((agent.body, agent.at));
            }
        }
        let world = &mut self.site.world;
        self.clock
            .time(Query::Moves, || world.move_bodies(&moves))?;
        for (number, is_there) in arrived {
            self.tally.arrived += u32::from(is_there);
            let rest = 20 + self.rng.below(70);
            self.stop(number, rest)?;
        }
        Ok(())
    }

    fn sense(&mut self) {
        let (world, budget) = (&mut self.site.world, &mut self.budget);
        let events = self
            .clock
            .time(Query::Sensors, || budget.update_sensors(world));
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let is_entered = |event: &&SensorEvent| matches!(event, SensorEvent::Entered { .. });
        self.tally.sensor_events += count(events.len());
        self.tally.thieves_seen += count(events.iter().filter(is_entered).count());
    }

    /// The result so far.
    pub(crate) fn report(&self) -> CastleReport {
        // FNV-1a.
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        let places = self.agents.iter().flat_map(|agent| {
            let at = [agent.at.x, agent.at.y, agent.at.z];
            at.map(i64::to_le_bytes).into_iter().flatten()
        });
        for byte in self.site.world.save().into_iter().chain(places) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        let clock = &self.clock;
        let spread = |query: &Query| {
            let ns = clock.times[*query as usize].iter();
            let mut us: Vec<f64> = ns.map(|ns| ns / 1e3).collect();
            Some((query.name(), Spread::of(&mut us)?))
        };
        CastleReport {
            agents: self.agents.len(),
            ticks: self.tick,
            tally: self.tally,
            counts: Query::ALL
                .iter()
                .map(|query| (query.name(), clock.times[*query as usize].len()))
                .collect(),
            times_us: Query::ALL.iter().filter_map(spread).collect(),
            tick_ms: Spread::of(&mut clock.ticks.clone()),
            digest: format!("{digest:016x}"),
        }
    }
}

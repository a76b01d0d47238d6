//! The ticks: edits, path queries and repairs, moves, sensor updates.

use wayfarer_engine::base::{
    Budget, Cell, Column, CostMultiplier, Digest, Fixed, Location, Outcome, Point2, Rng,
};
use wayfarer_engine::base::{SubscriptionId, Terrain, Voxel, collections::FastMap};
use wayfarer_engine::search::multimodal::FlightProfile;
use wayfarer_engine::world::bodies::{
    Body, BodyFilter, BodyShape, Footprint, Heading, Mount, Sensor, SensorEvent, SensorEventKind,
    Teams,
};
use wayfarer_engine::{
    AgentType, AgentTypeId, BodyEdit, Edit, EditError, Path, PathRequest, Position, Searcher,
    Viewer, World, WorldChanges,
};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::Spread;

use super::agents::{Agent, Role};
use super::site::{self, BUILDING, Block, DEPTH, FLOORS, Site, TOP, WALL, WIDTH, YARD};
use super::{CastleReport, Query, Tally};

/// Budget of a path query.
const BUDGET: Budget = Budget::expansions(12_000);
/// Ticks between two doors opening or closing.
const DOOR: u32 = 20;
/// Ticks between two walls falling.
const FALL: u32 = 480;
/// Ticks between two moves of the bridge.
const BRIDGE: u32 = 600;
/// The team of thieves.
const THIEVES: u8 = 2;

/// The castle and its agents.
#[derive(Debug)]
pub(crate) struct Castle {
    site: Site,
    /// True for closed doors.
    closed: Vec<bool>,
    /// A door to open, or to close once no agent stands in it.
    wanted: Option<usize>,
    /// Walls that have fallen, and whether the first is rebuilt.
    n_fallen: usize,
    is_rebuilt: bool,
    is_bridge_down: bool,
    agents: Vec<Agent>,
    by_subscription: FastMap<SubscriptionId, usize>,
    agent_types: [AgentTypeId; 2],
    /// Candidate goals: yard, building, wall, outside.
    goals: [Vec<Cell>; 4],
    rng: Rng,
    searcher: Searcher,
    events: Vec<SensorEvent>,
    tick: u32,
    tally: Tally,
    timer: Timer,
    /// Nanoseconds of each operation, and milliseconds of whole ticks.
    times: [Vec<f64>; Query::ALL.len()],
    ticks: Vec<f64>,
}

impl Castle {
    /// A castle with agents.
    ///
    /// # Errors
    /// None for this castle.
    pub(crate) fn new(seed: u64, n_agents: usize) -> Result<Self, EditError> {
        let mut site = Site::new(seed)?;
        let flight = FlightProfile {
            multiplier: CostMultiplier::from_sixteenths(24).unwrap_or(CostMultiplier::ONE),
            take_off: wayfarer_engine::base::Cost::from_units(3_000),
            landing: wayfarer_engine::base::Cost::from_units(1_500),
            ..FlightProfile::default()
        };
        let both = AgentType {
            ground: Some(site::ground_profile()),
            flight: Some(flight),
            ..AgentType::default()
        };
        let valid = "profiles within the limits";
        let agent_types = [
            site.world
                .add_agent_type(FlightProfile::default())
                .expect(valid),
            site.world.add_agent_type(both).expect(valid),
        ];
        let goals = goals(&site.world);
        let mut castle = Self {
            closed: vec![false; site.doors.len()],
            site,
            wanted: None,
            n_fallen: 0,
            is_rebuilt: false,
            is_bridge_down: true,
            agents: Vec::new(),
            by_subscription: FastMap::default(),
            agent_types,
            goals,
            rng: Rng::for_stream(seed, 0x666f_6c6b),
            searcher: Searcher::default(),
            events: Vec::new(),
            tick: 0,
            tally: Tally::default(),
            timer: Timer::new(),
            times: Default::default(),
            ticks: Vec::new(),
        };
        for number in 0..n_agents {
            castle.add_agent(number)?;
        }
        Ok(castle)
    }

    /// The world.
    pub(crate) fn world(&self) -> &World {
        &self.site.world
    }

    /// The agents.
    pub(crate) fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// Every door, and whether it is closed.
    pub(crate) fn doors(&self) -> impl Iterator<Item = (Block, bool)> {
        let closed = self.closed.iter().copied();
        self.site.doors.iter().copied().zip(closed)
    }

    /// The walls that have fallen, and whether they are rebuilt.
    pub(crate) fn fallen(&self) -> impl Iterator<Item = (Block, bool)> {
        let fallen = self.site.breaches[..self.n_fallen].iter().copied();
        fallen
            .enumerate()
            .map(|(number, block)| (block, number == 0 && self.is_rebuilt))
    }

    /// The cells of the bridge, and whether it is down.
    pub(crate) fn bridge(&self) -> (&[Cell], bool) {
        (&self.site.bridge, self.is_bridge_down)
    }

    /// Ticks simulated.
    pub(crate) fn now(&self) -> u32 {
        self.tick
    }

    /// Adds an agent; its number decides its role.
    fn add_agent(&mut self, number: usize) -> Result<(), EditError> {
        let role = match number % 25 {
            0..=2 => Role::Winged,
            3..=6 => Role::Raven,
            7 | 8 => Role::Guard,
            9 => Role::Thief,
            _ => Role::Servant,
        };
        let agent_type = match role {
            Role::Raven => self.agent_types[0],
            Role::Winged => self.agent_types[1],
            _ => AgentTypeId::DEFAULT,
        };
        let at = self.random_goal(role);
        let world = &mut self.site.world;
        let location = match role {
            Role::Raven => world.scale().voxel(at).map(Location::Voxel),
            _ => world.scale().cell(at).map(Location::Cell),
        };
        let location = location.unwrap_or(Location::Cell(Cell::flat(0, 0)));
        let at = world.position_of(location);
        let body = Body {
            shape: BodyShape::Disc {
                radius: Fixed::from_raw(90),
            },
            z: height_of(at),
            height: Fixed::from_raw(if role == Role::Raven { 128 } else { 448 }),
            team: match role {
                Role::Guard => 1,
                Role::Thief => THIEVES,
                _ => 0,
            },
            ..Body::at(point_of(at))
        };
        let came = world.apply([BodyEdit::Register(body)])?;
        let Some(id) = came.new_bodies().next() else {
            return Ok(());
        };
        let mut agent = Agent::new(role, agent_type, id, at, location);
        agent.rest = self.rng.below(90);
        if role == Role::Guard {
            let sensor = Sensor {
                filter: BodyFilter {
                    teams: Teams::only(THIEVES),
                    ..BodyFilter::ALL
                },
                exit_margin: Fixed::from_raw(256),
                eye_height: Some(Fixed::from_raw(400)),
                ..Sensor::new(Mount::Body(id), guard_wedge(at, (0, 1)))
            };
            agent.sensor = world.add_sensor(sensor).ok();
        }
        self.agents.push(agent);
        Ok(())
    }

    /// A random goal for a role.
    fn random_goal(&mut self, role: Role) -> Position {
        let rng = &mut self.rng;
        if role == Role::Raven {
            let air = self.site.world.air();
            for _ in 0..50 {
                let at = Voxel::new(
                    rng.between(0, WIDTH - 1),
                    rng.between(0, DEPTH - 1),
                    rng.between(1, TOP - 4),
                );
                if air.is_some_and(|air| air.is_free(at)) {
                    return self.site.world.position_of(at.into());
                }
            }
        }
        // Of twenty goals: in the yard, in the building, on the wall; the rest outside.
        let shares = match role {
            Role::Guard => [3, 3, 12],
            Role::Thief => [4, 8, 1],
            _ => [7, 8, 2],
        };
        let mut draw = rng.below(20);
        let kind = shares.iter().position(|share| {
            let is_it = draw < *share;
            draw = draw.saturating_sub(*share);
            is_it
        });
        let kind = kind.unwrap_or(3);
        let cell = rng.pick(&self.goals[kind]).copied();
        let cell = cell.unwrap_or(Cell::flat(0, 0));
        self.site.world.position_of(cell.into())
    }

    /// Simulates one tick.
    ///
    /// # Errors
    /// None for this castle.
    pub(crate) fn tick(&mut self) -> Result<(), EditError> {
        let before: f64 = self.times.iter().flatten().sum();
        self.tick += 1;
        self.apply_edits()?;
        self.find_paths();
        self.move_agents()?;
        self.update_sensors();
        let inside = |agent: &&Agent| !agent.is_valid_position(&self.site.world);
        let n_inside = self.agents.iter().filter(inside).count();
        self.tally.inside_walls += u32::try_from(n_inside).unwrap_or(u32::MAX);
        let after: f64 = self.times.iter().flatten().sum();
        self.ticks.push((after - before) / 1e6);
        Ok(())
    }

    /// Opens and closes doors, drops walls, moves the bridge: only where no agent stands.
    fn apply_edits(&mut self) -> Result<(), EditError> {
        let mut edits: Vec<Edit> = Vec::new();
        if self.tick.is_multiple_of(DOOR) && self.wanted.is_none() {
            // At most one in three is closed.
            let n_closed = self.closed.iter().filter(|is_closed| **is_closed).count();
            let is_enough = 3 * n_closed >= self.closed.len();
            let doors = (0..self.closed.len()).filter(|door| self.closed[*door] || !is_enough);
            let doors: Vec<usize> = doors.collect();
            self.wanted = self.rng.pick(&doors).copied();
        }
        if let Some(number) = self.wanted {
            let door = self.site.doors[number];
            let is_closed = self.closed[number];
            if is_closed || self.is_clear(&door) {
                edits.push(if is_closed {
                    door.carved(Terrain::GROUND)
                } else {
                    door.filled()
                });
                self.closed[number] = !is_closed;
                self.wanted = None;
                self.tally.doors += 1;
            }
        }
        let due = (self.tick / FALL) as usize;
        if due > self.n_fallen && self.n_fallen < self.site.breaches.len() {
            let block = self.site.breaches[self.n_fallen];
            if self.is_clear(&block) {
                edits.push(block.carved(site::rubble()));
                self.n_fallen += 1;
                self.tally.fallen += 1;
            }
        }
        if self.tick > 6 * FALL && !self.is_rebuilt && self.n_fallen > 0 {
            let block = self.site.breaches[0];
            if self.is_clear(&block) {
                edits.push(block.filled());
                self.is_rebuilt = true;
                self.tally.rebuilt += 1;
            }
        }
        let is_wanted_down = (self.tick / BRIDGE).is_multiple_of(2);
        let over = Block {
            low: [47, 58, 0],
            high: [53, 66, 4],
        };
        if self.is_bridge_down != is_wanted_down && (is_wanted_down || self.is_clear(&over)) {
            self.is_bridge_down = is_wanted_down;
            self.tally.bridge += 1;
            edits.extend(self.site.bridge(is_wanted_down));
        }
        if edits.is_empty() {
            return Ok(());
        }
        let (world, timer) = (&mut self.site.world, &self.timer);
        let (changes, ns) = timer.time(|| world.apply(edits));
        self.times[Query::Edits as usize].push(ns);
        let changes = changes?;
        self.repair_invalidated(&changes);
        Ok(())
    }

    /// True if no agent is in a box or on top of it.
    fn is_clear(&self, block: &Block) -> bool {
        !self.agents.iter().any(|agent| {
            let cell = self.site.world.scale().cell(agent.at);
            cell.is_none_or(|cell| {
                let heights = block.low[2] - 2..=block.high[2] + 2;
                block.is_over(cell.x, cell.y) && heights.contains(&cell.z)
            })
        })
    }

    /// Repairs the paths that the changes invalidated.
    fn repair_invalidated(&mut self, changes: &WorldChanges) {
        for id in &changes.invalidated {
            if let Some(&number) = self.by_subscription.get(id) {
                self.tally.broken += 1;
                self.repair(number);
            }
        }
    }

    fn request(&self, agent: &Agent, to: Position) -> PathRequest {
        let from = match agent.location {
            Location::Cell(_) => self.site.world.position_of(agent.location),
            _ => agent.at,
        };
        let mut request = PathRequest {
            agent_type: agent.agent_type,
            budget: BUDGET,
            own_body: Some(agent.id),
            ..PathRequest::new(from, to)
        };
        if agent.role == Role::Thief {
            request.viewers = self.viewers_near(agent);
            request.exposure_cost =
                CostMultiplier::from_sixteenths(160).unwrap_or(CostMultiplier::ONE);
        }
        request
    }

    /// The six nearest guards as viewers.
    fn viewers_near(&self, agent: &Agent) -> Vec<Viewer> {
        let distance = |other: &Agent| {
            let (x, y) = (other.at.x - agent.at.x, other.at.y - agent.at.y);
            (x / 256) * (x / 256) + (y / 256) * (y / 256)
        };
        let mut guards: Vec<&Agent> = self
            .agents
            .iter()
            .filter(|guard| guard.sensor.is_some())
            .collect();
        guards.sort_by_key(|guard| distance(guard));
        let sensors = guards.into_iter().take(6).filter_map(|guard| guard.sensor);
        sensors
            .filter_map(|id| self.site.world.viewer_of_sensor(id))
            .collect()
    }

    /// Repairs the path of an agent, or drops it.
    fn repair(&mut self, number: usize) {
        let agent = &self.agents[number];
        let Some(path) = &agent.path else {
            return;
        };
        let request = self.request(agent, agent.goal);
        let (world, searcher) = (&self.site.world, &mut self.searcher);
        let (repaired, ns) = self.timer.time(|| world.repair(searcher, &request, path));
        self.times[Query::Repair as usize].push(ns);
        let repaired = repaired.ok().and_then(Outcome::found);
        self.drop_path(number);
        if let Some(path) = repaired {
            self.tally.repaired += 1;
            self.agents[number].repaired = Some(self.tick);
            self.set_path(number, path);
        } else {
            self.agents[number].rest = 15;
        }
    }

    fn drop_path(&mut self, number: usize) {
        if let Some(subscription) = self.agents[number].stop() {
            self.site.world.unsubscribe(subscription);
            self.by_subscription.remove(&subscription);
        }
    }

    fn set_path(&mut self, number: usize, path: Path) {
        let subscription = self.site.world.subscribe(path.clone());
        self.by_subscription.insert(subscription, number);
        self.agents[number].take(path, subscription);
    }

    /// Finds paths for rested agents; checks the status of the other paths in turns.
    fn find_paths(&mut self) {
        for number in 0..self.agents.len() {
            if self.agents[number].path.is_some() {
                if (number + self.tick as usize).is_multiple_of(15) {
                    self.check_status(number);
                }
                continue;
            }
            if self.agents[number].rest > 0 {
                self.agents[number].rest -= 1;
                continue;
            }
            self.find(number);
        }
    }

    fn check_status(&mut self, number: usize) {
        let world = &self.site.world;
        let Some(path) = &self.agents[number].path else {
            return;
        };
        let (status, ns) = self.timer.time(|| world.status(path));
        self.times[Query::Status as usize].push(ns);
        // An unknown status requires a new path.
        if !status.is_walkable() {
            self.repair(number);
        }
    }

    fn find(&mut self, number: usize) {
        let role = self.agents[number].role;
        let goal = self.random_goal(role);
        let request = self.request(&self.agents[number], goal);
        let query = match role {
            Role::Servant | Role::Guard => Query::Ground,
            Role::Thief => Query::Exposure,
            Role::Raven => Query::Flight,
            Role::Winged => Query::Multimodal,
        };
        let (world, searcher) = (&self.site.world, &mut self.searcher);
        let (result, ns) = self.timer.time(|| world.find_path(searcher, &request));
        self.times[query as usize].push(ns);
        self.tally.queries += 1;
        self.agents[number].goal = goal;
        self.agents[number].repaired = None;
        match result.ok().and_then(Outcome::found) {
            Some(path) => {
                self.tally.found += 1;
                self.set_path(number, path);
            }
            None => self.agents[number].rest = 30 + self.rng.below(30),
        }
    }

    /// Moves every agent along its path, and its body and sensor with it.
    fn move_agents(&mut self) -> Result<(), EditError> {
        let mut edits = Vec::new();
        let (mut arrived, mut turned) = (Vec::new(), Vec::new());
        let world = &self.site.world;
        let mut to = vec![Point2::default(); world.bodies().n_slots()];
        for (number, agent) in self.agents.iter_mut().enumerate() {
            let before = agent.at;
            if agent.follow(world) {
                arrived.push(number);
            }
            to[agent.id.index() as usize] = point_of(agent.at);
            let z = height_of(agent.at);
            if z != height_of(before) {
                edits.push(BodyEdit::SetHeight { id: agent.id, z });
            }
            let heading = (agent.at.x - before.x, agent.at.y - before.y);
            if let Some(sensor) = agent.sensor
                && heading != (0, 0)
            {
                turned.push((sensor, guard_wedge(agent.at, heading)));
            }
        }
        edits.push(BodyEdit::MoveAll(to));
        for (sensor, footprint) in turned {
            // The footprint is within all limits.
            self.site.world.set_sensor_footprint(sensor, footprint).ok();
        }
        let (world, timer) = (&mut self.site.world, &self.timer);
        let (moved, ns) = timer.time(|| world.apply(edits));
        moved?;
        self.times[Query::Moves as usize].push(ns);
        for number in arrived {
            self.tally.arrived += 1;
            self.drop_path(number);
            self.agents[number].rest = 20 + self.rng.below(70);
        }
        Ok(())
    }

    fn update_sensors(&mut self) {
        self.events.clear();
        let (world, events) = (&mut self.site.world, &mut self.events);
        let ((), ns) = self.timer.time(|| world.update_sensors(events));
        self.times[Query::Sensors as usize].push(ns);
        let n_reported = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.tally.sensor_events += n_reported;
        let entered = self
            .events
            .iter()
            .filter(|event| event.kind == SensorEventKind::Enter);
        self.tally.thieves_seen += u32::try_from(entered.count()).unwrap_or(u32::MAX);
    }

    /// The result so far.
    pub(crate) fn report(&self) -> CastleReport {
        let mut digest = Digest::default();
        digest.bytes(&self.site.world.state_hash().to_le_bytes());
        for agent in &self.agents {
            for part in [agent.at.x, agent.at.y, agent.at.z] {
                digest.bytes(&part.to_le_bytes());
            }
        }
        let spread = |query: &Query| {
            let ns = self.times[*query as usize].iter();
            let mut us: Vec<f64> = ns.map(|ns| ns / 1e3).collect();
            Some((query.name(), Spread::of(&mut us)?))
        };
        CastleReport {
            agents: self.agents.len(),
            ticks: self.tick,
            tally: self.tally,
            counts: Query::ALL
                .iter()
                .map(|query| (query.name(), self.times[*query as usize].len()))
                .collect(),
            times_us: Query::ALL.iter().filter_map(spread).collect(),
            tick_ms: Spread::of(&mut self.ticks.clone()),
            digest: format!("{:016x}", digest.value()),
        }
    }
}

/// The footprint of a guard's sensor in a direction.
fn guard_wedge(at: Position, (x, y): (i64, i64)) -> Footprint {
    let part = |by: i64| i32::try_from(by).unwrap_or(0);
    let reach = Fixed::from_raw(11 * 256);
    match Heading::new(part(x), part(y)) {
        Ok(heading) => Footprint::wedge(point_of(at), reach, heading, 0.8),
        Err(_) => Footprint::circle(point_of(at), reach),
    }
}

/// A position on the map; a unit is a cell here.
fn point_of(at: Position) -> Point2 {
    let part = |at: i64| Fixed::from_raw(i32::try_from(at >> 8).unwrap_or(0));
    Point2::new(part(at.x), part(at.y))
}

fn height_of(at: Position) -> Fixed {
    Fixed::from_raw(i32::try_from(at.z >> 8).unwrap_or(0))
}

/// Candidate goals: in the yard, in the building, on the wall, outside.
fn goals(world: &World) -> [Vec<Cell>; 4] {
    let mut goals: [Vec<Cell>; 4] = Default::default();
    let inside = |(first, last): (Column, Column), cell: Cell, margin: i32| {
        (first.x + margin..=last.x - margin).contains(&cell.x)
            && (first.y + margin..=last.y - margin).contains(&cell.y)
    };
    let ground = world.ground();
    let mut cells: Vec<Cell> = ground.nodes().map(|node| ground.cell(node)).collect();
    cells.sort_unstable();
    let home = ground.node(Cell::flat(50, 52));
    let home = home.map(|node| ground.component(node));
    for cell in cells {
        let node = ground.node(cell);
        if node.map(|node| ground.component(node)) != home {
            continue;
        }
        if inside(BUILDING, cell, 1) && FLOORS.contains(&cell.z) {
            goals[1].push(cell);
        } else if cell.z == WALL {
            goals[2].push(cell);
        } else if cell.z == 0 && inside(YARD, cell, 2) && !inside(BUILDING, cell, 0) {
            goals[0].push(cell);
        } else if cell.z == 0 && !inside(YARD, cell, -7) {
            goals[3].push(cell);
        }
    }
    goals
}

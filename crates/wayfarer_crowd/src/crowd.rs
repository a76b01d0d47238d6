//! [`Crowd`]: agents, and the tick that moves them.

use wayfarer_base::{Cell, Digest, Rect};
use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::Ground;

use crate::agent::{
    AgentState, CrowdAgent, CrowdAgentId, CrowdError, CrowdEvent, Route, RoutePoint, RouteStep,
};
use crate::member::Member;
use crate::motion_state::MotionState;
use crate::neighbors::{Grid, NeighborList};
use crate::orca::MovingDisc;
use crate::peer::{Peer, Seen};
use crate::precedence::Urge;
use crate::vector::{Vec2, floor};
use crate::walls::{self, WallCache};

/// What all agents of a crowd share. Lengths in cells, times in seconds.
#[derive(Clone, PartialEq, Debug)]
pub struct CrowdOptions {
    /// Length of a tick, from 1/1024 to 1.
    pub tick_seconds: f64,
    /// How long ahead agents avoid each other.
    pub horizon: f64,
    /// How long ahead agents avoid walls.
    pub wall_horizon: f64,
    /// Largest overlap of two agents as a share of the smaller radius.
    pub max_overlap: f64,
    /// Distance within which the end of a route counts as reached.
    pub arrival: f64,
    /// Ticks without progress after which an agent is reported stuck.
    pub stuck_ticks: u32,
    /// Distance at which a nav link ahead is reported.
    pub announced: f64,
    /// Threads that choose velocities, at least 1. Results do not depend on it.
    pub n_threads: usize,
    /// True if agents traverse nav links as soon as their ends are free; false if they wait for
    /// [`Crowd::traverse`].
    pub traverses_links: bool,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self {
            tick_seconds: 1.0 / 30.0,
            horizon: 2.0,
            wall_horizon: 0.1,
            max_overlap: 0.05,
            arrival: 0.05,
            stuck_ticks: 90,
            announced: 3.0,
            n_threads: 1,
            traverses_links: true,
        }
    }
}

impl CrowdOptions {
    pub(crate) fn check(&self) -> Result<(), CrowdError> {
        let numbers = [
            (
                "the length of a tick",
                self.tick_seconds,
                1.0 / 1_024.0,
                1.0,
            ),
            ("the horizon", self.horizon, 1.0 / 64.0, 64.0),
            ("the horizon of walls", self.wall_horizon, 1.0 / 64.0, 64.0),
            ("the largest overlap", self.max_overlap, 0.0, 1.0),
            ("the arrival distance", self.arrival, 1.0 / 1_024.0, 1_024.0),
            ("the distance of links ahead", self.announced, 0.0, 1_024.0),
        ];
        for (what, found, low, high) in numbers {
            if !(low..=high).contains(&found) {
                return Err(CrowdError::OutOfRange {
                    what,
                    found,
                    low,
                    high,
                });
            }
        }
        Ok(())
    }
}

/// Agents that follow routes over one ground.
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_crowd::{AgentState, Crowd, CrowdAgent, CrowdOptions, RoutePoint, RouteStep, Vec2};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(9, 3, vec![0; 27]).unwrap());
/// let mut crowd = Crowd::new(CrowdOptions::default())?;
/// let (from, to) = (Vec2::new(1.5, 1.5), Vec2::new(7.5, 1.5));
/// let agent = crowd.add(&ground, CrowdAgent::DEFAULT, from, Cell::flat(1, 1))?;
/// let point = |at, x| RoutePoint { at, cell: Cell::flat(x, 1), next: RouteStep::Walk };
/// crowd.set_route(agent, [point(from, 1), point(to, 7)].into())?;
/// while crowd.state(agent) == Some(AgentState::Moving) {
///     crowd.tick(&ground);
/// }
/// assert_eq!(crowd.state(agent), Some(AgentState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(crate) options: CrowdOptions,
    pub(crate) n_ticks: u64,
    pub(crate) generations: Vec<u32>,
    pub(crate) free: Vec<u32>,
    pub(crate) members: Vec<Option<Member>>,
    /// Where each agent is, how it moves and what limits it; meaningless for free slots.
    pub(crate) discs: Vec<MovingDisc>,
    pub(crate) motions: Vec<MotionState>,
    pub(crate) peers: Vec<Peer>,
    pub(crate) preferred: Vec<Vec2>,
    pub(crate) lists: Vec<NeighborList>,
    /// The agents that moved and those that rested when they were registered last.
    pub(crate) grid: Grid,
    pub(crate) resting: Grid,
    /// How far any agent has moved at most since then, and the largest radius.
    pub(crate) drift: f64,
    pub(crate) largest: f64,
    pub(crate) walls: WallCache,
    pub(crate) events: Vec<CrowdEvent>,
    /// Room for the next list of wanted velocities.
    pub(crate) next_velocities: Vec<Vec2>,
    /// For how long agents keep right from this tick on.
    pub(crate) lanes: Vec<u8>,
    /// The distance of each agent that chose a velocity to the nearest wall that it knows.
    pub(crate) clearances: Vec<f64>,
    /// Where agents are about to be; equal to their positions between ticks.
    pub(crate) candidates: Vec<Vec2>,
    pub(crate) pushed: Vec<Vec2>,
    pub(crate) pushes: Vec<(u32, Vec2)>,
    /// The slots that may come into contact with others in this tick.
    pub(crate) touching: Vec<u32>,
    pub(crate) n_halved: Vec<u8>,
    /// The pass of holding back in which an agent's move was last shortened.
    pub(crate) changed_in: Vec<u32>,
    pub(crate) urges: Vec<Urge>,
    /// What agents changed of their peers in this tick, and those that are held up.
    pub(crate) seen: Vec<Seen>,
    pub(crate) pushing: Vec<u32>,
    /// The slots with an urge, and room for offers.
    pub(crate) urged: Vec<u32>,
    pub(crate) offers: Vec<(u32, Urge)>,
    /// The velocities that agents chose in the last tick.
    pub(crate) wanted: Vec<Vec2>,
    /// True for agents that choose a velocity in this tick, and for all that may move.
    pub(crate) is_awake: Vec<bool>,
    pub(crate) may_move: Vec<bool>,
    /// The slots that woke in this tick.
    pub(crate) woken: Vec<u32>,
    /// True for agents that the grid of resting ones contains.
    pub(crate) is_resting: Vec<bool>,
    /// True if agents appeared: every list is refreshed.
    pub(crate) must_refresh: bool,
    /// True if an edit may have taken places.
    pub(crate) has_changed_places: bool,
}

impl Crowd {
    /// A crowd without agents.
    ///
    /// # Errors
    /// A number of the options is out of range.
    pub fn new(options: CrowdOptions) -> Result<Self, CrowdError> {
        options.check()?;
        Ok(Self {
            options,
            n_ticks: 0,
            generations: Vec::new(),
            free: Vec::new(),
            members: Vec::new(),
            discs: Vec::new(),
            motions: Vec::new(),
            peers: Vec::new(),
            preferred: Vec::new(),
            lists: Vec::new(),
            grid: Grid::default(),
            resting: Grid::default(),
            drift: 0.0,
            largest: 0.0,
            walls: WallCache::default(),
            events: Vec::new(),
            next_velocities: Vec::new(),
            lanes: Vec::new(),
            clearances: Vec::new(),
            candidates: Vec::new(),
            pushed: Vec::new(),
            pushes: Vec::new(),
            touching: Vec::new(),
            n_halved: Vec::new(),
            changed_in: Vec::new(),
            urges: Vec::new(),
            seen: Vec::new(),
            pushing: Vec::new(),
            urged: Vec::new(),
            offers: Vec::new(),
            wanted: Vec::new(),
            is_awake: Vec::new(),
            may_move: Vec::new(),
            woken: Vec::new(),
            is_resting: Vec::new(),
            must_refresh: true,
            has_changed_places: false,
        })
    }

    /// Adds an agent that stands at a position over the floor of a cell.
    ///
    /// # Errors
    /// A number is out of range, a tick would move the agent by more than a cell, the profile is not
    /// registered, or the body overlaps a wall or has
    /// no floor.
    pub fn add(
        &mut self,
        ground: &Ground,
        agent: CrowdAgent,
        at: Vec2,
        cell: Cell,
    ) -> Result<CrowdAgentId, CrowdError> {
        agent.check()?;
        let step = agent.max_speed * self.options.tick_seconds;
        if step > 1.0 {
            return Err(CrowdError::OutOfRange {
                what: "the distance of a tick",
                found: step,
                low: 0.0,
                high: 1.0,
            });
        }
        let nav_graph = NavGraph::new(ground, agent.profile_id)
            .map_err(|_unknown| CrowdError::UnknownProfile)?;
        let is_over = at.is_finite() && (floor(at.x), floor(at.y)) == (cell.x, cell.y);
        let mut motion = MotionState::new(&agent, cell);
        let member = Member::new(agent, at, AgentState::Idle);
        let node = nav_graph.floor_at(cell.column(), cell.z);
        let is_floor = node.is_some_and(|node| nav_graph.cell(node) == cell);
        let list = self
            .walls
            .list(nav_graph, cell, member.reach(&self.options));
        motion.walls = Some(list);
        let radius = member.agent.radius;
        if !is_over || !is_floor || !walls::fits(at, radius, self.walls.walls(list)) {
            return Err(CrowdError::DoesNotFit { at });
        }
        let disc = MovingDisc {
            position: at,
            velocity: Vec2::ZERO,
            radius,
        };
        Ok(self.insert(member, motion, disc))
    }

    fn insert(&mut self, member: Member, motion: MotionState, disc: MovingDisc) -> CrowdAgentId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.members.push(None);
            self.discs.push(disc);
            self.motions.push(motion);
            self.push_slot();
            u32::try_from(self.generations.len() - 1).expect("fewer agents than bytes")
        });
        let index = slot as usize;
        self.peers[index] = Peer::of(&member, &motion);
        self.members[index] = Some(member);
        self.discs[index] = disc;
        self.motions[index] = motion;
        self.preferred[index] = Vec2::ZERO;
        self.lists[index] = NeighborList::default();
        self.wanted[index] = Vec2::ZERO;
        self.is_awake[index] = false;
        self.must_refresh = true;
        CrowdAgentId::new(slot, self.generations[index])
    }

    /// Appends to the lists of what agents have beside their discs.
    pub(crate) fn push_slot(&mut self) {
        self.peers.push(Peer::NONE);
        self.preferred.push(Vec2::ZERO);
        self.lists.push(NeighborList::default());
        self.wanted.push(Vec2::ZERO);
        self.urges.push(Urge::NONE);
        self.is_awake.push(false);
    }

    /// Removes an agent.
    ///
    /// # Errors
    /// The agent is unknown.
    pub fn remove(&mut self, id: CrowdAgentId) -> Result<(), CrowdError> {
        let index = self.index(id)?;
        self.members[index] = None;
        self.peers[index] = Peer::NONE;
        self.urges[index] = Urge::NONE;
        self.urged.retain(|slot| *slot != id.index());
        self.is_awake[index] = false;
        self.must_refresh = true;
        self.generations[index] += 1;
        self.free.push(id.index());
        for list in &mut self.lists {
            list.remove(id.index());
        }
        Ok(())
    }

    /// Sends an agent along a route, which begins where the agent is. An empty route stops it.
    ///
    /// # Errors
    /// The agent is unknown, or a point is not a number.
    pub fn set_route(&mut self, id: CrowdAgentId, route: Route) -> Result<(), CrowdError> {
        let index = self.index(id)?;
        if let Some(point) = route.iter().find(|point| !point.at.is_finite()) {
            return Err(CrowdError::DoesNotFit { at: point.at });
        }
        let Some(member) = &mut self.members[index] else {
            return Err(CrowdError::UnknownAgent);
        };
        member.state = if route.is_empty() {
            AgentState::Idle
        } else {
            AgentState::Moving
        };
        let pairs = route.windows(2).skip(1);
        member.left_after_next = pairs.map(|pair| (pair[1].at - pair[0].at).length()).sum();
        let next = usize::from(route.len() > 1 && route[0].next == RouteStep::Walk);
        if next == 0
            && let [first, second, ..] = &route[..]
        {
            member.left_after_next += (second.at - first.at).length();
        }
        (member.least_left, member.n_waiting) = (f64::INFINITY, 0);
        (member.gate, member.looked_from, member.aim) = (None, None, None);
        self.motions[index].corridor = None;
        member.is_link_announced = false;
        let end = route.last().map(|end| end.at);
        member.route = Some(route);
        member.steer_to(next);
        self.peers[index].state = member.state;
        self.peers[index].end = end.unwrap_or(member.target);
        if member.state == AgentState::Idle {
            self.preferred[index] = Vec2::ZERO;
            self.discs[index].velocity = Vec2::ZERO;
        }
        Ok(())
    }

    /// Lets an agent that stands at a nav link traverse it as soon as its end is free.
    ///
    /// # Errors
    /// The agent is unknown.
    pub fn traverse(&mut self, id: CrowdAgentId) -> Result<(), CrowdError> {
        let index = self.index(id)?;
        if let Some(member) = &mut self.members[index]
            && member.state == AgentState::AtLink
        {
            member.state = AgentState::Traversing;
            self.peers[index].state = member.state;
        }
        Ok(())
    }

    fn index(&self, id: CrowdAgentId) -> Result<usize, CrowdError> {
        let index = id.index() as usize;
        match (self.generations.get(index), self.members.get(index)) {
            (Some(generation), Some(Some(_))) if *generation == id.generation() => Ok(index),
            _ => Err(CrowdError::UnknownAgent),
        }
    }

    pub(crate) fn id_at(&self, index: usize) -> CrowdAgentId {
        let slot = u32::try_from(index).expect("slots have 32 bits");
        CrowdAgentId::new(slot, self.generations[index])
    }

    /// The ids of all agents, by slot.
    pub fn ids(&self) -> impl Iterator<Item = CrowdAgentId> {
        let slots = self.members.iter().enumerate();
        slots.filter_map(|(index, member)| member.as_ref().map(|_| self.id_at(index)))
    }

    /// Where an agent is, in cells.
    pub fn position(&self, id: CrowdAgentId) -> Option<Vec2> {
        self.index(id).ok().map(|index| self.discs[index].position)
    }

    /// The velocity of the last tick, in cells per second.
    pub fn velocity(&self, id: CrowdAgentId) -> Option<Vec2> {
        self.index(id).ok().map(|index| self.discs[index].velocity)
    }

    /// The cell whose floor an agent stands on.
    pub fn cell(&self, id: CrowdAgentId) -> Option<Cell> {
        let index = self.index(id).ok()?;
        Some(self.motions[index].cell)
    }

    /// The length of the route that an agent has before it; 0 for one that follows none.
    pub fn left(&self, id: CrowdAgentId) -> Option<f64> {
        let index = self.index(id).ok()?;
        let member = self.members[index].as_ref()?;
        let next = member
            .route
            .as_ref()
            .and_then(|route| route.get(member.next));
        Some(match (next, self.peers[index].is_active()) {
            (Some(next), true) => {
                (next.at - self.discs[index].position).length() + member.left_after_next
            }
            _ => 0.0,
        })
    }

    /// True if an agent has been much slower than it could be for a while: others hold it up.
    pub fn is_held_up(&self, id: CrowdAgentId) -> bool {
        let member = self.index(id).ok().and_then(|at| self.members[at].as_ref());
        member.is_some_and(Member::is_held_up)
    }

    /// The end of the route of an agent.
    pub fn route_end(&self, id: CrowdAgentId) -> Option<RoutePoint> {
        let index = self.index(id).ok()?;
        let route = self.members[index].as_ref()?.route.as_ref()?;
        route.last().copied()
    }

    /// Lets an agent walk at a share of its speed, from 1/16 to 1.
    ///
    /// # Errors
    /// The agent is unknown, or the share is out of range.
    pub fn set_pace(&mut self, id: CrowdAgentId, pace: f64) -> Result<(), CrowdError> {
        let index = self.index(id)?;
        if !(1.0 / 16.0..=1.0).contains(&pace) {
            return Err(CrowdError::OutOfRange {
                what: "the pace",
                found: pace,
                low: 1.0 / 16.0,
                high: 1.0,
            });
        }
        if let Some(member) = &mut self.members[index] {
            member.pace = pace;
        }
        Ok(())
    }

    /// Where an agent faces, a vector of length 1; zero before it first moved.
    pub fn heading(&self, id: CrowdAgentId) -> Option<Vec2> {
        let index = self.index(id).ok()?;
        let heading = self.motions[index].heading;
        Some(heading.normalized().unwrap_or(Vec2::ZERO))
    }

    /// The parameters of an agent.
    pub fn agent(&self, id: CrowdAgentId) -> Option<&CrowdAgent> {
        let index = self.index(id).ok()?;
        self.members[index].as_ref().map(|member| &member.agent)
    }

    /// The agents that moved in the last tick, by slot: where they are, and the height of their floor.
    pub fn moved(&self) -> impl Iterator<Item = (CrowdAgentId, Vec2, i32)> {
        let moved = self.discs.iter().zip(&self.peers).enumerate();
        let moved = moved.filter(|(_, (disc, peer))| peer.is_there && disc.velocity != Vec2::ZERO);
        moved.map(|(index, (disc, peer))| (self.id_at(index), disc.position, peer.z))
    }

    /// The limits.
    pub const fn options(&self) -> &CrowdOptions {
        &self.options
    }

    /// Sets the number of threads, at least 1.
    pub fn set_threads(&mut self, n_threads: usize) {
        self.options.n_threads = n_threads.max(1);
    }

    /// Ticks so far.
    pub const fn n_ticks(&self) -> u64 {
        self.n_ticks
    }

    /// What an agent does.
    pub fn state(&self, id: CrowdAgentId) -> Option<AgentState> {
        let index = self.index(id).ok()?;
        self.members[index].as_ref().map(|member| member.state)
    }

    /// Drops what is known of the walls in a rectangle of columns: call it for every area that an
    /// edit of the ground changed. Agents there that no longer fit are displaced in the next tick.
    pub fn invalidate(&mut self, rect: Rect) {
        self.walls.invalidate(rect);
        self.has_changed_places = true;
        let options = &self.options;
        for (member, motion) in self.members.iter_mut().zip(&mut self.motions) {
            let Some(member) = member else { continue };
            let reach = member.reach(options) + 1;
            let is_near = |at: i32, low: i32, high: i32| {
                at.saturating_add(reach) >= low && at.saturating_sub(reach) <= high
            };
            if is_near(motion.cell.x, rect.low.x, rect.high.x)
                && is_near(motion.cell.y, rect.low.y, rect.high.y)
            {
                motion.walls = None;
                member.is_place_changed = true;
            }
        }
    }

    /// [`Crowd::invalidate`] for the whole ground.
    pub fn invalidate_all(&mut self) {
        self.walls.clear();
        self.has_changed_places = true;
        self.motions
            .iter_mut()
            .for_each(|motion| motion.walls = None);
        for member in self.members.iter_mut().flatten() {
            member.is_place_changed = true;
        }
    }

    /// Moves all agents by one tick and returns what happened.
    ///
    /// Linear in the agents that move; those that rest cost a few flags. Allocates only while the crowd or the area that it walks
    /// grows.
    pub fn tick(&mut self, ground: &Ground) -> &[CrowdEvent] {
        self.events.clear();
        if self.walls.is_full() {
            let lists = self.motions.iter_mut();
            let in_use = lists.filter_map(|motion| motion.walls.as_mut());
            self.walls.keep_only(in_use);
        }
        self.displace_agents(ground);
        self.follow_routes(ground);
        self.find_urges();
        self.wake(ground);
        self.find_neighbors();
        self.steer();
        self.move_agents(ground);
        self.n_ticks += 1;
        &self.events
    }

    /// Finds the walls around an agent that changed its cell.
    pub(crate) fn find_walls(&mut self, ground: &Ground, index: usize) {
        let motion = &mut self.motions[index];
        if motion.walls.is_none()
            && let Some(member) = &self.members[index]
            && let Ok(nav_graph) = NavGraph::new(ground, member.agent.profile_id)
        {
            let reach = member.reach(&self.options);
            motion.walls = Some(self.walls.list(nav_graph, motion.cell, reach));
        }
    }

    /// The largest overlap of two agents, as a share of the smaller radius.
    pub fn max_overlap(&self) -> f64 {
        let mut largest: f64 = 0.0;
        for (index, list) in self.lists.iter().enumerate() {
            for &slot in list.slots() {
                let (a, b) = (&self.discs[index], &self.discs[slot as usize]);
                let reach = a.radius + b.radius;
                let squared = (a.position - b.position).length_squared();
                if squared < reach * reach && self.peers[index].touches(&self.peers[slot as usize])
                {
                    largest = largest.max((reach - squared.sqrt()) / a.radius.min(b.radius));
                }
            }
        }
        largest
    }

    /// A digest of all that later ticks depend on, but routes.
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::default();
        digest.number(self.n_ticks);
        for (index, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            let disc = &self.discs[index];
            digest.number(self.id_at(index).to_bits());
            for number in [
                disc.position.x,
                disc.position.y,
                disc.velocity.x,
                disc.velocity.y,
            ] {
                digest.number(number.to_bits());
            }
            digest.number(member.next as u64);
            digest.number(member.state as u64);
        }
        digest.value()
    }
}

#[cfg(test)]
mod tests;

//! [`Crowd`]: agents that walk the planner's paths without walking through each other.
//!
//! The crowd computes in cells (`wayfarer_crowd`); this module joins it to bodies, requests and links,
//! in world units. A tick runs in a fixed order: edits of the ground, bodies that are gone, paths from
//! the planner, motion, links and agents that are stuck, progress to the planner, positions to the
//! bodies. Agents take their turns by slot, so results follow from the calls alone.

mod agent;
mod density;
mod flow;
mod flyers;
mod formation;
mod route;
mod save;
mod tick;

use std::collections::{BTreeMap, VecDeque};

use wayfarer_engine::base::{Cell, Digest, NavLinkId, Revision};
use wayfarer_engine::crowd as core;
use wayfarer_engine::crowd::flight::{Flock, is_flyer};
use wayfarer_engine::world::bodies::BodyShape;

pub use agent::{CrowdAgent, CrowdAgentId, CrowdAgentState, CrowdError, CrowdEvent, CrowdOptions};
pub use formation::Formation;

use density::Square;
use flow::FlowGroup;
use flyers::slot_of;
use formation::Group;

use crate::agent_type::AgentTypeId;
use crate::body::{BodyError, BodyId};
use crate::facade::World;
use crate::goal::Goal;
use crate::planner::{Planner, RequestId};
use crate::request::{PathRequest, StartPolicy};
use crate::units::{Frame, Position};

/// Agents that follow the planner's paths and avoid each other.
///
/// Each agent moves one registered [`Body`](crate::Body), a disc. After every tick no disc overlaps a
/// wall, and no two overlap by more than [`CrowdOptions::max_overlap`], unless they did before; an edit
/// that puts a wall onto an agent moves it to the nearest place where it fits. Avoidance is
/// reciprocal (ORCA); results are equal on every platform and for any number of threads. Agents that
/// rest choose no velocity, but every tick still looks at each agent. Bodies of agents need not block
/// movement, which keeps their moves cheap.
///
/// The planner is updated by the caller, under its budget:
///
/// ```
/// use wayfarer::prelude::*;
/// use wayfarer::{Crowd, CrowdAgent, CrowdEvent, CrowdOptions};
///
/// let map = b"type octile\nheight 3\nwidth 12\nmap\n............\n.....@......\n............\n";
/// let mut world = World::import("yard.map", map, Scale::meters(1.0))?;
/// let mut planner = Planner::new(PlannerOptions::default());
/// let mut crowd = Crowd::new(&world, CrowdOptions::default())?;
/// let position = Position::new(1.5, 1.5, 0.0);
/// let shape = BodyShape::disc(0.4);
/// let body = world.add_body(Body { position, shape, blocks_movement: false, ..Body::default() })?;
/// let agent = crowd.add(&world, body, CrowdAgent::default())?;
/// let goal = Position::new(10.5, 1.5, 0.0);
/// crowd.order(&mut planner, agent, goal)?;
/// let arrived = (0..600).any(|_| {
///     planner.update(&world);
///     crowd.tick(&mut world, &mut planner).unwrap();
///     crowd.take_events().contains(&CrowdEvent::Arrived { agent })
/// });
/// assert!(arrived);
/// assert!(world.body(body)?.position.distance(goal) < 0.06);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crowd {
    core: core::Crowd,
    /// Agents that fly.
    flock: Flock,
    options: CrowdOptions,
    frame: Frame,
    /// By slot of the agent, those that walk and those that fly.
    members: Vec<Option<Joined>>,
    flyers: Vec<Option<Joined>>,
    by_request: BTreeMap<RequestId, CrowdAgentId>,
    /// Agents before links, with the link.
    at_links: BTreeMap<CrowdAgentId, NavLinkId>,
    /// Groups in formation, in the order of their orders.
    groups: Vec<Group>,
    /// Groups along flow fields.
    flows: Vec<FlowGroup>,
    /// The squares where agents are held up.
    waiting: Vec<Square>,
    /// The revisions of ground and air at the last tick.
    ground: Option<Revision>,
    air: Option<Revision>,
    /// The update of the planner that was read last, and the requests whose paths changed and were
    /// not read yet.
    update: u64,
    changed: VecDeque<RequestId>,
    events: Vec<CrowdEvent>,
    moves: Vec<(BodyId, Position)>,
    /// Agents that were displaced in this tick.
    displaced: Vec<CrowdAgentId>,
}

/// What joins an agent to its body and its request.
#[derive(Clone, Debug)]
struct Joined {
    id: CrowdAgentId,
    body: BodyId,
    agent_type: AgentTypeId,
    /// Boxed: what every tick reads of all agents lies together.
    order: Option<Box<Order>>,
}

/// Where an agent is sent.
#[derive(Clone, Debug)]
struct Order {
    request: PathRequest,
    id: RequestId,
    stage: Stage,
    /// Times that it was stuck.
    n_stuck: u32,
    /// The revision of the ground at which there was no path.
    failed_at: Option<Revision>,
}

/// What an order waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Planning,
    Following,
    Blocked,
}

impl Crowd {
    /// A crowd without agents, for one world.
    ///
    /// # Errors
    /// A number of the options is out of range.
    pub fn new(world: &World, options: CrowdOptions) -> Result<Self, CrowdError> {
        options.check()?;
        let frame = world.frame();
        let core = core::Crowd::new(options.to_core(frame.cell_size()));
        let flock = Flock::new(options.to_core(frame.voxel_size()));
        Ok(Self {
            core: core.map_err(|error| limit(&error))?,
            flock: flock.map_err(|error| limit(&error))?,
            options,
            frame,
            members: Vec::new(),
            flyers: Vec::new(),
            by_request: BTreeMap::new(),
            at_links: BTreeMap::new(),
            groups: Vec::new(),
            flows: Vec::new(),
            waiting: Vec::new(),
            ground: None,
            air: None,
            update: 0,
            changed: VecDeque::new(),
            events: Vec::new(),
            moves: Vec::new(),
            displaced: Vec::new(),
        })
    }

    /// Adds an agent that moves a body, from where the body is. From then on only the crowd moves
    /// the body. Ids are never reused.
    ///
    /// # Errors
    /// A number is out of range, the body is unknown, no disc, wider than its agent type or does not
    /// fit where it is, or the agent type neither walks nor flies, or does both.
    pub fn add(
        &mut self,
        world: &World,
        body: BodyId,
        agent: CrowdAgent,
    ) -> Result<CrowdAgentId, CrowdError> {
        let engine = world.engine();
        let registered = engine.bodies().body(body);
        let registered = registered.map_err(|_error| BodyError::UnknownBody { id: body })?;
        let BodyShape::Disc { radius } = registered.shape else {
            return Err(CrowdError::NoDisc { id: body });
        };
        let Ok(nav_graph) = engine.nav_graph(agent.agent_type) else {
            return self.add_flyer(world, body, (agent, self.frame.units(radius)));
        };
        let types = &mut engine.agent_types();
        if types
            .nth(agent.agent_type.index())
            .is_none_or(|one| one.flight.is_some())
        {
            return Err(CrowdError::DoesNotWalk);
        }
        let limit_of_type = nav_graph.profile().radius;
        if radius > limit_of_type {
            return Err(CrowdError::TooWide {
                radius: self.frame.units(radius),
                limit: self.frame.units(limit_of_type),
            });
        }
        let cell_size = self.frame.cell_size();
        let at = core::Vec2::new(
            f64::from(registered.position.x.raw()) / 256.0,
            f64::from(registered.position.y.raw()) / 256.0,
        );
        let position = world.body(body)?.position;
        let column = registered.position.column();
        let z = registered.z.raw().div_euclid(256);
        let floor = nav_graph
            .floor_at(column, z)
            .map(|node| nav_graph.cell(node));
        let cell = floor.ok_or(CrowdError::DoesNotFit { at: position })?;
        let profile = nav_graph.profile();
        // Agents whose floors are a step apart may meet on one of them, however low their bodies are.
        let least = profile.height.max(profile.max_step.saturating_add(1));
        let height = registered.height.raw().div_euclid(256).saturating_add(1);
        let height = height.max(least);
        let added = core::CrowdAgent {
            profile_id: nav_graph.profile_id(),
            radius: f64::from(radius.raw()) / 256.0,
            height: height.clamp(1, 4_096),
            max_speed: agent.max_speed / cell_size,
            max_acceleration: agent.max_acceleration / cell_size,
            turn: agent.turn(self.options.tick_seconds)?,
            priority: agent.priority,
            layers: agent.layers,
            avoids: agent.avoids,
        };
        let id = self.core.add(engine.ground(), added, at, cell);
        let id = id.map_err(|error| match error {
            core::CrowdError::DoesNotFit { .. } => CrowdError::DoesNotFit { at: position },
            error => limit(&error),
        })?;
        self.join(Joined {
            id,
            body,
            agent_type: agent.agent_type,
            order: None,
        });
        Ok(id)
    }

    /// Removes an agent; its body stays where it is.
    ///
    /// # Errors
    /// The agent is unknown.
    pub fn remove(&mut self, planner: &mut Planner, id: CrowdAgentId) -> Result<(), CrowdError> {
        self.stop(planner, id)?;
        self.forget(id);
        Ok(())
    }

    /// Drops an agent without an order.
    fn forget(&mut self, id: CrowdAgentId) {
        self.at_links.remove(&id);
        self.leave_group(id);
        let removed = match is_flyer(id) {
            true => {
                self.flyers[slot_of(id)] = None;
                self.flock.remove(id)
            }
            false => {
                self.members[slot_of(id)] = None;
                self.core.remove(id)
            }
        };
        removed.expect("every joined agent is in the crowd");
    }

    /// Sends an agent to a goal, by a request of its own to the planner.
    ///
    /// # Errors
    /// The agent is unknown.
    pub fn order(
        &mut self,
        planner: &mut Planner,
        id: CrowdAgentId,
        goal: impl Into<Goal>,
    ) -> Result<(), CrowdError> {
        let goal = goal.into();
        self.order_path(planner, id, PathRequest::new(Position::default(), goal))
    }

    /// Sends an agent along the path of a request, whose start and agent type are replaced by the
    /// agent's. The goal may be any that the planner answers: a position, an area, within a distance.
    ///
    /// # Errors
    /// The agent is unknown.
    pub fn order_path(
        &mut self,
        planner: &mut Planner,
        id: CrowdAgentId,
        request: PathRequest,
    ) -> Result<(), CrowdError> {
        let from = self.position(id).ok_or(CrowdError::UnknownAgent { id })?;
        self.leave_group(id);
        self.cancel_order(planner, id);
        let joined = self.joined(id)?;
        let request = PathRequest {
            from,
            agent_type: joined.agent_type,
            start: StartPolicy::LeaveFirst,
            own_body: Some(joined.body),
            ..request
        };
        let mut searched = request.clone();
        self.add_waiting_costs(&mut searched);
        let request_id = planner.request(searched);
        let joined = self.joined_mut(id)?;
        joined.order = Some(Box::new(Order {
            request,
            id: request_id,
            stage: Stage::Planning,
            n_stuck: 0,
            failed_at: None,
        }));
        self.by_request.insert(request_id, id);
        Ok(())
    }

    /// Takes the order of an agent away; it stops.
    ///
    /// # Errors
    /// The agent is unknown.
    pub fn stop(&mut self, planner: &mut Planner, id: CrowdAgentId) -> Result<(), CrowdError> {
        self.joined(id)?;
        self.leave_group(id);
        self.cancel_order(planner, id);
        self.at_links.remove(&id);
        let stopped = match is_flyer(id) {
            true => self.flock.set_flight(id, [].into()),
            false => self.core.set_route(id, [].into()),
        };
        stopped.map_err(|error| limit(&error))
    }

    fn cancel_order(&mut self, planner: &mut Planner, id: CrowdAgentId) {
        let order = self
            .joined_mut(id)
            .ok()
            .and_then(|joined| joined.order.take());
        if let Some(order) = order {
            planner.cancel(order.id);
            self.by_request.remove(&order.id);
        }
    }

    /// Lets an agent that stands at a link traverse it, once it is open and its end is free.
    ///
    /// # Errors
    /// The agent is unknown.
    pub fn traverse(&mut self, world: &World, id: CrowdAgentId) -> Result<(), CrowdError> {
        self.joined(id)?;
        if let Some(link) = self.at_links.get(&id).copied()
            && self.is_open(world, id, link)
        {
            self.at_links.remove(&id);
            self.core.traverse(id).map_err(|error| limit(&error))?;
        }
        Ok(())
    }

    /// Where an agent is, on its floor; for one that flies, the center of its ball.
    pub fn position(&self, id: CrowdAgentId) -> Option<Position> {
        if is_flyer(id) {
            return self.flyer_position(id);
        }
        let (at, cell) = (self.core.position(id)?, self.core.cell(id)?);
        Some(self.position_of(at, cell))
    }

    fn position_of(&self, at: core::Vec2, cell: Cell) -> Position {
        self.frame.plane_position([at.x, at.y], cell.z)
    }

    /// The velocity of an agent in the last tick, in units per second along the two horizontal axes.
    /// See [`Crowd::vertical_speed`] for the third.
    pub fn velocity(&self, id: CrowdAgentId) -> Option<[f64; 2]> {
        if is_flyer(id) {
            let velocity = self.flock.velocity(id)? * self.frame.voxel_size();
            return Some([velocity.x, velocity.y]);
        }
        let velocity = self.core.velocity(id)? * self.frame.cell_size();
        Some([velocity.x, velocity.y])
    }

    /// What an agent does.
    pub fn state(&self, id: CrowdAgentId) -> Option<CrowdAgentState> {
        let order = self.joined(id).ok()?.order.as_ref();
        let stage = order.map(|order| order.stage);
        let state = match is_flyer(id) {
            true => self.flock.state(id)?,
            false => self.core.state(id)?,
        };
        Some(match (state, stage) {
            (core::AgentState::AtLink, _) => CrowdAgentState::AtLink,
            (core::AgentState::Traversing, _) => CrowdAgentState::Traversing,
            (_, Some(Stage::Blocked)) => CrowdAgentState::Blocked,
            (core::AgentState::Moving, _) => CrowdAgentState::Moving,
            (_, Some(Stage::Planning)) => CrowdAgentState::Planning,
            (core::AgentState::Arrived, _) => CrowdAgentState::Arrived,
            (core::AgentState::Idle, _) => CrowdAgentState::Idle,
        })
    }

    /// The body of an agent.
    pub fn body(&self, id: CrowdAgentId) -> Option<BodyId> {
        self.joined(id).ok().map(|joined| joined.body)
    }

    /// The request of an agent that has an order.
    pub fn request(&self, id: CrowdAgentId) -> Option<RequestId> {
        let order = self.joined(id).ok()?.order.as_ref();
        order.map(|order| order.id)
    }

    /// The ids of all agents: those that walk, then those that fly, by slot.
    pub fn agents(&self) -> impl Iterator<Item = CrowdAgentId> + '_ {
        self.all_joined().map(|joined| joined.id)
    }

    fn all_joined(&self) -> impl Iterator<Item = &Joined> + '_ {
        self.members.iter().chain(&self.flyers).flatten()
    }

    /// The largest overlap of two agents now, as a share of the smaller radius.
    pub fn max_overlap(&self) -> f64 {
        self.core.max_overlap().max(self.flock.max_overlap())
    }

    /// The options it was made with, threads as last set.
    pub const fn options(&self) -> CrowdOptions {
        self.options
    }

    /// Sets the number of threads that choose velocities, at least 1.
    pub fn set_threads(&mut self, n_threads: usize) {
        self.options.n_threads = n_threads.max(1);
        self.core.set_threads(n_threads);
        self.flock.set_threads(n_threads);
    }

    /// The events since the last call, in the order in which they happened.
    pub fn take_events(&mut self) -> Vec<CrowdEvent> {
        std::mem::take(&mut self.events)
    }

    /// A digest of all that later ticks depend on but the paths: equal crowds have equal digests.
    pub fn state_hash(&self) -> u64 {
        match self.flyers.is_empty() {
            true => self.core.state_hash(),
            false => {
                let mut digest = Digest::default();
                digest.number(self.core.state_hash());
                digest.number(self.flock.state_hash());
                digest.value()
            }
        }
    }

    fn joined(&self, id: CrowdAgentId) -> Result<&Joined, CrowdError> {
        let list = match is_flyer(id) {
            true => &self.flyers,
            false => &self.members,
        };
        let joined = list.get(slot_of(id)).and_then(Option::as_ref);
        let joined = joined.filter(|joined| joined.id == id);
        joined.ok_or(CrowdError::UnknownAgent { id })
    }

    fn joined_mut(&mut self, id: CrowdAgentId) -> Result<&mut Joined, CrowdError> {
        let list = match is_flyer(id) {
            true => &mut self.flyers,
            false => &mut self.members,
        };
        let joined = list.get_mut(slot_of(id)).and_then(Option::as_mut);
        let joined = joined.filter(|joined| joined.id == id);
        joined.ok_or(CrowdError::UnknownAgent { id })
    }
}

fn limit(error: &core::CrowdError) -> CrowdError {
    CrowdError::Limit {
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests;

//! Groups along a flow field: one field for all that go to a goal, no search for each.
//!
//! The field is built when the group is ordered and again after edits of the ground; every member
//! gets the route that the field leads it along, string-pulled for its body.

use wayfarer_engine::base::{Budget, Cell, Point2, Revision};
use wayfarer_engine::crowd as core;
use wayfarer_engine::search::ground::{FlowField, GroundPath, NavGraph, body_waypoints};

use super::formation::point2;
use super::route::route_along;
use super::{Crowd, CrowdAgentId, CrowdError};
use crate::agent_type::AgentTypeId;
use crate::facade::World;
use crate::flow_field::Extent;
use crate::goal::Goal;
use crate::planner::Planner;
use crate::request::RequestError;

/// Ticks between two looks for edits.
const LOOK_TICKS: u64 = 16;

/// Agents of one type that go to one goal.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FlowGroup {
    pub(super) agent_type: AgentTypeId,
    pub(super) goal: Goal,
    /// How far the field reaches from the goal, in units.
    pub(super) reach: f64,
    pub(super) members: Vec<CrowdAgentId>,
    /// The ground that its routes are for.
    pub(super) ground: Revision,
}

impl Crowd {
    /// Sends agents to one goal along a flow field that reaches `reach` units around it: cheaper than
    /// a search for each from a few dozen agents on. Those that the field does not reach, and those
    /// that get stuck, get paths of their own. After an edit of the ground the field is built again.
    /// Each agent type needs a field of its own. Agents that fly get paths of their own.
    ///
    /// ```
    /// use wayfarer::prelude::*;
    /// use wayfarer::{Crowd, CrowdAgent, CrowdOptions};
    ///
    /// let map = b"type octile\nheight 3\nwidth 12\nmap\n............\n.....@......\n............\n";
    /// let mut world = World::import("yard.map", map, Scale::UNIT)?;
    /// let mut planner = Planner::new(PlannerOptions::default());
    /// let mut crowd = Crowd::new(&world, CrowdOptions::default())?;
    /// let mut agents = Vec::new();
    /// for y in 0..3 {
    ///     let position = Position::new(1.5, f64::from(y) + 0.5, 0.0);
    ///     let shape = BodyShape::disc(0.4);
    ///     let body = world.add_body(Body { position, shape, ..Body::default() })?;
    ///     agents.push(crowd.add(&world, body, CrowdAgent::default())?);
    /// }
    /// let goal = Position::new(10.5, 1.5, 0.0);
    /// crowd.order_flow(&world, &mut planner, &agents, (goal.into(), 50.0))?;
    /// for _ in 0..600 {
    ///     crowd.tick(&mut world, &mut planner)?;
    /// }
    /// assert!(agents.iter().all(|id| crowd.position(*id).unwrap().distance(goal) < 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An agent is unknown, the reach is no valid length, or the goal is a line of sight.
    pub fn order_flow(
        &mut self,
        world: &World,
        planner: &mut Planner,
        agents: &[CrowdAgentId],
        (goal, reach): (Goal, f64),
    ) -> Result<(), CrowdError> {
        let mut members = agents.to_vec();
        members.sort_unstable();
        members.dedup();
        let mut types: Vec<AgentTypeId> = Vec::new();
        for id in &members {
            let agent_type = self.joined(*id)?.agent_type;
            if world.engine().nav_graph(agent_type).is_ok() && !types.contains(&agent_type) {
                types.push(agent_type);
            }
        }
        for agent_type in &types {
            let checked = world.begin_flow_field(*agent_type, goal.clone(), Extent::within(reach));
            checked.map_err(|error| refused(&error))?;
        }
        for id in &members {
            self.stop(planner, *id)?;
        }
        for agent_type in types {
            let is_of_type = |id: &CrowdAgentId| {
                let joined = self.joined(*id);
                joined.is_ok_and(|joined| joined.agent_type == agent_type)
            };
            let group = FlowGroup {
                agent_type,
                goal: goal.clone(),
                reach,
                members: members.iter().copied().filter(is_of_type).collect(),
                ground: world.engine().ground().revision(),
            };
            members.retain(|id| !group.members.contains(id));
            self.lead(world, planner, group);
        }
        for id in members {
            self.order(planner, id, goal.clone())?;
        }
        Ok(())
    }

    /// Gives routes to a group, and paths of their own to those that the field does not reach.
    fn lead(&mut self, world: &World, planner: &mut Planner, mut group: FlowGroup) {
        let extent = Extent::within(group.reach);
        let flow = world.begin_flow_field(group.agent_type, group.goal.clone(), extent);
        let nav_graph = world.engine().nav_graph(group.agent_type);
        let (Ok(mut flow), Ok(nav_graph)) = (flow, nav_graph) else {
            return;
        };
        flow.advance(world, Budget::UNLIMITED);
        let end = self.exact_end(&group.goal);
        let mut lost = Vec::new();
        group.members.retain(|id| {
            // One on a link goes on with the route that it has.
            if self.core.state(*id) == Some(core::AgentState::Traversing) {
                return true;
            }
            let route = self.flow_route((nav_graph, world), flow.engine(), *id, end);
            let is_led = route.is_some_and(|route| self.core.set_route(*id, route).is_ok());
            if !is_led {
                lost.push(*id);
            }
            is_led
        });
        let goal = group.goal.clone();
        if !group.members.is_empty() {
            self.flows.push(group);
        }
        for id in lost {
            self.order(planner, id, goal.clone()).ok();
        }
    }

    /// The point that a goal is, if it is one.
    fn exact_end(&self, goal: &Goal) -> Option<Point2> {
        match goal {
            Goal::Position(at) => self.frame.point(*at),
            _ => None,
        }
    }

    /// The route along which a field leads an agent; `None` where it leads nowhere.
    fn flow_route(
        &self,
        (nav_graph, world): (NavGraph<'_>, &World),
        flow: &FlowField,
        id: CrowdAgentId,
        end: Option<Point2>,
    ) -> Option<core::Route> {
        let (at, cell) = (self.core.position(id)?, self.core.cell(id)?);
        flow.cost(cell)?;
        let ground = world.engine().ground();
        let cells: Vec<Cell> =
            std::iter::successors(Some(cell), |cell| flow.next(ground, *cell)).collect();
        let path = GroundPath::from_cells(nav_graph, &cells)?;
        let last = cells.last()?.column();
        let end = end.filter(|end| end.column() == last);
        let end = end.or_else(|| Point2::center_of(last))?;
        let points = body_waypoints(nav_graph, &path, (point2(at), end), true);
        let mut links = path.legs.iter();
        let mut route = route_along(nav_graph, &mut links, &points);
        if let Some(first) = route.first_mut() {
            first.at = at;
        }
        Some(route.into())
    }

    /// Leads groups anew whose ground has changed.
    pub(super) fn lead_flows(&mut self, world: &World, planner: &mut Planner) {
        if self.flows.is_empty() || !self.core.n_ticks().is_multiple_of(LOOK_TICKS) {
            return;
        }
        let now = world.engine().ground().revision();
        for mut group in std::mem::take(&mut self.flows) {
            if group.ground == now {
                self.flows.push(group);
            } else {
                group.ground = now;
                self.lead(world, planner, group);
            }
        }
    }

    /// Takes an agent out of its flow.
    pub(super) fn leave_flow(&mut self, id: CrowdAgentId) {
        for group in &mut self.flows {
            group.members.retain(|member| *member != id);
        }
        self.flows.retain(|group| !group.members.is_empty());
    }
}

fn refused(error: &RequestError) -> CrowdError {
    CrowdError::Limit {
        reason: error.to_string(),
    }
}

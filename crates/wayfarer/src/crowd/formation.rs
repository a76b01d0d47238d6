//! Groups in formation: one path for all, a slot for each.
//!
//! The path of the leader is searched; every member follows it at the offset of its slot, as far to the
//! side as the ground leaves room, so a formation becomes a column at narrow places and spreads
//! again behind. Members that are ahead walk slower until the others have caught up.

use wayfarer_engine::base::{Cell, Fixed, Point2};
use wayfarer_engine::crowd as core;
use wayfarer_engine::search::ground::{NavGraph, is_clear_for_disc};

use super::{Crowd, CrowdAgentId, CrowdError};
use crate::facade::World;
use crate::goal::Goal;
use crate::planner::Planner;
use crate::units::BadNumber;

/// Distance between two points of a slot's route, in cells.
const STEP: f64 = 3.0;
/// Shares of its offset that a slot is tried at.
const SHARES: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
/// Ticks between two adjustments of the pace.
const PACE_TICKS: u64 = 4;
/// Spacings by which a member may be ahead before it walks slowest, and the slowest pace.
const MAX_AHEAD: f64 = 3.0;
const MIN_PACE: f64 = 0.2;

/// How the agents of a group stand, seen in the direction of march.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Formation {
    /// Side by side.
    Line,
    /// One behind the other.
    Column,
    /// One in front, behind it two by two, ever farther apart.
    Wedge,
    /// Rows of equal length, as many as in each row.
    Box,
}

impl Formation {
    /// The slots for `n` agents, row by row from the front, each from left to right: how far behind
    /// the front and how far to the right of the middle, in spacings.
    fn slots(self, n: usize) -> Vec<Vec<(f64, f64)>> {
        let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let row = |back: usize, n: usize| {
            let middle = number(n.saturating_sub(1)) / 2.0;
            (0..n)
                .map(move |place| (number(back), number(place) - middle))
                .collect()
        };
        let in_rows = |length: usize| {
            let n_rows = n.div_ceil(length.max(1));
            (0..n_rows)
                .map(|back| row(back, length.min(n - back * length)))
                .collect()
        };
        match self {
            Self::Line => in_rows(n),
            Self::Column => in_rows(1),
            Self::Box => in_rows((1..=n).find(|side| side * side >= n).unwrap_or(1)),
            Self::Wedge => {
                let pairs = (1..).take((n / 2).min(n)).map(|back| {
                    let (at, is_pair) = (number(back), 2 * back < n);
                    let arms = [(at, -at), (at, at)];
                    arms[..1 + usize::from(is_pair)].to_vec()
                });
                let first = (n > 0).then(|| vec![(0.0, 0.0)]);
                first.into_iter().chain(pairs).collect()
            }
        }
    }
}

/// A group that marches.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Group {
    pub(super) leader: CrowdAgentId,
    /// In cells.
    pub(super) spacing: f64,
    pub(super) formation: Formation,
    pub(super) members: Vec<CrowdAgentId>,
    /// For each member, how far behind the front and to the right of the middle, in cells; empty
    /// until the path is there.
    pub(super) slots: Vec<(f64, f64)>,
}

impl Crowd {
    /// Sends a group to a goal in formation, `spacing` units between neighbors. One path is
    /// searched, for the agent nearest to the middle of the group; all members need an agent type
    /// that may walk it. Slots are given row by row to those in front, from left to right, so that
    /// paths do not cross. An order of its own, or [`Crowd::stop`], takes an agent out of its group.
    ///
    /// # Errors
    /// An agent is unknown, there is none, or the spacing is no positive number.
    pub fn order_group(
        &mut self,
        planner: &mut Planner,
        agents: &[CrowdAgentId],
        goal: impl Into<Goal>,
        (formation, spacing): (Formation, f64),
    ) -> Result<(), CrowdError> {
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(CrowdError::BadNumber(BadNumber {
                what: "the spacing of a formation",
                found: spacing,
                expected: "a positive length",
            }));
        }
        for id in agents {
            self.joined(*id)?;
        }
        let mut members = agents.to_vec();
        members.sort_unstable();
        members.dedup();
        let Some(leader) = self.middle(&members) else {
            let reason = "a group without agents".to_owned();
            return Err(CrowdError::Limit { reason });
        };
        for id in &members {
            self.stop(planner, *id)?;
        }
        self.order(planner, leader, goal)?;
        self.groups.push(Group {
            leader,
            spacing: spacing / self.frame.cell_size(),
            formation,
            members,
            slots: Vec::new(),
        });
        Ok(())
    }

    /// The agent nearest to the middle of some.
    fn middle(&self, agents: &[CrowdAgentId]) -> Option<CrowdAgentId> {
        let at: Vec<core::Vec2> = agents
            .iter()
            .filter_map(|id| self.core.position(*id))
            .collect();
        let n = f64::from(u32::try_from(at.len()).ok()?);
        let sum = at.iter().fold(core::Vec2::ZERO, |sum, at| sum + *at);
        let distances = at.iter().map(|at| (*at * n - sum).length_squared());
        let nearest = agents
            .iter()
            .zip(distances)
            .min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map(|(id, _)| *id)
    }

    /// Takes an agent out of its group.
    pub(super) fn leave_group(&mut self, id: CrowdAgentId) {
        for group in &mut self.groups {
            if let Some(place) = group.members.iter().position(|member| *member == id) {
                group.members.remove(place);
                if !group.slots.is_empty() {
                    group.slots.remove(place);
                }
                self.core.set_pace(id, 1.0).ok();
            }
        }
        self.groups.retain(|group| !group.members.is_empty());
        self.leave_flow(id);
    }

    /// Sends the group of a leader along its route; false if the agent leads none.
    pub(super) fn march(
        &mut self,
        world: &World,
        leader: CrowdAgentId,
        route: &core::Route,
    ) -> bool {
        let Some(place) = self.groups.iter().position(|group| group.leader == leader) else {
            return false;
        };
        let points = subdivided(route);
        if points.is_empty() {
            return true;
        }
        let mut group = self.groups.remove(place);
        if group.slots.is_empty() {
            self.assign_slots(&mut group, &points);
        }
        for (id, slot) in group.members.iter().zip(&group.slots) {
            if self.core.state(*id) == Some(core::AgentState::Traversing) {
                continue;
            }
            let nav_graph = self.joined(*id).ok().map(|joined| joined.agent_type);
            let nav_graph = nav_graph.and_then(|id| world.engine().nav_graph(id).ok());
            if let (Some(nav_graph), Some(agent), Some(at)) =
                (nav_graph, self.core.agent(*id), self.core.position(*id))
            {
                let (radius, cell) = (agent.radius, self.core.cell(*id));
                let offset = slot_route(nav_graph, radius, &points, *slot);
                let first = core::RoutePoint {
                    at,
                    cell: cell.unwrap_or(points[0].cell),
                    next: core::RouteStep::Walk,
                };
                let route: Vec<_> = std::iter::once(first).chain(offset).collect();
                if self.core.set_route(*id, route.into()).is_err() {
                    // The leader's path is clear; the slot is given up, not the member.
                    let led = std::iter::once(first).chain(points.iter().copied());
                    self.core.set_route(*id, led.collect()).ok();
                }
            }
        }
        self.groups.insert(place, group);
        true
    }

    /// Gives the slots to the members: rows from the front, each from left to right.
    fn assign_slots(&self, group: &mut Group, points: &[core::RoutePoint]) {
        let along = points[points.len() - 1].at - points[0].at;
        let along = match points.get(1) {
            Some(second) if second.at != points[0].at => second.at - points[0].at,
            _ => along,
        };
        let mut left: Vec<(f64, f64, CrowdAgentId)> = Vec::new();
        for id in &group.members {
            let at = self.core.position(*id).unwrap_or(core::Vec2::ZERO) - points[0].at;
            left.push((-at.dot(along), at.dot(along.right()), *id));
        }
        left.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let mut given: Vec<(CrowdAgentId, (f64, f64))> = Vec::new();
        for row in group.formation.slots(left.len()) {
            let mut front: Vec<_> = left.drain(..row.len().min(left.len())).collect();
            front.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(&b.2)));
            let spaced = |(back, side): (f64, f64)| (back * group.spacing, side * group.spacing);
            given.extend(
                front
                    .iter()
                    .zip(row)
                    .map(|(one, slot)| (one.2, spaced(slot))),
            );
        }
        (group.members, group.slots) = given.into_iter().unzip();
    }

    /// Lets those that are ahead of their group walk slower; groups that stand are dropped.
    pub(super) fn keep_pace(&mut self) {
        if !self.core.n_ticks().is_multiple_of(PACE_TICKS) {
            return;
        }
        let mut groups = std::mem::take(&mut self.groups);
        groups.retain(|group| {
            let left = |id: &CrowdAgentId| self.core.left(*id).unwrap_or(0.0);
            let most = group.members.iter().map(left).fold(0.0, f64::max);
            let speeds = group.members.iter().filter_map(|id| self.core.agent(*id));
            let slowest = speeds
                .map(|agent| agent.max_speed)
                .fold(f64::INFINITY, f64::min);
            let paces: Vec<(CrowdAgentId, f64)> = group
                .members
                .iter()
                .filter_map(|id| {
                    let ahead = (most - left(id)) / (MAX_AHEAD * group.spacing);
                    let speed = self.core.agent(*id)?.max_speed;
                    let pace = (1.0 - ahead).max(MIN_PACE) * slowest / speed;
                    Some((*id, pace.clamp(1.0 / 16.0, 1.0)))
                })
                .collect();
            let is_marching = most > 0.0 || group.slots.is_empty();
            for (id, pace) in paces {
                let pace = if is_marching { pace } else { 1.0 };
                self.core.set_pace(id, pace).ok();
            }
            is_marching
        });
        self.groups = groups;
    }
}

/// A route with a point at least every few cells.
fn subdivided(route: &core::Route) -> Vec<core::RoutePoint> {
    let mut points: Vec<core::RoutePoint> = Vec::new();
    for point in route.iter() {
        if let Some(last) = points.last().copied()
            && last.next == core::RouteStep::Walk
        {
            let along = point.at - last.at;
            let n_parts = (along.length() / STEP).ceil().max(1.0);
            let mut part = 1.0;
            while part < n_parts {
                let at = last.at + along * (part / n_parts);
                let cell = Cell::new(floor(at.x), floor(at.y), last.cell.z);
                let next = core::RouteStep::Walk;
                points.push(core::RoutePoint { at, cell, next });
                part += 1.0;
            }
        }
        points.push(*point);
    }
    points
}

/// The route of a slot: each point as far to the side as the body fits, the end `back` before that
/// of the path.
fn slot_route(
    nav_graph: NavGraph<'_>,
    radius: f64,
    points: &[core::RoutePoint],
    (back, side): (f64, f64),
) -> Vec<core::RoutePoint> {
    let mut route: Vec<core::RoutePoint> = Vec::new();
    let points = shortened(points, back);
    for index in 1..points.len() {
        let (before, point) = (points[index - 1], points[index]);
        let after = points.get(index + 1).map_or(point.at, |after| after.at);
        let along = (point.at - before.at)
            .normalized()
            .unwrap_or(core::Vec2::ZERO)
            + (after - point.at).normalized().unwrap_or(core::Vec2::ZERO);
        let right = along.normalized().unwrap_or(core::Vec2::ZERO).right();
        let cell_at = |at: core::Vec2| {
            let floor = nav_graph.floor_at(point2(at).column(), point.cell.z);
            floor.map_or(point.cell, |node| nav_graph.cell(node))
        };
        let is_clear = |from: &core::RoutePoint, to: core::Vec2| {
            let from = (point2(from.at), from.cell.z);
            is_clear_for_disc(nav_graph, fixed(radius), from, (point2(to), cell_at(to).z))
        };
        let is_walk = point.next == core::RouteStep::Walk && before.next == core::RouteStep::Walk;
        let mut at = point.at;
        if is_walk {
            let offsets = SHARES.iter().map(|share| point.at + right * (side * share));
            let mut fitting = offsets.filter(|at| {
                let last = route.last();
                is_clear(&point, *at) && last.is_none_or(|last| is_clear(last, *at))
            });
            at = fitting.next().unwrap_or(point.at);
        }
        if let Some(last) = route.last()
            && at == point.at
            && last.at != before.at
            && !is_clear(last, at)
        {
            route.push(before);
        }
        let cell = cell_at(at);
        route.push(core::RoutePoint { at, cell, ..point });
    }
    route
}

/// A polyline without its last part of length `back`.
fn shortened(points: &[core::RoutePoint], back: f64) -> Vec<core::RoutePoint> {
    let mut kept = points.to_vec();
    let mut left = back;
    while let [.., before, last] = kept[..]
        && left > 0.0
    {
        kept.pop();
        let length = (last.at - before.at).length();
        if length > left && before.next == core::RouteStep::Walk {
            let at = last.at - (last.at - before.at) * (left / length);
            let cell = Cell::new(floor(at.x), floor(at.y), before.cell.z);
            let next = core::RouteStep::Walk;
            kept.push(core::RoutePoint { at, cell, next });
        }
        left -= length;
    }
    kept
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "casts saturate, worlds are smaller"
)]
fn floor(at: f64) -> i32 {
    at.floor() as i32
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "casts saturate, worlds are smaller"
)]
fn fixed(at: f64) -> Fixed {
    Fixed::from_raw((at * 256.0).round() as i32)
}

pub(super) fn point2(at: core::Vec2) -> Point2 {
    Point2::new(fixed(at.x), fixed(at.y))
}

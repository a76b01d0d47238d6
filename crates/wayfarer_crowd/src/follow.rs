//! Following: from the route of each agent to the velocity that it prefers.

use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::Ground;

use crate::agent::{AgentState, CrowdEvent, RoutePoint, RouteStep};
use crate::crowd::Crowd;
use crate::gate::{Gate, gate_ahead};
use crate::member::Member;
use crate::orca::MovingDisc;
use crate::peer::Seen;
use crate::precedence::{Precedence, order_of};
use crate::sight::{cell_beside, is_straight};
use crate::vector::{Vec2, floor};

/// Distance to a point of a route within which the agent looks beyond it, in cells.
const LOOKAHEAD: f64 = 4.0;
/// Width of the disc, of its own, that must fit along a line to look ahead, and to keep to it.
const WIDTH_AHEAD: f64 = 0.95;
const WIDTH_BEHIND: f64 = 0.7;
/// Ticks between two looks ahead of one agent.
const LOOK_TICKS: u64 = 4;
/// Ticks of standing beside resting agents after which an agent settles, on the last line of its route and
/// before it: others fill a room up to its door.
const SETTLE_TICKS: u32 = 15;
const SETTLE_BEFORE_TICKS: u32 = 45;

/// Lines are looked along so far, in cells.
const MAX_SIGHT: f64 = 8.0;
/// Ticks of being hindered at most, and the share of its speed below which an agent is.
const MAX_HINDERED_TICKS: u32 = 20;
const HINDERED: f64 = 0.8;
/// Distance, as a multiple of that in contact, at which one waits behind another.
const QUEUED: f64 = 1.6;

/// Cells between two looks for a gate; half of what one look covers.
const LOOK_CELLS: i32 = 8;
/// Distance within which agents turn to a gate, in cells.
const NEAR_GATE: f64 = 6.0;
/// Ticks of impatience at most.
const MAX_SLOW_TICKS: u32 = 30;

impl Crowd {
    pub(crate) fn follow_routes(&mut self, ground: &Ground) {
        let mut members = std::mem::take(&mut self.members);
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        for (slot, member) in (0_u32..).zip(&mut members) {
            let index = slot as usize;
            let (true, Some(member)) = (self.peers[index].is_active(), member) else {
                continue;
            };
            self.preferred[index] = match member.state {
                AgentState::Moving => self.follow(ground, index, member),
                AgentState::AtLink if self.options.traverses_links => {
                    member.state = AgentState::Traversing;
                    Vec2::ZERO
                }
                _ => Vec2::ZERO,
            };
            seen.push(Seen::of(slot, member, &self.motions[index]));
        }
        // Agents see each other as they were before the tick, whatever their order.
        self.pushing.clear();
        for seen in &seen {
            self.peers[seen.slot as usize].update(seen);
            if seen.is_pushing {
                self.pushing.push(seen.slot);
            }
        }
        (self.members, self.seen) = (members, seen);
    }

    fn follow(&mut self, ground: &Ground, index: usize, member: &mut Member) -> Vec2 {
        if member.route.is_none() {
            return Vec2::ZERO;
        }
        let MovingDisc {
            position, velocity, ..
        } = self.discs[index];
        while self.has_passed(ground, (index, position), member) {
            member.pass_point();
        }
        self.look_for_gate(ground, index, member);
        self.turn_to_gate(ground, index, member);
        if self.is_look(index) {
            self.look_around(ground, index, member);
        }
        let distance = (member.point - position).length();
        let must_stop = member.is_last || !member.is_walk;
        if must_stop && distance <= self.options.announced.max(self.options.arrival).max(0.1) {
            self.announce(index, member, distance);
        }
        if member.is_last && distance <= self.options.arrival {
            return self.rest(index, member, AgentState::Arrived);
        }
        if !member.is_last && !member.is_walk && distance <= self.options.arrival.max(0.1) {
            return self.rest(index, member, AgentState::AtLink);
        }
        if self.is_end_taken(index, member) {
            self.events.push(CrowdEvent::Settled(self.id_at(index)));
            member.state = AgentState::Arrived;
            return Vec2::ZERO;
        }
        (member.target, member.after) = match member.gate {
            Some(gate) => (gate.at, gate.after),
            None => (member.point, member.beyond),
        };
        let to_target = match (member.aim, member.gate) {
            (Some(aim), _) => aim - position,
            (None, Some(gate)) if gate.n_before == 0 => gate.at - position,
            _ => member.point - position,
        };
        self.note_progress((index, member), distance, (position, velocity));
        let walked = member.agent.max_speed * member.pace;
        let speed = if must_stop {
            let braking = (2.0 * member.agent.max_acceleration * 0.5 * distance).sqrt();
            let in_one_tick = distance / self.options.tick_seconds;
            walked.min(braking).min(in_one_tick)
        } else {
            walked
        };
        // To the next point itself the length is known.
        let is_direct = member.aim.is_none() && member.gate.is_none_or(|gate| gate.n_before > 0);
        let length = match is_direct {
            true => distance,
            false => to_target.length(),
        };
        match length > 0.0 {
            true => to_target * (1.0 / length) * speed,
            false => Vec2::ZERO,
        }
    }

    /// True if it is the agent's turn to look along lines.
    const fn is_look(&self, index: usize) -> bool {
        (self.n_ticks + index as u64).is_multiple_of(LOOK_TICKS)
    }

    /// Reports a nav link ahead, once.
    fn announce(&mut self, index: usize, member: &mut Member, distance: f64) {
        let point = member
            .route
            .as_ref()
            .and_then(|route| route.get(member.next));
        if let Some(RouteStep::NavLink(link)) = point.map(|point| point.next)
            && !member.is_link_announced
            && distance <= self.options.announced
        {
            member.is_link_announced = true;
            let id = self.id_at(index);
            self.events.push(CrowdEvent::LinkAhead(id, link));
        }
    }

    /// Looks for a narrow place ahead: at each point of the route, at each gate, and every few cells.
    fn look_for_gate(&self, ground: &Ground, index: usize, member: &mut Member) {
        let here = self.motions[index].cell;
        if let Some((cell, next)) = member.looked_from
            && next == member.next
            && match member.gate {
                Some(gate) => !gate.is_in(here),
                None => {
                    let (x, y) = (here.x - cell.x, here.y - cell.y);
                    x.abs().max(y.abs()) < LOOK_CELLS
                }
            }
        {
            return;
        }
        member.looked_from = Some((here, member.next));
        let nav_graph = NavGraph::new(ground, member.agent.profile_id).ok();
        member.gate = nav_graph.and_then(|graph| {
            let route = member.route.as_ref()?;
            gate_ahead(graph, here, (route, member.next))
        });
    }

    /// Steers to the gate instead of the points before it once it is in sight.
    fn turn_to_gate(&self, ground: &Ground, index: usize, member: &mut Member) {
        let Some(gate) = member.gate.filter(|gate| gate.n_before > 0) else {
            return;
        };
        let distance = (gate.at - self.discs[index].position).length();
        if !self.is_look(index)
            || distance > NEAR_GATE
            || !self.sees(ground, index, member, gate.at)
        {
            return;
        }
        for _ in 0..gate.n_before {
            member.pass_point();
        }
        member.gate = Some(Gate {
            n_before: 0,
            ..gate
        });
        member.looked_from = Some((self.motions[index].cell, member.next));
    }

    fn rest(&mut self, index: usize, member: &mut Member, state: AgentState) -> Vec2 {
        member.state = state;
        let id = self.id_at(index);
        let link = member
            .route
            .as_ref()
            .and_then(|route| route.get(member.next));
        self.events
            .extend(match (state, link.map(|point| point.next)) {
                (AgentState::Arrived, _) => Some(CrowdEvent::Arrived(id)),
                (_, Some(RouteStep::NavLink(link))) => Some(CrowdEvent::ReachedLink(id, link)),
                _ => None,
            });
        Vec2::ZERO
    }

    /// Looks where to steer if the next point is out of sight because others pushed the agent away:
    /// to the gate's entry, back to the line to the next point, or to an earlier point.
    fn look_around(&mut self, ground: &Ground, index: usize, member: &mut Member) {
        let position = self.discs[index].position;
        (member.aim, self.motions[index].corridor) = (None, None);
        let sees = |crowd: &Self, member: &Member, at: Vec2| {
            (at - position).length() <= MAX_SIGHT && crowd.sees(ground, index, member, at)
        };
        match member.gate {
            Some(gate) if gate.n_before == 0 && sees(self, member, gate.at) => return,
            Some(gate) if sees(self, member, gate.entry) => {
                member.aim = Some(gate.entry);
                return;
            }
            None if self.motions[index].lane > 0 => {
                let lane = self.lane_of(ground, index, member);
                self.motions[index].corridor = lane;
                member.aim = lane.and_then(|lane| lane.aim(position));
                if member.aim.is_some() {
                    return;
                }
            }
            _ => {}
        }
        // One that comes nearer is not held up.
        if member.n_waiting == 0 {
            return;
        }
        let Some(route) = member.route.clone() else {
            return;
        };
        if member.next == 0
            || route[member.next - 1].next != RouteStep::Walk
            || self.fits_to(ground, index, member, (member.point, WIDTH_BEHIND))
        {
            return;
        }
        let (from, to) = (route[member.next - 1].at, route[member.next].at);
        let length = (to - from).length();
        if let Some(along) = (to - from).normalized() {
            let foot = along.dot(position - from).clamp(0.0, length);
            let steps = (0..=8_u32)
                .rev()
                .map(|step| (foot + f64::from(step)).min(length));
            let mut points = steps.map(|at| from + along * at);
            member.aim = points.find(|at| sees(self, member, *at));
        }
        if member.aim.is_none() {
            self.turn_back(ground, index, member, &route);
        }
    }

    /// Steers to the last earlier point that is in sight.
    fn turn_back(&self, ground: &Ground, index: usize, member: &mut Member, route: &[RoutePoint]) {
        let walked = route[..member.next]
            .iter()
            .rposition(|point| point.next != RouteStep::Walk);
        let first = walked.map_or(0, |link| link + 1);
        let mut earlier = (first..member.next).rev();
        if let Some(seen) = earlier.find(|&at| self.sees(ground, index, member, route[at].at)) {
            let pairs = route[seen..=member.next].windows(2);
            member.left_after_next += pairs
                .map(|pair| (pair[1].at - pair[0].at).length())
                .sum::<f64>();
            member.steer_to(seen);
        }
    }

    /// True if the straight line from an agent to a point crosses nothing that blocks it.
    fn sees(&self, ground: &Ground, index: usize, member: &Member, to: Vec2) -> bool {
        let nav_graph = NavGraph::new(ground, member.agent.profile_id);
        let from = self.discs[index].position;
        let to = from + (to - from).clamped(MAX_SIGHT);
        nav_graph.is_ok_and(|graph| is_straight(graph, self.motions[index].cell, from, to))
    }

    /// True if the agent may steer to the point after the next.
    fn has_passed(
        &self,
        ground: &Ground,
        (index, position): (usize, Vec2),
        member: &Member,
    ) -> bool {
        if member.is_last || !member.is_walk {
            return false;
        }
        let squared = (member.point - position).length_squared();
        let near = member.agent.radius.min(0.1);
        if squared <= near * near {
            return true;
        }
        self.is_look(index)
            && squared <= LOOKAHEAD * LOOKAHEAD
            && self.fits_to(ground, index, member, (member.beyond, WIDTH_AHEAD))
    }

    /// True if the disc of an agent fits along the straight line to a point: its center and its sides.
    fn fits_to(
        &self,
        ground: &Ground,
        index: usize,
        member: &Member,
        (to, width): (Vec2, f64),
    ) -> bool {
        let Ok(graph) = NavGraph::new(ground, member.agent.profile_id) else {
            return false;
        };
        let from = self.discs[index].position;
        let to = from + (to - from).clamped(MAX_SIGHT);
        let here = self.motions[index].cell;
        if !is_straight(graph, here, from, to) {
            return false;
        }
        let Some(along) = (to - from).normalized() else {
            return true;
        };
        let side = along.right() * (member.agent.radius * width);
        [side, -side].into_iter().all(|side| {
            let begin = from + side;
            let cell = cell_beside(graph, here, (floor(begin.x), floor(begin.y)));
            cell.is_some_and(|cell| is_straight(graph, cell, begin, to + side))
        })
    }

    /// True if resting agents cover the end of the route or fill the place around it, and the agent
    /// has waited beside them.
    fn is_end_taken(&self, index: usize, member: &Member) -> bool {
        let patience = match member.is_last {
            true => SETTLE_TICKS,
            false => SETTLE_BEFORE_TICKS,
        };
        if member.n_waiting < patience {
            return false;
        }
        let end = self.peers[index].end;
        let agent = &self.discs[index];
        self.lists[index].slots().iter().any(|&slot| {
            let (other, at) = (&self.peers[slot as usize], &self.discs[slot as usize]);
            let reach = (agent.radius + at.radius) * 1.2;
            let is_beside = (at.position - agent.position).length() <= reach;
            let covers = (at.position - end).length() < agent.radius + at.radius;
            let shares_end = (other.end - end).length() <= agent.radius + at.radius;
            is_beside && other.state == AgentState::Arrived && (covers || shares_end)
        })
    }

    /// True if the agent waits behind another that goes first to the same point.
    fn is_queued(&self, index: usize) -> bool {
        let at = &self.discs[index];
        let mut slots = self.lists[index].slots().iter();
        slots.any(|&slot| {
            let other = &self.discs[slot as usize];
            let reach = (at.radius + other.radius) * QUEUED;
            (other.position - at.position).length_squared() <= reach * reach
                && order_of(
                    (index, &self.peers[index], at.position),
                    (slot as usize, &self.peers[slot as usize], other.position),
                ) == Precedence::Behind
        })
    }

    fn note_progress(
        &mut self,
        (index, member): (usize, &mut Member),
        distance: f64,
        (position, velocity): (Vec2, Vec2),
    ) {
        let left = distance + member.left_after_next;
        member.left = match member.gate {
            Some(_) => (member.target - position).length(),
            None => distance,
        };
        let speed = velocity.length();
        let walked = member.agent.max_speed * member.pace;
        let n_hindered = &mut self.motions[index].n_hindered;
        *n_hindered = if speed < HINDERED * walked {
            (*n_hindered + 1).min(MAX_HINDERED_TICKS)
        } else {
            n_hindered.saturating_sub(1)
        };
        member.n_slow = if speed < walked * 0.25 {
            (member.n_slow + 1).min(MAX_SLOW_TICKS)
        } else {
            member.n_slow.saturating_sub(2)
        };
        // Progress is a hundredth of what the agent could have walked.
        let step = member.agent.max_speed * self.options.tick_seconds * 0.01;
        if left < member.least_left - step {
            (member.least_left, member.n_waiting) = (left, 0);
            return;
        }
        if self.is_queued(index) {
            return;
        }
        member.n_waiting += 1;
        if member
            .n_waiting
            .is_multiple_of(self.options.stuck_ticks.max(1))
        {
            self.events.push(CrowdEvent::Stuck(self.id_at(index)));
            member.least_left = f64::INFINITY;
        }
    }
}

//! Following: from the route of each agent to the velocity that it prefers.

use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::Ground;

use crate::agent::{AgentState, CrowdEvent, RoutePoint, RouteStep};
use crate::crowd::{Crowd, Member};
use crate::sight::{cell_beside, is_straight};
use crate::vector::{Vec2, floor};

/// Distance to a point of a route within which the agent looks beyond it, in cells.
const LOOKAHEAD: f64 = 4.0;
/// Width of the disc, of its own, that must fit along a line to look ahead, and to keep to it.
const WIDTH_AHEAD: f64 = 0.95;
const WIDTH_BEHIND: f64 = 0.7;
/// Ticks between two looks ahead of one agent.
const LOOK_TICKS: u64 = 4;
/// Ticks of standing beside resting agents after which an agent settles.
const SETTLE_TICKS: u32 = 15;

/// Ticks of impatience at most.
const MAX_SLOW_TICKS: u32 = 30;

impl Crowd {
    pub(crate) fn follow_routes(&mut self, ground: &Ground) {
        for index in 0..self.members.len() {
            let Some(mut member) = self.members[index].take() else {
                continue;
            };
            self.preferred[index] = match member.state {
                AgentState::Moving => self.follow(ground, index, &mut member),
                AgentState::AtLink if self.options.traverses_links => {
                    member.state = AgentState::Traversing;
                    Vec2::ZERO
                }
                _ => Vec2::ZERO,
            };
            self.members[index] = Some(member);
        }
    }

    fn follow(&mut self, ground: &Ground, index: usize, member: &mut Member) -> Vec2 {
        let Some(route) = member.route.clone() else {
            return Vec2::ZERO;
        };
        let position = self.discs[index].position;
        self.turn_back(ground, index, member, &route);
        while self.has_passed(ground, index, member, &route) {
            let (from, to) = (route[member.next].at, route[member.next + 1].at);
            member.next += 1;
            member.left_after_next = (member.left_after_next - (to - from).length()).max(0.0);
        }
        let target = &route[member.next];
        let to_target = target.at - position;
        let distance = to_target.length();
        let is_last = member.next + 1 == route.len();
        if is_last && distance <= self.options.arrival {
            return self.rest(index, member, AgentState::Arrived);
        }
        if !is_last && target.next != RouteStep::Walk && distance <= self.options.arrival.max(0.1) {
            return self.rest(index, member, AgentState::AtLink);
        }
        if is_last && self.is_end_taken(index, member, target) {
            self.events.push(CrowdEvent::Settled(self.id_at(index)));
            member.state = AgentState::Arrived;
            return Vec2::ZERO;
        }
        if let RouteStep::NavLink(link) = target.next
            && !member.is_link_announced
            && distance <= self.options.announced
        {
            member.is_link_announced = true;
            self.events
                .push(CrowdEvent::LinkAhead(self.id_at(index), link));
        }
        member.target = target.at;
        member.after = route
            .get(member.next + 1)
            .map_or(target.at, |after| after.at);
        self.note_progress(index, member, distance);
        let must_stop = is_last || target.next != RouteStep::Walk;
        let braking = (2.0 * member.agent.max_acceleration * 0.5 * distance).sqrt();
        let in_one_tick = distance / self.options.tick_seconds;
        let speed = if must_stop {
            member.agent.max_speed.min(braking).min(in_one_tick)
        } else {
            member.agent.max_speed
        };
        to_target
            .normalized()
            .map_or(Vec2::ZERO, |direction| direction * speed)
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

    /// Steers to the point before if the next is no longer in sight: others pushed the agent back.
    fn turn_back(&self, ground: &Ground, index: usize, member: &mut Member, route: &[RoutePoint]) {
        let is_turn = (self.n_ticks + index as u64).is_multiple_of(LOOK_TICKS);
        if !is_turn || member.next == 0 || route[member.next - 1].next != RouteStep::Walk {
            return;
        }
        // One that comes nearer is not held up, and lines may be long.
        if member.n_waiting == 0 {
            return;
        }
        if self.fits_to(ground, index, member, (route[member.next].at, WIDTH_BEHIND)) {
            return;
        }
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
            member.next = seen;
        }
    }

    /// True if the straight line from an agent to a point crosses nothing that blocks it.
    fn sees(&self, ground: &Ground, index: usize, member: &Member, to: Vec2) -> bool {
        let nav_graph = NavGraph::new(ground, member.agent.profile_id);
        let from = self.discs[index].position;
        nav_graph.is_ok_and(|graph| is_straight(graph, member.cell, from, to))
    }

    /// True if the agent may steer to the point after the next.
    fn has_passed(
        &self,
        ground: &Ground,
        index: usize,
        member: &Member,
        route: &[RoutePoint],
    ) -> bool {
        let Some([point, after]) = route.get(member.next..member.next + 2) else {
            return false;
        };
        if point.next != RouteStep::Walk {
            return false;
        }
        let position = self.discs[index].position;
        let distance = (point.at - position).length();
        let is_turn = (self.n_ticks + index as u64).is_multiple_of(LOOK_TICKS);
        if distance <= member.agent.radius.min(0.1) {
            return true;
        }
        if distance > LOOKAHEAD || !is_turn {
            return false;
        }
        self.fits_to(ground, index, member, (after.at, WIDTH_AHEAD))
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
        if !is_straight(graph, member.cell, from, to) {
            return false;
        }
        let Some(along) = (to - from).normalized() else {
            return true;
        };
        let side = along.right() * (member.agent.radius * width);
        [side, -side].into_iter().all(|side| {
            let begin = from + side;
            let cell = cell_beside(graph, member.cell, (floor(begin.x), floor(begin.y)));
            cell.is_some_and(|cell| is_straight(graph, cell, begin, to + side))
        })
    }

    /// True if resting agents cover the end of the route or fill the place around it, and the agent
    /// has waited beside them.
    fn is_end_taken(&self, index: usize, member: &Member, end: &RoutePoint) -> bool {
        if member.n_waiting < SETTLE_TICKS {
            return false;
        }
        let agent = &self.discs[index];
        self.lists[index].slots().iter().any(|&slot| {
            let (Some(other), at) = (&self.members[slot as usize], &self.discs[slot as usize])
            else {
                return false;
            };
            let reach = (agent.radius + at.radius) * 1.2;
            let is_beside = (at.position - agent.position).length() <= reach;
            let covers = (at.position - end.at).length() < agent.radius + at.radius;
            let shares_end = other
                .route
                .as_ref()
                .and_then(|route| route.last())
                .is_some_and(|theirs| (theirs.at - end.at).length() <= agent.radius + at.radius);
            is_beside && other.state == AgentState::Arrived && (covers || shares_end)
        })
    }

    fn note_progress(&mut self, index: usize, member: &mut Member, distance: f64) {
        let left = distance + member.left_after_next;
        member.left = distance;
        let speed = self.discs[index].velocity.length();
        member.n_slow = if speed < member.agent.max_speed * 0.25 {
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

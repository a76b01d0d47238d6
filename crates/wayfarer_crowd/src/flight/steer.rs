//! Steering of flyers: along their flights, around each other.

use wayfarer_world::air::Air;

use super::flock::{Flock, Member};
use super::orca::{MAX_PLANES, Plane, plane_between, solve};
use super::vector::{Vec3, fixed};
use crate::agent::{AgentState, CrowdEvent};
use crate::vector::floor;

/// Distance within which flyers see each other, and the side of bins, in voxels.
const SIGHT: f64 = 5.0;
/// Distance to a vertex within which the flyer looks beyond it, in voxels.
const LOOKAHEAD: f64 = 8.0;
/// Ticks between two looks of one flyer.
const LOOK_TICKS: u64 = 4;
/// Ticks of waiting beside resting flyers after which a flyer settles.
const SETTLE_TICKS: u32 = 15;
/// How long ahead flyers avoid those that rest.
const RESTING_SECONDS: f64 = 0.4;
/// How much to the right a flyer turns for every other that comes against it, and at most.
const BIAS: f64 = 0.3;
const MAX_BIAS: f64 = 1.0;
/// Fewer flyers than this are not worth a thread.
const MIN_FLYERS_PER_THREAD: usize = 64;

impl Flock {
    /// The velocity that each flyer would choose alone.
    pub(super) fn follow_flights(&mut self, air: &Air) {
        let mut members = std::mem::take(&mut self.members);
        for (index, member) in members.iter_mut().enumerate() {
            if let Some(member) = member
                && member.state == AgentState::Moving
            {
                member.preferred = self.follow(air, index, member);
            }
        }
        self.members = members;
    }

    fn follow(&mut self, air: &Air, index: usize, member: &mut Member) -> Vec3 {
        let Some(flight) = member.flight.clone() else {
            return Vec3::ZERO;
        };
        let is_look = (self.n_ticks + index as u64).is_multiple_of(LOOK_TICKS);
        let at = member.ball.position;
        while member.next + 1 < flight.len() {
            let distance = (flight[member.next] - at).length();
            let is_there = distance <= member.flyer.radius.min(0.1);
            let is_ahead =
                is_look && distance <= LOOKAHEAD && sees(air, member, flight[member.next + 1]);
            if !is_there && !is_ahead {
                break;
            }
            let passed = (flight[member.next + 1] - flight[member.next]).length();
            member.left_after_next = (member.left_after_next - passed).max(0.0);
            member.next += 1;
        }
        let target = flight[member.next];
        let distance = (target - at).length();
        if member.next + 1 == flight.len() && distance <= self.options.arrival {
            member.state = AgentState::Arrived;
            self.events.push(CrowdEvent::Arrived(self.id_at(index)));
            return Vec3::ZERO;
        }
        if is_look {
            member.aim = back_in_sight(air, member, &flight);
        }
        self.note_progress(index, member, distance + member.left_after_next);
        let speed = member.flyer.max_speed;
        let speed = match member.next + 1 == flight.len() {
            true => {
                let braking = (member.flyer.max_acceleration * distance).sqrt();
                speed.min(braking).min(distance / self.options.tick_seconds)
            }
            false => speed,
        };
        let to = member.aim.unwrap_or(target) - at;
        to.normalized().map_or(Vec3::ZERO, |along| along * speed)
    }

    fn note_progress(&mut self, index: usize, member: &mut Member, left: f64) {
        let step = member.flyer.max_speed * self.options.tick_seconds * 0.01;
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

    /// Flyers that wait beside resting ones that cover the end of their flight, or share it, rest there.
    pub(super) fn settle(&mut self) {
        for index in 0..self.members.len() {
            let Some(member) = &self.members[index] else {
                continue;
            };
            let end = member.flight.as_ref().and_then(|flight| flight.last());
            let (AgentState::Moving, true, Some(end), Some(list)) = (
                member.state,
                member.n_waiting >= SETTLE_TICKS,
                end.copied(),
                self.lists.get(index),
            ) else {
                continue;
            };
            let is_taken = list.iter().any(|&slot| {
                let Some(Some(other)) = self.members.get(slot as usize) else {
                    return false;
                };
                let reach = member.ball.radius + other.ball.radius;
                let their_end = other.flight.as_ref().and_then(|flight| flight.last());
                let is_near = |a: Vec3, b: Vec3, reach: f64| (a - b).length() <= reach;
                other.state == AgentState::Arrived
                    && is_near(other.ball.position, member.ball.position, reach * 1.2)
                    && (is_near(other.ball.position, end, reach)
                        || their_end.is_some_and(|their_end| is_near(*their_end, end, reach)))
            });
            let id = self.id_at(index);
            if is_taken && let Some(member) = &mut self.members[index] {
                member.state = AgentState::Arrived;
                member.preferred = Vec3::ZERO;
                self.events.push(CrowdEvent::Settled(id));
            }
        }
    }

    /// Registers all flyers by bin, and lists the neighbors of those that move, nearest first.
    pub(super) fn find_neighbors(&mut self) {
        let (mut bins, mut lists) = (
            std::mem::take(&mut self.bins),
            std::mem::take(&mut self.lists),
        );
        bins.clear();
        for (slot, member) in (0_u32..).zip(&self.members) {
            bins.extend(
                member
                    .iter()
                    .map(|member| (bin(member.ball.position), slot)),
            );
        }
        bins.sort_unstable();
        lists.resize_with(self.members.len(), Vec::new);
        let balls = self
            .members
            .iter()
            .flatten()
            .map(|member| member.ball.radius);
        let largest = balls.fold(0.0, f64::max);
        let mut found = Vec::new();
        for (index, list) in lists.iter_mut().enumerate() {
            list.clear();
            if let Some(member) = &self.members[index]
                && member.state == AgentState::Moving
            {
                let range = (member.ball.radius + largest + 2.0).max(SIGHT);
                self.neighbors_of(&bins, (index, member), range, &mut found);
                list.extend(found.iter().map(|(_, slot)| *slot).take(MAX_PLANES));
            }
        }
        (self.bins, self.lists) = (bins, lists);
    }

    fn neighbors_of(
        &self,
        bins: &[([i32; 3], u32)],
        (index, member): (usize, &Member),
        range: f64,
        found: &mut Vec<(f64, u32)>,
    ) {
        found.clear();
        let at = member.ball.position;
        let reach = Vec3::new(range, range, range);
        let (low, high) = (bin(at - reach), bin(at + reach));
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                let first = bins.partition_point(|(bin, _)| *bin < [x, y, low[2]]);
                let row = bins[first..].iter();
                for (_, slot) in row.take_while(|(bin, _)| *bin <= [x, y, high[2]]) {
                    let Some(Some(other)) = self.members.get(*slot as usize) else {
                        continue;
                    };
                    let gap = (other.ball.position - at).length() - other.ball.radius;
                    if *slot as usize != index && gap + other.ball.radius <= range {
                        found.push((gap, *slot));
                    }
                }
            }
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// Chooses the velocity of every flyer from the positions and velocities of the tick before.
    pub(super) fn steer(&mut self) {
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        wanted.resize(self.members.len(), Vec3::ZERO);
        let n_threads = self.options.n_threads.max(1);
        let n_each = wanted.len().div_ceil(n_threads).max(MIN_FLYERS_PER_THREAD);
        if n_threads == 1 || wanted.len() <= n_each {
            self.choose_all(0, &mut wanted);
        } else {
            let flock = &*self;
            std::thread::scope(|scope| {
                for (number, part) in wanted.chunks_mut(n_each).enumerate() {
                    scope.spawn(move || flock.choose_all(number * n_each, part));
                }
            });
        }
        self.wanted = wanted;
    }

    fn choose_all(&self, first: usize, wanted: &mut [Vec3]) {
        for (offset, velocity) in wanted.iter_mut().enumerate() {
            if let Some(member) = &self.members[first + offset]
                && member.state == AgentState::Moving
            {
                *velocity = self.choose(first + offset, member);
            }
        }
    }

    fn choose(&self, index: usize, member: &Member) -> Vec3 {
        let mut planes = [Plane::default(); MAX_PLANES];
        let mut n = 0;
        let mut n_opposed = 0.0;
        for &slot in &self.lists[index] {
            let Some(Some(other)) = self.members.get(slot as usize) else {
                continue;
            };
            if other.flyer.layers & member.flyer.avoids == 0 {
                continue;
            }
            let offset = other.ball.position - member.ball.position;
            if offset.dot(member.preferred) > 0.0 && other.preferred.dot(member.preferred) < 0.0 {
                n_opposed += 1.0;
            }
            let step = self.options.tick_seconds;
            let (share, horizon) = match other.state {
                AgentState::Moving => (share(member, other), self.options.horizon),
                _ => (1.0, self.options.horizon.min(RESTING_SECONDS)),
            };
            planes[n] = plane_between(&member.ball, &other.ball, share, (horizon, step));
            n += 1;
        }
        let mut preferred = member.preferred;
        let bias = f64::min(n_opposed * BIAS, MAX_BIAS);
        if bias > 0.0 {
            let right = Vec3::new(-preferred.y, preferred.x, 0.0);
            // Straight up and straight down: to opposite sides, too.
            let side = if preferred.z < 0.0 { -1.0 } else { 1.0 };
            let right = right.normalized().unwrap_or(Vec3::new(side, 0.0, 0.0));
            let turned = preferred + right * (bias * preferred.length());
            preferred = turned * (1.0 / (1.0 + bias * bias).sqrt());
        }
        solve(&planes[..n], preferred, member.flyer.max_speed)
    }
}

/// The share of avoiding `other` that a flyer takes.
fn share(member: &Member, other: &Member) -> f64 {
    if member.flyer.layers & other.flyer.avoids == 0 {
        return 1.0;
    }
    let [own, theirs] = [member, other].map(|one| f64::from(one.flyer.priority));
    (1.0 + theirs) / (2.0 + own + theirs)
}

/// True if the ball of a flyer moves freely along the straight line to a point.
fn sees(air: &Air, member: &Member, to: Vec3) -> bool {
    let radius = fixed(member.flyer.radius);
    let from = member.ball.position.to_point();
    air.sweep(from, to.to_point(), radius).is_none()
}

/// Where a flyer steers that others pushed out of sight of its next vertex: to the farthest point in
/// sight on the line to that vertex, or to an earlier vertex.
fn back_in_sight(air: &Air, member: &Member, flight: &[Vec3]) -> Option<Vec3> {
    if member.n_waiting == 0 || member.next == 0 || sees(air, member, flight[member.next]) {
        return None;
    }
    let (from, to) = (flight[member.next - 1], flight[member.next]);
    let length = (to - from).length();
    let along = (to - from).normalized()?;
    let foot = along.dot(member.ball.position - from).clamp(0.0, length);
    let steps = (0..=8_u32)
        .rev()
        .map(|step| (foot + f64::from(step)).min(length));
    let on_line = steps.map(|at| from + along * at);
    let earlier = flight[..member.next].iter().rev().copied();
    on_line.chain(earlier).find(|at| sees(air, member, *at))
}

fn bin(at: Vec3) -> [i32; 3] {
    at.to_array().map(|at| floor(at / SIGHT))
}

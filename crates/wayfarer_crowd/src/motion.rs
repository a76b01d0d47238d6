//! Motion: velocities that avoid, moves that keep off walls and each other.

use wayfarer_base::Cell;
use wayfarer_search::ground::NavGraph;
use wayfarer_world::ground::Ground;

use crate::agent::{AgentState, RouteStep};
use crate::crowd::Crowd;
use crate::lanes::{LANE_STEP, LANE_TICKS};
use crate::member::Member;
use crate::motion_state::MotionState;
use crate::orca::{Line, Lines, MovingDisc, line_between};
use crate::precedence::{Precedence, Urge};
use crate::sight::cell_beside;
use crate::vector::{Vec2, floor};
use crate::walls;

/// Walls that bind one agent's choice of velocity.
const MAX_WALL_LINES: usize = 12;
/// Fewer agents than this are not worth a thread.
const MIN_AGENTS_PER_THREAD: usize = 128;
/// How long ahead agents avoid those that rest: like walls, they are passed closely.
const RESTING_SECONDS: f64 = 0.4;
/// Largest radius of an agent, and more than one moves in a tick, in cells.
const MAX_RADIUS: f64 = 8.0;
const MAX_STEP: f64 = 2.0;
/// Passes that push overlapping agents apart.
const RELAXATIONS: u32 = 3;
/// How often a move is halved before it is not made: in a jam many pairs shorten a move at once, and
/// agents that never move by a little never make room.
const MAX_HALVINGS: u8 = 5;
/// How much to the right an agent turns for every other that comes against it, and at most: ties of
/// symmetry end, lanes and roundabouts form.
const BIAS: f64 = 0.3;
const MAX_BIAS: f64 = 1.0;
/// How much more to the right for every tick of being hindered by one whose route crosses.
const HINDERED_BIAS: f64 = 0.1;
/// The gap to an agent that goes first to the same point, in radii, and the time in which it is
/// restored.
const QUEUE_GAP: f64 = 0.3;
const QUEUE_SECONDS: f64 = 0.3;
/// Distance of the one that goes first to the point, in cells, up to which others step back for it.
const RETREAT_CELLS: f64 = 3.0;
/// Share of its speed at which an agent that rests steps aside for one that leads.
const ASIDE: f64 = 0.5;
/// How long ahead agents avoid those that go first.
const QUEUE_HORIZON: f64 = 0.5;

impl Crowd {
    /// Chooses the velocity of every agent from the positions and velocities of the tick before.
    pub(crate) fn steer(&mut self) {
        let mut velocities = std::mem::take(&mut self.next_velocities);
        velocities.clear();
        velocities.resize(self.members.len(), Vec2::ZERO);
        let mut lanes = std::mem::take(&mut self.lanes);
        lanes.clear();
        lanes.resize(self.members.len(), 0);
        let mut clearances = std::mem::take(&mut self.clearances);
        clearances.resize(self.members.len(), 0.0);
        let n_threads = self.options.n_threads.max(1);
        let n_each = velocities
            .len()
            .div_ceil(n_threads)
            .max(MIN_AGENTS_PER_THREAD);
        if n_threads == 1 || velocities.len() <= n_each {
            self.choose_all(0, &mut velocities, (&mut lanes, &mut clearances));
        } else {
            let crowd = &*self;
            std::thread::scope(|scope| {
                let lanes = lanes.chunks_mut(n_each);
                let others = lanes.zip(clearances.chunks_mut(n_each));
                let parts = velocities.chunks_mut(n_each).zip(others);
                for (number, (part, others)) in parts.enumerate() {
                    scope.spawn(move || crowd.choose_all(number * n_each, part, others));
                }
            });
        }
        (self.lanes, self.clearances) = (lanes, clearances);
        self.next_velocities = std::mem::replace(&mut self.wanted, velocities);
    }

    /// Chooses the velocities of the agents from a slot on.
    fn choose_all(
        &self,
        first: usize,
        velocities: &mut [Vec2],
        (lanes, clearances): (&mut [u8], &mut [f64]),
    ) {
        let mut lines = Lines::default();
        for (offset, velocity) in velocities.iter_mut().enumerate() {
            let index = first + offset;
            if self.is_awake[index] {
                let motion = &self.motions[index];
                lines.clear();
                clearances[offset] = self.push_walls(index, motion, &mut lines);
                if let Some(lane) = &motion.corridor {
                    lines.push_wall(lane.line(self.discs[index].position));
                }
                (*velocity, lanes[offset]) = self.choose(index, motion, &mut lines);
            }
        }
    }

    fn choose(&self, index: usize, motion: &MotionState, lines: &mut Lines) -> (Vec2, u8) {
        let disc = &self.discs[index];
        let times = (self.options.horizon, self.options.tick_seconds);
        let mut preferred = self.preferred[index];
        let mut n_opposed = 0.0;
        let mut is_crossed = false;
        let mut lane = motion.lane.saturating_sub(1);
        let mut aside = Vec2::ZERO;
        let own = &self.peers[index];
        for &slot in self.lists[index].slots() {
            let other = &self.peers[slot as usize];
            if other.layers & own.avoids == 0 || other.state == AgentState::Traversing {
                continue;
            }
            let theirs = &self.discs[slot as usize];
            let offset = theirs.position - disc.position;
            let precedence = self.precedence(index, slot as usize);
            let is_shared = precedence == Precedence::Shared;
            let theirs_preferred = self.preferred[slot as usize];
            if offset.dot(preferred) > 0.0 {
                let dot = theirs_preferred.dot(preferred);
                n_opposed += f64::from(u8::from(is_shared && dot < 0.0));
                let squares = theirs_preferred.length_squared() * preferred.length_squared();
                if dot * dot > 0.25 * squares {
                    lane = lane.max(match dot < 0.0 {
                        true => LANE_TICKS,
                        false => other.lane.saturating_sub(LANE_STEP),
                    });
                }
            }
            is_crossed = is_crossed
                || motion.n_hindered > 0
                    && is_shared
                    && other.state == AgentState::Moving
                    && crosses((disc.position, own.target), (theirs.position, other.target));
            match precedence {
                Precedence::Ours => {}
                Precedence::Theirs => {
                    let velocity = match self.urges[slot as usize] {
                        Urge::NONE => theirs.velocity,
                        _ => self.wanted[slot as usize],
                    };
                    let coming = MovingDisc {
                        velocity,
                        ..*theirs
                    };
                    lines.push(line_between(disc, &coming, 1.0, times));
                    if own.state != AgentState::Moving {
                        let side = self.step_aside(index, slot as usize);
                        aside += side * (motion.max_speed * ASIDE);
                    }
                }
                Precedence::Behind => {
                    // One beside the agent needs no gap: between two of them it could not keep both.
                    let ahead = offset.normalized().zip(preferred.normalized());
                    let ahead = ahead.map_or(0.0, |(offset, along)| offset.dot(along).max(0.0));
                    let mut gap = disc.radius * QUEUE_GAP * ahead;
                    if other.left > RETREAT_CELLS {
                        // Far from the point the agent waits for its gap: a queue that steps back as a
                        // whole ends up pressed against a wall behind it.
                        let free = offset.length() - disc.radius - theirs.radius;
                        gap = gap.min(free.max(0.0));
                    }
                    let room = MovingDisc {
                        radius: theirs.radius + gap,
                        ..*theirs
                    };
                    let times = (times.0.min(QUEUE_HORIZON), QUEUE_SECONDS);
                    lines.push(line_between(disc, &room, 1.0, times));
                }
                Precedence::Shared if self.is_awake[slot as usize] => {
                    lines.push(line_between(disc, theirs, own.share(other), times));
                }
                Precedence::Shared => {
                    let times = (times.0.min(RESTING_SECONDS), times.1);
                    lines.push(line_between(disc, theirs, 1.0, times));
                }
            }
        }
        let mut bias = f64::min(n_opposed * BIAS, MAX_BIAS);
        if is_crossed {
            bias = bias.max(f64::from(motion.n_hindered) * HINDERED_BIAS);
        }
        if bias > 0.0 {
            let turned = preferred + preferred.right() * bias;
            preferred = turned * (1.0 / (1.0 + bias * bias).sqrt());
        }
        (lines.solve(preferred + aside, motion.max_speed), lane)
    }

    /// Where an agent that rests goes for one that leads: off its line to the nearer side, to the right if
    /// it stands in the very middle of it.
    fn step_aside(&self, index: usize, leader: usize) -> Vec2 {
        let (disc, theirs) = (&self.discs[index], &self.discs[leader]);
        let Some(along) = self.preferred[leader].normalized() else {
            return Vec2::ZERO;
        };
        let offset = disc.position - theirs.position;
        let across = along.right().dot(offset);
        let reach = disc.radius + theirs.radius;
        if across.abs() >= reach || along.dot(offset) <= 0.0 {
            return Vec2::ZERO;
        }
        let side = if across < 0.0 { -1.0 } else { 1.0 };
        along.right() * side
    }

    /// Appends the half-planes of the walls around an agent, and returns its distance to the nearest.
    fn push_walls(&self, index: usize, motion: &MotionState, lines: &mut Lines) -> f64 {
        let Some(list) = motion.walls else { return 0.0 };
        let (disc, walls) = (&self.discs[index], self.walls.walls(list));
        let horizon = self.options.wall_horizon;
        let reach = disc.radius + motion.max_speed * horizon;
        let mut nearest = f64::INFINITY;
        let mut n = 0;
        for wall in walls {
            let offset = wall.offset_to(disc.position);
            let squared = offset.length_squared();
            nearest = nearest.min(squared);
            if squared >= reach * reach || n == MAX_WALL_LINES {
                continue;
            }
            if walls::is_corner_of_nearer(wall, disc.position, walls) {
                continue;
            }
            let distance = squared.sqrt();
            if distance <= walls::TOLERANCE {
                continue;
            }
            let out = offset * (1.0 / distance);
            let room = (distance - disc.radius).max(0.0) / horizon;
            lines.push_wall(Line {
                point: out * -room,
                direction: Vec2::new(out.y, -out.x),
            });
            n += 1;
        }
        nearest.sqrt()
    }

    /// Moves all agents by their velocities: off the walls, apart from each other, or not at all.
    pub(crate) fn move_agents(&mut self, ground: &Ground) {
        let n = self.members.len();
        self.candidates.resize(n, Vec2::ZERO);
        self.pushed.resize(n, Vec2::ZERO);
        self.n_halved.resize(n, 0);
        self.touching.clear();
        for index in 0..n {
            self.candidates[index] = match self.is_awake[index] {
                true => self.moved_alone(index),
                false => self.discs[index].position,
            };
            if self.is_awake[index] && !self.lists[index].contacts().is_empty() {
                self.touching.extend(u32::try_from(index).ok());
            }
        }
        for _ in 0..RELAXATIONS {
            if !self.relax() {
                break;
            }
        }
        self.hold_back();
        let mut farthest: f64 = 0.0;
        for index in 0..n {
            if self.may_move[index] {
                farthest = farthest.max(self.commit(ground, index));
            }
        }
        self.drift += farthest.sqrt();
    }

    /// Where an agent would be without the others.
    fn moved_alone(&self, index: usize) -> Vec2 {
        let (disc, motion) = (&self.discs[index], &self.motions[index]);
        let seconds = self.options.tick_seconds;
        let wanted = motion.turned(self.wanted[index]);
        let change = wanted - disc.velocity;
        let velocity = disc.velocity + change.clamped(motion.max_acceleration * seconds);
        let step = velocity * seconds;
        // No wall is within the step: nothing pushes the agent out.
        let room = self.clearances[index] - disc.radius;
        if room > 0.0 && step.length_squared() < room * room {
            return disc.position + step;
        }
        self.moved_by(index, disc.position, step)
    }

    /// The position after a step, pushed out of walls; steps longer than the radius are taken in
    /// parts, so that none crosses a wall.
    fn moved_by(&self, index: usize, at: Vec2, step: Vec2) -> Vec2 {
        let Some(list) = self.motions[index].walls else {
            return at;
        };
        let walls = self.walls.walls(list);
        if walls.is_empty() {
            return at + step;
        }
        let (radius, length) = (self.discs[index].radius, step.length());
        let mut at = at;
        let mut left = length;
        while left > 0.0 {
            let part = left.min(radius);
            let Some(next) = walls::pushed_out(at + step * (part / length), radius, walls) else {
                break;
            };
            if (next - at).length() > 1.5 * radius {
                break;
            }
            at = next;
            left -= part;
        }
        at
    }

    /// Pushes overlapping candidates apart, all at once; false if none overlap.
    fn relax(&mut self) -> bool {
        let mut pushes = std::mem::take(&mut self.pushes);
        pushes.clear();
        for &slot in &self.touching {
            let index = slot as usize;
            let push = self.push_on(index);
            if push != Vec2::ZERO {
                pushes.push((slot, self.moved_by(index, self.candidates[index], push)));
            }
        }
        for (slot, at) in &pushes {
            self.candidates[*slot as usize] = *at;
        }
        self.pushes = pushes;
        !self.pushes.is_empty()
    }

    fn push_on(&self, index: usize) -> Vec2 {
        let (at, radius) = (self.candidates[index], self.discs[index].radius);
        let mut push = Vec2::ZERO;
        for &slot in self.lists[index].contacts() {
            let offset = at - self.candidates[slot as usize];
            let reach = radius + self.discs[slot as usize].radius;
            let squared = offset.length_squared();
            if squared >= reach * reach || !self.peers[index].touches(&self.peers[slot as usize]) {
                continue;
            }
            let distance = squared.sqrt();
            let out = if distance > 0.0 {
                offset * (1.0 / distance)
            } else if index < slot as usize {
                Vec2::new(1.0, 0.0)
            } else {
                Vec2::new(-1.0, 0.0)
            };
            let precedence = self.precedence(index, slot as usize);
            let part = match precedence {
                Precedence::Ours => 0.0,
                Precedence::Shared if self.is_awake[slot as usize] => 0.5,
                _ => 1.0,
            };
            push += out * ((reach - distance) * part);
        }
        push.clamped(radius * 0.5)
    }

    /// Shortens moves until no pair overlaps by more than allowed: of each pair that does, those
    /// that come nearer to the other take half of their move, a quarter, then none. If none moves,
    /// no pair overlaps more than before, so this ends.
    fn hold_back(&mut self) {
        let touching = std::mem::take(&mut self.touching);
        let mut n_halved = std::mem::take(&mut self.n_halved);
        n_halved.fill(0);
        self.pushed.clone_from(&self.candidates);
        let mut changed_in = std::mem::take(&mut self.changed_in);
        changed_in.clear();
        changed_in.resize(self.members.len(), 0);
        let (mut is_changed, mut pass) = (true, 0);
        while is_changed {
            (is_changed, pass) = (false, pass + 1);
            for &first in &touching {
                let index = first as usize;
                for &slot in self.lists[index].contacts() {
                    let other = slot as usize;
                    // A pair of which neither has changed since it was looked at is as it was.
                    let is_same = changed_in[index].max(changed_in[other]) + 1 < pass;
                    if is_same || !self.overlaps_too_much([index, other]) {
                        continue;
                    }
                    let between = self.candidates[other] - self.candidates[index];
                    let moves =
                        [index, other].map(|at| self.candidates[at] - self.discs[at].position);
                    let comes_nearer = [moves[0].dot(between) > 0.0, moves[1].dot(between) < 0.0];
                    for (side, at) in [index, other].into_iter().enumerate() {
                        let is_chosen = comes_nearer[side] || comes_nearer == [false; 2];
                        if is_chosen && moves[side] != Vec2::ZERO {
                            n_halved[at] += 1;
                            changed_in[at] = pass;
                            self.candidates[at] = self.shortened(at, n_halved[at]);
                            is_changed = true;
                        }
                    }
                }
            }
        }
        (self.n_halved, self.changed_in) = (n_halved, changed_in);
        self.touching = touching;
    }

    /// The candidate of an agent after halving its move some times; its position if that is too
    /// short or does not fit.
    fn shortened(&self, index: usize, n_halved: u8) -> Vec2 {
        let from = self.discs[index].position;
        if n_halved > MAX_HALVINGS {
            return from;
        }
        let factor = 1.0 / f64::from(1_u32 << n_halved);
        let at = from + (self.pushed[index] - from) * factor;
        let radius = self.discs[index].radius;
        match self.motions[index].walls.map(|list| self.walls.walls(list)) {
            Some(walls) if walls::fits(at, radius, walls) => at,
            _ => from,
        }
    }

    fn overlaps_too_much(&self, [a, b]: [usize; 2]) -> bool {
        let (r, s) = (self.discs[a].radius, self.discs[b].radius);
        let least = r + s - self.options.max_overlap * r.min(s);
        let now = (self.candidates[a] - self.candidates[b]).length_squared();
        if now >= least * least || !self.peers[a].touches(&self.peers[b]) {
            return false;
        }
        let before = (self.discs[a].position - self.discs[b].position).length_squared();
        now < before
    }

    /// Moves an agent to its candidate or along a link; returns the square of the distance.
    fn commit(&mut self, ground: &Ground, index: usize) -> f64 {
        let before = self.discs[index].position;
        if self.peers[index].state == AgentState::Traversing {
            let mut member = self.members[index].take();
            if let Some(member) = &mut member {
                self.traverse_on(index, member);
                self.peers[index].state = member.state;
            }
            self.members[index] = member;
        } else {
            let at = self.candidates[index];
            self.step_to(ground, index, at);
        }
        let (disc, motion) = (&mut self.discs[index], &mut self.motions[index]);
        let moved = disc.position - before;
        motion.lane = self.lanes[index];
        motion.turn_toward(self.wanted[index]);
        disc.velocity = moved * (1.0 / self.options.tick_seconds);
        self.peers[index].z = motion.cell.z;
        moved.length_squared()
    }

    /// Moves an agent, and follows the floor under its center.
    fn step_to(&mut self, ground: &Ground, index: usize, at: Vec2) {
        let (column, here) = ((floor(at.x), floor(at.y)), self.motions[index].cell);
        if column != (here.x, here.y) {
            let member = self.members[index].as_ref();
            let nav_graph =
                member.and_then(|member| NavGraph::new(ground, member.agent.profile_id).ok());
            let Some(cell) = nav_graph.and_then(|graph| cell_beside(graph, here, column)) else {
                return;
            };
            let motion = &mut self.motions[index];
            (motion.cell, motion.walls) = (cell, None);
        }
        self.discs[index].position = at;
    }

    /// Carries an agent along a nav link or a step that cannot be taken back; it waits before the
    /// end until that is free.
    fn traverse_on(&mut self, index: usize, member: &mut Member) {
        let ends = member.route.as_ref().and_then(|route| {
            let [from, to] = route.get(member.next..member.next + 2)? else {
                return None;
            };
            Some((*from, *to))
        });
        let Some((from, to)) = ends else {
            member.state = AgentState::Idle;
            return;
        };
        debug_assert_ne!(
            from.next,
            RouteStep::Walk,
            "agents traverse what is not walked"
        );
        let to_end = to.at - self.discs[index].position;
        let step = member.agent.max_speed * self.options.tick_seconds;
        if to_end.length() > step {
            self.discs[index].position += to_end.clamped(step);
        } else if self.is_free_now(index, member, to.at, to.cell) {
            self.discs[index].position = to.at;
            let motion = &mut self.motions[index];
            (motion.cell, motion.walls) = (to.cell, None);
            member.steer_to(member.next + 1);
            member.state = AgentState::Moving;
            let crossed = (to.at - from.at).length();
            member.left_after_next = (member.left_after_next - crossed).max(0.0);
        }
    }

    /// True if no other body overlaps the place where an agent would stand, among those that were
    /// near at the beginning of the tick.
    fn is_free_now(&self, index: usize, member: &Member, at: Vec2, cell: Cell) -> bool {
        let range = member.agent.radius + MAX_RADIUS + MAX_STEP + self.drift;
        [&self.grid, &self.resting].into_iter().all(|grid| {
            grid.all_near(at, range, |slot| {
                self.is_free_of(slot as usize, (index, member), at, cell)
            })
        })
    }

    /// True if no other body overlaps the place where an agent would stand.
    pub(crate) fn is_free(&self, index: usize, member: &Member, at: Vec2, cell: Cell) -> bool {
        (0..self.peers.len()).all(|slot| self.is_free_of(slot, (index, member), at, cell))
    }

    fn is_free_of(
        &self,
        slot: usize,
        (index, member): (usize, &Member),
        at: Vec2,
        cell: Cell,
    ) -> bool {
        let (other, disc) = (&self.peers[slot], &self.discs[slot]);
        let reach = member.agent.radius + disc.radius;
        let is_apart = other.z >= cell.z + member.agent.height || cell.z >= other.z + other.height;
        slot == index
            || is_apart
            || !other.is_there
            || other.state == AgentState::Traversing
            || (disc.position - at).length_squared() >= reach * reach
    }
}

/// True if two segments cross.
fn crosses((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> bool {
    let (along, across) = (b - a, d - c);
    let sides = [along.det(c - a), along.det(d - a)];
    let ends = [across.det(a - c), across.det(b - c)];
    sides[0] * sides[1] < 0.0 && ends[0] * ends[1] < 0.0
}

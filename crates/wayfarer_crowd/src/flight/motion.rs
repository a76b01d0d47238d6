//! Motion of flyers: moves that are swept against solids and keep balls apart.

use wayfarer_world::air::Air;

use super::flock::{Flock, Member, fits, touches};
use super::vector::{Vec3, fixed};
use crate::agent::{AgentState, CrowdEvent};

/// Passes that push overlapping flyers apart.
const RELAXATIONS: u32 = 3;
/// How often a move is halved before it is not made.
const MAX_HALVINGS: u8 = 3;
/// How far a flyer is displaced at most, in voxels along each axis.
const MAX_DISPLACED: i32 = 6;

impl Flock {
    /// Moves flyers by their velocities: off solids, apart from each other, or not at all.
    pub(super) fn move_flyers(&mut self, air: &Air) {
        let n = self.members.len();
        for list in [&mut self.exact, &mut self.candidates] {
            list.clear();
            list.resize(n, Vec3::ZERO);
        }
        for index in 0..n {
            let Some(member) = &self.members[index] else {
                continue;
            };
            let exact = self.moved_alone(index, member);
            self.candidates[index] = swept(air, member, exact);
            self.exact[index] = exact;
        }
        for _ in 0..RELAXATIONS {
            self.relax(air);
        }
        self.hold_back(air);
        let mut members = std::mem::take(&mut self.members);
        for (index, member) in members.iter_mut().enumerate() {
            if let Some(member) = member {
                self.commit(index, member);
            }
        }
        self.members = members;
    }

    /// Where a flyer would be without the others, not rounded.
    fn moved_alone(&self, index: usize, member: &Member) -> Vec3 {
        let ball = &member.ball;
        if member.state != AgentState::Moving {
            return ball.position;
        }
        let seconds = self.options.tick_seconds;
        let wanted = member.turned(self.wanted[index]);
        let change = (wanted - ball.velocity).clamped(member.flyer.max_acceleration * seconds);
        let step = (ball.velocity + change).clamped(member.flyer.max_speed) * seconds;
        ball.position + member.remainder + step
    }

    /// Pushes overlapping candidates apart, all at once.
    fn relax(&mut self, air: &Air) {
        let mut pushes = Vec::new();
        for (index, list) in self.lists.iter().enumerate() {
            let Some(member) = &self.members[index] else {
                continue;
            };
            let mut push = Vec3::ZERO;
            for &slot in list {
                let Some(Some(other)) = self.members.get(slot as usize) else {
                    continue;
                };
                let offset = self.candidates[index] - self.candidates[slot as usize];
                let reach = member.ball.radius + other.ball.radius;
                let distance = offset.length();
                if distance >= reach || !touches(&member.flyer, &other.flyer) {
                    continue;
                }
                let side = if index < slot as usize { 1.0 } else { -1.0 };
                let out = offset.normalized().unwrap_or(Vec3::new(side, 0.0, 0.0));
                let part = match other.state {
                    AgentState::Moving => 0.5,
                    _ => 1.0,
                };
                push += out * ((reach - distance) * part);
            }
            if push != Vec3::ZERO {
                let to = self.candidates[index] + push.clamped(member.ball.radius * 0.5);
                pushes.push((index, swept(air, member, to)));
            }
        }
        for (index, at) in pushes {
            self.candidates[index] = at;
        }
    }

    /// Shortens moves until no pair overlaps by more than allowed, or more than before. If none
    /// moves that holds, so this ends.
    fn hold_back(&mut self, air: &Air) {
        let full = self.candidates.clone();
        let mut n_halved = vec![0_u8; self.members.len()];
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for index in 0..self.lists.len() {
                for place in 0..self.lists[index].len() {
                    let other = self.lists[index][place] as usize;
                    if !self.overlaps_too_much(index, other) {
                        continue;
                    }
                    for at in [index, other] {
                        let Some(member) = &self.members[at] else {
                            continue;
                        };
                        let from = member.ball.position;
                        if self.candidates[at] != from {
                            n_halved[at] += 1;
                            let share = match n_halved[at] <= MAX_HALVINGS {
                                true => 1.0 / f64::from(1_u32 << n_halved[at]),
                                false => 0.0,
                            };
                            let to = from + (full[at] - from) * share;
                            self.candidates[at] = swept(air, member, to);
                            if share == 0.0 {
                                self.candidates[at] = from;
                            }
                            is_changed = true;
                        }
                    }
                }
            }
        }
    }

    fn overlaps_too_much(&self, a: usize, b: usize) -> bool {
        let (Some(one), Some(other)) = (&self.members[a], &self.members[b]) else {
            return false;
        };
        let (r, s) = (one.ball.radius, other.ball.radius);
        let least = r + s - self.options.max_overlap * r.min(s);
        let now = (self.candidates[a] - self.candidates[b]).length_squared();
        let before = (one.ball.position - other.ball.position).length_squared();
        now < least * least && now < before && touches(&one.flyer, &other.flyer)
    }

    fn commit(&self, index: usize, member: &mut Member) {
        let (before, at) = (member.ball.position, self.candidates[index]);
        let rest = self.exact[index] - at;
        let is_as_wanted = member.state == AgentState::Moving
            && rest.to_array().iter().all(|rest| rest.abs() <= 1.0 / 256.0);
        // What the flyer meant to do, not what rounding made of it.
        let (moved, remainder) = match is_as_wanted {
            true => (self.exact[index] - before - member.remainder, rest),
            false => (at - before, Vec3::ZERO),
        };
        member.remainder = remainder;
        member.heading = member.heading_toward(self.wanted[index]);
        member.ball.position = at;
        member.ball.velocity = moved * (1.0 / self.options.tick_seconds);
    }

    /// Moves flyers that an edit left no room to the nearest center of a voxel where they fit.
    pub(super) fn displace(&mut self, air: &Air) {
        if !std::mem::take(&mut self.has_changed_places) {
            return;
        }
        for index in 0..self.members.len() {
            let Some(member) = &self.members[index] else {
                continue;
            };
            if fits(air, member.ball.position, member.ball.radius) {
                continue;
            }
            let to = self.nearest_place(air, index, member);
            let id = self.id_at(index);
            if let (Some(at), Some(member)) = (to, &mut self.members[index]) {
                member.ball.position = at;
                (member.ball.velocity, member.remainder) = (Vec3::ZERO, Vec3::ZERO);
            }
            self.events.push(CrowdEvent::Displaced(id));
        }
    }

    fn nearest_place(&self, air: &Air, index: usize, member: &Member) -> Option<Vec3> {
        let from = member.ball.position;
        let center = |at: f64, offset: i32| at.floor() + f64::from(offset) + 0.5;
        let range = || -MAX_DISPLACED..=MAX_DISPLACED;
        let mut places: Vec<(f64, Vec3)> = Vec::new();
        for z in range() {
            for y in range() {
                for x in range() {
                    let at = Vec3::new(center(from.x, x), center(from.y, y), center(from.z, z));
                    places.push(((at - from).length_squared(), at));
                }
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let is_apart = |at: Vec3| {
            self.members.iter().enumerate().all(|(slot, other)| {
                slot == index
                    || other.as_ref().is_none_or(|other| {
                        let reach = member.ball.radius + other.ball.radius;
                        (other.ball.position - at).length_squared() >= reach * reach
                    })
            })
        };
        let mut fitting = places
            .into_iter()
            .map(|(_, at)| at)
            .filter(|at| fits(air, *at, member.ball.radius));
        let first = fitting.next()?;
        if is_apart(first) {
            return Some(first);
        }
        fitting.find(|at| is_apart(*at)).or(Some(first))
    }
}

impl Member {
    /// Where the flyer faces after turning toward a velocity by at most its limit.
    fn heading_toward(&self, wanted: Vec3) -> Vec3 {
        let Some(to) = wanted.normalized() else {
            return self.heading;
        };
        let (cosine, sine) = self.flyer.turn;
        let ahead = self.heading.dot(to);
        if self.heading == Vec3::ZERO || ahead >= cosine {
            return to;
        }
        let across = (to - self.heading * ahead).normalized();
        // Straight behind: around the vertical axis.
        let across = across.unwrap_or(Vec3::new(-self.heading.y, self.heading.x, 0.0));
        let turned = self.heading * cosine + across * sine;
        turned.normalized().unwrap_or(to)
    }

    /// A wanted velocity as far as the flyer can turn to it.
    fn turned(&self, wanted: Vec3) -> Vec3 {
        if self.flyer.turn.0 <= -1.0 {
            return wanted;
        }
        let heading = self.heading_toward(wanted);
        heading * heading.dot(wanted).max(0.0)
    }
}

/// The rounded position nearest to `to` that the ball reaches straight; slides along the faces of
/// solids, which are parallel to the axes.
fn swept(air: &Air, member: &Member, to: Vec3) -> Vec3 {
    let from = member.ball.position;
    let step = to.rounded() - from;
    if step == Vec3::ZERO {
        return from;
    }
    let radius = fixed(member.ball.radius);
    let is_clear = |at: Vec3| {
        let point = at.to_point();
        let [x, y, z] = [point.x, point.y, point.z].map(|at| at.cell());
        air.is_free(wayfarer_base::Voxel::new(x, y, z))
            && air.sweep(from.to_point(), point, radius).is_none()
    };
    let Vec3 { x, y, z } = step;
    let mut slides = [
        Vec3::new(x, y, 0.0),
        Vec3::new(x, 0.0, z),
        Vec3::new(0.0, y, z),
        Vec3::new(x, 0.0, 0.0),
        Vec3::new(0.0, y, 0.0),
        Vec3::new(0.0, 0.0, z),
    ];
    if is_clear(from + step) {
        return from + step;
    }
    // The longest first; a stable sort, so ties have one order.
    slides.sort_by(|a, b| b.length_squared().total_cmp(&a.length_squared()));
    let mut slid = slides.into_iter().map(|slide| from + slide);
    slid.find(|at| *at != from && is_clear(*at)).unwrap_or(from)
}

//! A crowd as bytes: numbers little-endian, lists after their length.
//!
//! Everything that later ticks depend on is saved, so a loaded crowd goes on to the bit. Walls follow
//! from the ground and are found again.

use thiserror::Error;
use wayfarer_base::Cell;
use wayfarer_world::ground::ProfileId;

use crate::agent::{AgentState, CrowdAgent, CrowdAgentId};
use crate::bytes::{Reader, Writer};
use crate::crowd::{Crowd, CrowdOptions};
use crate::gate::Gate;
use crate::lanes::Lane;
use crate::member::Member;
use crate::motion_state::MotionState;
use crate::neighbors::{MAX_NEIGHBORS, NeighborList};
use crate::orca::MovingDisc;
use crate::peer::Peer;
use crate::precedence::Urge;
use crate::vector::{Vec2, floor};

/// The bytes are no saved crowd.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the bytes are no crowd: {what}")]
pub struct LoadError {
    /// What is wrong.
    pub what: &'static str,
}

pub(crate) const STATES: [AgentState; 5] = [
    AgentState::Idle,
    AgentState::Moving,
    AgentState::AtLink,
    AgentState::Traversing,
    AgentState::Arrived,
];

impl Crowd {
    /// Appends the state to bytes. Profiles and the number of threads are left out.
    pub fn save(&self, bytes: &mut Vec<u8>) {
        let mut out = Writer(bytes);
        let options = &self.options;
        for number in [
            options.tick_seconds,
            options.horizon,
            options.wall_horizon,
            options.max_overlap,
            options.arrival,
            options.announced,
        ] {
            out.float(number);
        }
        out.word(options.stuck_ticks);
        out.word(u32::from(options.traverses_links));
        out.long(self.n_ticks);
        out.word(u32::from(self.must_refresh));
        out.count(self.free.len());
        self.free.iter().for_each(|slot| out.word(*slot));
        out.count(self.members.len());
        for (index, member) in self.members.iter().enumerate() {
            out.word(self.generations[index]);
            out.word(u32::from(member.is_some()));
            if let Some(member) = member {
                self.save_member(index, member, &mut out);
            }
        }
    }

    fn save_member(&self, index: usize, member: &Member, out: &mut Writer<'_>) {
        let (agent, motion) = (&member.agent, &self.motions[index]);
        for number in [agent.radius, agent.max_speed, agent.max_acceleration] {
            out.float(number);
        }
        out.vector(agent.turn);
        out.word(agent.height.cast_unsigned());
        for word in [u32::from(agent.priority), agent.layers, agent.avoids] {
            out.word(word);
        }
        let disc = &self.discs[index];
        for vector in [
            disc.position,
            disc.velocity,
            self.wanted[index],
            motion.heading,
            member.target,
            member.after,
        ] {
            out.vector(vector);
        }
        for number in [
            member.left_after_next,
            member.least_left,
            member.left,
            member.pace,
        ] {
            out.float(number);
        }
        out.cell(motion.cell);
        let state = STATES.iter().position(|state| *state == member.state);
        for count in [
            state.unwrap_or(0),
            member.next,
            member.n_waiting as usize,
            member.n_slow as usize,
            usize::from(member.is_link_announced),
            usize::from(member.is_place_changed),
            motion.n_hindered as usize,
            usize::from(motion.lane),
            usize::from(self.is_awake[index]),
            self.lists[index].contacts().len(),
        ] {
            out.count(count);
        }
        out.maybe(member.aim, Writer::vector);
        out.maybe(motion.corridor, |out, lane| {
            out.vector(lane.right);
            out.float(lane.least);
        });
        out.maybe(member.looked_from, |out, (cell, next)| {
            out.cell(cell);
            out.count(next);
        });
        out.maybe(member.gate, |out, gate| {
            out.vector(gate.at);
            out.vector(gate.entry);
            out.vector(gate.after);
            out.count(gate.n_before);
        });
        let slots = self.lists[index].slots();
        out.count(slots.len());
        slots.iter().for_each(|slot| out.word(*slot));
        let urge = self.urges[index];
        out.float(urge.left);
        out.long(urge.leader as u64);
        out.word(urge.n_hops);
        let route = member.route.as_deref().unwrap_or_default();
        out.count(route.len());
        route.iter().for_each(|point| out.point(point));
    }

    /// A crowd from the front of bytes, which are taken. `profile_of` gives the profile of each
    /// agent.
    ///
    /// # Errors
    /// The bytes end, or a value is out of range.
    pub fn load(
        bytes: &mut &[u8],
        mut profile_of: impl FnMut(CrowdAgentId) -> Option<ProfileId>,
    ) -> Result<Self, LoadError> {
        let mut source = Reader(bytes);
        let what = "it ends early or a value is out of range";
        let crowd = Self::read(&mut source, &mut profile_of).ok_or(LoadError { what })?;
        *bytes = source.0;
        Ok(crowd)
    }

    fn read(
        source: &mut Reader<'_>,
        profile_of: &mut impl FnMut(CrowdAgentId) -> Option<ProfileId>,
    ) -> Option<Self> {
        let mut numbers = [0.0; 6];
        for number in &mut numbers {
            *number = source.float()?;
        }
        let [
            tick_seconds,
            horizon,
            wall_horizon,
            max_overlap,
            arrival,
            announced,
        ] = numbers;
        let mut crowd = Self::new(CrowdOptions {
            tick_seconds,
            horizon,
            wall_horizon,
            max_overlap,
            arrival,
            announced,
            stuck_ticks: source.word()?,
            traverses_links: source.flag()?,
            n_threads: 1,
        })
        .ok()?;
        crowd.n_ticks = source.long()?;
        crowd.must_refresh = source.flag()?;
        let n_free = source.count(4)?;
        for _ in 0..n_free {
            crowd.free.push(source.word()?);
        }
        let n_slots = source.count(8)?;
        for slot in 0..n_slots {
            let generation = source.word()?;
            let loaded = match source.flag()? {
                true => {
                    let id = CrowdAgentId::new(u32::try_from(slot).ok()?, generation);
                    Some(read_member(source, profile_of(id))?)
                }
                false => None,
            };
            crowd.push_loaded(generation, loaded);
        }
        crowd.is_consistent().then_some(crowd)
    }

    fn push_loaded(&mut self, generation: u32, loaded: Option<Loaded>) {
        let disc = MovingDisc {
            position: Vec2::ZERO,
            velocity: Vec2::ZERO,
            radius: 0.0,
        };
        let loaded = loaded.unwrap_or(Loaded {
            member: None,
            motion: MotionState::new(&CrowdAgent::DEFAULT, Cell::flat(0, 0)),
            disc,
            wanted: Vec2::ZERO,
            list: NeighborList::default(),
            urge: Urge::NONE,
            is_awake: false,
        });
        let index = self.generations.len();
        self.push_slot();
        self.generations.push(generation);
        self.peers[index] = match &loaded.member {
            Some(member) => Peer::of(member, &loaded.motion),
            None => Peer::NONE,
        };
        self.members.push(loaded.member);
        self.discs.push(loaded.disc);
        self.motions.push(loaded.motion);
        self.wanted[index] = loaded.wanted;
        self.lists[index] = loaded.list;
        self.is_awake[index] = loaded.is_awake;
        self.urges[index] = loaded.urge;
        if loaded.urge != Urge::NONE {
            self.urged.extend(u32::try_from(index).ok());
        }
    }

    /// True if ids in lists and the free list are slots.
    fn is_consistent(&self) -> bool {
        let n = self.members.len();
        let mut is_listed = vec![false; n];
        for slot in &self.free {
            match is_listed.get_mut(*slot as usize) {
                Some(listed) if !*listed && self.members[*slot as usize].is_none() => {
                    *listed = true;
                }
                _ => return false,
            }
        }
        let n_gone = self
            .members
            .iter()
            .filter(|member| member.is_none())
            .count();
        let is_slot = |slot: &u32| (*slot as usize) < n;
        n_gone == self.free.len()
            && self
                .lists
                .iter()
                .all(|list| list.slots().iter().all(is_slot))
    }
}

/// What one slot holds.
struct Loaded {
    member: Option<Member>,
    motion: MotionState,
    disc: MovingDisc,
    wanted: Vec2,
    list: NeighborList,
    urge: Urge,
    is_awake: bool,
}

fn read_member(source: &mut Reader<'_>, profile_id: Option<ProfileId>) -> Option<Loaded> {
    let agent = CrowdAgent {
        profile_id,
        radius: source.float()?,
        max_speed: source.float()?,
        max_acceleration: source.float()?,
        turn: source.vector()?,
        height: source.word()?.cast_signed(),
        priority: u8::try_from(source.word()?).ok()?,
        layers: source.word()?,
        avoids: source.word()?,
    };
    agent.check().ok()?;
    let (position, velocity) = (source.vector()?, source.vector()?);
    let (wanted, heading) = (source.vector()?, source.vector()?);
    let (target, after) = (source.vector()?, source.vector()?);
    let (left_after_next, least_left, left) = (source.float()?, source.float()?, source.float()?);
    let pace = source.float()?;
    let cell = source.cell()?;
    let state = *STATES.get(source.count(0)?)?;
    let next = source.count(0)?;
    let (n_waiting, n_slow) = (source.word()?, source.word()?);
    let (is_link_announced, is_place_changed) = (source.flag()?, source.flag()?);
    let n_hindered = source.word()?;
    let lane = u8::try_from(source.word()?).ok()?;
    let is_awake = source.flag()?;
    let n_contacts = u8::try_from(source.word()?).ok()?;
    let aim = source.maybe(Reader::vector)?;
    let corridor = source.maybe(|source| {
        Some(Lane {
            right: source.vector()?,
            least: source.float()?,
        })
    })?;
    let looked_from = source.maybe(|source| Some((source.cell()?, source.count(0)?)))?;
    let gate = source.maybe(|source| {
        Some(Gate {
            at: source.vector()?,
            entry: source.vector()?,
            after: source.vector()?,
            n_before: source.count(0)?,
        })
    })?;
    let n_listed = source.count(4)?;
    let mut slots = Vec::new();
    for _ in 0..n_listed {
        slots.push(source.word()?);
    }
    let is_listed = n_listed <= MAX_NEIGHBORS && usize::from(n_contacts) <= n_listed;
    let list = is_listed.then(|| NeighborList::from_slots(&slots, n_contacts))?;
    let urge = Urge {
        left: source.float()?,
        leader: usize::try_from(source.long()?).unwrap_or(usize::MAX),
        n_hops: source.word()?,
    };
    let n_points = source.count(32)?;
    let mut route = Vec::new();
    for _ in 0..n_points {
        route.push(source.point()?);
    }
    let is_over = (floor(position.x), floor(position.y)) == (cell.x, cell.y);
    let n_before = gate.map_or(0, |gate| gate.n_before);
    let is_on_route = route.is_empty() || next.checked_add(n_before)? < route.len();
    if !(position.is_finite() && velocity.is_finite() && is_over && is_on_route) {
        return None;
    }
    let mut member = Member {
        left_after_next,
        least_left,
        left,
        next,
        n_waiting,
        n_slow,
        pace,
        aim,
        looked_from,
        gate,
        target,
        after,
        is_link_announced,
        is_place_changed,
        route: (!route.is_empty()).then(|| route.into()),
        ..Member::new(agent.clone(), position, state)
    };
    member.steer_to(next);
    let motion = MotionState {
        heading,
        corridor,
        n_hindered,
        lane,
        ..MotionState::new(&agent, cell)
    };
    Some(Loaded {
        disc: MovingDisc {
            position,
            velocity,
            radius: agent.radius,
        },
        member: Some(member),
        motion,
        wanted,
        list,
        urge,
        is_awake,
    })
}

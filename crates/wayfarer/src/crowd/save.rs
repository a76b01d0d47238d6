//! Saved crowds.
//!
//! Layout: `WFCROWD3`; the state; its FNV-1a digest, 8 bytes, little-endian.

use wayfarer_engine::base::{Digest, Revision};
use wayfarer_engine::crowd as core;
use wayfarer_engine::crowd::flight::{Flock, is_flyer};

use super::flow::FlowGroup;
use super::flyers::slot_of;
use super::formation::{Formation, Group};
use super::{Crowd, CrowdAgentId, CrowdError, CrowdOptions, Joined, Order, Stage};
use crate::agent_type::AgentTypeId;
use crate::body::BodyId;
use crate::facade::World;
use crate::planner::RequestId;
use crate::planner::save::codec::{Source, Stored};

const MAGIC: &[u8; 8] = b"WFCROWD3";

impl Crowd {
    /// Saves the crowd for [`Crowd::load`], without the events not yet taken. Save the world and the
    /// planner with it.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        self.options.put(&mut bytes);
        (self.ground, self.air).put(&mut bytes);
        self.update.put(&mut bytes);
        let changed: Vec<RequestId> = self.changed.iter().copied().collect();
        changed.put(&mut bytes);
        for list in [&self.members, &self.flyers] {
            list.len().put(&mut bytes);
            list.iter().for_each(|joined| joined.put(&mut bytes));
        }
        let at_links = self.at_links.iter();
        let at_links: Vec<(u64, _)> = at_links.map(|(id, link)| (id.to_bits(), *link)).collect();
        at_links.put(&mut bytes);
        self.groups.put(&mut bytes);
        self.flows.put(&mut bytes);
        self.waiting.put(&mut bytes);
        self.core.save(&mut bytes);
        self.flock.save(&mut bytes);
        let mut digest = Digest::default();
        digest.bytes(&bytes);
        bytes.extend(digest.value().to_le_bytes());
        bytes
    }

    /// The crowd saved by [`Crowd::save`], which goes on to the bit. `world` is the world that was
    /// saved with it; so is the planner of the next ticks.
    ///
    /// # Errors
    /// The bytes are damaged, no saved crowd, or refer to an agent type or a body that the world
    /// lacks.
    pub fn load(bytes: &[u8], world: &World) -> Result<Self, CrowdError> {
        let damaged = |what| CrowdError::Damaged { what };
        let (content, digest) = bytes.split_last_chunk::<8>().ok_or(damaged("too short"))?;
        let mut found = Digest::default();
        found.bytes(content);
        if found.value() != u64::from_le_bytes(*digest) {
            return Err(damaged("the digest does not match"));
        }
        let rest = content.strip_prefix(MAGIC.as_slice());
        let rest = rest.ok_or(damaged("the first bytes are not `WFCROWD3`"))?;
        let mut source = Source { rest, world };
        let crowd = take_crowd(&mut source, world);
        match (crowd, source.rest) {
            (Some(crowd), []) => Ok(crowd),
            _ => Err(damaged("a value is out of range, or an id is unknown")),
        }
    }
}

fn take_crowd(source: &mut Source<'_>, world: &World) -> Option<Crowd> {
    let mut crowd = Crowd::new(world, CrowdOptions::take(source)?).ok()?;
    (crowd.ground, crowd.air) = Stored::take(source)?;
    crowd.update = Stored::take(source)?;
    crowd.changed = Vec::<RequestId>::take(source)?.into();
    for has_flyers in [false, true] {
        let mut list = Vec::new();
        for slot in 0..usize::take(source)? {
            let joined: Option<Joined> = Stored::take(source)?;
            let is_place = |one: &Joined| slot_of(one.id) == slot && is_flyer(one.id) == has_flyers;
            joined.as_ref().is_none_or(is_place).then_some(())?;
            list.push(joined);
        }
        let orders = list.iter().flatten();
        let orders = orders.filter_map(|one| Some((one.order.as_ref()?.id, one.id)));
        crowd.by_request.extend(orders);
        match has_flyers {
            true => crowd.flyers = list,
            false => crowd.members = list,
        }
    }
    for (id, link) in Vec::<(u64, _)>::take(source)? {
        let id = CrowdAgentId::from_bits(id);
        crowd.joined(id).ok()?;
        crowd.at_links.insert(id, link);
    }
    crowd.groups = Stored::take(source)?;
    crowd.flows = Stored::take(source)?;
    crowd.waiting = Stored::take(source)?;
    let mut flows = crowd.flows.iter().flat_map(|group| &group.members);
    flows.all(|id| crowd.joined(*id).is_ok()).then_some(())?;
    for group in &crowd.groups {
        let is_matched = group.slots.is_empty() || group.slots.len() == group.members.len();
        let are_joined = group.members.iter().all(|id| crowd.joined(*id).is_ok());
        (is_matched && are_joined).then_some(())?;
    }
    let profile_of = |id| {
        let agent_type = crowd.joined(id).ok()?.agent_type;
        world.engine().nav_graph(agent_type).ok()?.profile_id()
    };
    let mut loaded = core::Crowd::load(&mut source.rest, profile_of).ok()?;
    loaded.set_threads(crowd.options.n_threads);
    let options = crowd.options.to_core(crowd.frame.voxel_size());
    let flock = Flock::load(&mut source.rest, options).ok()?;
    let is_joined = |id| crowd.joined(id).is_ok();
    let n_joined = crowd.all_joined().count();
    let ids = || loaded.ids().chain(flock.ids());
    if ids().count() != n_joined || !ids().all(is_joined) {
        return None;
    }
    (crowd.core, crowd.flock) = (loaded, flock);
    Some(crowd)
}

impl Stored for CrowdOptions {
    fn put(&self, bytes: &mut Vec<u8>) {
        ((self.tick_seconds, self.horizon), self.max_overlap).put(bytes);
        ((self.arrival, self.stuck_seconds), self.announced).put(bytes);
        self.waiting_cost.put(bytes);
        (self.waits_at_links, self.n_threads).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let ((tick_seconds, horizon), max_overlap) = Stored::take(source)?;
        let ((arrival, stuck_seconds), announced) = Stored::take(source)?;
        let waiting_cost = Stored::take(source)?;
        let (waits_at_links, n_threads) = Stored::take(source)?;
        Some(Self {
            tick_seconds,
            horizon,
            max_overlap,
            arrival,
            stuck_seconds,
            announced,
            waiting_cost,
            waits_at_links,
            n_threads,
        })
    }
}

const FORMATIONS: [Formation; 4] = [
    Formation::Line,
    Formation::Column,
    Formation::Wedge,
    Formation::Box,
];

impl Stored for Group {
    fn put(&self, bytes: &mut Vec<u8>) {
        let formation = FORMATIONS.iter().position(|one| *one == self.formation);
        let members: Vec<u64> = self.members.iter().map(|id| id.to_bits()).collect();
        (
            (self.leader.to_bits(), self.spacing),
            formation.unwrap_or(0),
        )
            .put(bytes);
        (members, self.slots.clone()).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let ((leader, spacing), formation): ((u64, f64), usize) = Stored::take(source)?;
        let (members, slots): (Vec<u64>, Vec<(f64, f64)>) = Stored::take(source)?;
        Some(Self {
            leader: CrowdAgentId::from_bits(leader),
            spacing,
            formation: *FORMATIONS.get(formation)?,
            members: members.into_iter().map(CrowdAgentId::from_bits).collect(),
            slots,
        })
    }
}

impl Stored for FlowGroup {
    fn put(&self, bytes: &mut Vec<u8>) {
        let members: Vec<u64> = self.members.iter().map(|id| id.to_bits()).collect();
        (self.agent_type.index(), self.reach).put(bytes);
        self.goal.put(bytes);
        (members, self.ground).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (index, reach): (usize, f64) = Stored::take(source)?;
        let agent_type = agent_type(source.world, index)?;
        let goal = Stored::take(source)?;
        let (members, ground): (Vec<u64>, Revision) = Stored::take(source)?;
        Some(Self {
            agent_type,
            goal,
            reach,
            members: members.into_iter().map(CrowdAgentId::from_bits).collect(),
            ground,
        })
    }
}

impl Stored for Joined {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.id.to_bits(), self.body.to_bits()).put(bytes);
        self.agent_type.index().put(bytes);
        self.order.as_deref().cloned().put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let (id, body): (u64, u64) = Stored::take(source)?;
        let index = usize::take(source)?;
        Some(Self {
            id: CrowdAgentId::from_bits(id),
            body: BodyId::from_bits(body),
            agent_type: agent_type(source.world, index)?,
            order: <Option<Order> as Stored>::take(source)?.map(Box::new),
        })
    }
}

/// A type of the world that walks or flies.
fn agent_type(world: &World, index: usize) -> Option<AgentTypeId> {
    let engine = world.engine();
    let id = engine.agent_type_id(index)?;
    let flies = || {
        engine
            .agent_types()
            .nth(index)
            .is_some_and(|one| one.flight.is_some())
    };
    (engine.nav_graph(id).is_ok() || flies()).then_some(id)
}

impl Stored for Order {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.request.put(bytes);
        (self.id, self.n_stuck).put(bytes);
        let stage = match self.stage {
            Stage::Planning => 0_u8,
            Stage::Following => 1,
            Stage::Blocked => 2,
        };
        (stage, self.failed_at).put(bytes);
    }

    fn take(source: &mut Source<'_>) -> Option<Self> {
        let request = Stored::take(source)?;
        let (id, n_stuck): (RequestId, u32) = Stored::take(source)?;
        let (stage, failed_at): (u8, Option<Revision>) = Stored::take(source)?;
        Some(Self {
            request,
            id,
            n_stuck,
            failed_at,
            stage: match stage {
                0 => Stage::Planning,
                1 => Stage::Following,
                2 => Stage::Blocked,
                _ => return None,
            },
        })
    }
}

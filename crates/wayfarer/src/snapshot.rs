//! Saved worlds: the engine's snapshot, followed by what only the facade has.
//!
//! Layout: the engine's bytes; the extras (axes, import report, agent types in units, handles,
//! obstacles of bodies, subscribed paths); the length of the extras and their FNV-1a digest, 8 bytes each,
//! little-endian; `WFFACAD2`.

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::{Cell, Digest, NavLinkId, NavLinkKind, Terrain, Voxel};
use wayfarer_engine::world::obstacles::ObstacleId;

use crate::agent_type::{AgentType, Movement, TerrainSet};
use crate::body::{BodyId, ROLES};
use crate::edit::{AirLinkId, CostAreaId, HandleChange, LinkId};
use crate::facade::{Handles, World};
use crate::path::{Path, PathSubscription};
use crate::planner::save::codec::{Source, Stored};
use crate::units::{Axes, Frame};

const MAGIC: &[u8; 8] = b"WFFACAD2";

/// Why bytes are no saved world.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The ground, the air or the bodies are damaged, or the bytes are no saved world.
    #[error("{reason}")]
    Content {
        /// What is wrong, and where.
        reason: String,
    },
    /// A path, or the end of a world with scale, agent types and ids, is damaged.
    #[error("the bytes are damaged: {what}")]
    Damaged {
        /// What was found.
        what: &'static str,
    },
}

impl World {
    /// Saves the world for [`World::load`]. Equal worlds give equal bytes on every platform.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = self.engine().save();
        let mut extras = Vec::new();
        extras.push(u8::from(self.frame().axes == Axes::YUp));
        put_text(self.import_report(), &mut extras);
        extras.extend(u64_of(self.agent_types().len()));
        for agent_type in self.agent_types() {
            match agent_type {
                Some(agent_type) => put_agent_type(agent_type, &mut extras),
                None => extras.push(0),
            }
        }
        put_handles(self.handles(), &mut extras);
        let blocking = self.engine().body_obstacles();
        extras.extend(u64_of(blocking.len()));
        for (body, obstacle) in blocking {
            extras.extend(body.to_bits().to_le_bytes());
            extras.extend(obstacle.to_bits().to_le_bytes());
        }
        extras.extend(u64_of(self.change_log_capacity()));
        let baked = self.save_baked().unwrap_or_default();
        extras.extend(u64_of(baked.len()));
        extras.extend(baked);
        put_subscriptions(self, &mut extras);
        let mut digest = Digest::default();
        digest.bytes(&extras);
        bytes.extend(&extras);
        bytes.extend(u64_of(extras.len()));
        bytes.extend(digest.value().to_le_bytes());
        bytes.extend(MAGIC);
        bytes
    }

    /// The world saved by [`World::save`].
    ///
    /// # Errors
    /// The bytes are damaged or no saved world; the error says where.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let damaged = |what| LoadError::Damaged { what };
        let rest = bytes.strip_suffix(MAGIC.as_slice());
        let rest = rest.ok_or(damaged("the last bytes are not `WFFACAD2`"))?;
        let (rest, digest) = rest.split_last_chunk::<8>().ok_or(damaged("too short"))?;
        let (rest, length) = rest.split_last_chunk::<8>().ok_or(damaged("too short"))?;
        let length = usize::try_from(u64::from_le_bytes(*length));
        let begin = length
            .ok()
            .and_then(|length| rest.len().checked_sub(length));
        let (engine, extras) = rest.split_at(begin.ok_or(damaged("its length is too large"))?);
        let mut found = Digest::default();
        found.bytes(extras);
        if found.value() != u64::from_le_bytes(*digest) {
            return Err(damaged("its digest does not match"));
        }
        let engine = engine::World::load(engine).map_err(|error| LoadError::Content {
            reason: error.to_string(),
        })?;
        let mut reader = Reader { rest: extras };
        let world = reader.world(engine);
        let mut world = world.ok_or(damaged("an agent type, a body or a text is out of range"))?;
        take_subscriptions(reader.rest, &mut world)
            .ok_or(damaged("a subscribed path is out of range"))?;
        Ok(world)
    }
}

const PATH_MAGIC: &[u8; 8] = b"WFPATH01";

impl Path {
    /// The path as bytes, for [`World::load_path`].
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = PATH_MAGIC.to_vec();
        self.put(&mut bytes);
        let mut digest = Digest::default();
        digest.bytes(&bytes);
        bytes.extend(digest.value().to_le_bytes());
        bytes
    }
}

impl World {
    /// A path of [`Path::save`], of this world or one that was saved and loaded.
    ///
    /// # Errors
    /// The bytes are damaged, or no path of this world.
    pub fn load_path(&self, bytes: &[u8]) -> Result<Path, LoadError> {
        let damaged = |what| LoadError::Damaged { what };
        let (content, digest) = bytes.split_last_chunk::<8>().ok_or(damaged("too short"))?;
        let mut found = Digest::default();
        found.bytes(content);
        if found.value() != u64::from_le_bytes(*digest) {
            return Err(damaged("its digest does not match"));
        }
        let rest = content.strip_prefix(PATH_MAGIC.as_slice());
        let rest = rest.ok_or(damaged("the first bytes are not `WFPATH01`"))?;
        let mut source = Source { rest, world: self };
        match (Path::take(&mut source), source.rest) {
            (Some(path), []) => Ok(path),
            _ => Err(damaged(
                "a value is out of range, or an agent type is unknown",
            )),
        }
    }
}

fn put_subscriptions(world: &World, bytes: &mut Vec<u8>) {
    let subscriptions = world.subscriptions();
    subscriptions.last().put(bytes);
    subscriptions.iter().len().put(bytes);
    for (id, subscribed) in subscriptions.iter() {
        id.0.put(bytes);
        subscribed.is_reported.put(bytes);
        subscribed.path.put(bytes);
    }
}

/// Subscribes the saved paths; `None` if one is damaged or bytes are left.
fn take_subscriptions(rest: &[u8], world: &mut World) -> Option<()> {
    let mut source = Source { rest, world };
    let last = u64::take(&mut source)?;
    let n_subscribed = usize::take(&mut source)?;
    let mut saved = Vec::new();
    for _ in 0..n_subscribed {
        let id = PathSubscription(u64::take(&mut source)?);
        let is_reported = bool::take(&mut source)?;
        saved.push((id, Path::take(&mut source)?, is_reported));
    }
    if !source.rest.is_empty() {
        return None;
    }
    world.restore_subscriptions(last, saved).then_some(())
}

fn u64_of(number: usize) -> [u8; 8] {
    (number as u64).to_le_bytes()
}

fn put_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend(u64_of(text.len()));
    bytes.extend(text.as_bytes());
}

fn put_agent_type(agent_type: &AgentType, bytes: &mut Vec<u8>) {
    bytes.push(1 + agent_type.movement as u8);
    for number in [
        agent_type.radius,
        agent_type.height,
        agent_type.max_step,
        agent_type.max_drop,
        agent_type.clearance,
        agent_type.clearance_cost,
        agent_type.flight_cost,
        agent_type.take_off_cost,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(agent_type.terrains.bits().to_le_bytes());
    bytes.extend(agent_type.keys.to_le_bytes());
    bytes.push(u8::from(agent_type.requires_air_link));
    bytes.extend(u64_of(agent_type.terrain_costs.len()));
    for (terrain, cost) in &agent_type.terrain_costs {
        bytes.push(terrain.number());
        bytes.extend(cost.to_le_bytes());
    }
}

fn put_handles(handles: &Handles, bytes: &mut Vec<u8>) {
    bytes.extend(handles.next.to_le_bytes());
    bytes.extend(u64_of(handles.links.len()));
    for (id, link) in &handles.links {
        bytes.extend(id.0.to_le_bytes());
        for cell in [link.from, link.to] {
            [cell.x, cell.y, cell.z]
                .iter()
                .for_each(|at| bytes.extend(at.to_le_bytes()));
        }
        bytes.push(link.kind as u8);
    }
    bytes.extend(u64_of(handles.cost_areas.len()));
    for id in &handles.cost_areas {
        bytes.extend(id.0.to_le_bytes());
    }
    bytes.extend(u64_of(handles.air_links.len()));
    for (id, (cell, voxel)) in &handles.air_links {
        bytes.extend(id.0.to_le_bytes());
        [cell.x, cell.y, cell.z, voxel.x, voxel.y, voxel.z]
            .iter()
            .for_each(|at| bytes.extend(at.to_le_bytes()));
    }
}

/// Reads the extras; `None` where something is out of range.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*array)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.array::<1>()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// A count of items of at least `size` bytes each, which must follow.
    fn count(&mut self, size: usize) -> Option<usize> {
        let count = usize::try_from(u64::from_le_bytes(self.array()?)).ok()?;
        (count.checked_mul(size)? <= self.rest.len()).then_some(count)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.count(1)?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn world(&mut self, mut engine: engine::World) -> Option<World> {
        let axes = if self.flag()? { Axes::YUp } else { Axes::ZUp };
        let frame = Frame {
            scale: engine.scale(),
            axes,
        };
        let report = self.text()?;
        let n_types = self.count(1)?;
        let registered: Vec<engine::AgentType> = engine.agent_types().cloned().collect();
        if n_types != registered.len() {
            return None;
        }
        let mut agent_types = Vec::with_capacity(n_types);
        for registered in &registered {
            let agent_type = self.agent_type()?;
            let is_same = |found: &AgentType| found.to_engine(frame).as_ref() == Ok(registered);
            if !agent_type.as_ref().is_none_or(is_same) {
                return None;
            }
            agent_types.push(agent_type);
        }
        let handles = self.handles()?;
        let blocking = self.blocking()?;
        if !engine.restore_body_obstacles(ROLES, blocking) {
            return None;
        }
        let capacity = usize::try_from(self.id()?)
            .ok()
            .filter(|capacity| *capacity > 0)?;
        let n_baked = self.count(1)?;
        let (baked, rest) = self.rest.split_at_checked(n_baked)?;
        self.rest = rest;
        let mut world = World::from_parts(engine, frame, agent_types, report, handles);
        world.set_change_log_capacity(capacity);
        if !baked.is_empty() {
            world.attach_baked(baked).ok()?;
        }
        Some(world)
    }

    fn handles(&mut self) -> Option<Handles> {
        let mut handles = Handles {
            next: self.id()?,
            ..Handles::default()
        };
        for _ in 0..self.count(33)? {
            let id = LinkId(self.id()?);
            let (from, to) = (self.cell()?, self.cell()?);
            let [kind] = self.array::<1>()?;
            let kind = *NavLinkKind::ALL.get(usize::from(kind))?;
            let link = NavLinkId { from, to, kind };
            let is_new = !handles.links.contains_key(&id) && !handles.ids.contains_key(&link);
            (is_new && id.0 <= handles.next).then_some(())?;
            handles.change(HandleChange::Link(id, link, true));
        }
        for _ in 0..self.count(8)? {
            let id = CostAreaId(self.id()?);
            let is_new = handles.cost_areas.insert(id);
            (is_new && id.0 <= handles.next).then_some(())?;
        }
        for _ in 0..self.count(32)? {
            let id = AirLinkId(self.id()?);
            let (cell, Cell { x, y, z }) = (self.cell()?, self.cell()?);
            let ends = (cell, Voxel::new(x, y, z));
            let is_new = !handles.air_links.contains_key(&id);
            (is_new && id.0 <= handles.next).then_some(())?;
            handles.change(HandleChange::AirLink(id, ends, true));
        }
        Some(handles)
    }

    /// The bodies that block movement, with their obstacles.
    fn blocking(&mut self) -> Option<Vec<(BodyId, ObstacleId)>> {
        let n_blocking = self.count(16)?;
        let mut pair = || {
            let (body, obstacle) = (self.id()?, self.id()?);
            Some((BodyId::from_bits(body), ObstacleId::from_bits(obstacle)))
        };
        (0..n_blocking).map(|_| pair()).collect()
    }

    fn id(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn cell(&mut self) -> Option<Cell> {
        let mut at = || self.array().map(i32::from_le_bytes);
        Some(Cell::new(at()?, at()?, at()?))
    }

    fn agent_type(&mut self) -> Option<Option<AgentType>> {
        let movement = match self.array::<1>()? {
            [0] => return Some(None),
            [1] => Movement::Ground,
            [2] => Movement::Flight,
            [3] => Movement::GroundAndFlight,
            [4] => Movement::Planar,
            _ => return None,
        };
        let mut agent_type = AgentType {
            movement,
            radius: self.number()?,
            height: self.number()?,
            max_step: self.number()?,
            max_drop: self.number()?,
            clearance: self.number()?,
            clearance_cost: self.number()?,
            flight_cost: self.number()?,
            take_off_cost: self.number()?,
            terrains: TerrainSet::from_bits(self.array().map(u64::from_le_bytes)?),
            keys: self.array().map(u32::from_le_bytes)?,
            requires_air_link: self.flag()?,
            terrain_costs: Vec::new(),
        };
        for _ in 0..self.count(9)? {
            let [terrain] = self.array::<1>()?;
            let cost = self.number()?;
            agent_type
                .terrain_costs
                .push((Terrain::new(terrain)?, cost));
        }
        Some(Some(agent_type))
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::{AgentTypeError, LoadError};

    fn world() -> Result<World, AgentTypeError> {
        let map = b"type octile\nheight 2\nwidth 5\nmap\n..T..\n.....\n";
        let scale = Scale {
            axes: Axes::YUp,
            ..Scale::meters(0.3)
        };
        let mut world = World::import("lane.map", map, scale).unwrap();
        world.add_agent_type(AgentType {
            radius: 0.1,
            terrain_costs: vec![(Terrain::SWAMP, 3.0), (Terrain::GROUND, 1.5)],
            ..AgentType::GROUND
        })?;
        world.add_agent_type(AgentType {
            radius: 0.2,
            ..AgentType::FLIGHT
        })?;
        Ok(world)
    }

    #[test]
    fn task_9_a_saved_world_goes_on_with_the_same_results() {
        let world = world().unwrap();
        let bytes = world.save();
        let loaded = World::load(&bytes).unwrap();
        assert_eq!(loaded.save(), bytes);
        assert_eq!(loaded.scale(), world.scale());
        let request = PathRequest::new(
            Position::new(0.15, 0.0, 0.15),
            Position::new(1.35, 0.0, 0.15),
        );
        let find = |world: &World| world.find_path(&mut Searcher::default(), &request);
        assert_eq!(find(&loaded), find(&world));
    }

    #[test]
    fn no_cut_or_changed_byte_is_a_world() {
        let bytes = world().unwrap().save();
        for length in 0..bytes.len() {
            assert!(World::load(&bytes[..length]).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x11;
            assert!(World::load(&changed).is_err(), "{at}");
        }
        let error = World::load(b"").unwrap_err();
        assert!(matches!(error, LoadError::Damaged { .. }));
    }
}

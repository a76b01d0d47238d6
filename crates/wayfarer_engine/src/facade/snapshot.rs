//! Snapshots: the primary state of a world as bytes; derived state is rebuilt on load.
//!
//! A loaded world behaves as the saved one: same ids for existing and future items, same revision,
//! same results. The change log and subscriptions are not saved. The format is described in
//! `docs/design/snapshot-format.md`.

mod air;
mod bodies;
mod codec;
mod command;
mod ground;

use thiserror::Error;
use wayfarer_base::record::TableRecord;
use wayfarer_base::{
    Cell, Cost, CostModifier, CostModifierId, CostMultiplier, Digest, Fixed, Point2, Profile,
    Revision, Voxel,
};
use wayfarer_formats::snapshot::{
    SectionReader, SectionWriter, Snapshot, SnapshotError, SnapshotWriter, Tag,
};
use wayfarer_search::multimodal::{AirLink, FlightProfile};
use wayfarer_search::sight::OcclusionRules;
use wayfarer_world::air::{Air, AirError};
use wayfarer_world::baked::{BakedAbstraction, BakedFileError};
use wayfarer_world::bodies::{
    BodyId, BodySet, BodySetRecord, BodySetRecordError, PlacedSensor, Sensors,
};
use wayfarer_world::ground::{BuildError, Ground, ProfileId};
use wayfarer_world::obstacles::{
    DiscAgent, ObstacleCategories, ObstacleSet, ObstacleSetRecord, ObstacleSetRecordError,
};

use super::World;
use super::agent::{AgentType, AgentTypeError, Registered};
use super::attach::{AttachError, Attached};
use crate::{Position, Scale};
pub(super) use command::{decode, encode};

use codec::{Codec, put_all, struct_codec, take_all, take_ascending};

const WORLD: Tag = Tag(*b"WRLD");
const GROUND: Tag = Tag(*b"GRND");
const OBSTACLES: Tag = Tag(*b"FILD");
const BODIES: Tag = Tag(*b"OBJS");
const SENSORS: Tag = Tag(*b"SENS");
const AGENT_TYPES: Tag = Tag(*b"KIND");
const AIR: Tag = Tag(*b"AIRR");
const ATTACHED: Tag = Tag(*b"ATCH");
const BRANCHES: Tag = Tag(*b"brch");
const SOLIDS: Tag = Tag(*b"SOLD");
const BAKED: Tag = Tag(*b"frzn");

/// Why a snapshot was rejected.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file is damaged or not a snapshot.
    #[error(transparent)]
    File(#[from] SnapshotError),
    /// The ground is invalid.
    #[error("section `GRND`: {0}")]
    Ground(#[from] BuildError),
    /// The obstacle set is invalid.
    #[error("section `FILD`: {0}")]
    Obstacles(#[from] ObstacleSetRecordError),
    /// The body set is invalid.
    #[error("section `OBJS`: {0}")]
    Bodies(BodySetRecordError),
    /// The sensors are invalid.
    #[error("section `SENS`: {0}")]
    Sensors(BodySetRecordError),
    /// The air is invalid.
    #[error("section `AIRR`: {0}")]
    Air(#[from] AirError),
    /// An agent type is invalid.
    #[error("section `KIND`: agent type {index}: {error}")]
    AgentType {
        /// Index of the agent type; the default is 0.
        index: usize,
        /// The cause.
        error: AgentTypeError,
    },
    /// The registered profile of an agent type is not equal to its own.
    #[error("section `KIND`: agent type {index} refers to profile {profile}, which differs")]
    Profile {
        /// Index of the agent type; the default is 0.
        index: usize,
        /// Slot of the registered profile.
        profile: u32,
    },
    /// An attached cost modifier or its body does not exist.
    #[error("section `ATCH`: {0}")]
    Attached(#[from] AttachError),
    /// The baked abstraction is damaged.
    #[error("section `frzn`: {0}")]
    Baked(#[from] BakedFileError),
    /// The baked abstraction belongs to another ground.
    #[error(
        "section `frzn`: baked from a ground of digest {found:016x}, this one has {expected:016x}"
    )]
    ForeignBaked {
        /// Digest of the ground it was baked from.
        found: u64,
        /// Digest of the ground in this file.
        expected: u64,
    },
}

struct_codec! {
    Position { x: i64, y: i64, z: i64 }
    AgentType { ground: Option<Profile>, flight: Option<FlightProfile>, planar: Option<DiscAgent> }
    FlightProfile { radius: Fixed, multiplier: CostMultiplier, take_off: Cost, landing: Cost, requires_air_link: bool }
    DiscAgent { radius: Fixed, blocked_by: ObstacleCategories }
    Attached { body: BodyId, at: (Point2, Fixed), modifier: CostModifier }
    AirLink { cell: Cell, voxel: Voxel, take_off: Option<Cost>, landing: Option<Cost> }
    OcclusionRules { is_void_transparent: bool, opaque: u64, opaque_height: i32, wall_height: i32 }
}

/// A length in a snapshot: multiples of 1/256 unit in 1/65,536 of a unit, others negated in 1/2^32
/// of a unit.
const fn stored_length(exact: i64) -> i64 {
    if exact % (1 << 24) == 0 {
        exact >> 16
    } else {
        -exact
    }
}

/// The inverse of [`stored_length`]; 0 if nothing is stored so.
const fn exact_length(stored: i64) -> i64 {
    let exact = if stored < 0 {
        stored.saturating_neg()
    } else if stored < 1 << 33 {
        stored << 16
    } else {
        0
    };
    if stored_length(exact) == stored {
        exact
    } else {
        0
    }
}

impl Codec for Scale {
    const MIN_BYTES: usize = 48;
    fn put(&self, sink: &mut SectionWriter) {
        for length in self.exact_lengths() {
            sink.i64(stored_length(length));
        }
        self.origin().put(sink);
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let at = source.at();
        let lengths = [source.i64()?, source.i64()?, source.i64()?];
        let origin_at = source.at();
        let origin = Position::take(source)?;
        let exact = lengths.map(exact_length);
        let scale = Self::from_exact_lengths(exact).map(|scale| scale.at(origin));
        let found = lengths[0].into();
        let scale = scale.ok_or_else(|| {
            SnapshotError::out_of_range(
                at,
                "a length",
                found,
                "1/256 to 65,536 units in the coding of lengths",
            )
        })?;
        if scale.origin() != origin {
            let axes = [origin.x, origin.y, origin.z].into_iter();
            let farthest = axes.max_by_key(|at| at.unsigned_abs()).unwrap_or(0);
            let what = "the origin";
            return Err(SnapshotError::out_of_range(
                origin_at,
                what,
                farthest.into(),
                "within 2^62 of 0",
            ));
        }
        Ok(scale)
    }
}

impl World {
    /// Saves the world for [`World::load`]. The same edits give the same bytes on every platform.
    ///
    /// ```
    /// use wayfarer_engine::World;
    /// use wayfarer_engine::base::Raster;
    ///
    /// let world = World::from_raster(&Raster::from_bytes(3, 2, vec![0; 6]).unwrap());
    /// let again = World::load(&world.save())?;
    /// assert_eq!(again.state_hash(), world.state_hash());
    /// # Ok::<(), wayfarer_engine::LoadError>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        self.save_sections().finish()
    }

    /// Saves the world with a baked abstraction of its ground, for [`World::load_baked`].
    pub fn save_baked(&self, baked: &BakedAbstraction) -> Vec<u8> {
        let mut writer = self.save_sections();
        writer.section(BAKED, |sink| {
            sink.u64(self.ground_digest());
            sink.raw(&baked.to_bytes());
        });
        writer.finish()
    }

    fn save_sections(&self) -> SnapshotWriter {
        let mut writer = SnapshotWriter::default();
        writer.section(WORLD, |sink| {
            self.revision.put(sink);
            self.scale.put(sink);
            self.rules.put(sink);
        });
        writer.section(GROUND, |sink| ground::put(sink, &self.ground.record()));
        if let Some(obstacles) = &self.obstacles {
            writer.section(OBSTACLES, |sink| obstacles.record().put(sink));
        }
        writer.section(BODIES, |sink| self.bodies.record().put(sink));
        writer.section(SENSORS, |sink| self.sensors.record().put(sink));
        writer.section(AGENT_TYPES, |sink| {
            let slot = |registered: &Registered| registered.profile_id.map(ProfileId::slot);
            let agent_types = self.agent_types[1..].iter();
            put_all(
                sink,
                agent_types.map(|registered| (registered.agent_type.clone(), slot(registered))),
            );
            put_all(sink, self.air_links.iter().copied());
        });
        if let Some(air) = &self.air {
            writer.section(AIR, |sink| air::put(sink, &air.record()));
        }
        if self.next_solid > 0 {
            writer.section(SOLIDS, |sink| {
                sink.u64(self.next_solid);
                ground::put_solids(sink, &self.ground);
            });
        }
        if !self.attached.is_empty() {
            writer.section(ATTACHED, |sink| {
                let attached = self.attached.iter();
                put_all(sink, attached.map(|(id, one)| (*id, one.clone())));
            });
        }
        let branch = |revision: Revision| revision.branch;
        let branches = [
            self.revision.branch,
            self.ground.revision().branch,
            self.air.as_ref().map(Air::revision).map_or(0, branch),
            self.obstacles
                .as_ref()
                .map(ObstacleSet::revision)
                .map_or(0, branch),
        ];
        if branches != [0; 4] {
            writer.section(BRANCHES, |sink| {
                branches.iter().for_each(|one| sink.u64(*one));
            });
        }
        writer
    }

    /// Loads a saved world.
    ///
    /// # Errors
    /// The bytes are damaged, or a section is invalid; names the offset or the section.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::load_sections(&Snapshot::read(bytes)?)
    }

    /// Loads a saved world with its baked abstraction, if it has one.
    ///
    /// # Errors
    /// As [`World::load`]; also if the abstraction was baked from another ground.
    pub fn load_baked(bytes: &[u8]) -> Result<(Self, Option<BakedAbstraction>), LoadError> {
        let snapshot = Snapshot::read(bytes)?;
        let world = Self::load_sections(&snapshot)?;
        let Some(mut source) = snapshot.find(BAKED) else {
            return Ok((world, None));
        };
        let (found, expected) = (source.u64()?, world.ground_digest());
        if found != expected {
            return Err(LoadError::ForeignBaked { found, expected });
        }
        let baked = BakedAbstraction::from_bytes(source.take(source.remaining() as u64)?)?;
        Ok((world, Some(baked)))
    }

    fn load_sections(snapshot: &Snapshot<'_>) -> Result<Self, LoadError> {
        snapshot.check_known(&[
            WORLD,
            GROUND,
            OBSTACLES,
            BODIES,
            SENSORS,
            AGENT_TYPES,
            AIR,
            ATTACHED,
            BRANCHES,
            SOLIDS,
            BAKED,
        ])?;
        let (mut revision, (scale, rules)) = read(
            snapshot.section(WORLD)?,
            <(Revision, (Scale, OcclusionRules))>::take,
        )?;
        let mut ground = read(snapshot.section(GROUND)?, ground::take)?;
        let mut next_solid = 0;
        if let Some(source) = snapshot.find(SOLIDS) {
            (next_solid, ground.solids) = read(source, ground::take_solids)?;
        }
        let bodies = read(snapshot.section(BODIES)?, BodySetRecord::take)?;
        let sensors = read(
            snapshot.section(SENSORS)?,
            TableRecord::<PlacedSensor>::take,
        )?;
        let (agent_types, air_links) = read(snapshot.section(AGENT_TYPES)?, |source| {
            let agent_types: Vec<(AgentType, Option<u32>)> =
                take_all(source, "the number of agent types")?;
            let key = |air_link: &AirLink| (air_link.cell, air_link.voxel);
            let air_links = take_ascending(source, "air links", key)?;
            Ok((agent_types, air_links))
        })?;
        let obstacles = snapshot.find(OBSTACLES);
        let obstacles = obstacles.map(|source| read(source, ObstacleSetRecord::take));
        let mut obstacles = obstacles.transpose()?;
        let air = snapshot.find(AIR).map(|source| read(source, air::take));
        let mut air = air.transpose()?;
        if let Some(source) = snapshot.find(BRANCHES) {
            let branches = read(source, |source| {
                Ok([source.u64()?, source.u64()?, source.u64()?, source.u64()?])
            })?;
            let air = air.as_mut().map(|air| &mut air.revision);
            let obstacles = obstacles.as_mut().map(|obstacles| &mut obstacles.revision);
            let revisions = [
                Some(&mut revision),
                Some(&mut ground.revision),
                air,
                obstacles,
            ];
            for (revision, branch) in revisions.into_iter().zip(branches) {
                revision
                    .into_iter()
                    .for_each(|revision| revision.branch = branch);
            }
        }

        // The ground last: a few bytes of it may name solids of millions of columns.
        let bodies = BodySet::from_record(&bodies).map_err(LoadError::Bodies)?;
        let sensors = Sensors::from_record(&sensors).map_err(LoadError::Sensors)?;
        let obstacles = obstacles.map(|record| ObstacleSet::from_record(&record));
        let obstacles = obstacles.transpose()?;
        let air = air.map(|record| Air::from_record(&record)).transpose()?;
        for (index, (agent_type, _)) in (1..).zip(&agent_types) {
            let check = agent_type.check();
            check.map_err(|error| LoadError::AgentType { index, error })?;
        }
        let mut world = Self::from_ground(Ground::from_record(&ground)?)
            .with_scale(scale)
            .with_occlusion_rules(rules)
            .with_bodies(bodies);
        world.sensors = sensors;
        if let Some(obstacles) = obstacles {
            world = world.with_obstacles(obstacles);
        }
        if let Some(air) = air {
            world = world.with_air(air);
        }
        for (index, (agent_type, slot)) in (1..).zip(agent_types) {
            let stored = slot.and_then(|slot| world.ground.profile_at(slot));
            let own = stored.filter(|id| {
                let profile_ground = world.ground.profile_ground(*id);
                profile_ground.map(|profile_ground| profile_ground.profile())
                    == agent_type.ground.as_ref()
            });
            let needs_own = agent_type
                .ground
                .as_ref()
                .is_some_and(|profile| profile != world.ground.default_profile());
            if needs_own != own.is_some() || slot.is_some() != own.is_some() {
                return Err(LoadError::Profile {
                    index,
                    profile: slot.unwrap_or(u32::MAX),
                });
            }
            world.agent_types.push(Registered {
                agent_type,
                profile_id: own,
            });
        }
        world.air_links = air_links;
        world.revision = revision;
        world.next_solid = next_solid;
        if let Some(source) = snapshot.find(ATTACHED) {
            let attached = read(source, |source| {
                take_ascending(
                    source,
                    "attached modifiers",
                    |one: &(CostModifierId, Attached)| one.0,
                )
            })?;
            for (id, one) in attached {
                world.attach_cost_modifier(id, one.body)?;
                world.attached.insert(id, one);
            }
        }
        Ok(world)
    }

    /// A hash of the state, equal on every platform and independent of history: scale, occlusion
    /// rules, ground with default profile and cost modifiers, obstacles with their bounds, bodies,
    /// air and air links. Excludes revisions, ids, agent types, sensors and attachments of cost
    /// modifiers. Linear in the size of the world.
    pub fn state_hash(&self) -> u64 {
        let mut sink = SectionWriter::default();
        self.scale.put(&mut sink);
        self.rules.put(&mut sink);
        ground::put_state(&mut sink, &self.ground.record());
        if self.ground.solids().next().is_some() {
            put_sorted(&mut sink, self.ground.solids().map(|(_, one)| one.clone()));
        }
        self.obstacles.is_some().put(&mut sink);
        if let Some(obstacles) = &self.obstacles {
            obstacles.bounds().put(&mut sink);
            let record = obstacles.record().obstacles;
            put_sorted(&mut sink, record.slots.iter().filter_map(|slot| slot.1));
        }
        let bodies = self.bodies.record().bodies;
        put_sorted(
            &mut sink,
            bodies.slots.iter().filter_map(|slot| Some(slot.1?.body)),
        );
        self.air.is_some().put(&mut sink);
        if let Some(air) = &self.air {
            air::put_state(&mut sink, &air.record());
        }
        put_all(&mut sink, self.air_links.iter().copied());
        digest(&sink)
    }

    fn ground_digest(&self) -> u64 {
        let mut sink = SectionWriter::default();
        ground::put_state(&mut sink, &self.ground.record());
        digest(&sink)
    }
}

fn digest(sink: &SectionWriter) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(sink.bytes());
    digest.value()
}

/// Decodes a section and checks that nothing is left over.
fn read<T>(
    mut source: SectionReader<'_>,
    take: impl FnOnce(&mut SectionReader<'_>) -> Result<T, SnapshotError>,
) -> Result<T, SnapshotError> {
    let value = take(&mut source)?;
    source.end()?;
    Ok(value)
}

/// Encodes a set in the order of its encodings, which is independent of history.
fn put_sorted<T: Codec>(sink: &mut SectionWriter, all: impl Iterator<Item = T>) {
    let bytes = |one: T| {
        let mut own = SectionWriter::default();
        one.put(&mut own);
        own.bytes().to_vec()
    };
    let mut all: Vec<Vec<u8>> = all.map(bytes).collect();
    all.sort_unstable();
    sink.count(all.len());
    all.iter().for_each(|one| sink.raw(one));
}

#[cfg(test)]
mod tests;

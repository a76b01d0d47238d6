//! Worlds saved and loaded: everything that does not follow from something else, as bytes.
//!
//! A loaded world goes on as the saved one would have: the same names for what lives and what
//! comes next, the same revision, the same answers. What happened before is forgotten, and so are
//! subscribed paths. The bytes are described in `docs/design/snapshot-format.md`.

mod air;
mod bodies;
mod codec;
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
use codec::{Codec, put_all, rows, take_all, take_rising};

const WORLD: Tag = Tag(*b"WRLD");
const GROUND: Tag = Tag(*b"GRND");
const OBSTACLES: Tag = Tag(*b"FILD");
const BODIES: Tag = Tag(*b"OBJS");
const SENSORS: Tag = Tag(*b"SENS");
const KINDS: Tag = Tag(*b"KIND");
const AIR: Tag = Tag(*b"AIRR");
const ATTACHED: Tag = Tag(*b"ATCH");
const BAKED: Tag = Tag(*b"frzn");

/// Why bytes did not become a world.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file is damaged or something else.
    #[error(transparent)]
    File(#[from] SnapshotError),
    /// The ground it tells of cannot be.
    #[error("section `GRND`: {0}")]
    Ground(#[from] BuildError),
    /// The field it tells of cannot be.
    #[error("section `FILD`: {0}")]
    Obstacles(#[from] ObstacleSetRecordError),
    /// The objects it tells of cannot be.
    #[error("section `OBJS`: {0}")]
    Bodies(BodySetRecordError),
    /// The sensors it tells of cannot be.
    #[error("section `SENS`: {0}")]
    Sensors(BodySetRecordError),
    /// The air it tells of cannot be.
    #[error("section `AIRR`: {0}")]
    Air(#[from] AirError),
    /// A kind of agent cannot be.
    #[error("section `KIND`: kind {kind}: {error}")]
    Kind {
        /// Which kind, the world's own walker being 0.
        kind: usize,
        /// What is wrong with it.
        error: AgentTypeError,
    },
    /// A kind of agent has a view that is not one of its profile.
    #[error("section `KIND`: kind {kind} names view {profile}, which is not one of its profile")]
    Profile {
        /// Which kind, the world's own walker being 0.
        kind: usize,
        /// Which view.
        profile: u32,
    },
    /// An effect follows somebody who is not there, or is not there itself.
    #[error("section `ATCH`: {0}")]
    Attached(#[from] AttachError),
    /// The baked map in it is damaged.
    #[error("section `frzn`: {0}")]
    Baked(#[from] BakedFileError),
    /// The baked map in it is that of another ground.
    #[error(
        "section `frzn`: made for a ground of digest {found:016x}, this one has {expected:016x}"
    )]
    ForeignBaked {
        /// The ground it was made for.
        found: u64,
        /// The ground of this file.
        expected: u64,
    },
}

rows! {
    Position { x: i64, y: i64, z: i64 }
    AgentType { ground: Option<Profile>, flight: Option<FlightProfile>, planar: Option<DiscAgent> }
    FlightProfile { radius: Fixed, multiplier: CostMultiplier, take_off: Cost, land: Cost, requires_air_link: bool }
    DiscAgent { radius: Fixed, blocked_by: ObstacleCategories }
    Attached { body: BodyId, at: (Point2, Fixed), modifier: CostModifier }
    AirLink { cell: Cell, voxel: Voxel, take_off: Option<Cost>, land: Option<Cost> }
    OcclusionRules { is_void_transparent: bool, opaque: u64, opaque_height: i32, wall_height: i32 }
}

impl Codec for Scale {
    const MIN_BYTES: usize = 48;
    fn put(&self, sink: &mut SectionWriter) {
        self.lengths().iter().for_each(|length| sink.i64(*length));
        self.origin().put(sink);
    }
    fn take(source: &mut SectionReader<'_>) -> Result<Self, SnapshotError> {
        let at = source.at();
        let lengths = [source.i64()?, source.i64()?, source.i64()?];
        let origin_at = source.at();
        let origin = Position::take(source)?;
        let scale = Self::from_lengths(lengths).map(|scale| scale.at(origin));
        let found = lengths[0].into();
        let scale = scale.ok_or_else(|| {
            SnapshotError::wrong(at, "a length", found, "multiples of 256 up to 2^32")
        })?;
        if scale.origin() != origin {
            let far = [origin.x, origin.y, origin.z].into_iter();
            let far = far.max_by_key(|at| at.unsigned_abs()).unwrap_or(0);
            let what = "the origin";
            return Err(SnapshotError::wrong(
                origin_at,
                what,
                far.into(),
                "within 2^62 of 0",
            ));
        }
        Ok(scale)
    }
}

impl World {
    /// The whole world as bytes, for [`World::load`]. Equal worlds of equal history give equal
    /// bytes, on every machine.
    ///
    /// ```
    /// use wayfarer::World;
    /// use wayfarer::base::Raster;
    ///
    /// let world = World::from_raster(&Raster::from_bytes(3, 2, vec![0; 6]).unwrap());
    /// let again = World::load(&world.save())?;
    /// assert_eq!(again.state_hash(), world.state_hash());
    /// # Ok::<(), wayfarer::LoadError>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        self.save_sections().finish()
    }

    /// The same with a baked map of the ground baked in, for [`World::load_baked`].
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
        writer.section(KINDS, |sink| {
            let place = |known: &Registered| known.profile_id.map(ProfileId::place);
            let agent_types = self.agent_types[1..].iter();
            put_all(
                sink,
                agent_types.map(|known| (known.agent_type.clone(), place(known))),
            );
            put_all(sink, self.air_links.iter().copied());
        });
        if let Some(air) = &self.air {
            writer.section(AIR, |sink| air::put(sink, &air.record()));
        }
        if !self.attached.is_empty() {
            writer.section(ATTACHED, |sink| {
                let attached = self.attached.iter();
                put_all(sink, attached.map(|(name, one)| (*name, one.clone())));
            });
        }
        writer
    }

    /// The world that was saved.
    ///
    /// # Errors
    /// What is wrong with the bytes and where, or what in the world they tell of cannot be.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::load_sections(&Snapshot::read(bytes)?)
    }

    /// The world that was saved, and the baked map of its ground if one was baked in.
    ///
    /// # Errors
    /// As [`World::load`]; also if the baked map is that of another ground.
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
        let baked = BakedAbstraction::from_bytes(source.take(source.left() as u64)?)?;
        Ok((world, Some(baked)))
    }

    fn load_sections(snapshot: &Snapshot<'_>) -> Result<Self, LoadError> {
        snapshot.check_known(&[
            WORLD, GROUND, OBSTACLES, BODIES, SENSORS, KINDS, AIR, ATTACHED, BAKED,
        ])?;
        let (revision, (scale, rules)) = read(
            snapshot.section(WORLD)?,
            <(Revision, (Scale, OcclusionRules))>::take,
        )?;
        let ground = read(snapshot.section(GROUND)?, ground::take)?;
        let bodies = read(snapshot.section(BODIES)?, BodySetRecord::take)?;
        let sensors = read(
            snapshot.section(SENSORS)?,
            TableRecord::<PlacedSensor>::take,
        )?;
        let (agent_types, air_links) = read(snapshot.section(KINDS)?, |source| {
            let agent_types: Vec<(AgentType, Option<u32>)> =
                take_all(source, "the number of kinds")?;
            let name = |air_link: &AirLink| (air_link.cell, air_link.voxel);
            let air_links = take_rising(source, "perches", name)?;
            Ok((agent_types, air_links))
        })?;
        let obstacles = snapshot.find(OBSTACLES);
        let obstacles = obstacles.map(|source| read(source, ObstacleSetRecord::take));
        let air = snapshot.find(AIR).map(|source| read(source, air::take));

        let mut world = Self::from_ground(Ground::from_record(&ground)?)
            .with_scale(scale)
            .with_occlusion_rules(rules)
            .with_bodies(BodySet::from_record(&bodies).map_err(LoadError::Bodies)?);
        world.sensors = Sensors::from_record(&sensors).map_err(LoadError::Sensors)?;
        if let Some(record) = obstacles.transpose()? {
            world = world.with_obstacles(ObstacleSet::from_record(&record)?);
        }
        if let Some(record) = air.transpose()? {
            world = world.with_air(Air::from_record(&record)?);
        }
        for (number, (agent_type, place)) in agent_types.into_iter().enumerate() {
            agent_type.check().map_err(|error| LoadError::Kind {
                kind: number + 1,
                error,
            })?;
            let named = place.and_then(|place| world.ground.profile_at(place));
            let own = named.filter(|id| {
                let profile_ground = world.ground.profile_ground(*id);
                profile_ground.map(|profile_ground| profile_ground.profile())
                    == agent_type.ground.as_ref()
            });
            let needs = agent_type
                .ground
                .as_ref()
                .is_some_and(|profile| profile != world.ground.default_profile());
            if needs != own.is_some() || place.is_some() != own.is_some() {
                return Err(LoadError::Profile {
                    kind: number + 1,
                    profile: place.unwrap_or(u32::MAX),
                });
            }
            world.agent_types.push(Registered {
                agent_type,
                profile_id: own,
            });
        }
        world.air_links = air_links;
        world.revision = revision;
        if let Some(source) = snapshot.find(ATTACHED) {
            let attached = read(source, |source| {
                take_rising(source, "followers", |one: &(CostModifierId, Attached)| {
                    one.0
                })
            })?;
            for (name, one) in attached {
                world.attach_cost_modifier(name, one.body)?;
                world.attached.insert(name, one);
            }
        }
        Ok(world)
    }

    /// A number for what is there, the same on every platform and whatever the history: scale,
    /// rules of sight, ground with its walker and effects, field with its bounds, bodies, air and
    /// air links. Left out is what no edit changes or undoes: revisions, names that the world gave,
    /// kinds of agents, sensors and what they know, and which effects follow whom. Goes through the
    /// whole world.
    pub fn state_hash(&self) -> u64 {
        let mut sink = SectionWriter::default();
        self.scale.put(&mut sink);
        self.rules.put(&mut sink);
        ground::put_state(&mut sink, &self.ground.record());
        self.obstacles.is_some().put(&mut sink);
        if let Some(obstacles) = &self.obstacles {
            obstacles.bounds().put(&mut sink);
            let obstacle_set = obstacles.record().obstacles;
            put_sorted(
                &mut sink,
                obstacle_set.slots.iter().filter_map(|place| place.1),
            );
        }
        let bodies = self.bodies.record().bodies;
        put_sorted(
            &mut sink,
            bodies.slots.iter().filter_map(|place| Some(place.1?.body)),
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

/// A whole section.
fn read<T>(
    mut source: SectionReader<'_>,
    take: impl FnOnce(&mut SectionReader<'_>) -> Result<T, SnapshotError>,
) -> Result<T, SnapshotError> {
    let value = take(&mut source)?;
    source.end()?;
    Ok(value)
}

/// All of them in the order of their bytes, which no history changes.
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

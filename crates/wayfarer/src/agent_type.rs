//! Agent types in world units: how an agent moves, its size, what it may walk on.

use thiserror::Error;
use wayfarer_engine as engine;
use wayfarer_engine::base::{CostMultiplier, Fixed, Profile, Terrain};
use wayfarer_engine::search::multimodal::FlightProfile;
use wayfarer_engine::world::obstacles::{DiscAgent, ObstacleCategories};

pub use engine::AgentTypeId;

use crate::units::{BadNumber, Frame, Rounding, multiplier};

/// How an agent moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Movement {
    /// On floors, over steps, drops and nav links.
    #[default]
    Ground,
    /// Through free air.
    Flight,
    /// On floors and through the air, whichever is cheaper; takes off and lands.
    GroundAndFlight,
    /// On the plane among bodies that block movement; floors do not count.
    Planar,
}

impl Movement {
    const fn walks(self) -> bool {
        matches!(self, Self::Ground | Self::GroundAndFlight)
    }

    const fn flies(self) -> bool {
        matches!(self, Self::Flight | Self::GroundAndFlight)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Flight => "flight",
            Self::GroundAndFlight => "ground-and-flight",
            Self::Planar => "planar",
        }
    }
}

/// A set of terrains.
///
/// ```
/// use wayfarer::{Terrain, TerrainSet};
///
/// let wet = TerrainSet::of(&[Terrain::WATER, Terrain::SWAMP]);
/// assert!(wet.contains(Terrain::WATER) && !wet.contains(Terrain::GROUND));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainSet(u64);

impl TerrainSet {
    /// Ground and swamp.
    pub const WALKABLE: Self = Self::of(&[Terrain::GROUND, Terrain::SWAMP]);

    /// The set of these terrains.
    pub const fn of(terrains: &[Terrain]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < terrains.len() {
            bits |= terrains[index].bit();
            index += 1;
        }
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The set with one terrain more.
    #[must_use]
    pub const fn with(self, terrain: Terrain) -> Self {
        Self(self.0 | terrain.bit())
    }

    /// The set without a terrain.
    #[must_use]
    pub const fn without(self, terrain: Terrain) -> Self {
        Self(self.0 & !terrain.bit())
    }

    /// True if the set contains a terrain.
    pub const fn contains(self, terrain: Terrain) -> bool {
        self.0 & terrain.bit() != 0
    }
}

/// How an agent moves, in world units; registered with [`World::add_agent_type`].
///
/// An option that the movement does not use must keep the value of [`AgentType::GROUND`],
/// [`AgentType::FLIGHT`], [`AgentType::GROUND_AND_FLIGHT`] or [`AgentType::PLANAR`], else
/// registering is an error that names the option.
///
/// ```
/// use wayfarer::{AgentType, Terrain, TerrainSet};
///
/// let tank = AgentType { radius: 1.5, max_step: 0.3, ..AgentType::GROUND };
/// let boat = AgentType { terrains: TerrainSet::of(&[Terrain::WATER]), ..AgentType::GROUND };
/// assert_eq!(tank.height, boat.height);
/// ```
///
/// [`World::add_agent_type`]: crate::World::add_agent_type
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct AgentType {
    /// How it moves.
    pub movement: Movement,
    /// Radius of its disc, or of its ball in the air: it may touch walls, not overlap them. Up to 8
    /// cells on the ground and 12 voxels in the air; rounded up to 1/256 of a cell.
    pub radius: f64,
    /// Headroom that it needs above a floor; rounded up to whole steps. Ground only.
    pub height: f64,
    /// Largest step up; rounded down to whole steps. Ground only.
    pub max_step: f64,
    /// Largest step down; rounded down to whole steps. Larger than `max_step`, it allows one-way
    /// drops. Ground only.
    pub max_drop: f64,
    /// The terrains that it may walk on. Ground only.
    pub terrains: TerrainSet,
    /// Cost multipliers of terrains, 1 to 4,095, rounded to 1/16; 1 where none is given. The last of
    /// several for one terrain counts. Ground only.
    pub terrain_costs: Vec<(Terrain, f64)>,
    /// Key bits: it passes a locked link if it has all bits of the lock. Ground only.
    pub keys: u32,
    /// Distance from walls, thin walls and drops beyond its radius that it keeps where it can: cells
    /// nearer than that cost `clearance_cost` times as much in [`World::find_path`]. With the radius up
    /// to 8 cells; 0 for no preference. Ground movement only.
    ///
    /// [`World::find_path`]: crate::World::find_path
    pub clearance: f64,
    /// The cost multiplier of cells within the clearance, 1 to 4,095; 2 by default. Ground movement
    /// only.
    pub clearance_cost: f64,
    /// Cost of flying relative to walking on base terrain, 1 to 4,095. Flight only.
    pub flight_cost: f64,
    /// Cost of taking off and of landing without an air link, as a length. Ground and flight only.
    pub take_off_cost: f64,
    /// True to take off and land at air links only. Ground and flight only.
    pub requires_air_link: bool,
}

impl AgentType {
    /// A person on foot, in meters: radius 0.4, height 1.8, steps of 0.5.
    pub const GROUND: Self = Self::walker(Movement::Ground);

    /// A drone, in meters: radius 0.4.
    pub const FLIGHT: Self = Self::of_size(Movement::Flight, 0.0, 0.0);

    /// A person that flies too, in meters.
    pub const GROUND_AND_FLIGHT: Self = Self::walker(Movement::GroundAndFlight);

    /// A disc on the plane, radius 0.4.
    pub const PLANAR: Self = Self::of_size(Movement::Planar, 0.0, 0.0);

    const fn walker(movement: Movement) -> Self {
        Self::of_size(movement, 1.8, 0.5)
    }

    const fn of_size(movement: Movement, height: f64, max_step: f64) -> Self {
        Self {
            movement,
            radius: 0.4,
            height,
            max_step,
            max_drop: max_step,
            terrains: TerrainSet::WALKABLE,
            terrain_costs: Vec::new(),
            keys: 0,
            clearance: 0.0,
            clearance_cost: 2.0,
            flight_cost: 1.0,
            take_off_cost: 0.0,
            requires_air_link: false,
        }
    }

    /// The values that unused options must keep.
    const fn defaults(movement: Movement) -> &'static Self {
        const ALL: &[AgentType; 4] = &[
            AgentType::GROUND,
            AgentType::FLIGHT,
            AgentType::GROUND_AND_FLIGHT,
            AgentType::PLANAR,
        ];
        &ALL[movement as usize]
    }

    /// The name of the first option that the movement does not use and that is not at its default.
    fn unused_option(&self) -> Option<&'static str> {
        let kept = Self::defaults(self.movement);
        let (walks, flies) = (self.movement.walks(), self.movement.flies());
        let both = walks && flies;
        let is_ground = self.movement == Movement::Ground;
        #[expect(clippy::float_cmp, reason = "a default is kept to the bit")]
        let checks = [
            ("height", walks || self.height == kept.height),
            ("max_step", walks || self.max_step == kept.max_step),
            ("max_drop", walks || self.max_drop == kept.max_drop),
            ("terrains", walks || self.terrains == kept.terrains),
            ("terrain_costs", walks || self.terrain_costs.is_empty()),
            ("keys", walks || self.keys == 0),
            ("clearance", is_ground || self.clearance == kept.clearance),
            (
                "clearance_cost",
                is_ground || self.clearance_cost == kept.clearance_cost,
            ),
            ("flight_cost", flies || self.flight_cost == kept.flight_cost),
            (
                "take_off_cost",
                both || self.take_off_cost == kept.take_off_cost,
            ),
            ("requires_air_link", both || !self.requires_air_link),
        ];
        let unused = checks.into_iter().find(|(_, is_kept)| !is_kept);
        unused.map(|(option, _)| option)
    }

    /// The engine's agent type.
    pub(crate) fn to_engine(&self, frame: Frame) -> Result<engine::AgentType, AgentTypeError> {
        if let Some(option) = self.unused_option() {
            let movement = self.movement.name();
            return Err(AgentTypeError::UnusedOption { option, movement });
        }
        let mut agent_type = engine::AgentType::default();
        if self.movement.walks() {
            agent_type.ground = Some(self.profile(frame)?);
        }
        if self.movement.flies() {
            agent_type.flight = Some(self.flight_profile(frame)?);
        }
        if self.movement == Movement::Planar {
            agent_type.planar = Some(DiscAgent {
                radius: frame.length("the radius", self.radius, Rounding::Up)?,
                blocked_by: ObstacleCategories::ALL,
            });
        }
        Ok(agent_type)
    }

    /// The engine's agent type that is as wide as the clearance; `None` without one.
    pub(crate) fn with_clearance(
        &self,
        frame: Frame,
    ) -> Result<Option<engine::AgentType>, AgentTypeError> {
        multiplier("the cost of the clearance", self.clearance_cost)?;
        frame.length("the clearance", self.clearance, Rounding::Up)?;
        if self.clearance <= 0.0 {
            return Ok(None);
        }
        let what = "the radius with the clearance";
        let radius = self.radius + self.clearance;
        let expected = "at most 8 cells";
        if frame.length(what, radius, Rounding::Up)?.raw() > 8 * Fixed::UNITS_PER_CELL {
            let found = radius;
            return Err(AgentTypeError::BadNumber(BadNumber {
                what,
                found,
                expected,
            }));
        }
        let wide = Self {
            radius,
            clearance: 0.0,
            ..self.clone()
        };
        wide.to_engine(frame).map(Some)
    }

    fn profile(&self, frame: Frame) -> Result<Profile, AgentTypeError> {
        let mut terrain_costs: Vec<(Terrain, CostMultiplier)> = Vec::new();
        for (terrain, cost) in &self.terrain_costs {
            let cost = multiplier("a terrain cost", *cost)?;
            terrain_costs.retain(|(listed, _)| listed != terrain);
            terrain_costs.push((*terrain, cost));
        }
        terrain_costs.sort_unstable_by_key(|(terrain, _)| *terrain);
        terrain_costs.retain(|(_, cost)| *cost != CostMultiplier::ONE);
        Ok(Profile {
            radius: frame.length("the radius", self.radius, Rounding::Up)?,
            height: frame.steps("the height", self.height, Rounding::Up)?.max(1),
            max_step: frame.steps("the largest step", self.max_step, Rounding::Down)?,
            max_drop: frame.steps("the largest drop", self.max_drop, Rounding::Down)?,
            keys: self.keys,
            allowed_terrains: self.terrains.0,
            terrain_costs,
        })
    }

    fn flight_profile(&self, frame: Frame) -> Result<FlightProfile, AgentTypeError> {
        let [cell, _, voxel] = frame.scale.exact_lengths();
        let radius = frame.length("the radius", self.radius, Rounding::Up)?;
        let radius = (i128::from(radius.raw()) * i128::from(cell) + i128::from(voxel) - 1)
            / i128::from(voxel);
        let transition = frame.cost_of_length("the cost of taking off", self.take_off_cost)?;
        Ok(FlightProfile {
            radius: Fixed::from_raw(i32::try_from(radius).unwrap_or(i32::MAX)),
            multiplier: multiplier("the cost of flight", self.flight_cost)?,
            take_off: transition,
            landing: transition,
            requires_air_link: self.requires_air_link,
        })
    }
}

impl Default for AgentType {
    /// [`AgentType::GROUND`].
    fn default() -> Self {
        Self::GROUND
    }
}

/// Why an agent type was rejected.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum AgentTypeError {
    /// A number is not finite or out of range.
    #[error(transparent)]
    BadNumber(#[from] BadNumber),
    /// An option is set that the movement does not use.
    #[error("`{option}` is set, which {movement} movement does not use; expected its default")]
    UnusedOption {
        /// The option.
        option: &'static str,
        /// The movement.
        movement: &'static str,
    },
    /// A size exceeds a limit of the engine, in cells, steps or voxels.
    #[error("{reason}")]
    Limit {
        /// The limit and what was found.
        reason: String,
    },
}

#[cfg(test)]
mod tests;

//! [`NavEntity`] and [`NavSensor`]: what is found, seen and avoided, and what looks for it.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Vec2, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use wayfarer::{
    Axes, Body, BodyFilter, BodyShape, Categories, Footprint, Heading, Mount, Position, Sensor,
    Teams,
};

use crate::changes::{Kind, Removals};

/// A unit, vehicle or prop in the registry of bodies: range queries and sensors find it, and its flags
/// decide whether it is in the path of agents and of lines of sight. It follows the translation of its
/// entity, which counts in the space of the world.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
#[component(on_remove = Self::on_remove)]
pub struct NavEntity {
    /// Radius of its disc, in units; 0 for a point.
    pub radius: f32,
    /// Half the sizes of its box, in place of the disc.
    pub half_size: Option<Vec2>,
    /// From its feet to its top, in units.
    pub height: f32,
    /// Height of the translation above the feet, in units.
    pub feet_offset: f32,
    /// Its categories as bits, 0 to 21; all by default.
    pub categories: u32,
    /// Its team.
    pub team: u8,
    /// True if paths avoid it.
    pub blocks_movement: bool,
    /// True if it occludes lines of sight.
    pub blocks_sight: bool,
}

impl Default for NavEntity {
    /// A disc of radius 0.4 and height 1.8 of team 0 that blocks movement.
    fn default() -> Self {
        Self {
            radius: 0.4,
            half_size: None,
            height: 1.8,
            feet_offset: 0.0,
            categories: u32::MAX,
            team: 0,
            blocks_movement: true,
            blocks_sight: false,
        }
    }
}

impl NavEntity {
    /// Where its feet are.
    pub(crate) fn feet(&self, at: Vec3, axes: Axes) -> Position {
        feet(at, self.feet_offset, axes)
    }

    /// The body of the library.
    pub(crate) fn to_body(self, at: Vec3, axes: Axes) -> Body {
        Body {
            position: self.feet(at, axes),
            shape: match self.half_size {
                Some(half) => BodyShape::cuboid(half.x.into(), half.y.into()),
                None if self.radius == 0.0 => BodyShape::Point,
                None => BodyShape::disc(self.radius.into()),
            },
            height: self.height.into(),
            categories: categories(self.categories),
            team: self.team,
            blocks_movement: self.blocks_movement,
            blocks_sight: self.blocks_sight,
        }
    }

    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::Body);
    }
}

/// A position below the translation of an entity.
pub(crate) fn feet(mut at: Vec3, offset: f32, axes: Axes) -> Position {
    at[crate::shape::up_index(axes)] -= offset;
    at.into()
}

/// The categories of bits.
pub(crate) fn categories(bits: u32) -> Categories {
    let numbers = (0..32_u8).filter(|number| bits >> number & 1 == 1);
    numbers.fold(Categories::NONE, |all, number| {
        all.with(Categories::one(number))
    })
}

/// An area around an entity that reports the bodies that enter and leave it
/// ([`SensorEntered`](crate::SensorEntered), [`SensorLeft`](crate::SensorLeft)).
///
/// On an entity with a [`NavEntity`] it is mounted on that body and does not detect it. It looks along
/// the entity's forward direction (-z) where y is up, along its x axis where z is up.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
#[component(on_remove = Self::on_remove)]
pub struct NavSensor {
    /// The area.
    pub footprint: NavFootprint,
    /// It detects bodies with at least one of these categories.
    pub categories: u32,
    /// It detects no bodies of this team.
    pub except_team: Option<u8>,
    /// True to detect only what is in sight.
    pub requires_line_of_sight: bool,
    /// Height of the eye above the feet of the body, or above the translation.
    pub eye_height: f32,
    /// A detected body leaves only when it is farther outside than this, in units.
    pub exit_margin: f32,
    /// True to detect a body that only crosses the area within a tick.
    pub is_continuous: bool,
}

impl Default for NavSensor {
    /// A disc of radius 5 that detects everything.
    fn default() -> Self {
        Self {
            footprint: NavFootprint::Disc { radius: 5.0 },
            categories: u32::MAX,
            except_team: None,
            requires_line_of_sight: false,
            eye_height: 0.0,
            exit_margin: 0.0,
            is_continuous: false,
        }
    }
}

/// The area of a sensor, around and along its entity.
#[derive(Reflect, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Clone, PartialEq, Debug)]
pub enum NavFootprint {
    /// All points within a radius.
    Disc {
        /// The radius, in units.
        radius: f32,
    },
    /// All points between two radii.
    Ring {
        /// The inner radius, in units.
        inner: f32,
        /// The outer radius, in units.
        outer: f32,
    },
    /// A cone in the direction of the entity.
    Cone {
        /// The whole opening angle in radians.
        angle: f32,
        /// The range, in units.
        range: f32,
    },
    /// A box in the direction of the entity.
    OrientedBox {
        /// Half its length, in units.
        half_length: f32,
        /// Half its width, in units.
        half_width: f32,
    },
}

impl NavFootprint {
    const fn is_round(&self) -> bool {
        matches!(self, Self::Disc { .. } | Self::Ring { .. })
    }
}

impl NavSensor {
    /// Whether a turn of the entity changes the footprint.
    pub(crate) const fn has_direction(&self) -> bool {
        !self.footprint.is_round()
    }

    /// The footprint at an entity.
    pub(crate) fn to_footprint(self, transform: &Transform, axes: Axes) -> Footprint {
        let center = Position::from(transform.translation);
        let heading = || match axes {
            Axes::ZUp => {
                let along = transform.rotation * Vec3::X;
                Heading {
                    x: along.x.into(),
                    y: along.y.into(),
                }
            }
            Axes::YUp => {
                let along = transform.rotation * Vec3::NEG_Z;
                Heading {
                    x: along.x.into(),
                    y: along.z.into(),
                }
            }
        };
        match self.footprint {
            NavFootprint::Disc { radius } => Footprint::disc(center, radius.into()),
            NavFootprint::Ring { inner, outer } => {
                Footprint::ring(center, inner.into(), outer.into())
            }
            NavFootprint::Cone { angle, range } => {
                Footprint::cone(center, heading(), angle.into(), range.into())
            }
            NavFootprint::OrientedBox {
                half_length,
                half_width,
            } => Footprint::oriented_box(center, heading(), half_length.into(), half_width.into()),
        }
    }

    /// The sensor of the library.
    pub(crate) fn to_sensor(self, transform: &Transform, mount: Mount, axes: Axes) -> Sensor {
        Sensor {
            mount,
            footprint: self.to_footprint(transform, axes),
            filter: BodyFilter {
                categories: categories(self.categories),
                teams: self.except_team.map_or(Teams::ALL, Teams::except),
                ..BodyFilter::ALL
            },
            requires_line_of_sight: self.requires_line_of_sight,
            eye_height: self.eye_height.into(),
            exit_margin: self.exit_margin.into(),
            is_continuous: self.is_continuous,
            ..Sensor::default()
        }
    }

    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::Sensor);
    }
}

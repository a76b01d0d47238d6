//! Outlines on the plane around an entity.

use bevy_math::{Affine3A, Vec2, Vec3};
use bevy_reflect::prelude::*;
use wayfarer::{Area, AreaShape, Axes, Position};

/// An outline on the plane around the translation of an entity. Its vectors are horizontal: x and z
/// where y is up, x and y where z is.
#[derive(Reflect, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Clone, PartialEq, Debug)]
pub enum NavShape {
    /// All points within a radius, in units; turns and scales with the entity along its x axis.
    Disc {
        /// The radius.
        radius: f32,
    },
    /// A rectangle that turns and scales with the entity.
    Rect {
        /// Half its sizes.
        half_size: Vec2,
    },
    /// The inside of a polygon by the even-odd rule, 3 to 4,096 vertices, that turns and scales with
    /// the entity.
    Polygon(Vec<Vec2>),
}

impl Default for NavShape {
    /// A disc of radius 1.
    fn default() -> Self {
        Self::Disc { radius: 1.0 }
    }
}

impl NavShape {
    /// The outline around an entity, on all floors.
    pub(crate) fn area(&self, to_world: &Affine3A, axes: Axes) -> Area {
        let corner = |at: Vec2| Position::from(to_world.transform_point3(lifted(at, axes)));
        match self {
            Self::Disc { radius } => {
                let scale = to_world.matrix3.x_axis.length();
                Area::disc(
                    Vec3::from(to_world.translation).into(),
                    (radius * scale).into(),
                )
            }
            Self::Rect { half_size } => {
                let corners = rect_corners(*half_size).map(corner);
                match is_aligned(to_world) {
                    true => Area::rect(corners[0], corners[2]),
                    false => Area::polygon(&corners),
                }
            }
            Self::Polygon(vertices) => Area {
                shape: AreaShape::Polygon(vertices.iter().map(|at| corner(*at)).collect()),
                heights: None,
            },
        }
    }
}

/// The corners of a rectangle around 0, counter-clockwise, the lowest first.
pub(crate) fn rect_corners(half: Vec2) -> [Vec2; 4] {
    [
        -half,
        Vec2::new(half.x, -half.y),
        half,
        Vec2::new(-half.x, half.y),
    ]
}

/// A horizontal vector in space.
pub(crate) fn lifted(at: Vec2, axes: Axes) -> Vec3 {
    match axes {
        Axes::ZUp => Vec3::new(at.x, at.y, 0.0),
        Axes::YUp => Vec3::new(at.x, 0.0, at.y),
    }
}

/// The index of the coordinate that points up.
pub(crate) const fn up_index(axes: Axes) -> usize {
    match axes {
        Axes::ZUp => 2,
        Axes::YUp => 1,
    }
}

/// True if boxes stay boxes: every axis of the entity is one of the world.
pub(crate) fn is_aligned(to_world: &Affine3A) -> bool {
    let matrix = to_world.matrix3.to_cols_array_2d();
    matrix
        .iter()
        .all(|axis| axis.iter().filter(|part| **part != 0.0).count() <= 1)
}

/// True if the vertical axis of the entity is that of the world.
pub(crate) fn is_upright(to_world: &Affine3A, axes: Axes) -> bool {
    let up = up_index(axes);
    let matrix = to_world.matrix3.to_cols_array_2d();
    let is_level = |(index, axis): (usize, &[f32; 3])| index == up || axis[up] == 0.0;
    let others = (0..3)
        .filter(|part| *part != up)
        .all(|part| matrix[up][part] == 0.0);
    others && matrix.iter().enumerate().all(is_level)
}

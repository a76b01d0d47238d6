//! [`NavSolid`]: walls, crates, towers.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Affine3A, Vec2, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use wayfarer::{Axes, Position, Solid};

use crate::changes::{Kind, Removals};
use crate::shape::{is_aligned, is_upright, lifted, rect_corners, up_index};

/// A solid around the translation of its entity: it blocks walking, flight and sight, and agents walk
/// on its top. It moves, turns and scales with the entity and its parents, and its removal shows again
/// what was there. Rounded outward to whole cells.
#[derive(Component, Reflect, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Clone, PartialEq, Debug)]
#[require(Transform)]
#[component(on_remove = Self::on_remove)]
pub enum NavSolid {
    /// A box.
    Cuboid {
        /// Half its sizes, in units.
        half_size: Vec3,
    },
    /// A cylinder that stays upright; its radius scales along the x axis of the entity.
    Cylinder {
        /// The radius, in units.
        radius: f32,
        /// Half the height, in units.
        half_height: f32,
    },
    /// A prism over a polygon of 3 to 1,024 corners that stays upright.
    Prism {
        /// The corners: x and z where y is up, x and y where z is.
        corners: Vec<Vec2>,
        /// Half the height, in units.
        half_height: f32,
    },
    /// A closed mesh, its triangles counter-clockwise seen from outside.
    Mesh {
        /// The vertices.
        vertices: Vec<Vec3>,
        /// Three indices of vertices each.
        triangles: Vec<[u32; 3]>,
    },
}

impl NavSolid {
    /// A box of these sizes, in units.
    pub fn cuboid(x: f32, y: f32, z: f32) -> Self {
        let half_size = Vec3::new(x, y, z) / 2.0;
        Self::Cuboid { half_size }
    }

    /// The solid of the library.
    pub(crate) fn to_solid(&self, to_world: &Affine3A, axes: Axes) -> Solid {
        match self {
            Self::Cuboid { half_size } => cuboid(*half_size, to_world, axes),
            Self::Cylinder {
                radius,
                half_height,
            } => {
                let base = down(*half_height, axes);
                let base = Vec3::from(to_world.translation) + base * up_scale(to_world, axes);
                let scale = to_world.matrix3.x_axis.length();
                let height = 2.0 * half_height * up_scale(to_world, axes);
                Solid::cylinder(base.into(), (radius * scale).into(), height.into())
            }
            Self::Prism {
                corners,
                half_height,
            } => {
                let scale = up_scale(to_world, axes);
                let lower = down(*half_height * scale, axes);
                let corner = |at: &Vec2| to_world.transform_point3(lifted(*at, axes)) + lower;
                let corners = corners.iter().map(|at| Position::from(corner(at)));
                Solid::prism(corners, (2.0 * half_height * scale).into())
            }
            Self::Mesh {
                vertices,
                triangles,
            } => {
                let vertices = vertices
                    .iter()
                    .map(|at| to_world.transform_point3(*at).into());
                Solid::mesh(vertices, triangles.iter().copied())
            }
        }
    }

    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::Solid);
    }
}

/// A box of any orientation: a box of cells, an upright prism or a mesh.
fn cuboid(half: Vec3, to_world: &Affine3A, axes: Axes) -> Solid {
    let at = |local: Vec3| to_world.transform_point3(local);
    if is_aligned(to_world) {
        let (a, b) = (at(-half), at(half));
        return Solid::cuboid(a.min(b).into(), a.max(b).into());
    }
    if is_upright(to_world, axes) {
        let (flat, height) = match axes {
            Axes::ZUp => (Vec2::new(half.x, half.y), half.z),
            Axes::YUp => (Vec2::new(half.x, half.z), half.y),
        };
        let height = height * up_scale(to_world, axes);
        let corner = |flat: Vec2| at(lifted(flat, axes)) + down(height, axes);
        let corners = rect_corners(flat).map(|flat| Position::from(corner(flat)));
        return Solid::prism(corners, (2.0 * height).into());
    }
    let sign = |set: usize| if set == 0 { -1.0 } else { 1.0 };
    let corner = |bits: usize| Vec3::new(sign(bits & 1), sign(bits & 2), sign(bits & 4));
    let vertices = (0..8).map(|bits| at(half * corner(bits)).into());
    Solid::mesh(vertices, oriented(to_world))
}

/// The faces of a box over corners numbered by the bits x, y, z, seen from outside.
const FACES: [[u32; 3]; 12] = [
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
];

/// The faces of a box, turned back if the transform mirrors it.
fn oriented(to_world: &Affine3A) -> [[u32; 3]; 12] {
    let is_mirrored = to_world.matrix3.determinant() < 0.0;
    FACES.map(|[a, b, c]| if is_mirrored { [a, c, b] } else { [a, b, c] })
}

/// The length of the entity's vertical axis.
fn up_scale(to_world: &Affine3A, axes: Axes) -> f32 {
    to_world.matrix3.col(up_index(axes)).length()
}

/// A vector downward.
fn down(by: f32, axes: Axes) -> Vec3 {
    match axes {
        Axes::ZUp => Vec3::new(0.0, 0.0, -by),
        Axes::YUp => Vec3::new(0.0, -by, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use bevy_math::Quat;

    use super::*;

    fn check(solid: &NavSolid, transform: Transform, expected: &Solid) {
        let to_world = transform.compute_affine();
        assert_eq!(solid.to_solid(&to_world, Axes::YUp), *expected);
    }

    #[test]
    fn a_box_is_around_the_translation_and_scales() {
        let transform = Transform::from_xyz(4.0, 1.0, 2.0).with_scale(Vec3::new(2.0, 1.0, 1.0));
        let (low, high) = (Position::new(3.0, 0.0, 1.5), Position::new(5.0, 2.0, 2.5));
        check(
            &NavSolid::cuboid(1.0, 2.0, 1.0),
            transform,
            &Solid::cuboid(low, high),
        );
    }

    #[test]
    fn a_turned_box_is_a_prism() {
        let turn = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        let transform = Transform::from_rotation(turn);
        let to_world = transform.compute_affine();
        assert!(is_upright(&to_world, Axes::YUp) && !is_aligned(&to_world));
        let corners = rect_corners(Vec2::ONE).map(|at| {
            let at = to_world.transform_point3(Vec3::new(at.x, 0.0, at.y));
            Position::from(at - Vec3::Y)
        });
        check(
            &NavSolid::cuboid(2.0, 2.0, 2.0),
            transform,
            &Solid::prism(corners, 2.0),
        );
    }

    #[test]
    fn a_tilted_box_is_a_mesh_of_the_same_volume() {
        let transform = Transform::from_rotation(Quat::from_xyzw(0.6, 0.0, 0.0, 0.8));
        let NavSolid::Cuboid { half_size } = NavSolid::cuboid(2.0, 4.0, 6.0) else {
            unreachable!("just made")
        };
        let to_world = transform.compute_affine();
        let corner = |index: u32| {
            let sign = |bit: u32| if index & bit == 0 { -1.0 } else { 1.0 };
            to_world.transform_point3(half_size * Vec3::new(sign(1), sign(2), sign(4)))
        };
        let signed =
            oriented(&to_world).map(|[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0);
        let volume: f32 = signed.iter().sum();
        assert!((volume - 48.0).abs() < 1e-3, "{volume}");
    }
}

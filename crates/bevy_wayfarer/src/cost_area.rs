//! [`NavCostArea`]: mud, lines of fire, crowds.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Affine3A;
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use wayfarer::{Axes, CostArea};

use crate::changes::{Kind, Removals};
use crate::shape::NavShape;

/// An area around its entity that costs more to walk through. Multipliers on one cell stack.
#[derive(Component, Reflect, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
#[component(on_remove = Self::on_remove)]
pub struct NavCostArea {
    /// Its outline.
    pub shape: NavShape,
    /// Lowest and highest floor relative to the translation, in units; `None` for all floors.
    pub heights: Option<(f32, f32)>,
    /// Factor on the cost of base terrain, 1 to 4,095, rounded to 1/16.
    pub multiplier: f32,
}

impl Default for NavCostArea {
    /// A disc of radius 1 on all floors that doubles the cost.
    fn default() -> Self {
        Self {
            shape: NavShape::default(),
            heights: None,
            multiplier: 2.0,
        }
    }
}

impl NavCostArea {
    /// The cost area of the library.
    pub(crate) fn to_cost_area(&self, to_world: &Affine3A, axes: Axes) -> CostArea {
        let mut area = self.shape.area(to_world, axes);
        let base = to_world.translation[crate::shape::up_index(axes)];
        let absolute = |height: f32| f64::from(base + height);
        area.heights = self
            .heights
            .map(|(low, high)| (absolute(low), absolute(high)));
        CostArea {
            area,
            multiplier: self.multiplier.into(),
        }
    }

    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::CostArea);
    }
}

//! [`NavLink`] and [`NavDoor`]: stairs, ladders, jumps, doors.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Affine3A, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use wayfarer::{LinkDirection, LinkState, NavLinkKind};

use crate::changes::{Kind, Removals};

/// An explicit edge between two places in the space of its entity, which it follows. Both ends need a
/// floor.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Clone, PartialEq, Debug)]
#[require(Transform)]
#[component(on_remove = Self::on_remove)]
pub struct NavLink {
    /// Where it starts.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// Its kind, for the game to animate.
    pub kind: LinkKind,
    /// True if it leads from start to end only.
    pub is_one_way: bool,
    /// Cost of using it, as a length above 0; `None` for the distance between its ends.
    pub cost: Option<f32>,
}

impl NavLink {
    /// A link in both directions that costs the distance between its ends.
    pub const fn new(from: Vec3, to: Vec3, kind: LinkKind) -> Self {
        Self {
            from,
            to,
            kind,
            is_one_way: false,
            cost: None,
        }
    }

    /// The link of the library.
    pub(crate) fn to_link(self, to_world: &Affine3A, door: Option<&NavDoor>) -> wayfarer::NavLink {
        let at = |local: Vec3| to_world.transform_point3(local).into();
        wayfarer::NavLink {
            direction: match self.is_one_way {
                true => LinkDirection::OneWay,
                false => LinkDirection::Bidirectional,
            },
            cost: self.cost.map(f64::from),
            state: link_state(door),
            ..wayfarer::NavLink::new(at(self.from), at(self.to), self.kind.into())
        }
    }

    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::Link);
    }
}

/// The kind of a link.
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum LinkKind {
    /// Stairs.
    Stairs,
    /// A ladder.
    Ladder,
    /// A jump.
    Jump,
    /// A drop.
    Drop,
    /// A door.
    #[default]
    Door,
    /// A teleport.
    Teleport,
    /// A climbable face.
    Climb,
}

impl From<LinkKind> for NavLinkKind {
    fn from(kind: LinkKind) -> Self {
        match kind {
            LinkKind::Stairs => Self::Stairs,
            LinkKind::Ladder => Self::Ladder,
            LinkKind::Jump => Self::Jump,
            LinkKind::Drop => Self::Drop,
            LinkKind::Door => Self::Door,
            LinkKind::Teleport => Self::Teleport,
            LinkKind::Climb => Self::Climb,
        }
    }
}

/// The door of an entity with a [`NavSolid`](crate::NavSolid), a [`NavLink`] or both.
///
/// The solid, a door leaf, stands unless the door is open. The link has the state of the door, so that
/// agent types with its keys pass a locked one.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[component(on_remove = Self::on_remove)]
pub enum NavDoor {
    /// All agents pass.
    #[default]
    Open,
    /// No agent passes.
    Closed,
    /// Agent types with all bits of the key pass the link.
    Locked {
        /// The key bits.
        keys: u32,
    },
}

impl NavDoor {
    fn on_remove(world: DeferredWorld<'_>, context: HookContext) {
        Removals::push(world, context.entity, Kind::Door);
    }
}

/// The state of the link of an entity.
pub(crate) fn link_state(door: Option<&NavDoor>) -> LinkState {
    match door {
        None | Some(NavDoor::Open) => LinkState::Open,
        Some(NavDoor::Closed) => LinkState::Closed,
        Some(NavDoor::Locked { keys }) => LinkState::Locked(*keys),
    }
}

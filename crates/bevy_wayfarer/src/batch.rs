//! The edits of a tick: one batch, all of it or what is valid of it.

use bevy_ecs::prelude::*;
use bevy_math::Affine3A;
use wayfarer::{Edit, EditError, WorldChanges};

use crate::world::{NavWorld, Placed};

/// What a part of the batch stands for.
#[derive(Clone, Copy, Debug)]
enum Owner {
    /// What its entity no longer has.
    Removed(Entity),
    Solid(Entity, Affine3A),
    Link(Entity, Affine3A),
    LinkState(Entity),
    CostArea(Entity, Affine3A),
}

impl Owner {
    const fn entity(self) -> Entity {
        match self {
            Self::Removed(entity)
            | Self::Solid(entity, _)
            | Self::Link(entity, _)
            | Self::LinkState(entity)
            | Self::CostArea(entity, _) => entity,
        }
    }
}

/// The edits of a tick in the order in which they are applied: first what goes, then what comes.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    removals: Vec<(Edit, Owner)>,
    additions: Vec<(Edit, Owner)>,
}

impl Batch {
    pub(crate) fn remove(&mut self, entity: Entity, edit: Edit) {
        self.removals.push((edit, Owner::Removed(entity)));
    }

    pub(crate) fn add_solid(&mut self, entity: Entity, at: Affine3A, solid: wayfarer::Solid) {
        let owner = Owner::Solid(entity, at);
        self.additions.push((Edit::add_solid(solid), owner));
    }

    pub(crate) fn add_link(&mut self, entity: Entity, at: Affine3A, link: wayfarer::NavLink) {
        let owner = Owner::Link(entity, at);
        self.additions.push((Edit::add_link(link), owner));
    }

    pub(crate) fn set_link_state(&mut self, entity: Entity, edit: Edit) {
        self.additions.push((edit, Owner::LinkState(entity)));
    }

    pub(crate) fn add_cost_area(&mut self, entity: Entity, at: Affine3A, area: wayfarer::CostArea) {
        let owner = Owner::CostArea(entity, at);
        self.additions.push((Edit::add_cost_area(area), owner));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.removals.is_empty() && self.additions.is_empty()
    }

    /// Applies the batch to a world. An edit that is rejected is reported and left out.
    pub(crate) fn apply(&mut self, world: &mut NavWorld, world_entity: Entity) {
        let all = self.removals.drain(..).chain(self.additions.drain(..));
        let (mut edits, mut owners): (Vec<Edit>, Vec<Owner>) = all.unzip();
        while !edits.is_empty() {
            match world.world.apply(&edits) {
                Ok(changes) => {
                    world.n_edits = edits.len();
                    register(world, &owners, &changes);
                    world.report(world_entity, changes);
                    return;
                }
                Err(error) => {
                    let Some(index) = rejected(&error, edits.len()) else {
                        reject_all(world, &owners, &error);
                        return;
                    };
                    edits.remove(index);
                    world.reject(owners.remove(index).entity(), error);
                }
            }
        }
    }
}

/// The index of the rejected edit.
fn rejected(error: &EditError, n_edits: usize) -> Option<usize> {
    error.index().filter(|index| *index < n_edits)
}

fn reject_all(world: &mut NavWorld, owners: &[Owner], error: &EditError) {
    for owner in owners {
        world.reject(owner.entity(), error.clone());
    }
}

/// Keeps the ids of what a batch added.
fn register(world: &mut NavWorld, owners: &[Owner], changes: &WorldChanges) {
    let mut solids = changes.new_solids();
    let mut links = changes.new_links();
    let mut cost_areas = changes.new_cost_areas();
    let registry = &mut world.registry;
    for owner in owners {
        match *owner {
            Owner::Solid(entity, at) => {
                let id = solids
                    .next()
                    .expect("a batch reports each solid that it places");
                registry.solids.insert(entity, Placed { id, at });
            }
            Owner::Link(entity, at) => {
                let id = links
                    .next()
                    .expect("a batch reports each link that it adds");
                registry.links.insert(entity, Placed { id, at });
            }
            Owner::CostArea(entity, at) => {
                let id = cost_areas
                    .next()
                    .expect("a batch reports each area that it adds");
                registry.cost_areas.insert(entity, Placed { id, at });
            }
            Owner::Removed(_) | Owner::LinkState(_) => {}
        }
    }
}

//! [`NavSolidMesh`]: solids from mesh assets.

use std::collections::BTreeMap;

use bevy_app::prelude::*;
use bevy_asset::{AssetEvent, Assets, Handle};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, VertexAttributeValues};
use bevy_reflect::prelude::*;

use crate::collect;
use crate::plugin::NavSystems;
use crate::solid::NavSolid;

/// The mesh whose inside is solid: becomes the [`NavSolid`] of its entity when it is loaded, and again
/// when it changes. It must be closed.
#[derive(Component, Reflect, Clone, PartialEq, Debug)]
#[reflect(Component, Clone, PartialEq, Debug)]
pub struct NavSolidMesh(pub Handle<Mesh>);

/// Reads the meshes of [`NavSolidMesh`]. Added by the [`WayfarerPlugin`](crate::WayfarerPlugin) to apps
/// with mesh assets.
pub(crate) fn add_meshes(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<NavSolidMesh>();
    let read = read_meshes
        .before(collect::join_only_world)
        .run_if(resource_exists::<Assets<Mesh>>);
    app.add_systems(schedule, read.in_set(NavSystems::CollectEdits));
}

fn read_meshes(
    solids: Query<'_, '_, (Entity, Ref<'_, NavSolidMesh>, Has<NavSolid>)>,
    meshes: Res<'_, Assets<Mesh>>,
    mut events: MessageReader<'_, '_, AssetEvent<Mesh>>,
    mut commands: Commands<'_, '_>,
) {
    let changed: Vec<_> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, source, is_read) in &solids {
        if is_read && !source.is_changed() && !changed.contains(&source.0.id()) {
            continue;
        }
        if let Some(solid) = meshes.get(&source.0).and_then(solid) {
            commands.entity(entity).insert(solid);
        }
    }
}

/// The triangles of a mesh; `None` if it has no positions or is no list of triangles.
fn solid(mesh: &Mesh) -> Option<NavSolid> {
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION)?;
    let VertexAttributeValues::Float32x3(positions) = positions else {
        return None;
    };
    let indices: Vec<usize> = match mesh.indices() {
        Some(indices) => indices.iter().collect(),
        None => (0..positions.len()).collect(),
    };
    // Faces of a mesh for rendering do not share their corners; those of a closed solid do.
    let mut vertices = Vec::new();
    let mut known = BTreeMap::new();
    let mut corner = |index: usize| {
        let at = *positions.get(index)?;
        let number = *known.entry(at.map(f32::to_bits)).or_insert_with(|| {
            vertices.push(Vec3::from(at));
            vertices.len() - 1
        });
        u32::try_from(number).ok()
    };
    let (chunks, _) = indices.as_chunks::<3>();
    let mut triangles = Vec::with_capacity(chunks.len());
    for [a, b, c] in chunks {
        triangles.push([corner(*a)?, corner(*b)?, corner(*c)?]);
    }
    Some(NavSolid::Mesh {
        vertices,
        triangles,
    })
}

//! [`NavSolidMesh`]: solids from mesh assets.

use std::collections::BTreeMap;

use bevy_app::prelude::*;
use bevy_asset::{AssetEvent, Assets, Handle};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, PrimitiveTopology, VertexAttributeValues};
use bevy_reflect::prelude::*;

use crate::collect;
use crate::events::{NavRejected, RejectReason, reject};
use crate::plugin::NavSystems;
use crate::solid::NavSolid;

/// The mesh whose inside is solid: becomes the [`NavSolid`] of its entity when it is loaded, and again
/// when it changes. A list of triangles that close it, kept in the main world. What cannot be read is
/// reported as [`NavRejected`].
#[derive(Component, Reflect, Clone, PartialEq, Debug)]
#[reflect(Component, Clone, PartialEq, Debug)]
pub struct NavSolidMesh(pub Handle<Mesh>);

/// The mesh of the entity was read; it is read again when it changes.
#[derive(Component)]
pub(crate) struct MeshRead;

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
    solids: Query<'_, '_, (Entity, Ref<'_, NavSolidMesh>, Has<MeshRead>)>,
    meshes: Res<'_, Assets<Mesh>>,
    mut events: MessageReader<'_, '_, AssetEvent<Mesh>>,
    mut messages: MessageWriter<'_, NavRejected>,
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
        let Some(mesh) = meshes.get(&source.0) else {
            continue;
        };
        match solid(mesh) {
            Ok(solid) => {
                commands.entity(entity).insert((solid, MeshRead));
            }
            Err(reason) => {
                let reason = RejectReason::Mesh { reason };
                let rejected = NavRejected { entity, reason };
                reject(rejected, &mut messages, &mut commands);
                commands.entity(entity).insert(MeshRead);
            }
        }
    }
}

/// The triangles of a mesh, or what is wrong with it.
fn solid(mesh: &Mesh) -> Result<NavSolid, String> {
    let topology = mesh.primitive_topology();
    if topology != PrimitiveTopology::TriangleList {
        return Err(format!(
            "the mesh is a {topology:?}, expected a TriangleList"
        ));
    }
    let positions = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION);
    let VertexAttributeValues::Float32x3(positions) =
        positions.map_err(|error| error.to_string())?
    else {
        return Err("the positions of the mesh are no Float32x3".to_owned());
    };
    let indices: Vec<usize> = match mesh
        .try_indices_option()
        .map_err(|error| error.to_string())?
    {
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
        let corners = [corner(*a), corner(*b), corner(*c)];
        let [Some(a), Some(b), Some(c)] = corners else {
            return Err("an index of the mesh is beyond its vertices".to_owned());
        };
        triangles.push([a, b, c]);
    }
    Ok(NavSolid::Mesh {
        vertices,
        triangles,
    })
}

//! Worlds that take long to make: as a task, or from a map asset.

use std::error::Error;

use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp, AssetId, AssetLoader, AssetServer, Assets, Handle, LoadContext, LoadState,
};
use bevy_ecs::prelude::*;
use bevy_reflect::TypePath;
use bevy_reflect::prelude::*;
use bevy_tasks::{AsyncComputeTaskPool, Task, TaskPool, block_on};
use wayfarer::{ImportError, Scale, World};

use crate::events::{NavRejected, RejectReason, reject};
use crate::world::{NavWorld, y_up};

/// A world that is made in the background; replaced by its [`NavWorld`] when it is ready.
#[derive(Component, Debug)]
pub struct NavWorldTask(Task<Result<World, String>>);

impl NavWorldTask {
    /// Makes a world on the task pool for long computations.
    pub fn new<E: Error>(make: impl FnOnce() -> Result<World, E> + Send + 'static) -> Self {
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        Self(pool.spawn(async move { make().map_err(|error| error.to_string()) }))
    }
}

/// Turns tasks that are done into worlds.
pub(crate) fn finish_tasks(
    mut tasks: Query<'_, '_, (Entity, &mut NavWorldTask)>,
    mut messages: MessageWriter<'_, NavRejected>,
    mut commands: Commands<'_, '_>,
) {
    for (entity, mut task) in &mut tasks {
        if !task.0.is_finished() {
            continue;
        }
        let made = block_on(&mut task.0);
        let mut world = commands.entity(entity);
        world.remove::<NavWorldTask>();
        match made {
            Ok(made) => {
                world.insert(NavWorld::new(made));
            }
            Err(reason) => {
                let reason = RejectReason::Build { reason };
                let rejected = NavRejected { entity, reason };
                reject(rejected, &mut messages, &mut commands);
            }
        }
    }
}

/// A map as an asset: `.map`, `.world`, and with their cargo features PNG, OBJ, glTF, Tiled and LDtk.
/// The endings of images and meshes are not claimed: a `Handle<NavMap>` decides how such a file is
/// read.
#[derive(Asset, TypePath, Debug)]
pub struct NavMap {
    world: World,
}

impl NavMap {
    /// The world of the map.
    pub const fn world(&self) -> &World {
        &self.world
    }
}

/// How a map becomes a world.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct NavMapSettings {
    /// The sizes of cells, steps and voxels, the axes and the origin.
    pub scale: Scale,
}

impl Default for NavMapSettings {
    /// One unit per cell, y up.
    fn default() -> Self {
        Self { scale: y_up(1.0) }
    }
}

/// Why a map could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavMapError {
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file is no map.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// Reads a [`NavMap`], on the threads of the asset server.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct NavMapLoader;

impl AssetLoader for NavMapLoader {
    type Asset = NavMap;
    type Settings = NavMapSettings;
    type Error = NavMapError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &NavMapSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<NavMap, NavMapError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let name = context.path().to_string();
        let world = World::import(&name, &bytes, settings.scale)?;
        Ok(NavMap { world })
    }

    fn extensions(&self) -> &[&str] {
        &["map", "world", "tmx", "tmj", "ldtk"]
    }
}

/// The map of an entity, which becomes its [`NavWorld`] when it is loaded: each entity has a world of
/// its own, a copy of the asset. Agent types other than the default one are added to it with
/// [`NavWorld::world_mut`]. A map that cannot be loaded is reported as [`NavRejected`].
#[derive(Component, Reflect, Clone, PartialEq, Debug)]
#[reflect(Component, Clone, PartialEq, Debug)]
pub struct NavWorldSource(pub Handle<NavMap>);

/// Makes worlds of maps that are loaded, and reports once those that cannot be.
pub(crate) fn build_worlds(
    sources: Query<'_, '_, (Entity, &NavWorldSource), Without<NavWorld>>,
    (maps, server): (Res<'_, Assets<NavMap>>, Res<'_, AssetServer>),
    mut failed: Local<'_, Vec<(Entity, AssetId<NavMap>)>>,
    mut messages: MessageWriter<'_, NavRejected>,
    mut commands: Commands<'_, '_>,
) {
    let is_failed = |source: &NavWorldSource| server.load_state(&source.0).is_failed();
    failed.retain(|(entity, map)| {
        let source = sources.get(*entity);
        source.is_ok_and(|(_, source)| source.0.id() == *map && is_failed(source))
    });
    for (entity, source) in &sources {
        if let Some(map) = maps.get(&source.0) {
            let world = NavWorld::new(map.world.clone());
            commands.entity(entity).insert(world);
        } else if let LoadState::Failed(error) = server.load_state(&source.0)
            && !failed.contains(&(entity, source.0.id()))
        {
            failed.push((entity, source.0.id()));
            let reason = RejectReason::Build {
                reason: error.to_string(),
            };
            let rejected = NavRejected { entity, reason };
            reject(rejected, &mut messages, &mut commands);
        }
    }
}

/// Registers the loader in an app with an asset server; false without one.
pub(crate) fn add_maps(app: &mut bevy_app::App) -> bool {
    if !app.world().contains_resource::<AssetServer>() {
        return false;
    }
    app.init_asset::<NavMap>()
        .register_asset_loader(NavMapLoader)
        .register_type::<NavWorldSource>();
    true
}

//! Golden results of making and drawing worlds.

use wayfarer_base::{Digest, Raster};
use wayfarer_make::{
    Kind, Made, Recipe, TraceKind, TraceRecipe, make, make_trace, plan_scenario, scenario,
};

use crate::picture::Picture;

/// A few recipes of every kind, small enough to make in a moment.
pub(super) fn recipes() -> impl Iterator<Item = Recipe> {
    Kind::ALL.into_iter().flat_map(|kind| {
        let plain = Recipe {
            depth: 24,
            ..Recipe::new(kind, 61, 47, 1)
        };
        let wished = Recipe {
            seed: 2,
            corridor: 3,
            braid: 50,
            obstacles: Some(30),
            storeys: 2,
            ..plain
        };
        [plain, wished]
    })
}

/// The flat worlds among the made ones.
pub(super) fn flat_worlds() -> impl Iterator<Item = Raster> {
    recipes().filter_map(|recipe| match make(&recipe) {
        Ok(Made::Flat(map)) => Some(map),
        _ => None,
    })
}

pub(super) fn made(digest: &mut Digest) {
    for recipe in recipes() {
        digest.bytes(recipe.kind.name().as_bytes());
        match make(&recipe) {
            Ok(Made::Flat(map)) => digest.bytes(map.bytes()),
            Ok(Made::Storeys(plan)) => digest.bytes(format!("{plan:?}").as_bytes()),
            Ok(Made::Space(voxels)) => digest.bytes(format!("{voxels:?}").as_bytes()),
            Err(error) => digest.bytes(error.to_string().as_bytes()),
        }
    }
}

/// Problems made for made worlds.
pub(super) fn problems(digest: &mut Digest) {
    for recipe in recipes() {
        let problems = match make(&recipe) {
            Ok(Made::Flat(map)) => scenario(&map, 30, 3),
            Ok(Made::Storeys(plan)) => plan_scenario(&plan, 30, 3),
            _ => continue,
        };
        digest.bytes(format!("{problems:?}").as_bytes());
    }
}

/// Stories of change made for made worlds, and what is said where they cannot happen.
pub(super) fn traces(digest: &mut Digest) {
    let story = TraceRecipe {
        n_batches: 10,
        ..TraceRecipe::default()
    };
    for world in recipes().filter_map(|recipe| make(&recipe).ok()) {
        for kind in TraceKind::ALL {
            let trace = make_trace(kind, &world, &story);
            digest.bytes(format!("{trace:?}").as_bytes());
        }
    }
}

pub(super) fn pictures(digest: &mut Digest) {
    for recipe in recipes() {
        let mut picture = match make(&recipe) {
            Ok(Made::Flat(map)) => Picture::of_raster(&map),
            Ok(Made::Storeys(plan)) => Picture::of_plan(&plan),
            Ok(Made::Space(voxels)) => Picture::of_voxels(&voxels),
            Err(_) => continue,
        };
        picture.add_sectors();
        digest.bytes(picture.to_text().as_bytes());
        digest.bytes(format!("{:?}", picture.storeys()).as_bytes());
    }
}

//! Golden digests of generated worlds, problems, edit traces and pictures.

use wayfarer_engine::base::Raster;
use wayfarer_engine::make::{
    GeneratedWorld, Generator, Recipe, TraceKind, TraceRecipe, make, make_trace, scenario,
    world_scenario,
};

use wayfarer_engine::picture::Picture;

use super::values::Values;

/// Two small recipes per generator.
pub(super) fn recipes() -> impl Iterator<Item = Recipe> {
    Generator::ALL.into_iter().flat_map(|kind| {
        let base = Recipe {
            depth: 24,
            ..Recipe::new(kind, 61, 47, 1)
        };
        let custom = Recipe {
            seed: 2,
            corridor: 3,
            braid: 50,
            obstacles: Some(30),
            n_floors: 2,
            ..base
        };
        [base, custom]
    })
}

/// The flat worlds of [`recipes`].
pub(super) fn flat_worlds() -> impl Iterator<Item = Raster> {
    recipes().filter_map(|recipe| match make(&recipe) {
        Ok(GeneratedWorld::Flat(map)) => Some(map),
        _ => None,
    })
}

pub(super) fn made(values: &mut Values) {
    for recipe in recipes() {
        match make(&recipe) {
            Ok(GeneratedWorld::Flat(map)) => values.each(&[&0, &map]),
            Ok(GeneratedWorld::MultiFloor(data)) => values.each(&[&1, &data]),
            Ok(GeneratedWorld::Voxels(voxels)) => values.each(&[&2, &voxels]),
            Err(error) => values.each(&[&3, &error]),
        }
    }
}

/// Problems of every generated world.
pub(super) fn problems(values: &mut Values) {
    for recipe in recipes() {
        let problems = match make(&recipe) {
            Ok(GeneratedWorld::Flat(map)) => scenario(&map, 30, 3),
            Ok(GeneratedWorld::MultiFloor(data)) => world_scenario(&data, 30, 3),
            _ => continue,
        };
        values.take(&problems);
    }
}

/// Edit traces of every generated world, and the errors where none is possible.
pub(super) fn traces(values: &mut Values) {
    let edit_trace = TraceRecipe {
        n_batches: 10,
        ..TraceRecipe::default()
    };
    for world in recipes().filter_map(|recipe| make(&recipe).ok()) {
        for kind in TraceKind::ALL {
            let trace = make_trace(kind, &world, &edit_trace);
            values.take(&trace);
        }
    }
}

pub(super) fn pictures(values: &mut Values) {
    for recipe in recipes() {
        let mut picture = match make(&recipe) {
            Ok(GeneratedWorld::Flat(map)) => Picture::from_raster(&map),
            Ok(GeneratedWorld::MultiFloor(data)) => Picture::from_data(&data),
            Ok(GeneratedWorld::Voxels(voxels)) => Picture::from_voxels(&voxels),
            Err(_) => continue,
        };
        picture.add_sectors();
        let bands = picture.height_bands();
        drawing(values, &picture.to_text(), bands.len());
        values.take(&bands);
    }
}

/// The rows of a text picture, without the heading of each height band if there are several.
fn drawing(values: &mut Values, text: &str, n_floors: usize) {
    let rows: Vec<&str> = text.lines().collect();
    let n_headings = usize::from(n_floors > 1);
    for floor in rows.chunks((rows.len() / n_floors).max(1)) {
        values.take(&floor[n_headings..]);
    }
}

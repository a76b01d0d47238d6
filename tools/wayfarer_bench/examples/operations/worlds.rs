//! Generated worlds and problems of the operations.

use wayfarer_engine::base::{Cell, Expected, Outcome, Problem, Raster, VoxelSet};
use wayfarer_engine::make::{
    Asteroid, GeneratedWorld, Generator, Recipe, asteroids, make, scenario,
};
use wayfarer_engine::search::dense::{DenseRequest, DenseSearcher, find_path};
use wayfarer_engine::world::dense::DenseGround;

use crate::Fault;

/// Where all chance comes from.
pub(crate) const SEED: u64 = 20;

/// The recipe of the asteroids.
const ASTEROIDS: Recipe = Recipe {
    generator: Generator::Asteroids,
    width: 128,
    height: 128,
    seed: SEED,
    depth: 128,
    corridor: 1,
    braid: 0,
    obstacles: Some(12),
    n_floors: 3,
};

/// A flat map of this kind with `side` cells along each side.
pub(crate) fn flat(kind: Generator, side: u32) -> Result<Raster, Fault> {
    match make(&Recipe::new(kind, side, side, SEED))? {
        GeneratedWorld::Flat(map) => Ok(map),
        _ => Err(format!("{kind} is not flat").into()),
    }
}

/// `count` starts and goals on a flat map that reach each other.
pub(crate) fn problems(map: &Raster, count: usize) -> Vec<(Cell, Cell)> {
    let count_all = u32::try_from(count * 2).unwrap_or(u32::MAX);
    let drawn = scenario(map, count_all, SEED).into_iter();
    let reachable = drawn.filter(|problem| problem.expected == Expected::Unknown);
    let ends = |problem: Problem| (problem.start, problem.goal);
    reachable.map(ends).take(count).collect()
}

/// The least cost of each problem in units, by A* over the dense raster.
pub(crate) fn least_costs(map: &Raster, problems: &[(Cell, Cell)]) -> Result<Vec<u32>, Fault> {
    let ground = DenseGround::from_raster(map.clone())?;
    let mut searcher = DenseSearcher::default();
    let cost = |&(from, to): &(Cell, Cell)| {
        let request = DenseRequest::new(from, to);
        match find_path(&ground, &mut searcher, &request)? {
            Outcome::Found(path) => Ok(path.cost.units()),
            other => Err(format!("{from} to {to}: {other:?}").into()),
        }
    };
    problems.iter().map(cost).collect()
}

/// Asteroids in a box of 128 voxels a side.
pub(crate) fn rocks() -> Result<Vec<Asteroid>, Fault> {
    Ok(asteroids(&ASTEROIDS)?)
}

/// The voxels of the same asteroids.
pub(crate) fn voxels() -> Result<VoxelSet, Fault> {
    match make(&ASTEROIDS)? {
        GeneratedWorld::Voxels(voxels) => Ok(voxels),
        _ => Err("asteroids are voxels".into()),
    }
}

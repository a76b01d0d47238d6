//! `wayfarer make`: a world from a generator, a size and a seed.

mod expected;
mod problems;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use wayfarer_engine::World;
use wayfarer_engine::base::{Profile, Voxel, VoxelSet, WorldData};
use wayfarer_engine::formats::mesh::Up;
use wayfarer_engine::formats::{
    edits_file, gltf, map3d, movingai_map, obj, png_raster, world_file,
};
use wayfarer_engine::make::{
    GeneratedWorld, Generator, Recipe, RecipeOption, TraceKind, TraceRecipe, make, make_trace,
    surface,
};
use wayfarer_engine::world::air::AirBuilder;

use crate::aliases;
use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::size::{self, Size};

/// Generate a world from a seed
///
/// Equal arguments give equal worlds on every machine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer make caves --size 200x120 --seed 7 -o caves.map
  wayfarer make maze --size 99 --corridor 3 --braid 20 -o maze.map
  wayfarer make building --size 96x64 --floors 4 -o tower.world
  wayfarer make caves -o caves.map --scenario caves.map.scen --edits dig.edits
  wayfarer make asteroids --size 128x128x64 -o belt.3dmap
  wayfarer make hall --size 64x48x24 -o hall.glb

The extension decides the format: .map and .png (flat worlds, in a .png one pixel per cell),
.3dmap (voxel worlds), .world and .wayfarer (all), .obj and .glb (the surface of voxel worlds, one
unit per voxel, y up). A world has at most 2^28 cells or voxels, 645 cubed.")]
pub(crate) struct Make {
    /// The generator
    #[arg(value_name = "GENERATOR", value_parser = GeneratorParser)]
    generator: Generator,
    /// Size in cells: `N`, `WxH`, or `WxHxD` for voxel worlds
    #[arg(long, value_parser = size::parse, default_value = "128x128")]
    size: Size,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Maze, spiral, comb, snake: width of a corridor in cells
    #[arg(long)]
    corridor: Option<u32>,
    /// Maze: dead ends opened into loops, in percent
    #[arg(long)]
    braid: Option<u32>,
    /// Caves, clutter, noise, random, asteroids: blocked share in percent
    #[arg(long)]
    obstacles: Option<u32>,
    /// Building: number of floors
    #[arg(long, alias = "storeys")]
    floors: Option<u32>,
    /// Write problems to FILE (.scen), solved by Dijkstra; flat worlds only
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// Number of problems
    #[arg(long, value_name = "N", default_value_t = 200, requires = "scenario")]
    problems: u32,
    /// Write an edit trace to FILE (.edits), with the expected results of its queries
    #[arg(long, value_name = "FILE")]
    edits: Option<PathBuf>,
    /// Kind of the edit trace
    #[arg(long, alias = "story", value_name = "KIND", value_parser = TraceParser, default_value = "dig", requires = "edits")]
    trace: TraceKind,
    /// Batches of edits in the trace
    #[arg(long, value_name = "N", default_value_t = 100, requires = "edits")]
    batches: u32,
    /// The world to write: .map, .png, .3dmap, .world, .obj, .glb or .wayfarer
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// The generated world.
#[derive(Serialize)]
struct Report<'a> {
    kind: &'a str,
    width: u32,
    height: u32,
    seed: u64,
    file: String,
    bytes: usize,
    cells: usize,
    walkable: usize,
    solid: usize,
}

impl Make {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        let others = [&self.scenario, &self.edits].into_iter().flatten();
        let files = [&self.output].into_iter().chain(others);
        output::can_write(files.map(PathBuf::as_path).chain(self.json.file()))?;
        for (file, end) in [(&self.scenario, "scen"), (&self.edits, "edits")] {
            file.iter()
                .try_for_each(|file| output::must_end_in(file, end))?;
        }
        self.check_options()?;
        let defaults = Recipe::new(self.generator, self.size.width, self.size.height, self.seed);
        let recipe = Recipe {
            depth: self.size.depth.unwrap_or(defaults.depth),
            corridor: self.corridor.unwrap_or(defaults.corridor),
            braid: self.braid.unwrap_or(defaults.braid),
            n_floors: self.floors.unwrap_or(defaults.n_floors),
            obstacles: self.obstacles,
            ..defaults
        };
        let generated = make(&recipe).map_err(|error| Failure::BadInput(error.to_string()))?;
        let bytes = encode(&generated, &self.output)?;
        let (cells, walkable, solid) = count(&generated);
        let report = Report {
            kind: self.generator.name(),
            width: recipe.width,
            height: recipe.height,
            seed: recipe.seed,
            file: self.output.display().to_string(),
            bytes: bytes.len(),
            cells,
            walkable,
            solid,
        };
        let mut out = Output::default();
        out.line(format!(
            "{}: {}, {} x {}, seed {}, {} walkable cells{}",
            report.file,
            report.kind,
            report.width,
            report.height,
            report.seed,
            walkable,
            if solid > 0 {
                format!(", {solid} solid voxels")
            } else {
                String::new()
            }
        ));
        if let Some(path) = &self.scenario {
            let text = problems::scenario(&generated, self.problems, self.seed, &self.output)
                .map_err(|error| Failure::for_file(path, error))?;
            out.line(format!("{}: {} problems", path.display(), self.problems));
            out.file(path, text.into_bytes());
        }
        if let Some(path) = &self.edits {
            let recipe = TraceRecipe {
                n_batches: self.batches,
                seed: self.seed,
                ..TraceRecipe::default()
            };
            let mut trace = make_trace(self.trace, &generated, &recipe)
                .map_err(|error| Failure::for_file(path, error))?;
            expected::fill(&mut trace, &generated)
                .map_err(|error| Failure::for_file(path, error))?;
            out.line(format!("{}: {} steps", path.display(), trace.steps.len()));
            out.file(path, edits_file::write(&trace).into_bytes());
        }
        out.json(&self.json, "make/1", &report)?;
        out.file(&self.output, bytes);
        out.finish()?;
        Ok(Verdict::Done)
    }
}

impl Make {
    /// An error if an option was given that the generator does not take.
    fn check_options(&self) -> Result<(), Failure> {
        let options = [
            (
                "--size WxHxD",
                self.size.depth.is_some(),
                RecipeOption::Depth,
            ),
            (
                "--corridor",
                self.corridor.is_some(),
                RecipeOption::Corridor,
            ),
            ("--braid", self.braid.is_some(), RecipeOption::Braid),
            (
                "--obstacles",
                self.obstacles.is_some(),
                RecipeOption::Obstacles,
            ),
            ("--floors", self.floors.is_some(), RecipeOption::Floors),
        ];
        for (name, is_given, option) in options {
            if is_given && !option.generators().contains(&self.generator) {
                let takers = option.generators().iter().map(|generator| generator.name());
                let takers: Vec<&str> = takers.collect();
                return Err(Failure::BadInput(format!(
                    "{name} is not for {}; it is for {}",
                    self.generator,
                    takers.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// Cells, walkable cells, solid voxels.
fn count(generated: &GeneratedWorld) -> (usize, usize, usize) {
    match generated {
        GeneratedWorld::Flat(map) => {
            let columns = || map.rect().columns();
            let cells = columns().filter(|at| map.get(at.x, at.y).is_some());
            let walkable = columns().filter(|at| map.is_walkable(at.x, at.y));
            (cells.count(), walkable.count(), 0)
        }
        GeneratedWorld::MultiFloor(data) => {
            let terrains = data.cells.iter().map(|(_, terrain)| *terrain);
            let walkable = terrains.filter(|terrain| data.profile.allows_terrain(*terrain));
            (data.cells.len(), walkable.count(), data.voxels.len())
        }
        GeneratedWorld::Voxels(voxels) => (0, 0, voxels.solid().len()),
    }
}

/// The world in the format of the extension.
fn encode(generated: &GeneratedWorld, path: &Path) -> Result<Vec<u8>, Failure> {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or("");
    match (end, generated) {
        ("map", GeneratedWorld::Flat(map)) => Ok(movingai_map::write(map).into_bytes()),
        ("map", _) => Err(Failure::for_file(
            path,
            "a .map holds flat worlds only: write this one to a .world",
        )),
        ("png", GeneratedWorld::Flat(map)) => {
            png_raster::write(map).map_err(|e| Failure::for_file(path, e))
        }
        ("3dmap", GeneratedWorld::Voxels(voxels)) => Ok(map3d::write(voxels).into_bytes()),
        ("png", _) => Err(Failure::for_file(
            path,
            "a .png holds flat worlds only: write this one to a .world, or draw that with `render`",
        )),
        ("3dmap", _) => Err(Failure::for_file(
            path,
            "a .3dmap holds voxel worlds only: write this one to a .map or a .world",
        )),
        ("obj" | "glb", GeneratedWorld::Voxels(voxels)) => {
            let mesh = surface(voxels).map_err(|error| Failure::for_file(path, error))?;
            if end == "obj" {
                return Ok(obj::write(&mesh, Up::Y).into_bytes());
            }
            gltf::write_glb(&mesh).map_err(|error| Failure::for_file(path, error))
        }
        ("obj" | "glb", _) => Err(Failure::for_file(
            path,
            "a mesh holds voxel worlds only: write this one to a .map or a .world",
        )),
        ("world", GeneratedWorld::Flat(map)) => {
            Ok(world_file::write(&WorldData::from_raster(map)).into_bytes())
        }
        ("world", GeneratedWorld::MultiFloor(data)) => Ok(world_file::write(data).into_bytes()),
        ("world", GeneratedWorld::Voxels(voxels)) => {
            let data = world_data(voxels).ok_or_else(|| {
                Failure::for_file(path, "the world is too large for a .world file")
            })?;
            Ok(world_file::write(&data).into_bytes())
        }
        ("wayfarer", generated) => {
            snapshot(generated).map_err(|error| Failure::for_file(path, error))
        }
        _ => Err(Failure::for_file(
            path,
            "the name must end in .map, .world, .png, .3dmap, .obj, .glb or .wayfarer",
        )),
    }
}

/// The world as a snapshot.
fn snapshot(generated: &GeneratedWorld) -> Result<Vec<u8>, String> {
    let world = match generated {
        GeneratedWorld::Flat(map) => World::from_raster(map),
        GeneratedWorld::MultiFloor(data) => {
            World::from_data(data).map_err(|error| error.to_string())?
        }
        GeneratedWorld::Voxels(voxels) => {
            let air = AirBuilder::from_set(voxels).map_err(|error| error.to_string())?;
            let air = air.build().map_err(|error| error.to_string())?;
            let world = World::new(Profile::DEFAULT).map_err(|error| error.to_string())?;
            world.with_air(air)
        }
    };
    Ok(world.save())
}

fn world_data(voxels: &VoxelSet) -> Option<WorldData> {
    let at = |n: u32| i32::try_from(n).ok();
    let solid = voxels.solid().iter();
    let voxels = solid.map(|&[x, y, z]| Some(Voxel::new(at(x)?, at(y)?, at(z)?)));
    Some(WorldData {
        voxels: voxels.collect::<Option<_>>()?,
        ..WorldData::default()
    })
}

/// Parses a generator; the help lists all of them.
#[derive(Clone)]
struct GeneratorParser;

impl TypedValueParser for GeneratorParser {
    type Value = Generator;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Generator, clap::Error> {
        let name = PossibleValuesParser::new(generators()).parse_ref(command, arg, value)?;
        let is_it = |generator: &Generator| {
            let old = aliases::old_generator(generator.name());
            generator.name() == name || old == Some(name.as_str())
        };
        let found = Generator::ALL.into_iter().find(is_it);
        Ok(found.expect("the parser accepts names of generators only"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(generators()))
    }
}

fn generators() -> impl Iterator<Item = PossibleValue> {
    Generator::ALL.into_iter().map(|generator| {
        PossibleValue::new(generator.name())
            .aliases(aliases::old_generator(generator.name()))
            .help(generator.description())
    })
}

/// Parses a kind of edit trace; the help lists all of them.
#[derive(Clone)]
struct TraceParser;

impl TypedValueParser for TraceParser {
    type Value = TraceKind;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<TraceKind, clap::Error> {
        let name = PossibleValuesParser::new(traces()).parse_ref(command, arg, value)?;
        Ok(TraceKind::from_name(&name).expect("the parser accepts names of kinds only"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(traces()))
    }
}

fn traces() -> impl Iterator<Item = PossibleValue> {
    TraceKind::ALL
        .into_iter()
        .map(|kind| PossibleValue::new(kind.name()).help(kind.description()))
}

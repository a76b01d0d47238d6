//! `wayfarer make`: a world from a kind, a size and a seed.

mod answers;
mod problems;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use wayfarer::World;
use wayfarer::base::{Profile, Voxel, VoxelSet, WorldData};
use wayfarer::formats::mesh::Up;
use wayfarer::formats::{edits_file, gltf, map3d, movingai_map, obj, png_raster, world_file};
use wayfarer::make::{
    GeneratedWorld, Generator, Recipe, RecipeOption, TraceKind, TraceRecipe, make, make_trace,
    surface,
};
use wayfarer::world::air::AirBuilder;

use crate::failure::{Failure, Verdict};
use crate::output::{self, Json, Output};
use crate::size::{self, Size};

/// Make a world from a seed
///
/// Equal arguments make equal worlds on every machine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer make caves --size 200x120 --seed 7 -o caves.map
  wayfarer make maze --size 99 --corridor 3 --braid 20 -o maze.map
  wayfarer make keep --size 96x64 --storeys 4 -o keep.world
  wayfarer make caves -o caves.map --scenario caves.map.scen --edits dig.edits
  wayfarer make asteroids --size 128x128x64 -o belt.3dmap
  wayfarer make hall --size 64x48x24 -o hall.glb

The name's end decides the format: .map and .png (flat worlds, in a .png one dot a cell),
.3dmap (worlds of voxels), .world (all), .obj and .glb (the skin of worlds of voxels, a voxel a
unit, y up). Worlds have at most 2^28 cells or voxels, 645 cubed; larger fields of asteroids are made
of balls in memory: wayfarer bench air --asteroids 5000 --size 1000.")]
pub(crate) struct Make {
    /// What kind of world
    #[arg(value_parser = KindParser)]
    kind: Generator,
    /// How large, in cells: `N`, `WxH`, or `WxHxD` for worlds of voxels
    #[arg(long, value_parser = size::parse, default_value = "128x128")]
    size: Size,
    /// Where all chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Mazes, spirals, combs, snakes: width of a corridor in cells
    #[arg(long)]
    corridor: Option<u32>,
    /// Mazes: dead ends to open into loops, in per cent
    #[arg(long)]
    braid: Option<u32>,
    /// Caves, fields, noise, random, asteroids: how much is blocked, in per cent
    #[arg(long)]
    obstacles: Option<u32>,
    /// Keeps: floors one above the other
    #[arg(long)]
    floors: Option<u32>,
    /// Write problems on the world to FILE (.scen), solved by Dijkstra's method; flat worlds only
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// How many problems
    #[arg(long, value_name = "N", default_value_t = 200, requires = "scenario")]
    problems: u32,
    /// Write a story of edits in the world to FILE (.edits), with the answers to its questions
    #[arg(long, value_name = "FILE")]
    edits: Option<PathBuf>,
    /// What happens in the story
    #[arg(long, value_name = "KIND", value_parser = TraceParser, default_value = "dig", requires = "edits")]
    trace: TraceKind,
    /// Batches of edits in the story
    #[arg(long, value_name = "N", default_value_t = 100, requires = "edits")]
    batches: u32,
    /// Where to write it: .map, .png, .3dmap, .world, .obj, .glb or .wayfarer
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// What was made.
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
        let beside = [&self.scenario, &self.edits].into_iter().flatten();
        let files = [&self.output].into_iter().chain(beside);
        output::can_write(files.map(PathBuf::as_path).chain(self.json.file()))?;
        for (file, end) in [(&self.scenario, "scen"), (&self.edits, "edits")] {
            file.iter()
                .try_for_each(|file| output::must_end_in(file, end))?;
        }
        self.check_wishes()?;
        let usual = Recipe::new(self.kind, self.size.width, self.size.height, self.seed);
        let recipe = Recipe {
            depth: self.size.depth.unwrap_or(usual.depth),
            corridor: self.corridor.unwrap_or(usual.corridor),
            braid: self.braid.unwrap_or(usual.braid),
            n_floors: self.floors.unwrap_or(usual.n_floors),
            obstacles: self.obstacles,
            ..usual
        };
        let made = make(&recipe).map_err(|error| Failure::BadInput(error.to_string()))?;
        let bytes = encode(&made, &self.output)?;
        let (cells, walkable, solid) = count(&made);
        let report = Report {
            kind: self.kind.name(),
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
            "{}: {}, {} x {}, seed {}, {} cells to walk on{}",
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
            let text = problems::scenario(&made, self.problems, self.seed, &self.output)
                .map_err(|error| Failure::of_file(path, error))?;
            out.line(format!("{}: {} problems", path.display(), self.problems));
            out.file(path, text.into_bytes());
        }
        if let Some(path) = &self.edits {
            let recipe = TraceRecipe {
                n_batches: self.batches,
                seed: self.seed,
                ..TraceRecipe::default()
            };
            let mut trace = make_trace(self.trace, &made, &recipe)
                .map_err(|error| Failure::of_file(path, error))?;
            answers::result(&mut trace, &made).map_err(|error| Failure::of_file(path, error))?;
            out.line(format!("{}: {} steps", path.display(), trace.steps.len()));
            out.file(path, edits_file::write(&trace).into_bytes());
        }
        out.json(&self.json, "make", &report)?;
        out.file(&self.output, bytes);
        out.finish()?;
        Ok(Verdict::Done)
    }
}

impl Make {
    /// An error if something was wished for that this kind of world does not know.
    fn check_wishes(&self) -> Result<(), Failure> {
        let wishes = [
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
            ("--storeys", self.floors.is_some(), RecipeOption::Floors),
        ];
        for (option, given, wish) in wishes {
            if given && !wish.kinds().contains(&self.kind) {
                let kinds: Vec<&str> = wish.kinds().iter().map(|kind| kind.name()).collect();
                return Err(Failure::BadInput(format!(
                    "{option} means nothing for {}; it is for {}",
                    self.kind,
                    kinds.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// Cells, cells that the world's own profile may walk on, solid voxels.
fn count(made: &GeneratedWorld) -> (usize, usize, usize) {
    match made {
        GeneratedWorld::Flat(map) => {
            let columns = || map.rect().columns();
            let cells = columns().filter(|at| map.get(at.x, at.y).is_some());
            let walkable = columns().filter(|at| map.is_walkable(at.x, at.y));
            (cells.count(), walkable.count(), 0)
        }
        GeneratedWorld::MultiFloor(plan) => {
            let terrains = plan.cells.iter().map(|(_, terrain)| *terrain);
            let walkable = terrains.filter(|terrain| plan.profile.may_walk(*terrain));
            (plan.cells.len(), walkable.count(), plan.voxels.len())
        }
        GeneratedWorld::Voxels(voxels) => (0, 0, voxels.solid().len()),
    }
}

/// The world in the format that the file's name asks for.
fn encode(made: &GeneratedWorld, path: &Path) -> Result<Vec<u8>, Failure> {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or("");
    match (end, made) {
        ("map", GeneratedWorld::Flat(map)) => Ok(movingai_map::write(map).into_bytes()),
        ("map", _) => Err(Failure::of_file(
            path,
            "a .map holds flat worlds only: write this one to a .world",
        )),
        ("png", GeneratedWorld::Flat(map)) => {
            png_raster::write(map).map_err(|e| Failure::of_file(path, e))
        }
        ("3dmap", GeneratedWorld::Voxels(voxels)) => Ok(map3d::write(voxels).into_bytes()),
        ("png", _) => Err(Failure::of_file(
            path,
            "a .png holds flat worlds only: write this one to a .world, or draw that with `render`",
        )),
        ("3dmap", _) => Err(Failure::of_file(
            path,
            "a .3dmap holds worlds of voxels only: write this one to a .map or a .world",
        )),
        ("obj" | "glb", GeneratedWorld::Voxels(voxels)) => {
            let skin = surface(voxels).map_err(|error| Failure::of_file(path, error))?;
            if end == "obj" {
                return Ok(obj::write(&skin, Up::Y).into_bytes());
            }
            gltf::write_glb(&skin).map_err(|error| Failure::of_file(path, error))
        }
        ("obj" | "glb", _) => Err(Failure::of_file(
            path,
            "a mesh holds worlds of voxels only: write this one to a .map or a .world",
        )),
        ("world", GeneratedWorld::Flat(map)) => {
            Ok(world_file::write(&WorldData::from_raster(map)).into_bytes())
        }
        ("world", GeneratedWorld::MultiFloor(plan)) => Ok(world_file::write(plan).into_bytes()),
        ("world", GeneratedWorld::Voxels(voxels)) => {
            let plan = plan_of(voxels).ok_or_else(|| {
                Failure::of_file(path, "the world is too large for a .world file")
            })?;
            Ok(world_file::write(&plan).into_bytes())
        }
        ("wayfarer", made) => saved(made).map_err(|error| Failure::of_file(path, error)),
        _ => Err(Failure::of_file(
            path,
            "the name must end in .map, .world, .png, .3dmap, .obj, .glb or .wayfarer",
        )),
    }
}

/// The world, ready to be loaded by a game.
fn saved(made: &GeneratedWorld) -> Result<Vec<u8>, String> {
    let world = match made {
        GeneratedWorld::Flat(map) => World::from_raster(map),
        GeneratedWorld::MultiFloor(plan) => {
            World::from_data(plan).map_err(|error| error.to_string())?
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

fn plan_of(voxels: &VoxelSet) -> Option<WorldData> {
    let at = |n: u32| i32::try_from(n).ok();
    let solid = voxels.solid().iter();
    let voxels = solid.map(|&[x, y, z]| Some(Voxel::new(at(x)?, at(y)?, at(z)?)));
    Some(WorldData {
        voxels: voxels.collect::<Option<_>>()?,
        ..WorldData::default()
    })
}

/// Reads a kind by its name and teaches the names.
#[derive(Clone)]
struct KindParser;

impl TypedValueParser for KindParser {
    type Value = Generator;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Generator, clap::Error> {
        let name = PossibleValuesParser::new(kinds()).parse_ref(command, arg, value)?;
        Ok(Generator::from_name(&name).expect("only names of kinds get through"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(kinds()))
    }
}

fn kinds() -> impl Iterator<Item = PossibleValue> {
    Generator::ALL
        .into_iter()
        .map(|kind| PossibleValue::new(kind.name()).help(kind.description()))
}

/// Reads a kind of story by its name and teaches the names.
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
        Ok(TraceKind::from_name(&name).expect("only names of stories get through"))
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

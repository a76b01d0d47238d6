//! Reads a world of any format; what the file holds decides, not its name.

use std::path::Path;

use clap::{Args, ValueEnum};
use wayfarer::World;
use wayfarer::base::{Heightmap, Raster, TriangleSoup, VoxelSet, WorldData};
use wayfarer::formats::file_format::FileFormat;
use wayfarer::formats::heightmap::{self, RawLayout};
use wayfarer::formats::mesh::{MeshOptions, Up};
use wayfarer::formats::{gltf, map3d, movingai_map, obj, png_raster, world_file};
use wayfarer::picture::{Picture, Role};

use crate::failure::Failure;

/// What a file cannot say about itself.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Reading files")]
pub(crate) struct Reading {
    /// Read raw heights, row by row: columns, rows and kind of sample, as in 403x344:i16le
    #[arg(long, value_name = "LAYOUT")]
    raw: Option<RawLayout>,
    /// Read a grey PNG of 8 bits as heights (16 bits always are)
    #[arg(long)]
    heights: bool,
    /// Meshes: which axis of the file points up; y if not given
    #[arg(long, value_enum)]
    up: Option<UpAxis>,
    /// Meshes: cells for each unit of the file; 1 if not given
    #[arg(long, value_name = "FACTOR", value_parser = above_zero)]
    scale: Option<f64>,
    /// Heights and meshes: units of the file (of a mesh: cells) for one height step; 1 if not given
    #[arg(long, value_name = "UNITS", value_parser = above_zero)]
    step: Option<f64>,
    /// Heights and meshes: steepest slope that is ground, so much up for 1 along (meshes: 1)
    #[arg(long, value_name = "SLOPE", value_parser = zero_or_more)]
    pub(crate) steepest: Option<f64>,
    /// Heights: the height that means that there is none
    #[arg(long, value_name = "HEIGHT", allow_hyphen_values = true)]
    pub(crate) no_data: Option<i32>,
    /// Meshes in the air: side of a voxel, in cells; 1 if not given
    #[arg(long, value_name = "CELLS", value_parser = above_zero)]
    voxel: Option<f64>,
    /// Air of a .world, of heights or of a mesh: voxels of free space left around it; 8 if not given
    #[arg(long, value_name = "VOXELS")]
    margin: Option<u32>,
}

/// Which axis of a mesh file points up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum UpAxis {
    /// The second, as glTF files have it and most OBJ files
    #[default]
    Y,
    /// The third, as modelling programs have it
    Z,
}

/// Most and least of a factor: a world has 2^24 columns, and a step can be that small or large.
const FACTORS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| FACTORS.contains(number));
    number.ok_or_else(|| "expected a number from 0.000000001 to 1000000000".to_owned())
}

fn zero_or_more(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|&number: &f64| number == 0.0 || FACTORS.contains(&number));
    number.ok_or_else(|| "expected a number from 0 to 1000000000".to_owned())
}

impl Reading {
    fn mesh(&self) -> Result<MeshOptions, String> {
        let up = match self.up.unwrap_or_default() {
            UpAxis::Y => Up::Y,
            UpAxis::Z => Up::Z,
        };
        let scale = self.scale.unwrap_or(1.0);
        MeshOptions::new(up, scale)
            .ok_or_else(|| format!("--scale is {scale}, expected a number above 0"))
    }

    /// True if a PNG picture is to be read as heights.
    fn is_height_picture(&self, bytes: &[u8]) -> bool {
        self.heights || is_deep_grey(bytes)
    }

    /// Units of the file for one height step.
    pub(crate) fn step(&self) -> f64 {
        self.step.unwrap_or(1.0)
    }

    /// Side of a voxel of a mesh, in cells.
    pub(crate) fn voxel(&self) -> f64 {
        self.voxel.unwrap_or(1.0)
    }

    /// Voxels of free space around what becomes air.
    pub(crate) fn margin(&self) -> u32 {
        self.margin.unwrap_or(8)
    }

    /// An error if an option was given that means nothing for such a file.
    pub(crate) fn check(&self, kind: FileFormat, is_heights: bool) -> Result<(), String> {
        let is_mesh = matches!(kind, FileFormat::Obj | FileFormat::Gltf);
        let is_lofty = is_heights || is_mesh;
        let options = [
            (
                "--heights",
                self.heights,
                kind == FileFormat::Png,
                "PNG pictures",
            ),
            ("--up", self.up.is_some(), is_mesh, "meshes"),
            ("--scale", self.scale.is_some(), is_mesh, "meshes"),
            (
                "--step",
                self.step.is_some(),
                is_lofty,
                "heights and meshes",
            ),
            (
                "--steepest",
                self.steepest.is_some(),
                is_lofty,
                "heights and meshes",
            ),
            ("--no-data", self.no_data.is_some(), is_heights, "heights"),
            ("--voxel", self.voxel.is_some(), is_mesh, "meshes"),
            (
                "--margin",
                self.margin.is_some(),
                is_lofty || kind == FileFormat::World,
                "heights, meshes and .world files",
            ),
        ];
        match options.iter().find(|(_, given, fits, _)| *given && !fits) {
            None => Ok(()),
            Some((option, _, _, of)) => Err(format!("{option} is for {of} only, this is: {kind}")),
        }
    }
}

/// A world as its file held it.
pub(crate) enum Loaded {
    /// A flat map.
    Flat(Raster),
    /// A world with floors, nav links and walls.
    Plan(WorldData),
    /// Solid voxels.
    Voxels(VoxelSet),
    /// Heights.
    Heights(Heightmap),
    /// A mesh.
    Mesh(TriangleSoup),
    /// A whole world as it was saved.
    Saved(Box<World>),
}

impl Loaded {
    /// What there is to draw.
    pub(crate) fn picture(&self) -> Picture {
        match self {
            Self::Flat(map) => Picture::from_raster(map),
            Self::Plan(plan) => Picture::from_data(plan),
            Self::Voxels(voxels) => Picture::from_voxels(voxels),
            Self::Heights(heights) => Picture::from_heightmap(heights),
            Self::Mesh(soup) => Picture::from_triangles(soup),
            Self::Saved(world) => {
                let mut picture = Picture::from_ground(world.ground());
                let bodies = world.bodies();
                let n_places = u32::try_from(bodies.n_slots()).unwrap_or(u32::MAX);
                for id in (0..n_places).filter_map(|index| bodies.id_at(index)) {
                    picture.add_body(bodies, id, Role::Other);
                }
                picture
            }
        }
    }
}

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.is_dir() {
        return Err(Failure::of_file(path, "cannot read: it is a folder"));
    }
    wayfarer_measure::load::bytes(path)
        .map_err(|error| Failure::of_file(path, format!("cannot read: {error}")))
}

/// What kind of file it is: by how it begins, or else by its name.
pub(crate) fn kind(path: &Path, bytes: &[u8], reading: &Reading) -> Result<FileFormat, Failure> {
    if reading.raw.is_some() {
        return Ok(FileFormat::Raw);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    FileFormat::of(&name, bytes)
        .ok_or_else(|| Failure::of_file(path, "neither how it begins nor its name tell what it is"))
}

/// Reads the world at `path`.
pub(crate) fn world(path: &Path, reading: &Reading) -> Result<(FileFormat, Loaded), Failure> {
    let bytes = bytes(path)?;
    let kind = kind(path, &bytes, reading)?;
    let loaded = read(&bytes, kind, reading).map_err(|what| Failure::of_file(path, what))?;
    Ok((kind, loaded))
}

/// Reads the world in `bytes`, which are of that kind.
pub(crate) fn read(bytes: &[u8], kind: FileFormat, reading: &Reading) -> Result<Loaded, String> {
    let is_heights =
        kind == FileFormat::Raw || kind == FileFormat::Png && reading.is_height_picture(bytes);
    reading.check(kind, is_heights)?;
    let text = |error: wayfarer::formats::TextError| error.to_string();
    let png = |error: wayfarer::formats::PngError| error.to_string();
    match kind {
        FileFormat::Map => movingai_map::read(bytes).map(Loaded::Flat).map_err(text),
        FileFormat::World => world_file::read_plan(bytes).map(Loaded::Plan).map_err(text),
        FileFormat::Map3d => map3d::read(bytes).map(Loaded::Voxels).map_err(text),
        FileFormat::Png if is_heights => {
            heightmap::read_png(bytes).map(Loaded::Heights).map_err(png)
        }
        FileFormat::Png => png_raster::read(bytes).map(Loaded::Flat).map_err(png),
        FileFormat::Raw => {
            let layout = reading
                .raw
                .ok_or("give the layout of raw heights with --raw")?;
            let heights = heightmap::read_raw(bytes, &layout);
            heights.map(Loaded::Heights).map_err(|e| e.to_string())
        }
        FileFormat::Obj => obj::read_with(bytes, &reading.mesh()?)
            .map(Loaded::Mesh)
            .map_err(text),
        FileFormat::Gltf => gltf::read_with(bytes, &reading.mesh()?)
            .map(Loaded::Mesh)
            .map_err(|error| error.to_string()),
        FileFormat::Saved => World::load(bytes)
            .map(|world| Loaded::Saved(Box::new(world)))
            .map_err(|error| error.to_string()),
        other => Err(format!("found {other}, expected a world")),
    }
}

/// True for grey PNG pictures of 16 bits: bits and kind of color at their places in the header.
fn is_deep_grey(bytes: &[u8]) -> bool {
    bytes.get(24..26) == Some(&[16, 0])
}

//! Reads a world of any format; the contents of the file decide, not its name.

use std::path::Path;

use clap::{Args, ValueEnum};
use wayfarer_engine::World;
use wayfarer_engine::base::{Heightmap, Raster, TriangleSoup, VoxelSet, WorldData};
use wayfarer_engine::formats::file_format::FileFormat;
use wayfarer_engine::formats::heightmap::{self, RawLayout};
use wayfarer_engine::formats::mesh::{MeshOptions, Up};
use wayfarer_engine::formats::{gltf, map3d, movingai_map, obj, png_raster, world_file};
use wayfarer_engine::picture::{Picture, Role};

use crate::failure::Failure;

/// What the file itself does not state.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Reading files")]
pub(crate) struct Reading {
    /// Raw heights, row by row: columns, rows and sample type, as in 403x344:i16le
    #[arg(long, value_name = "LAYOUT")]
    raw: Option<RawLayout>,
    /// Read an 8-bit gray PNG as heights (16-bit ones always are)
    #[arg(long)]
    heights: bool,
    /// Meshes: the axis that points up; y if not given
    #[arg(long, value_enum)]
    up: Option<UpAxis>,
    /// Meshes: cells per unit of the file; 1 if not given
    #[arg(long, value_name = "FACTOR", value_parser = above_zero)]
    scale: Option<f64>,
    /// Heights and meshes: units of the file (of a mesh: cells) per height step; 1 if not given
    #[arg(long, value_name = "UNITS", value_parser = above_zero)]
    step: Option<f64>,
    /// Heights and meshes: steepest slope that is ground, rise over run; 1 for meshes if not given
    #[arg(long, alias = "steepest", value_name = "SLOPE", value_parser = zero_or_more)]
    pub(crate) max_slope: Option<f64>,
    /// Heights: the sample that means no data
    #[arg(long, value_name = "HEIGHT", allow_hyphen_values = true)]
    pub(crate) no_data: Option<i32>,
    /// Meshes as air: side of a voxel in cells; 1 if not given
    #[arg(long, value_name = "CELLS", value_parser = above_zero)]
    voxel: Option<f64>,
    /// Air of a .world, of heights or of a mesh: voxels of free space around it; 8 if not given
    #[arg(long, value_name = "VOXELS")]
    margin: Option<u32>,
}

/// The axis of a mesh file that points up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum UpAxis {
    /// The second, as in glTF and most OBJ files
    #[default]
    Y,
    /// The third, as in most modeling programs
    Z,
}

/// Limits of a factor.
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

    /// True if a PNG is read as heights.
    fn is_heightmap(&self, bytes: &[u8]) -> bool {
        self.heights || is_gray_16(bytes)
    }

    /// Units of the file per height step.
    pub(crate) fn step(&self) -> f64 {
        self.step.unwrap_or(1.0)
    }

    /// Side of a voxel of a mesh, in cells.
    pub(crate) fn voxel(&self) -> f64 {
        self.voxel.unwrap_or(1.0)
    }

    /// Voxels of free space around the air.
    pub(crate) fn margin(&self) -> u32 {
        self.margin.unwrap_or(8)
    }

    /// An error if an option was given that does not apply to this format.
    pub(crate) fn check(&self, format: FileFormat, is_heights: bool) -> Result<(), String> {
        let is_mesh = matches!(format, FileFormat::Obj | FileFormat::Gltf);
        let has_heights = is_heights || is_mesh;
        let options = [
            (
                "--heights",
                self.heights,
                format == FileFormat::Png,
                "PNG images",
            ),
            ("--up", self.up.is_some(), is_mesh, "meshes"),
            ("--scale", self.scale.is_some(), is_mesh, "meshes"),
            (
                "--step",
                self.step.is_some(),
                has_heights,
                "heights and meshes",
            ),
            (
                "--max-slope",
                self.max_slope.is_some(),
                has_heights,
                "heights and meshes",
            ),
            ("--no-data", self.no_data.is_some(), is_heights, "heights"),
            ("--voxel", self.voxel.is_some(), is_mesh, "meshes"),
            (
                "--margin",
                self.margin.is_some(),
                has_heights || format == FileFormat::World,
                "heights, meshes and .world files",
            ),
        ];
        match options.iter().find(|(_, given, fits, _)| *given && !fits) {
            None => Ok(()),
            Some((option, _, _, of)) => {
                Err(format!("{option} is for {of} only, this is: {format}"))
            }
        }
    }
}

/// A world as read from its file.
pub(crate) enum Loaded {
    /// A flat map.
    Flat(Raster),
    /// Floors, nav links and walls.
    Data(WorldData),
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
    /// The world as marks to draw.
    pub(crate) fn picture(&self) -> Picture {
        match self {
            Self::Flat(map) => Picture::from_raster(map),
            Self::Data(data) => Picture::from_data(data),
            Self::Voxels(voxels) => Picture::from_voxels(voxels),
            Self::Heights(heights) => Picture::from_heightmap(heights),
            Self::Mesh(soup) => Picture::from_triangles(soup),
            Self::Saved(world) => {
                let mut picture = Picture::from_ground(world.ground());
                let bodies = world.bodies();
                let n_slots = u32::try_from(bodies.n_slots()).unwrap_or(u32::MAX);
                for id in (0..n_slots).filter_map(|index| bodies.id_at(index)) {
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
        return Err(Failure::for_file(path, "cannot read: it is a folder"));
    }
    wayfarer_measure::load::bytes(path)
        .map_err(|error| Failure::for_file(path, format!("cannot read: {error}")))
}

/// The format of a file: by its contents, else by its name.
pub(crate) fn format(path: &Path, bytes: &[u8], reading: &Reading) -> Result<FileFormat, Failure> {
    if reading.raw.is_some() {
        return Ok(FileFormat::Raw);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    FileFormat::detect(&name, bytes)
        .ok_or_else(|| Failure::for_file(path, "neither its contents nor its name tell the format"))
}

/// Reads the world at `path`.
pub(crate) fn world(path: &Path, reading: &Reading) -> Result<(FileFormat, Loaded), Failure> {
    let bytes = bytes(path)?;
    let format = format(path, &bytes, reading)?;
    let loaded = read(&bytes, format, reading).map_err(|error| Failure::for_file(path, error))?;
    Ok((format, loaded))
}

/// Reads the world in `bytes`.
pub(crate) fn read(bytes: &[u8], format: FileFormat, reading: &Reading) -> Result<Loaded, String> {
    let is_heights =
        format == FileFormat::Raw || format == FileFormat::Png && reading.is_heightmap(bytes);
    reading.check(format, is_heights)?;
    let text = |error: wayfarer_engine::formats::TextError| error.to_string();
    let png = |error: wayfarer_engine::formats::PngError| error.to_string();
    match format {
        FileFormat::Map => movingai_map::read(bytes).map(Loaded::Flat).map_err(text),
        FileFormat::World => world_file::read_data(bytes).map(Loaded::Data).map_err(text),
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
        FileFormat::Saved => saved(bytes).map(|world| Loaded::Saved(Box::new(world))),
        other => Err(format!("found {other}, expected a world")),
    }
}

/// A saved world: of the facade, which ends with what only the facade has, or of the engine.
fn saved(bytes: &[u8]) -> Result<World, String> {
    if bytes.ends_with(b"WFFACAD2") {
        let world = wayfarer::World::load(bytes).map_err(|error| error.to_string())?;
        return Ok(world.engine().clone());
    }
    World::load(bytes).map_err(|error| error.to_string())
}

/// True for 16-bit gray PNG files: bit depth and color type in the header.
fn is_gray_16(bytes: &[u8]) -> bool {
    bytes.get(24..26) == Some(&[16, 0])
}

//! Reads a world of any format; what the file holds decides, not its name.

use std::path::Path;

use clap::{Args, ValueEnum};
use wayfarer::base::{Heightmap, Raster, TriangleSoup, VoxelSet, WorldPlan};
use wayfarer::formats::heightmap::{self, RawLayout};
use wayfarer::formats::mesh::{MeshOptions, Up};
use wayfarer::formats::{gltf, map3d, movingai_map, obj, png_raster, world_file};
use wayfarer::picture::Picture;

use crate::failure::Failure;

/// What a file cannot say about itself.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reading files")]
pub(crate) struct Reading {
    /// Read raw heights, row by row: columns, rows and kind of sample, as in 403x344:i16le
    #[arg(long, value_name = "LAYOUT")]
    raw: Option<RawLayout>,
    /// Read a grey PNG of 8 bits as heights (16 bits always are)
    #[arg(long)]
    heights: bool,
    /// Meshes: which axis of the file points up
    #[arg(long, value_enum, default_value_t = UpAxis::Y)]
    up: UpAxis,
    /// Meshes: cells for each unit of the file
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    scale: f64,
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

impl Default for Reading {
    fn default() -> Self {
        Self {
            raw: None,
            heights: false,
            up: UpAxis::Y,
            scale: 1.0,
        }
    }
}

impl Reading {
    fn mesh(&self) -> Result<MeshOptions, String> {
        let up = match self.up {
            UpAxis::Y => Up::Y,
            UpAxis::Z => Up::Z,
        };
        MeshOptions::new(up, self.scale)
            .ok_or_else(|| format!("--scale is {}, expected a number above 0", self.scale))
    }
}

/// A world as its file held it.
pub(crate) enum Loaded {
    /// A flat map.
    Flat(Raster),
    /// A world with floors, passages and walls.
    Plan(WorldPlan),
    /// Solid voxels.
    Voxels(VoxelSet),
    /// Heights.
    Heights(Heightmap),
    /// A mesh.
    Mesh(TriangleSoup),
}

impl Loaded {
    /// What there is to draw.
    pub(crate) fn picture(&self) -> Picture {
        match self {
            Self::Flat(map) => Picture::of_raster(map),
            Self::Plan(plan) => Picture::of_plan(plan),
            Self::Voxels(voxels) => Picture::of_voxels(voxels),
            Self::Heights(heights) => Picture::of_heightmap(heights),
            Self::Mesh(soup) => Picture::of_triangles(soup),
        }
    }
}

/// What a file seems to be, from how it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// A flat map of the benchmarks.
    Map,
    /// A world file of our own.
    World,
    /// A voxel map of the benchmarks.
    Map3d,
    /// A picture of a flat map.
    Png,
    /// A picture of heights.
    PngHeights,
    /// Heights and nothing else.
    RawHeights,
    /// A mesh as text.
    Obj,
    /// A mesh as glTF, of either kind.
    Gltf,
}

impl Format {
    /// Its name in messages and results.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::World => "world",
            Self::Map3d => "3dmap",
            Self::Png => "png",
            Self::PngHeights => "png heights",
            Self::RawHeights => "raw heights",
            Self::Obj => "obj",
            Self::Gltf => "gltf",
        }
    }

    /// What `bytes` begin like, or what they are instead of a world.
    fn of(bytes: &[u8], reading: &Reading) -> Result<Self, &'static str> {
        let text = bytes.trim_ascii_start();
        let begins = |word: &[u8]| text.starts_with(word);
        if reading.raw.is_some() {
            Ok(Self::RawHeights)
        } else if begins(b"\x89PNG") {
            // Bits per sample and kind of colour, at their places in the header.
            let is_deep = bytes.get(24..26) == Some(&[16, 0]);
            Ok(if is_deep || reading.heights {
                Self::PngHeights
            } else {
                Self::Png
            })
        } else if begins(b"voxel") {
            Ok(Self::Map3d)
        } else if begins(b"type patch") {
            Err("this file holds patches of a changing map, not a world")
        } else if begins(b"type") {
            Ok(Self::Map)
        } else if begins(b"wayfarer world") {
            Ok(Self::World)
        } else if begins(b"wayfarer edits") {
            Err("this file holds edits of a world, not a world")
        } else if begins(b"version") {
            Err("this file holds problems to solve (a scenario), not a world")
        } else if begins(b"glTF") || begins(b"{") {
            Ok(Self::Gltf)
        } else if is_obj(text) {
            Ok(Self::Obj)
        } else if text.is_empty() {
            Err("the file is empty")
        } else {
            Err("no world format that wayfarer knows begins like this file")
        }
    }
}

/// True if the first line that is no comment is one of a mesh.
fn is_obj(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [
        b"v", b"vn", b"vt", b"f", b"o", b"g", b"s", b"mtllib", b"usemtl",
    ];
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let word = first.and_then(|line| line.split(u8::is_ascii_whitespace).next());
    word.is_some_and(|word| WORDS.contains(&word))
}

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.is_dir() {
        return Err(Failure::of_file(path, "cannot read: it is a folder"));
    }
    std::fs::read(path).map_err(|error| Failure::of_file(path, format!("cannot read: {error}")))
}

/// Reads the world at `path`.
pub(crate) fn world(path: &Path, reading: &Reading) -> Result<(Format, Loaded), Failure> {
    let bytes = bytes(path)?;
    let format = Format::of(&bytes, reading).map_err(|what| Failure::of_file(path, what))?;
    let loaded = read(&bytes, format, reading).map_err(|what| Failure::of_file(path, what))?;
    Ok((format, loaded))
}

fn read(bytes: &[u8], format: Format, reading: &Reading) -> Result<Loaded, String> {
    let text = |error: wayfarer::formats::TextError| error.to_string();
    let png = |error: wayfarer::formats::PngError| error.to_string();
    match format {
        Format::Map => movingai_map::read(bytes).map(Loaded::Flat).map_err(text),
        Format::World => world_file::read_plan(bytes).map(Loaded::Plan).map_err(text),
        Format::Map3d => map3d::read(bytes).map(Loaded::Voxels).map_err(text),
        Format::Png => png_raster::read(bytes).map(Loaded::Flat).map_err(png),
        Format::PngHeights => heightmap::read_png(bytes).map(Loaded::Heights).map_err(png),
        Format::RawHeights => {
            let layout = reading.raw.ok_or("no layout of raw heights")?;
            let heights = heightmap::read_raw(bytes, &layout);
            heights.map(Loaded::Heights).map_err(|e| e.to_string())
        }
        Format::Obj => obj::read_with(bytes, &reading.mesh()?)
            .map(Loaded::Mesh)
            .map_err(text),
        Format::Gltf => gltf::read_with(bytes, &reading.mesh()?)
            .map(Loaded::Mesh)
            .map_err(|error| error.to_string()),
    }
}

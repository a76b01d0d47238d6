//! Baked abstractions of flat maps: building, reading, counting.

use std::path::Path;

use serde::Serialize;
use wayfarer_engine::base::Raster;
use wayfarer_engine::formats::file_format::FileFormat;
use wayfarer_engine::search::abstraction::{
    CenterPlacement, optimize_centers, optimize_centers_from,
};
use wayfarer_engine::world::baked::{AbstractionBuilder, BakedAbstraction};
use wayfarer_engine::world::dense::DenseGround;
use wayfarer_engine::world::ground::{FlatGround, Ground};

use crate::failure::Failure;
use crate::ground;
use crate::load::{self, Loaded, Reading};
use crate::progress::Progress;
use crate::words;

/// Builds the region graph of a map with centers placed by `placement`; regions that are the same
/// in `previous` keep their centers.
pub(crate) fn build(
    map: &Raster,
    ground: &DenseGround,
    (side, placement): (u32, CenterPlacement),
    previous: Option<&AbstractionBuilder>,
) -> Result<AbstractionBuilder, String> {
    let mut builder =
        AbstractionBuilder::from_raster(map, side).map_err(|error| error.to_string())?;
    let progress = Progress::new("regions", builder.regions().count());
    let step = |_: usize| progress.step();
    match previous {
        None => optimize_centers(&mut builder, ground, placement, step),
        Some(previous) => optimize_centers_from(&mut builder, previous, ground, placement, step),
    }
    Ok(builder)
}

/// The ground of a world, and the same as a flat map.
///
/// # Errors
/// There is no ground, or it is not flat.
pub(crate) fn flat(world: &Loaded, reading: &Reading) -> Result<(Ground, FlatGround), String> {
    let ground = ground::import(world, reading)?.ground;
    let flat = ground.flat().map_err(|error| {
        format!("only a flat map can be baked, and this ground is none: {error}")
    })?;
    Ok((ground, flat))
}

/// Reads a baked abstraction.
pub(crate) fn read(path: &Path) -> Result<BakedAbstraction, Failure> {
    let bytes = load::bytes(path)?;
    BakedAbstraction::from_bytes(&bytes).map_err(|error| Failure::for_file(path, error))
}

/// What a baked abstraction holds.
#[derive(Serialize)]
pub(crate) struct BakedFacts {
    pub(crate) file: String,
    format: &'static str,
    width: u32,
    height: u32,
    /// Cells along a side of a sector.
    sector: u32,
    sectors: u32,
    /// Of those, sectors that are not stored.
    default_sectors: u32,
    regions: u32,
    /// Pairs of adjacent regions.
    edges: u32,
    /// Sectors, region data and variants, without the file header.
    payload_bytes: usize,
    /// The same in percent of a map of 8 bits per cell.
    payload_per_cent: f64,
    pub(crate) file_bytes: usize,
    variants: Vec<VariantFacts>,
}

/// Another state of the map.
#[derive(Serialize)]
struct VariantFacts {
    name: String,
    is_on: bool,
    sectors: usize,
}

impl BakedFacts {
    pub(crate) fn new(path: &Path, baked: &BakedAbstraction, file_bytes: usize) -> Self {
        let variant = |(name, is_on, sectors): (&str, bool, usize)| VariantFacts {
            name: name.to_owned(),
            is_on,
            sectors,
        };
        let cells = f64::from(baked.width()) * f64::from(baked.height());
        let payload = u32::try_from(baked.payload_bytes()).unwrap_or(u32::MAX);
        Self {
            file: path.display().to_string(),
            format: FileFormat::Baked.name(),
            width: baked.width(),
            height: baked.height(),
            sector: baked.side(),
            sectors: baked.n_sectors(),
            default_sectors: baked.n_defaults(),
            regions: baked.n_regions(),
            edges: baked.n_edges() / 2,
            payload_bytes: baked.payload_bytes(),
            payload_per_cent: f64::from(payload) * 100.0 / cells.max(1.0),
            file_bytes,
            variants: baked.variants().map(variant).collect(),
        }
    }

    /// Names and values for the terminal.
    pub(crate) fn rows(&self) -> Vec<(String, String)> {
        let count = |number: u32| words::count(number.into());
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
        row("file", self.file.clone());
        row("format", self.format.to_owned());
        row("size", format!("{} x {} cells", self.width, self.height));
        row(
            "sectors",
            format!("{} of {} cells a side", count(self.sectors), self.sector),
        );
        row("  not stored", count(self.default_sectors));
        row("regions", count(self.regions));
        row("edges", count(self.edges));
        row(
            "payload",
            format!(
                "{} bytes, {:.2} % of 8 bits per cell",
                words::count(self.payload_bytes as u64),
                self.payload_per_cent
            ),
        );
        row("file bytes", words::count(self.file_bytes as u64));
        for variant in &self.variants {
            let state = if variant.is_on { "on" } else { "off" };
            row(
                &format!("variant {}", variant.name),
                format!("{state}, {} sectors", words::count(variant.sectors as u64)),
            );
        }
        rows
    }
}

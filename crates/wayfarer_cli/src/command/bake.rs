//! `wayfarer bake`: bakes the region graph of a flat map \[Sturtevant2007\].

use std::path::{Path, PathBuf};

use clap::Args;
use wayfarer_engine::base::Raster;
use wayfarer_engine::world::baked::AbstractionBuilder;
use wayfarer_engine::world::dense::DenseGround;

use crate::baked::{self, BakedFacts};
use crate::centers::Centers;
use crate::failure::{Failure, Verdict};
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::words;

/// Bake the region graph of a flat map into a small file
///
/// Bakes any ground that is flat: one floor per column, no walls, cliffs, cost multipliers or nav
/// links. The file holds the regions, their centers and adjacency: about 3 % of a map of one byte
/// per cell for sectors of 16. It can keep other states of the map (a gate open) as variants.
/// `path --method refine:1,10%,-,- --baked FILE` searches it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer bake caves.map -o caves.frozen
  wayfarer bake caves.map -o caves.frozen --sector 8 --centers far-from-walls
  wayfarer bake shut.map -o castle.frozen --variant gate-open=open.map
  wayfarer info caves.frozen
  wayfarer path caves.map --from 10,10 --to 110,60 --method refine:1,10%,-,- --baked caves.frozen")]
pub(crate) struct Bake {
    /// The map, or another world whose ground is flat
    file: PathBuf,
    /// The baked abstraction to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Cells along a side of a sector, 4 to 16
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(4..=16))]
    sector: u32,
    /// Where the centers of regions lie
    #[arg(long, alias = "centres", value_name = "PLACEMENT", value_enum, default_value_t = Centers::LeastWork)]
    centers: Centers,
    /// Keep another state of the map: its name and its file; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_variant)]
    variant: Vec<(String, PathBuf)>,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    reading: Reading,
}

fn parse_variant(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(file)))
        }
        _ => Err("expected NAME=FILE, as in gate-open=open.map".to_owned()),
    }
}

impl Bake {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write(std::iter::once(self.output.as_path()).chain(self.json.file()))?;
        let builder = self.build(&self.file, None)?;
        let wrong = |error: &dyn std::fmt::Display| Failure::for_file(&self.file, error);
        let mut baked = builder.bake().map_err(|error| wrong(&error))?;
        for (name, file) in &self.variant {
            let other = self.build(file, Some(&builder))?;
            let wrong = |error: &dyn std::fmt::Display| Failure::for_file(file, error);
            let other = other.bake().map_err(|error| wrong(&error))?;
            let added = baked.add_variant(name, &other);
            added.map_err(|error| wrong(&error))?;
        }
        let bytes = baked.to_bytes();
        let facts = BakedFacts::new(&self.output, &baked, bytes.len());
        let mut out = Output::default();
        out.line(words::facts(&facts.rows()).trim_end());
        out.json(&self.json, "bake/1", &facts)?;
        out.file(&self.output, bytes);
        out.finish()?;
        Ok(Verdict::Done)
    }

    fn build(
        &self,
        file: &Path,
        previous: Option<&AbstractionBuilder>,
    ) -> Result<AbstractionBuilder, Failure> {
        let wrong = |error: String| Failure::for_file(file, error);
        let map = self.map(file)?;
        let ground = DenseGround::from_raster(map.clone());
        let ground = ground.map_err(|error| wrong(error.to_string()))?;
        let placement = (self.sector, self.centers.placement());
        baked::build(&map, &ground, placement, previous).map_err(wrong)
    }

    fn map(&self, file: &Path) -> Result<Raster, Failure> {
        match load::world(file, &self.reading)? {
            (_, Loaded::Flat(map)) => Ok(map),
            (kind, Loaded::Voxels(_)) => Err(Failure::for_file(
                file,
                format!("found {kind}, expected a flat map"),
            )),
            (_, world) => {
                let (_, flat) = baked::flat(&world, &self.reading)
                    .map_err(|reason| Failure::for_file(file, reason))?;
                Ok(flat.map)
            }
        }
    }
}

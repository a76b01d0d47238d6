//! `wayfarer bake`: packs the regions of a flat map into a small file to plan far paths with.

use std::path::{Path, PathBuf};

use clap::Args;
use wayfarer::base::Raster;
use wayfarer::world::baked::AbstractionBuilder;
use wayfarer::world::dense::DenseGround;

use crate::baked::{self, BakedFacts};
use crate::centers::Centers;
use crate::failure::{Failure, Verdict};
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::words;

/// Pack the regions of a flat map into a small file to plan far paths with
///
/// Any ground will do that is flat seen from above: one floor in a column, and no wall, cliff,
/// cost multiplier or nav link between. The file holds which regions there are, where their centers lie and which of them touch: about
/// 3 % of a map with a byte per cell for sectors of 16. Other states of the same map (a gate open)
/// can be kept in it as variants. `path --method mm:1,10%,-,- --baked FILE` plans with it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer freeze caves.map -o caves.frozen
  wayfarer freeze caves.map -o caves.frozen --sector 8 --centres far-from-walls
  wayfarer freeze shut.map -o castle.frozen --variant gate-open=open.map
  wayfarer info caves.frozen
  wayfarer path caves.map --from 10,10 --to 110,60 --method mm:1,10%,-,- --frozen caves.frozen")]
pub(crate) struct Bake {
    /// The map, or another world whose ground is flat
    file: PathBuf,
    /// Where to write the baked map
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Cells along a side of a sector, 4 to 16
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(4..=16))]
    sector: u32,
    /// Where the centers of regions lie
    #[arg(long, value_name = "WHERE", value_enum, default_value_t = Centers::LeastWork)]
    centers: Centers,
    /// Keep another state of the map: its name and its file; may be given again
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
        let draft = self.draft(&self.file, None)?;
        let wrong = |error: &dyn std::fmt::Display| Failure::of_file(&self.file, error);
        let mut baked = draft.bake().map_err(|error| wrong(&error))?;
        for (name, file) in &self.variant {
            let other = self.draft(file, Some(&draft))?;
            let wrong = |error: &dyn std::fmt::Display| Failure::of_file(file, error);
            let other = other.bake().map_err(|error| wrong(&error))?;
            let added = baked.add_variant(name, &other);
            added.map_err(|error| wrong(&error))?;
        }
        let bytes = baked.to_bytes();
        let facts = BakedFacts::of(&self.output, &baked, bytes.len());
        let mut out = Output::default();
        out.line(words::facts(&facts.rows()).trim_end());
        out.json(&self.json, "freeze", &facts)?;
        out.file(&self.output, bytes);
        out.finish()?;
        Ok(Verdict::Done)
    }

    fn draft(
        &self,
        file: &Path,
        previous: Option<&AbstractionBuilder>,
    ) -> Result<AbstractionBuilder, Failure> {
        let wrong = |error: String| Failure::of_file(file, error);
        let map = self.map(file)?;
        let ground = DenseGround::from_raster(map.clone());
        let ground = ground.map_err(|error| wrong(error.to_string()))?;
        let how = (self.sector, self.centers.criterion());
        baked::draft(&map, &ground, how, previous).map_err(wrong)
    }

    fn map(&self, file: &Path) -> Result<Raster, Failure> {
        match load::world(file, &self.reading)? {
            (_, Loaded::Flat(map)) => Ok(map),
            (kind, Loaded::Voxels(_)) => Err(Failure::of_file(
                file,
                format!("found {kind}, expected a flat map"),
            )),
            (_, world) => {
                let (_, flat) = baked::flat(&world, &self.reading)
                    .map_err(|why| Failure::of_file(file, why))?;
                Ok(flat.map)
            }
        }
    }
}

//! `wayfarer render`: a world as a picture.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use wayfarer::picture::Picture;

use crate::draw::{self, Wishes};
use crate::failure::{Answer, Failure};
use crate::ground;
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};

/// Draw a world as PNG, SVG or letters
///
/// Floors that lie over each other are drawn as storeys side by side, heights as shades.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer render caves.map -o caves.png
  wayfarer render keep.world -o keep.svg --sectors
  wayfarer render caves.map -o caves.png --regions --portals
  wayfarer render caves.map -o caves.txt

The name's end decides the format: .png, .svg or .txt.")]
pub(crate) struct Render {
    /// The world: any format
    file: PathBuf,
    /// Where to draw it
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Dots along the side of a cell; chosen to fit if not given
    #[arg(long, value_name = "DOTS", value_parser = clap::value_parser!(u32).range(1..=64))]
    zoom: Option<u32>,
    /// Draw the outlines of sectors
    #[arg(long)]
    sectors: bool,
    /// Colour the regions of each sector
    #[arg(long)]
    regions: bool,
    /// Draw a line for every border between two regions, as thick as it has steps across
    #[arg(long)]
    portals: bool,
    /// Colour what hangs together, whatever the walker's way
    #[arg(long, conflicts_with = "regions")]
    components: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Report {
    file: String,
    picture: String,
    bytes: usize,
    width: u32,
    height: u32,
    storeys: usize,
    marks: usize,
}

impl Render {
    pub(crate) fn run(&self) -> Result<Answer, Failure> {
        output::can_write([self.output.as_path()].into_iter().chain(self.json.file()))?;
        draw::format_of(&self.output)?;
        let world = load::world(&self.file, &self.reading)?.1;
        let mut picture = world.picture();
        if self.regions || self.portals || self.components {
            let imported = ground::import(&world, &self.reading);
            let ground = imported
                .map_err(|why| Failure::of_file(&self.file, why))?
                .ground;
            if matches!(world, Loaded::Heights(_) | Loaded::Mesh(_)) {
                // Floors over each other are told apart only as floors.
                picture = Picture::of_ground(&ground);
            }
            if self.regions {
                picture.add_regions(&ground);
            }
            if self.components {
                picture.add_components(&ground);
            }
            if self.portals {
                picture.add_portals(&ground);
            }
        }
        if self.sectors {
            picture.add_sectors();
        }
        let bounds = picture.bounds();
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let wishes = Wishes {
            title: format!("{name}   {} x {} cells", bounds.width(), bounds.height()),
            zoom: self.zoom,
        };
        let bytes = draw::to_file(&picture, &wishes, &self.output)?;
        let report = Report {
            file: self.file.display().to_string(),
            picture: self.output.display().to_string(),
            bytes: bytes.len(),
            width: bounds.width(),
            height: bounds.height(),
            storeys: picture.storeys().len(),
            marks: picture.marks().len(),
        };
        let mut out = Output::default();
        out.line(format!("{} ({} bytes)", report.picture, report.bytes));
        out.json(&self.json, "render", &report)?;
        out.file(&self.output, bytes);
        out.finish()?;
        Ok(Answer::Done)
    }
}

//! `wayfarer render`: draws a world.

mod flight_search;
mod obstacles;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use wayfarer_engine::picture::{Axis, Picture};
use wayfarer_engine::world::obstacles::ObstacleSet;

use super::path::flight;
use crate::air;
use crate::draw::{self, SceneOptions};
use crate::failure::{Failure, Verdict};
use crate::ground;
use crate::load::{self, Loaded, Reading};
use crate::output::{self, Json, Output};
use crate::words;
use flight_search::SearchOptions;
use obstacles::ObstacleOptions;

/// Draw a world as PNG, SVG or text
///
/// Height bands are drawn side by side, heights as shades.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer render caves.map -o caves.png
  wayfarer render tower.world -o tower.svg --sectors
  wayfarer render caves.map -o caves.png --regions --portals
  wayfarer render caves.map -o caves.txt
  wayfarer render belt.3dmap -o cut.png --slice z=20
  wayfarer render belt.3dmap -o cubes.png --slice y=64 --layers
  wayfarer render dungeon.obj -o side.png --project y --voxel 0.25
  wayfarer render belt.3dmap -o heat.png --project z --from 1,1,1 --to 90,60,40
  wayfarer render belt.3dmap -o heat.png --slice z=20 --from 1,1,1 --to 90,60,40 --preset untuned
  wayfarer render crowd.field -o crowd.png
  wayfarer render crowd.field -o path.png --from 10,10 --to 690,690 --radius 4 --min 5 --max 40
  wayfarer render crowd.field -o threat.png --influence 1 --reach 60 --from 10,10 --to 690,690
  wayfarer render caves.map -o walls.png --walls-as-obstacles --from 3,3 --to 100,90 --min 2 --max 16

The extension decides the format: .png, .svg or .txt.")]
pub(crate) struct Render {
    /// The world, in any format
    file: PathBuf,
    /// The picture to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Pixels per cell; chosen to fit if not given
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=64))]
    zoom: Option<u32>,
    /// Draw the outlines of sectors
    #[arg(long)]
    sectors: bool,
    /// Color the regions of each sector
    #[arg(long)]
    regions: bool,
    /// Draw every portal between two regions, as thick as it is wide
    #[arg(long)]
    portals: bool,
    /// Color connected components
    #[arg(long, conflicts_with = "regions")]
    components: bool,
    /// Slice of the air: `x=N`, `y=N` or `z=N`; free space is colored by component
    #[arg(long, value_name = "SLICE", value_parser = parse_slice, allow_hyphen_values = true,
        conflicts_with_all = ["regions", "portals", "components", "sectors"])]
    slice: Option<(Axis, i32)>,
    /// Draw the octree nodes in the slice
    #[arg(long, requires = "slice")]
    layers: bool,
    /// Project the air as seen from the east (x), from the south (y) or from above (z)
    #[arg(long, value_name = "AXIS", value_parser = parse_axis,
        conflicts_with_all = ["slice", "regions", "portals", "components", "sectors"])]
    project: Option<Axis>,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    obstacles: ObstacleOptions,
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
    height_bands: usize,
    marks: usize,
    /// The flight that was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    flight: Option<flight::Report>,
    /// The path between obstacles that was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<obstacles::DrawnPath>,
}

impl Render {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        output::can_write([self.output.as_path()].into_iter().chain(self.json.file()))?;
        draw::format_of(&self.output)?;
        if let Some(obstacles) = self.obstacles.read(&self.file, &self.reading)? {
            return self.draw_obstacles(&obstacles);
        }
        let world = load::world(&self.file, &self.reading)?.1;
        self.search
            .check(self.slice.is_some() || self.project.is_some())?;
        if self.slice.is_some() || self.project.is_some() {
            return self.air(&world);
        }
        let mut picture = world.picture();
        if self.regions || self.portals || self.components {
            let imported = ground::import(&world, &self.reading);
            let ground = imported
                .map_err(|reason| Failure::for_file(&self.file, reason))?
                .ground;
            if matches!(world, Loaded::Heights(_) | Loaded::Mesh(_)) {
                // Only the ground has floors over each other.
                picture = Picture::from_ground(&ground);
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
        let title = format!("{} x {} cells", bounds.width(), bounds.height());
        self.write(&picture, &title, (None, None))
    }

    /// Draws an obstacle set, and the path through it if requested.
    fn draw_obstacles(&self, obstacles: &ObstacleSet) -> Result<Verdict, Failure> {
        let unsupported = [
            self.sectors,
            self.regions,
            self.portals,
            self.components,
            self.slice.is_some(),
            self.project.is_some(),
        ];
        if unsupported.contains(&true) {
            let reason = "an obstacle set has no sectors, regions, portals, components or air";
            return Err(Failure::BadInput(reason.to_owned()));
        }
        let (picture, path) = self.obstacles.draw(obstacles, self.search.ends())?;
        let title = path.as_ref().map_or_else(
            || format!("{} obstacles", words::count(obstacles.len() as u64)),
            obstacles::DrawnPath::summary,
        );
        let is_missing = path.as_ref().is_some_and(|path| !path.is_found);
        self.write(&picture, &title, (None, path))?;
        Ok(Verdict::negative_if(is_missing))
    }

    /// Draws a slice or a projection of the air.
    fn air(&self, world: &Loaded) -> Result<Verdict, Failure> {
        let wrong = |reason: String| Failure::for_file(&self.file, reason);
        let (air, _) = air::import(world, &self.reading).map_err(wrong)?;
        let [x, y, z] = air.size();
        let size = format!("{x} x {y} x {z} voxels");
        let too_large = || {
            let limit = Picture::MAX_SLICE_VOXELS;
            wrong(format!("has {size}, a picture has at most {limit}"))
        };
        if let Some(axis) = self.project {
            let mut picture = Picture::from_air_projection(&air, axis).ok_or_else(too_large)?;
            let slice = (axis, None, axis.of(air.high()));
            let drawn = self.search.draw(&self.file, &air, slice, &mut picture)?;
            let title = format!("{size}, seen {}", axis.from_where());
            return self.write(&picture, &title, (drawn, None));
        }
        let Some((axis, depth)) = self.slice else {
            return Err(Failure::OurFault("no slice was requested".to_owned()));
        };
        let (low, high) = (axis.of(air.low()), axis.of(air.high()));
        let name = axis.name();
        if !(low..=high).contains(&depth) {
            return Err(wrong(format!(
                "the slice {name}={depth} lies outside the air, {name} is {low} to {high}"
            )));
        }
        let picture = if self.layers {
            Picture::from_air_layers(&air, axis, depth)
        } else {
            Picture::from_air_slice(&air, axis, depth)
        };
        let mut picture = picture.ok_or_else(too_large)?;
        let slice = (axis, Some(depth), 0);
        let drawn = self.search.draw(&self.file, &air, slice, &mut picture)?;
        let title = format!("{size}, slice at {name} = {depth}");
        self.write(&picture, &title, (drawn, None))
    }

    /// Draws a picture into the output file and reports it.
    fn write(
        &self,
        picture: &Picture,
        title: &str,
        (flight, path): (Option<flight::Report>, Option<obstacles::DrawnPath>),
    ) -> Result<Verdict, Failure> {
        let bounds = picture.bounds();
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let flown = flight
            .as_ref()
            .map_or(String::new(), flight::Report::summary);
        let options = SceneOptions {
            title: format!("{name}   {title}{flown}"),
            zoom: self.zoom,
        };
        let bytes = draw::to_file(picture, &options, &self.output)?;
        let report = Report {
            file: self.file.display().to_string(),
            picture: self.output.display().to_string(),
            bytes: bytes.len(),
            width: bounds.width(),
            height: bounds.height(),
            height_bands: picture.height_bands().len(),
            marks: picture.marks().len(),
            flight,
            path,
        };
        let mut out = Output::default();
        out.line(format!("{} ({} bytes)", report.picture, report.bytes));
        out.json(&self.json, "render/2", &report)?;
        out.file(&self.output, bytes);
        out.finish()?;
        Ok(Verdict::Done)
    }
}

/// Parses an axis.
fn parse_axis(text: &str) -> Result<Axis, String> {
    let axis = Axis::ALL.into_iter().find(|axis| axis.name() == text);
    axis.ok_or_else(|| "expected x, y or z".to_owned())
}

/// Parses a slice: an axis and a number, as in `z=12`.
fn parse_slice(text: &str) -> Result<(Axis, i32), String> {
    let wrong = || "expected x=N, y=N or z=N, as in z=12".to_owned();
    let (axis, depth) = text.split_once('=').ok_or_else(wrong)?;
    let axis = parse_axis(axis).ok().ok_or_else(wrong)?;
    let depth = depth.parse().ok().ok_or_else(wrong)?;
    Ok((axis, depth))
}

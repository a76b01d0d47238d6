//! `wayfarer render` with a flight: a heat map of the expansions, and the flight.

use std::path::Path;

use clap::Args;
use wayfarer_engine::base::{Cell, Fixed, Voxel};
use wayfarer_engine::picture::{Axis, Picture};
use wayfarer_engine::world::air::Air;

use crate::area;
use crate::command::path::flight::{self, FlightOptions};
use crate::failure::Failure;
use crate::location::{self, LocationArg};
use crate::preset::Preset;

/// The path to draw.
#[derive(Args)]
#[command(
    next_help_heading = "A path and its search (between obstacles, or with --slice or --project)"
)]
pub(super) struct SearchOptions {
    /// Start: x,y,z, or x,y between obstacles
    #[arg(long, value_name = "CELL", value_parser = location::parse, allow_hyphen_values = true,
        requires = "to")]
    from: Option<LocationArg>,
    /// Goal: x,y,z, or x,y between obstacles
    #[arg(long, value_name = "CELL", value_parser = location::parse, allow_hyphen_values = true,
        requires = "from")]
    to: Option<LocationArg>,
    /// Search method of a flight
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Preset::Balanced,
        requires = "from")]
    preset: Preset,
    /// Radius of the agent
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells, requires = "from")]
    radius: Option<Fixed>,
}

impl SearchOptions {
    /// An error if a flight is requested without a picture of the air.
    pub(super) fn check(&self, is_air: bool) -> Result<(), Failure> {
        if self.from.is_none() || is_air {
            return Ok(());
        }
        let reason = "--from and --to draw a flight or a path between obstacles: give --slice, \
                      --project or --walls-as-obstacles too";
        Err(Failure::BadInput(reason.to_owned()))
    }

    /// Start, goal and radius, if a path is requested.
    pub(super) fn ends(&self) -> Option<(LocationArg, LocationArg, Fixed)> {
        let radius = self.radius.unwrap_or_default();
        self.from.zip(self.to).map(|(from, to)| (from, to, radius))
    }

    /// Finds the flight and draws it over a projection, or over a slice at a depth.
    pub(super) fn draw(
        &self,
        file: &Path,
        air: &Air,
        (axis, depth, z): (Axis, Option<i32>, i32),
        picture: &mut Picture,
    ) -> Result<Option<flight::Report>, Failure> {
        let (Some(from), Some(to)) = (self.from, self.to) else {
            return Ok(None);
        };
        if self.radius.is_some_and(|radius| radius > area::MAX_RADIUS) {
            let reason = "--radius of a flight: expected 0 to 8 cells, as in 1.5";
            return Err(Failure::BadInput(reason.to_owned()));
        }
        let options = FlightOptions {
            file,
            from,
            to,
            preset: self.preset,
            radius: self.radius.unwrap_or_default(),
            budget: None,
        };
        let flight = flight::find(air, &options)?;
        let expanded = flight.expanded.iter().copied();
        picture.add_explored(air, (axis, depth, z), self.preset.method(), expanded);
        let flat = |at: Voxel| -> Cell { axis.column(at).at(z) };
        flight.draw(picture, flat, false);
        Ok(Some(flight.report))
    }
}

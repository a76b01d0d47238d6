//! `wayfarer render` with a flight: where the search has been, the hotter the more often.

use std::path::Path;

use clap::Args;
use wayfarer::base::{Cell, Fixed, Voxel};
use wayfarer::picture::{Axis, Picture};
use wayfarer::search::air::{FlightMethod, OctreeParams};
use wayfarer::world::air::Air;

use crate::area;
use crate::command::path::flight::{self, FlightOptions};
use crate::failure::Failure;
use crate::location::{self, LocationArg};

/// Which flight to draw.
#[derive(Args)]
#[command(
    next_help_heading = "A way and where it was looked for (in a field, or with --slice or --project)"
)]
pub(super) struct Heat {
    /// Where it starts: x,y,z, or x,y in a field
    #[arg(long, value_name = "PLACE", value_parser = location::parse, allow_hyphen_values = true,
        requires = "to")]
    from: Option<LocationArg>,
    /// Where it is to end: x,y,z, or x,y in a field
    #[arg(long, value_name = "PLACE", value_parser = location::parse, allow_hyphen_values = true,
        requires = "from")]
    to: Option<LocationArg>,
    /// Flights: short, balanced, fast, plain or exact
    #[arg(long, value_name = "NAME", default_value = "balanced", requires = "from",
        value_parser = ["short", "balanced", "fast", "plain", "exact"])]
    preset: String,
    /// Half the width of whoever goes there
    #[arg(long, value_name = "CELLS", value_parser = area::parse_cells, requires = "from")]
    radius: Option<Fixed>,
}

impl Heat {
    /// An error if a flight is asked for where none can be drawn.
    pub(super) fn check(&self, is_of_air: bool) -> Result<(), Failure> {
        if self.from.is_none() || is_of_air {
            return Ok(());
        }
        let why = "--from and --to draw a flight, or a way through a field: give --slice, \
                   --project or --field too";
        Err(Failure::BadInput(why.to_owned()))
    }

    /// Both ends, if a way is asked for, and how wide whoever goes is.
    pub(super) fn ends(&self) -> Option<(LocationArg, LocationArg, Fixed)> {
        let radius = self.radius.unwrap_or_default();
        self.from.zip(self.to).map(|(from, to)| (from, to, radius))
    }

    /// Looks for the flight and draws it over a view, or a cut at a depth, with marks at a height.
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
            let why = "--radius of a flight: expected 0 to 8 cells, as in 1.5";
            return Err(Failure::BadInput(why.to_owned()));
        }
        let params = OctreeParams::preset(&self.preset);
        let method = params.map_or(FlightMethod::VoxelAStar, FlightMethod::Octree);
        let wish = FlightOptions {
            file,
            from,
            to,
            preset: &self.preset,
            method,
            radius: self.radius.unwrap_or_default(),
            budget: None,
        };
        let flight = flight::find(air, &wish)?;
        let expanded = flight.expanded.iter().copied();
        picture.add_explored(air, (axis, depth, z), method, expanded);
        let flat = |at: Voxel| -> Cell { axis.column(at).at(z) };
        flight.draw(picture, flat, false);
        Ok(Some(flight.report))
    }
}

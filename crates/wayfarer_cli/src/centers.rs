//! `--centers`: where the centers of regions lie.

use clap::ValueEnum;
use wayfarer_engine::search::abstraction::CenterPlacement;

/// Where the centers of regions lie.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Centers {
    /// Nearest to the centroid of the region
    #[value(alias = "middle")]
    Center,
    /// Where the costliest search to a neighboring center expands the fewest cells
    LeastWork,
    /// As far from walls as possible
    FarFromWalls,
}

impl Centers {
    pub(crate) const fn placement(self) -> CenterPlacement {
        match self {
            Self::Center => CenterPlacement::Center,
            Self::LeastWork => CenterPlacement::LeastWork,
            Self::FarFromWalls => CenterPlacement::FarFromWalls,
        }
    }
}

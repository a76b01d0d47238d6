//! Where the centers of regions lie, as it is said on the command line.

use clap::ValueEnum;
use wayfarer::search::abstraction::CenterPlacement;

/// Where the centers of regions lie.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Centers {
    /// Nearest to the middle of the region
    Center,
    /// Where neighbors are reached with the least work in the worst case
    LeastWork,
    /// As far from walls as can be
    FarFromWalls,
}

impl Centers {
    pub(crate) const fn criterion(self) -> CenterPlacement {
        match self {
            Self::Center => CenterPlacement::Center,
            Self::LeastWork => CenterPlacement::LeastWork,
            Self::FarFromWalls => CenterPlacement::FarFromWalls,
        }
    }
}

//! `--preset`: the method of a flight.

use clap::ValueEnum;
use wayfarer_engine::search::air::{FlightMethod, OctreeParams};

/// A flight method by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Preset {
    /// Octree A* tuned for short paths
    Short,
    /// Octree A* between short and fast
    #[default]
    Balanced,
    /// Octree A* tuned for few expansions
    Fast,
    /// Octree A* without tuning
    #[value(alias = "plain")]
    Untuned,
    /// A* over single voxels, 26-connected; optimal
    #[value(alias = "exact")]
    VoxelAstar,
}

impl Preset {
    /// Its name on the command line and in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Balanced => "balanced",
            Self::Fast => "fast",
            Self::Untuned => "untuned",
            Self::VoxelAstar => "voxel-astar",
        }
    }

    pub(crate) const fn method(self) -> FlightMethod {
        match self {
            Self::Short => FlightMethod::Octree(OctreeParams::SHORT),
            Self::Balanced => FlightMethod::Octree(OctreeParams::BALANCED),
            Self::Fast => FlightMethod::Octree(OctreeParams::FAST),
            Self::Untuned => FlightMethod::Octree(OctreeParams::UNTUNED),
            Self::VoxelAstar => FlightMethod::VoxelAStar,
        }
    }
}

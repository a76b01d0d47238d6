//! The sparse grid that changes: floors wherever one can walk, nothing anywhere else.
//!
//! Columns without bounds, any number of floors over each other, eight directions. Floors, thin
//! walls, nav links and effects are primary state, changed in batches by [`Ground::apply`]. From
//! them follow, always true: walkable squares as bits, regions of each sector, portals between
//! regions, components. They belong to the world's own walker; other agents have views.
//!
//! This module does not search: it says which steps there are.

use wayfarer_base::{Profile, Revision, Terrain};

mod affected;
mod apply;
mod bitboard;
mod bits;
mod build;
mod canonical;
mod change;
mod clusters;
mod compiled_profile;
mod components;
mod features;
mod flat;
mod floors;
mod grids;
mod hierarchy;
mod identity;
pub mod import;
mod irregular;
mod lookup;
mod memory;
mod neighbors;
mod node;
mod page;
mod portals;
mod profile_ground;
mod record;
mod regions;
mod repair;
mod scratch;
mod sectors;
mod sheet;
mod successors;

pub use bits::{NavLinkEdge, SheetBits};
pub use build::BuildError;
pub use canonical::{Canonical, CanonicalPortal, CanonicalRegion};
pub use change::{
    CostModifierDifference, GroundChanges, GroundDifference, GroundEditError, NavLinkDifference,
};
pub use clusters::AbstractNodeId;
pub use flat::{FlatGround, NotFlat};
pub use grids::GridBytes;
pub use hierarchy::ComponentId;
pub use lookup::{RegionId, RegionPortal};
pub use memory::MemoryReport;
pub use node::NodeId;
pub use profile_ground::{ProfileGround, ProfileId};
pub use record::GroundRecord;
pub use successors::{Successor, SuccessorBuffer, Successors};

use compiled_profile::CompiledProfile;
use features::Features;
use hierarchy::Hierarchy;
use identity::Identity;
use page::{Directory, Page};
use profile_ground::ProfileData;
use scratch::Scratch;

/// The ground of a world.
///
/// ```
/// use wayfarer_base::{Cell, Edit, Profile, Terrain};
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::new(Profile::DEFAULT).unwrap();
/// let floor = |x, z| Edit::PutCell { cell: Cell::new(x, 0, z), terrain: Terrain::GROUND };
/// ground.apply(&[floor(-1, 0), floor(0, 1), floor(1, 2), floor(1, -7)]).unwrap();
///
/// let (foot, top) = (Cell::new(-1, 0, 0), Cell::new(1, 0, 2));
/// let cave = Cell::new(1, 0, -7);
/// let component = |cell| ground.component(ground.node(cell).unwrap());
/// assert_eq!(component(foot), component(top)); // up the stairs
/// assert_ne!(component(foot), component(cave));
///
/// let changes = ground.apply(&[Edit::RemoveCell { cell: Cell::new(0, 0, 1) }]).unwrap();
/// assert_eq!(changes.split_pairs, vec![(foot, top)]); // the edit says what it cut
/// ground.apply(&changes.inverse()).unwrap(); // and can be undone
/// ```
#[derive(Clone, Debug)]
pub struct Ground {
    identity: Identity,
    default_profile: Profile,
    compiled: CompiledProfile,
    pages: Vec<Option<Box<Page>>>,
    free_pages: Vec<u32>,
    directory: Directory,
    features: Features,
    hierarchy: Hierarchy,
    profiles: Vec<Option<Box<ProfileData>>>,
    /// How table profiles were ever registered.
    n_registered: u32,
    revision: Revision,
    /// Aside, so that repairs take it out and put it back as one word.
    scratch: Option<Box<Scratch>>,
}

/// Why a ground could not be made for a profile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// A number is outside its limits.
    #[error("{what} is {found}, expected {expected}")]
    OutOfLimits {
        /// Which number.
        what: &'static str,
        /// What it was.
        found: i64,
        /// What it may be.
        expected: &'static str,
    },
    /// It may walk on [`Terrain::SOLID`], which is the inside of walls.
    #[error("terrain 63 is the inside of walls, expected terrains 0 to 62 to walk on")]
    WalksThroughWalls,
}

impl Ground {
    /// An empty ground for a walker.
    ///
    /// # Errors
    /// If the profile is wider than one cell (ask for a view of it instead) or a number of it is
    /// outside its limits.
    pub fn new(profile: Profile) -> Result<Self, ProfileError> {
        check_profile(&profile, 128, "0 to 128 for the world's own walker")?;
        Ok(Self {
            identity: Identity::default(),
            compiled: CompiledProfile::new(&profile),
            default_profile: profile,
            pages: Vec::new(),
            free_pages: Vec::new(),
            directory: Directory::default(),
            features: Features::default(),
            hierarchy: Hierarchy::default(),
            profiles: Vec::new(),
            n_registered: 0,
            revision: Revision::default(),
            scratch: None,
        })
    }

    /// The world's own walker.
    pub fn default_profile(&self) -> &Profile {
        &self.default_profile
    }

    /// How table batches of edits have been applied.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Room for repairs, made if there is none.
    #[inline]
    fn scratch(&mut self) -> &mut Scratch {
        self.scratch.get_or_insert_default()
    }
}

/// Checks a profile's numbers; `radius` is the widest allowed.
fn check_profile(
    profile: &Profile,
    radius: i32,
    radius_expected: &'static str,
) -> Result<(), ProfileError> {
    let numbers = [
        (
            "radius in 1/256 cells",
            i64::from(profile.radius.raw()),
            0,
            i64::from(radius),
            radius_expected,
        ),
        (
            "height",
            i64::from(profile.height),
            1,
            i64::from(i32::MAX),
            "at least 1",
        ),
        ("climb", i64::from(profile.max_step), 0, 255, "0 to 255"),
        ("drop", i64::from(profile.max_drop), 0, 255, "0 to 255"),
    ];
    for (what, found, low, high, expected) in numbers {
        if found < low || found > high {
            return Err(ProfileError::OutOfLimits {
                what,
                found,
                expected,
            });
        }
    }
    if profile.may_walk(Terrain::SOLID) {
        return Err(ProfileError::WalksThroughWalls);
    }
    Ok(())
}

#[cfg(test)]
mod tests;

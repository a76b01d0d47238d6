//! Sparse grid of walkable floors, several per column, under edits \[Sturtevant2011\].
//!
//! Primary state is floors, solids, thin walls, nav links and cost modifiers; [`Ground::apply`] edits
//! them in batches. Derived from it for the default profile: walkable cells as bitboards per sheet, the
//! regions of each sector, portals between regions, and connected components in a hierarchy of
//! clusters. Registered profiles have the same ([`ProfileGround`]).
//!
//! Invariant: after every batch the derived state equals a rebuild, up to ids
//! ([`Ground::canonical`]). A batch costs the dirty sectors and their neighbors plus one path up
//! the hierarchy; in uniform sectors it allocates nothing but the change set once its buffers have
//! grown. `ground::repair` drives the stages; `docs/design/ground-repair.md` describes them. This
//! module does not search.

use wayfarer_base::{Identity, Profile, Revision, Terrain};

mod affected;
mod apply;
mod apply_area;
mod bitboard;
mod bits;
mod build;
mod canonical;
mod change;
mod clusters;
mod column;
mod compiled_profile;
mod components;
mod features;
mod flat;
mod floor_changes;
mod floors;
mod grids;
mod hierarchy;
mod identity;
pub mod import;
mod irregular;
mod lookup;
mod memory;
mod multipliers;
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
mod solids;
mod step_table;
mod successors;
mod window;

pub use bitboard::PaddedLanes;
pub use bits::{NavLinkEdge, SheetBits};
pub use build::BuildError;
pub use canonical::{Canonical, CanonicalPortal, CanonicalRegion};
pub use change::{
    CostModifierDifference, FloorsDifference, GroundChanges, GroundDifference, GroundEditError,
    NavLinkDifference, SolidDifference,
};
pub use clusters::{AbstractEdge, AbstractNodeId};
pub use flat::{FlatGround, NotFlat};
pub use floor_changes::FloorChange;
pub use grids::GridBytes;
pub use hierarchy::ComponentId;
pub use lookup::{RegionId, RegionPortal};
pub use memory::MemoryReport;
pub use node::NodeId;
pub use profile_ground::{DiagonalMasks, ProfileGround, ProfileId};
pub use record::GroundRecord;
pub use successors::{Successor, SuccessorBuffer, Successors};

use compiled_profile::CompiledProfile;
use features::Features;
use hierarchy::Hierarchy;
use page::{Directory, Page};
use profile_ground::{Layer, RegisteredProfile};
use scratch::Scratch;
use solids::Solids;

/// The walkable ground of a world: a sparse, unbounded, 8-connected grid.
///
/// ```
/// use wayfarer_base::{Cell, GroundEdit, Profile, Terrain};
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::new(Profile::DEFAULT).unwrap();
/// let floor = |x, z| GroundEdit::PutCell {
///     cell: Cell::new(x, 0, z),
///     terrain: Terrain::GROUND,
/// };
/// ground.apply(&[floor(-1, 0), floor(0, 1), floor(1, 2), floor(1, -7)]).unwrap();
///
/// let (foot, top) = (Cell::new(-1, 0, 0), Cell::new(1, 0, 2));
/// let cave = Cell::new(1, 0, -7);
/// let component = |cell| ground.component(ground.node(cell).unwrap());
/// assert_eq!(component(foot), component(top)); // up the stairs
/// assert_ne!(component(foot), component(cave));
///
/// let changes = ground.apply(&[GroundEdit::RemoveCell { cell: Cell::new(0, 0, 1) }]).unwrap();
/// assert_eq!(changes.split_pairs, vec![(foot, top)]); // the two are disconnected now
/// ground.apply(&changes.inverse()).unwrap(); // undo
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
    solids: Solids,
    hierarchy: Hierarchy,
    profiles: Vec<Option<RegisteredProfile>>,
    /// What is derived for registered profiles; slot n at index n - 1.
    layers: Vec<Option<Box<Layer>>>,
    /// Layers derived so far, dropped ones included.
    n_layers: u32,
    /// Profiles registered so far, unregistered ones included.
    n_registered: u32,
    revision: Revision,
    /// Boxed, so that a repair moves it out and back as one word.
    scratch: Option<Box<Scratch>>,
}

/// A profile that a ground cannot be derived for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// A number outside its limits.
    #[error("{what} is {found}, expected {expected}")]
    OutOfLimits {
        /// The number's name.
        what: &'static str,
        /// Its value.
        found: i64,
        /// The allowed range.
        expected: &'static str,
    },
    /// [`Terrain::SOLID`], the inside of walls, is among the allowed terrains.
    #[error("terrain 63 is the inside of walls, expected allowed terrains 0 to 62")]
    WalksThroughWalls,
}

impl Ground {
    /// An empty ground with the default profile of the world.
    ///
    /// # Errors
    /// If the radius is above half a cell (register such a profile instead) or a number is outside
    /// its limits.
    pub fn new(profile: Profile) -> Result<Self, ProfileError> {
        check_profile(&profile, 128, "0 to 128 for the default profile")?;
        let profile = profile.normalized();
        Ok(Self {
            identity: Identity::default(),
            compiled: CompiledProfile::new(&profile),
            default_profile: profile,
            pages: Vec::new(),
            free_pages: Vec::new(),
            directory: Directory::default(),
            features: Features::default(),
            solids: Solids::default(),
            hierarchy: Hierarchy::default(),
            profiles: Vec::new(),
            layers: Vec::new(),
            n_layers: 0,
            n_registered: 0,
            revision: Revision::default(),
            scratch: None,
        })
    }

    /// The profile that [`Ground`]'s own queries answer for.
    pub fn default_profile(&self) -> &Profile {
        &self.default_profile
    }

    /// The batches applied: their number and a digest of them.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    #[inline]
    fn scratch(&mut self) -> &mut Scratch {
        self.scratch.get_or_insert_default()
    }
}

/// Checks the numbers of a profile; `radius` is the upper limit for its radius, in 1/256 cells.
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
        ("max step", i64::from(profile.max_step), 0, 255, "0 to 255"),
        ("max drop", i64::from(profile.max_drop), 0, 255, "0 to 255"),
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
    if profile.allows_terrain(Terrain::SOLID) {
        return Err(ProfileError::WalksThroughWalls);
    }
    Ok(())
}

#[cfg(test)]
mod tests;

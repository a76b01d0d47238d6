//! The ground for a registered profile: another radius, height, step limit or set of terrains.
//!
//! For each sheet it stores the cells where the agent fits, with borders, and their regions;
//! floors, heights, walls and modifiers are the ground's. On uniform ground the bits determine all
//! steps, for wide bodies with two more bitboards for diagonals; on irregular ground steps are
//! evaluated on demand. Components are in a [`Hierarchy`] of their own. Every batch repairs the
//! profiles near its dirty columns, within the body's radius.

use wayfarer_base::{BatchDigest, Cell, Profile};

use super::bitboard::{self, Bitboard, PaddedBitboard};
use super::compiled_profile::CompiledProfile;
use super::hierarchy::{ComponentId, Hierarchy, RegionSlot, block_of};
use super::lookup::is_at_page_edge;
use super::node::NodeId;
use super::successors::uniform_successors;
use super::{Ground, ProfileError, SuccessorBuffer, Successors};

mod adjacency;
mod disc;
mod neighbors;
mod queries;
mod repair;
mod uniform;

pub(crate) use repair::ProfileWork;

/// A registered profile; ids are never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProfileId {
    pub(super) slot: u32,
    /// Registration number.
    pub(super) number: u32,
}

impl ProfileId {
    /// The slot of the profile, for [`Ground::profile_at`].
    pub const fn slot(self) -> u32 {
        self.slot
    }
}

/// Everything derived for one profile.
#[derive(Clone, Debug)]
pub(crate) struct ProfileData {
    pub(super) id: ProfileId,
    pub(super) profile: Profile,
    compiled: CompiledProfile,
    disc: disc::Disc,
    /// Indexed like the ground's pages.
    pages: Vec<Option<Box<ProfilePage>>>,
    hierarchy: Hierarchy,
}

/// The sheets of a page for one profile.
#[derive(Clone, Debug)]
struct ProfilePage {
    /// For each position the index of its sheet.
    table: [u8; 64],
    /// Sorted by position.
    sheets: Vec<ProfileSheet>,
}

impl Default for ProfilePage {
    fn default() -> Self {
        Self {
            table: [u8::MAX; 64],
            sheets: Vec::new(),
        }
    }
}

/// A sheet with at least one cell where the agent fits.
#[derive(Clone, Debug)]
struct ProfileSheet {
    position: u8,
    /// True if `walkable` alone determines all steps.
    is_bit_exact: bool,
    /// True if a multiplier above 1 applies here or in an adjacent sector.
    is_costly: bool,
    /// The label of the only region, if there is one.
    label: u16,
    /// Cells where the agent fits; the borders are valid on uniform ground only.
    walkable: PaddedBitboard,
    /// On uniform ground where `walkable` does not determine the diagonals: the cells with a step
    /// south-east, and those with a step south-west.
    diagonals: Option<Box<[PaddedBitboard; 2]>>,
    /// All regions, if there are several.
    regions: Option<Box<[ProfileRegion]>>,
    /// Edges between regions on irregular ground, each stored at both ends; sorted.
    links: Box<[Link]>,
}

/// An edge between two regions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Link {
    own: u8,
    position: u8,
    ordinal: u8,
    page: u32,
}

impl Link {
    fn new(own: u8, to: RegionSlot) -> Self {
        Self {
            own,
            position: to.position,
            ordinal: to.ordinal,
            page: to.page,
        }
    }

    fn to(self) -> RegionSlot {
        RegionSlot {
            page: self.page,
            position: self.position,
            ordinal: self.ordinal,
        }
    }
}

/// Cells of a sheet that are connected for the agent.
#[derive(Clone, Copy, Debug)]
struct ProfileRegion {
    board: Bitboard,
    label: u16,
}

impl ProfilePage {
    fn sheet(&self, position: u8) -> Option<&ProfileSheet> {
        self.sheets
            .get(usize::from(self.table[usize::from(position & 63)]))
    }

    fn sheet_mut(&mut self, position: u8) -> Option<&mut ProfileSheet> {
        self.sheets
            .get_mut(usize::from(self.table[usize::from(position & 63)]))
    }

    /// Rebuilds the table after a sheet was added or removed.
    fn set_table(&mut self) {
        self.table = [u8::MAX; 64];
        for (number, sheet) in (0..).zip(&self.sheets) {
            self.table[usize::from(sheet.position)] = number;
        }
    }
}

impl ProfileSheet {
    #[inline]
    fn is_walkable(&self, local: u8) -> bool {
        self.walkable
            .get(i32::from(local & 15), i32::from(local >> 4))
    }

    fn region_at(&self, local: u8) -> Option<u8> {
        match &self.regions {
            None => self.is_walkable(local).then_some(0),
            Some(regions) => (0..=u8::MAX)
                .zip(regions)
                .find(|(_, region)| bitboard::has(&region.board, local))
                .map(|(ordinal, _)| ordinal),
        }
    }

    /// True if `walkable` and `diagonals` determine all steps.
    #[inline]
    fn is_uniform(&self) -> bool {
        self.is_bit_exact || self.diagonals.is_some()
    }

    fn n_regions(&self) -> usize {
        self.regions.as_ref().map_or(1, |regions| regions.len())
    }

    fn label(&self, ordinal: u8) -> Option<u16> {
        match &self.regions {
            None => (ordinal == 0).then_some(self.label),
            Some(regions) => regions.get(usize::from(ordinal)).map(|region| region.label),
        }
    }

    fn set_label(&mut self, ordinal: u8, label: u16) {
        match &mut self.regions {
            None => self.label = label,
            Some(regions) => regions[usize::from(ordinal)].label = label,
        }
    }
}

impl ProfileData {
    #[inline]
    fn sheet(&self, page: u32, position: u8) -> Option<&ProfileSheet> {
        self.pages.get(page as usize)?.as_deref()?.sheet(position)
    }

    fn is_walkable(&self, node: NodeId) -> bool {
        self.sheet(node.page(), node.position())
            .is_some_and(|sheet| sheet.is_walkable(node.local()))
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let sheet = |sheet: &ProfileSheet| {
            let n_regions = sheet.regions.as_ref().map_or(0, |regions| regions.len());
            let diagonals = sheet
                .diagonals
                .as_ref()
                .map_or(0, |_| size_of::<[PaddedBitboard; 2]>());
            n_regions * size_of::<ProfileRegion>()
                + sheet.links.len() * size_of::<Link>()
                + diagonals
        };
        let page = |page: &ProfilePage| {
            size_of::<ProfilePage>()
                + page.sheets.capacity() * size_of::<ProfileSheet>()
                + page.sheets.iter().map(sheet).sum::<usize>()
        };
        self.pages.capacity() * size_of::<Option<Box<ProfilePage>>>()
            + self
                .pages
                .iter()
                .flatten()
                .map(|found| page(found))
                .sum::<usize>()
            + self.profile.terrain_costs.capacity()
                * size_of::<(wayfarer_base::Terrain, wayfarer_base::CostMultiplier)>()
            + self.disc.heap_bytes()
            + self.hierarchy.heap_bytes()
    }
}

/// The ground for a registered profile. Copy; valid until the next edit.
#[derive(Clone, Copy, Debug)]
pub struct ProfileGround<'a> {
    ground: &'a Ground,
    data: &'a ProfileData,
}

impl Ground {
    /// Registers a profile and derives its data, O(world); every later edit repairs it.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Fixed, Profile, Raster};
    /// use wayfarer_world::ground::Ground;
    ///
    /// // Three rows of ground; an ogre 2 cells wide does not fit at the border.
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(5, 3, vec![0; 15]).unwrap());
    /// let ogre = Profile { radius: Fixed::from_raw(256), ..Profile::DEFAULT };
    /// let ogre = ground.register_profile(ogre).unwrap();
    /// let ground = ground.profile_ground(ogre).unwrap();
    /// assert!(ground.node(Cell::flat(2, 1)).is_some());
    /// assert!(ground.node(Cell::flat(2, 0)).is_none());
    /// ```
    ///
    /// # Errors
    /// If a number of the profile is outside its limits.
    pub fn register_profile(&mut self, profile: Profile) -> Result<ProfileId, ProfileError> {
        let free = self.profiles.iter().position(Option::is_none);
        let slot = free.unwrap_or(self.profiles.len());
        let id = ProfileId {
            slot: u32::try_from(slot).expect("few profiles"),
            number: self.n_registered,
        };
        let digest = BatchDigest::of(&profile);
        let data = self.build_profile(id, profile)?;
        if free.is_none() {
            self.profiles.push(None);
        }
        self.profiles[slot] = Some(Box::new(data));
        self.n_registered += 1;
        self.identity.change(digest);
        Ok(id)
    }

    /// Derives the data of a profile under an unused id.
    pub(super) fn build_profile(
        &mut self,
        id: ProfileId,
        profile: Profile,
    ) -> Result<ProfileData, ProfileError> {
        super::check_profile(&profile, ProfileData::MAX_RADIUS, "0 to 2048: eight cells")?;
        let profile = profile.normalized();
        let mut data = ProfileData {
            id,
            compiled: CompiledProfile::new(&profile),
            disc: disc::Disc::new(profile.radius),
            profile,
            pages: Vec::new(),
            hierarchy: Hierarchy::default(),
        };
        data.build(self);
        Ok(data)
    }

    /// Unregisters a profile and drops its data.
    pub fn unregister_profile(&mut self, profile_id: ProfileId) {
        if self.profile_ground(profile_id).is_some() {
            self.profiles[profile_id.slot as usize] = None;
            self.identity.change(profile_id.number.into());
        }
    }

    /// The profile registered in a slot.
    pub fn profile_at(&self, slot: u32) -> Option<ProfileId> {
        let data = self.profiles.get(slot as usize)?.as_deref()?;
        Some(data.id)
    }

    /// The ground for a registered profile; `None` if it was unregistered.
    pub fn profile_ground(&self, profile_id: ProfileId) -> Option<ProfileGround<'_>> {
        let known = self.profiles.get(profile_id.slot as usize)?.as_deref()?;
        let known = Some(known).filter(|known| known.id == profile_id)?;
        Some(ProfileGround {
            ground: self,
            data: known,
        })
    }
}

impl<'a> ProfileGround<'a> {
    /// The id of the profile.
    pub fn id(self) -> ProfileId {
        self.data.id
    }

    /// The profile.
    pub fn profile(self) -> &'a Profile {
        &self.data.profile
    }

    /// The node of a cell, if the agent fits there.
    pub fn node(self, cell: Cell) -> Option<NodeId> {
        let local = super::page::local_of(cell.column());
        let sector = wayfarer_base::SectorId::from_column(cell.column());
        self.ground
            .sheets_at(sector)
            .filter(|(_, sheet)| bitboard::has(&sheet.present(), local))
            .find(|(_, sheet)| sheet.height(local) == cell.z)
            .map(|(page, sheet)| NodeId::new(page, sheet.position, local))
            .filter(|node| self.data.is_walkable(*node))
    }

    /// All cells where the agent fits, in storage order.
    pub fn nodes(self) -> impl Iterator<Item = NodeId> {
        (0_u32..)
            .zip(&self.data.pages)
            .filter_map(|(number, page)| page.as_deref().map(|page| (number, page)))
            .flat_map(|(number, page)| {
                page.sheets.iter().flat_map(move |sheet| {
                    bitboard::cells(&sheet.walkable.board())
                        .map(move |local| NodeId::new(number, sheet.position, local))
                })
            })
    }

    /// The component of a cell where the agent fits: different components prove that no path
    /// exists.
    pub fn component(self, node: NodeId) -> Option<ComponentId> {
        let sheet = self.data.sheet(node.page(), node.position())?;
        let ordinal = sheet.region_at(node.local())?;
        let label = sheet.label(ordinal)?;
        let block = block_of(node.page(), node.position());
        Some(self.data.hierarchy.component_of(block, label))
    }

    /// The successors of a cell with their costs: the eight directions clockwise from north, then
    /// nav links sorted by id. Allocates only while `buffer` grows.
    #[inline]
    pub fn successors(self, node: NodeId, buffer: &mut SuccessorBuffer) -> Successors<'_> {
        let local = node.local();
        if let Some(sheet) = self.data.sheet(node.page(), node.position())
            && sheet.is_bit_exact
            && !sheet.is_costly
            && sheet.is_walkable(local)
            && !is_at_page_edge(node)
        {
            let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
            return Successors::new(uniform_successors(sheet.walkable.window(x, y), local), node);
        }
        neighbors::successors(self.ground, self.data, node, buffer);
        Successors::new(&buffer.successors, node)
    }
}

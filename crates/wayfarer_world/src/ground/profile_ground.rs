//! What the ground is for another agent than the world's own walker: wider, taller, other terrains.
//!
//! A view keeps, for each sheet, a board of the squares where the agent can stand, with the
//! neighbors' borders, and the regions of those squares; floors, heights, walls and cost multipliers are the
//! ground's. On uniform ground the board tells all steps, for wide bodies with boards for diagonals
//! beside it, and what leads from region to region is read off the borders; elsewhere steps are
//! judged when asked for.
//! Every edit of the ground repairs its views, near where it was.

use wayfarer_base::{Cell, Profile};

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

/// The name of a registered profile; never given to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProfileId {
    pub(super) slot: u32,
    /// The how-regions-eth it was to be registered.
    pub(super) number: u32,
}

impl ProfileId {
    /// Its place among the registered profiles, for [`Ground::profile_at`].
    pub const fn slot(self) -> u32 {
        self.slot
    }
}

/// All that is derived for one profile.
#[derive(Clone, Debug)]
pub(crate) struct ProfileData {
    pub(super) id: ProfileId,
    pub(super) profile: Profile,
    compiled: CompiledProfile,
    disc: disc::Disc,
    /// By the number of the ground's page.
    pages: Vec<Option<Box<ProfilePage>>>,
    hierarchy: Hierarchy,
}

/// What a view keeps of a page.
#[derive(Clone, Debug)]
struct ProfilePage {
    /// For each place the number of its sheet.
    table: [u8; 64],
    /// In the order of places.
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

/// What a view keeps of a sheet on which the agent can stand somewhere.
#[derive(Clone, Debug)]
struct ProfileSheet {
    position: u8,
    /// True if the board tells all steps.
    is_bit_exact: bool,
    /// True if some square here or next to here is costlier than 1.
    is_costly: bool,
    /// The label of the only region, if there is one.
    label: u16,
    /// Squares where the agent stands; the borders are only true on uniform ground.
    walkable: PaddedBitboard,
    /// On uniform ground where the board does not tell: from which squares one can step south-east,
    /// and from which south-west.
    diagonals: Option<Box<[PaddedBitboard; 2]>>,
    /// All regions, if there are several.
    regions: Option<Box<[ProfileRegion]>>,
    /// From which region to which other, both ways alike, where the ground is not plain; in order.
    links: Box<[Link]>,
}

/// What leads from a region to another.
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

/// Squares of a sheet that are connected for the agent.
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

    /// Finds anew which sheet is where, after one came or went.
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

    /// True if its squares and diagonals tell all steps.
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

/// The ground as a registered profile sees it.
#[derive(Clone, Copy, Debug)]
pub struct ProfileGround<'a> {
    ground: &'a Ground,
    data: &'a ProfileData,
}

impl Ground {
    /// Registers a profile: from then on every edit keeps its view true.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Fixed, Profile, Raster};
    /// use wayfarer_world::ground::Ground;
    ///
    /// // Three rows of ground; an ogre 2 cells wide cannot stand at the rim.
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(5, 3, vec![0; 15]).unwrap());
    /// let ogre = Profile { radius: Fixed::from_raw(256), ..Profile::DEFAULT };
    /// let ogre = ground.register_profile(ogre).unwrap();
    /// let view = ground.view(ogre).unwrap();
    /// assert!(view.node(Cell::flat(2, 1)).is_some());
    /// assert!(view.node(Cell::flat(2, 0)).is_none());
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
        let data = self.build_profile(id, profile)?;
        if free.is_none() {
            self.profiles.push(None);
        }
        self.profiles[slot] = Some(Box::new(data));
        self.n_registered += 1;
        Ok(id)
    }

    /// The view of a profile, under a name that is not taken.
    pub(super) fn build_profile(
        &mut self,
        id: ProfileId,
        profile: Profile,
    ) -> Result<ProfileData, ProfileError> {
        super::check_profile(&profile, ProfileData::MAX_RADIUS, "0 to 2048: eight cells")?;
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

    /// Forgets a profile.
    pub fn unregister_profile(&mut self, profile_id: ProfileId) {
        if self.profile_ground(profile_id).is_some() {
            self.profiles[profile_id.slot as usize] = None;
        }
    }

    /// The name of the profile that is registered at a place now.
    pub fn profile_at(&self, slot: u32) -> Option<ProfileId> {
        let data = self.profiles.get(slot as usize)?.as_deref()?;
        Some(data.id)
    }

    /// The ground as a registered profile sees it; `None` if it was unregistered.
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
    /// The name it was registered under.
    pub fn id(self) -> ProfileId {
        self.data.id
    }

    /// The profile.
    pub fn profile(self) -> &'a Profile {
        &self.data.profile
    }

    /// The number of a cell in which the agent can stand.
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

    /// Every cell in which the agent can stand, in the order they are stored.
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

    /// The component of a cell in which the agent can stand: different ones mean that there is
    /// no way.
    pub fn component(self, node: NodeId) -> Option<ComponentId> {
        let sheet = self.data.sheet(node.page(), node.position())?;
        let ordinal = sheet.region_at(node.local())?;
        let label = sheet.label(ordinal)?;
        let block = block_of(node.page(), node.position());
        Some(self.data.hierarchy.component_of(block, label))
    }

    /// All steps of the agent from a cell in which it stands: the eight directions clockwise from
    /// north, then nav links in the order of their names. Takes no memory once `buffer` has grown.
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
        neighbors::steps(self.ground, self.data, node, buffer);
        Successors::new(&buffer.successors, node)
    }
}

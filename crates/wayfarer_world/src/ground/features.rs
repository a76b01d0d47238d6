//! Primary state besides floors: thin walls, nav links and cost modifiers, indexed by sector.
//!
//! They outlive the floors they apply to and take effect again when those return. A nav link is
//! stored in the sectors of both its ends. A modifier over more than [`MAX_INDEXED_SECTORS`]
//! sectors is not indexed; every sector scans the list of those.

use wayfarer_base::shape::SectorMasks;
use wayfarer_base::{
    Column, Cost, CostModifier, CostModifierId, NavLink, NavLinkId, Point2, SectorId, Wall,
};

use super::bitboard::{self, Bitboard};
use super::page::Directory;

/// The features of one sector; stored only if there are any.
#[derive(Clone, Debug)]
pub(crate) struct SectorFeatures {
    pub(crate) sector: SectorId,
    /// Sorted.
    pub(crate) walls: Vec<Wall>,
    /// Those with an end here, sorted by id.
    pub(crate) nav_links: Vec<NavLink>,
    /// Those whose AABB overlaps the sector, sorted, but for wide ones.
    pub(crate) modifiers: Vec<CostModifierId>,
}

impl SectorFeatures {
    fn is_empty(&self) -> bool {
        self.walls.is_empty() && self.nav_links.is_empty() && self.modifiers.is_empty()
    }
}

/// All walls, nav links and cost modifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features {
    sectors: Vec<SectorFeatures>,
    directory: Directory,
    modifiers: Vec<(CostModifierId, CostModifier)>,
    /// Modifiers over too many sectors to be indexed, sorted.
    wide: Vec<CostModifierId>,
    /// Nav links cheaper than the octile distance between their ends, sorted by id.
    shortcuts: Vec<NavLink>,
}

impl Features {
    /// The features of a sector, if any.
    pub(crate) fn sector(&self, sector: SectorId) -> Option<&SectorFeatures> {
        if self.sectors.is_empty() {
            return None;
        }
        let index = self.directory.find(sector.x, sector.y)?;
        Some(&self.sectors[index as usize])
    }

    fn sector_mut(&mut self, sector: SectorId) -> &mut SectorFeatures {
        let index = self.directory.find(sector.x, sector.y).unwrap_or_else(|| {
            let index = u32::try_from(self.sectors.len()).expect("fewer sectors than u32 values");
            self.directory.insert(sector.x, sector.y, index);
            self.sectors.push(SectorFeatures {
                sector,
                walls: Vec::new(),
                nav_links: Vec::new(),
                modifiers: Vec::new(),
            });
            index
        });
        &mut self.sectors[index as usize]
    }

    fn drop_if_empty(&mut self, sector: SectorId) {
        let Some(index) = self.directory.find(sector.x, sector.y) else {
            return;
        };
        if self.sectors[index as usize].is_empty() {
            self.directory.remove(sector.x, sector.y);
            self.sectors.swap_remove(index as usize);
            if let Some(moved) = self.sectors.get(index as usize).map(|moved| moved.sector) {
                self.directory.remove(moved.x, moved.y);
                self.directory.insert(moved.x, moved.y, index);
            }
        }
    }

    /// Adds or removes a wall; true if that is a difference.
    pub(crate) fn set_wall(&mut self, wall: Wall, is_present: bool) -> bool {
        let sector = SectorId::from_column(wall.cell.column());
        let found = self
            .sector(sector)
            .map(|features| features.walls.binary_search(&wall));
        match (found, is_present) {
            (Some(Ok(_)), true) | (None | Some(Err(_)), false) => false,
            (Some(Ok(at)), false) => {
                self.sector_mut(sector).walls.remove(at);
                self.drop_if_empty(sector);
                true
            }
            (found, true) => {
                let at = found.and_then(Result::err).unwrap_or(0);
                self.sector_mut(sector).walls.insert(at, wall);
                true
            }
        }
    }

    /// The nav link with this id.
    pub(crate) fn nav_link(&self, id: NavLinkId) -> Option<NavLink> {
        let features = self.sector(SectorId::from_column(id.from.column()))?;
        let at = search(&features.nav_links, id).ok()?;
        Some(features.nav_links[at])
    }

    /// Adds or replaces (`Some`) or removes (`None`) the nav link with this id.
    pub(crate) fn set_nav_link(&mut self, id: NavLinkId, nav_link: Option<NavLink>) {
        let ends = [
            SectorId::from_column(id.from.column()),
            SectorId::from_column(id.to.column()),
        ];
        let n_ends = if ends[0] == ends[1] { 1 } else { 2 };
        for sector in &ends[..n_ends] {
            let list = &mut self.sector_mut(*sector).nav_links;
            match (search(list, id), nav_link) {
                (Ok(at), Some(nav_link)) => list[at] = nav_link,
                (Err(at), Some(nav_link)) => list.insert(at, nav_link),
                (Ok(at), None) => {
                    list.remove(at);
                }
                (Err(_), None) => {}
            }
            self.drop_if_empty(*sector);
        }
        let is_shortcut = |nav_link: &NavLink| nav_link.cost < octile_cost(nav_link);
        let shortcut = nav_link.filter(is_shortcut);
        match (search(&self.shortcuts, id), shortcut) {
            (Ok(at), Some(nav_link)) => self.shortcuts[at] = nav_link,
            (Err(at), Some(nav_link)) => self.shortcuts.insert(at, nav_link),
            (Ok(at), None) => {
                self.shortcuts.remove(at);
            }
            (Err(_), None) => {}
        }
    }

    /// Nav links cheaper than the octile distance between their ends, sorted by id.
    pub(crate) fn shortcuts(&self) -> &[NavLink] {
        &self.shortcuts
    }

    /// Every nav link once, by the sector of its start, sorted by id within a sector.
    pub(crate) fn nav_links(&self) -> impl Iterator<Item = &NavLink> {
        self.sectors.iter().flat_map(|features| {
            features
                .nav_links
                .iter()
                .filter(|nav_link| SectorId::from_column(nav_link.from.column()) == features.sector)
        })
    }

    /// Every wall.
    pub(crate) fn walls(&self) -> impl Iterator<Item = &Wall> {
        self.sectors.iter().flat_map(|features| &features.walls)
    }

    /// The number of modifiers.
    pub(crate) fn n_modifiers(&self) -> usize {
        self.modifiers.len()
    }

    /// All modifiers, sorted by id.
    pub(crate) fn modifiers(&self) -> impl Iterator<Item = &(CostModifierId, CostModifier)> {
        self.modifiers.iter()
    }

    /// The modifier with this id.
    pub(crate) fn modifier(&self, id: CostModifierId) -> Option<&CostModifier> {
        let at = self
            .modifiers
            .binary_search_by_key(&id, |(known, _)| *known);
        at.ok().map(|at| &self.modifiers[at].1)
    }

    /// Adds or replaces (`Some`) or removes (`None`) the modifier with this id; returns the
    /// previous one.
    pub(crate) fn set_modifier(
        &mut self,
        id: CostModifierId,
        modifier: Option<CostModifier>,
    ) -> Option<CostModifier> {
        let at = self
            .modifiers
            .binary_search_by_key(&id, |(known, _)| *known);
        let previous = at.ok().map(|at| self.modifiers[at].1.clone());
        if let Some(previous) = &previous {
            self.unindex_modifier(id, previous);
        }
        match (at, modifier) {
            (Ok(at), Some(modifier)) => self.modifiers[at].1 = modifier,
            (Err(at), Some(modifier)) => self.modifiers.insert(at, (id, modifier)),
            (Ok(at), None) => {
                self.modifiers.remove(at);
            }
            (Err(_), None) => {}
        }
        if let Some(modifier) = self.modifier(id).cloned() {
            self.index_modifier(id, &modifier);
        }
        previous
    }

    /// Adds a modifier to the sectors of its AABB.
    fn index_modifier(&mut self, id: CostModifierId, modifier: &CostModifier) {
        let insert = |list: &mut Vec<CostModifierId>| {
            if let Err(at) = list.binary_search(&id) {
                list.insert(at, id);
            }
        };
        if is_wide(modifier) {
            insert(&mut self.wide);
            return;
        }
        for sector in sectors_of(modifier) {
            insert(&mut self.sector_mut(sector).modifiers);
        }
    }

    /// Removes a modifier from the sectors of its AABB.
    fn unindex_modifier(&mut self, id: CostModifierId, modifier: &CostModifier) {
        let remove = |list: &mut Vec<CostModifierId>| {
            if let Ok(at) = list.binary_search(&id) {
                list.remove(at);
            }
        };
        if is_wide(modifier) {
            remove(&mut self.wide);
            return;
        }
        for sector in sectors_of(modifier) {
            remove(&mut self.sector_mut(sector).modifiers);
            self.drop_if_empty(sector);
        }
    }

    /// The modifiers that may apply in a sector.
    fn modifiers_near(&self, sector: SectorId) -> impl Iterator<Item = &CostModifier> {
        let here = self.sector(sector).map_or(&[][..], |here| &here.modifiers);
        let ids = here.iter().chain(&self.wide);
        ids.filter_map(|id| self.modifier(*id))
    }

    /// True if a sector has features or a wide modifier exists.
    pub(crate) fn has_any(&self, sector: SectorId) -> bool {
        !self.wide.is_empty() || self.sector(sector).is_some()
    }

    /// True if a modifier may apply in a sector.
    pub(crate) fn has_modifiers(&self, sector: SectorId) -> bool {
        self.modifiers_near(sector).next().is_some()
    }

    /// Adds what modifiers add to the cost multipliers of some columns of a sector, in sixteenths,
    /// to `sums`; `height` is that of the floor in a column.
    pub(crate) fn add_modifiers(
        &self,
        sector: SectorId,
        columns: &Bitboard,
        height: impl Fn(u8) -> i32,
        sums: &mut [u32; 256],
    ) {
        let origin = sector.origin();
        let center = |local: u8| {
            let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
            Point2::center_of(Column::new(origin.x + x, origin.y + y))
        };
        let is_few = bitboard::count(columns) <= MAX_POINT_TESTS;
        for modifier in self.modifiers_near(sector) {
            let mut inside = *columns;
            if is_few {
                let contains = |center: Option<Point2>| {
                    center.is_some_and(|center| modifier.shape.contains(center))
                };
                for local in bitboard::cells(columns) {
                    bitboard::put(&mut inside, local, contains(center(local)));
                }
            } else {
                let mask = SectorMasks::new(&modifier.shape).mask(sector);
                inside
                    .iter_mut()
                    .zip(mask)
                    .for_each(|(row, mask)| *row &= mask);
            }
            let (low, high) = modifier.heights;
            for local in bitboard::cells(&inside) {
                if (low..=high).contains(&height(local)) {
                    let sixteenths = u32::from(modifier.multiplier.sixteenths()) - 16;
                    sums[usize::from(local)] += sixteenths;
                }
            }
        }
    }

    /// Bytes on the heap: of walls and nav links, and of modifiers.
    pub(crate) fn heap_bytes(&self) -> (usize, usize) {
        let lists = |features: &SectorFeatures| {
            features.walls.capacity() * size_of::<Wall>()
                + features.nav_links.capacity() * size_of::<NavLink>()
        };
        let table = self.sectors.capacity() * size_of::<SectorFeatures>()
            + self.shortcuts.capacity() * size_of::<NavLink>()
            + self.directory.heap_bytes()
            + self.sectors.iter().map(lists).sum::<usize>();
        let ids =
            |features: &SectorFeatures| features.modifiers.capacity() * size_of::<CostModifierId>();
        let polygons = |(_, modifier): &(CostModifierId, CostModifier)| match &modifier.shape {
            wayfarer_base::Shape::Polygon(corners) => corners.capacity() * size_of::<Point2>(),
            _ => 0,
        };
        let modifiers = self.modifiers.capacity() * size_of::<(CostModifierId, CostModifier)>()
            + self.sectors.iter().map(ids).sum::<usize>()
            + self.wide.capacity() * size_of::<CostModifierId>()
            + self.modifiers.iter().map(polygons).sum::<usize>();
        (table, modifiers)
    }
}

/// The octile distance between the ends of a nav link, as a cost at multiplier 1.
fn octile_cost(nav_link: &NavLink) -> Cost {
    let (from, to) = (nav_link.from, nav_link.to);
    Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}

fn search(list: &[NavLink], id: NavLinkId) -> Result<usize, usize> {
    list.binary_search_by_key(&id, NavLinkId::from)
}

/// Columns of a sector that are tested one by one; a mask of the shape tests more at once.
const MAX_POINT_TESTS: u16 = 4;

/// Sectors of the AABB of an indexed modifier, at most: a square of 512 columns.
const MAX_INDEXED_SECTORS: u64 = 1 << 10;

/// True if a modifier covers too many sectors to be indexed.
fn is_wide(modifier: &CostModifier) -> bool {
    let bounds = modifier.shape.bounds();
    let sectors = |length: u32| u64::from(length >> 4) + 2;
    sectors(bounds.width()) * sectors(bounds.height()) > MAX_INDEXED_SECTORS
}

/// The sectors of a modifier's AABB.
fn sectors_of(modifier: &CostModifier) -> impl Iterator<Item = SectorId> + use<> {
    let bounds = modifier.shape.bounds();
    let (low, high) = if bounds.is_empty() {
        (SectorId::new(1, 1), SectorId::new(0, 0))
    } else {
        (
            SectorId::from_column(bounds.low),
            SectorId::from_column(bounds.high),
        )
    };
    (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| SectorId::new(x, y)))
}

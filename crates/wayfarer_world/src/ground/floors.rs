//! Floors of columns: adding, removing and looking them up; allocation of pages.
//!
//! The floors of a column are ranked from below; the floor of rank k lies in the sheet of rank k.
//! Adding a floor below others raises their ranks, removing one lowers them. The rank alone
//! determines the sheet, so storage does not depend on the order of edits.

use wayfarer_base::{Cell, Column, SectorId, Terrain};

use super::Ground;
use super::bitboard::{has, put};
use super::node::NodeId;
use super::page::{NONE, Page, PageKey, local_of, position_of};
use super::sheet::{Heights, Sheet};

impl Ground {
    #[inline]
    pub(crate) fn page(&self, page: u32) -> &Page {
        self.pages[page as usize]
            .as_deref()
            .expect("page numbers refer to existing pages")
    }

    #[inline]
    pub(crate) fn page_mut(&mut self, page: u32) -> &mut Page {
        self.pages[page as usize]
            .as_deref_mut()
            .expect("page numbers refer to existing pages")
    }

    /// The page of rank 0 at `key`.
    #[inline]
    pub(crate) fn page_at(&self, key: PageKey) -> Option<u32> {
        self.directory.find(key.x, key.y)
    }

    /// The sheets of a sector, lowest rank first, with their pages.
    pub(crate) fn sheets_at(&self, sector: SectorId) -> impl Iterator<Item = (u32, &Sheet)> {
        let position = position_of(sector);
        let first = self.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        std::iter::successors((first != NONE).then_some(first), |&page| {
            let above = self.page(page).above;
            (above != NONE).then_some(above)
        })
        .map_while(move |page| self.page(page).sheet(position).map(|sheet| (page, sheet)))
    }

    /// The floors of a column, lowest first: height and terrain.
    pub fn floors(&self, column: Column) -> impl Iterator<Item = (i32, Terrain)> {
        let local = local_of(column);
        self.sheets_at(SectorId::from_column(column))
            .map_while(move |(_, sheet)| {
                has(&sheet.present(), local).then(|| (sheet.height(local), sheet.terrain_of(local)))
            })
    }

    /// The terrain of the floor at `cell`, if there is one.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.floors(cell.column())
            .find(|(z, _)| *z == cell.z)
            .map(|(_, terrain)| terrain)
    }

    /// Adds a floor or changes its terrain; returns its previous terrain. Of the derived state only
    /// the bits of uniform sheets change.
    pub(crate) fn put_floor(
        &mut self,
        cell: Cell,
        terrain: Terrain,
    ) -> Result<Option<Terrain>, TooManyFloors> {
        let sector = SectorId::from_column(cell.column());
        let (position, local) = (position_of(sector), local_of(cell.column()));
        let lowest = self.page_at(PageKey::from_sector(sector));
        if let Some(page) = lowest {
            let above = self.page(page).above;
            let single = above == NONE || self.page(above).sheet(position).is_none();
            if let Some(sheet) = self.page_mut(page).sheet_mut(position)
                && single
                && sheet.details.is_none()
                && sheet.base == cell.z
                && sheet.terrain == terrain
            {
                let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
                if sheet.walkable.get(x, y) {
                    return Ok(Some(terrain));
                }
                sheet.walkable.set(x, y, true);
                return Ok(None);
            }
        }
        let mut column = std::mem::take(&mut self.scratch().column);
        column.clear();
        column.extend(self.floors(cell.column()));
        let at = column.partition_point(|(z, _)| *z < cell.z);
        let previous = column
            .get(at)
            .filter(|(z, _)| *z == cell.z)
            .map(|(_, terrain)| *terrain);
        if previous.is_some() {
            column[at].1 = terrain;
        } else {
            column.insert(at, (cell.z, terrain));
        }
        let fits = column.len() <= wayfarer_base::WorldData::MAX_FLOORS;
        if fits {
            let last = if previous.is_some() {
                at + 1
            } else {
                column.len()
            };
            for (rank, &(z, terrain)) in column.iter().enumerate().take(last).skip(at) {
                let rank = u8::try_from(rank).expect("at most 255 floors");
                let walkable = self.compiled.allows_terrain(terrain);
                let page = self.make_page(PageKey::from_sector(sector), rank);
                let page = self.page_mut(page);
                let sheet = match page.sheet(position) {
                    Some(_) => page.sheet_mut(position).expect("just seen"),
                    None => page.add(Sheet::new(position, z, terrain)),
                };
                sheet.write(local, z, terrain, walkable);
            }
        }
        self.scratch().column = column;
        if fits {
            Ok(previous)
        } else {
            Err(TooManyFloors)
        }
    }

    /// Removes a floor; returns its terrain.
    pub(crate) fn remove_floor(&mut self, cell: Cell) -> Option<Terrain> {
        let sector = SectorId::from_column(cell.column());
        let (position, local) = (position_of(sector), local_of(cell.column()));
        let lowest = self.page_at(PageKey::from_sector(sector))?;
        let above = self.page(lowest).above;
        let single = above == NONE || self.page(above).sheet(position).is_none();
        let sheet = self.page_mut(lowest).sheet_mut(position)?;
        if single && sheet.details.is_none() {
            let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
            if sheet.base != cell.z || !sheet.walkable.get(x, y) {
                return None;
            }
            sheet.walkable.set(x, y, false);
            return Some(sheet.terrain);
        }
        let mut column = std::mem::take(&mut self.scratch().column);
        column.clear();
        column.extend(self.floors(cell.column()));
        let found = column.iter().position(|(z, _)| *z == cell.z);
        if let Some(at) = found {
            // Each floor above moves down one rank; the highest rank becomes empty.
            let mut page = lowest;
            for rank in 0..column.len() {
                let above = self.page(page).above;
                if rank >= at {
                    let next = column.get(rank + 1).copied();
                    let walkable =
                        next.is_some_and(|(_, terrain)| self.compiled.allows_terrain(terrain));
                    let sheet = self
                        .page_mut(page)
                        .sheet_mut(position)
                        .expect("it has a floor");
                    match next {
                        Some((z, terrain)) => sheet.write(local, z, terrain, walkable),
                        None => sheet.erase(local),
                    }
                }
                page = above;
            }
        }
        let removed = found.map(|at| column[at].1);
        self.scratch().column = column;
        removed
    }

    /// The page of this rank at `key`, created with those below it if missing.
    pub(crate) fn make_page(&mut self, key: PageKey, rank: u8) -> u32 {
        let mut page = match self.page_at(key) {
            Some(page) => page,
            None => {
                let page = self.new_page(key, 0);
                self.directory.insert(key.x, key.y, page);
                page
            }
        };
        for below in 0..rank {
            let above = self.page(page).above;
            page = if above == NONE {
                let new = self.new_page(key, below + 1);
                self.page_mut(page).above = new;
                new
            } else {
                above
            };
        }
        page
    }

    fn new_page(&mut self, key: PageKey, rank: u8) -> u32 {
        let mut page = Page::new(key, rank);
        let index = self.free_pages.pop().unwrap_or_else(|| {
            self.pages.push(None);
            u32::try_from(self.pages.len() - 1).expect("pages are limited")
        });
        for direction in wayfarer_base::Direction::ALL {
            let (dx, dy) = direction.offset();
            let key = PageKey {
                x: key.x + dx,
                y: key.y + dy,
            };
            let Some(other) = self.page_of_rank(key, rank) else {
                continue;
            };
            page.neighbors[usize::from(direction.index())] = other;
            self.page_mut(other).neighbors[usize::from(direction.opposite().index())] = index;
        }
        self.pages[index as usize] = Some(Box::new(page));
        index
    }

    pub(crate) fn page_of_rank(&self, key: PageKey, rank: u8) -> Option<u32> {
        let mut page = self.page_at(key)?;
        for _ in 0..rank {
            page = self.page(page).above;
            if page == NONE {
                return None;
            }
        }
        Some(page)
    }

    /// Frees an empty page and the pages of higher ranks, which are empty too.
    pub(crate) fn free_page(&mut self, page: u32) {
        let (key, rank) = (self.page(page).key, self.page(page).rank);
        if self.page(page).above != NONE {
            self.free_page(self.page(page).above);
        }
        if rank == 0 {
            self.directory.remove(key.x, key.y);
        } else if let Some(below) = self.page_of_rank(key, rank - 1) {
            self.page_mut(below).above = NONE;
        }
        for direction in wayfarer_base::Direction::ALL {
            let other = self.page(page).neighbors[usize::from(direction.index())];
            if other != NONE {
                self.page_mut(other).neighbors[usize::from(direction.opposite().index())] = NONE;
            }
        }
        self.pages[page as usize] = None;
        self.free_pages.push(page);
    }

    /// The cell of a node of the current revision.
    #[inline]
    pub fn cell(&self, node: NodeId) -> Cell {
        let page = self.page(node.page());
        let origin = page.key.sector(node.position()).origin();
        let local = node.local();
        let z = page
            .sheet(node.position())
            .map_or(0, |sheet| sheet.height(local));
        Cell::new(
            origin.x + i32::from(local & 15),
            origin.y + i32::from(local >> 4),
            z,
        )
    }

    /// The node of a cell, if the default profile can stand there.
    pub fn node(&self, cell: Cell) -> Option<NodeId> {
        let (sector, local) = (
            SectorId::from_column(cell.column()),
            local_of(cell.column()),
        );
        let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
        self.sheets_at(sector)
            .find(|(_, sheet)| sheet.walkable.get(x, y) && sheet.height(local) == cell.z)
            .map(|(page, sheet)| NodeId::new(page, sheet.position, local))
    }
}

/// More floors in a column than the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooManyFloors;

impl Sheet {
    /// Writes the floor of a cell over whatever was there. `walkable` considers the terrain only.
    pub(crate) fn write(&mut self, local: u8, z: i32, terrain: Terrain, walkable: bool) {
        if self.details.is_none() {
            let board = self.walkable.board();
            if super::bitboard::is_empty(&board) {
                (self.base, self.terrain) = (z, terrain);
            }
            if walkable && z == self.base && terrain == self.terrain {
                self.walkable
                    .set(i32::from(local & 15), i32::from(local >> 4), true);
                return;
            }
        }
        let (base, uniform) = (self.base, self.terrain);
        let details = self.details_mut();
        put(&mut details.present, local, true);
        match &mut details.heights {
            Heights::Flat if z == base => {}
            Heights::Near(near) if z >= base && z.abs_diff(base) <= 255 => {
                near[usize::from(local)] = u8::try_from(z.abs_diff(base)).unwrap_or(u8::MAX);
            }
            Heights::Far(far) => far[usize::from(local)] = z,
            heights => {
                let mut far = Box::new([base; 256]);
                if let Heights::Near(near) = heights {
                    for (far, near) in far.iter_mut().zip(near.iter()) {
                        *far = base + i32::from(*near);
                    }
                }
                far[usize::from(local)] = z;
                *heights = Heights::Far(far);
            }
        }
        match &mut details.terrains {
            Some(terrains) => terrains[usize::from(local)] = terrain.number(),
            None if terrain == uniform => {}
            none => {
                let mut terrains = Box::new([uniform.number(); 256]);
                terrains[usize::from(local)] = terrain.number();
                *none = Some(terrains);
            }
        }
    }

    /// Removes the floor of a cell.
    pub(crate) fn erase(&mut self, local: u8) {
        match &mut self.details {
            Some(details) => {
                put(&mut details.present, local, false);
                if let Heights::Near(near) = &mut details.heights {
                    near[usize::from(local)] = 0;
                }
            }
            None => self
                .walkable
                .set(i32::from(local & 15), i32::from(local >> 4), false),
        }
    }
}

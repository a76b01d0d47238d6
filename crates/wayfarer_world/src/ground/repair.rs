//! After an edit: bits, borders, steps, regions, portals and components are made true again.
//!
//! Only sectors that were touched, and those next to them, are looked at. Each stage ends for
//! all sectors before the next begins, because each reads what the one before wrote:
//! floors to bits; bits to borders; steps; regions; portals; components.

use wayfarer_base::{Direction, SectorId};

use super::page::{NONE, PageKey, position_of};
use super::plane::{self, Board, EMPTY};
use super::rough::Neighbourhood;
use super::sheet::{self, Heights, Sheet, Side};
use super::steps::LEGAL;
use super::{Ground, OldRegion, Scratch};

/// A sector that a batch has touched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dirty {
    pub(crate) sector: SectorId,
    /// Its lowest sheet's walkable squares before, if it was plain and alone.
    pub(crate) before: Board,
    /// The height of those squares.
    pub(crate) base: i32,
    /// True if it was plain: one sheet without a side.
    pub(crate) was_plain: bool,
    /// True if a passage with an end here came, went, opened, closed or changed its price.
    pub(crate) links: bool,
    /// False if nothing but passages changed.
    pub(crate) structural: bool,
    /// Columns whose floors, walls or effects changed.
    pub(crate) changed: Board,
}

/// Whether steps had to be judged one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judged {
    /// The bits tell, as before.
    No,
    /// The bits tell now.
    NoLonger,
    /// They were judged; the neighbourhood is gathered.
    Yes,
}

/// Sorts, and keeps each sector once, marked if any of its copies was.
fn each_once(sectors: &mut Vec<(SectorId, bool)>) {
    sectors.sort_unstable();
    sectors.dedup_by(|later, first| {
        let same = later.0 == first.0;
        first.1 |= same && later.1;
        same
    });
}

impl Ground {
    /// True if the sector has at most one sheet, and that without a side.
    pub(crate) fn is_plain(&self, sector: SectorId) -> bool {
        let mut sheets = self.sheets_at(sector);
        let plain = sheets.next().is_none_or(|(_, sheet)| sheet.side.is_none());
        plain && sheets.next().is_none()
    }

    /// Makes everything derived true again after the floors of `self.scratch.dirty` changed.
    pub(crate) fn repair(&mut self) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.around.clear();
        scratch.pages.clear();
        scratch.old_regions.clear();
        scratch.same_regions.clear();
        for index in 0..scratch.dirty.len() {
            let dirty = scratch.dirty[index];
            if dirty.links {
                let pages = self.sheets_at(dirty.sector).map(|(page, _)| page);
                scratch.pages.extend(pages);
            }
            if !dirty.structural {
                self.note_old_regions(dirty.sector, None, &mut scratch.old_regions);
                continue;
            }
            self.refresh_floors(&dirty, &mut scratch.pages);
            let changed = self.changed_borders(&dirty);
            for direction in Direction::ALL {
                if changed >> direction.index() & 1 == 1 {
                    let (dx, dy) = direction.offset();
                    let next = SectorId::new(dirty.sector.x + dx, dirty.sector.y + dy);
                    scratch.around.push((next, false));
                }
            }
            scratch.around.push((dirty.sector, true));
        }
        each_once(&mut scratch.around);
        self.refresh_all_borders(&mut scratch);
        scratch.reach.clear();
        for index in 0..scratch.around.len() {
            let (sector, touched) = scratch.around[index];
            let judge = scratch.judge[index];
            let judged = self.refresh_moves(sector, judge, &mut scratch.neighbourhood);
            let found_anew = touched || judged != Judged::No;
            let several = if found_anew {
                self.note_regions_before(sector, &mut scratch);
                self.refresh_regions(sector, judged == Judged::Yes, &mut scratch)
            } else {
                false
            };
            scratch.reach.push((sector, found_anew));
            if several {
                // Neighbours name regions by number, and numbers may have moved.
                for direction in Direction::ALL {
                    let (dx, dy) = direction.offset();
                    let next = SectorId::new(sector.x + dx, sector.y + dy);
                    scratch.reach.push((next, false));
                }
            }
        }
        each_once(&mut scratch.reach);
        for index in 0..scratch.reach.len() {
            let (sector, found_anew) = scratch.reach[index];
            self.refresh_portals(sector, !found_anew, &mut scratch);
        }
        self.note_far_ends(&mut scratch);
        self.repair_components(&mut scratch);
        self.scratch = scratch;
    }

    /// The same for a ground that has just been filled, where everything is new.
    pub(crate) fn repair_fresh(&mut self) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.around.clear();
        scratch.pages.clear();
        scratch.old_regions.clear();
        scratch.same_regions.clear();
        scratch.old_cells.clear();
        for index in 0..scratch.dirty.len() {
            let dirty = scratch.dirty[index];
            self.refresh_floors(&dirty, &mut scratch.pages);
            scratch.around.push((dirty.sector, true));
        }
        self.refresh_all_borders(&mut scratch);
        for index in 0..scratch.around.len() {
            let (sector, _) = scratch.around[index];
            let judge = scratch.judge[index];
            let judged = self.refresh_moves(sector, judge, &mut scratch.neighbourhood);
            self.refresh_regions(sector, judged == Judged::Yes, &mut scratch);
        }
        for index in 0..scratch.around.len() {
            let (sector, _) = scratch.around[index];
            self.refresh_portals(sector, false, &mut scratch);
        }
        self.repair_components(&mut scratch);
        self.scratch = scratch;
    }

    fn refresh_all_borders(&mut self, scratch: &mut Scratch) {
        scratch.judge.clear();
        for &(sector, _) in &scratch.around {
            let judge = self.refresh_borders(sector);
            scratch.judge.push(judge);
        }
    }

    /// Notes the regions of a sector before they are found anew.
    fn note_regions_before(&self, sector: SectorId, scratch: &mut Scratch) {
        let dirty = scratch.dirty_at.find(sector.x, sector.y);
        let dirty = dirty.map(|index| &scratch.dirty[index as usize]);
        // Cells of sectors that were not plain were noted one by one.
        if dirty.is_none_or(|dirty| dirty.was_plain) {
            let before = dirty.filter(|dirty| dirty.structural);
            let before = before.map(|dirty| (dirty.before, dirty.base));
            self.note_old_regions(sector, before, &mut scratch.old_regions);
        }
    }

    /// Where a passage may have gained or lost an end, both its ends look at their components.
    fn note_far_ends(&self, scratch: &mut Scratch) {
        for dirty in scratch.dirty.iter().filter(|dirty| dirty.structural) {
            let Some(features) = self.features.of(dirty.sector) else {
                continue;
            };
            for passage in &features.passages {
                for end in [passage.from, passage.to] {
                    let sector = SectorId::of(end.column());
                    scratch
                        .pages
                        .extend(self.sheets_at(sector).map(|(page, _)| page));
                    if scratch.dirty_at.find(sector.x, sector.y).is_none() {
                        self.note_old_regions(sector, None, &mut scratch.old_regions);
                    }
                }
            }
        }
    }

    /// Notes the regions of a sector as they are, with where their components are found; a lone
    /// region had the squares `before`.
    fn note_old_regions(
        &self,
        sector: SectorId,
        before: Option<(Board, i32)>,
        noted: &mut Vec<OldRegion>,
    ) {
        // Squares that were at one height may be found at others, or in other ranks, now.
        let lifted = before.is_some_and(|(_, base)| {
            let now = self.sheets_at(sector).next();
            !self.is_plain(sector) || now.is_some_and(|(_, sheet)| sheet.base != base)
        });
        for (page, sheet) in self.sheets_at(sector) {
            for (ordinal, region) in (0_u8..).zip(sheet.regions()) {
                let board = match &sheet.many {
                    Some(many) => many.boards[usize::from(ordinal)],
                    None => before.map_or_else(|| sheet.plane.board(), |(board, _)| board),
                };
                noted.push(OldRegion {
                    page,
                    position: sheet.position,
                    label: region.label,
                    board,
                    lifted: before.filter(|_| lifted).map(|(_, base)| base),
                });
            }
        }
    }

    /// Which neighbours may have to look at this sector's border again: a bit for each direction.
    fn changed_borders(&self, dirty: &Dirty) -> u8 {
        if !(dirty.was_plain && self.is_plain(dirty.sector)) {
            return 0xFF;
        }
        let now = self
            .sheets_at(dirty.sector)
            .next()
            .map_or(EMPTY, |(_, sheet)| sheet.plane.board());
        let mut changed = 0_u8;
        let differs = std::array::from_fn::<u16, 16, _>(|y| dirty.before[y] ^ now[y]);
        let any = differs.iter().fold(0, |any, row| any | row);
        let sides = [
            (differs[0] != 0, Direction::North),
            (any >> 15 != 0, Direction::East),
            (differs[15] != 0, Direction::South),
            (any & 1 != 0, Direction::West),
            (differs[0] >> 15 != 0, Direction::NorthEast),
            (differs[15] >> 15 != 0, Direction::SouthEast),
            (differs[15] & 1 != 0, Direction::SouthWest),
            (differs[0] & 1 != 0, Direction::NorthWest),
        ];
        for (differs, direction) in sides {
            changed |= u8::from(differs) << direction.index();
        }
        changed
    }

    /// Floors to bits: heights and terrains in their shortest form, walkable squares, walls,
    /// passages, effects. Sheets without floors go.
    fn refresh_floors(&mut self, dirty: &Dirty, emptied: &mut Vec<u32>) {
        let sector = dirty.sector;
        let position = position_of(sector);
        let Some(lowest) = self.page_at(PageKey::of(sector)) else {
            return;
        };
        let features = self.features.of(sector).is_some();
        if !features && self.is_plain(sector) {
            let dear = self.walker.dear;
            let page = self.page_mut(lowest);
            if let Some(sheet) = page.sheet_mut(position) {
                let board = sheet.plane.board();
                if plane::is_empty(&board) {
                    page.remove(position);
                    emptied.push(lowest);
                } else {
                    sheet.set_columns(&board);
                    let priced = dear & sheet.terrain.bit() != 0;
                    sheet.flags = if priced { sheet::PRICED_HERE } else { 0 };
                }
            }
            return;
        }
        let mut pages = Vec::new();
        let mut page = lowest;
        while page != NONE {
            let Some(sheet) = self.page_mut(page).sheet_mut(position) else {
                break;
            };
            let (mut base, mut terrain) = (sheet.base, sheet.terrain);
            sheet.side_mut().shorten(&mut base, &mut terrain);
            (sheet.base, sheet.terrain) = (base, terrain);
            pages.push(page);
            page = self.page(page).above;
        }
        // Empty ones are the highest, because floors are ranked without gaps.
        while let Some(&page) = pages.last() {
            let sheet = self.page(page).sheet(position).expect("just seen");
            if !plane::is_empty(&sheet.present()) {
                break;
            }
            self.page_mut(page).remove(position);
            emptied.push(page);
            pages.pop();
        }
        for (rank, &page) in pages.iter().enumerate() {
            let above = pages.get(rank + 1).copied();
            let walkable = self.walkable(page, above, position);
            let (walls, passages) = self.boards_of_features(sector, page, position);
            let effects = self.effects_of(sector, page, position, dirty);
            let dear = self.walker.dear;
            let several = pages.len() > 1;
            let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
            sheet.plane.set_board(&walkable);
            sheet.set_columns(&walkable);
            let side = sheet.side.as_deref_mut().expect("every sheet here has one");
            [side.wall_east, side.wall_south] = walls;
            side.passages = passages;
            side.effects = effects;
            let rough = several
                || !matches!(side.heights, Heights::Flat)
                || !plane::is_empty(&side.wall_east)
                || !plane::is_empty(&side.wall_south);
            let priced = side.effects.is_some()
                || side
                    .terrains
                    .as_deref()
                    .map_or(dear & sheet.terrain.bit() != 0, |terrains| {
                        plane::cells(&walkable).any(|l| dear >> terrains[usize::from(l)] & 1 == 1)
                    });
            sheet.flags =
                if rough { sheet::ROUGH } else { 0 } | if priced { sheet::PRICED_HERE } else { 0 };
        }
    }

    /// Squares of a sheet that the walker can stand on: the right terrain and room above.
    fn walkable(&self, page: u32, above: Option<u32>, position: u8) -> Board {
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller has seen it");
        let over = above.and_then(|page| self.page(page).sheet(position));
        let present = sheet.present();
        let mut walkable = EMPTY;
        for local in plane::cells(&present) {
            let ceiling = over
                .filter(|over| plane::has(&over.present(), local))
                .map(|over| over.height(local));
            let fits = self.walker.may_walk(sheet.terrain_of(local))
                && self.walker.fits_under(sheet.height(local), ceiling);
            plane::put(&mut walkable, local, fits);
        }
        walkable
    }

    /// Thin walls east and south of a sheet's floors, and its squares with passages.
    fn boards_of_features(&self, sector: SectorId, page: u32, position: u8) -> ([Board; 2], Board) {
        let mut walls = [EMPTY; 2];
        let mut passages = EMPTY;
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller has seen it");
        let present = sheet.present();
        let here = |cell: wayfarer_base::Cell| {
            let local = super::page::local_of(cell.column());
            (SectorId::of(cell.column()) == sector
                && plane::has(&present, local)
                && sheet.height(local) == cell.z)
                .then_some(local)
        };
        if let Some(features) = self.features.of(sector) {
            for wall in &features.walls {
                if let Some(local) = here(wall.cell) {
                    let side = usize::from(wall.side == wayfarer_base::WallSide::South);
                    plane::put(&mut walls[side], local, true);
                }
            }
            for passage in &features.passages {
                for end in [passage.from, passage.to] {
                    if let Some(local) = here(end) {
                        plane::put(&mut passages, local, true);
                    }
                }
            }
        }
        (walls, passages)
    }

    /// What effects add on each square; only changed columns are summed up anew.
    fn effects_of(
        &self,
        sector: SectorId,
        page: u32,
        position: u8,
        dirty: &Dirty,
    ) -> Option<Box<[u32; 256]>> {
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller has seen it");
        let present = sheet.present();
        let former = sheet.side.as_deref().and_then(|side| side.effects.clone());
        let reached = self
            .features
            .of(sector)
            .is_some_and(|f| !f.effects.is_empty());
        if former.is_none() && !reached {
            return None;
        }
        let mut effects = former.unwrap_or_else(|| Box::new([0; 256]));
        let origin = sector.origin();
        for local in plane::cells(&dirty.changed) {
            effects[usize::from(local)] = if plane::has(&present, local) {
                self.features.effect_on(wayfarer_base::Cell::new(
                    origin.x + i32::from(local & 15),
                    origin.y + i32::from(local >> 4),
                    sheet.height(local),
                ))
            } else {
                0
            };
        }
        effects.iter().any(|sum| *sum > 0).then_some(effects)
    }

    /// Bits to borders: what each sheet of a sector sees of its neighbours of the same rank.
    /// Returns true if some step in or out of the sector may differ from what the bits say.
    fn refresh_borders(&mut self, sector: SectorId) -> bool {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::of(sector)).unwrap_or(NONE);
        let (mut judge, mut priced_near) = (false, false);
        while page != NONE {
            let above = self.page(page).above;
            let mut borders = [0_u16; 8];
            let Some(sheet) = self.page(page).sheet(position) else {
                break;
            };
            let lowest = self.page(page).rank == 0;
            judge |= sheet.flags & sheet::ROUGH != 0;
            for direction in Direction::ALL {
                let (next, next_position) = self.next_sheet(page, position, direction);
                if next == NONE {
                    continue;
                }
                let Some(other) = self.page(next).sheet(next_position) else {
                    continue;
                };
                borders[usize::from(direction.index())] =
                    sheet.border_with(other, direction, &self.walker);
                if lowest {
                    judge |= other.flags & sheet::ROUGH != 0
                        || (other.base != sheet.base
                            && (self.walker.reaches(sheet.base, other.base)
                                || self.walker.reaches(other.base, sheet.base)));
                    priced_near |= self.is_priced(next, next_position, other);
                }
            }
            let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
            sheet.set_borders(&borders);
            page = above;
        }
        self.for_sheets_mut(sector, |sheet| {
            let priced = priced_near || sheet.flags & sheet::PRICED_HERE != 0;
            sheet.flags = sheet.flags & !sheet::PRICED | if priced { sheet::PRICED } else { 0 };
        });
        judge
    }

    /// True if some square of a sector, whichever rank, is dearer than 1; `lowest` is its lowest
    /// sheet.
    fn is_priced(&self, page: u32, position: u8, lowest: &Sheet) -> bool {
        if lowest.flags & sheet::PRICED_HERE != 0 {
            return true;
        }
        // Where there are several ranks, every sheet is rough.
        let mut above = self.page(page).above;
        while lowest.flags & sheet::ROUGH != 0 && above != NONE {
            match self.page(above).sheet(position) {
                Some(sheet) if sheet.flags & sheet::PRICED_HERE != 0 => return true,
                Some(_) => above = self.page(above).above,
                None => return false,
            }
        }
        false
    }

    /// The page and place of the sheet next door, of the same rank; `NONE` if there is no page.
    #[inline]
    pub(crate) fn next_sheet(&self, page: u32, position: u8, direction: Direction) -> (u32, u8) {
        let (dx, dy) = direction.offset();
        let (x, y) = (i32::from(position & 7) + dx, i32::from(position >> 3) + dy);
        let next_position = ((y & 7) << 3 | (x & 7)).cast_unsigned().to_le_bytes()[0];
        let (over_x, over_y) = (x >> 3, y >> 3);
        if over_x == 0 && over_y == 0 {
            return (page, next_position);
        }
        // Index of the direction (over_x, over_y) among the eight.
        const INDEX: [u8; 9] = [7, 0, 1, 6, 8, 2, 5, 4, 3];
        let index = INDEX[((over_y + 1) * 3 + over_x + 1).unsigned_abs() as usize];
        (self.page(page).around[usize::from(index)], next_position)
    }

    /// Steps: which are legal where the bits do not tell.
    fn refresh_moves(&mut self, sector: SectorId, judge: bool, hood: &mut Neighbourhood) -> Judged {
        if !judge {
            let mut cleared = false;
            self.for_sheets_mut(sector, |sheet| {
                if let Some(side) = sheet.side.as_deref_mut() {
                    cleared |= side.moves.is_some();
                    side.moves = None;
                    side.wide.clear();
                    side.strange = side.passages;
                    sheet.flags &= !sheet::MOVES;
                    if !plane::is_empty(&side.strange) {
                        sheet.flags |= sheet::MOVES;
                    }
                    let walkable = sheet.plane.board();
                    if side.is_trivial(&walkable) {
                        sheet.side = None;
                    }
                }
            });
            return if cleared {
                Judged::NoLonger
            } else {
                Judged::No
            };
        }
        hood.gather(self, sector);
        let hood = &*hood;
        let mut rank = 0;
        self.for_sheets_mut(sector, |sheet| {
            let mut moves = Box::new([0_u8; 256]);
            let mut strange = EMPTY;
            let mut plain = true;
            for local in plane::cells(&sheet.plane.board()) {
                let Some(floor) = hood.at(local).find(|f| hood.floor(*f).rank == rank) else {
                    continue;
                };
                let targets = hood.moves(floor);
                let mut mask = 0;
                for (direction, target) in targets.iter().enumerate() {
                    if *target != super::rough::NOWHERE {
                        mask |= 1 << direction;
                        if hood.floor(*target).rank != rank {
                            plane::put(&mut strange, local, true);
                        }
                    }
                }
                moves[usize::from(local)] = mask;
                let (x, y) = (u32::from(local & 15), u32::from(local >> 4));
                plain &= mask == LEGAL[sheet.plane.window(x, y)]
                    && hood.one_way_arrivals(floor).next().is_none();
            }
            plain &= plane::is_empty(&strange);
            sheet.flags &= !sheet::MOVES;
            if plain {
                if let Some(side) = sheet.side.as_deref_mut() {
                    side.moves = None;
                    side.wide.clear();
                    side.strange = side.passages;
                }
            } else {
                let side = sheet.side_mut();
                side.moves = Some(moves);
                side.strange = std::array::from_fn(|y| strange[y] | side.passages[y]);
            }
            let walkable = sheet.plane.board();
            if let Some(side) = sheet.side.as_deref() {
                if side.moves.is_some() || !plane::is_empty(&side.strange) {
                    sheet.flags |= sheet::MOVES;
                }
                if side.is_trivial(&walkable) {
                    sheet.side = None;
                }
            }
            rank += 1;
        });
        Judged::Yes
    }

    /// Calls `change` for each sheet of a sector from the lowest rank up.
    pub(crate) fn for_sheets_mut(&mut self, sector: SectorId, mut change: impl FnMut(&mut Sheet)) {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::of(sector)).unwrap_or(NONE);
        while page != NONE {
            let Some(sheet) = self.page_mut(page).sheet_mut(position) else {
                break;
            };
            change(sheet);
            page = self.page(page).above;
        }
    }
}

impl Sheet {
    /// Sets the columns from the rows; their borders stay.
    pub(crate) fn set_columns(&mut self, board: &Board) {
        self.columns[1..17].copy_from_slice(&plane::transposed(board));
    }

    /// What this sheet sees of `other`, the next one in `direction`: a row, a column, or a corner
    /// in bit 0. A square counts if one can step there and back by height.
    fn border_with(
        &self,
        other: &Self,
        direction: Direction,
        walker: &super::walker::Walker,
    ) -> u16 {
        let flat = self.is_flat() && other.is_flat();
        if flat && self.base != other.base {
            let both =
                walker.reaches(self.base, other.base) && walker.reaches(other.base, self.base);
            if !both {
                return 0;
            }
        }
        let facing = match direction {
            Direction::North => other.plane.row(15),
            Direction::East => other.columns[1],
            Direction::South => other.plane.row(0),
            Direction::West => other.columns[16],
            Direction::NorthEast => u16::from(other.plane.get(0, 15)),
            Direction::SouthEast => u16::from(other.plane.get(0, 0)),
            Direction::SouthWest => u16::from(other.plane.get(15, 0)),
            Direction::NorthWest => u16::from(other.plane.get(15, 15)),
        };
        if flat || direction.is_diagonal() {
            return facing;
        }
        (0..16_u8).fold(0, |seen, at| {
            let (own, there) = match direction {
                Direction::North => (at, 240 | at),
                Direction::East => (at << 4 | 15, at << 4),
                Direction::South => (240 | at, at),
                _ => (at << 4, at << 4 | 15),
            };
            let (z, other_z) = (self.height(own), other.height(there));
            let both = walker.reaches(z, other_z) && walker.reaches(other_z, z);
            seen | (facing & u16::from(both) << at)
        })
    }

    fn set_borders(&mut self, borders: &[u16; 8]) {
        self.plane.set_row(-1, borders[0]);
        self.plane.set_row(16, borders[4]);
        if self.columns[17] != borders[2] {
            self.plane.set_column(16, borders[2]);
            self.columns[17] = borders[2];
        }
        if self.columns[0] != borders[6] {
            self.plane.set_column(-1, borders[6]);
            self.columns[0] = borders[6];
        }
        self.plane.set(16, -1, borders[1] != 0);
        self.plane.set(16, 16, borders[3] != 0);
        self.plane.set(-1, 16, borders[5] != 0);
        self.plane.set(-1, -1, borders[7] != 0);
    }
}

impl Side {
    /// True if it says nothing that the bits do not.
    fn is_trivial(&self, walkable: &Board) -> bool {
        self.present == *walkable
            && matches!(self.heights, Heights::Flat)
            && self.terrains.is_none()
            && self.effects.is_none()
            && self.moves.is_none()
            && [&self.strange, &self.wall_east, &self.wall_south]
                .into_iter()
                .all(plane::is_empty)
    }

    /// Brings heights and terrains into their shortest form.
    fn shorten(&mut self, base: &mut i32, terrain: &mut wayfarer_base::Terrain) {
        if !matches!(self.heights, Heights::Flat) {
            let height = |local: u8| match &self.heights {
                Heights::Flat => *base,
                Heights::Near(near) => *base + i32::from(near[usize::from(local)]),
                Heights::Far(far) => far[usize::from(local)],
            };
            let heights = || plane::cells(&self.present).map(height);
            if let (Some(low), Some(high)) = (heights().min(), heights().max()) {
                let shortest = if low == high {
                    Heights::Flat
                } else if high.abs_diff(low) <= 255 {
                    let mut near = Box::new([0_u8; 256]);
                    for local in plane::cells(&self.present) {
                        let rise = height(local).abs_diff(low);
                        near[usize::from(local)] = u8::try_from(rise).unwrap_or(u8::MAX);
                    }
                    Heights::Near(near)
                } else {
                    let mut far = Box::new([low; 256]);
                    for local in plane::cells(&self.present) {
                        far[usize::from(local)] = height(local);
                    }
                    Heights::Far(far)
                };
                self.heights = shortest;
                *base = low;
            }
        }
        if let Some(terrains) = &self.terrains {
            let mut kinds = plane::cells(&self.present).map(|local| terrains[usize::from(local)]);
            if let Some(first) = kinds.next() {
                *terrain = wayfarer_base::Terrain::new(first).unwrap_or(*terrain);
                if kinds.all(|kind| kind == first) {
                    self.terrains = None;
                }
            }
        }
    }
}

//! Regions: squares of a sheet that reach each other inside the sector; and the portals between.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a sheet has at most 128 regions and a border at most 46 steps"
)]

use wayfarer_base::{Direction, SectorId};

use super::bitboard::{self, EMPTY};
use super::hierarchy::block_of;
use super::irregular::{NOWHERE, Neighborhood};
use super::page::{NONE, PageKey, position_of};
use super::sheet::{FEW_REGIONS, INLINE_PORTALS, Many, Portal, Region, Sheet, WidePortal};
use super::{Ground, SameRegion, Scratch};

mod parts;

pub(crate) use parts::Part;
use parts::{bidirectional, split, split_by_steps};

impl Ground {
    /// Finds the regions of a sector's sheets anew. Returns true if some sheet had or has other
    /// than one, so that neighbors must name them anew.
    pub(crate) fn refresh_regions(
        &mut self,
        sector: SectorId,
        judged: bool,
        scratch: &mut Scratch,
    ) -> bool {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::of(sector)).unwrap_or(NONE);
        let mut several = page == NONE;
        let mut rank = 0;
        while page != NONE {
            let Some(sheet) = self.page_mut(page).sheet_mut(position) else {
                several |= rank == 0;
                break;
            };
            let own_moves = sheet
                .side
                .as_deref()
                .is_some_and(|side| side.moves.is_some());
            let before = sheet.n_regions;
            scratch.parts.clear();
            if own_moves && judged {
                let (east, south) = bidirectional(&scratch.neighborhood, rank);
                split_by_steps(&sheet.plane.board(), &east, &south, &mut scratch.parts);
            } else {
                split(&sheet.plane.board(), &mut scratch.parts);
            }
            scratch.exchanged |= sheet.set_regions(&scratch.parts);
            several |= before != 1 || sheet.n_regions != 1;
            if before != sheet.n_regions {
                scratch.blocks.push(block_of(page, position));
            }
            page = self.page(page).above;
            rank += 1;
        }
        several
    }

    /// Finds the portals of a sector's sheets anew, and notes the blocks where they lead
    /// elsewhere than before; and, if the sector's own regions are `same`, those of them that
    /// have or had a portal.
    pub(crate) fn refresh_portals(&mut self, sector: SectorId, same: bool, scratch: &mut Scratch) {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::of(sector)).unwrap_or(NONE);
        let mut gathered = false;
        let mut rank = 0;
        while page != NONE {
            let Some(sheet) = self.page(page).sheet(position) else {
                break;
            };
            let own_moves = sheet
                .side
                .as_deref()
                .is_some_and(|side| side.moves.is_some());
            if same && (own_moves || sheet.has_portals()) {
                for (ordinal, region) in (0..).zip(sheet.regions()) {
                    if own_moves || region.n_portals > 0 {
                        scratch.same_regions.push(SameRegion {
                            page,
                            position,
                            ordinal,
                            label: region.label,
                        });
                    }
                }
            }
            if own_moves {
                if !gathered {
                    scratch.neighborhood.gather(self, sector);
                    gathered = true;
                }
                self.wide_portals(sector, page, rank, scratch);
                let wide = std::mem::take(&mut scratch.wide);
                let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
                let cleared = sheet.set_portals(&[], &[]);
                let side = sheet.side.as_deref_mut().expect("it has moves");
                let targets = |list: &[WidePortal]| {
                    let target =
                        |p: &WidePortal| (p.from, p.page, p.position, p.ordinal, p.straight);
                    list.iter().map(target).collect::<Vec<_>>()
                };
                if cleared || targets(&side.wide) != targets(&wide) {
                    scratch.blocks.push(block_of(page, position));
                }
                side.wide.clear();
                side.wide.extend_from_slice(&wide);
                scratch.wide = wide;
            } else {
                self.uniform_portals(page, position, scratch);
                if same {
                    let sheet = self.page(page).sheet(position).expect("just seen");
                    for (own, _) in &scratch.portals {
                        let region = &sheet.regions()[usize::from(*own)];
                        if region.n_portals == 0 {
                            scratch.same_regions.push(SameRegion {
                                page,
                                position,
                                ordinal: *own,
                                label: region.label,
                            });
                        }
                    }
                }
                let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
                let cleared = sheet.clear_wide_portals();
                if sheet.set_portals(&scratch.portals, &scratch.corners) || cleared {
                    scratch.blocks.push(block_of(page, position));
                }
            }
            page = self.page(page).above;
            rank += 1;
        }
    }

    /// Portals of a sheet whose steps the bits tell, in order, each with its region; and the
    /// corners of each region.
    fn uniform_portals(&self, page: u32, position: u8, scratch: &mut Scratch) {
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller has seen it");
        scratch.portals.clear();
        scratch.corners.clear();
        scratch.corners.resize(usize::from(sheet.n_regions), 0);
        for (index, direction) in (0_u8..).zip(Direction::STRAIGHT) {
            let seen = match direction {
                Direction::North => sheet.plane.row(-1) & sheet.plane.row(0),
                Direction::East => sheet.columns[17] & sheet.columns[16],
                Direction::South => sheet.plane.row(16) & sheet.plane.row(15),
                _ => sheet.columns[0] & sheet.columns[1],
            };
            if seen == 0 {
                continue;
            }
            let (next, next_position) = self.next_sheet(page, position, direction);
            let Some(other) = self.page(next).sheet(next_position) else {
                continue;
            };
            // Squares in a row on both sides belong to one region on each.
            let mut rest = seen;
            while rest != 0 {
                let first = rest.trailing_zeros() as u8;
                let length = (!(rest >> first)).trailing_zeros();
                rest &= (u32::from(rest) + (1 << first)) as u16;
                let (here, there) = facing(direction, first);
                // Two squares side by side on both sides have two diagonals between them.
                let support = length + 2 * (length - 1);
                let portal = Portal::new(index, other.region_at(there), support as u16);
                scratch.portals.push((sheet.region_at(here), portal));
            }
        }
        scratch
            .portals
            .sort_unstable_by_key(|(own, portal)| (*own, portal.target()));
        scratch.portals.dedup_by(|later, first| {
            let same = later.0 == first.0 && later.1.target() == first.1.target();
            if same {
                first.1 = first.1.with_support(first.1.support() + later.1.support());
            }
            same
        });
        let open = |x, y| sheet.plane.get(x, y);
        let corners = [
            (15, 0, 1, -1),
            (15, 15, 1, 1),
            (0, 15, -1, 1),
            (0, 0, -1, -1),
        ];
        for (bit, (x, y, dx, dy)) in corners.into_iter().enumerate() {
            if open(x, y) && open(x + dx, y) && open(x, y + dy) && open(x + dx, y + dy) {
                let local = (y << 4 | x).cast_unsigned() as u8;
                scratch.corners[usize::from(sheet.region_at(local))] |= 1 << bit;
            }
        }
    }

    /// Portals of a sheet whose steps are judged one by one.
    fn wide_portals(&self, sector: SectorId, page: u32, rank: u8, scratch: &mut Scratch) {
        let position = position_of(sector);
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller has seen it");
        let hood = &scratch.neighborhood;
        scratch.wide.clear();
        for local in bitboard::cells(&sheet.plane.board()) {
            let Some(floor) = hood.at(local).find(|f| hood.floor(*f).rank == rank) else {
                continue;
            };
            let own = sheet.region_at(local);
            let leads = |to: u32| {
                let (page, position, local) = self.place_of(sector, hood, to);
                let ordinal = self.page(page).sheet(position)?.region_at(local);
                Some((page, position, ordinal))
            };
            let steps = hood.moves(floor);
            let out = (0..8).zip(steps).filter(|(_, to)| *to != NOWHERE);
            let out = out.map(|(direction, to)| (to, 1, direction & 1 == 0));
            let back = hood.one_way_arrivals(floor).map(|from| (from, 0, true));
            for (to, support, straight) in out.chain(back) {
                let Some((to_page, to_position, ordinal)) = leads(to) else {
                    continue;
                };
                if (to_page, to_position, ordinal) == (page, position, own) {
                    continue;
                }
                let portal = WidePortal {
                    from: own,
                    position: to_position,
                    ordinal,
                    straight,
                    support,
                    page: to_page,
                };
                scratch.wide.push(portal);
            }
        }
        let place = |p: &WidePortal| (p.from, p.page, p.position, p.ordinal);
        scratch.wide.sort_unstable_by_key(place);
        scratch.wide.dedup_by(|later, first| {
            let same = place(later) == place(first);
            if same {
                first.support += later.support;
                first.straight |= later.straight;
            }
            same
        });
    }

    /// Where a floor of a neighborhood is stored.
    pub(crate) fn place_of(
        &self,
        sector: SectorId,
        hood: &Neighborhood,
        floor: u32,
    ) -> (u32, u8, u8) {
        let (x, y) = hood.place(floor);
        let floor = hood.floor(floor);
        let origin = sector.origin();
        let column = wayfarer_base::Column::new(origin.x + x, origin.y + y);
        let sector = SectorId::from_column(column);
        let page = self.page_of_rank(PageKey::of(sector), floor.rank);
        (
            page.unwrap_or(NONE),
            position_of(sector),
            super::page::local_of(column),
        )
    }
}

/// Square number `at` along the side of a sector in `direction`, and the square that faces it.
#[inline]
pub(crate) fn facing(direction: Direction, at: u8) -> (u8, u8) {
    match direction {
        Direction::North => (at, 240 | at),
        Direction::East => (at << 4 | 15, at << 4),
        Direction::South => (240 | at, at),
        _ => (at << 4, at << 4 | 15),
    }
}

impl Many {
    /// True if some square of a region has another number among as many parts.
    fn exchanges(&self, parts: &[Part]) -> bool {
        let mut all = EMPTY;
        for board in &self.boards {
            for (all, row) in all.iter_mut().zip(board) {
                *all |= row;
            }
        }
        self.boards.iter().zip(parts).any(|(old, part)| {
            let others = std::array::from_fn(|y| all[y] & !old[y]);
            bitboard::overlap(&part.board, &others)
        })
    }

    /// Notes the squares of each region; and the region of each square, if there are more than a
    /// few.
    fn take_squares(&mut self, parts: &[Part]) {
        self.boards.clear();
        self.boards.extend(parts.iter().map(|part| part.board));
        if parts.len() <= FEW_REGIONS {
            self.ordinals = None;
            return;
        }
        let ordinals = self.ordinals.get_or_insert_with(|| Box::new([0; 256]));
        for (ordinal, part) in (0..).zip(parts) {
            part.for_squares(|local| ordinals[usize::from(local)] = ordinal);
        }
    }
}

impl Sheet {
    /// Takes over new regions. If there are as many as before, each keeps the portals and the
    /// label of its number until those are found anew. Returns true if so and some square went
    /// from one number to another.
    fn set_regions(&mut self, parts: &[Part]) -> bool {
        let mut exchanged = false;
        let same = parts.len() == usize::from(self.n_regions);
        self.n_regions = parts.len() as u8;
        let fresh = |part: &Part| Region {
            count: part.count,
            first: part.first,
            ..Region::default()
        };
        match &mut self.many {
            Some(many) if parts.len() > 1 || same => {
                if many.boards.len() < parts.len() {
                    many.boards.reserve_exact(parts.len() - many.boards.len());
                    many.regions.reserve_exact(parts.len() - many.regions.len());
                }
                if !same {
                    many.regions.clear();
                    many.regions.extend(parts.iter().map(fresh));
                    many.portals.clear();
                } else {
                    exchanged = many.exchanges(parts);
                    for (region, part) in many.regions.iter_mut().zip(parts) {
                        (region.count, region.first) = (part.count, part.first);
                    }
                }
                many.take_squares(parts);
            }
            None if parts.len() > 1 => {
                let mut many = Box::new(Many {
                    regions: parts.iter().map(fresh).collect(),
                    boards: Vec::with_capacity(parts.len()),
                    ..Many::default()
                });
                many.take_squares(parts);
                self.many = Some(many);
            }
            many => {
                *many = None;
                if let Some(part) = parts.first() {
                    if !same {
                        self.one = Region::default();
                    }
                    (self.one.count, self.one.first) = (part.count, part.first);
                }
            }
        }
        exchanged
    }

    /// Forgets portals of steps that had to be judged one by one and no longer have to. Returns
    /// true if there were any.
    fn clear_wide_portals(&mut self) -> bool {
        let Some(side) = self.side.as_deref_mut() else {
            return false;
        };
        let cleared = !side.wide.is_empty();
        if cleared {
            side.wide = Vec::new();
            if side.is_trivial(&self.plane.board()) {
                self.side = None;
            }
        }
        cleared
    }

    /// Takes over new portals, sorted by region, and corners. Returns true if any region's
    /// portals lead elsewhere than before.
    fn set_portals(&mut self, portals: &[(u8, Portal)], corners: &[u8]) -> bool {
        // Where nothing crosses a side, nothing crosses a corner.
        if portals.is_empty() && !self.has_portals() {
            return false;
        }
        let mut changed = false;
        let mut rest = portals;
        for (ordinal, region) in self.regions().iter().enumerate() {
            let (new, others) = rest.split_at(n_of_region(rest, ordinal));
            let old = self.portals(region);
            changed |= old.len() != new.len()
                || old
                    .iter()
                    .zip(new)
                    .any(|(old, (_, new))| old.target() != new.target());
            rest = others;
        }
        if self.many.is_none() && portals.len() > INLINE_PORTALS {
            self.many = Some(Box::new(Many {
                regions: vec![self.one],
                boards: vec![self.plane.board()],
                ..Many::default()
            }));
        } else if self.many.is_some() && self.n_regions == 1 && portals.len() <= INLINE_PORTALS {
            self.one = self.regions()[0];
            self.many = None;
        }
        let mut start = 0;
        for (ordinal, region) in self.regions_mut().iter_mut().enumerate() {
            let n_portals = n_of_region(&portals[start..], ordinal);
            region.first_portal = start as u16;
            region.n_portals = n_portals as u8;
            region.corners = corners.get(ordinal).copied().unwrap_or(0);
            start += n_portals;
        }
        match &mut self.many {
            Some(many) => {
                many.portals.clear();
                if many.portals.capacity() < portals.len() {
                    many.portals.reserve_exact(portals.len());
                }
                many.portals
                    .extend(portals.iter().map(|(_, portal)| *portal));
            }
            None => {
                for (place, (_, portal)) in self.one_portals.iter_mut().zip(portals) {
                    *place = *portal;
                }
            }
        }
        changed
    }
}

/// How many of the first portals are of region number `ordinal`.
#[inline]
fn n_of_region(portals: &[(u8, Portal)], ordinal: usize) -> usize {
    let own = |(region, _): &&(u8, Portal)| usize::from(*region) == ordinal;
    portals.iter().take_while(own).count()
}

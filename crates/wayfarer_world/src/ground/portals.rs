//! Stage *portals*: adjacency of regions by steps, with the number of steps (support).
//!
//! Reads borders, regions and steps of a sector and its neighbors; writes portals and marks blocks
//! dirty whose portals have other targets. Uniform sheets store packed [`Portal`]s to the four
//! adjacent sheets, found run by run along the border bits. Irregular sheets store [`WidePortal`]s,
//! found step by step in the table of their steps; they may lead to other ranks and within the sheet.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a sheet has at most 128 regions and a border at most 46 steps"
)]

use wayfarer_base::{Direction, SectorId};

use super::Ground;
use super::hierarchy::block_of;
use super::irregular::Neighborhood;
use super::lookup::over_edge;
use super::page::{NONE, PageKey, position_of};
use super::scratch::{KeptRegion, Scratch};
use super::sheet::{INLINE_PORTALS, Portal, RegionTable, Sheet, WidePortal};
use super::step_table::Crossing;

impl Ground {
    /// Finds the portals of a sector's sheets. Marks blocks dirty where targets changed. If the
    /// sector kept its regions (`keeps_regions`), records those that have or had a portal.
    pub(crate) fn refresh_portals(
        &mut self,
        sector: SectorId,
        keeps_regions: bool,
        scratch: &mut Scratch,
    ) {
        let position = position_of(sector);
        let mut page = self.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        while page != NONE {
            let Some(sheet) = self.page(page).sheet(position) else {
                break;
            };
            let has_moves = sheet
                .details
                .as_deref()
                .is_some_and(|details| details.moves.is_some());
            if keeps_regions && (has_moves || sheet.has_portals()) {
                for (ordinal, region) in (0..).zip(sheet.regions()) {
                    if has_moves || region.n_portals > 0 {
                        scratch.old.kept_regions.push(KeptRegion {
                            page,
                            position,
                            ordinal,
                            label: region.label,
                        });
                    }
                }
            }
            if has_moves {
                self.wide_portals(page, position, scratch);
                let wide = std::mem::take(&mut scratch.portals.wide);
                let sheet = self.page_mut(page).sheet_mut(position).expect("just seen");
                let cleared = sheet.set_portals(&[], &[]);
                let details = sheet
                    .details
                    .as_deref_mut()
                    .expect("sheets with moves have details");
                let target = |p: &WidePortal| (p.from, p.page, p.position, p.ordinal, p.straight);
                if cleared || !details.wide.iter().map(target).eq(wide.iter().map(target)) {
                    scratch.components.blocks.push(block_of(page, position));
                }
                details.wide.clear();
                details.wide.extend_from_slice(&wide);
                scratch.portals.wide = wide;
            } else {
                self.uniform_portals(page, position, scratch);
                if keeps_regions {
                    let sheet = self.page(page).sheet(position).expect("just seen");
                    for (own, _) in &scratch.portals.uniform {
                        let region = &sheet.regions()[usize::from(*own)];
                        if region.n_portals == 0 {
                            scratch.old.kept_regions.push(KeptRegion {
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
                if sheet.set_portals(&scratch.portals.uniform, &scratch.portals.corners) || cleared
                {
                    scratch.components.blocks.push(block_of(page, position));
                }
            }
            page = self.page(page).above;
        }
    }

    /// The portals of a uniform sheet, sorted by region and target, and the corner bits of each
    /// region.
    fn uniform_portals(&self, page: u32, position: u8, scratch: &mut Scratch) {
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller checked that it exists");
        scratch.portals.uniform.clear();
        scratch.portals.corners.clear();
        scratch
            .portals
            .corners
            .resize(usize::from(sheet.n_regions), 0);
        for (index, direction) in (0_u8..).zip(Direction::STRAIGHT) {
            let seen = match direction {
                Direction::North => sheet.walkable.row(-1) & sheet.walkable.row(0),
                Direction::East => sheet.columns[17] & sheet.columns[16],
                Direction::South => sheet.walkable.row(16) & sheet.walkable.row(15),
                _ => sheet.columns[0] & sheet.columns[1],
            };
            if seen == 0 {
                continue;
            }
            let (next, next_position) = self.next_sheet(page, position, direction);
            let Some(other) = self.page(next).sheet(next_position) else {
                continue;
            };
            // A run of cells along the border belongs to one region on each side.
            let mut rest = seen;
            while rest != 0 {
                let first = rest.trailing_zeros() as u8;
                let length = (!(rest >> first)).trailing_zeros();
                rest &= (u32::from(rest) + (1 << first)) as u16;
                let (here, there) = facing_cells(direction, first);
                // Each pair of neighbors in a run has two diagonals across.
                let support = length + 2 * (length - 1);
                let portal = Portal::new(index, other.region_at(there), support as u16);
                scratch
                    .portals
                    .uniform
                    .push((sheet.region_at(here), portal));
            }
        }
        scratch
            .portals
            .uniform
            .sort_unstable_by_key(|(own, portal)| (*own, portal.target()));
        scratch.portals.uniform.dedup_by(|later, first| {
            let same = later.0 == first.0 && later.1.target() == first.1.target();
            if same {
                first.1 = first.1.with_support(first.1.support() + later.1.support());
            }
            same
        });
        let open = |x, y| sheet.walkable.get(x, y);
        let corners = [
            (15, 0, 1, -1),
            (15, 15, 1, 1),
            (0, 15, -1, 1),
            (0, 0, -1, -1),
        ];
        for (bit, (x, y, dx, dy)) in corners.into_iter().enumerate() {
            if open(x, y) && open(x + dx, y) && open(x, y + dy) && open(x + dx, y + dy) {
                let local = (y << 4 | x).cast_unsigned() as u8;
                scratch.portals.corners[usize::from(sheet.region_at(local))] |= 1 << bit;
            }
        }
    }

    /// The portals of a sheet with a step table, sorted by region and target. All other steps stay
    /// within a region.
    fn wide_portals(&self, page: u32, position: u8, scratch: &mut Scratch) {
        let sheet = self
            .page(page)
            .sheet(position)
            .expect("the caller checked that it exists");
        let details = sheet.details.as_deref();
        let steps = details.and_then(|details| details.moves.as_deref());
        let steps = steps.expect("the caller checked that it exists");
        let wide = &mut scratch.portals.wide;
        wide.clear();
        let mut add = |local: u8, support: u16, straight: bool, to: (u32, u8, u8)| {
            let (page, position, there) = to;
            let Some(other) = self.page(page).sheet(position) else {
                return;
            };
            let (from, ordinal) = (sheet.region_at(local), other.region_at(there));
            let target = (from, page, position, ordinal);
            let is_same = |p: &&mut WidePortal| (p.from, p.page, p.position, p.ordinal) == target;
            match wide.iter_mut().rev().find(is_same) {
                Some(known) => {
                    known.support += support;
                    known.straight |= straight;
                }
                None => wide.push(WidePortal {
                    from,
                    position,
                    ordinal,
                    straight,
                    support,
                    page,
                }),
            }
        };
        steps.for_each_step_out(page, |local, direction, (x, y)| {
            let (page, position) = self.next_sheet(page, position, over_edge(x, y));
            let to = ((y & 15) << 4 | (x & 15)).to_le_bytes()[0];
            if page != NONE {
                add(local, 1, !direction.is_diagonal(), (page, position, to));
            }
        });
        for crossing in &steps.crossings {
            let to = (crossing.page, crossing.position, crossing.to);
            if (to.0, to.1) == (page, position)
                && sheet.region_at(crossing.local) == sheet.region_at(to.2)
            {
                continue;
            }
            let is_entry = crossing.direction == Crossing::ENTRY;
            let straight = is_entry || crossing.direction & 1 == 0;
            add(crossing.local, u16::from(!is_entry), straight, to);
        }
        wide.sort_unstable_by_key(|p| (p.from, p.page, p.position, p.ordinal));
    }

    /// Page, position and local index of a floor of a neighborhood.
    pub(crate) fn stored_cell(
        &self,
        sector: SectorId,
        neighborhood: &Neighborhood,
        floor: u32,
    ) -> (u32, u8, u8) {
        let (x, y) = neighborhood.column_of(floor);
        let floor = neighborhood.floor(floor);
        let origin = sector.origin();
        let column = wayfarer_base::Column::new(origin.x + x, origin.y + y);
        let sector = SectorId::from_column(column);
        let page = self.page_of_rank(PageKey::from_sector(sector), floor.rank);
        (
            page.unwrap_or(NONE),
            position_of(sector),
            super::page::local_of(column),
        )
    }
}

/// Cell `at` along the side of a sector in `direction`, and the cell that faces it.
#[inline]
pub(crate) fn facing_cells(direction: Direction, at: u8) -> (u8, u8) {
    match direction {
        Direction::North => (at, 240 | at),
        Direction::East => (at << 4 | 15, at << 4),
        Direction::South => (240 | at, at),
        _ => (at << 4, at << 4 | 15),
    }
}

impl Sheet {
    /// Drops the wide portals of a sheet that became uniform. Returns true if there were any.
    fn clear_wide_portals(&mut self) -> bool {
        let Some(details) = self.details.as_deref_mut() else {
            return false;
        };
        let cleared = !details.wide.is_empty();
        if cleared {
            details.wide = Vec::new();
            if details.is_trivial(&self.cells.walkable.board()) {
                self.details = None;
            }
        }
        cleared
    }

    /// Takes over new portals, sorted by region, and corner bits. Returns true if a target changed.
    fn set_portals(&mut self, portals: &[(u8, Portal)], corners: &[u8]) -> bool {
        // Without a portal there is no diagonal over a corner.
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
        if self.region_table.is_none() && portals.len() > INLINE_PORTALS {
            self.region_table = Some(Box::new(RegionTable {
                regions: vec![self.single_region],
                boards: vec![self.walkable.board()],
                ..RegionTable::default()
            }));
        } else if self.region_table.is_some()
            && self.n_regions == 1
            && portals.len() <= INLINE_PORTALS
        {
            self.single_region = self.regions()[0];
            self.region_table = None;
        }
        let mut start = 0;
        for (ordinal, region) in self.regions_mut().iter_mut().enumerate() {
            let n_portals = n_of_region(&portals[start..], ordinal);
            region.first_portal = start as u16;
            region.n_portals = n_portals as u8;
            region.corners = corners.get(ordinal).copied().unwrap_or(0);
            start += n_portals;
        }
        match &mut self.region_table {
            Some(table) => {
                table.portals.clear();
                if table.portals.capacity() < portals.len() {
                    table.portals.reserve_exact(portals.len());
                }
                table
                    .portals
                    .extend(portals.iter().map(|(_, portal)| *portal));
            }
            None => {
                for (slot, (_, portal)) in self.single_portals.iter_mut().zip(portals) {
                    *slot = *portal;
                }
            }
        }
        changed
    }
}

/// The number of leading portals of region `ordinal`.
#[inline]
fn n_of_region(portals: &[(u8, Portal)], ordinal: usize) -> usize {
    let own = |(region, _): &&(u8, Portal)| usize::from(*region) == ordinal;
    portals.iter().take_while(own).count()
}

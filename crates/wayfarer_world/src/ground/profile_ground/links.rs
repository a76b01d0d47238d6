//! Edges between the regions of a layer on irregular ground, from the steps of the sheets on both sides.

use std::ops::{BitOr, BitOrAssign};

use wayfarer_base::{Direction, SectorId};

use super::{Layer, LayerSheetRef};
use crate::ground::Ground;
use crate::ground::hierarchy::RegionSlot;
use crate::ground::lookup::{offset, over_edge};
use crate::ground::page::{NONE, position_of};
use crate::ground::step_table::{Crossing, directions_over, edge_cells_towards};

/// Which edges of a sector are found anew.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct LinkScope(u16);

impl LinkScope {
    /// Those over all sides, and those within the sector.
    pub(super) const ALL: Self = Self(0x1FF);
    /// Ordinals moved there.
    pub(super) const RENUMBERED: Self = Self(0x200);

    /// Those over a side.
    pub(super) fn towards(direction: Direction) -> Self {
        Self(1 << direction.index())
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// True if edges from a sector to the sheet at a position of a page are among them.
    fn concerns(self, ground: &Ground, sector: SectorId, (page, position): (u32, u8)) -> bool {
        let page = ground.pages.get(page as usize).and_then(Option::as_deref);
        let Some(page) = page.filter(|_| !self.has(Self::ALL)) else {
            return true;
        };
        let to = page.key.sector(position);
        to != sector && {
            let side = over_edge(16 * (to.x - sector.x), 16 * (to.y - sector.y));
            self.has(Self::towards(side))
        }
    }
}

impl BitOr for LinkScope {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for LinkScope {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Layer {
    /// Takes over the known edges of a sector that are not found anew.
    pub(super) fn keep_links(
        &self,
        ground: &Ground,
        (sector, scope): (SectorId, LinkScope),
        found: &mut Vec<(u32, u8, RegionSlot)>,
    ) {
        for (page, _) in ground.sheets_at(sector) {
            let sheet = self.sheet(ground, page, position_of(sector));
            for link in sheet.map_or(&[][..], LayerSheetRef::links) {
                if !scope.concerns(ground, sector, (link.page, link.position)) {
                    found.push((page, link.own, link.to()));
                }
            }
        }
    }

    /// Finds the edges between regions of an irregular sector, by page and region: over its edge and
    /// between ranks, in both directions.
    pub(super) fn find_irregular_links(
        &self,
        ground: &Ground,
        (sector, scope): (SectorId, LinkScope),
        found: &mut Vec<(u32, u8, RegionSlot)>,
    ) {
        let position = position_of(sector);
        let mut add = |page: u32, own: u8, to: RegionSlot| {
            let link = (page, own, to);
            // Most repeat.
            let is_new = !found.iter().rev().take(4).any(|known| *known == link);
            if is_new && (page, position, own) != (to.page, to.position, to.ordinal) {
                found.push(link);
            }
        };
        let slot_of = |page: u32, position: u8, local: u8| {
            let ordinal = self.sheet(ground, page, position)?.region_at(local)?;
            Some(RegionSlot {
                page,
                position,
                ordinal,
            })
        };
        for (page, _) in ground.sheets_at(sector) {
            let Some(sheet) = self.sheet(ground, page, position) else {
                continue;
            };
            for crossing in sheet.crossings() {
                if !scope.concerns(ground, sector, (crossing.page, crossing.position)) {
                    continue;
                }
                let own = sheet.region_at(crossing.local);
                let to = slot_of(crossing.page, crossing.position, crossing.to);
                let (Some(own), Some(to)) = (own, to) else {
                    continue;
                };
                add(page, own, to);
                if to.position == position && ground.is_in_sector((to.page, position), sector) {
                    let back = RegionSlot {
                        page,
                        position,
                        ordinal: own,
                    };
                    add(to.page, to.ordinal, back);
                }
            }
        }
        let sides = Direction::ALL.into_iter();
        for direction in sides.filter(|side| scope.has(LinkScope::towards(*side))) {
            let (dx, dy) = direction.offset();
            let next = SectorId::new(sector.x + dx, sector.y + dy);
            let there = position_of(next);
            for (page, _) in ground.sheets_at(sector) {
                let (other, _) = ground.next_sheet(page, position, direction);
                let own = self.sheet(ground, page, position);
                let beside = (other != NONE).then(|| self.sheet(ground, other, there));
                let (Some(own), Some(beside)) = (own, beside.flatten()) else {
                    continue;
                };
                let mut add_pair = |here: u8, to: u8| {
                    if let (Some(own), Some(ordinal)) = (own.region_at(here), beside.region_at(to))
                    {
                        let to = RegionSlot {
                            page: other,
                            position: there,
                            ordinal,
                        };
                        add(page, own, to);
                    }
                };
                for_each_step_over(own, direction, &mut add_pair);
                let back = direction.opposite();
                for_each_step_over(beside, back, |from, here| add_pair(here, from));
            }
            // Steps here from other ranks next door.
            for (page, _) in ground.sheets_at(next) {
                let Some(sheet) = self.sheet(ground, page, there) else {
                    continue;
                };
                let crossings = sheet.crossings().iter();
                for crossing in crossings.filter(|crossing| crossing.position == position) {
                    if !ground.is_in_sector((crossing.page, position), sector) {
                        continue;
                    }
                    let own = slot_of(crossing.page, position, crossing.to);
                    let from = slot_of(page, there, crossing.local);
                    if let (Some(own), Some(from)) = (own, from) {
                        add(own.page, own.ordinal, from);
                    }
                }
            }
        }
    }
}

/// Calls `visit` with both cells of each step from a sheet into the sector next door that stays on its
/// rank.
fn for_each_step_over(
    sheet: LayerSheetRef<'_>,
    direction: Direction,
    mut visit: impl FnMut(u8, u8),
) {
    for local in edge_cells_towards(direction) {
        let mut out = sheet.steps_on_rank(local);
        if out != 0 {
            out &= directions_over(local, direction);
        }
        while out != 0 {
            let step = Direction::from_index(out.trailing_zeros().to_le_bytes()[0]);
            out &= out - 1;
            let (x, y) = offset(local, step);
            visit(local, ((y & 15) << 4 | (x & 15)).to_le_bytes()[0]);
        }
    }
}

impl LayerSheetRef<'_> {
    /// The directions of the steps of a cell that stay on its rank, as bits, nav links aside.
    fn steps_on_rank(self, local: u8) -> u8 {
        match self.steps() {
            Some(steps) => steps.on_rank(local),
            None if self.is_walkable(local) => self.moves(local),
            None => 0,
        }
    }

    /// Steps to other ranks.
    fn crossings(&self) -> &[Crossing] {
        self.steps().map_or(&[], |steps| &steps.crossings)
    }
}

//! Flags of sheets with cost multipliers above 1, and repair where only modifiers changed.

use wayfarer_base::{Direction, SectorId};

use super::{Layer, LayerWork};
use crate::ground::Ground;
use crate::ground::page::{NONE, PageKey, position_of};
use crate::ground::sheet;

impl Layer {
    /// Finds out whether a multiplier above 1 applies in a sector of which only modifiers changed. False
    /// if that may change more: where the sheet is, or may become, the ground's, or steps do not follow
    /// the bits.
    pub(super) fn refresh_costs(
        &mut self,
        ground: &Ground,
        sector: SectorId,
        work: &mut LayerWork,
    ) -> bool {
        let mut sheets = ground.sheets_at(sector);
        let (Some((page, floors)), None) = (sheets.next(), sheets.next()) else {
            return false;
        };
        let here = self.pages.get_mut(page as usize);
        let here = here.and_then(Option::as_deref_mut);
        let own = here.and_then(|here| here.own_sheet_mut(floors.position));
        let Some(known) = own else {
            return false;
        };
        let cells = &mut known.cells;
        if cells.flags & sheet::MOVES != 0 || cells.walkable == floors.walkable {
            return false;
        }
        let was_weighted = cells.flags & sheet::WEIGHTED_HERE != 0;
        let is_weighted = floors.is_costly_in(&self.compiled, &cells.walkable.board());
        if was_weighted != is_weighted {
            cells.flags ^= sheet::WEIGHTED_HERE;
            self.note_weight((was_weighted, is_weighted), work);
            work.has_weight_changed = true;
            note_weights(sector, work);
        }
        true
    }

    /// Counts the sheets with a multiplier above 1.
    pub(super) fn note_weight(&mut self, (was, is): (bool, bool), work: &mut LayerWork) {
        work.has_weight_changed |= was != is;
        match (was, is) {
            (false, true) => self.n_weighted += 1,
            (true, false) => self.n_weighted -= 1,
            _ => {}
        }
    }

    /// Sets the flag `WEIGHTED` of all sheets of `work.weights`, which may list a sector twice.
    pub(super) fn refresh_weights(&mut self, ground: &Ground, work: &mut LayerWork) {
        let had_any = std::mem::replace(&mut self.has_weights, self.n_weighted > 0);
        if had_any || self.has_weights {
            for &sector in &work.weights {
                self.refresh_weight(ground, sector);
            }
        }
        work.weights.clear();
    }

    /// Sets the flag `WEIGHTED` of a sector's sheets: a multiplier above 1 applies there or next door.
    /// Only planar sheets need it, whose steps stay within their rank.
    fn refresh_weight(&mut self, ground: &Ground, sector: SectorId) {
        let position = position_of(sector);
        let mut page = ground.page_at(PageKey::from_sector(sector)).unwrap_or(NONE);
        while page != NONE {
            let is_weighted = |page: u32, position: u8| {
                let cells = self.cells(ground, page, position);
                cells.is_some_and(|cells| cells.flags & sheet::WEIGHTED_HERE != 0)
            };
            let near = Direction::ALL
                .into_iter()
                .map(|direction| ground.next_sheet(page, position, direction));
            let any = is_weighted(page, position)
                || near
                    .filter(|(page, _)| *page != NONE)
                    .any(|(page, position)| is_weighted(page, position));
            let here = self.pages.get_mut(page as usize);
            let here = here.and_then(Option::as_deref_mut);
            if let Some(here) = here {
                here.set_weighted(position, any, || {
                    ground
                        .page(page)
                        .sheet(position)
                        .map(|floors| floors.cells.clone())
                });
            }
            page = ground.page(page).above;
        }
    }
}

/// Notes the sectors whose flag `WEIGHTED` may have changed with a sector.
pub(super) fn note_weights(sector: SectorId, work: &mut LayerWork) {
    work.weights.push(sector);
    if work.has_weight_changed {
        let near = Direction::ALL.into_iter().map(|direction| {
            let (dx, dy) = direction.offset();
            SectorId::new(sector.x + dx, sector.y + dy)
        });
        work.weights.extend(near);
    }
}

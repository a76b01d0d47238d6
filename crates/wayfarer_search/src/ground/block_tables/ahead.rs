//! Building under a budget: in steps of known work, each done only once the budget holds it.
//!
//! A search without limit builds whatever it enters. A slice of a session first prepares the block
//! that it will enter, step by step, and pauses where the next step exceeds what is left; what is
//! left is saved for the next slice. So slices of any size go on, and none exceeds its budget. What is
//! built decides no result, so slices do not either.

use super::super::nav_graph::NavGraph;
use super::frame::TWINS;
use super::store::{LevelId, Store, Unsuitable};
use super::sweep::Scope;
use crate::kernel::WorkLimit;

/// Work of reading the cells of a block of 16; all work is in expansions of A\* of about equal time.
pub(super) const READ_WORK: u64 = 128;
/// Work of the frame of a block of 32.
pub(super) const FRAME_WORK: u64 = 16;
/// Work of the table of a block of 16, by walkable cell.
pub(super) const ELIMINATION_WORK: u64 = 2;
/// Work of the table of a block of 32, by frame cell.
pub(super) const JOIN_WORK: u64 = 4;

/// What slices of a query may still use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Credit {
    /// Whether the work of building counts.
    counts_building: bool,
    /// Sum of all slices.
    granted: u64,
    /// Left of them; below 0 if a step took more than was known before.
    left: i64,
    /// True if the last slice paused: then it counts as used up.
    is_paused: bool,
}

impl Credit {
    /// Adds a slice.
    pub(super) fn grant(&mut self, slice: WorkLimit) {
        self.granted = self.granted.saturating_add(slice.work);
        let work = i64::try_from(slice.work).unwrap_or(i64::MAX);
        self.left = self.left.saturating_add(work);
        (self.counts_building, self.is_paused) = (slice.counts_building, false);
    }

    const fn is_unlimited(&self) -> bool {
        // More than any search takes.
        self.left > i64::MAX / 2
    }

    /// True if what a search enters is to be built ahead, step by step.
    pub(super) const fn builds_ahead(&self) -> bool {
        self.counts_building && !self.is_unlimited()
    }

    /// Takes off work of building that was done.
    pub(super) fn spend_building(&mut self, work: u64) {
        if self.counts_building {
            self.spend(work);
        }
    }

    /// Gives what is left to another query.
    pub(super) fn take_rest(&mut self) -> WorkLimit {
        let left = u64::try_from(self.left).unwrap_or(0);
        let work = if self.is_unlimited() { u64::MAX } else { left };
        if work < u64::MAX {
            self.granted = self.granted.saturating_sub(work);
            self.left -= self.left.max(0);
        }
        WorkLimit {
            work,
            counts_building: self.counts_building,
        }
    }

    /// True if `work` more can be done; else the slice pauses here.
    pub(super) fn allows(&mut self, work: u64) -> bool {
        let allows = i64::try_from(work).is_ok_and(|work| work <= self.left);
        self.is_paused = !allows;
        allows
    }

    /// Takes off work that was done.
    pub(super) fn spend(&mut self, work: u64) {
        if !self.is_unlimited() {
            self.left = (self.left).saturating_sub_unsigned(work);
        }
    }

    /// What the slices used, those that paused as a whole; `None` without limit.
    pub(super) fn used(&self) -> Option<u64> {
        let spare = if self.is_paused { 0 } else { self.left };
        let spare = u64::try_from(spare).unwrap_or(0);
        (!self.is_unlimited()).then(|| self.granted.saturating_sub(spare))
    }
}

impl Store {
    /// Makes the frame of a block as far as `credit` allows; true if it is there.
    pub(super) fn prepare_frame(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        number: u32,
        credit: &mut Credit,
    ) -> Result<bool, Unsuitable> {
        self.protect(level, number);
        if !self.has_frame(level, number) {
            if level == LevelId::Coarse {
                for child in self.children_of(number) {
                    if !self.prepare_frame(nav_graph, LevelId::Fine, child, credit)? {
                        return Ok(false);
                    }
                }
            }
            let work = match level {
                LevelId::Fine => READ_WORK,
                LevelId::Coarse => FRAME_WORK,
            };
            if !credit.allows(work) {
                return Ok(false);
            }
            let before = self.n_work;
            let built = self.ensure_frame(nav_graph, level, number);
            credit.spend_building(self.n_work - before);
            built?;
        }
        Ok(true)
    }

    /// Makes the table of a block as far as `credit` allows; true if it is there.
    pub(super) fn prepare_table(
        &mut self,
        nav_graph: NavGraph<'_>,
        level: LevelId,
        number: u32,
        credit: &mut Credit,
    ) -> Result<bool, Unsuitable> {
        self.protect(level, number);
        if self.has_table(level, number) {
            return Ok(true);
        }
        if !self.prepare_frame(nav_graph, level, number, credit)? {
            return Ok(false);
        }
        let is_known = self.knows_table(level, number);
        if level == LevelId::Coarse && !is_known {
            for child in self.block(level, number).children {
                if !self.prepare_table(nav_graph, LevelId::Fine, child, credit)? {
                    return Ok(false);
                }
            }
        }
        if !is_known && !credit.allows(self.table_work(level, number)) {
            return Ok(false);
        }
        let before = self.n_work;
        let built = self.ensure_table(nav_graph, level, number);
        credit.spend_building(self.n_work - before);
        built.map(|()| true)
    }

    /// Makes the frames of all blocks that share frame cells with a block, as far as `credit`
    /// allows; true if they are there.
    pub(super) fn prepare_neighbors(
        &mut self,
        scope: &Scope<'_>,
        number: u32,
        credit: &mut Credit,
    ) -> bool {
        let level = scope.level;
        for (segment, twins) in TWINS.iter().enumerate() {
            if self.block(level, number).frame.segment(segment).is_empty() {
                continue;
            }
            for &(direction, _) in *twins {
                let neighbor = self.level_mut(level).neighbor(number, direction);
                if !scope.covers(self.block(level, neighbor).at) {
                    continue;
                }
                // One that tables do not suit ends a search only if that enters it.
                let built = self.prepare_frame(scope.nav_graph, level, neighbor, credit);
                if built == Ok(false) {
                    return false;
                }
            }
        }
        true
    }
}

//! Blocks that changes made stale, and their tables built again ahead of searches.

use wayfarer_base::{Column, Rect};

use super::{Block, LevelId, N_RECENT, NavGraph, Store};

impl Block {
    /// [`Block::invalidate`]; true if it had a table that is in no list of stale ones yet.
    fn becomes_stale(&mut self) -> bool {
        let is_new = self.has_table && !self.is_listed;
        self.is_listed |= is_new;
        self.invalidate();
        is_new
    }
}

impl Store {
    /// Marks the blocks stale that contain columns of `rect`, frames included.
    pub(in super::super) fn invalidate(&mut self, rect: Rect) {
        for id in [LevelId::Coarse, LevelId::Fine] {
            let low = Column::new(rect.low.x.saturating_sub(1), rect.low.y.saturating_sub(1));
            let (low, high) = (id.block_at(low), id.block_at(rect.high));
            let level = match id {
                LevelId::Fine => &mut self.fine,
                LevelId::Coarse => &mut self.coarse,
            };
            let stale = &mut self.stale;
            let (wide, tall) = (high.0.abs_diff(low.0) + 1, high.1.abs_diff(low.1) + 1);
            if u64::from(wide) * u64::from(tall) > level.blocks.len() as u64 {
                let is_inside = |at: (i32, i32)| {
                    (low.0..=high.0).contains(&at.0) && (low.1..=high.1).contains(&at.1)
                };
                for (number, block) in (0..).zip(&mut level.blocks) {
                    if is_inside(block.at) && block.becomes_stale() {
                        stale.push_back((id, number));
                    }
                }
                continue;
            }
            for y in low.1..=high.1 {
                for x in low.0..=high.0 {
                    if let Some(&number) = level.by_place.get(&(x, y))
                        && level.blocks[number as usize].becomes_stale()
                    {
                        stale.push_back((id, number));
                    }
                }
            }
        }
    }

    /// Builds tables that changes made stale again, the oldest first, if one of the last searches used
    /// them, until the work reaches `work`; returns the work.
    pub(in super::super) fn rebuild(&mut self, nav_graph: NavGraph<'_>, work: u64) -> u64 {
        let before = self.n_work;
        while self.n_work - before < work
            && let Some((level, number)) = self.stale.pop_front()
        {
            let stamp = self.stamp;
            let block = self.block_mut(level, number);
            block.is_listed = false;
            let last_used = block.last_used;
            if block.has_table || stamp - last_used.min(stamp) >= N_RECENT {
                continue;
            }
            // Where tables do not suit the ground, the search that enters the block finds that.
            if self.ensure_table(nav_graph, level, number) == Ok(()) {
                // No search has used it.
                self.block_mut(level, number).last_used = last_used;
            }
        }
        self.trim();
        self.n_work - before
    }
}

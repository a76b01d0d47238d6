//! Places that one search comes to and nobody remembers: where it begins, cells of rough ground,
//! and whatever no longer fits.

#![expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer places than cells"
)]

use wayfarer_world::ground::NodeId;

use super::cache::{CachedJumpPoint, JumpPointSite, slot_of_node};
use super::successor_scan::JumpEdge;

/// The places of one search, found by their cells; forgotten all at once.
#[derive(Clone, Debug, Default)]
pub(super) struct TransientNodes {
    list: Vec<Guest>,
    /// By cell: the search that this was written in, and the number of the guest.
    table: Vec<(u32, u32)>,
    search: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Guest {
    pub(super) location: CachedJumpPoint,
    pub(super) stand: JumpPointSite,
}

impl TransientNodes {
    /// Forgets everything, keeps the room.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.table.fill((0, 0));
            self.search = 1;
        }
    }

    #[inline]
    pub(super) fn at(&self, number: u32) -> &Guest {
        &self.list[number as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, number: u32) -> &mut Guest {
        &mut self.list[number as usize]
    }

    /// The guest at a cell, if there is one.
    #[inline]
    pub(super) fn find(&self, node: NodeId) -> Option<u32> {
        if let [only] = &self.list[..] {
            return (only.stand.node == node).then_some(0);
        }
        let mask = self.table.len().checked_sub(1)?;
        let mut at = slot_of_node(node, mask);
        loop {
            let (search, number) = self.table[at];
            if search != self.search {
                return None;
            }
            if self.list[number as usize].stand.node == node {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// The guest that was seen; entered if it is new.
    pub(super) fn see(&mut self, sight: &JumpEdge) -> u32 {
        if (self.list.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = slot_of_node(sight.node, mask);
        loop {
            let (search, number) = self.table[at];
            if search != self.search {
                break;
            }
            let stand = &mut self.list[number as usize].stand;
            if stand.node == sight.node {
                stand.come_to(sight);
                return number;
            }
            at = (at + 1) & mask;
        }
        let number = self.list.len() as u32;
        self.table[at] = (self.search, number);
        self.list.push(Guest {
            location: CachedJumpPoint::new(sight),
            stand: JumpPointSite::new(sight),
        });
        number
    }

    #[inline]
    fn enter(&mut self, number: u32) {
        let mask = self.table.len() - 1;
        let mut at = slot_of_node(self.list[number as usize].stand.node, mask);
        while self.table[at].0 == self.search {
            at = (at + 1) & mask;
        }
        self.table[at] = (self.search, number);
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.reserve_exact(size);
        self.table.resize(size, (0, 0));
        self.search = 1;
        for number in 0..self.list.len() as u32 {
            self.enter(number);
        }
    }
}

//! What other exact searches borrow from this one: looking around from a place, the open list.

pub(in crate::ground) use super::diagonal_scan::n_diagonal_steps;
pub(in crate::ground) use super::expand::{Arrival, Expansion, JumpVisitor};
pub(in crate::ground) use super::searcher::JpsGoal;

use super::queue::{self, Queue};

/// The open list: lowest total first, of equals the place with the highest number.
#[derive(Clone, Debug, Default)]
pub(in crate::ground) struct OpenList(Queue);

impl OpenList {
    pub(in crate::ground) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(in crate::ground) fn push(&mut self, total: u32, number: u32) {
        self.0.push(queue::entry(total, number));
    }

    /// Total and number of the next place.
    #[inline]
    pub(in crate::ground) fn pop(&mut self) -> Option<(u32, u32)> {
        self.0.pop().map(queue::parts)
    }

    /// Totals and numbers of all places on it, in no order.
    pub(in crate::ground) fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.entries().map(queue::parts)
    }
}

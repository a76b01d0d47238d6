//! What other searches over the ground use of this one: expansion and open list.

pub(in crate::ground) use super::diagonal_scan::n_diagonal_steps;
pub(in crate::ground) use super::expand::{Expansion, GeneratedNode, JumpVisitor, TURN};
pub(in crate::ground) use super::searcher::JpsGoal;

use super::queue::{self, Queue};

/// The open list: lowest f first, then the highest id.
#[derive(Clone, Debug, Default)]
pub(in crate::ground) struct OpenList(Queue);

impl OpenList {
    pub(in crate::ground) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(in crate::ground) fn push(&mut self, f: u32, id: u32) {
        self.0.push(queue::pack(f, id));
    }

    /// Pops the next node: f and id.
    #[inline]
    pub(in crate::ground) fn pop(&mut self) -> Option<(u32, u32)> {
        self.0.pop().map(queue::unpack)
    }

    /// f and id of all entries, in no order.
    pub(in crate::ground) fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.entries().map(queue::unpack)
    }
}

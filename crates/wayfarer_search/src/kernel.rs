//! Best-first search shared by the domains: open lists, node table, the A\* loop, batches.
//!
//! # The tie rule
//! The open list hands out the entry with
//! 1. the lowest f = g + h, then
//! 2. the highest g, then
//! 3. the lowest node id (on a dense ground: the northernmost row, then the westernmost cell).
//!
//! This orders (node, g) totally: the order of insertion, the history of the scratch and the kind
//! of open list do not matter. A node keeps the first of several equally cheap parents, so paths,
//! expansions and events are the same with every open list, and a paused search resumes as if it
//! had not stopped.
//!
//! # Parts
//! [`NodeTable`] holds g and the incoming edge of each node and clears in O(1) by a generation;
//! `StampedTable` is the hash table of the searches whose nodes have no dense numbers.
//! [`BucketQueue`] and [`QuaternaryHeap`] are open lists. [`Search`] runs over any [`SearchSpace`],
//! in slices if requested. [`SearchSession`] is the session of every domain.
mod batch;
mod bucket;
mod heap;
mod nodes;
mod open;
mod search;
mod session;
mod table;

pub use batch::{find_batch, run_batch_with};
pub use bucket::BucketQueue;
pub use heap::QuaternaryHeap;
pub use nodes::{NodeRecord, NodeTable};
pub use open::{Entry, OpenList};
pub use search::{Search, SearchSpace, StopReason};
pub use session::{Resumable, SearchSession, Slice, WorkLimit};
pub(crate) use table::StampedTable;

//! The part that all searches share: what to look at next, what is known so far, when to stop.
//!
//! # The tie rule
//! Of all nodes on the open list the next one to be expanded is the one with
//! 1. the lowest estimate of the whole way (cost so far plus estimate of the rest), then
//! 2. the highest cost so far, then
//! 3. the smallest number (on a dense ground: the northernmost row, then the westernmost cell).
//!
//! This is a total order over (node, cost), so it does not matter in which order nodes were put on
//! the list, what the scratch was used for before, or which kind of open list is in use. A node
//! keeps the first of several equally cheap paths to it; which is first follows from the order
//! above. Every open list here follows the rule exactly: paths, expansions and events are the same
//! with each, and a search that is paused and resumed goes on as if it had not been.
//!
//! # Parts
//! [`NodeTable`] remembers costs and where each node was reached from, and forgets everything at
//! once by counting up a generation. [`BucketQueue`] and [`QuaternaryHeap`] are open lists.
//! [`Search`] runs over anything that implements [`SearchSpace`], in slices if wanted.

mod batch;
mod bucket;
mod heap;
mod nodes;
mod open;
mod search;

pub(crate) use batch::in_batch;
pub use batch::run_batch_with;
pub use bucket::BucketQueue;
pub use heap::QuaternaryHeap;
pub use nodes::{NodeRecord, NodeTable};
pub use open::{Entry, OpenList};
pub use search::{Search, SearchSpace, StopReason};

//! Search events and their observers, for visualization and tests. Searches are generic over the
//! observer; with [`NoopObserver`] events compile to nothing.

use crate::{Cost, Location};

/// An event of a best-first search; `cost` is g.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEvent {
    /// A node was generated and pushed on the open list.
    Opened {
        /// Location of the node.
        at: Location,
        /// Cost from the start.
        cost: Cost,
    },
    /// A node was popped from the open list and expanded.
    Expanded {
        /// Location of the node.
        at: Location,
        /// Cost from the start.
        cost: Cost,
    },
    /// A cheaper path to a known node was found.
    Improved {
        /// Location of the node.
        at: Location,
        /// New cost from the start.
        cost: Cost,
    },
    /// The goal was expanded; the search ends.
    Reached {
        /// Location of the node.
        at: Location,
        /// Cost of the path.
        cost: Cost,
    },
}

/// Receives the events of a search.
pub trait SearchObserver {
    /// False if the search shall not construct events at all.
    const ACTIVE: bool = true;

    /// Receives `event`.
    fn on_event(&mut self, event: SearchEvent);
}

/// Ignores all events, at no cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoopObserver;

impl SearchObserver for NoopObserver {
    const ACTIVE: bool = false;
    #[inline(always)]
    fn on_event(&mut self, _event: SearchEvent) {}
}

impl SearchObserver for Vec<SearchEvent> {
    fn on_event(&mut self, event: SearchEvent) {
        self.push(event);
    }
}

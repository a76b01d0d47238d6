//! What a search tells while it runs, to whoever watches; free when nobody does.

use crate::{Cost, Location};

/// Something that happened in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEvent {
    /// A place was put on the open list.
    Opened {
        /// Where.
        at: Location,
        /// Cost of the way so far.
        cost: Cost,
    },
    /// A place was taken from the open list and its neighbors looked at.
    Expanded {
        /// Where.
        at: Location,
        /// Cost of the way so far.
        cost: Cost,
    },
    /// A cheaper way to a place already seen was found.
    Improved {
        /// Where.
        at: Location,
        /// Cost of the cheaper way.
        cost: Cost,
    },
    /// The goal was reached.
    Reached {
        /// Where.
        at: Location,
        /// Cost of the whole way.
        cost: Cost,
    },
}

/// Whoever watches a search.
pub trait SearchObserver {
    /// False if events need not even be made.
    const ACTIVE: bool = true;

    /// Takes notice of `event`.
    fn on_event(&mut self, event: SearchEvent);
}

/// Nobody watches; searches compiled with this pay nothing.
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

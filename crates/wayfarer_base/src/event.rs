//! What a search tells while it runs, to whoever watches; free when nobody does.

use crate::{Cost, Place};

/// Something that happened in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEvent {
    /// A place was put on the open list.
    Opened {
        /// Where.
        at: Place,
        /// Cost of the way so far.
        cost: Cost,
    },
    /// A place was taken from the open list and its neighbours looked at.
    Expanded {
        /// Where.
        at: Place,
        /// Cost of the way so far.
        cost: Cost,
    },
    /// A cheaper way to a place already seen was found.
    Improved {
        /// Where.
        at: Place,
        /// Cost of the cheaper way.
        cost: Cost,
    },
    /// The goal was reached.
    Reached {
        /// Where.
        at: Place,
        /// Cost of the whole way.
        cost: Cost,
    },
}

/// Whoever watches a search.
pub trait Observer {
    /// False if events need not even be made.
    const ACTIVE: bool = true;

    /// Takes notice of `event`.
    fn notice(&mut self, event: SearchEvent);
}

/// Nobody watches; searches compiled with this pay nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    const ACTIVE: bool = false;
    #[inline(always)]
    fn notice(&mut self, _event: SearchEvent) {}
}

impl Observer for Vec<SearchEvent> {
    fn notice(&mut self, event: SearchEvent) {
        self.push(event);
    }
}

//! A search that can pause: it goes on a little each frame and says how it stands.

use crate::{Budget, Outcome, Revision, SearchStats};

/// How a session stands after it was advanced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress<P> {
    /// Not done; advance again.
    InProgress {
        /// Used so far, in all.
        stats: SearchStats,
    },
    /// Done; the same answer that one unlimited search would have given.
    Done(Outcome<P>),
    /// The world has moved on since the session began; start anew.
    Stale {
        /// The revision the session began at.
        started_at: Revision,
        /// The revision the world has now.
        current: Revision,
    },
}

/// A search that can pause, over a world of type `W`.
pub trait Session<W: ?Sized> {
    /// The path it finds.
    type Path;

    /// Goes on by at most `budget`.
    fn advance(&mut self, world: &W, budget: Budget) -> Progress<Self::Path>;

    /// The revision it began at.
    fn started_at(&self) -> Revision;
}

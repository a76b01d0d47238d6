//! Sliced searches (Detour: sliced find path): a search that advances by a budget per frame.

use crate::{Budget, Outcome, Revision, SearchStats};

/// The state of a session after an advance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress<P> {
    /// Not finished; advance again.
    InProgress {
        /// Work since the start of the session.
        stats: SearchStats,
    },
    /// Finished, with the result that one search without a limit gives.
    Done(Outcome<P>),
    /// The world changed since the session started, or is another; start a new session.
    Stale {
        /// Revision at the start of the session.
        started_at: Revision,
        /// Current revision of the world.
        current: Revision,
    },
}

/// A sliced search over a world of type `W`.
///
/// However it is sliced, the outcome is that of one search with the whole budget of the request. It
/// borrows the world during [`Session::advance`] only; an edit in between makes it stale.
pub trait Session<W: ?Sized> {
    /// Path type of the result.
    type Path;

    /// Continues the search by at most `budget`. After the end it returns the same outcome again.
    fn advance(&mut self, world: &W, budget: Budget) -> Progress<Self::Path>;

    /// Revision of the world at the start of the session.
    fn started_at(&self) -> Revision;
}

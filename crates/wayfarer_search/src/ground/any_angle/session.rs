//! Time-sliced Lazy Theta\*.

use wayfarer_base::{
    Budget, Cell, Outcome, RequestError, Revision, SearchObserver, SearchStats, UnreachableProof,
};
use wayfarer_world::ground::{Ground, ProfileId};

use super::{AnyAnglePath, AnyAngleSearcher, unreachable};
use crate::ground::NavGraph;
use crate::kernel::{Resumable, SearchSession, Slice};

/// A request for an any-angle path in slices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyAngleRequest {
    /// Where the path begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// The agent's profile as registered with the ground; `None` for the default profile.
    pub profile_id: Option<ProfileId>,
    /// Limit of the whole search.
    pub budget: Budget,
}

impl AnyAngleRequest {
    /// A request for the default profile and without limit.
    pub const fn new(from: Cell, to: Cell) -> Self {
        Self {
            from,
            to,
            profile_id: None,
            budget: Budget::UNLIMITED,
        }
    }
}

/// An any-angle search in progress; owns its searcher, which also serves the next request.
///
/// However it is sliced, the outcome is that of one [`AnyAngleSearcher::find`].
///
/// ```
/// use wayfarer_base::{Budget, Cell, Progress, Raster, Session};
/// use wayfarer_search::ground::{AnyAngleRequest, AnyAngleSearcher, AnyAngleSession};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(9, 1, vec![0; 9]).unwrap());
/// let request = AnyAngleRequest::new(Cell::flat(0, 0), Cell::flat(8, 0));
/// let mut session = AnyAngleSession::begin(&ground, AnyAngleSearcher::default(), request)?;
/// let mut frames = 1;
/// while let Progress::InProgress { .. } = session.advance(&ground, Budget::expansions(3)) {
///     frames += 1;
/// }
/// assert_eq!(frames, 3); // 8 expansions, 3 at a time
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type AnyAngleSession = SearchSession<AnyAngleSearcher>;

impl Resumable for AnyAngleSearcher {
    type World = Ground;
    type Request = AnyAngleRequest;
    type Path = AnyAnglePath;

    fn revision(ground: &Ground) -> Revision {
        ground.revision()
    }

    fn identity(ground: &Ground) -> u64 {
        ground.identity()
    }

    fn start(
        &mut self,
        ground: &Ground,
        request: &AnyAngleRequest,
    ) -> Result<Option<Outcome<AnyAnglePath>>, RequestError> {
        let nav_graph = NavGraph::new(ground, request.profile_id)?;
        let has_started = self.begin(nav_graph, request.from, request.to, request.budget)?;
        Ok((!has_started).then(|| unreachable(UnreachableProof::DifferentComponents)))
    }

    fn can_resume(&self, ground: &Ground, request: &AnyAngleRequest) -> bool {
        NavGraph::new(ground, request.profile_id).is_ok()
    }

    fn resume(
        &mut self,
        ground: &Ground,
        request: &AnyAngleRequest,
        slice: Slice,
        observer: &mut impl SearchObserver,
    ) -> Option<Outcome<AnyAnglePath>> {
        let nav_graph = NavGraph::new(ground, request.profile_id).ok()?;
        let stop = self.advance(nav_graph, observer, slice.budget);
        let is_last = slice.is_last(stop, self.stats);
        is_last.then(|| self.outcome(nav_graph, stop))
    }

    fn stats(&self) -> SearchStats {
        self.stats
    }

    fn budget_left(&self, AnyAngleRequest { budget, .. }: &AnyAngleRequest) -> Budget {
        Budget {
            expansions: budget.expansions.saturating_sub(self.stats.expansions),
            memory_bytes: budget.memory_bytes.saturating_sub(self.grown_bytes),
        }
    }

    fn copy_path(&mut self, path: &AnyAnglePath) -> AnyAnglePath {
        let mut waypoints = self.spare.pop().unwrap_or_default();
        waypoints.clone_from(&path.waypoints);
        AnyAnglePath { waypoints, ..*path }
    }

    fn recycle(&mut self, path: AnyAnglePath) {
        self.recycle(path);
    }
}

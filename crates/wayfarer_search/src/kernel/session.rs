//! Pausable searches over any domain: [`SearchSession`] runs a [`Resumable`] searcher in slices.

use std::fmt::Debug;

use wayfarer_base::{
    Budget, NoopObserver, Outcome, Progress, RequestError, Revision, SearchObserver, SearchStats,
    Session,
};

use super::StopReason;

/// A searcher whose search can pause between two expansions and resume as if it had not.
pub trait Resumable {
    /// What is searched.
    type World: ?Sized;
    /// What is requested.
    type Request: Clone + Debug;
    /// What is found.
    type Path: Clone + Debug;

    /// The revision of the world.
    fn revision(world: &Self::World) -> Revision;

    /// With the revision it identifies the state of the world that a search holds ids of; 0 if the
    /// revision alone does.
    fn identity(_world: &Self::World) -> u64 {
        0
    }

    /// Drops the last search and starts another; returns the outcome if none is needed.
    ///
    /// # Errors
    /// What makes the request invalid; there is no search to resume then.
    fn start(
        &mut self,
        world: &Self::World,
        request: &Self::Request,
    ) -> Result<Option<Outcome<Self::Path>>, RequestError>;

    /// False if `world` is known to be another than the one of the search, at the same revision.
    fn can_resume(&self, _world: &Self::World, _request: &Self::Request) -> bool {
        true
    }

    /// Runs the search for a slice of its budget; returns the outcome once it is final.
    fn resume(
        &mut self,
        world: &Self::World,
        request: &Self::Request,
        slice: Slice,
        observer: &mut impl SearchObserver,
    ) -> Option<Outcome<Self::Path>>;

    /// Expansions and pushes of the search.
    fn stats(&self) -> SearchStats;

    /// The work that slices count: expansions, and what is built for the searcher's caches.
    fn work(&self) -> u64 {
        self.stats().expansions
    }

    /// What remains of the request's budget.
    fn budget_left(&self, request: &Self::Request) -> Budget;

    /// A copy of a path, in reused memory if possible.
    fn copy_path(&mut self, path: &Self::Path) -> Self::Path {
        path.clone()
    }

    /// Makes `to` equal to `from`, in reused memory if possible.
    fn copy_request(&mut self, to: &mut Self::Request, from: &Self::Request) {
        to.clone_from(from);
    }

    /// Takes back an old path, whose memory the next one reuses.
    fn recycle(&mut self, path: Self::Path);
}

/// The share of a request's budget that one advance of a session may use.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// The share.
    pub budget: Budget,
    /// All that is left to the request.
    pub left: Budget,
    /// Expansions before the slice.
    pub n_before: u64,
    /// The same work, even if the request has less left.
    pub work: WorkLimit,
}

/// The work that a slice may do, in expansions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkLimit {
    /// How much.
    pub work: u64,
    /// Whether what is built for the searcher's caches counts, too. Then a slice with cold caches does
    /// not take longer than others, and how many slices a search takes depends on the caches; its outcome
    /// never does.
    pub counts_building: bool,
}

impl WorkLimit {
    /// No limit.
    pub const UNLIMITED: Self = Self::all(u64::MAX);

    /// A limit on expansions and what is built together.
    pub const fn all(work: u64) -> Self {
        Self {
            work,
            counts_building: true,
        }
    }
}

impl Slice {
    /// True if no later slice makes progress after the search stopped for this reason, with `stats`
    /// in all. A slice that ends with expansions to spare lacked memory; if it had all memory that
    /// is left, no later slice gets further.
    pub fn is_last(self, stop: StopReason, stats: SearchStats) -> bool {
        let Self { budget, left, .. } = self;
        let is_starved = left.memory_bytes < u64::MAX
            && budget.memory_bytes == left.memory_bytes
            && stats.expansions - self.n_before < budget.expansions;
        stop != StopReason::OutOfBudget || budget == left || is_starved
    }
}

/// A search in progress; owns its searcher, which also serves the next request.
///
/// However it is sliced, the outcome is that of one search without a pause.
#[derive(Clone, Debug)]
pub struct SearchSession<S: Resumable> {
    searcher: S,
    request: S::Request,
    started_at: Revision,
    identity: u64,
    done: Option<Outcome<S::Path>>,
    /// The last request was invalid: there is no search to resume.
    is_rejected: bool,
}

impl<S: Resumable> SearchSession<S> {
    /// Starts `request`; its budget covers the whole session.
    ///
    /// # Errors
    /// What makes the request invalid, as for a search without a pause.
    pub fn begin(
        world: &S::World,
        mut searcher: S,
        request: S::Request,
    ) -> Result<Self, RequestError> {
        let done = searcher.start(world, &request)?;
        Ok(Self {
            searcher,
            request,
            started_at: S::revision(world),
            identity: S::identity(world),
            done,
            is_rejected: false,
        })
    }

    /// Drops the request in progress, if any, and starts another in the same memory.
    ///
    /// # Errors
    /// As [`SearchSession::begin`]; the session is then stale until it starts a valid request.
    pub fn replace_request(
        &mut self,
        world: &S::World,
        request: &S::Request,
    ) -> Result<(), RequestError> {
        self.searcher.copy_request(&mut self.request, request);
        self.restart(world)
    }

    /// Starts the same request again, after the world has changed.
    ///
    /// # Errors
    /// As [`SearchSession::begin`]; the session is then stale.
    pub fn restart(&mut self, world: &S::World) -> Result<(), RequestError> {
        self.started_at = S::revision(world);
        self.identity = S::identity(world);
        self.is_rejected = true;
        let old = self.done.take().and_then(Outcome::best);
        old.into_iter().for_each(|path| self.searcher.recycle(path));
        self.done = self.searcher.start(world, &self.request)?;
        self.is_rejected = false;
        Ok(())
    }

    /// [`advance`](Session::advance) with an observer.
    pub fn advance_observed(
        &mut self,
        world: &S::World,
        budget: Budget,
        observer: &mut impl SearchObserver,
    ) -> Progress<S::Path> {
        let (searcher, request) = (&mut self.searcher, &self.request);
        let (started_at, current) = (self.started_at, S::revision(world));
        let is_same = current == started_at && self.identity == S::identity(world);
        if !is_same || self.is_rejected || !searcher.can_resume(world, request) {
            return Progress::Stale {
                started_at,
                current,
            };
        }
        if self.done.is_none() {
            let left = searcher.budget_left(request);
            let slice = Slice {
                budget: Budget {
                    expansions: budget.expansions.min(left.expansions),
                    memory_bytes: budget.memory_bytes.min(left.memory_bytes),
                },
                left,
                n_before: searcher.stats().expansions,
                work: WorkLimit::all(budget.expansions),
            };
            self.done = searcher.resume(world, request, slice, observer);
        }
        match &self.done {
            Some(outcome) => Progress::Done(copy(searcher, outcome)),
            None => Progress::InProgress {
                stats: searcher.stats(),
            },
        }
    }

    /// What the slices of the request used: expansions, and what was built for the searcher's caches.
    /// Never more than the slices allowed; the same request takes less once caches are warm.
    pub fn work(&self) -> u64 {
        self.searcher.work()
    }

    /// Takes back an old path, whose memory the next one reuses.
    pub fn recycle(&mut self, path: S::Path) {
        self.searcher.recycle(path);
    }

    /// Ends the session and returns its searcher.
    pub fn into_searcher(self) -> S {
        self.searcher
    }
}

impl<S: Resumable> Session<S::World> for SearchSession<S> {
    type Path = S::Path;

    /// Advances by at most `budget`; once done, returns the same outcome again.
    ///
    /// On another world than the one it started with the session is stale, except on a clone that
    /// went through the same edits. A slice with too little memory for the
    /// next expansion makes no progress; a request with too little memory is out of budget.
    fn advance(&mut self, world: &S::World, budget: Budget) -> Progress<S::Path> {
        self.advance_observed(world, budget, &mut NoopObserver)
    }

    fn started_at(&self) -> Revision {
        self.started_at
    }
}

fn copy<S: Resumable>(searcher: &mut S, outcome: &Outcome<S::Path>) -> Outcome<S::Path> {
    let mut copy = |path: &S::Path| searcher.copy_path(path);
    match outcome {
        Outcome::Found(path) => Outcome::Found(copy(path)),
        Outcome::Partial { best, reason } => Outcome::Partial {
            best: copy(best),
            reason: *reason,
        },
        Outcome::OutOfBudget { best, stats } => Outcome::OutOfBudget {
            best: copy(best),
            stats: *stats,
        },
        Outcome::Unreachable { proof, nearest } => Outcome::Unreachable {
            proof: *proof,
            nearest: nearest.as_ref().map(copy),
        },
    }
}

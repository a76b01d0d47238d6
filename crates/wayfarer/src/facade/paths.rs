//! Ways through the world: found, watched, mended, explained.

use wayfarer_base::watch::WatchId;
use wayfarer_base::{Explain, Outcome, PathStatus, Profile, Refusal};
use wayfarer_search::ground::{
    Answer, GroundPath, PathRequest, PathSearcher, ReachSearcher, Repaired, find_batch, status,
    waypoints,
};
use wayfarer_world::ground::{ProfileError, ViewId};

use super::World;

/// Ways through the world.
///
/// ```
/// use wayfarer::World;
/// use wayfarer::base::{Cell, Edit, PathStatus, Raster};
/// use wayfarer::search::ground::{PathRequest, PathSearcher};
///
/// // . . .
/// // . # .
/// // . . .
/// let map = Raster::from_bytes(3, 3, vec![0, 0, 0, 0, 255, 0, 0, 0, 0]).unwrap();
/// let mut world = World::from_raster(&map);
/// let mut searcher = PathSearcher::default();
/// let request = PathRequest::new(Cell::flat(0, 1), Cell::flat(2, 1));
///
/// let path = world.find_path(&mut searcher, &request)?.found().unwrap();
/// assert_eq!((path.cells.len(), world.status(&path)), (5, PathStatus::Holds));
/// let watched = world.watch(path.clone());
///
/// let cell = path.cells[2]; // a rock falls on the middle of the way
/// world.apply([Edit::RemoveCell { cell }])?;
/// assert_eq!(world.broken(), [watched]);
/// assert!(matches!(world.status(&path), PathStatus::Broken { leg: 0, .. }));
///
/// let mended = world.repair(&mut searcher, &request, &path)?.found().unwrap();
/// assert!(mended.is_cheapest()); // the way round the other side is as short
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl World {
    /// Lets another agent than the world's own walker ask: name it in [`PathRequest::view`]. From
    /// then on every batch of edits keeps what is derived for it true.
    ///
    /// # Errors
    /// If a number of the profile is outside its limits.
    pub fn register(&mut self, profile: Profile) -> Result<ViewId, ProfileError> {
        self.ground.register(profile)
    }

    /// Forgets a profile; requests that name it are refused from then on.
    pub fn unregister(&mut self, view: ViewId) {
        self.ground.unregister(view);
    }

    /// Finds a way; see [`PathSearcher::find`]. Keep one searcher for each thread: it remembers
    /// what it saw of the world, and learns here what changed since.
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn find_path(
        &self,
        searcher: &mut PathSearcher,
        request: &PathRequest,
    ) -> Result<Outcome<GroundPath>, Refusal> {
        searcher.catch_up(&self.ground, &self.ground_log);
        searcher.find(&self.ground, request)
    }

    /// Finds many ways on `n_threads` threads; the answers are in the order of the requests and
    /// the same on any number of threads.
    pub fn find_paths(&self, requests: &[PathRequest], n_threads: usize) -> Vec<Answer> {
        find_batch(&self.ground, requests, n_threads)
    }

    /// Whether a path found earlier still holds, without a search; see [`status`]. A path older
    /// than [`World::HISTORY`] batches is forgotten.
    pub fn status(&self, path: &GroundPath) -> PathStatus {
        status(&self.ground, &self.ground_log, path)
    }

    /// Mends a path that was found earlier for `request`: keeps what still holds and searches
    /// only the gap; see [`PathSearcher::repair`].
    ///
    /// # Errors
    /// What is wrong with the request, and where.
    pub fn repair(
        &self,
        searcher: &mut PathSearcher,
        request: &PathRequest,
        path: &GroundPath,
    ) -> Result<Outcome<Repaired>, Refusal> {
        searcher.catch_up(&self.ground, &self.ground_log);
        searcher.repair(&self.ground, &self.ground_log, request, path)
    }

    /// Watches a path of the present revision: every later batch of edits that breaks it says so
    /// in [`World::broken`], in time in proportion to the paths it touches.
    pub fn watch(&mut self, path: GroundPath) -> WatchId {
        self.watched.watch(path)
    }

    /// Stops watching a path and gives it back; `None` if it is not watched.
    pub fn unwatch(&mut self, id: WatchId) -> Option<GroundPath> {
        self.watched.take(id)
    }

    /// A watched path.
    pub fn watched(&self, id: WatchId) -> Option<&GroundPath> {
        self.watched.path(id)
    }

    /// The watched paths that the latest batch of edits broke, in order; each is named once, when
    /// it breaks.
    pub fn broken(&self) -> &[WatchId] {
        &self.broken
    }

    /// What stands between the start and the goal of a request that found no way, and what would
    /// open one; see [`ReachSearcher::explain`].
    ///
    /// # Errors
    /// If one cannot stand at the start.
    pub fn explain(
        &self,
        searcher: &mut ReachSearcher,
        request: &PathRequest,
    ) -> Result<Explain, Refusal> {
        searcher.explain(&self.ground, request)
    }

    /// Where a path turns for one who walks freely; see [`waypoints`].
    pub fn waypoints(&self, path: &GroundPath) -> Vec<wayfarer_base::Cell> {
        waypoints(&self.ground, path)
    }
}

//! Paths that are watched: an edit tells at once which of them it broke.

use wayfarer_base::ChangeSet;
use wayfarer_base::subscription::SubscriptionId;
use wayfarer_world::ground::{Ground, GroundDifference};

use super::GroundPath;

mod path_index;
mod runs;

pub use path_index::PathIndex;

/// Paths of one ground that are watched.
///
/// ```
/// use wayfarer_base::{Cell, Edit, Raster};
/// use wayfarer_search::ground::{PathRequest, PathSearcher, PathSubscriptions};
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::from_raster(&Raster::from_bytes(3, 2, vec![0; 6]).unwrap());
/// let mut watched = PathSubscriptions::default();
/// for y in 0..2 {
///     let request = PathRequest::new(Cell::flat(0, y), Cell::flat(2, y));
///     let path = PathSearcher::default().find(&ground, &request)?.found().unwrap();
///     watched.subscription(path);
/// }
/// let changes = ground.apply(&[Edit::RemoveCell { cell: Cell::flat(1, 1) }])?;
/// let report = watched.find_invalidated(&ground, &changes.set);
/// assert_eq!(report.invalidated.len(), 1); // the southern one
/// let path = watched.path(report.invalidated[0]).unwrap();
/// assert_eq!(path.start(), Some(Cell::flat(0, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathSubscriptions {
    files: PathIndex<GroundPath>,
}

/// What an edit did to subscribed paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InvalidationReport {
    /// The paths that can no longer be walked at their cost multiplier since this edit, in order.
    pub invalidated: Vec<SubscriptionId>,
    /// How many runs of paths were filed where something changed.
    pub n_candidates: usize,
    /// How many steps of paths were walked to find out.
    pub n_checked: usize,
}

impl PathSubscriptions {
    /// Watches a path of the ground's present revision, until it is taken back.
    pub fn watch(&mut self, path: GroundPath) -> SubscriptionId {
        self.files.file_own(path)
    }

    /// Stops watching a path and gives it back.
    pub fn take(&mut self, id: SubscriptionId) -> Option<GroundPath> {
        self.files.take(id)
    }

    /// A subscribed path.
    pub fn path(&self, id: SubscriptionId) -> Option<&GroundPath> {
        self.files.owner(id)
    }

    /// How many paths are watched.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// True if none is watched.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Says which paths the latest edit of `ground` broke; takes time in proportion to what
    /// changed and to the paths that run there, not to how many are watched.
    ///
    /// A path is reported once, when it breaks; if it heals later, watch it anew.
    pub fn notice(
        &mut self,
        ground: &Ground,
        set: &ChangeSet<GroundDifference>,
    ) -> InvalidationReport {
        let report = self.files.find_invalidated(ground, set, Some);
        self.files.mark_invalid(&report.invalidated);
        report
    }
}

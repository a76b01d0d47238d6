//! Path subscriptions: an edit reports at once which subscribed paths it invalidates.

use wayfarer_base::ChangeSet;
use wayfarer_base::subscription::SubscriptionId;
use wayfarer_world::ground::{Ground, GroundDifference};

use super::GroundPath;

mod path_index;
mod runs;

pub use path_index::PathIndex;

/// Subscribed paths of one ground.
///
/// ```
/// use wayfarer_base::{Cell, GroundEdit, Raster};
/// use wayfarer_search::ground::{GroundRequest, PathSearcher, PathSubscriptions};
/// use wayfarer_world::ground::Ground;
///
/// let mut ground = Ground::from_raster(&Raster::from_bytes(3, 2, vec![0; 6]).unwrap());
/// let mut subscriptions = PathSubscriptions::default();
/// for y in 0..2 {
///     let request = GroundRequest::new(Cell::flat(0, y), Cell::flat(2, y));
///     let path = PathSearcher::default().find(&ground, &request)?.found().unwrap();
///     subscriptions.subscribe(path);
/// }
/// let changes = ground.apply(&[GroundEdit::RemoveCell { cell: Cell::flat(1, 1) }])?;
/// let report = subscriptions.find_invalidated(&ground, &changes.changes);
/// assert_eq!(report.invalidated.len(), 1); // the southern one
/// let path = subscriptions.path(report.invalidated[0]).unwrap();
/// assert_eq!(path.start(), Some(Cell::flat(0, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathSubscriptions {
    index: PathIndex<GroundPath>,
}

/// The effect of an edit on subscribed paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InvalidationReport {
    /// The paths that this edit made impossible or costlier, sorted.
    pub invalidated: Vec<SubscriptionId>,
    /// How many index entries lie in changed sectors.
    pub n_candidates: usize,
    /// How many steps of paths were checked.
    pub n_checked: usize,
}

impl PathSubscriptions {
    /// Subscribes a path of the ground's present revision.
    pub fn subscribe(&mut self, path: GroundPath) -> SubscriptionId {
        self.index.insert_owned(path)
    }

    /// Ends a subscription and returns its path.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> Option<GroundPath> {
        self.index.remove(id)
    }

    /// A subscribed path.
    pub fn path(&self, id: SubscriptionId) -> Option<&GroundPath> {
        self.index.owner(id)
    }

    /// The number of subscriptions.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// True if there is no subscription.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The paths that the latest edit of `ground` invalidates. Takes time linear in the changes and
    /// in the paths that cross them, not in the number of subscriptions.
    ///
    /// A path is reported once, when it becomes invalid; to learn of later changes, subscribe a new
    /// path.
    pub fn find_invalidated(
        &mut self,
        ground: &Ground,
        set: &ChangeSet<GroundDifference>,
    ) -> InvalidationReport {
        let report = self.index.find_invalidated(ground, set, Some);
        self.index.mark_invalid(&report.invalidated);
        report
    }
}

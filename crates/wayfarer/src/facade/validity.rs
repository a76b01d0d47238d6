//! Whether a path is still valid, subscriptions to that, and repair.

use wayfarer_engine as engine;

use super::World;
use crate::path::{Path, PathStatus, PathSubscription};
use crate::request::{NoPath, PathRequest};
use crate::searcher::Searcher;

impl World {
    /// The status of a path found earlier, without a search.
    ///
    /// A path that is older than the change log is checked step by step, and never better than
    /// [`PathStatus::MaybeSuboptimal`].
    pub fn status(&self, path: &Path) -> PathStatus {
        use engine::base::PathStatus as Engine;
        let status = match self.engine.status(path.engine()) {
            Engine::Unknown => self.engine.status_without_log(path.engine()),
            status => status,
        };
        match status {
            Engine::Valid => PathStatus::Valid,
            Engine::MaybeSuboptimal | Engine::Unknown => PathStatus::MaybeSuboptimal,
            Engine::Invalid { at, .. } => PathStatus::Invalid {
                at: self.frame.position_of(at),
            },
        }
    }

    /// Subscribes a path: the first later edit that invalidates it reports the subscription in
    /// [`WorldChanges::invalidated`](crate::WorldChanges::invalidated).
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the world owns what it is given; a clone counts a reference"
    )]
    pub fn subscribe(&mut self, path: Path) -> PathSubscription {
        let engine = self.engine.subscribe(path.engine().clone());
        self.subscriptions.add(engine)
    }

    /// Ends a subscription; false if it does not exist.
    pub fn unsubscribe(&mut self, subscription: PathSubscription) -> bool {
        match self.subscriptions.remove(subscription) {
            Some(engine) => self.engine.unsubscribe(engine).is_some(),
            None => false,
        }
    }

    /// Repairs a path found earlier for `request`: valid parts stay, the gap is searched. The agent
    /// may have come along it: what lies before `request.from` is dropped. A valid path comes back
    /// at the present revision. The result may cost more than that of [`World::find_path`].
    ///
    /// # Errors
    /// As [`World::find_path`].
    pub fn repair(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        path: &Path,
    ) -> Result<Path, NoPath> {
        let converted = self.converted(request)?;
        let repaired = self
            .engine
            .repair(&mut searcher.engine, &converted, path.engine());
        let repaired = repaired.map_err(|error| self.request_error(request, &error))?;
        self.path_of_outcome(request, repaired)
    }
}

//! Whether a path is still valid, subscriptions to that, and repair.

use wayfarer_engine as engine;
use wayfarer_engine::Searcher;
use wayfarer_engine::base::Location;
use wayfarer_engine::search::ground::GroundPath;

use super::World;
use crate::path::{Path, PathStatus, PathSubscription};
use crate::request::{NoPath, PathRequest};

impl World {
    /// The status of a path found earlier, without a search.
    ///
    /// A path that is older than the change log is checked step by step; a flight or planar path
    /// that old counts as invalid from its start.
    pub fn status(&self, path: &Path) -> PathStatus {
        use engine::base::PathStatus as Engine;
        match self.engine.status(path.engine()) {
            Engine::Valid => PathStatus::Valid,
            Engine::MaybeSuboptimal => PathStatus::MaybeSuboptimal,
            Engine::Invalid { at, .. } => PathStatus::Invalid {
                at: self.frame.position_of(at),
            },
            Engine::Unknown => self.status_without_log(path),
        }
    }

    /// The status of a path by its own steps.
    fn status_without_log(&self, path: &Path) -> PathStatus {
        let invalid_at = |at: Option<Location>| PathStatus::Invalid {
            at: at.map_or_else(Default::default, |at| self.frame.position_of(at)),
        };
        let walk = path.engine().as_ground_path();
        let nav_graph = self.nav_graph(path.agent_type());
        let (Some(walk), Some(nav_graph)) = (walk, nav_graph) else {
            return invalid_at(path.engine().start());
        };
        let first_blocked = walk.cells.windows(2).find(|step| {
            let now = GroundPath::from_cells(nav_graph, step);
            now.is_none()
        });
        if let Some(step) = first_blocked {
            return invalid_at(Some(step[0].into()));
        }
        match GroundPath::from_cells(nav_graph, &walk.cells) {
            Some(now) if now.cost <= walk.ground_cost() => PathStatus::MaybeSuboptimal,
            _ => invalid_at(path.engine().start()),
        }
    }

    /// Subscribes a path: the first later edit that invalidates it reports the subscription in
    /// [`WorldChanges::invalidated`](crate::WorldChanges::invalidated).
    pub fn subscribe(&mut self, path: &Path) -> PathSubscription {
        self.engine.subscribe(path.engine().clone())
    }

    /// Ends a subscription; false if it does not exist.
    pub fn unsubscribe(&mut self, subscription: PathSubscription) -> bool {
        self.engine.unsubscribe(subscription).is_some()
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
        let repaired = self.engine.repair(searcher, &converted, path.engine());
        let repaired = repaired.map_err(|error| self.request_error(request, &error))?;
        self.path_of_outcome(request, repaired)
    }
}

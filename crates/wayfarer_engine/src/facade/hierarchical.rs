//! Hierarchical ground paths: an abstract path over clusters now, local segments on demand.

use wayfarer_base::{Cell, Location, Outcome, RequestError};
use wayfarer_search::ground::{HierarchicalPath, NavGraph};
use wayfarer_world::ground::ProfileGround;

use super::World;
use super::path::Path;
use super::request::PathRequest;
use super::searcher::Searcher;

impl World {
    /// Plans an abstract path for an agent type that walks; [`World::next_segment`] refines it.
    /// Takes microseconds where [`World::find_path`] takes milliseconds, without a bound on the
    /// cost: on city maps it is a few percent above the optimum.
    ///
    /// The budget of the request is ignored here: planning over clusters takes few expansions. An
    /// unreachable goal is reported at once.
    ///
    /// # Errors
    /// An end is out of range or blocked, the agent type does not walk, or the request uses avoided
    /// obstacles, viewers or partial paths.
    ///
    /// ```
    /// use wayfarer_engine::{Position, PathRequest, Searcher, World};
    /// use wayfarer_engine::base::{Cell, GroundEdit, Raster};
    ///
    /// let map = Raster::from_bytes(2_000, 64, vec![0; 128_000]).unwrap();
    /// let mut world = World::from_raster(&map);
    /// let mut searcher = Searcher::default();
    /// let goal = Position::new(1_990.5, 40.5, 0.0);
    /// let request = PathRequest::new(Position::new(5.5, 3.5, 0.0), goal);
    ///
    /// let mut path = world.begin_hierarchical(&mut searcher, &request)?.found().unwrap();
    /// let mut x = 700;
    /// while let Some(segment) = world.next_segment(&mut searcher, &request, &mut path)? {
    ///     assert!(segment.as_ground_path().unwrap().cells.len() > 1); // the world changes meanwhile
    ///     world.apply((0..60).map(|y| GroundEdit::RemoveCell { cell: Cell::flat(x, y) }))?;
    ///     x += 100;
    /// }
    /// assert!(path.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_hierarchical(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<HierarchicalPath>, RequestError> {
        let (graph, from, to) = self.hierarchical_ends(request)?;
        searcher.ground.sync(&self.ground, &self.ground_log);
        searcher.ground.begin_hierarchical(graph, from, to)
    }

    /// The next segment, from the end of the last one. `None` once the path is complete, or if the
    /// goal has become unreachable: then [`HierarchicalPath::is_complete`] is false. After an edit
    /// the rest is replanned. `request` must be that of [`World::begin_hierarchical`].
    ///
    /// # Errors
    /// The end of the last segment or the goal is no longer walkable.
    pub fn next_segment(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        path: &mut HierarchicalPath,
    ) -> Result<Option<Path>, RequestError> {
        searcher.ground.sync(&self.ground, &self.ground_log);
        let registered = self.registered(request.agent_type)?;
        let graph = NavGraph::new(&self.ground, registered.profile_id)?.profile_ground();
        let segment = searcher.ground.next_segment(graph, path)?;
        Ok(segment.map(|walk| self.path_from_walk(request, walk)))
    }

    /// Plans an abstract path and refines all of its segments, within the expansions of the
    /// request's budget; its memory is not limited.
    ///
    /// # Errors
    /// As [`World::begin_hierarchical`].
    pub fn find_hierarchical(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<Path>, RequestError> {
        let (graph, from, to) = self.hierarchical_ends(request)?;
        searcher.ground.sync(&self.ground, &self.ground_log);
        let budget = request.budget.expansions;
        let walk = (searcher.ground).find_hierarchical_within(graph, from, to, budget)?;
        Ok(walk.map(|walk| self.path_from_walk(request, walk)))
    }

    fn hierarchical_ends(
        &self,
        request: &PathRequest,
    ) -> Result<(ProfileGround<'_>, Cell, Cell), RequestError> {
        let registered = self.registered(request.agent_type)?;
        let unsupported = |reason| RequestError::UnsupportedMethod {
            method: "hierarchical",
            reason,
        };
        if registered.agent_type.ground.is_none() {
            return Err(unsupported("the agent type does not walk"));
        }
        if !request.avoided_obstacles.is_empty()
            || !request.viewers.is_empty()
            || request.allow_partial
        {
            return Err(unsupported(
                "hierarchical paths support neither avoided obstacles nor viewers nor partial paths",
            ));
        }
        match self.ends(registered, request)? {
            (Location::Cell(from), Location::Cell(to)) => {
                let graph = NavGraph::new(&self.ground, registered.profile_id)?;
                Ok((graph.profile_ground(), from, to))
            }
            _ => Err(unsupported(
                "hierarchical paths start and end on the ground",
            )),
        }
    }
}

//! Far walks: one sets out at once, and asks for the next piece while walking.

use wayfarer_base::{Cell, Location, Outcome, RequestError};
use wayfarer_search::ground::HierarchicalPath;

use super::World;
use super::path::Path;
use super::request::PathRequest;
use super::searcher::Searcher;

impl World {
    /// Plans a far walk of the world's own walker; its pieces come with [`World::next_segment`].
    /// Takes microseconds where [`World::find_path`] takes milliseconds, but nothing is promised of
    /// the cost: in cities it is some per cent above the cheapest.
    ///
    /// The request's budget is not asked. A goal that cannot be reached is said at once.
    ///
    /// # Errors
    /// What is wrong with the request, and where: besides the ends, far walks know neither other
    /// agents nor movers, watchers and going near.
    ///
    /// ```
    /// use wayfarer::{Position, PathRequest, Searcher, World};
    /// use wayfarer::base::{Cell, Edit, Raster};
    ///
    /// let map = Raster::from_bytes(2_000, 64, vec![0; 128_000]).unwrap();
    /// let mut world = World::from_raster(&map);
    /// let mut searcher = Searcher::default();
    /// let goal = Position::new(1_990.5, 40.5, 0.0);
    /// let request = PathRequest::new(Position::new(5.5, 3.5, 0.0), goal);
    ///
    /// let mut path = world.begin_hierarchical(&mut searcher, &request)?.found().unwrap();
    /// let mut x = 700;
    /// while let Some(piece) = world.next_segment(&mut searcher, &request, &mut path)? {
    ///     assert!(piece.as_walk().unwrap().cells.len() > 1); // walk it; meanwhile a wall is built
    ///     world.apply((0..60).map(|y| Edit::RemoveCell { cell: Cell::flat(x, y) }))?;
    ///     x += 100;
    /// }
    /// assert!(path.is_whole());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_hierarchical(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<HierarchicalPath>, RequestError> {
        let (from, to) = self.far_ends(request)?;
        searcher.ground.sync(&self.ground, &self.ground_log);
        searcher.ground.begin_hierarchical(&self.ground, from, to)
    }

    /// The next piece of a far walk, from where the last one ended; `None` once it is whole, or if
    /// no way leads on: then [`HierarchicalPath::is_whole`] is false. If the world has changed since, the
    /// rest is planned anew. `request` is the one that the walk was set out with.
    ///
    /// # Errors
    /// One can no longer stand where the last piece ended, or on the goal.
    pub fn next_segment(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
        path: &mut HierarchicalPath,
    ) -> Result<Option<Path>, RequestError> {
        searcher.ground.sync(&self.ground, &self.ground_log);
        let piece = searcher.ground.next_segment(&self.ground, path)?;
        Ok(piece.map(|walk| self.of_walk(request, walk)))
    }

    /// All pieces of a far walk at once.
    ///
    /// # Errors
    /// As [`World::begin_hierarchical`].
    pub fn find_hierarchical(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Outcome<Path>, RequestError> {
        let (from, to) = self.far_ends(request)?;
        searcher.ground.sync(&self.ground, &self.ground_log);
        let walk = searcher.ground.find_hierarchical(&self.ground, from, to)?;
        Ok(walk.map(|walk| self.of_walk(request, walk)))
    }

    fn far_ends(&self, request: &PathRequest) -> Result<(Cell, Cell), RequestError> {
        let known = self.registered(request.agent_type)?;
        let refused = |reason| RequestError::UnsupportedMethod {
            method: "far",
            reason,
        };
        if known.profile_id.is_some() || known.agent_type.ground.is_none() {
            return Err(refused("far walks are for the world's own walker"));
        }
        if !request.avoided_obstacles.is_empty()
            || !request.viewers.is_empty()
            || request.allow_partial
        {
            return Err(refused(
                "far walks know neither movers nor watchers nor going near",
            ));
        }
        match self.ends(known, request)? {
            (Location::Cell(from), Location::Cell(to)) => Ok((from, to)),
            _ => Err(refused("far walks begin and end on the ground")),
        }
    }
}

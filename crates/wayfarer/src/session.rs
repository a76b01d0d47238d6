//! [`PathSession`]: a path search in slices.

use wayfarer_engine as engine;
use wayfarer_engine::base::Budget;

use crate::facade::World;
use crate::path::Path;
use crate::request::{NoPath, PathRequest};
use crate::searcher::Searcher;

/// A path search that runs in slices, over as many frames as it needs; it owns its searcher.
///
/// Ground paths, flights, planar and any-angle paths go on where they stopped and give the path of
/// one search without a pause. Hierarchical and refined paths, those that avoid bodies, have viewers
/// or combine walking and flying run again in each slice, until one suffices.
///
/// An edit that changes what the search has seen makes it start again; A\* and searches over weighted
/// ground go on after other edits. Searches by jump points, flights and planar searches keep no record
/// of what they have seen: any edit of their domain (ground, air or bodies) makes them start again.
///
/// ```
/// use wayfarer::prelude::*;
/// use wayfarer::PathSession;
///
/// let map = b"type octile\nheight 2\nwidth 9\nmap\n....T....\n.........\n";
/// let world = World::import("lane.map", map, Scale::UNIT)?;
/// let (from, to) = (Position::new(0.5, 0.5, 0.0), Position::new(8.5, 0.5, 0.0));
/// let mut session = PathSession::new(Searcher::default(), PathRequest::new(from, to));
/// let path = loop {
///     if let Some(path) = session.advance(&world, Budget::expansions(1))? {
///         break path;
///     }
/// };
/// assert_eq!(path.end(), Some(to));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PathSession {
    request: PathRequest,
    state: State,
}

#[derive(Debug)]
enum State {
    NotStarted(Box<Searcher>),
    Started(Box<engine::PathSession>),
}

impl PathSession {
    /// A search for a request, whose budget covers all slices. It starts with the first slice.
    pub fn new(searcher: Searcher, request: PathRequest) -> Self {
        Self {
            request,
            state: State::NotStarted(Box::new(searcher)),
        }
    }

    /// Searches for at most `budget`; `None` if the search has to go on. One that is done starts
    /// again.
    ///
    /// # Errors
    /// As [`World::find_path`].
    pub fn advance(&mut self, world: &World, budget: Budget) -> Result<Option<Path>, NoPath> {
        if let State::NotStarted(searcher) = &mut self.state {
            match world.begin_path(std::mem::take(searcher), &self.request) {
                Ok(session) => self.state = State::Started(Box::new(session)),
                Err(rejected) => {
                    let (searcher, error) = *rejected;
                    self.state = State::NotStarted(Box::new(searcher));
                    return Err(error.into());
                }
            }
        }
        let State::Started(session) = &mut self.state else {
            return Ok(None);
        };
        world
            .advance_path(session, &self.request, budget)
            .transpose()
    }

    /// Expansions since the search started.
    pub fn expansions(&self) -> u64 {
        match &self.state {
            State::NotStarted(_) => 0,
            State::Started(session) => session.stats().expansions,
        }
    }

    /// The request.
    pub const fn request(&self) -> &PathRequest {
        &self.request
    }

    /// Ends the search and gives back its searcher.
    pub fn into_searcher(self) -> Searcher {
        match self.state {
            State::NotStarted(searcher) => *searcher,
            State::Started(session) => Searcher {
                engine: session.into_searcher(),
            },
        }
    }
}

//! The memory that questions reuse: one searcher for each thread, or a pool of them.

use wayfarer_base::{Outcome, Refusal};
use wayfarer_search::air::FlightSearcher;
use wayfarer_search::field::FieldSearcher;
use wayfarer_search::ground::{PathSearcher, ReachSearcher};
use wayfarer_search::kernel::in_batch_with;
use wayfarer_search::mixed::MixedSearcher;

use super::World;
use super::path::{Path, PathLeg};
use super::request::Request;

/// What a thread needs to ask a world anything, reused from question to question.
///
/// Takes memory in proportion to the largest search it was used for. Answers never depend on what
/// it was used for before.
#[derive(Clone, Debug, Default)]
pub struct Searcher {
    pub(super) ground: PathSearcher,
    pub(super) air: FlightSearcher,
    pub(super) field: FieldSearcher,
    pub(super) mixed: MixedSearcher,
    pub(super) reach: ReachSearcher,
}

impl Searcher {
    /// Takes an old path back, so that the next walk can use its memory.
    pub fn recycle(&mut self, path: Path) {
        for leg in path.legs {
            if let PathLeg::Walk(walk) = leg {
                self.ground.recycle(walk);
            }
        }
    }
}

/// The answer to one request.
pub type Answer = Result<Outcome<Path>, Refusal>;

/// Searchers for as many threads as one likes, kept from frame to frame.
///
/// ```
/// use wayfarer::{Position, Request, SearcherPool, World};
/// use wayfarer::base::Raster;
///
/// let world = World::from_raster(&Raster::from_bytes(8, 8, vec![0; 64]).unwrap());
/// let at = |x: i32| Position::new(f64::from(x) + 0.5, 0.5, 0.0);
/// let requests: Vec<Request> = (0..8).map(|x| Request::new(at(x), at(7 - x))).collect();
/// let mut pool = SearcherPool::new(4);
/// let answers = pool.find_paths(&world, &requests);
/// assert_eq!(answers, SearcherPool::new(1).find_paths(&world, &requests));
/// ```
#[derive(Clone, Debug)]
pub struct SearcherPool {
    searchers: Vec<Searcher>,
}

impl SearcherPool {
    /// A pool for `n_threads` threads, at least 1.
    pub fn new(n_threads: usize) -> Self {
        Self {
            searchers: vec![Searcher::default(); n_threads.max(1)],
        }
    }

    /// The first searcher, for a question of one's own.
    pub fn one(&mut self) -> &mut Searcher {
        &mut self.searchers[0]
    }

    /// Answers many requests, each thread with a searcher of its own; the answers are in the order
    /// of the requests and the same on any number of threads. Where there are no threads (wasm),
    /// everything is done in turn.
    pub fn find_paths(&mut self, world: &World, requests: &[Request]) -> Vec<Answer> {
        in_batch_with(requests, &mut self.searchers, |searcher, request| {
            world.find_path(searcher, request)
        })
    }
}

//! Many requests at once, on several threads, with the same answers as on one.

use std::sync::atomic::{AtomicUsize, Ordering};

use wayfarer_base::{Outcome, Refusal};
use wayfarer_world::ground::Ground;

use super::{GroundPath, PathRequest, PathSearcher};

/// The answer to one request.
pub type Answer = Result<Outcome<GroundPath>, Refusal>;

/// Answers many requests on `n_threads` threads, each with a searcher of its own; the answers are
/// in the order of the requests and do not depend on the number of threads.
///
/// On one thread, and where there are no threads (wasm), everything is done in turn.
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_search::ground::{PathRequest, find_batch};
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(5, 1, vec![0; 5]).unwrap());
/// let requests: Vec<PathRequest> = (0..5)
///     .map(|x| PathRequest::new(Cell::flat(x, 0), Cell::flat(0, 0)))
///     .collect();
/// assert_eq!(find_batch(&ground, &requests, 8), find_batch(&ground, &requests, 1));
/// ```
pub fn find_batch(ground: &Ground, requests: &[PathRequest], n_threads: usize) -> Vec<Answer> {
    let n_threads = n_threads.min(requests.len());
    if n_threads <= 1 || cfg!(target_family = "wasm") {
        let mut searcher = PathSearcher::default();
        let answers = requests
            .iter()
            .map(|request| searcher.find(ground, request));
        return answers.collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut searcher = PathSearcher::default();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(request) = requests.get(index) else {
                return done;
            };
            done.push((index, searcher.find(ground, request)));
        }
    };
    let mut done: Vec<(usize, Answer)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let answers = workers.into_iter().flat_map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        answers.collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}

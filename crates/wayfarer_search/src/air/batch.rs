//! Many flights at once, on several threads, with the same answers as on one.

use std::sync::atomic::{AtomicUsize, Ordering};

use wayfarer_base::{Outcome, Refusal};
use wayfarer_world::air::Air;

use super::{AirPath, FlightRequest, FlightSearcher};

/// The answer to one request.
pub type FlightAnswer = Result<Outcome<AirPath>, Refusal>;

/// Answers many requests on `n_threads` threads, each with a searcher of its own; the answers are
/// in the order of the requests and do not depend on the number of threads.
///
/// On one thread, and where there are no threads (wasm), everything is done in turn.
///
/// ```
/// use wayfarer_base::Voxel;
/// use wayfarer_search::air::{FlightRequest, find_batch};
/// use wayfarer_world::air::AirBuilder;
///
/// let air = AirBuilder::new(Voxel::new(0, 0, 0), [9, 9, 9])?.build()?;
/// let requests: Vec<FlightRequest> = (0..9)
///     .map(|x| FlightRequest::new(Voxel::new(x, 0, 0), Voxel::new(0, 8, x)))
///     .collect();
/// assert_eq!(find_batch(&air, &requests, 8), find_batch(&air, &requests, 1));
/// # Ok::<(), wayfarer_world::air::AirError>(())
/// ```
pub fn find_batch(air: &Air, requests: &[FlightRequest], n_threads: usize) -> Vec<FlightAnswer> {
    let n_threads = n_threads.min(requests.len());
    if n_threads <= 1 || cfg!(target_family = "wasm") {
        let mut searcher = FlightSearcher::default();
        let answers = requests.iter().map(|request| searcher.find(air, request));
        return answers.collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut searcher = FlightSearcher::default();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(request) = requests.get(index) else {
                return done;
            };
            done.push((index, searcher.find(air, request)));
        }
    };
    let mut done: Vec<(usize, FlightAnswer)> = std::thread::scope(|scope| {
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

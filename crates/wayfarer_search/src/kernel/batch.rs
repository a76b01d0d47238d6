//! Parallel batches: independent requests on several threads, results as with one thread.

use std::sync::atomic::{AtomicUsize, Ordering};

use wayfarer_base::{NoopObserver, Outcome, RequestError};

use super::{Resumable, Slice, WorkLimit};

/// Runs requests on `n_threads` threads, each with its own searcher; results are in the order of
/// the requests and do not depend on the number of threads. See [`run_batch_with`].
///
/// ```
/// use wayfarer_base::{Cell, Raster};
/// use wayfarer_search::ground::{GroundRequest, PathSearcher};
/// use wayfarer_search::kernel::find_batch;
/// use wayfarer_world::ground::Ground;
///
/// let ground = Ground::from_raster(&Raster::from_bytes(5, 1, vec![0; 5]).unwrap());
/// let requests: Vec<GroundRequest> = (0..5)
///     .map(|x| GroundRequest::new(Cell::flat(x, 0), Cell::flat(0, 0)))
///     .collect();
/// let one_by_one = find_batch::<PathSearcher>(&ground, &requests, 1);
/// assert_eq!(find_batch::<PathSearcher>(&ground, &requests, 8), one_by_one);
/// ```
pub fn find_batch<S>(
    world: &S::World,
    requests: &[S::Request],
    n_threads: usize,
) -> Vec<Result<Outcome<S::Path>, RequestError>>
where
    S: Resumable<World: Sync, Request: Sync, Path: Send> + Default + Send,
{
    let n_threads = n_threads.min(requests.len()).max(1);
    let mut searchers: Vec<S> = (0..n_threads).map(|_| S::default()).collect();
    run_batch_with(requests, &mut searchers, |searcher, request| {
        let done = searcher.start(world, request)?;
        let budget = searcher.budget_left(request);
        let whole = Slice {
            budget,
            left: budget,
            n_before: searcher.stats().expansions,
            work: WorkLimit::UNLIMITED,
        };
        let outcome = done.or_else(|| searcher.resume(world, request, whole, &mut NoopObserver));
        Ok(outcome.expect("a slice of all that is left is the last"))
    })
}

/// Runs every request, on one thread per scratch; results are in the order of the requests.
///
/// Results do not depend on the number of threads as long as no result depends on the history of
/// its scratch. With one scratch, and on targets without threads (wasm), requests run in sequence.
///
/// # Panics
/// If `scratches` is empty and `requests` is not.
pub fn run_batch_with<Q: Sync, A: Send, S: Send>(
    requests: &[Q],
    scratches: &mut [S],
    run: impl Fn(&mut S, &Q) -> A + Sync,
) -> Vec<A> {
    let n_threads = scratches.len().min(requests.len());
    if n_threads <= 1 || cfg!(target_family = "wasm") {
        let requests = requests.iter();
        return requests
            .map(|request| run(&mut scratches[0], request))
            .collect();
    }
    let next = AtomicUsize::new(0);
    let work = |scratch: &mut S| {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(request) = requests.get(index) else {
                return done;
            };
            done.push((index, run(scratch, request)));
        }
    };
    let work = &work;
    let mut done: Vec<(usize, A)> = std::thread::scope(|scope| {
        let workers: Vec<_> = scratches[..n_threads]
            .iter_mut()
            .map(|scratch| scope.spawn(move || work(scratch)))
            .collect();
        let results = workers.into_iter().flat_map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

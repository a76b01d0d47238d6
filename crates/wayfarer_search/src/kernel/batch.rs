//! Parallel batches: independent requests on several threads, results as with one thread.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs every request on `n_threads` threads, each with its own scratch; see [`run_batch_with`].
pub(crate) fn run_batch<Q: Sync, A: Send, S: Default + Send>(
    requests: &[Q],
    n_threads: usize,
    run: impl Fn(&mut S, &Q) -> A + Sync,
) -> Vec<A> {
    let n_threads = n_threads.min(requests.len()).max(1);
    let mut scratches: Vec<S> = (0..n_threads).map(|_| S::default()).collect();
    run_batch_with(requests, &mut scratches, run)
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

//! Many questions at once, on several threads, with the same answers as on one.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Answers every request on `n_threads` threads, each with scratch of its own; see
/// [`run_batch_with`].
pub(crate) fn in_batch<Q: Sync, A: Send, S: Default + Send>(
    requests: &[Q],
    n_threads: usize,
    result: impl Fn(&mut S, &Q) -> A + Sync,
) -> Vec<A> {
    let n_threads = n_threads.min(requests.len()).max(1);
    let mut scratches: Vec<S> = (0..n_threads).map(|_| S::default()).collect();
    run_batch_with(requests, &mut scratches, result)
}

/// Answers every request, on a thread for each of `scratches`; the answers are in the order of the
/// requests. They do not depend on the number of threads as long as none depends on what its
/// scratch was used for before.
///
/// With one scratch, and where there are no threads (wasm), everything is done in turn.
///
/// # Panics
/// If there is no scratch but a request.
pub fn run_batch_with<Q: Sync, A: Send, S: Send>(
    requests: &[Q],
    scratches: &mut [S],
    result: impl Fn(&mut S, &Q) -> A + Sync,
) -> Vec<A> {
    let n_threads = scratches.len().min(requests.len());
    if n_threads <= 1 || cfg!(target_family = "wasm") {
        let results = requests.iter();
        return results
            .map(|request| result(&mut scratches[0], request))
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
            done.push((index, result(scratch, request)));
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

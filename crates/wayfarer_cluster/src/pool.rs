//! A bounded queue of requests before threads with a searcher each.
//!
//! A request that finds the queue full is answered `busy` at once. One that demands a later revision
//! waits beside the queue until the follower has it or its deadline passes, and counts as queued.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use wayfarer::{Revision, Searcher};

use crate::answer::answer;
use crate::clock::now;
use crate::follower::{Followed, Follower};
use crate::metrics::{Metrics, count};
use crate::protocol::{ErrorKind, Failure, MAX_REQUEST_BYTES, Request, write_failure};
use crate::record::Record;

/// How long a request without a deadline waits for its least revision.
const DEFAULT_WAIT: Duration = Duration::from_secs(1);
/// How often waiting requests are looked at.
const LOOK: Duration = Duration::from_millis(5);

/// The size of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolOptions {
    /// Threads that search, at least 1.
    pub n_threads: usize,
    /// Most requests that wait; the next is answered `busy`.
    pub capacity: usize,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self {
            n_threads: std::thread::available_parallelism().map_or(1, usize::from),
            capacity: 1_024,
        }
    }
}

/// A request and what to do with its response, which is called exactly once.
pub struct Job {
    /// The bytes of the request.
    pub request: Vec<u8>,
    /// Takes the response, on the caller's thread or one of the pool's.
    pub respond: Box<dyn FnOnce(Vec<u8>) + Send>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}

/// Threads that answer requests over one follower. Dropping it answers what waits and ends them.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    follower: RwLock<Option<Follower>>,
    queue: Mutex<Queue>,
    is_work: Condvar,
    capacity: usize,
    metrics: Arc<Metrics>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Received>,
    parked: Vec<Parked>,
    is_closed: bool,
}

struct Received {
    job: Job,
    at: Instant,
}

/// A request that waits for a revision.
struct Parked {
    received: Received,
    min_revision: u64,
    until: Instant,
}

/// What a thread does next.
enum Task {
    Answer(Received),
    /// The wait for a revision ended.
    Expired(Received),
    End,
}

impl Pool {
    /// Starts the threads; until [`Pool::set_follower`], requests are answered `not_ready`.
    pub fn new(options: PoolOptions, metrics: Arc<Metrics>) -> Self {
        let shared = Arc::new(Shared {
            follower: RwLock::new(None),
            queue: Mutex::default(),
            is_work: Condvar::new(),
            capacity: options.capacity.max(1),
            metrics,
        });
        let start = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.run())
        };
        let threads = (0..options.n_threads.max(1)).map(start).collect();
        Self { shared, threads }
    }

    /// The counters.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.shared.metrics
    }

    /// Takes a request; answers at once if the queue is full, closed or without a world.
    pub fn submit(&self, job: Job) {
        let metrics = &self.shared.metrics;
        let mut queue = self.shared.queue();
        let n_waiting = queue.jobs.len() + queue.parked.len();
        let refused = if queue.is_closed {
            Some(Failure::new(ErrorKind::ShuttingDown, "the worker stops"))
        } else if n_waiting >= self.shared.capacity {
            count(&metrics.busy);
            let message = format!("{n_waiting} requests wait, which is all that may");
            Some(Failure::new(ErrorKind::Busy, message))
        } else if job.request.len() > MAX_REQUEST_BYTES {
            let message = format!("expected at most {MAX_REQUEST_BYTES} bytes");
            Some(Failure::new(ErrorKind::TooLarge, message))
        } else {
            None
        };
        if let Some(failure) = refused {
            drop(queue);
            (job.respond)(write_failure(None, failure));
            return;
        }
        queue.jobs.push_back(Received { job, at: now() });
        metrics
            .queued
            .store(n_waiting as u64 + 1, Ordering::Relaxed);
        drop(queue);
        self.shared.is_work.notify_one();
    }

    /// Replaces the world; `None` answers every request `not_ready`.
    pub fn set_follower(&self, follower: Option<Follower>) {
        let number = follower
            .as_ref()
            .map(|follower| follower.world().revision().number);
        let old = std::mem::replace(&mut *self.shared.follower_mut(), follower);
        // The old world is dropped outside of the lock.
        drop(old);
        if let Some(number) = number {
            self.shared
                .metrics
                .revision
                .store(number, Ordering::Relaxed);
        }
        self.shared.is_work.notify_all();
    }

    /// Applies a record to the world; `None` if there is none. A stated hash is compared, too.
    pub fn apply(&self, sequence: u64, record: &Record) -> Option<Followed> {
        let metrics = &self.shared.metrics;
        let followed = self.shared.follower_mut().as_mut()?.apply(sequence, record);
        match &followed {
            Followed::Applied { revision, hash } => {
                count(&metrics.applied);
                metrics.revision.store(revision.number, Ordering::Relaxed);
                self.shared.is_work.notify_one();
                if let Some(hash) = *hash {
                    count(&metrics.hash_checks);
                    let is_equal = self.read(|follower| follower.is_hash(hash))?;
                    if !is_equal {
                        let reason = format!("the hash at {revision} differs from the writer's");
                        return Some(Followed::Diverged { reason });
                    }
                }
            }
            Followed::Repeated => count(&metrics.repeated),
            Followed::Gap { .. } => count(&metrics.gaps),
            Followed::Claimed { .. } | Followed::Diverged { .. } => {}
        }
        Some(followed)
    }

    /// Looks at the follower, if there is one.
    pub fn read<T>(&self, look: impl FnOnce(&Follower) -> T) -> Option<T> {
        let follower = self.shared.follower.read();
        let follower = follower.unwrap_or_else(PoisonError::into_inner);
        follower.as_ref().map(look)
    }

    /// The revision of the world, if there is one.
    pub fn revision(&self) -> Option<Revision> {
        self.read(|follower| follower.world().revision())
    }

    /// Refuses new requests, answers those that wait and ends the threads.
    pub fn close(&mut self) {
        self.shared.queue().is_closed = true;
        self.shared.is_work.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has answered what it took, or its client times out.
            drop(thread.join());
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follower_mut(&self) -> std::sync::RwLockWriteGuard<'_, Option<Follower>> {
        self.follower
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut searcher = Searcher::default();
        loop {
            match self.next() {
                Task::Answer(received) => self.answer(received, &mut searcher),
                Task::Expired(received) => self.expire(received),
                Task::End => return,
            }
        }
    }

    fn next(&self) -> Task {
        let mut queue = self.queue();
        loop {
            let n_waiting = queue.jobs.len() + queue.parked.len();
            self.metrics
                .queued
                .store(n_waiting as u64, Ordering::Relaxed);
            let revision = self.metrics.revision.load(Ordering::Relaxed);
            let is_due = |parked: &Parked| parked.min_revision <= revision;
            if let Some(due) = queue.parked.iter().position(is_due) {
                return Task::Answer(queue.parked.swap_remove(due).received);
            }
            if let Some(received) = queue.jobs.pop_front() {
                return Task::Answer(received);
            }
            let is_over = |parked: &Parked| queue.is_closed || parked.until <= now();
            if let Some(over) = queue.parked.iter().position(is_over) {
                return Task::Expired(queue.parked.swap_remove(over).received);
            }
            if queue.is_closed {
                return Task::End;
            }
            queue = if queue.parked.is_empty() {
                let woken = self.is_work.wait(queue);
                woken.unwrap_or_else(PoisonError::into_inner)
            } else {
                let woken = self.is_work.wait_timeout(queue, LOOK);
                woken.unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }

    fn answer(&self, received: Received, searcher: &mut Searcher) {
        let request = match Request::read(&received.job.request) {
            Ok(request) => request,
            Err(failure) => {
                let revision = self.read_revision();
                return self.finish(received, write_failure(revision, failure));
            }
        };
        let head = request.head();
        let deadline = head.deadline.map(|deadline| received.at + deadline);
        if deadline.is_some_and(|deadline| deadline <= now()) {
            count(&self.metrics.expired);
            let message = "the deadline passed in the queue";
            let failure = Failure::new(ErrorKind::DeadlineExceeded, message);
            let revision = self.read_revision();
            return self.finish(received, write_failure(revision, failure));
        }
        let follower = self.follower.read();
        let follower = follower.unwrap_or_else(PoisonError::into_inner);
        let Some(current) = follower.as_ref() else {
            drop(follower);
            count(&self.metrics.not_ready);
            let failure = Failure::new(ErrorKind::NotReady, "the worker has no world yet");
            return self.finish(received, write_failure(None, failure));
        };
        if current.world().revision().number < head.min_revision {
            drop(follower);
            return self.park(received, head.min_revision, deadline);
        }
        // A fault of ours in one query must neither go unanswered nor end the thread.
        let found = catch_unwind(AssertUnwindSafe(|| {
            answer(current.world(), searcher, &request, deadline)
        }));
        let revision = current.world().revision();
        drop(follower);
        let response = found.unwrap_or_else(|_panic| {
            *searcher = Searcher::default();
            let failure = Failure::new(ErrorKind::Internal, "a fault of the worker");
            write_failure(Some(revision), failure)
        });
        self.finish(received, response);
    }

    fn read_revision(&self) -> Option<Revision> {
        let follower = self.follower.read();
        let follower = follower.unwrap_or_else(PoisonError::into_inner);
        follower
            .as_ref()
            .map(|follower| follower.world().revision())
    }

    fn park(&self, received: Received, min_revision: u64, deadline: Option<Instant>) {
        let until = deadline.unwrap_or(received.at + DEFAULT_WAIT);
        if until <= now() {
            return self.expire(received);
        }
        self.queue().parked.push(Parked {
            received,
            min_revision,
            until,
        });
        self.is_work.notify_one();
    }

    fn expire(&self, received: Received) {
        count(&self.metrics.behind);
        let message = "the least revision did not come in time";
        let failure = Failure::new(ErrorKind::Behind, message);
        let revision = self.read_revision();
        self.finish(received, write_failure(revision, failure));
    }

    fn finish(&self, received: Received, response: Vec<u8>) {
        self.metrics.answered(now() - received.at);
        (received.job.respond)(response);
    }
}

#[cfg(test)]
mod tests;

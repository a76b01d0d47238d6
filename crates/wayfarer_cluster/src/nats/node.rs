//! A process of a cluster: a worker, a writer, or both, on a runtime of its own.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::watch;
use wayfarer::World;

use super::client::Client;
use super::worker::Worker;
use super::writer::{LogOptions, WriterTask};
use super::{NatsError, Settings};
use crate::log::Log;
use crate::pool::Pool;
use crate::writer::unavailable;

/// How long an edit through [`Node::edit`] may take.
const EDIT_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a process that ends waits for its tasks.
const SHUTDOWN: Duration = Duration::from_secs(5);

/// What a process does.
#[derive(Clone, Debug)]
pub struct NodeOptions {
    /// Its name, for logs and for other writers.
    pub name: String,
    /// True to answer queries.
    pub is_worker: bool,
    /// True to take edits.
    pub is_writer: bool,
    /// Batches from one hash in the log to the next, at least 1.
    pub hash_every: u64,
    /// Records from one snapshot to the next, at least 1.
    pub snapshot_every: u64,
    /// Records that stay in the log before the newest snapshot.
    pub keep_records: u64,
}

impl Default for NodeOptions {
    fn default() -> Self {
        Self {
            name: format!("pid-{}", std::process::id()),
            is_worker: true,
            is_writer: false,
            hash_every: 64,
            snapshot_every: 256,
            keep_records: 4_096,
        }
    }
}

/// A running process of a cluster. Dropping it ends it.
#[derive(Debug)]
pub struct Node {
    runtime: Mutex<Option<Runtime>>,
    handle: Handle,
    client: Client,
    stop: watch::Sender<bool>,
    ended: Mutex<mpsc::Receiver<Result<(), NatsError>>>,
    n_tasks: usize,
}

impl Node {
    /// Connects and starts the tasks. A writer begins the log with `world` if there is none.
    ///
    /// # Errors
    /// The settings are invalid, or no server is there.
    pub fn start(
        settings: &Settings,
        options: &NodeOptions,
        world: Option<World>,
        pool: &Arc<Pool>,
        log: &Log,
    ) -> Result<Self, NatsError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| NatsError::Settings {
            reason: format!("no runtime: {error}"),
        })?;
        let nats = runtime.block_on(settings.connect(&options.name))?;
        let client = runtime.block_on(Client::connect(settings))?;
        let (stop, stopped) = watch::channel(false);
        let (sender, ended) = mpsc::channel();
        let mut n_tasks = 0;
        if options.is_writer {
            let task = WriterTask {
                client: nats.clone(),
                settings: settings.clone(),
                name: options.name.clone(),
                options: LogOptions {
                    hash_every: options.hash_every,
                    snapshot_every: options.snapshot_every.max(1),
                    keep_records: options.keep_records,
                },
                metrics: Arc::clone(pool.metrics()),
                log: log.clone(),
            };
            let (sender, stopped) = (sender.clone(), stopped.clone());
            runtime.spawn(async move { drop(sender.send(task.run(world, stopped).await)) });
            n_tasks += 1;
        }
        if options.is_worker {
            let worker = Worker {
                client: nats,
                settings: settings.clone(),
                pool: Arc::clone(pool),
                log: log.clone(),
            };
            runtime.spawn(async move {
                worker.run(stopped).await;
                drop(sender.send(Ok(())));
            });
            n_tasks += 1;
        }
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Mutex::new(Some(runtime)),
            client,
            stop,
            ended: Mutex::new(ended),
            n_tasks,
        })
    }

    /// The error of a task that ended, such as a writer that was fenced; waits at most `within`.
    pub fn fault(&self, within: Duration) -> Option<NatsError> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.recv_timeout(within).ok()?.err()
    }

    /// The response of the cluster's writer to a request for edits.
    pub fn edit(&self, request: Vec<u8>) -> Vec<u8> {
        match self
            .handle
            .block_on(self.client.edit(request, EDIT_TIMEOUT))
        {
            Ok(response) => response.into(),
            Err(error) => unavailable(&error.to_string()),
        }
    }

    /// Takes no more requests, answers what was taken, and ends the tasks.
    pub fn close(&self) {
        let runtime = self
            .runtime
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(runtime) = runtime else {
            return;
        };
        self.stop.send_replace(true);
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..self.n_tasks {
            // One that ended before has left its result.
            drop(ended.recv_timeout(SHUTDOWN));
        }
        runtime.shutdown_timeout(SHUTDOWN);
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.close();
    }
}

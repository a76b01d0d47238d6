//! A queue of tiles to build.
//!
//! | name | what |
//! |---|---|
//! | stream `wayfarer-W-bake`, subject `wayfarer.W.bake` | tasks; each is gone once a worker acknowledged it |
//! | object store `wayfarer-W-bake` | orders, and the tiles that were built |
//!
//! A worker stores a tile before it acknowledges the task, and a task that is not acknowledged in time goes
//! to another worker: whichever is killed, every tile is stored in the end. A tile that is built
//! twice has the same bytes. What is missing or damaged when no task is left is ordered again.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, RetentionPolicy};
use async_nats::jetstream::{Context, Message};
use futures_util::StreamExt;
use tokio::runtime::{Builder, Runtime};
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};
use wayfarer::streaming::{Assembly, BakedTile, StreamedWorld, TileId, TileStore};

use super::store::context;
use super::{NatsError, Settings, objects};
use crate::bake::{BakeOrder, Sources};
use crate::log::Log;

/// How long a task may take before it goes to another worker.
const TASK: Duration = Duration::from_secs(10);
/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(10);
/// Between two looks at what is left.
const PAUSE: Duration = Duration::from_millis(200);
/// How often what is missing is ordered again.
const N_ROUNDS: u32 = 5;
/// Largest object that is read.
const MAX_BYTES: usize = 1 << 30;
/// Tasks published before their acknowledgments are awaited.
const N_PUBLISHED: usize = 256;

/// The queue of a world.
struct Queue {
    context: Context,
    settings: Settings,
    objects: ObjectStore,
    tasks: PullConsumer,
}

impl Queue {
    fn name(settings: &Settings) -> String {
        format!("{}-bake", settings.stream())
    }

    /// Creates the queue, or opens it if it exists.
    async fn create(client: &async_nats::Client, settings: &Settings) -> Result<Self, NatsError> {
        let context = context(client);
        let name = Self::name(settings);
        let tasks = stream::Config {
            name: name.clone(),
            subjects: vec![settings.subject("bake")],
            retention: RetentionPolicy::WorkQueue,
            num_replicas: settings.n_replicas,
            ..stream::Config::default()
        };
        let created = context.get_or_create_stream(tasks).await;
        created.map_err(|error| NatsError::store("no queue of tasks", error))?;
        if context.get_object_store(&name).await.is_err() {
            let objects = object_store::Config {
                bucket: name,
                num_replicas: settings.n_replicas,
                ..object_store::Config::default()
            };
            let created = context.create_object_store(objects).await;
            created.map_err(|error| NatsError::store("no object store", error))?;
        }
        Self::open(client, settings).await
    }

    /// Opens the queue.
    async fn open(client: &async_nats::Client, settings: &Settings) -> Result<Self, NatsError> {
        let context = context(client);
        let name = Self::name(settings);
        let failed = |error: &dyn std::fmt::Display| NatsError::store("the queue of tasks", error);
        let stream = context.get_stream(&name).await;
        let stream = stream.map_err(|error| failed(&error))?;
        let config = pull::Config {
            durable_name: Some("workers".to_owned()),
            ack_wait: TASK,
            ..pull::Config::default()
        };
        let tasks = stream.get_or_create_consumer("workers", config).await;
        let tasks = tasks.map_err(|error| failed(&error))?;
        let objects = context.get_object_store(&name).await;
        let objects = objects.map_err(|error| failed(&error))?;
        Ok(Self {
            context,
            settings: settings.clone(),
            objects,
            tasks,
        })
    }

    /// Publishes the tasks for tiles.
    async fn publish(&self, order: &str, tiles: &[TileId], round: u32) -> Result<(), NatsError> {
        let failed = |error: &dyn std::fmt::Display| NatsError::store("a task", error);
        for part in tiles.chunks(N_PUBLISHED) {
            let mut sent = Vec::with_capacity(part.len());
            for tile in part {
                let task = task(order, *tile);
                let publish = PublishMessage::build()
                    .message_id(format!("{task} {round}"))
                    .payload(task.into());
                let subject = self.settings.subject("bake");
                let publish = self.context.send_publish(subject, publish).await;
                sent.push(publish.map_err(|error| failed(&error))?);
            }
            for one in sent {
                let acknowledged = timeout(SILENCE, one).await;
                let acknowledged = acknowledged.map_err(|error| failed(&error))?;
                acknowledged.map_err(|error| failed(&error))?;
            }
        }
        Ok(())
    }

    /// Waits until no task is left.
    async fn wait(&self) -> Result<(), NatsError> {
        loop {
            let info = self.tasks.get_info().await;
            let info = info.map_err(|error| NatsError::store("the queue of tasks", error))?;
            if info.num_pending == 0 && info.num_ack_pending == 0 {
                return Ok(());
            }
            sleep(PAUSE).await;
        }
    }
}

/// A task: the name of the order, and the tile.
fn task(order: &str, tile: TileId) -> String {
    format!("{order} {} {}", tile.x, tile.y)
}

fn read_task(bytes: &[u8]) -> Option<(String, TileId)> {
    let mut words = std::str::from_utf8(bytes).ok()?.split(' ');
    let order = words.next().filter(|order| order.starts_with("order-"))?;
    let (x, y) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let is_end = words.next().is_none();
    is_end.then(|| (order.to_owned(), TileId { x, y }))
}

fn tile_name(order: &str, tile: TileId) -> String {
    format!("{order}_{}_{}", tile.x, tile.y)
}

/// Has the workers of a cluster build all tiles of a world, and assembles it in a store: equal to a
/// build on one machine. Needs at least one [`BakeWorker`], now or later. Returns when all tiles are there.
///
/// # Errors
/// The servers cannot be reached, tiles fail again and again, or the store failed.
pub fn bake(
    settings: &Settings,
    order: &BakeOrder,
    store: Box<dyn TileStore>,
) -> Result<StreamedWorld, NatsError> {
    runtime()?.block_on(bake_all(settings, order, store))
}

async fn bake_all(
    settings: &Settings,
    order: &BakeOrder,
    store: Box<dyn TileStore>,
) -> Result<StreamedWorld, NatsError> {
    let failed = |error: &dyn std::fmt::Display| NatsError::store("baking", error);
    let client = settings.connect("bake").await?;
    let queue = Queue::create(&client, settings).await?;
    let bytes = order.to_bytes().map_err(|error| failed(&error))?;
    let name = format!("order-{:016x}", digest(&bytes));
    objects::write(&queue.objects, &name, &bytes).await?;
    let mut missing = order.plan.tiles();
    let mut assembly = Assembly::new(&order.plan, store);
    let mut fault = None;
    for round in 0..N_ROUNDS {
        queue.publish(&name, &missing, round).await?;
        queue.wait().await?;
        let mut next = Vec::new();
        for tile in missing {
            match read_tile(&queue, &name, tile).await {
                Ok(baked) => assembly.add(baked).map_err(|error| failed(&error))?,
                Err(error) => {
                    fault = Some(error);
                    next.push(tile);
                }
            }
        }
        missing = next;
        if missing.is_empty() {
            let world = assembly.finish().map_err(|error| failed(&error))?;
            let name = Queue::name(settings);
            // What stays behind after a failure is replaced by the next order of the same content.
            drop(queue.context.delete_stream(&name).await);
            drop(queue.context.delete_object_store(&name).await);
            return Ok(world);
        }
    }
    Err(fault.unwrap_or_else(|| failed(&"tiles are missing")))
}

async fn read_tile(queue: &Queue, order: &str, tile: TileId) -> Result<BakedTile, NatsError> {
    let bytes = objects::read(&queue.objects, &tile_name(order, tile), MAX_BYTES).await?;
    let baked = BakedTile::load(&bytes);
    let baked = baked.map_err(|error| NatsError::store("a tile", error))?;
    match baked.tile() == tile {
        true => Ok(baked),
        false => Err(NatsError::store("a tile", "it is another one")),
    }
}

/// Builds tiles for [`bake`], whichever orders come. Dropping it ends it; a task that it has not finished goes to
/// another worker.
#[derive(Debug)]
pub struct BakeWorker(Runtime);

impl BakeWorker {
    /// Connects and starts.
    ///
    /// # Errors
    /// The settings are invalid, or no server is there.
    pub fn start(settings: &Settings, sources: Sources, log: Log) -> Result<Self, NatsError> {
        let runtime = runtime()?;
        let client = runtime.block_on(settings.connect("bake-worker"))?;
        let worker = Worker {
            client,
            settings: settings.clone(),
            sources,
            log,
        };
        runtime.spawn(async move { worker.run().await });
        Ok(Self(runtime))
    }

    /// Ends it.
    pub fn close(self) {
        self.0.shutdown_timeout(SILENCE);
    }
}

fn runtime() -> Result<Runtime, NatsError> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.map_err(|error| NatsError::Settings {
        reason: format!("no runtime: {error}"),
    })
}

struct Worker {
    client: async_nats::Client,
    settings: Settings,
    sources: Sources,
    log: Log,
}

impl Worker {
    async fn run(&self) {
        loop {
            if let Err(error) = self.work().await {
                self.log
                    .event("waiting", &[("reason", error.to_string().into())]);
            }
            sleep(PAUSE).await;
        }
    }

    /// Takes tasks one at a time while there is a queue.
    async fn work(&self) -> Result<(), NatsError> {
        let queue = Queue::open(&self.client, &self.settings).await?;
        let failed = |error: &dyn std::fmt::Display| NatsError::store("a task", error);
        let mut known: Option<(String, Arc<BakeOrder>)> = None;
        loop {
            let batch = queue.tasks.fetch().max_messages(1).expires(5 * PAUSE);
            let batch = batch.messages().await;
            let mut batch = batch.map_err(|error| failed(&error))?;
            let mut n_taken = 0;
            while let Some(message) = batch.next().await {
                let message = message.map_err(|error| failed(&error))?;
                n_taken += 1;
                self.build(&queue, &mut known, &message).await?;
            }
            if n_taken == 0 {
                // Idle: the queue may be gone.
                let info = queue.tasks.get_info().await;
                info.map_err(|error| failed(&error))?;
            }
        }
    }

    /// Builds the tile of a task, stores it and acknowledges.
    async fn build(
        &self,
        queue: &Queue,
        known: &mut Option<(String, Arc<BakeOrder>)>,
        message: &Message,
    ) -> Result<(), NatsError> {
        let failed = |error: &dyn std::fmt::Display| NatsError::store("a task", error);
        let task = read_task(&message.payload);
        if let Some((name, tile)) = task {
            let order = match known.as_ref().filter(|(known, _)| *known == name) {
                Some((_, order)) => Arc::clone(order),
                None => {
                    let bytes = objects::read(&queue.objects, &name, MAX_BYTES).await?;
                    let order = BakeOrder::from_bytes(&bytes).map_err(|error| failed(&error))?;
                    let order = Arc::new(order);
                    *known = Some((name.clone(), Arc::clone(&order)));
                    order
                }
            };
            match block_in_place(|| order.bake(&self.sources, tile)) {
                Ok(baked) => {
                    objects::write(&queue.objects, &tile_name(&name, tile), &baked.save()).await?;
                    let hash = format!("{:016x}", baked.hash());
                    let tile = tile.to_string();
                    self.log
                        .event("baked", &[("tile", tile.into()), ("hash", hash.into())]);
                }
                // The order learns it by the missing tile.
                Err(error) => {
                    let fields = [("reason", error.to_string().into())];
                    self.log.event("not baked", &fields);
                }
            }
        }
        let acknowledged = timeout(SILENCE, message.double_ack()).await;
        let acknowledged = acknowledged.map_err(|error| failed(&error))?;
        acknowledged.map_err(|error| failed(&error))
    }
}

/// The FNV-1a digest of bytes, for names.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |state, byte| {
        (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

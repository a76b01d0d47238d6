//! The writer: applies edits, appends them to the log, writes snapshots.

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Message, RequestErrorKind};
use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::task::{JoinHandle, block_in_place};
use tokio::time::{sleep, timeout};
use wayfarer::World;

use super::store::{self, Appended, Store};
use super::{NatsError, Settings};
use crate::follower::{Followed, Follower};
use crate::log::Log;
use crate::metrics::{Metrics, count};
use crate::record::{Record, Snapshot};
use crate::writer::{Writer, no_writer, unavailable};

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a live writer may take to say so.
const ALIVE: Duration = Duration::from_secs(2);
/// How long the log may be silent while it is read.
const SILENCE: Duration = Duration::from_secs(5);

/// How a writer keeps the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LogOptions {
    pub(super) hash_every: u64,
    pub(super) snapshot_every: u64,
    pub(super) keep_records: u64,
}

/// A writer before it has loaded the world.
pub(super) struct WriterTask {
    pub(super) client: async_nats::Client,
    pub(super) settings: Settings,
    pub(super) name: String,
    pub(super) options: LogOptions,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Log,
}

/// A writer whose claim is in the log.
struct Claimed {
    writer: Writer,
    store: Store,
    sequence: u64,
    snapshot: Option<JoinHandle<()>>,
    n_since_snapshot: u64,
}

impl WriterTask {
    /// Runs until `stop` turns true; `world` begins the log if there is none.
    ///
    /// # Errors
    /// Another writer is alive, or took over.
    pub(super) async fn run(
        self,
        world: Option<World>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), NatsError> {
        self.refuse_second().await?;
        let alive = self.client.subscribe(self.settings.subject("writer")).await;
        let mut alive = alive.map_err(|error| NatsError::store("no subscription", error))?;
        let edits = self.settings.subject("edit");
        let edits = self
            .client
            .queue_subscribe(edits, "writer".to_owned())
            .await;
        let mut edits = edits.map_err(|error| NatsError::store("no subscription", error))?;
        let client = self.client.clone();
        let name = self.name.clone();
        let answering = tokio::spawn(async move {
            while let Some(message) = alive.next().await {
                respond(&client, message, name.clone().into_bytes()).await;
            }
        });
        let ended = tokio::select! {
            ended = self.write(world, &mut edits) => ended,
            _ = stop.wait_for(|is_stopped| *is_stopped) => Ok(()),
        };
        answering.abort();
        if edits.drain().await.is_ok() {
            while let Ok(Some(edit)) = timeout(PAUSE, edits.next()).await {
                respond(&self.client, edit, no_writer("the writer stops")).await;
            }
        }
        drop(self.client.flush().await);
        ended
    }

    /// Refuses to run beside a live writer.
    async fn refuse_second(&self) -> Result<(), NatsError> {
        let subject = self.settings.subject("writer");
        let asked = self.client.request(subject, Vec::new().into());
        match timeout(ALIVE, asked).await {
            Ok(Ok(message)) => Err(NatsError::SecondWriter {
                by: String::from_utf8_lossy(&message.payload).into_owned(),
            }),
            Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders => Ok(()),
            // A writer that is subscribed but does not answer is stopped or cut off: the claim
            // fences it.
            _ => Ok(()),
        }
    }

    async fn write(
        &self,
        mut world: Option<World>,
        edits: &mut async_nats::Subscriber,
    ) -> Result<(), NatsError> {
        loop {
            let mut claimed = match self.claim(world.as_ref()).await {
                Ok(claimed) => claimed,
                Err(error) => {
                    self.log
                        .event("waiting", &[("reason", error.to_string().into())]);
                    sleep(PAUSE).await;
                    continue;
                }
            };
            world = None;
            let revision = claimed.writer.world().revision().number;
            self.log.event("writing", &[("revision", revision.into())]);
            while let Some(edit) = edits.next().await {
                if let Err(reason) = self.edit(&mut claimed, edit).await? {
                    self.log.event("reload", &[("reason", reason.into())]);
                    break;
                }
            }
        }
    }

    /// Loads the world up to the end of the log and appends the claim.
    async fn claim(&self, world: Option<&World>) -> Result<Claimed, NatsError> {
        let store = Store::create(&self.client, &self.settings).await?;
        let snapshot = match (store.newest_snapshot().await?, world) {
            (Some(snapshot), _) => snapshot,
            (None, Some(world)) => {
                let snapshot = Snapshot::new(world);
                let revision = world.revision().number;
                store.put_snapshot(revision, &snapshot, u64::MAX).await?;
                snapshot
            }
            (None, None) => return Err(NatsError::store("the snapshots", "none, and no world")),
        };
        let loaded = block_in_place(|| Follower::load(&snapshot));
        let mut follower = loaded.map_err(|error| NatsError::store("a snapshot", error))?;
        let last = store.last_sequence().await?;
        self.read_up_to(&store, &mut follower, last).await?;
        let writer = self.name.clone();
        let claim = Record::Claim { writer }.to_bytes();
        let id = format!("claim-{}-{last}", self.name);
        match store.append(&claim, &id, last).await {
            Appended::Accepted(sequence) => Ok(Claimed {
                writer: Writer::new(&follower, self.options.hash_every),
                store,
                sequence,
                snapshot: None,
                n_since_snapshot: sequence - snapshot.sequence.min(sequence),
            }),
            Appended::Fenced => Err(NatsError::Fenced { sequence: last + 1 }),
            Appended::Unknown(reason) => Err(NatsError::store("the claim", reason)),
        }
    }

    async fn read_up_to(
        &self,
        store: &Store,
        follower: &mut Follower,
        last: u64,
    ) -> Result<(), NatsError> {
        if follower.sequence() >= last {
            return Ok(());
        }
        let mut records = store.records(follower.sequence() + 1).await?;
        while follower.sequence() < last {
            let next = timeout(SILENCE, records.next()).await;
            let next = next.map_err(|error| NatsError::store("the records", error))?;
            let next = next.ok_or_else(|| NatsError::store("the records", "ended"))?;
            let message = next.map_err(|error| NatsError::store("the records", error))?;
            let (sequence, record) = store::read(&message)?;
            match block_in_place(|| follower.apply(sequence, &record)) {
                Followed::Applied { .. } | Followed::Repeated | Followed::Claimed { .. } => {}
                fault => return Err(NatsError::store("the records", format!("{fault:?}"))),
            }
        }
        Ok(())
    }

    /// Answers one request. The inner error is why the world must be loaded again.
    async fn edit(
        &self,
        claimed: &mut Claimed,
        edit: Message,
    ) -> Result<Result<(), String>, NatsError> {
        let proposed = block_in_place(|| claimed.writer.propose(&edit.payload));
        let proposal = match proposed {
            Ok(proposal) => proposal,
            Err(response) => {
                count(&self.metrics.edits_refused);
                respond(&self.client, edit, response).await;
                return Ok(Ok(()));
            }
        };
        let record = &proposal.record;
        let id = &proposal.message_id;
        match claimed.store.append(record, id, claimed.sequence).await {
            Appended::Accepted(sequence) => {
                count(&self.metrics.edits);
                claimed.sequence = sequence;
                claimed.writer.accept(&proposal);
                respond(&self.client, edit, proposal.response).await;
                self.snapshot(claimed);
                Ok(Ok(()))
            }
            Appended::Fenced => {
                respond(&self.client, edit, no_writer("another writer took over")).await;
                let sequence = claimed.sequence + 1;
                Err(NatsError::Fenced { sequence })
            }
            Appended::Unknown(reason) => {
                count(&self.metrics.edits_refused);
                respond(&self.client, edit, unavailable(&reason)).await;
                Ok(Err(reason))
            }
        }
    }

    /// Writes a snapshot beside the edits, every so many records.
    fn snapshot(&self, claimed: &mut Claimed) {
        claimed.n_since_snapshot += 1;
        let is_running = |task: &JoinHandle<()>| !task.is_finished();
        if claimed.n_since_snapshot < self.options.snapshot_every
            || claimed.snapshot.as_ref().is_some_and(is_running)
        {
            return;
        }
        claimed.n_since_snapshot = 0;
        let snapshot = block_in_place(|| claimed.writer.snapshot(claimed.sequence));
        let revision = claimed.writer.world().revision().number;
        let (store, log) = (claimed.store.clone(), self.log.clone());
        let (metrics, keep) = (Arc::clone(&self.metrics), self.options.keep_records);
        claimed.snapshot = Some(tokio::spawn(async move {
            match store.put_snapshot(revision, &snapshot, keep).await {
                Ok(()) => {
                    count(&metrics.snapshots);
                    log.event("snapshot", &[("revision", revision.into())]);
                }
                // The next one tries again; the log has every record until then.
                Err(error) => log.event("snapshot", &[("fault", error.to_string().into())]),
            }
        }));
    }
}

async fn respond(client: &async_nats::Client, message: Message, response: Vec<u8>) {
    if let Some(reply) = message.reply {
        // A client that is gone does not wait for its response.
        drop(client.publish(reply, response.into()).await);
    }
}

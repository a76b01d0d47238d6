//! The log and the snapshots of a world in JetStream.

use std::time::Duration;

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::{self, Context, stream};
use futures_util::StreamExt;
use tokio::time::{sleep, timeout};

use super::{NatsError, REQUEST_TIMEOUT, Settings, objects};
use crate::record::{Record, Snapshot};

/// Names of snapshots begin with this; the revision follows in 20 digits.
const PREFIX: &str = "snapshot-";
/// Snapshots kept.
const N_SNAPSHOTS: usize = 2;
/// Largest snapshot that is read.
const MAX_SNAPSHOT_BYTES: usize = 4 << 30;
/// How long a snapshot may take to arrive without a byte.
const SILENCE: Duration = Duration::from_secs(10);
/// How often an append is tried before its outcome counts as unknown.
const N_TRIES: u32 = 6;
/// How long the log drops repeats of a message id.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// What became of an append.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Appended {
    /// It is in the log under this sequence number.
    Accepted(u64),
    /// Another record has its place.
    Fenced,
    /// No server said.
    Unknown(String),
}

/// The log and the snapshots.
#[derive(Clone)]
pub(super) struct Store {
    context: Context,
    settings: Settings,
    stream: stream::Stream,
    objects: ObjectStore,
}

impl Store {
    /// Opens what a writer created.
    pub(super) async fn open(
        client: &async_nats::Client,
        settings: &Settings,
    ) -> Result<Self, NatsError> {
        let context = context(client);
        let name = settings.stream();
        let stream = context.get_stream(&name).await;
        let stream = stream.map_err(|error| NatsError::store("the log", error))?;
        let objects = context.get_object_store(&name).await;
        let objects = objects.map_err(|error| NatsError::store("the snapshots", error))?;
        Ok(Self {
            context,
            settings: settings.clone(),
            stream,
            objects,
        })
    }

    /// Creates the log and the snapshots, or opens them if they exist.
    pub(super) async fn create(
        client: &async_nats::Client,
        settings: &Settings,
    ) -> Result<Self, NatsError> {
        let context = context(client);
        let log = stream::Config {
            name: settings.stream(),
            subjects: vec![settings.subject("log")],
            num_replicas: settings.n_replicas,
            duplicate_window: DUPLICATE_WINDOW,
            deny_delete: true,
            ..stream::Config::default()
        };
        let objects = object_store::Config {
            bucket: settings.stream(),
            num_replicas: settings.n_replicas,
            ..object_store::Config::default()
        };
        let created = context.get_or_create_stream(log).await;
        created.map_err(|error| NatsError::store("the log cannot be created", error))?;
        if context.get_object_store(&settings.stream()).await.is_err() {
            let created = context.create_object_store(objects).await;
            created.map_err(|error| NatsError::store("no object store", error))?;
        }
        Self::open(client, settings).await
    }

    /// The sequence number of the last record; 0 if there is none.
    pub(super) async fn last_sequence(&self) -> Result<u64, NatsError> {
        let info = self.stream.get_info().await;
        let info = info.map_err(|error| NatsError::store("the state of the log", error))?;
        Ok(info.state.last_sequence)
    }

    /// Appends a record as the one after `last`. A repeat of the same message id is accepted once.
    pub(super) async fn append(&self, record: &[u8], id: &str, last: u64) -> Appended {
        let mut reason = String::new();
        for attempt in 0..N_TRIES {
            if attempt > 0 {
                sleep(Duration::from_millis(100 << attempt)).await;
            }
            match self.publish(record, id, last).await {
                Ok(sequence) => return Appended::Accepted(sequence),
                Err(Some(PublishErrorKind::WrongLastSequence)) => {
                    match self.message_id(last + 1).await {
                        // An earlier try was stored though its acknowledgment was lost.
                        Ok(Some(found)) if found == id => return Appended::Accepted(last + 1),
                        Ok(Some(_)) => return Appended::Fenced,
                        Ok(None) => "the place is neither free nor taken".clone_into(&mut reason),
                        Err(error) => reason = error.to_string(),
                    }
                }
                Err(kind) => {
                    reason = kind.map_or("no acknowledgment".to_owned(), |kind| kind.to_string());
                }
            }
        }
        Appended::Unknown(reason)
    }

    async fn publish(
        &self,
        record: &[u8],
        id: &str,
        last: u64,
    ) -> Result<u64, Option<PublishErrorKind>> {
        let publish = PublishMessage::build()
            .payload(record.to_vec().into())
            .message_id(id)
            .expected_last_sequence(last);
        let subject = self.settings.subject("log");
        let sent = self.context.send_publish(subject, publish).await;
        let acknowledged = timeout(REQUEST_TIMEOUT, sent.map_err(|error| Some(error.kind()))?);
        match acknowledged.await {
            Ok(Ok(ack)) => Ok(ack.sequence),
            Ok(Err(error)) => Err(Some(error.kind())),
            Err(_elapsed) => Err(None),
        }
    }

    /// The message id of a record; `None` if there is no such record.
    async fn message_id(&self, sequence: u64) -> Result<Option<String>, NatsError> {
        use async_nats::jetstream::stream::RawMessageErrorKind as Kind;
        match self.stream.get_raw_message(sequence).await {
            Ok(message) => {
                let id = message.headers.get("Nats-Msg-Id");
                Ok(Some(id.map(ToString::to_string).unwrap_or_default()))
            }
            Err(error) if error.kind() == Kind::NoMessageFound => Ok(None),
            Err(error) => Err(NatsError::store("a record", error)),
        }
    }

    /// The records from a sequence number on, in order.
    pub(super) async fn records(&self, from: u64) -> Result<Ordered, NatsError> {
        let config = OrderedConfig {
            filter_subject: self.settings.subject("log"),
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: from.max(1),
            },
            ..OrderedConfig::default()
        };
        let consumer = self.stream.create_consumer(config).await;
        let consumer = consumer.map_err(|error| NatsError::store("no consumer", error))?;
        let messages = consumer.messages().await;
        messages.map_err(|error| NatsError::store("no records", error))
    }

    /// The names of the snapshots, oldest first.
    async fn snapshot_names(&self) -> Result<Vec<String>, NatsError> {
        let failed = |error: &dyn std::fmt::Display| NatsError::store("the snapshots", error);
        let list = timeout(SILENCE, self.objects.list()).await;
        let list = list.map_err(|error| failed(&error))?;
        let mut list = list.map_err(|error| failed(&error))?;
        let mut names = Vec::new();
        loop {
            let next = timeout(SILENCE, list.next()).await;
            match next.map_err(|error| failed(&error))? {
                None => break,
                Some(info) => names.push(info.map_err(|error| failed(&error))?.name),
            }
        }
        names.retain(|name| name.starts_with(PREFIX));
        names.sort();
        Ok(names)
    }

    /// The newest snapshot; `None` if there is none.
    pub(super) async fn newest_snapshot(&self) -> Result<Option<Snapshot>, NatsError> {
        let names = self.snapshot_names().await?;
        let mut fault = None;
        for name in names.iter().rev() {
            match objects::read(&self.objects, name, MAX_SNAPSHOT_BYTES).await {
                Ok(bytes) => {
                    let snapshot = Snapshot::from_bytes(&bytes);
                    return snapshot
                        .map(Some)
                        .map_err(|error| NatsError::store("a snapshot", error));
                }
                Err(error) => fault = Some(error),
            }
        }
        fault.map_or(Ok(None), Err)
    }

    /// Writes a snapshot, drops all but the newest, and the records before the oldest that is kept.
    pub(super) async fn put_snapshot(
        &self,
        revision: u64,
        snapshot: &Snapshot,
        keep_records: u64,
    ) -> Result<(), NatsError> {
        let name = format!("{PREFIX}{revision:020}");
        objects::write(&self.objects, &name, &snapshot.to_bytes()).await?;
        let names = self.snapshot_names().await?;
        let n_dropped = names.len().saturating_sub(N_SNAPSHOTS);
        for name in &names[..n_dropped] {
            let deleted = self.objects.delete(name).await;
            deleted.map_err(|error| NatsError::store("an old snapshot", error))?;
        }
        if snapshot.sequence > keep_records {
            let purge = self
                .stream
                .purge()
                .sequence(snapshot.sequence - keep_records);
            let purged = purge.await;
            purged.map_err(|error| NatsError::store("old records", error))?;
        }
        Ok(())
    }
}

pub(super) fn context(client: &async_nats::Client) -> Context {
    let mut context = jetstream::new(client.clone());
    context.set_timeout(REQUEST_TIMEOUT);
    context
}

/// A message of the log: its sequence number and its record.
pub(super) fn read(message: &jetstream::Message) -> Result<(u64, Record), NatsError> {
    let info = message.info();
    let info = info.map_err(|error| NatsError::store("a record", error))?;
    let record = Record::from_bytes(&message.payload);
    let record = record.map_err(|error| NatsError::store("a record", error))?;
    Ok((info.stream_sequence, record))
}

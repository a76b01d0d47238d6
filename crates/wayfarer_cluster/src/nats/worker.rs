//! A worker: loads a snapshot, follows the log and answers queries.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Subject;
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};

use super::store::{self, Store};
use super::{NatsError, Settings};
use crate::follower::{Followed, Follower};
use crate::log::Log;
use crate::metrics::count;
use crate::pool::{Job, Pool};

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_millis(500);
/// How long the log may be silent before its end is looked at.
const SILENCE: Duration = Duration::from_secs(5);

/// A worker.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub(super) client: async_nats::Client,
    pub(super) settings: Settings,
    pub(super) pool: Arc<Pool>,
    pub(super) log: Log,
}

/// Why following ended.
enum End {
    /// Fetch again from the place where it stands.
    Refetch,
    /// Load a snapshot.
    Reload(String),
}

impl Worker {
    /// Runs until `stop` turns true.
    pub(super) async fn run(self, mut stop: watch::Receiver<bool>) {
        let (is_open, opened) = watch::channel(false);
        let queries = tokio::spawn(self.clone().answer(opened, stop.clone()));
        tokio::select! {
            () = self.follow(&is_open) => {}
            _ = stop.wait_for(|is_stopped| *is_stopped) => {}
        }
        // A fault of the task is reported by its own panic.
        drop(queries.await);
    }

    async fn follow(&self, is_open: &watch::Sender<bool>) {
        loop {
            match self.load().await {
                Ok((store, follower)) => {
                    count(&self.pool.metrics().reloads);
                    let revision = follower.world().revision().number;
                    self.log.event("loaded", &[("revision", revision.into())]);
                    self.pool.set_follower(Some(follower));
                    let reason = self.follow_log(&store, is_open).await;
                    self.log.event("reload", &[("reason", reason.into())]);
                }
                Err(error) => {
                    self.log
                        .event("waiting", &[("reason", error.to_string().into())]);
                }
            }
            self.pool.metrics().set_ready(false);
            is_open.send_replace(false);
            sleep(PAUSE).await;
        }
    }

    async fn load(&self) -> Result<(Store, Follower), NatsError> {
        let store = Store::open(&self.client, &self.settings).await?;
        let snapshot = store.newest_snapshot().await?;
        let snapshot = snapshot.ok_or_else(|| NatsError::store("the snapshots", "none yet"))?;
        let loaded = block_in_place(|| Follower::load(&snapshot));
        let follower = loaded.map_err(|error| NatsError::store("a snapshot", error))?;
        Ok((store, follower))
    }

    /// Follows the log until a snapshot is to be loaded; the reason.
    async fn follow_log(&self, store: &Store, is_open: &watch::Sender<bool>) -> String {
        let mut n_refetched = 0;
        loop {
            let before = self.sequence();
            match self.follow_from(store, before + 1, is_open).await {
                Ok(End::Reload(reason)) => return reason,
                Ok(End::Refetch) => {}
                Err(error) => {
                    self.log
                        .event("log", &[("reason", error.to_string().into())]);
                    sleep(PAUSE).await;
                }
            }
            // Without progress the log no longer has what is missing, or was replaced.
            n_refetched = if self.sequence() > before {
                0
            } else {
                n_refetched + 1
            };
            match store.last_sequence().await {
                Ok(last) if last < self.sequence() => return "the log is shorter".to_owned(),
                Ok(last) if last > self.sequence() && n_refetched > 3 => {
                    return "records are missing".to_owned();
                }
                _ => {}
            }
        }
    }

    fn sequence(&self) -> u64 {
        self.pool.read(Follower::sequence).unwrap_or(0)
    }

    async fn follow_from(
        &self,
        store: &Store,
        from: u64,
        is_open: &watch::Sender<bool>,
    ) -> Result<End, NatsError> {
        let mut target = store.last_sequence().await?;
        let mut records = store.records(from).await?;
        loop {
            if self.sequence() >= target && !*is_open.borrow() {
                self.log
                    .event("ready", &[("sequence", self.sequence().into())]);
                is_open.send_replace(true);
                self.pool.metrics().set_ready(true);
            }
            let Ok(next) = timeout(SILENCE, records.next()).await else {
                // Nothing new, or a consumer that lost its server: the end of the log tells.
                target = store.last_sequence().await?;
                match target > self.sequence() {
                    true => return Ok(End::Refetch),
                    false => continue,
                }
            };
            let message = next.ok_or_else(|| NatsError::store("the records", "ended"))?;
            let message = message.map_err(|error| NatsError::store("the records", error))?;
            let (sequence, record) = store::read(&message)?;
            match block_in_place(|| self.pool.apply(sequence, &record)) {
                Some(Followed::Gap { at, found }) => {
                    let members = [("revision", at.into()), ("found", found.into())];
                    self.log.event("gap", &members);
                    return Ok(End::Refetch);
                }
                Some(Followed::Diverged { reason }) => {
                    count(&self.pool.metrics().quarantines);
                    self.pool.set_follower(None);
                    return Ok(End::Reload(reason));
                }
                Some(Followed::Claimed { writer }) => {
                    self.log.event("writer", &[("name", writer.into())]);
                }
                Some(Followed::Applied { .. } | Followed::Repeated) => {}
                None => return Ok(End::Reload("no world".to_owned())),
            }
        }
    }

    /// Takes queries while `opened` is true; what was taken is answered in any case.
    async fn answer(self, mut opened: watch::Receiver<bool>, mut stop: watch::Receiver<bool>) {
        let (sender, responses) = mpsc::unbounded_channel();
        let publisher = tokio::spawn(publish(self.client.clone(), responses));
        loop {
            tokio::select! {
                changed = opened.wait_for(|is_open| *is_open) => if changed.is_err() { break },
                _ = stop.wait_for(|is_stopped| *is_stopped) => break,
            }
            let subject = self.settings.subject("query");
            let group = "workers".to_owned();
            let Ok(mut queries) = self.client.queue_subscribe(subject, group).await else {
                sleep(PAUSE).await;
                continue;
            };
            loop {
                tokio::select! {
                    query = queries.next() => match query {
                        Some(query) => self.submit(query, &sender),
                        None => break,
                    },
                    changed = opened.wait_for(|is_open| !*is_open) => {
                        drop(changed);
                        break;
                    }
                    _ = stop.wait_for(|is_stopped| *is_stopped) => break,
                }
            }
            // No more from here on, and an answer to all that came before.
            if queries.drain().await.is_ok() {
                while let Ok(Some(query)) = timeout(PAUSE, queries.next()).await {
                    self.submit(query, &sender);
                }
            }
        }
        drop(sender);
        drop(publisher.await);
    }

    fn submit(&self, query: async_nats::Message, sender: &mpsc::UnboundedSender<Reply>) {
        let Some(reply) = query.reply else {
            return;
        };
        let sender = sender.clone();
        self.pool.submit(Job {
            request: query.payload.into(),
            respond: Box::new(move |response| drop(sender.send((reply, response)))),
        });
    }
}

/// Where a response goes, and the response.
type Reply = (Subject, Vec<u8>);

async fn publish(client: async_nats::Client, mut responses: mpsc::UnboundedReceiver<Reply>) {
    while let Some((subject, response)) = responses.recv().await {
        // A client that is gone does not wait for its response.
        drop(client.publish(subject, response.into()).await);
    }
    drop(client.flush().await);
}

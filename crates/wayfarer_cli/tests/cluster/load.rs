//! Clients: one that edits, several that query, all with bounded waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::{JoinHandle, block_in_place};
use tokio::time::{sleep, timeout};
use wayfarer::Searcher;
use wayfarer_cluster::nats::{Client, ClientError};

use crate::model::{Model, Random, check};
use crate::now;
use crate::servers::{Cluster, Fault};

/// How long a client waits for one response.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long one edit may take with all its repeats. The writer tries an append for half a minute, and
/// nodes that hardly get a core take several elections for a leader.
const EDIT_LIMIT: Duration = Duration::from_secs(150);
/// Clients that query.
const N_CLIENTS: u64 = 4;
/// Pauses between two requests of a client: two cores carry all processes.
const QUERY_PAUSE: Duration = Duration::from_millis(4);
const EDIT_PAUSE: Duration = Duration::from_millis(40);

/// What happened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) n_edits: u64,
    pub(crate) n_repeated: u64,
    pub(crate) n_verified: u64,
    pub(crate) n_refused: u64,
    pub(crate) n_unanswered: u64,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.n_edits += other.n_edits;
        self.n_repeated += other.n_repeated;
        self.n_verified += other.n_verified;
        self.n_refused += other.n_refused;
        self.n_unanswered += other.n_unanswered;
    }
}

/// The clients' connection and what they compare with.
#[derive(Clone)]
pub(crate) struct Load {
    client: Client,
    model: Arc<Model>,
    is_stopped: Arc<AtomicBool>,
    fault: Arc<Mutex<Option<Fault>>>,
}

/// Clients that run.
pub(crate) struct Running {
    load: Load,
    tasks: Vec<JoinHandle<Result<Counts, Fault>>>,
}

impl Load {
    pub(crate) fn new(client: Client, model: Arc<Model>) -> Self {
        Self {
            client,
            model,
            is_stopped: Arc::default(),
            fault: Arc::default(),
        }
    }

    /// Waits until all workers answer: a request is answered several times in a row.
    pub(crate) async fn wait_for_workers(&self, within: Duration) -> Result<(), Fault> {
        let end = now() + within;
        let mut n_answered = 0;
        while n_answered < 20 {
            let request = json!({"query": "info"}).to_string().into_bytes();
            let found = self.client.query(request, PATIENCE).await;
            n_answered = if found.is_ok() { n_answered + 1 } else { 0 };
            if now() > end {
                return Err(format!("no workers after {within:?}: {found:?}"));
            }
            sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    /// Sends many requests at once, each a batch of `n_paths`: all are answered, and those that the slow
    /// worker has no room for are answered `busy`. How many.
    pub(crate) async fn flood(&self, n: usize, n_paths: usize) -> Result<usize, Fault> {
        let path = json!({
            "query": "path", "from": [0.5, 0.5, 0], "to": [47.5, 47.5, 0], "method": "dijkstra"
        });
        let request = json!({ "batch": vec![path; n_paths] }).to_string();
        let ask = |_| {
            let (client, request) = (self.client.clone(), request.clone().into_bytes());
            tokio::spawn(async move { client.query(request, Duration::from_secs(20)).await })
        };
        let asked: Vec<_> = (0..n).map(ask).collect();
        let mut n_busy = 0;
        for response in asked {
            let response = response.await.map_err(|error| error.to_string())?;
            let response = response.map_err(|error| format!("silence under load: {error}"))?;
            let response: Value =
                serde_json::from_slice(&response).map_err(|error| error.to_string())?;
            match response["error"]["name"].as_str() {
                None => {}
                Some("busy") => n_busy += 1,
                Some(other) => return Err(format!("{other} under load: {response}")),
            }
        }
        Ok(n_busy)
    }

    /// A client waits as long as it says, though requests to the servers of NATS end earlier.
    pub(crate) async fn wait_longer_than_the_connection(
        &self,
        cluster: &Cluster,
    ) -> Result<(), Fault> {
        let signal = |name| cluster.workers.iter().try_for_each(|one| one.signal(name));
        signal("-STOP")?;
        let client = self.client.clone();
        let request = json!({"query": "info"}).to_string().into_bytes();
        let asked = tokio::spawn(async move { client.query(request, PATIENCE * 10).await });
        sleep(PATIENCE * 3).await;
        signal("-CONT")?;
        let response = asked.await.map_err(|error| error.to_string())?;
        let failed = |error| format!("a client that would wait for 20 s gave up: {error}");
        response.map(drop).map_err(failed)
    }

    pub(crate) fn start(&self, seed: u64) -> Running {
        let editing = tokio::spawn(self.clone().edit(seed));
        let querying = (0..N_CLIENTS).map(|index| {
            let seed = seed.wrapping_mul(1_000).wrapping_add(index);
            tokio::spawn(self.clone().query(seed))
        });
        Running {
            tasks: querying.chain([editing]).collect(),
            load: self.clone(),
        }
    }

    /// The first fault of a client, while they run.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        let fault = self.fault.lock().expect("no client panics with the lock");
        fault.clone().map_or(Ok(()), Err)
    }

    fn report<T>(&self, result: Result<T, Fault>) -> Result<T, Fault> {
        if let Err(fault) = &result {
            let mut first = self.fault.lock().expect("no client panics with the lock");
            first.get_or_insert_with(|| fault.clone());
        }
        result
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// One edit after the other, each repeated with its id until it is accepted.
    async fn edit(self, seed: u64) -> Result<Counts, Fault> {
        let mut random = Random(seed ^ 0xed17);
        let mut counts = Counts::default();
        while !self.is_stopped() {
            let (request, revision) = self.model.next_edit(&mut random);
            let accepted = self.edit_once(&request, &revision, &mut counts).await;
            self.report(accepted)?;
            counts.n_edits += 1;
            // Some clients do not trust the response, and repeat.
            if random.below(8) == 0 {
                let again = self.edit_once(&request, &revision, &mut counts).await;
                self.report(again)?;
            }
            sleep(EDIT_PAUSE).await;
        }
        Ok(counts)
    }

    async fn edit_once(
        &self,
        request: &Value,
        revision: &Value,
        counts: &mut Counts,
    ) -> Result<(), Fault> {
        let end = now() + EDIT_LIMIT;
        let mut last = String::new();
        while now() < end {
            let bytes = request.to_string().into_bytes();
            match self.client.edit(bytes, Duration::from_secs(5)).await {
                Ok(response) => {
                    let response: Value =
                        serde_json::from_slice(&response).map_err(|error| error.to_string())?;
                    if response["error"].is_null() {
                        counts.n_repeated += u64::from(response["result"]["repeated"] == true);
                        return match response["revision"] == *revision {
                            true => Ok(()),
                            false => Err(format!("{request}: {response}, expected {revision}")),
                        };
                    }
                    last = response.to_string();
                    let name = response["error"]["name"].as_str().unwrap_or_default();
                    if !matches!(name, "unavailable" | "not_writer" | "shutting_down") {
                        return Err(format!("{request}: {response}"));
                    }
                }
                Err(error) => last = error.to_string(),
            }
            sleep(Duration::from_millis(200)).await;
        }
        Err(format!(
            "{request} was not accepted in {EDIT_LIMIT:?}: {last}"
        ))
    }

    async fn query(self, seed: u64) -> Result<Counts, Fault> {
        let mut client = Querying {
            random: Random(seed),
            searcher: Searcher::default(),
            kept: None,
            counts: Counts::default(),
        };
        while !self.is_stopped() {
            let asked = self.query_once(&mut client).await;
            self.report(asked)?;
            sleep(QUERY_PAUSE).await;
        }
        Ok(client.counts)
    }

    async fn query_once(&self, client: &mut Querying) -> Result<(), Fault> {
        let request = client.request(self.model.last_revision());
        let response = self
            .client
            .query(request.to_string().into_bytes(), PATIENCE);
        let response = match response.await {
            Ok(response) => response,
            // Processes are killed and stopped: the client asks again.
            Err(ClientError::TimedOut | ClientError::NoResponders) => {
                client.counts.n_unanswered += 1;
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        let response: Value =
            serde_json::from_slice(&response).map_err(|error| error.to_string())?;
        let name = response["error"]["name"].as_str().unwrap_or_default();
        if matches!(
            name,
            "busy" | "not_ready" | "behind" | "deadline_exceeded" | "shutting_down"
        ) {
            client.counts.n_refused += 1;
            return Ok(());
        }
        let number = response["revision"]["number"].as_u64().unwrap_or(u64::MAX);
        if request["min_revision"]
            .as_u64()
            .is_some_and(|least| number < least)
        {
            return Err(format!("{request}: {response} is older than wanted"));
        }
        let Some(world) = self.model.at(number) else {
            return Err(format!("{request}: {response} is of an unknown revision"));
        };
        block_in_place(|| check(&world, &mut client.searcher, &request, &response))?;
        client.counts.n_verified += 1;
        if response["result"]["path"].is_string() {
            client.kept = Some((request, response["result"]["path"].clone()));
        }
        Ok(())
    }
}

struct Querying {
    random: Random,
    searcher: Searcher,
    /// A path that was found, and the request for it.
    kept: Option<(Value, Value)>,
    counts: Counts,
}

impl Querying {
    fn request(&mut self, last: u64) -> Value {
        let (from, to) = (self.random.place(), self.random.place());
        let mut request = match (self.random.below(8), &self.kept) {
            (0, _) => json!({"query": "reachable", "from": from, "to": to}),
            (1, _) => json!({"query": "line_of_sight", "from": from, "to": to}),
            (2, Some((_, path))) => json!({"query": "status", "path": path}),
            (3, Some((request, path))) => {
                let mut request = request.clone();
                request["query"] = "repair".into();
                request["path"] = path.clone();
                request
            }
            (4, _) => {
                let path = json!({"query": "path", "from": from, "to": to});
                let sight = json!({"query": "line_of_sight", "from": to, "to": from});
                json!({"batch": [path, sight]})
            }
            (5, _) => json!({"query": "path", "from": from, "to": to, "method": "optimal"}),
            _ => json!({"query": "path", "from": from, "to": to, "keep": true}),
        };
        let members = request.as_object_mut().expect("requests are objects");
        members.remove("min_revision");
        members.remove("deadline_ms");
        if self.random.below(4) == 0 && last > 0 {
            members.insert("min_revision".to_owned(), (last - 1).into());
            members.insert("deadline_ms".to_owned(), 1_000.into());
        }
        request
    }
}

impl Running {
    /// Ends the clients; what they did.
    pub(crate) async fn stop(self) -> Result<Counts, Fault> {
        self.load.is_stopped.store(true, Ordering::Relaxed);
        let mut all = Counts::default();
        for task in self.tasks {
            let ended = timeout(EDIT_LIMIT + PATIENCE, task).await;
            let ended = ended.map_err(|error| format!("a client does not end: {error}"))?;
            all.add(ended.map_err(|error| error.to_string())??);
        }
        self.load.check().map(|()| all)
    }
}

//! The options of `serve` that join a cluster.

use std::sync::Arc;
#[cfg(feature = "nats")]
use std::time::Duration;

use clap::Args;
use signal_hook::iterator::Signals;
use wayfarer::World;
use wayfarer_cluster::http::{EditHandler, HttpServer};
use wayfarer_cluster::{Log, Pool};

use crate::command::connection::Connection;
use crate::failure::{Failure, Verdict};

/// How often a process of a cluster looks for a fault of its tasks.
#[cfg(feature = "nats")]
const LOOK: Duration = Duration::from_millis(200);

/// How to join a cluster.
#[derive(Args)]
#[command(next_help_heading = "Joining a cluster")]
pub(crate) struct Joining {
    #[command(flatten)]
    connection: Connection,
    /// Take edits: one process of a cluster does; WORLD begins the log if there is none
    #[arg(long, requires = "nats")]
    writer: bool,
    /// Answer no queries
    #[arg(long, requires = "writer")]
    no_worker: bool,
    /// The name of this process; its process id if not given
    #[arg(long, value_name = "NAME", requires = "nats")]
    name: Option<String>,
    /// Batches from one hash in the log to the next
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    hash_every: u64,
    /// Records from one snapshot to the next
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..))]
    snapshot_every: u64,
    /// Records that stay in the log before the newest snapshot
    #[arg(long, value_name = "N", default_value_t = 4096)]
    keep_records: u64,
}

impl Joining {
    /// True if no cluster is joined.
    pub(super) const fn is_alone(&self) -> bool {
        self.connection.is_none()
    }

    /// Runs a process of the cluster until a signal or a fault.
    #[cfg(feature = "nats")]
    pub(super) fn run(
        &self,
        world: Option<World>,
        pool: &Arc<Pool>,
        log: &Log,
        listen: impl FnOnce(EditHandler) -> Result<HttpServer, Failure>,
        signals: &mut Signals,
    ) -> Result<Verdict, Failure> {
        use wayfarer_cluster::nats::{Node, NodeOptions};
        let settings = self.connection.settings();
        let default = NodeOptions::default();
        let options = NodeOptions {
            name: self.name.clone().unwrap_or(default.name),
            is_worker: !self.no_worker,
            is_writer: self.writer,
            hash_every: self.hash_every,
            snapshot_every: self.snapshot_every,
            keep_records: self.keep_records,
        };
        let bad = |error: wayfarer_cluster::nats::NatsError| Failure::BadInput(error.to_string());
        let node = Node::start(&settings, &options, world, pool, log).map_err(bad)?;
        let node = Arc::new(node);
        let edits = Arc::clone(&node);
        let mut server = listen(Box::new(move |request| edits.edit(request)))?;
        let ended = loop {
            if let Some(fault) = node.fault(LOOK) {
                log.event("fault", &[("reason", fault.to_string().into())]);
                break Err(bad(fault));
            }
            if let Some(signal) = signals.pending().next() {
                log.event("stopping", &[("signal", signal.into())]);
                break Ok(Verdict::Done);
            }
        };
        node.close();
        server.close();
        ended
    }

    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    pub(super) fn run(
        &self,
        _world: Option<World>,
        _pool: &Arc<Pool>,
        _log: &Log,
        _listen: impl FnOnce(EditHandler) -> Result<HttpServer, Failure>,
        _signals: &mut Signals,
    ) -> Result<Verdict, Failure> {
        let reason =
            "this program was built without the feature nats: cargo wayfarer-cluster serve";
        Err(Failure::BadInput(reason.to_owned()))
    }
}

//! Worlds on many machines: the protocol, the edit log, replicas that follow it, and transports.
//!
//! A *writer* applies edits to its world and appends each batch to a log; *workers* load a snapshot,
//! follow the log and answer queries. Any number of workers answer for one world, each at the revision
//! that its answer states. Requests and responses are JSON, described in
//! `docs/design/cluster-protocol.md`; the log and snapshots are the bytes of the library.
//!
//! The core knows no transport and no async: [`respond`] is a function of a world and bytes,
//! [`Follower`] and [`Writer`] are state machines over records, [`Pool`] is a bounded queue before
//! threads with a searcher each. [`http`] serves them on one machine with the standard library alone;
//! the module `nats`, behind the feature of that name, on many.
//!
//! Exactly once: a record holds the revisions before and after its batch. A follower applies the record
//! that begins at its revision, ignores older ones and reports a gap otherwise. Records carry a hash of
//! the whole world every so many batches; a follower whose hash differs quarantines itself.

mod answer;
mod bake;
mod base64;
mod clock;
mod embedded;
mod follower;
pub mod http;
mod log;
mod metrics;
#[cfg(feature = "nats")]
pub mod nats;
mod pool;
mod protocol;
mod record;
mod writer;

pub use answer::respond;
pub use bake::{BakeError, BakeOrder, Sources, made_sources};
pub use embedded::Embedded;
pub use follower::{Followed, Follower};
pub use log::{Log, Member};
pub use metrics::Metrics;
pub use pool::{Job, Pool, PoolOptions};
pub use protocol::{
    ErrorKind, Failure, MAX_BATCH, MAX_DEADLINE_MS, MAX_EXPANSIONS, MAX_REQUEST_BYTES,
    MAX_RESPONSE_BYTES, RequestHead, WireRevision,
};
pub use record::{EditIds, Record, RecordError, Snapshot};
pub use writer::{Proposal, Writer};

//! A writer and its followers in one process: the log is the call that passes a record on.

use std::sync::{Arc, Mutex, PoisonError};

use wayfarer::{LoadError, World};

use crate::follower::Follower;
use crate::metrics::count;
use crate::pool::Pool;
use crate::record::{Record, Snapshot};
use crate::writer::{Writer, unavailable};

/// A world that one process edits and queries, by the protocol of a cluster.
#[derive(Debug)]
pub struct Embedded {
    pool: Arc<Pool>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    writer: Writer,
    sequence: u64,
}

impl Embedded {
    /// Serves a world through a pool.
    ///
    /// # Errors
    /// The world cannot be copied, which is a fault of ours.
    pub fn new(world: &World, hash_every: u64, pool: Arc<Pool>) -> Result<Self, LoadError> {
        let follower = Follower::load(&Snapshot::new(world))?;
        let writer = Writer::new(&follower, hash_every);
        pool.set_follower(Some(follower));
        pool.metrics().set_ready(true);
        let state = State {
            writer,
            sequence: 0,
        };
        Ok(Self {
            pool,
            state: Mutex::new(state),
        })
    }

    /// The response to a request for edits.
    pub fn edit(&self, request: &[u8]) -> Vec<u8> {
        let metrics = self.pool.metrics();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let proposal = match state.writer.propose(request) {
            Ok(proposal) => proposal,
            Err(response) => {
                count(&metrics.edits_refused);
                return response;
            }
        };
        state.sequence += 1;
        let record = Record::from_bytes(&proposal.record);
        let applied = record.map(|record| self.pool.apply(state.sequence, &record));
        match applied {
            Ok(Some(crate::Followed::Applied { .. })) => {
                count(&metrics.edits);
                state.writer.accept(&proposal);
                proposal.response
            }
            other => unavailable(&format!("the world does not follow: {other:?}")),
        }
    }
}

//! Objects of JetStream read and written whole, within a size and a time without a byte.

use std::time::Duration;

use async_nats::jetstream::object_store::ObjectStore;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use super::NatsError;

/// How long an object may take to arrive without a byte; it is stored in twice that.
const SILENCE: Duration = Duration::from_secs(10);

fn failed(error: &dyn std::fmt::Display) -> NatsError {
    NatsError::store("an object", error)
}

/// The bytes under a name, at most `limit`.
pub(super) async fn read(
    objects: &ObjectStore,
    name: &str,
    limit: usize,
) -> Result<Vec<u8>, NatsError> {
    let found = timeout(SILENCE, objects.get(name)).await;
    let found = found.map_err(|error| failed(&error))?;
    let mut found = found.map_err(|error| failed(&error))?;
    if found.info.size > limit {
        return Err(failed(&format!("larger than {} GiB", limit >> 30)));
    }
    let mut bytes = Vec::with_capacity(found.info.size);
    loop {
        let read = timeout(SILENCE, found.read_buf(&mut bytes)).await;
        let n_read = read.map_err(|error| failed(&error))?;
        if n_read.map_err(|error| failed(&error))? == 0 {
            return Ok(bytes);
        }
    }
}

/// Stores bytes under a name.
pub(super) async fn write(
    objects: &ObjectStore,
    name: &str,
    bytes: &[u8],
) -> Result<(), NatsError> {
    let mut rest = bytes;
    let put = timeout(2 * SILENCE, objects.put(name, &mut rest)).await;
    let put = put.map_err(|error| failed(&error))?;
    put.map(drop).map_err(|error| failed(&error))
}

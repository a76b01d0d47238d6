//! Where unloaded tiles are kept.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

/// Keeps named bytes: a directory of files, a database, an object store. `wayfarer_store` has a
/// directory of files.
///
/// Names consist of lower-case letters, digits, `-` and `_`. A save replaces what had the name, as a whole or
/// not at all.
pub trait TileStore: fmt::Debug + Send {
    /// The bytes of a name; `None` if there are none.
    ///
    /// # Errors
    /// The store failed.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreFault>;

    /// Keeps bytes under a name.
    ///
    /// # Errors
    /// The store failed.
    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), StoreFault>;

    /// Forgets a name; nothing happens if it is unknown.
    ///
    /// # Errors
    /// The store failed.
    fn remove(&mut self, name: &str) -> Result<(), StoreFault>;
}

/// A store that failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub struct StoreFault {
    /// What failed, and why.
    pub reason: String,
}

/// A store in memory, for tests and for worlds that end with the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryStore(BTreeMap<String, Vec<u8>>);

impl MemoryStore {
    /// The names and how many bytes each has.
    pub fn sizes(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.len()))
    }
}

impl TileStore for MemoryStore {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreFault> {
        Ok(self.0.get(name).cloned())
    }

    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), StoreFault> {
        self.0.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn remove(&mut self, name: &str) -> Result<(), StoreFault> {
        self.0.remove(name);
        Ok(())
    }
}

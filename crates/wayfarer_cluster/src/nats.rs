//! The cluster over NATS with JetStream.
//!
//! | name | what |
//! |---|---|
//! | stream `wayfarer-W`, subject `wayfarer.W.log` | the records of world W, in order |
//! | object store `wayfarer-W` | its snapshots |
//! | subject `wayfarer.W.query`, queue group `workers` | requests, each to one worker |
//! | subject `wayfarer.W.edit`, queue group `writer` | requests for edits |
//! | subject `wayfarer.W.writer` | answered by a live writer |
//! | stream and object store `wayfarer-W-bake`, subject `wayfarer.W.bake` | tiles to build, and those that were |
//!
//! A record is published with the sequence number that the log must have before it, so that of two
//! writers one is refused, and with a message id, so that the log drops repeats. A writer that is
//! refused or does not learn the outcome drops its world and never writes from it again.

mod bake;
mod client;
mod node;
mod objects;
mod store;
mod worker;
mod writer;

use std::path::PathBuf;
use std::time::Duration;

use async_nats::ConnectOptions;
use thiserror::Error;

pub use bake::{BakeWorker, bake};
pub use client::{Client, ClientError};
pub use node::{Node, NodeOptions};

/// Where the servers are and how to reach them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Addresses of servers, separated by commas: `nats://host:4222` or `tls://host:4222`. The first that has a
    /// user and a password, `nats://user:password@host:4222`, states them for all, or a token if it has no password.
    pub url: String,
    /// The name of the world: letters, digits, `-` and `_`.
    pub world: String,
    /// Copies of the log and the snapshots, 1 to 5; used by the writer that creates them.
    pub n_replicas: usize,
    /// A credentials file (JWT and seed).
    pub credentials: Option<PathBuf>,
    /// Certificates of authorities to trust besides those of the system.
    pub tls_ca: Option<PathBuf>,
    /// The client's certificate and key.
    pub tls_identity: Option<(PathBuf, PathBuf)>,
    /// True to refuse servers without TLS.
    pub requires_tls: bool,
}

impl Settings {
    /// A world on servers without TLS or credentials.
    pub fn new(url: &str, world: &str) -> Self {
        Self {
            url: url.to_owned(),
            world: world.to_owned(),
            n_replicas: 1,
            credentials: None,
            tls_ca: None,
            tls_identity: None,
            requires_tls: false,
        }
    }

    /// Connects; the client reconnects by itself from then on.
    ///
    /// # Errors
    /// The settings are invalid, or no server is there.
    pub(crate) async fn connect(&self, name: &str) -> Result<async_nats::Client, NatsError> {
        self.check()?;
        let setup = |error: &dyn std::fmt::Display| NatsError::Settings {
            reason: error.to_string(),
        };
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(Duration::from_secs(5))
            .request_timeout(Some(REQUEST_TIMEOUT))
            .ping_interval(Duration::from_secs(5))
            .require_tls(self.requires_tls);
        if let Some(path) = &self.credentials {
            let read = options.credentials_file(path).await;
            options = read.map_err(|error| setup(&error))?;
        }
        if let Some(path) = &self.tls_ca {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.tls_identity {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let servers: Result<Vec<async_nats::ServerAddr>, _> =
            self.url.split(',').map(|url| url.trim().parse()).collect();
        let servers = servers.map_err(|error| setup(&error))?;
        // The client does not take them from the address by itself.
        let user = servers
            .iter()
            .find_map(|one| Some((one.username()?, one.password())));
        if let Some((user, password)) = user {
            let user = decoded(user);
            options = match password {
                Some(password) => options.user_and_password(user, decoded(password)),
                None => options.token(user),
            };
        }
        let client = options.connect(servers).await;
        client.map_err(|error| NatsError::Unreachable {
            reason: error.to_string(),
        })
    }

    fn check(&self) -> Result<(), NatsError> {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let is_name = (1..=64).contains(&self.world.len()) && self.world.bytes().all(is_letter);
        match (is_name, self.n_replicas) {
            (true, 1..=5) => Ok(()),
            (false, _) => Err(NatsError::Settings {
                reason: format!(
                    "world `{}`, expected 1 to 64 letters, digits, - and _",
                    self.world
                ),
            }),
            (true, n_replicas) => Err(NatsError::Settings {
                reason: format!("{n_replicas} replicas, expected 1 to 5"),
            }),
        }
    }

    fn subject(&self, what: &str) -> String {
        format!("wayfarer.{}.{what}", self.world)
    }

    fn stream(&self) -> String {
        format!("wayfarer-{}", self.world)
    }
}

/// A part of an address without its percent-encoding.
fn decoded(part: &str) -> String {
    let digits = |pair: Option<&[u8]>| {
        let pair = std::str::from_utf8(pair?).ok()?;
        u8::from_str_radix(pair, 16).ok()
    };
    let (mut bytes, mut rest) = (Vec::new(), part.as_bytes());
    while let Some((first, others)) = rest.split_first() {
        let encoded = digits(others.get(..2)).filter(|_| *first == b'%');
        bytes.push(encoded.unwrap_or(*first));
        rest = others
            .get(2..)
            .filter(|_| encoded.is_some())
            .unwrap_or(others);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How long a request to a server may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// A fault of the cluster.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NatsError {
    /// The settings are invalid.
    #[error("{reason}")]
    Settings {
        /// What is wrong.
        reason: String,
    },
    /// No server is there, or it does not answer.
    #[error("the NATS servers cannot be reached: {reason}")]
    Unreachable {
        /// The reason.
        reason: String,
    },
    /// The log or the snapshots cannot be read or written now.
    #[error("{what}: {reason}")]
    Store {
        /// What was done.
        what: &'static str,
        /// The reason.
        reason: String,
    },
    /// Another writer is alive.
    #[error("the world has a writer: {by}")]
    SecondWriter {
        /// Its name.
        by: String,
    },
    /// Another writer wrote to the log.
    #[error("another writer wrote record {sequence} of the log: this one stops")]
    Fenced {
        /// The sequence number that was taken.
        sequence: u64,
    },
}

impl NatsError {
    fn store(what: &'static str, error: impl std::fmt::Display) -> Self {
        Self::Store {
            what,
            reason: error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn users_of_addresses_are_decoded() {
        for (part, expected) in [
            ("town", "town"),
            ("p%40ss%3aword", "p@ss:word"),
            ("50%", "50%"),
            ("%zz%4", "%zz%4"),
            ("%c3%a9", "\u{e9}"),
        ] {
            assert_eq!(super::decoded(part), expected);
        }
    }
}

//! The options of every command that connects to NATS.

use std::path::PathBuf;

use clap::Args;

/// Where the servers are, and how to reach them.
#[derive(Args)]
#[command(next_help_heading = "Joining a cluster")]
pub(super) struct Connection {
    /// Servers of NATS with JetStream, separated by commas
    #[arg(long, value_name = "URLS")]
    nats: Option<String>,
    /// The name of the world: letters, digits, - and _
    #[arg(long = "world", value_name = "NAME", default_value = "world")]
    world_name: String,
    /// Copies of what the servers keep, 1 to 5; counts when it is created
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=5))]
    replicas: u64,
    /// Credentials file of NATS
    #[arg(long, value_name = "FILE", requires = "nats")]
    creds: Option<PathBuf>,
    /// Refuse servers without TLS
    #[arg(long, requires = "nats")]
    tls: bool,
    /// Certificates to trust besides those of the system
    #[arg(long, value_name = "FILE", requires = "nats")]
    tls_ca: Option<PathBuf>,
    /// Certificate of this process
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Key of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl Connection {
    /// True if no servers are named.
    pub(super) const fn is_none(&self) -> bool {
        self.nats.is_none()
    }

    #[cfg(feature = "nats")]
    pub(super) fn settings(&self) -> wayfarer_cluster::nats::Settings {
        use wayfarer_cluster::nats::Settings;
        Settings {
            n_replicas: usize::try_from(self.replicas).unwrap_or(usize::MAX),
            credentials: self.creds.clone(),
            tls_ca: self.tls_ca.clone(),
            tls_identity: self.tls_cert.clone().zip(self.tls_key.clone()),
            requires_tls: self.tls,
            ..Settings::new(self.nats.as_deref().unwrap_or_default(), &self.world_name)
        }
    }
}

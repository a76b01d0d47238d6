//! A client: requests to whichever worker, edits to the writer.

use std::time::Duration;

use async_nats::{Request, RequestErrorKind};
use bytes::Bytes;
use thiserror::Error;
use tokio::time::timeout;

use super::{NatsError, Settings};

/// Why there is no response.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// No worker or writer is there.
    #[error("no process of the cluster answers for the world")]
    NoResponders,
    /// None answered in time; an edit may have been accepted: repeat it with the same id.
    #[error("no response in time")]
    TimedOut,
    /// The connection failed.
    #[error("{reason}")]
    Connection {
        /// The reason.
        reason: String,
    },
}

/// A connection of a client. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Client {
    nats: async_nats::Client,
    settings: Settings,
}

impl Client {
    /// Connects.
    ///
    /// # Errors
    /// The settings are invalid, or no server is there.
    pub async fn connect(settings: &Settings) -> Result<Self, NatsError> {
        Ok(Self {
            nats: settings.connect("wayfarer client").await?,
            settings: settings.clone(),
        })
    }

    /// The response of a worker.
    ///
    /// # Errors
    /// There is none in time.
    pub async fn query(&self, request: Vec<u8>, within: Duration) -> Result<Bytes, ClientError> {
        self.request("query", request, within).await
    }

    /// The response of the writer.
    ///
    /// # Errors
    /// There is none in time.
    pub async fn edit(&self, request: Vec<u8>, within: Duration) -> Result<Bytes, ClientError> {
        self.request("edit", request, within).await
    }

    async fn request(
        &self,
        what: &str,
        request: Vec<u8>,
        within: Duration,
    ) -> Result<Bytes, ClientError> {
        // Else the time of the connection ends it, too.
        let request = Request::new().payload(request.into()).timeout(None);
        let asked = self.nats.send_request(self.settings.subject(what), request);
        let Ok(response) = timeout(within, asked).await else {
            return Err(ClientError::TimedOut);
        };
        match response {
            Ok(message) => Ok(message.payload),
            Err(error) => Err(match error.kind() {
                RequestErrorKind::NoResponders => ClientError::NoResponders,
                RequestErrorKind::TimedOut => ClientError::TimedOut,
                _ => ClientError::Connection {
                    reason: error.to_string(),
                },
            }),
        }
    }
}

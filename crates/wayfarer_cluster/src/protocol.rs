//! The wire types of requests and responses, and their limits.
//!
//! They are a boundary of their own: converted by hand from and to the types of the library, so that
//! neither changes the other by accident. `docs/design/cluster-protocol.md` describes them for users of
//! any language.

mod edit;
mod shape;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wayfarer::{EditError, NoPath, RequestError, Revision};

pub(crate) use edit::{EditRequest, EditResult, categories};
pub(crate) use shape::{FootprintWire, GoalWire};

/// Most bytes of a request.
pub const MAX_REQUEST_BYTES: usize = 256 * 1024;
/// Most bytes of a response; below the default limit of a NATS server.
pub const MAX_RESPONSE_BYTES: usize = 1000 * 1000;
/// Most queries of one request.
pub const MAX_BATCH: usize = 256;
/// Largest deadline.
pub const MAX_DEADLINE_MS: u64 = 60_000;
/// Largest budget of a query, and the budget of one that states none.
pub const MAX_EXPANSIONS: u64 = 1_000_000;
/// Most bodies of a response.
pub(crate) const MAX_BODIES: usize = 10_000;
/// Most edits of a batch, and most moves.
pub(crate) const MAX_EDITS: usize = 1_024;
/// Longest id of an edit request, in bytes.
pub(crate) const MAX_ID_BYTES: usize = 64;

/// A position on the wire.
pub(crate) type At = [f64; 3];

/// A request: one query, or a list of them. Which members a query has depends on its kind; a query of
/// a list has neither list, deadline nor least revision of its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    pub(crate) min_revision: Option<u64>,
    pub(crate) deadline_ms: Option<u64>,
    pub(crate) batch: Option<Vec<Self>>,
    pub(crate) query: Option<Kind>,
    pub(crate) from: Option<At>,
    pub(crate) to: Option<GoalWire>,
    #[serde(default)]
    pub(crate) agent_type: usize,
    #[serde(default)]
    pub(crate) method: MethodWire,
    pub(crate) budget: Option<u64>,
    #[serde(default)]
    pub(crate) partial: PartialWire,
    #[serde(default = "yes")]
    pub(crate) smoothing: bool,
    /// True to return the path as bytes, for `status` and `repair`.
    #[serde(default)]
    pub(crate) keep: bool,
    /// The bytes of a path.
    pub(crate) path: Option<String>,
    pub(crate) footprint: Option<FootprintWire>,
    pub(crate) team: Option<u8>,
    pub(crate) enemies_of: Option<u8>,
    /// Categories to find; all if there are none.
    pub(crate) categories: Option<Vec<u8>>,
}

const fn yes() -> bool {
    true
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Path,
    Status,
    Repair,
    Reachable,
    Bodies,
    LineOfSight,
    Info,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MethodWire {
    #[default]
    Bounded,
    Optimal,
    Jps,
    AStar,
    Dijkstra,
    AnyAngle,
    Hierarchical,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PartialWire {
    #[default]
    Never,
    NearestOctile,
    NearestEuclidean,
}

/// What a worker must know of a request before it reads the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RequestHead {
    /// The least revision that may answer; 0 if any may.
    pub min_revision: u64,
    /// How long the request is worth an answer.
    pub deadline: Option<Duration>,
}

impl Request {
    /// Reads a request.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let request: Self = read(bytes)?;
        match (&request.batch, request.query) {
            (Some(batch), None) => check_batch(batch)?,
            (None, Some(_)) => {}
            _ => return Err(Failure::malformed("expected either `query` or `batch`")),
        }
        Ok(request)
    }

    pub(crate) fn head(&self) -> RequestHead {
        let deadline = self.deadline_ms.map(|ms| ms.min(MAX_DEADLINE_MS));
        RequestHead {
            min_revision: self.min_revision.unwrap_or(0),
            deadline: deadline.map(Duration::from_millis),
        }
    }
}

fn check_batch(batch: &[Request]) -> Result<(), Failure> {
    if batch.len() > MAX_BATCH {
        let message = format!("{} queries, expected at most {MAX_BATCH}", batch.len());
        return Err(Failure::new(ErrorKind::TooLarge, message));
    }
    let is_plain = |one: &Request| {
        one.query.is_some()
            && one.batch.is_none()
            && one.min_revision.is_none()
            && one.deadline_ms.is_none()
    };
    match batch.iter().all(is_plain) {
        true => Ok(()),
        false => Err(Failure::malformed(
            "expected `query` in each of `batch`, and no `batch`, `min_revision` or `deadline_ms`",
        )),
    }
}

/// A value of the wire; refuses what is too large before it reads it.
pub(crate) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Failure> {
    if bytes.len() > MAX_REQUEST_BYTES {
        let message = format!(
            "{} bytes, expected at most {MAX_REQUEST_BYTES}",
            bytes.len()
        );
        return Err(Failure::new(ErrorKind::TooLarge, message));
    }
    serde_json::from_slice(bytes).map_err(|error| Failure::malformed(error.to_string()))
}

/// A revision on the wire: the branch in hexadecimal, since it does not fit a number of JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WireRevision {
    /// Batches applied.
    pub number: u64,
    /// Which batches they were, in 16 hexadecimal digits.
    pub branch: String,
}

impl From<Revision> for WireRevision {
    fn from(revision: Revision) -> Self {
        Self {
            number: revision.number,
            branch: format!("{:016x}", revision.branch),
        }
    }
}

/// The errors of the protocol, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is no JSON of the schema.
    Malformed,
    /// The request or its response exceeds a limit.
    TooLarge,
    /// A value of the request is invalid in this world.
    Invalid,
    /// No path exists.
    Unreachable,
    /// The budget ended before the search did.
    OutOfBudget,
    /// The deadline passed.
    DeadlineExceeded,
    /// The worker has not reached the least revision.
    Behind,
    /// The queue of the worker is full.
    Busy,
    /// The worker has no world that it trusts.
    NotReady,
    /// The bytes of a path are damaged or of another world.
    BadPath,
    /// The world refused the edits.
    Rejected,
    /// There is no writer here, or another one replaced it.
    NotWriter,
    /// The log did not confirm; the same request with the same id may be repeated.
    Unavailable,
    /// The process stops.
    ShuttingDown,
    /// No such address.
    NotFound,
    /// A fault of the worker, which goes on.
    Internal,
}

/// An error on the wire.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// Which error.
    pub name: ErrorKind,
    /// What was found and what was expected.
    pub message: String,
}

impl Failure {
    pub(crate) fn new(name: ErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { name, message }
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Malformed, message)
    }

    pub(crate) fn missing(member: &str) -> Self {
        Self::malformed(format!("the member `{member}` is missing"))
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::new(ErrorKind::Invalid, error.to_string())
    }
}

impl From<NoPath> for Failure {
    fn from(error: NoPath) -> Self {
        let name = match &error {
            NoPath::Unreachable => ErrorKind::Unreachable,
            NoPath::OutOfBudget { .. } => ErrorKind::OutOfBudget,
            _ => ErrorKind::Invalid,
        };
        Self::new(name, error.to_string())
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        Self::new(ErrorKind::Rejected, error.to_string())
    }
}

impl From<wayfarer::BodyError> for Failure {
    fn from(error: wayfarer::BodyError) -> Self {
        Self::new(ErrorKind::Invalid, error.to_string())
    }
}

/// A response: the revision that it is right for, and a result or an error.
#[derive(Serialize)]
pub(crate) struct Response<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) revision: Option<WireRevision>,
    #[serde(flatten)]
    pub(crate) content: Content<T>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Content<T> {
    Result(T),
    Error(Failure),
}

impl<T> From<Result<T, Failure>> for Content<T> {
    fn from(result: Result<T, Failure>) -> Self {
        match result {
            Ok(result) => Self::Result(result),
            Err(failure) => Self::Error(failure),
        }
    }
}

/// The bytes of a response; one that is too large is an error instead.
pub(crate) fn write<T: Serialize>(
    revision: Option<Revision>,
    result: Result<T, Failure>,
) -> Vec<u8> {
    let to_bytes = |content| {
        let revision = revision.map(WireRevision::from);
        serde_json::to_vec(&Response { revision, content })
    };
    let too_large = || {
        let message = format!("the response exceeds {MAX_RESPONSE_BYTES} bytes");
        let failure = Failure::new(ErrorKind::TooLarge, message);
        serde_json::to_vec(&Response::<()> {
            revision: revision.map(WireRevision::from),
            content: Content::Error(failure),
        })
    };
    match to_bytes(result.into()) {
        Ok(bytes) if bytes.len() <= MAX_RESPONSE_BYTES => bytes,
        _ => too_large().expect("text and numbers are JSON"),
    }
}

/// The bytes of a response without a result.
pub(crate) fn write_failure(revision: Option<Revision>, failure: Failure) -> Vec<u8> {
    write::<()>(revision, Err(failure))
}

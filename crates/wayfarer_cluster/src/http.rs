//! The protocol over HTTP/1.1 on one machine, with the standard library alone.
//!
//! | method, path | |
//! |---|---|
//! | `POST /query` | a request, its response |
//! | `POST /edit` | a request for edits, its response |
//! | `GET /health` | 200 while the process runs |
//! | `GET /ready` | 200 if queries are answered, else 503 |
//! | `GET /metrics` | counters as Prometheus text |
//!
//! A thread serves each connection, at most [`MAX_CONNECTIONS`]; connections are kept alive. Everything
//! that is read has a limit in bytes and in time.

mod message;

use std::io::{self, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::pool::{Job, Pool};
use crate::protocol::{ErrorKind, Failure, write_failure};
use message::{ReadError, Request, Response};

/// Most connections at a time; the next is closed with 503.
pub const MAX_CONNECTIONS: usize = 256;
/// How long a connection may be idle, or a request take to arrive.
const IDLE: Duration = Duration::from_secs(30);

/// Takes a request for edits and returns its response.
pub type EditHandler = Box<dyn Fn(Vec<u8>) -> Vec<u8> + Send + Sync>;

/// A server on one address. Dropping it ends it.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    is_closed: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

struct Service {
    pool: Arc<Pool>,
    edit: EditHandler,
    n_connections: AtomicUsize,
    is_closed: Arc<AtomicBool>,
}

impl HttpServer {
    /// Serves a pool and edits on an address; port 0 takes a free one.
    ///
    /// # Errors
    /// The address cannot be had.
    pub fn start(address: SocketAddr, pool: Arc<Pool>, edit: EditHandler) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let is_closed = Arc::new(AtomicBool::new(false));
        let service = Arc::new(Service {
            pool,
            edit,
            n_connections: AtomicUsize::new(0),
            is_closed: Arc::clone(&is_closed),
        });
        let thread = std::thread::spawn(move || accept(&listener, &service));
        Ok(Self {
            address,
            is_closed,
            thread: Some(thread),
        })
    }

    /// The address.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more connections; those that are open end with their request.
    pub fn close(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
        let Some(thread) = self.thread.take() else {
            return;
        };
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address));
        drop(thread.join());
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.close();
    }
}

fn accept(listener: &TcpListener, service: &Arc<Service>) {
    for stream in listener.incoming() {
        if service.is_closed.load(Ordering::Relaxed) {
            return;
        }
        // A client that went away is its own matter.
        let Ok(stream) = stream else {
            continue;
        };
        let service = Arc::clone(service);
        if service.n_connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            service.n_connections.fetch_sub(1, Ordering::Relaxed);
            let failure = Failure::new(ErrorKind::Busy, "too many connections");
            drop(Response::json(503, write_failure(None, failure)).write(&mut &stream, false));
            continue;
        }
        std::thread::spawn(move || {
            drop(serve(&stream, &service));
            service.n_connections.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Answers the requests of a connection until it ends.
fn serve(stream: &TcpStream, service: &Service) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let (response, is_kept) = match Request::read(&mut reader) {
            Ok(None) => return Ok(()),
            Ok(Some(request)) => {
                let is_kept = request.is_kept && !service.is_closed.load(Ordering::Relaxed);
                (service.respond(request), is_kept)
            }
            Err(ReadError::Io(error)) => return Err(error),
            Err(ReadError::Bad(status, failure)) => {
                (Response::json(status, write_failure(None, failure)), false)
            }
        };
        response.write(&mut &*stream, is_kept)?;
        if !is_kept {
            return Ok(());
        }
    }
}

impl Service {
    fn respond(&self, request: Request) -> Response {
        let metrics = self.pool.metrics();
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/query") => {
                let response = self.query(request.body);
                Response::json(status(&response), response)
            }
            ("POST", "/edit") => {
                let response = (self.edit)(request.body);
                Response::json(status(&response), response)
            }
            ("GET", "/health") => Response::text(200, "ok\n".to_owned()),
            ("GET", "/ready") if metrics.is_ready() => Response::text(200, "ready\n".to_owned()),
            ("GET", "/ready") => Response::text(503, "not ready\n".to_owned()),
            ("GET", "/metrics") => Response::text(200, metrics.render()),
            (_, path) => {
                let message = format!(
                    "{path}: expected POST /query, POST /edit, GET /health, /ready or /metrics"
                );
                let failure = Failure::new(ErrorKind::NotFound, message);
                Response::json(404, write_failure(None, failure))
            }
        }
    }

    fn query(&self, request: Vec<u8>) -> Vec<u8> {
        let (sender, receiver) = mpsc::channel();
        let respond = Box::new(move |response| drop(sender.send(response)));
        self.pool.submit(Job { request, respond });
        receiver.recv().unwrap_or_else(|_error| {
            let failure = Failure::new(ErrorKind::ShuttingDown, "the worker stops");
            write_failure(None, failure)
        })
    }
}

/// The status of a response: 200 for a result and for an error that is one, as an unreachable goal.
fn status(response: &[u8]) -> u16 {
    #[derive(serde::Deserialize)]
    struct Head {
        error: Option<Failure>,
    }
    let head: Option<Head> = serde_json::from_slice(response).ok();
    match head.and_then(|head| head.error).map(|error| error.name) {
        None | Some(ErrorKind::Unreachable | ErrorKind::OutOfBudget) => 200,
        Some(ErrorKind::Malformed | ErrorKind::Invalid | ErrorKind::BadPath) => 400,
        Some(ErrorKind::Rejected | ErrorKind::NotWriter) => 409,
        Some(ErrorKind::TooLarge) => 413,
        Some(ErrorKind::NotFound) => 404,
        Some(ErrorKind::DeadlineExceeded) => 504,
        Some(ErrorKind::Internal) => 500,
        Some(_) => 503,
    }
}

#[cfg(test)]
mod tests;

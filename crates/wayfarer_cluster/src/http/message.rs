//! HTTP/1.1 messages, as far as the server needs them: bodies by `Content-Length`.

use std::io::{self, BufRead, Read, Write};

use crate::protocol::{ErrorKind, Failure, MAX_REQUEST_BYTES};

/// Most bytes of the request line and the headers.
const MAX_HEAD_BYTES: u64 = 16 * 1024;

/// A request.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
    /// True if the connection goes on after it.
    pub(super) is_kept: bool,
}

/// A request that could not be read.
pub(super) enum ReadError {
    Io(io::Error),
    /// The status and the error to answer with.
    Bad(u16, Failure),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn bad(status: u16, name: ErrorKind, message: &str) -> ReadError {
    ReadError::Bad(status, Failure::new(name, message))
}

impl Request {
    /// Reads a request; `None` at the end of the connection.
    pub(super) fn read(reader: &mut impl BufRead) -> Result<Option<Self>, ReadError> {
        let malformed = |message| bad(400, ErrorKind::Malformed, message);
        let mut head = reader.take(MAX_HEAD_BYTES);
        let Some(first) = line(&mut head)? else {
            return Ok(None);
        };
        let mut words = first.split(' ');
        let (method, path, version) = (words.next(), words.next(), words.next());
        let (Some(method), Some(path), Some(version)) = (method, path, version) else {
            return Err(malformed("expected `METHOD PATH HTTP/1.1`"));
        };
        if !matches!(version, "HTTP/1.1" | "HTTP/1.0") || words.next().is_some() {
            return Err(malformed("expected `METHOD PATH HTTP/1.1`"));
        }
        let (mut length, mut is_kept) = (0, version == "HTTP/1.1");
        loop {
            let header = line(&mut head)?.ok_or_else(|| malformed("the headers do not end"))?;
            if header.is_empty() {
                break;
            }
            let (name, value) = header
                .split_once(':')
                .ok_or_else(|| malformed("a header without a colon"))?;
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => {
                    let number = value.parse::<usize>();
                    length = number.map_err(|_error| malformed("a bad Content-Length"))?;
                }
                "transfer-encoding" => {
                    return Err(bad(411, ErrorKind::Malformed, "expected a Content-Length"));
                }
                "connection" if value.eq_ignore_ascii_case("close") => is_kept = false,
                "connection" if value.eq_ignore_ascii_case("keep-alive") => is_kept = true,
                _ => {}
            }
        }
        let (method, path) = (method.to_owned(), path.to_owned());
        if length > MAX_REQUEST_BYTES {
            let message = format!("expected at most {MAX_REQUEST_BYTES} bytes");
            return Err(bad(413, ErrorKind::TooLarge, &message));
        }
        let mut body = vec![0; length];
        head.into_inner().read_exact(&mut body)?;
        Ok(Some(Self {
            method,
            path,
            body,
            is_kept,
        }))
    }
}

/// The next line without its end; `None` at the end.
fn line(reader: &mut impl BufRead) -> Result<Option<String>, ReadError> {
    let mut bytes = Vec::new();
    reader.read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.pop() != Some(b'\n') {
        return Err(bad(
            431,
            ErrorKind::TooLarge,
            "the head of the request is too long",
        ));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_error| bad(400, ErrorKind::Malformed, "a header is no UTF-8"))?;
    Ok(Some(text))
}

/// A response.
pub(super) struct Response {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Response {
    pub(super) const fn json(status: u16, body: Vec<u8>) -> Self {
        Self {
            status,
            kind: "application/json",
            body,
        }
    }

    pub(super) fn text(status: u16, text: String) -> Self {
        Self {
            status,
            kind: "text/plain; version=0.0.4",
            body: text.into_bytes(),
        }
    }

    pub(super) fn write(&self, stream: &mut impl Write, is_kept: bool) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            404 => "Not Found",
            409 => "Conflict",
            413 => "Content Too Large",
            500 => "Internal Server Error",
            503 => "Service Unavailable",
            504 => "Gateway Timeout",
            _ => "Error",
        };
        let connection = if is_kept { "keep-alive" } else { "close" };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
             Connection: {connection}\r\n\r\n",
            self.status,
            self.kind,
            self.body.len(),
        );
        // One write: one packet for small responses.
        stream.write_all(&[head.as_bytes(), &self.body].concat())?;
        stream.flush()
    }
}

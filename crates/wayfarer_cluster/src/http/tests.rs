//! The server over real sockets on loopback.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};

use wayfarer::prelude::*;

use super::*;
use crate::{Embedded, Metrics, PoolOptions};

fn server() -> HttpServer {
    let map = b"type octile\nheight 3\nwidth 9\nmap\n.........\n.........\n.........\n";
    let world = World::import("yard.map", map, Scale::UNIT).unwrap();
    let options = PoolOptions {
        n_threads: 1,
        capacity: 16,
    };
    let pool = Arc::new(Pool::new(options, Arc::new(Metrics::default())));
    let embedded = Embedded::new(&world, 1, Arc::clone(&pool)).unwrap();
    let edit: EditHandler = Box::new(move |request| embedded.edit(&request));
    HttpServer::start((Ipv4Addr::LOCALHOST, 0).into(), pool, edit).unwrap()
}

/// Sends bytes and reads until the server closes.
fn exchange(server: &HttpServer, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(bytes).unwrap();
    let mut text = String::new();
    // A server that closes before it has read all may reset the connection.
    drop(stream.read_to_string(&mut text));
    text
}

fn post(path: &str, body: &str, connection: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\nConnection: {connection}\r\n\r\n{body}",
        body.len()
    )
}

const PATH: &str = r#"{"query":"path","from":[0.5,0.5,0],"to":[8.5,0.5,0]}"#;

#[test]
fn queries_and_edits_share_a_connection_and_the_state_is_shown() {
    let server = server();
    let wall = r#"{"edits":[{"add_wall":{"from":[3,0,0],"to":[3,2,0]}}]}"#;
    let requests = [
        post("/query", PATH, "keep-alive"),
        post("/edit", wall, "keep-alive"),
        post("/query", PATH, "keep-alive"),
        "GET /health HTTP/1.1\r\n\r\nGET /ready HTTP/1.1\r\n\r\n".to_owned(),
        "GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
    ];
    let text = exchange(&server, requests.concat().as_bytes());
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 6, "{text}");
    for part in [
        "\"cost\":8.0",
        "\"revision\":{\"number\":1",
        "ok\n",
        "ready\n",
        "wayfarer_queries_total 2",
        "wayfarer_revision 1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_is_no_request_or_too_large_is_refused_by_name() {
    let server = server();
    let long_line = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
    let cases = [
        ("hello\r\n\r\n".to_owned(), "400", "malformed"),
        (
            "GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
            "404",
            "not_found",
        ),
        (post("/query", "{", "close"), "400", "malformed"),
        (
            "POST /query HTTP/1.1\r\nContent-Length: 300000\r\n\r\n".to_owned(),
            "413",
            "too_large",
        ),
        (
            "POST /query HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned(),
            "411",
            "malformed",
        ),
        (long_line, "431", "too_large"),
    ];
    for (request, status, name) in cases {
        let text = exchange(&server, request.as_bytes());
        assert!(
            text.starts_with(&format!("HTTP/1.1 {status}")),
            "{request}: {text}"
        );
        assert!(text.contains(name), "{request}: {text}");
    }
}

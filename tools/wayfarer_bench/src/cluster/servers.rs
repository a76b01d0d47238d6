//! The processes of the benchmark, ended with it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use wayfarer::World;
use wayfarer_measure::clock::Timer;

/// The name of the world.
pub(super) const WORLD: &str = "bench";
/// How long a process may take to be ready.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that ends when it is dropped.
struct Process(Child);

impl Process {
    fn start(program: &Path, words: &[String]) -> Result<Self, String> {
        let child = Command::new(program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        child
            .map(Self)
            .map_err(|error| format!("{}: {error}", program.display()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that ended by itself is gone.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A server of NATS, a writer, and workers.
pub(super) struct Servers {
    workers: Vec<Process>,
    _writer: Process,
    _nats: Process,
    folder: PathBuf,
    port: u16,
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.workers.clear();
        // Left behind, it is a folder in the system's own for such.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn free_port() -> Result<u16, String> {
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    Ok(address.port())
}

impl Servers {
    /// Starts the server and a writer with the world, both without workers.
    pub(super) fn start(server: &Path, world: &World) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("wayfarer-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let port = free_port()?;
        let configuration = format!(
            "listen: 127.0.0.1:{port}\njetstream {{ store_dir: \"{}\" }}\n",
            folder.join("store").display()
        );
        let file = folder.join("nats.conf");
        std::fs::write(&file, configuration).map_err(|error| error.to_string())?;
        let nats = Process::start(server, &["-c".to_owned(), file.display().to_string()])?;
        wait_until(|| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok())?;
        let saved = folder.join("bench.wayfarer");
        std::fs::write(&saved, world.save()).map_err(|error| error.to_string())?;
        let more = format!(
            "--writer --no-worker --listen 127.0.0.1:0 --snapshot-every 1000000 {}",
            saved.display()
        );
        let writer = serve(port, &more)?;
        Ok(Self {
            workers: Vec::new(),
            _writer: writer,
            _nats: nats,
            folder,
            port,
        })
    }

    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Replaces the workers; milliseconds until all answer.
    pub(super) fn set_workers(
        &mut self,
        n: usize,
        n_threads: usize,
        timer: &Timer,
    ) -> Result<f64, String> {
        self.workers.clear();
        let ports: Vec<u16> = (0..n).map(|_| free_port()).collect::<Result<_, _>>()?;
        let (started, nanoseconds) = timer.time_of_all(|| {
            for port in &ports {
                let more = format!("--threads {n_threads} --listen 127.0.0.1:{port}");
                self.workers.push(serve(self.port, &more)?);
            }
            let is_ready = |port: &u16| is_ready(*port).unwrap_or(false);
            wait_until(|| ports.iter().all(is_ready))
        });
        started.map(|()| nanoseconds / 1e6)
    }
}

/// A process of the cluster: this program.
fn serve(port: u16, more: &str) -> Result<Process, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let words = format!("serve --nats nats://127.0.0.1:{port} --world {WORLD} {more}");
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    Process::start(&program, &words)
}

fn is_ready(port: u16) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(b"GET /ready HTTP/1.1\r\nConnection: close\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text.starts_with("HTTP/1.1 200"))
}

fn wait_until(is_so: impl Fn() -> bool) -> Result<(), String> {
    let end = now() + PATIENCE;
    while !is_so() {
        if now() > end {
            return Err("a process is not ready in time".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub(super) fn now() -> Instant {
    Instant::now()
}

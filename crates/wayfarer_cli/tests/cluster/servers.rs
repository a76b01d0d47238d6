//! The processes: started, killed, stopped and ended by the test.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::time::sleep;

use crate::model::Model;
use crate::now;

/// A fault of the cluster or of the test, in words.
pub(crate) type Fault = String;
/// The name of the world.
pub(crate) const WORLD: &str = "yard";
/// Nodes of NATS, and workers.
pub(crate) const N: usize = 3;

/// A process that is started with the same words each time.
pub(crate) struct Process {
    pub(crate) name: String,
    program: PathBuf,
    words: Vec<String>,
    folder: PathBuf,
    child: Option<Child>,
}

impl Process {
    pub(crate) fn new(name: &str, program: &Path, words: &[String], folder: &Path) -> Self {
        Self {
            name: name.to_owned(),
            program: program.to_owned(),
            words: words.to_vec(),
            folder: folder.to_owned(),
            child: None,
        }
    }

    pub(crate) fn start(&mut self) -> Result<(), Fault> {
        let path = self.folder.join(format!("{}.log", self.name));
        let log = File::options().create(true).append(true).open(&path);
        let log = log.map_err(|error| format!("{}: {error}", path.display()))?;
        let child = Command::new(&self.program)
            .args(&self.words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        let failed = |error| format!("{}: {error}", self.program.display());
        self.child = Some(child.map_err(failed)?);
        Ok(())
    }

    /// Kills it without a chance to say anything.
    pub(crate) fn kill(&mut self) -> Result<(), Fault> {
        let Some(mut child) = self.child.take() else {
            return Ok(());
        };
        let killed = child.kill().and_then(|()| child.wait());
        killed
            .map(drop)
            .map_err(|error| format!("{}: {error}", self.name))
    }

    /// Sends a signal by name.
    pub(crate) fn signal(&self, signal: &str) -> Result<(), Fault> {
        let Some(child) = &self.child else {
            return Ok(());
        };
        let pid = child.id().to_string();
        let status = Command::new("kill").args([signal, &pid]).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            other => Err(format!("kill {signal} {}: {other:?}", self.name)),
        }
    }

    /// Waits for its end; its exit code, or `None` after the time.
    pub(crate) async fn ended(&mut self, within: Duration) -> Option<i32> {
        let end = now() + within;
        while now() < end {
            if let Ok(Some(status)) = self.child.as_mut()?.try_wait() {
                self.child = None;
                return Some(status.code().unwrap_or(-1));
            }
            sleep(Duration::from_millis(50)).await;
        }
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.kill());
    }
}

/// All processes of the test.
pub(crate) struct Cluster {
    pub(crate) servers: Vec<Process>,
    pub(crate) workers: Vec<Process>,
    pub(crate) writer: Process,
    pub(crate) second_writer: Process,
    ports: Vec<u16>,
    worker_ports: Vec<u16>,
}

pub(crate) fn free_ports(n: usize) -> Result<Vec<u16>, Fault> {
    let listeners: Result<Vec<_>, _> = (0..n)
        .map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
        .collect();
    let listeners = listeners.map_err(|error| format!("no ports: {error}"))?;
    let ports = listeners
        .iter()
        .map(|one| one.local_addr().map(|at| at.port()));
    ports
        .collect::<Result<_, _>>()
        .map_err(|error| format!("no ports: {error}"))
}

/// The configuration of a node.
fn configuration(index: usize, ports: &[u16], routes: &[u16], folder: &Path) -> String {
    let routes_of: Vec<String> = routes
        .iter()
        .map(|port| format!("nats://127.0.0.1:{port}"))
        .collect();
    format!(
        "server_name: n{index}\nlisten: 127.0.0.1:{}\n\
         jetstream {{ store_dir: \"{}\", max_mem: 64MB, max_file: 1GB }}\n\
         cluster {{ name: wayfarer, listen: 127.0.0.1:{}, routes: [{}] }}\n",
        ports[index],
        folder.join(format!("store-{index}")).display(),
        routes[index],
        routes_of.join(", ")
    )
}

impl Cluster {
    /// Starts the nodes, the writer with the world of the model, and the workers; the last worker is
    /// slow: one thread and a short queue.
    pub(crate) fn start(model: &Model) -> Result<Self, Fault> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster");
        if folder.exists() {
            let removed = fs::remove_dir_all(&folder);
            removed.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let write = |path: &Path, bytes: &[u8]| {
            fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
        };
        let made = fs::create_dir_all(&folder);
        made.map_err(|error| format!("{}: {error}", folder.display()))?;
        let program = server_program();
        let ports = free_ports(3 * N)?;
        let (clients, others) = ports.split_at(N);
        let (routes, worker_ports) = others.split_at(N);
        let mut servers = Vec::new();
        for index in 0..N {
            let path = folder.join(format!("n{index}.conf"));
            write(
                &path,
                configuration(index, clients, routes, &folder).as_bytes(),
            )?;
            let words = ["-c".to_owned(), path.display().to_string()];
            servers.push(Process::new(
                &format!("n{index}"),
                &program,
                &words,
                &folder,
            ));
        }
        let world = folder.join("yard.wayfarer");
        write(&world, &model.initial())?;
        let ours = Path::new(env!("CARGO_BIN_EXE_wayfarer"));
        let urls = urls(clients);
        let words = |more: &str| -> Vec<String> {
            let common = format!("serve --nats {urls} --world {WORLD} {more}");
            common.split_whitespace().map(str::to_owned).collect()
        };
        let writer = |name: &str| {
            let more = format!(
                "--writer --no-worker --replicas 3 --hash-every 8 --snapshot-every 32 \
                 --keep-records 16 --listen 127.0.0.1:0 --name {name} {}",
                world.display()
            );
            Process::new(name, ours, &words(&more), &folder)
        };
        let workers = (0..N).map(|index| {
            let size = match index + 1 {
                N => "--threads 1 --queue 4",
                _ => "--threads 2 --queue 512",
            };
            let port = worker_ports[index];
            let more = format!("{size} --listen 127.0.0.1:{port} --name w{index}");
            Process::new(&format!("w{index}"), ours, &words(&more), &folder)
        });
        let mut cluster = Self {
            servers,
            workers: workers.collect(),
            writer: writer("writer"),
            second_writer: writer("second"),
            ports: clients.to_vec(),
            worker_ports: worker_ports.to_vec(),
        };
        for server in &mut cluster.servers {
            server.start()?;
        }
        cluster.wait_for_ports()?;
        cluster.writer.start()?;
        for worker in &mut cluster.workers {
            worker.start()?;
        }
        Ok(cluster)
    }

    /// The addresses of the nodes.
    pub(crate) fn urls(&self) -> String {
        urls(&self.ports)
    }

    /// Workers that build tiles, not started.
    pub(crate) fn bake_workers(&self) -> [Process; 2] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster");
        let words = format!("tiles --worker --nats {} --world {WORLD}", self.urls());
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let ours = Path::new(env!("CARGO_BIN_EXE_wayfarer"));
        ["b0", "b1"].map(|name| Process::new(name, ours, &words, &folder))
    }

    fn wait_for_ports(&self) -> Result<(), Fault> {
        self.ports.iter().try_for_each(|port| wait_for_port(*port))
    }

    /// The hash of each worker at a revision.
    pub(crate) async fn hashes(
        &self,
        revision: u64,
        within: Duration,
    ) -> Result<Vec<(String, String)>, Fault> {
        let end = now() + within;
        let mut hashes = Vec::new();
        for (worker, port) in self.workers.iter().zip(&self.worker_ports) {
            loop {
                let request = format!(r#"{{"query":"info","min_revision":{revision}}}"#);
                let found = exchange(*port, "POST /query", &request).unwrap_or_default();
                let hash = found
                    .split("\"hash\":\"")
                    .nth(1)
                    .and_then(|rest| rest.get(..16));
                if let Some(hash) = hash {
                    hashes.push((worker.name.clone(), hash.to_owned()));
                    break;
                }
                if now() > end {
                    return Err(format!("{} is not at {revision}: {found}", worker.name));
                }
                sleep(Duration::from_millis(200)).await;
            }
        }
        Ok(hashes)
    }

    /// The sum of a counter over the workers.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let value = |port: &u16| {
            let text = exchange(*port, "GET /metrics", "").unwrap_or_default();
            let start = format!("wayfarer_{name} ");
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(&start).map(str::to_owned));
            line.and_then(|value| value.trim().parse().ok())
                .unwrap_or(0)
        };
        self.worker_ports.iter().map(value).sum()
    }

    /// Ends the processes of ours as a user does, and expects that they end well.
    pub(crate) fn stop(mut self) -> Result<(), Fault> {
        let ours = self.workers.iter_mut().chain([&mut self.writer]);
        for process in ours {
            process.signal("-TERM")?;
            let Some(mut child) = process.child.take() else {
                return Err(format!("{} does not run", process.name));
            };
            let status = child.wait().map_err(|error| error.to_string())?;
            if !status.success() {
                return Err(format!("{} ended with {status}", process.name));
            }
        }
        Ok(())
    }
}

/// The last lines that each process wrote.
pub(crate) fn ends_of_logs() -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "log"));
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let log = fs::read_to_string(&path).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        let end = &lines[lines.len().saturating_sub(12)..];
        text += &format!("{}:\n{}\n", path.display(), end.join("\n"));
    }
    text
}

/// The program of NATS.
pub(crate) fn server_program() -> PathBuf {
    let program = std::env::var_os("WAYFARER_NATS_SERVER");
    PathBuf::from(program.unwrap_or_else(|| "nats-server".into()))
}

/// Waits until a server listens.
pub(crate) fn wait_for_port(port: u16) -> Result<(), Fault> {
    let end = now() + Duration::from_secs(20);
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        if now() > end {
            return Err(format!("no server on port {port}"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn urls(ports: &[u16]) -> String {
    let urls = ports.iter().map(|port| format!("nats://127.0.0.1:{port}"));
    urls.collect::<Vec<_>>().join(",")
}

/// The response of a worker to one HTTP request.
pub(crate) fn exchange(port: u16, what: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let length = body.len();
    let request =
        format!("{what} HTTP/1.1\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

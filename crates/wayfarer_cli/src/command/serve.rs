//! `wayfarer serve`: answers queries about a world over HTTP, alone or as a process of a cluster.

mod cluster;

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use wayfarer::{Position, Scale, World};
use wayfarer_cluster::http::{EditHandler, HttpServer};
use wayfarer_cluster::{Embedded, Log, Metrics, Pool, PoolOptions};
use wayfarer_engine::formats::movingai_map;
use wayfarer_engine::make::{GeneratedWorld, Generator, Recipe, make};

use crate::failure::{Failure, Verdict};
use cluster::Joining;

/// Answer queries about a world over HTTP, alone or in a cluster
///
/// Without options it serves the world on this machine alone: queries and edits as JSON by POST to
/// /query and /edit, and /health, /ready and /metrics. With --nats it joins a cluster: workers answer
/// queries of any NATS client, one writer takes edits. Ctrl-C ends it, after it has answered what it
/// took.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer serve                                     a made city on 127.0.0.1:7411
  wayfarer serve brc202d.map --cell 0.5 --listen 127.0.0.1:8000
  wayfarer serve town.map --nats nats://a:4222,nats://b:4222 --writer --replicas 3
  wayfarer serve --nats nats://a:4222 --world town   another worker, which needs no file

Requests and responses: docs/design/cluster-protocol.md. Three machines: docs/guide/cluster.md.
--nats needs a program built with the feature nats: cargo wayfarer-cluster serve ...")]
pub(crate) struct Serve {
    /// The world: any format that is read; a made city if not given
    world: Option<PathBuf>,
    /// Side of a cell of an imported world, in units
    #[arg(long, value_name = "UNITS", default_value_t = 1.0)]
    cell: f64,
    /// Address for HTTP; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7411")]
    listen: SocketAddr,
    /// Threads that search; the number of cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
    /// Requests that may wait; the next is answered busy
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    queue: u64,
    /// Write the world to FILE when it ends, in the format of `save`; not with --nats
    #[arg(long, value_name = "FILE", conflicts_with = "nats")]
    save: Option<PathBuf>,
    #[command(flatten)]
    joining: Joining,
}

impl Serve {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        // Before the first thread, so that no signal is missed.
        let mut signals = Signals::new([SIGINT, SIGTERM])
            .map_err(|error| Failure::OurFault(format!("no signals: {error}")))?;
        let log = Log::new(|line| {
            // A closed stderr does not end the server.
            writeln!(std::io::stderr(), "{line}").ok();
        });
        let default = PoolOptions::default();
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let options = PoolOptions {
            n_threads: self.threads.map_or(default.n_threads, number),
            capacity: number(self.queue),
        };
        let pool = Arc::new(Pool::new(options, Arc::new(Metrics::default())));
        match self.joining.is_alone() {
            true => self.alone(&pool, &log, &mut signals),
            false => {
                let world = self.world.as_deref();
                let world = world.map(|path| self.load(path)).transpose()?;
                let listen = |edit| self.listen(&pool, edit, &log);
                self.joining.run(world, &pool, &log, listen, &mut signals)
            }
        }
    }

    fn alone(
        &self,
        pool: &Arc<Pool>,
        log: &Log,
        signals: &mut Signals,
    ) -> Result<Verdict, Failure> {
        let world = match &self.world {
            Some(path) => self.load(path)?,
            None => made_city(self.cell)?,
        };
        let embedded = Embedded::new(&world, 64, Arc::clone(pool));
        let embedded = embedded.map_err(|error| Failure::OurFault(error.to_string()))?;
        let embedded = Arc::new(embedded);
        let edits = Arc::clone(&embedded);
        let edit: EditHandler = Box::new(move |request| edits.edit(&request));
        let mut server = self.listen(pool, edit, log)?;
        print_trial(&world, server.address());
        let signal = signals.forever().next();
        log.event("stopping", &[("signal", signal.into())]);
        server.close();
        if let Some(path) = &self.save {
            let saved = pool.read(|follower| follower.world().save());
            let saved = saved.ok_or_else(|| Failure::OurFault("no world to save".to_owned()))?;
            wayfarer_store::write_files(&[(path.clone(), saved)])
                .map_err(|error| Failure::for_file(path, error))?;
        }
        Ok(Verdict::Done)
    }

    fn listen(
        &self,
        pool: &Arc<Pool>,
        edit: EditHandler,
        log: &Log,
    ) -> Result<HttpServer, Failure> {
        let started = HttpServer::start(self.listen, Arc::clone(pool), edit);
        let server =
            started.map_err(|error| Failure::BadInput(format!("{}: {error}", self.listen)))?;
        let address = server.address().to_string();
        log.event("listening", &[("address", address.into())]);
        Ok(server)
    }

    /// A saved world, or one of any format that the library imports.
    fn load(&self, path: &Path) -> Result<World, Failure> {
        let bytes = std::fs::read(path).map_err(|error| Failure::for_file(path, error))?;
        if let Ok(world) = World::load(&bytes) {
            return Ok(world);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let imported = World::import(&name, &bytes, Scale::meters(self.cell));
        imported.map_err(|error| Failure::for_file(path, error))
    }
}

fn made_city(cell: f64) -> Result<World, Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::OurFault(error.to_string());
    let made = make(&Recipe::new(Generator::City, 256, 192, 1)).map_err(|error| fault(&error))?;
    let GeneratedWorld::Flat(map) = made else {
        return Err(fault(&"the made city is not flat"));
    };
    let map = movingai_map::write(&map);
    let world = World::import("city.map", map.as_bytes(), Scale::meters(cell));
    world.map_err(|error| Failure::BadInput(error.to_string()))
}

/// Prints a line to try: a path between the first and the last place of the map that are connected.
fn print_trial(world: &World, address: SocketAddr) {
    let Some((from, to)) = trial_ends(world) else {
        return;
    };
    let shown = |at: Position| {
        let [x, y, z] = at.units();
        format!("[{x},{y},{z}]")
    };
    let request = format!(
        r#"{{"query":"path","from":{},"to":{}}}"#,
        shown(from),
        shown(to)
    );
    let lines = format!(
        "serving on http://{address}; try\n  curl -s http://{address}/query -d '{request}'\n"
    );
    // A closed stdout does not end the server.
    std::io::stdout().write_all(lines.as_bytes()).ok();
    std::io::stdout().flush().ok();
}

fn trial_ends(world: &World) -> Option<(Position, Position)> {
    let cell = world.scale().cell;
    let at = |x: i32, y: i32| {
        let place = |cells: i32| (f64::from(cells) + 0.5) * cell;
        let at = Position::new(place(x), place(y), 0.0);
        world.project_to_floor(wayfarer::AgentTypeId::DEFAULT, at)
    };
    let places = (0..64).flat_map(|sum| (0..=sum).map(move |x| (x, sum - x)));
    let from = places.into_iter().find_map(|(x, y)| at(x, y))?;
    let is_connected =
        |to: &Position| world.is_connected(wayfarer::AgentTypeId::DEFAULT, from, *to) == Some(true);
    let far = (1..256).rev().filter_map(|by| at(by, by * 3 / 4));
    far.into_iter().find(is_connected).map(|to| (from, to))
}

//! `bench cluster`: path queries through NATS beside the library alone, catch-up, and a simulation of
//! more workers.
//!
//! A server of NATS, a writer and workers run as processes on loopback; clients in this process keep a
//! number of requests in flight. Every response is compared with that of the library. What 2 to 64
//! workers would do is simulated from the service times that were measured.

mod servers;
mod simulation;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::runtime::{Builder, Runtime};
use wayfarer::{PathRequest, Position, Scale, Searcher, World};
use wayfarer_cluster::nats::{Client, Settings};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics;

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress, number};
use crate::table::table;
use servers::{Servers, WORLD};
use simulation::SimulatedRow;

/// What to measure.
#[derive(Clone, PartialEq, Eq, Debug, clap::Args)]
pub struct Arguments {
    /// The map, with its problems beside it in MAP.scen
    #[arg(long, value_name = "MAP")]
    pub map: PathBuf,
    /// The program nats-server
    #[arg(
        long,
        value_name = "FILE",
        default_value = "target/nats/bin/nats-server"
    )]
    pub server: PathBuf,
    /// Numbers of workers
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 2], value_parser = number(1..=8))]
    pub workers: Vec<usize>,
    /// Threads of each worker
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=64))]
    pub threads: usize,
    /// Queries of each run
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = number(100..))]
    pub queries: usize,
    /// Requests in flight
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 16, 32], value_parser = number(1..=1024))]
    pub in_flight: Vec<usize>,
    /// Queries of one request
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 16], value_parser = number(1..=256))]
    pub batch: Vec<usize>,
    /// Edits of the log that a new worker reads
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number(1..=100_000))]
    pub edits: usize,
}

/// The library alone, on one thread.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LibraryFigures {
    /// Mean time of a search with its string-pulled path, in microseconds.
    pub find_us: f64,
    /// Mean time from the bytes of a request to those of its response.
    pub respond_us: f64,
    /// The 99th percentile of that.
    pub respond_p99_us: f64,
    /// Queries in a second.
    pub per_second: f64,
}

/// One run through NATS.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClusterRow {
    /// Workers.
    pub workers: usize,
    /// Queries of one request.
    pub batch: usize,
    /// Requests in flight.
    pub in_flight: usize,
    /// Queries answered in a second.
    pub per_second: f64,
    /// Milliseconds from request to response, median.
    pub p50_ms: f64,
    /// The 99th percentile.
    pub p99_ms: f64,
}

/// A cluster measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClusterFigures {
    /// The library alone.
    pub library: LibraryFigures,
    /// Runs through NATS.
    pub rows: Vec<ClusterRow>,
    /// Milliseconds per accepted edit, one after the other.
    pub edit_ms: f64,
    /// Milliseconds until a new worker answers: a snapshot without edits, and with the edits in the log.
    pub catch_up_ms: [f64; 2],
    /// Edits in the log.
    pub edits: usize,
    /// Simulated clusters.
    pub simulated: Vec<SimulatedRow>,
    /// Wrong responses.
    #[serde(flatten)]
    pub faults: Faults,
}

/// The problems, as requests with the right responses.
struct Problems {
    world: World,
    requests: Vec<Vec<u8>>,
    responses: Vec<Vec<u8>>,
    library: LibraryFigures,
    service_us: Vec<f64>,
}

impl Benchmark for Arguments {
    type Figures = ClusterFigures;
    const PARTS: &'static str = "runs";

    fn command(&self) -> String {
        CommandLine::new("cluster")
            .option("map", self.map.display())
            .option("server", self.server.display())
            .list("workers", &self.workers)
            .option("threads", self.threads)
            .option("queries", self.queries)
            .list("in-flight", &self.in_flight)
            .list("batch", &self.batch)
            .option("edits", self.edits)
            .finish()
    }

    fn can_pin(&self) -> bool {
        false
    }

    fn measure(&self, progress: Progress<'_>) -> Result<ClusterFigures, BenchError> {
        let failed = BenchError::world::<String>("cluster");
        let n_parts = self.workers.len() * self.in_flight.len() * self.batch.len() + 3;
        progress("library", n_parts);
        let problems = self.problems()?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(BenchError::world("cluster"))?;
        let mut servers = Servers::start(&self.server, &problems.world).map_err(failed)?;
        let settings = Settings::new(&servers.url(), WORLD);
        let client = runtime.block_on(Client::connect(&settings));
        let client = client.map_err(BenchError::world("cluster"))?;
        let mut faults = Faults::default();
        let mut rows = Vec::new();
        let timer = Timer::new();
        let mut first_ms = 0.0;
        for &n_workers in &self.workers {
            let started = servers
                .set_workers(n_workers, self.threads, &timer)
                .map_err(failed)?;
            first_ms = if n_workers == self.workers[0] {
                started
            } else {
                first_ms
            };
            for (batch, in_flight) in self.runs() {
                progress(&format!("{n_workers} workers"), n_parts);
                let mut run = Run::new(&runtime, &client, &problems, batch);
                let row = run.measure(n_workers, in_flight, self.queries, &timer, &mut faults);
                rows.push(row.map_err(failed)?);
            }
        }
        progress("catch-up", n_parts);
        servers
            .set_workers(0, self.threads, &timer)
            .map_err(failed)?;
        let edit_ms = edit(&runtime, &client, self.edits, &timer).map_err(failed)?;
        let later_ms = servers
            .set_workers(1, self.threads, &timer)
            .map_err(failed)?;
        progress("simulation", n_parts);
        Ok(ClusterFigures {
            simulated: simulation::run(&problems.service_us, &rows),
            library: problems.library,
            rows,
            edit_ms,
            catch_up_ms: [first_ms, later_ms],
            edits: self.edits,
            faults,
        })
    }
}

impl Arguments {
    fn runs(&self) -> impl Iterator<Item = (usize, usize)> {
        let flights = self.in_flight.iter();
        flights.flat_map(|flight| self.batch.iter().map(|batch| (*batch, *flight)))
    }

    /// Reads map and problems, and answers them by the library alone.
    fn problems(&self) -> Result<Problems, BenchError> {
        let read = |path: &PathBuf| {
            std::fs::read(path)
                .map_err(|error| BenchError::Arguments(format!("{}: {error}", path.display())))
        };
        let scenario = PathBuf::from(format!("{}.scen", self.map.display()));
        let world = World::import("a.map", &read(&self.map)?, Scale::UNIT);
        let world = world.map_err(BenchError::world("map"))?;
        let text = String::from_utf8(read(&scenario)?).map_err(BenchError::world("problems"))?;
        let pairs: Vec<(Position, Position)> = text.lines().skip(1).filter_map(problem).collect();
        if pairs.is_empty() {
            return Err(BenchError::Arguments(format!(
                "{}: no problems",
                scenario.display()
            )));
        }
        let request = |(from, to): &(Position, Position)| {
            let ([a, b, c], [x, y, z]) = (from.units(), to.units());
            format!(r#"{{"query":"path","from":[{a},{b},{c}],"to":[{x},{y},{z}]}}"#).into_bytes()
        };
        let requests: Vec<Vec<u8>> = pairs.iter().map(request).collect();
        let timer = Timer::new();
        let mut searcher = Searcher::default();
        let responses: Vec<Vec<u8>> = requests
            .iter()
            .map(|request| wayfarer_cluster::respond(&world, &mut searcher, request))
            .collect();
        // Warm: the caches have seen every problem.
        let find = |(from, to): &(Position, Position)| {
            let wanted = PathRequest::new(*from, *to);
            timer
                .time_of_all(|| world.find_path(&mut searcher, &wanted))
                .1
                / 1e3
        };
        let find_us: Vec<f64> = pairs.iter().map(find).collect();
        let respond = |request: &Vec<u8>| {
            timer
                .time_of_all(|| wayfarer_cluster::respond(&world, &mut searcher, request))
                .1
                / 1e3
        };
        let service_us: Vec<f64> = requests.iter().map(respond).collect();
        let respond_us = mean(&service_us);
        let library = LibraryFigures {
            find_us: mean(&find_us),
            respond_us,
            respond_p99_us: percentile(&sorted(&service_us), 99),
            per_second: 1e6 / respond_us,
        };
        Ok(Problems {
            world,
            requests,
            responses,
            library,
            service_us,
        })
    }
}

/// The mean; 0 for no numbers.
fn mean(numbers: &[f64]) -> f64 {
    statistics::mean(numbers).unwrap_or(0.0)
}

/// A percentile of sorted numbers; 0 for none.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    statistics::percentile(sorted, percent).unwrap_or(0.0)
}

fn sorted(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The ends of a problem: the center of its cells.
fn problem(line: &str) -> Option<(Position, Position)> {
    let mut words = line.split_whitespace().skip(4).map(str::parse::<i32>);
    let mut place = || {
        let (x, y) = (words.next()?.ok()?, words.next()?.ok()?);
        Some(Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0))
    };
    Some((place()?, place()?))
}

/// Requests of so many queries each, with their responses.
struct Run<'a> {
    runtime: &'a Runtime,
    client: &'a Client,
    batch: usize,
    requests: Arc<Vec<Vec<u8>>>,
    /// The parts that a response must contain.
    responses: Arc<Vec<Vec<String>>>,
}

impl<'a> Run<'a> {
    fn new(runtime: &'a Runtime, client: &'a Client, problems: &Problems, batch: usize) -> Self {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        let requests: Vec<String> = problems.requests.iter().map(text).collect();
        // From the result on: the revision stands before it once for all.
        let result = |bytes: &Vec<u8>| {
            let text = text(bytes);
            let at = text.find("\"result\"").or_else(|| text.find("\"error\""));
            text[at.unwrap_or(0)..text.len() - 1].to_owned()
        };
        let results: Vec<String> = problems.responses.iter().map(result).collect();
        let requests = requests.chunks(batch).map(|chunk| match chunk {
            [one] if batch == 1 => one.clone().into_bytes(),
            several => format!("{{\"batch\":[{}]}}", several.join(",")).into_bytes(),
        });
        Self {
            runtime,
            client,
            batch,
            requests: Arc::new(requests.collect()),
            responses: Arc::new(results.chunks(batch).map(<[String]>::to_vec).collect()),
        }
    }

    fn measure(
        &mut self,
        workers: usize,
        in_flight: usize,
        n_queries: usize,
        timer: &Timer,
        faults: &mut Faults,
    ) -> Result<ClusterRow, String> {
        let n_requests = n_queries.div_ceil(self.batch);
        // Caches and connections warm up.
        self.play(in_flight, n_requests.min(self.requests.len()))?;
        let (played, nanoseconds) = timer.time_of_all(|| self.play(in_flight, n_requests));
        let mut times = Vec::with_capacity(n_requests);
        for (time, fault) in played? {
            times.push(time);
            fault.into_iter().for_each(|fault| faults.push(fault));
        }
        let times = sorted(&times);
        #[expect(clippy::cast_precision_loss, reason = "counts of queries")]
        let n_answered = (n_requests * self.batch) as f64;
        Ok(ClusterRow {
            workers,
            batch: self.batch,
            in_flight,
            per_second: n_answered / (nanoseconds / 1e9),
            p50_ms: percentile(&times, 50),
            p99_ms: percentile(&times, 99),
        })
    }

    /// Sends requests, so many at a time; milliseconds of each, and what is wrong with its response.
    fn play(&self, in_flight: usize, n: usize) -> Result<Vec<(f64, Option<String>)>, String> {
        let loops = (0..in_flight).map(|first| {
            let (client, requests) = (self.client.clone(), Arc::clone(&self.requests));
            let responses = Arc::clone(&self.responses);
            self.runtime.spawn(async move {
                let mut done = Vec::with_capacity(n / in_flight + 1);
                for index in (first..n).step_by(in_flight) {
                    let index = index % requests.len();
                    let begin = servers::now();
                    let response = client.query(requests[index].clone(), Duration::from_secs(10));
                    let response = response.await.map_err(|error| error.to_string())?;
                    let time = begin.elapsed().as_secs_f64() * 1e3;
                    let text = String::from_utf8_lossy(&response);
                    let is_right = responses[index].iter().all(|part| text.contains(part));
                    done.push((time, (!is_right).then(|| text.into_owned())));
                }
                Ok::<_, String>(done)
            })
        });
        let loops: Vec<_> = loops.collect();
        let mut all = Vec::with_capacity(n);
        for task in loops {
            let done = self
                .runtime
                .block_on(task)
                .map_err(|error| error.to_string())?;
            all.extend(done?);
        }
        Ok(all)
    }
}

/// Closes and opens a place of the map, one edit after the other; milliseconds of each.
fn edit(runtime: &Runtime, client: &Client, n: usize, timer: &Timer) -> Result<f64, String> {
    let edit = |number: usize| {
        let x = number % 64;
        format!(
            r#"{{"id":"bench-{number}","edits":[{{"fill":{{"low":[{x},0,0],"high":[{},1,1]}}}}]}}"#,
            x + 1
        )
    };
    let (edited, nanoseconds) = timer.time_of_all(|| {
        (0..n).try_for_each(|number| {
            let request = edit(number).into_bytes();
            let response = runtime.block_on(client.edit(request, Duration::from_secs(20)));
            let response = response.map_err(|error| error.to_string())?;
            match String::from_utf8_lossy(&response) {
                text if text.contains("\"result\"") => Ok(()),
                text => Err(text.into_owned()),
            }
        })
    });
    #[expect(clippy::cast_precision_loss, reason = "a count of edits")]
    edited.map(|()| nanoseconds / 1e6 / n as f64)
}

impl Figures for ClusterFigures {
    const SCHEMA: &'static str = "wayfarer/bench-cluster/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn summary(&self) -> String {
        let library = &self.library;
        format!(
            "library alone: {:.1} us a search, {:.1} us from request to response (p99 {:.1}), {:.0} a second",
            library.find_us, library.respond_us, library.respond_p99_us, library.per_second
        )
    }

    fn render(&self) -> String {
        let through = table!(row in &self.rows;
            "workers" => row.workers,
            "queries per request" => row.batch,
            "in flight" => row.in_flight,
            "queries/s" => row.per_second,
            "p50 ms" => row.p50_ms,
            "p99 ms" => row.p99_ms,
        );
        let simulated = table!(row in &self.simulated;
            "simulated workers" => row.workers,
            "load" => row.load,
            "queries/s" => row.per_second,
            "p50 ms" => row.p50_ms,
            "p99 ms" => row.p99_ms,
            "p99 ms, least busy of two" => row.p99_two_ms,
        );
        format!(
            "{through}\n{:.2} ms an edit; a new worker answers after {:.0} ms, with {} edits in the log \
             after {:.0} ms\n\n{simulated}",
            self.edit_ms, self.catch_up_ms[0], self.edits, self.catch_up_ms[1]
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.faults.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_scenario_is_a_problem_between_centers_of_cells() {
        let line = "0\tbrc202d.map\t530\t481\t3\t4\t5\t6\t2.8";
        let ends = (Position::new(3.5, 4.5, 0.0), Position::new(5.5, 6.5, 0.0));
        assert_eq!(problem(line), Some(ends));
        assert_eq!(problem("version 1"), None);
    }
}

//! A cluster with real servers on loopback: three NATS nodes with JetStream, a writer, three workers.
//!
//! Edits and queries run while processes are killed, stopped and started again at random. Every answer
//! must be that of the library for the revision it states, no accepted edit may be lost, and in the end
//! all hashes are equal. Then workers build the tiles of a streamed city, one of them killed. Before all that, a
//! server with TLS and a password takes those that may join and refuses the others. `cargo xtask test --only
//! cluster` runs a short form; in full: `cargo xtask cluster --seconds 600`.

mod bake;
mod chaos;
mod load;
mod model;
mod secured;
mod servers;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wayfarer_cluster::nats::{Client, Settings};

use chaos::Chaos;
use load::Load;
use model::Model;
use servers::{Cluster, Fault};

/// Options of the test.
struct Options {
    seconds: u64,
    seed: u64,
}

fn options() -> Options {
    let words: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let at = words.iter().position(|word| word == name);
        let word = at.and_then(|at| words.get(at + 1));
        word.and_then(|word| word.parse().ok()).unwrap_or(default)
    };
    Options {
        seconds: number("--seconds", 30),
        seed: number("--seed", 1),
    }
}

fn main() -> ExitCode {
    let options = options();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime starts");
    match runtime.block_on(run(&options)) {
        Ok(report) => {
            say(&report);
            say("test result: ok. 1 passed; 0 failed");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            say(&format!("fault: {fault}"));
            say(&servers::ends_of_logs());
            say("test result: FAILED. 0 passed; 1 failed");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<String, Fault> {
    let start = now();
    let model = Arc::new(Model::new());
    let n_unwelcome = secured::play(&model).await?;
    say(&format!(
        "TLS and passwords after {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    let mut cluster = Cluster::start(&model)?;
    let settings = Settings {
        n_replicas: 3,
        ..Settings::new(&cluster.urls(), servers::WORLD)
    };
    let client = connect(&settings).await?;
    let load = Load::new(client, Arc::clone(&model));
    load.wait_for_workers(Duration::from_secs(60)).await?;
    say(&format!(
        "ready after {:.1} s",
        start.elapsed().as_secs_f64()
    ));

    // How much work fills a queue of four depends on the machine.
    let mut n_busy = 0;
    for n_paths in [1, 16, 64] {
        n_busy += match n_busy {
            0 => load.flood(400, n_paths).await?,
            _ => 0,
        };
    }
    load.wait_longer_than_the_connection(&cluster).await?;
    let running = load.start(options.seed);
    let mut chaos = Chaos::new(options.seed);
    let end = now() + Duration::from_secs(options.seconds);
    while now() < end {
        chaos.act(&mut cluster).await?;
        load.check()?;
    }
    let counts = running.stop().await?;
    let last = model.last_revision();
    let hash = model.hash();
    for (name, found) in cluster.hashes(last, Duration::from_secs(60)).await? {
        if found != hash {
            return Err(format!(
                "{name} has the hash {found} at {last}, expected {hash}"
            ));
        }
    }
    let quarantines = cluster.metric("quarantines_total");
    let n_tiles = bake::play(&cluster, &settings).await?;
    cluster.stop()?;
    if counts.n_verified == 0 || counts.n_edits == 0 || n_busy == 0 {
        return Err(format!("too little was done: {counts:?}, {n_busy} busy"));
    }
    Ok(format!(
        "{} edits accepted, {} repeated; {} answers verified, {} refused by name, {} without answer; \
         {n_busy} busy of 400 at once; {chaos}; {quarantines} quarantines; all hashes {hash} at \
         revision {last}; {n_tiles} tiles built as on one machine; {n_unwelcome} processes refused by TLS \
         or password; {:.0} s",
        counts.n_edits,
        counts.n_repeated,
        counts.n_verified,
        counts.n_refused,
        counts.n_unanswered,
        start.elapsed().as_secs_f64()
    ))
}

async fn connect(settings: &Settings) -> Result<Client, Fault> {
    let end = now() + Duration::from_secs(30);
    loop {
        match Client::connect(settings).await {
            Ok(client) => return Ok(client),
            Err(error) if now() > end => return Err(error.to_string()),
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

#[expect(clippy::print_stdout, reason = "the report of the test")]
fn say(line: &str) {
    println!("{line}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test runs for a time; what it compares does not depend on it"
)]
fn now() -> Instant {
    Instant::now()
}

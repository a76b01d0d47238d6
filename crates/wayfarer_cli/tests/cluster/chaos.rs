//! Faults at random: one at a time, each undone before the next.

use std::fmt;
use std::time::Duration;

use tokio::time::sleep;

use crate::model::Random;
use crate::servers::{Cluster, Fault, N};

/// How long a process is stopped: longer than heartbeats, shorter than the patience of clients twice.
const STOPPED: Duration = Duration::from_secs(3);

/// Which faults there were.
pub(crate) struct Chaos {
    random: Random,
    counts: [u32; KINDS.len()],
}

const KINDS: [&str; 6] = [
    "workers killed",
    "nodes killed",
    "writers killed",
    "workers stopped",
    "nodes stopped",
    "second writers refused",
];

impl Chaos {
    pub(crate) const fn new(seed: u64) -> Self {
        Self {
            random: Random(seed ^ 0xc4a05),
            counts: [0; KINDS.len()],
        }
    }

    /// One fault, and a pause. The first ones take turns, so that a short run has all of them.
    pub(crate) async fn act(&mut self, cluster: &mut Cluster) -> Result<(), Fault> {
        let n_done: u32 = self.counts.iter().sum();
        let n_kinds = KINDS.len();
        let kind = match usize::try_from(n_done) {
            Ok(done) if done < n_kinds => done,
            _ => usize::try_from(self.random.below(n_kinds as u64)).unwrap_or(0),
        };
        let index = usize::try_from(self.random.below(N as u64)).unwrap_or(0);
        let down = Duration::from_millis(200 + self.random.below(1_500));
        match kind {
            0 => {
                cluster.workers[index].kill()?;
                sleep(down).await;
                cluster.workers[index].start()?;
            }
            1 => {
                cluster.servers[index].kill()?;
                sleep(down).await;
                cluster.servers[index].start()?;
                // The node catches up before the next one may go.
                sleep(Duration::from_secs(2)).await;
            }
            2 => {
                cluster.writer.kill()?;
                sleep(down).await;
                cluster.writer.start()?;
            }
            3 => {
                cluster.workers[index].signal("-STOP")?;
                sleep(STOPPED).await;
                cluster.workers[index].signal("-CONT")?;
            }
            4 => {
                cluster.servers[index].signal("-STOP")?;
                sleep(STOPPED).await;
                cluster.servers[index].signal("-CONT")?;
                sleep(Duration::from_secs(2)).await;
            }
            _ => self.second_writer(cluster).await?,
        }
        self.counts[kind] += 1;
        sleep(Duration::from_millis(500 + self.random.below(1_500))).await;
        Ok(())
    }

    /// A second writer ends by itself, with exit code 2.
    async fn second_writer(&self, cluster: &mut Cluster) -> Result<(), Fault> {
        // The first one has claimed the log again after a kill.
        sleep(Duration::from_secs(2)).await;
        cluster.second_writer.start()?;
        match cluster.second_writer.ended(Duration::from_secs(15)).await {
            Some(2) => Ok(()),
            Some(code) => Err(format!("a second writer ended with {code}, expected 2")),
            None => Err("a second writer was not refused".to_owned()),
        }
    }
}

impl fmt::Display for Chaos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = KINDS.iter().zip(self.counts);
        let counts = counts.map(|(kind, count)| format!("{count} {kind}"));
        f.write_str(&counts.collect::<Vec<_>>().join(", "))
    }
}

//! Clusters that there is no room for on one machine, from service times that were measured.
//!
//! Requests arrive as a Poisson process. A queue group passes each to a worker at random (NATS), which
//! serves them in order; the other discipline, the shorter of two random queues, shows what choosing
//! costs. A service time is drawn from those measured, plus what a request costs a worker besides.

use serde::Serialize;
use wayfarer_engine::base::Rng;

use super::{ClusterRow, mean, percentile, sorted};

/// Requests of one simulation.
const N_REQUESTS: usize = 200_000;
/// Shares of the capacity of all workers that arrive.
const LOADS: [f64; 3] = [0.5, 0.8, 0.95];

/// One simulated cluster.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SimulatedRow {
    /// Workers with one thread each.
    pub workers: usize,
    /// Share of their capacity that arrives.
    pub load: f64,
    /// Requests in a second.
    pub per_second: f64,
    /// Milliseconds from request to response, median.
    pub p50_ms: f64,
    /// The 99th percentile.
    pub p99_ms: f64,
    /// The 99th percentile if each goes to the less busy of two workers.
    pub p99_two_ms: f64,
}

/// 2 to 64 workers. What a request costs besides its service comes from the runs with one worker: the
/// best throughput gives the time of a worker per request, one request in flight the round trip.
pub(super) fn run(service_us: &[f64], rows: &[ClusterRow]) -> Vec<SimulatedRow> {
    let single = |row: &&ClusterRow| row.workers == 1 && row.batch == 1;
    let most = rows
        .iter()
        .filter(single)
        .map(|row| row.per_second)
        .fold(0.0, f64::max);
    let trip = rows
        .iter()
        .filter(single)
        .map(|row| row.p50_ms * 1e3)
        .fold(f64::MAX, f64::min);
    if most <= 0.0 {
        return Vec::new();
    }
    let searching = mean(service_us);
    let overhead = (1e6 / most - searching).max(0.0);
    let service: Vec<f64> = service_us.iter().map(|us| us + overhead).collect();
    let trip = (trip - searching - overhead).max(0.0);
    let sizes = [2, 4, 8, 16, 32, 64];
    let cases = sizes.into_iter().flat_map(|n| LOADS.map(|load| (n, load)));
    cases
        .map(|(n, load)| simulate(n, load, &service, trip))
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of workers and requests")]
fn simulate(workers: usize, load: f64, service: &[f64], trip_us: f64) -> SimulatedRow {
    let rate = load * workers as f64 / mean(service);
    let horizon = N_REQUESTS as f64 / rate;
    let latency = |n_choices: usize| {
        let mut rng = Rng::new(28);
        let mut arrivals: Vec<f64> = (0..N_REQUESTS).map(|_| unit(&mut rng) * horizon).collect();
        arrivals.sort_by(f64::total_cmp);
        let mut free_at = vec![0.0_f64; workers];
        let times = arrivals.iter().map(|&at| {
            let draw = |rng: &mut Rng| index(rng, workers);
            let mut chosen = draw(&mut rng);
            for _ in 1..n_choices {
                let other = draw(&mut rng);
                chosen = if free_at[other] < free_at[chosen] {
                    other
                } else {
                    chosen
                };
            }
            let time = service[index(&mut rng, service.len())];
            free_at[chosen] = free_at[chosen].max(at) + time;
            (free_at[chosen] - at + trip_us) / 1e3
        });
        let times: Vec<f64> = times.collect();
        sorted(&times)
    };
    let (random, two) = (latency(1), latency(2));
    SimulatedRow {
        workers,
        load,
        per_second: rate * 1e6,
        p50_ms: percentile(&random, 50),
        p99_ms: percentile(&random, 99),
        p99_two_ms: percentile(&two, 99),
    }
}

fn index(rng: &mut Rng, n: usize) -> usize {
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    rng.below(n) as usize
}

/// A number from 0 to 1.
fn unit(rng: &mut Rng) -> f64 {
    f64::from(rng.below(u32::MAX)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_with_constant_service_waits_as_queueing_theory_says() {
        // M/D/1 at load 0.8: the mean wait is rho / (2 (1 - rho)) = 2 services; the 99th percentile of
        // the time in the system is about 11 services.
        let row = simulate(2, 0.8, &[100.0], 0.0);
        assert!((0.7..1.5).contains(&(row.p99_ms)), "{row:?}");
        assert!(row.p50_ms < 0.3, "{row:?}");
        assert!(row.p99_two_ms < row.p99_ms, "{row:?}");
        assert!((row.per_second - 16_000.0).abs() < 1.0, "{row:?}");
    }
}

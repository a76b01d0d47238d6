use super::*;
use std::hint::black_box;

fn work(n: u64) -> u64 {
    (0..n).fold(1, |sum, i| black_box(sum ^ i.wrapping_mul(sum | 1)))
}

#[test]
fn the_second_number_of_a_line_is_read() {
    let cases = [
        ("745471328 254312873 99\n", Some(254_312_873)),
        ("1 2", Some(2)),
        ("1", None),
        ("", None),
        ("1 two 3", None),
    ];
    for (line, expected) in cases {
        assert_eq!(second_number(line.as_bytes()), expected, "of `{line}`");
    }
}

#[test]
fn ten_times_the_work_takes_longer() {
    let timer = Timer::new();
    let best = |n: u64| {
        let times = (0..7).map(|_| timer.time(|| work(n)).1);
        times.fold(f64::INFINITY, f64::min)
    };
    let (little, much) = (best(100_000), best(1_000_000));
    assert!(
        little > 0.0 && much > 3.0 * little,
        "{little} and {much} ns"
    );
}

#[test]
fn time_waiting_for_a_core_is_subtracted() {
    let timer = Timer::new();
    if timer.waiting() == Waiting::Included {
        eprintln!("skipped: the system does not report how long a thread waits");
        return;
    }
    // More busy threads than cores: this one has to wait.
    let n_threads = 3 * std::thread::available_parallelism().map_or(1, usize::from);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    black_box(work(1000));
                }
            });
        }
        let mut waited = false;
        for _ in 0..200 {
            let watch = Stopwatch::start();
            let (_, time) = timer.time(|| work(1_000_000));
            let wall = watch.nanoseconds();
            assert!(time > 0.0 && time <= wall);
            waited |= time < 0.9 * wall;
            if waited {
                break;
            }
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(waited, "this thread never had to wait");
    });
}

#[test]
fn waiting_around_the_work_is_not_subtracted() {
    // Elapsed, around, waited, expected.
    let cases = [
        (5_000.0, 800.0, 0.0, 5_000.0),
        // Another program had the core while the counters were read.
        (5_000.0, 4_000_800.0, 4_000_000.0, 5_000.0),
        // Another program had it during the work.
        (4_005_000.0, 800.0, 4_000_000.0, 5_800.0),
        // Both.
        (3_005_000.0, 1_000_800.0, 4_000_000.0, 5_800.0),
        (5_000.0, 0.0, 9_000.0, 1.0),
        (0.0, 10.0, 0.0, 0.0),
    ];
    for (elapsed, around, waited, expected) in cases {
        let own = own_time(elapsed, around, waited);
        assert!((own - expected).abs() < 0.5, "{own} for {expected}");
    }
}

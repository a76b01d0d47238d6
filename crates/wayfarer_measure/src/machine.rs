//! The machine of a report, its load, and pinning to a core.

use std::fmt;
use std::process::Command;

use serde::Serialize;

use crate::clock::{self, Timer, Waiting};

/// The machine and the build; no user, no date.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Machine {
    /// Model name of the processor, or `unknown`.
    pub processor: String,
    /// Cores of the machine.
    pub cores: usize,
    /// Operating system and instruction set.
    pub system: String,
    /// `release` or `debug`.
    pub build: &'static str,
    /// The core the program is pinned to, or why it is not.
    pub pinned: String,
    /// Load average of the last minute; above `cores` times are noisy. `None` if unknown.
    pub load: Option<f64>,
    /// Whether times exclude waiting for a core.
    pub waiting: Waiting,
    /// Cost of reading the clock, in nanoseconds; part of every time.
    pub clock_ns: f64,
    /// Whether allocations are counted.
    pub memory_counted: bool,
}

impl Machine {
    /// The machine this program runs on.
    pub fn here(pinned: &Pinned, memory_counted: bool) -> Self {
        Self {
            processor: processor().unwrap_or_else(|| "unknown".to_owned()),
            cores: cores(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            build: if cfg!(debug_assertions) {
                "debug"
            } else {
                "release"
            },
            pinned: pinned.to_string(),
            load: load(),
            waiting: Timer::new().waiting(),
            clock_ns: clock::overhead_ns(),
            memory_counted,
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {} cores, {}, {} build, {}",
            self.processor, self.cores, self.system, self.build, self.pinned
        )?;
        if let Some(load) = self.load {
            write!(f, ", load {load:.1}")?;
        }
        match self.waiting {
            Waiting::TakenOff => write!(f, ", waiting for a core taken off"),
            Waiting::Included => write!(f, ", waiting for a core included"),
        }
    }
}

fn cores() -> usize {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let n_listed = text
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count();
    match n_listed {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        listed => listed,
    }
}

fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Whether the program is pinned to one core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pinned {
    /// Pinned to this core.
    Core(u32),
    /// Not pinned, for this reason.
    No(&'static str),
}

impl fmt::Display for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Core(core) => write!(f, "pinned to core {core}"),
            Self::No(reason) => write!(f, "not pinned: {reason}"),
        }
    }
}

/// As [`pin`] if `wanted`; else the system chooses the core.
pub fn pin_if(wanted: bool) -> Pinned {
    if wanted {
        pin()
    } else {
        Pinned::No("not requested")
    }
}

/// Pins this program to the last core it may use, from now until it ends, with the command
/// `taskset`.
pub fn pin() -> Pinned {
    let Some(core) = allowed_cores().and_then(|cores| last_core(&cores)) else {
        return Pinned::No("the system does not report the allowed cores");
    };
    let own_id = std::process::id().to_string();
    let done = Command::new("taskset")
        .args(["-a", "-p", "-c", &core.to_string(), &own_id])
        .output();
    match done {
        Err(_) => Pinned::No("the command taskset is missing"),
        Ok(output) if !output.status.success() => Pinned::No("the command taskset failed"),
        // Valid only if the system confirms it.
        Ok(_) => match allowed_cores() {
            Some(cores) if cores == core.to_string() => Pinned::Core(core),
            _ => Pinned::No("the command taskset had no effect"),
        },
    }
}

fn allowed_cores() -> Option<String> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(line.trim().to_owned())
}

/// The last core of a list such as `0-3,8`.
fn last_core(cores: &str) -> Option<u32> {
    cores.rsplit([',', '-']).next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests;

//! On what machine a report was made, and how quiet it was.

use std::fmt;
use std::process::Command;

use serde::Serialize;

use crate::clock::{self, Timer, Waiting};

/// The machine and the build that measured. Nothing here tells when or by whom.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Machine {
    /// The processor as it names itself, or `unknown`.
    pub processor: String,
    /// Cores the machine has.
    pub cores: usize,
    /// Operating system and instruction set.
    pub system: String,
    /// `release` or `debug`.
    pub build: &'static str,
    /// Which core the program was kept on, or why it was not.
    pub pinned: String,
    /// Programs that wanted to run, on average over the last minute before; 0 is quiet, more than
    /// `cores` means that times are noisy. `None` where the system does not tell.
    pub load: Option<f64>,
    /// Whether times are free of what other programs took.
    pub waiting: Waiting,
    /// What reading the clock costs, in nanoseconds; part of every time.
    pub clock_ns: f64,
    /// Whether the counting allocator was in place.
    pub memory_counted: bool,
}

impl Machine {
    /// Looks at the machine this program runs on.
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

/// Whether the program is kept on one core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pinned {
    /// It is, on this one.
    Core(u32),
    /// It is not, for this reason.
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

/// As [`pin`] if `wanted`; else the program stays on whatever core the system chooses.
pub fn pin_if(wanted: bool) -> Pinned {
    if wanted {
        pin()
    } else {
        Pinned::No("not asked for")
    }
}

/// Keeps this program on the last core it may use, from now until it ends, by way of the command
/// `taskset`; says so if that cannot be.
pub fn pin() -> Pinned {
    let Some(core) = allowed_cores().and_then(|cores| last_core(&cores)) else {
        return Pinned::No("the system does not say which cores may be used");
    };
    let own_id = std::process::id().to_string();
    let done = Command::new("taskset")
        .args(["-a", "-p", "-c", &core.to_string(), &own_id])
        .output();
    match done {
        Err(_) => Pinned::No("the command taskset is missing"),
        Ok(output) if !output.status.success() => Pinned::No("the command taskset was refused"),
        // Believed only if the system says the same.
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

//! A run as a small text file: a seed and its step numbers.

use std::fmt;

use thiserror::Error;

/// A seed and the steps of a run, in order.
///
/// ```
/// use wayfarer_bench::soak::whole::Trace;
/// let trace = Trace { seed: 7, steps: vec![3, 12] };
/// assert_eq!(trace.to_string(), "wayfarer soak 1\nseed 7\nsteps 3 12\n");
/// assert_eq!(Trace::read(&trace.to_string()), Ok(trace));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Where the world and all its steps are drawn from.
    pub seed: u64,
    /// The steps by number; what a step does depends on its number and on the world it meets.
    pub steps: Vec<u32>,
}

/// Why a text is no trace.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: found `{found}`, expected {expected}")]
#[non_exhaustive]
pub struct TraceError {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: &'static str,
}

impl Trace {
    /// A run of all steps from 0 on.
    pub fn whole(seed: u64, n_steps: u32) -> Self {
        Self {
            seed,
            steps: (0..n_steps).collect(),
        }
    }

    /// Only the first steps of it.
    #[must_use]
    pub fn cut(&self, n_steps: usize) -> Self {
        Self {
            seed: self.seed,
            steps: self.steps[..n_steps.min(self.steps.len())].to_vec(),
        }
    }

    /// Reads what [`to_string`](ToString::to_string) wrote. Lines that begin with `#` are for
    /// people.
    ///
    /// # Errors
    /// The first line that is not as it should be.
    pub fn read(text: &str) -> Result<Self, TraceError> {
        let lines = text.lines().enumerate();
        let mut lines = lines.filter(|(_, line)| !line.starts_with('#'));
        let mut next = |word: &str, expected: &'static str| {
            let (number, line) = lines.next().unwrap_or((text.lines().count(), ""));
            let rest = line.strip_prefix(word).map(str::trim);
            let wrong = TraceError {
                line: number + 1,
                found: line.chars().take(60).collect(),
                expected,
            };
            (rest, wrong)
        };
        let (head, wrong) = next("wayfarer soak 1", "`wayfarer soak 1`");
        head.filter(|rest| rest.is_empty()).ok_or(wrong)?;
        let (seed, wrong) = next("seed", "`seed` and a number");
        let seed = seed.and_then(|seed| seed.parse().ok()).ok_or(wrong)?;
        let (steps, wrong) = next("steps", "`steps` and numbers");
        let steps = steps.map(|steps| steps.split_whitespace().map(str::parse));
        let steps = steps.and_then(|steps| steps.collect::<Result<_, _>>().ok());
        let steps = steps.ok_or(wrong)?;
        Ok(Self { seed, steps })
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wayfarer soak 1\nseed {}\nsteps", self.seed)?;
        self.steps
            .iter()
            .try_for_each(|step| write!(f, " {step}"))?;
        writeln!(f)
    }
}

//! [`Explanation`]: why a request finds no path, in world units.

use std::fmt;

use crate::facade::World;
use crate::request::{PathRequest, RequestError};
use crate::searcher::Searcher;
use crate::units::Position;

/// Why a request finds no path; empty if one exists.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanation {
    /// The reachable places nearest to what blocks the agent.
    pub frontier: Vec<Position>,
    /// The step that would open the cheapest path, if a single one does.
    pub cheapest_blocked: Option<BlockedStep>,
    /// What would open a path, each by itself or together with others.
    pub unblock_options: Vec<UnblockOption>,
}

/// A step that is blocked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlockedStep {
    /// Where it starts.
    pub from: Position,
    /// Where it would end.
    pub to: Position,
    /// The cost of the path through it as a length.
    pub cost: f64,
    /// What blocks it.
    pub reason: &'static str,
}

/// A thing whose change would open a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnblockOption {
    /// Where it is.
    pub at: Position,
    /// What it is: a closed door, a missing floor, an obstacle.
    pub what: &'static str,
}

impl World {
    /// Explains why a request finds no path, within the budget of the request and at most 524,288
    /// expansions of each of its searches. Empty if a path exists; where the search ends before it
    /// knows, the frontier is as far as it came.
    ///
    /// # Errors
    /// The request is invalid.
    pub fn explain(
        &self,
        searcher: &mut Searcher,
        request: &PathRequest,
    ) -> Result<Explanation, RequestError> {
        let converted = self.converted(request)?;
        let found = self.engine().explain(&mut searcher.engine, &converted);
        let found = found.map_err(|error| self.request_error(request, &error))?;
        let at = |location| self.frame().position_of(location);
        let options = found.unblock_options.iter();
        Ok(Explanation {
            frontier: found.frontier.iter().map(|place| at(*place)).collect(),
            cheapest_blocked: found.cheapest_blocked.map(|step| BlockedStep {
                from: at(step.from),
                to: at(step.to),
                cost: self.frame().cost(step.cost),
                reason: step.reason,
            }),
            unblock_options: options
                .map(|option| UnblockOption {
                    at: at(option.at),
                    what: option.what,
                })
                .collect(),
        })
    }
}

impl Explanation {
    /// True if nothing blocks the agent.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Explanation {
    /// One line per finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing blocks a path");
        }
        let mut lines = Vec::new();
        if let Some(step) = &self.cheapest_blocked {
            lines.push(format!(
                "cheapest blocked step from {} to {}: {}",
                step.from, step.to, step.reason
            ));
        }
        let options = self.unblock_options.iter();
        lines.extend(options.map(|option| format!("{} at {}", option.what, option.at)));
        if lines.is_empty() {
            lines.extend(
                self.frontier
                    .first()
                    .map(|at| format!("no step leads on from {at}")),
            );
        }
        f.write_str(&lines.join("\n"))
    }
}

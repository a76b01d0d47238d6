//! Simple smoothing: what a diagonal and a straight line can replace is replaced.

use super::leg::LegSearch;
use super::plan::Plan;

/// Steps looked ahead at most.
const AHEAD: usize = 64;

/// Memory for smoothing, reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Smoother {
    smoothed: Vec<(u32, u32)>,
    line: Vec<(u32, u32)>,
    best: Vec<(u32, u32)>,
}

impl Smoother {
    /// Smooths the steps that follow `start`: from each place as far ahead as a line of at most one
    /// bend reaches that costs no more.
    pub(super) fn simple<P: Plan>(
        &mut self,
        plan: &P,
        start: u32,
        steps: &mut Vec<(u32, u32)>,
        search: &mut LegSearch,
    ) {
        let Self {
            smoothed,
            line,
            best,
        } = self;
        smoothed.clear();
        let (mut at, mut done) = (start, 0);
        while done < steps.len() {
            let mut reached = done + 1;
            best.clear();
            best.push(steps[done]);
            let mut old = steps[done].1;
            for (ahead, (to, cost)) in steps.iter().enumerate().skip(done + 1).take(AHEAD) {
                old = old.saturating_add(*cost);
                let is_line = [true, false].into_iter().any(|diagonal_first| {
                    search.bent(plan, (at, *to), diagonal_first, line)
                        && line.iter().map(|(_, cost)| *cost).sum::<u32>() <= old
                });
                if !is_line {
                    break;
                }
                reached = ahead + 1;
                std::mem::swap(best, line);
            }
            smoothed.extend_from_slice(best);
            at = steps[reached - 1].0;
            done = reached;
        }
        std::mem::swap(steps, smoothed);
    }
}

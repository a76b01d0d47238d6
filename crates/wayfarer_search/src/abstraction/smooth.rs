//! Simple smoothing \[Sturtevant2007\]: replaces parts of a path by lines with at most one bend.

use super::abstract_graph::AbstractGraph;
use super::leg::LegSearch;

/// Most steps replaced by one line.
const MAX_STEPS: usize = 64;

/// Reusable scratch for smoothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Smoother {
    smoothed: Vec<(u32, u32)>,
    line: Vec<(u32, u32)>,
    best: Vec<(u32, u32)>,
}

impl Smoother {
    /// Smooths the steps that follow `start`: from each cell, takes a long line with at most one
    /// bend that costs no more than the steps it replaces, found by doubling and bisection.
    pub(super) fn smooth<P: AbstractGraph>(
        &mut self,
        graph: &P,
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
            let ahead = &steps[done..steps.len().min(done + MAX_STEPS)];
            best.clear();
            best.push(ahead[0]);
            // This many steps have a line, and this many have none.
            let (mut replaced, mut failed) = (1, ahead.len() + 1);
            while replaced + 1 < failed {
                let is_growing = failed > ahead.len();
                let n_steps = if is_growing {
                    (replaced * 2).min(ahead.len())
                } else {
                    usize::midpoint(replaced, failed)
                };
                let old_cost = ahead[..n_steps].iter().map(|(_, cost)| *cost);
                let old_cost = old_cost.fold(0, u32::saturating_add);
                let to = ahead[n_steps - 1].0;
                let has_line = [true, false].into_iter().any(|is_diagonal_first| {
                    search.trace_line(graph, (at, to), is_diagonal_first, line)
                        && line.iter().map(|(_, cost)| *cost).sum::<u32>() <= old_cost
                });
                if has_line {
                    replaced = n_steps;
                    std::mem::swap(best, line);
                } else {
                    failed = n_steps;
                }
            }
            smoothed.extend_from_slice(best);
            at = ahead[replaced - 1].0;
            done += replaced;
        }
        std::mem::swap(steps, smoothed);
    }
}

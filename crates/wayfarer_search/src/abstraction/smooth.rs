//! Simple smoothing: what a diagonal and a straight line can replace is replaced.

use super::abstract_graph::AbstractGraph;
use super::leg::LegSearch;

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
    /// bend is found that costs no more. The reach is doubled while there is one, then halved.
    pub(super) fn simple<P: AbstractGraph>(
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
            let ahead = &steps[done..steps.len().min(done + AHEAD)];
            best.clear();
            best.push(ahead[0]);
            // So many steps are replaced for certain, and so many are not.
            let (mut good, mut bad) = (1, ahead.len() + 1);
            while good + 1 < bad {
                let is_growing = bad > ahead.len();
                let wanted = if is_growing {
                    (good * 2).min(ahead.len())
                } else {
                    usize::midpoint(good, bad)
                };
                let old = ahead[..wanted].iter().map(|(_, cost)| *cost);
                let old = old.fold(0, u32::saturating_add);
                let to = ahead[wanted - 1].0;
                let is_line = [true, false].into_iter().any(|diagonal_first| {
                    search.bent(plan, (at, to), diagonal_first, line)
                        && line.iter().map(|(_, cost)| *cost).sum::<u32>() <= old
                });
                if is_line {
                    good = wanted;
                    std::mem::swap(best, line);
                } else {
                    bad = wanted;
                }
            }
            smoothed.extend_from_slice(best);
            at = ahead[good - 1].0;
            done += good;
        }
        std::mem::swap(steps, smoothed);
    }
}

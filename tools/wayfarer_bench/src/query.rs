//! Queries: endpoints, map and expected length.

use wayfarer_engine::base::scenario::{Expected, Problem};
use wayfarer_engine::base::{Column, Raster, Rng};

use crate::engine::MovementRule;
use crate::open_cells::OpenCells;
use crate::reference::Reference;

/// One query with its optimal lengths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Case {
    /// Start.
    pub start: Column,
    /// Goal.
    pub goal: Column,
    /// The least length under the benchmark's rule in cells, or `None` if there is no path.
    pub best: Option<f64>,
    /// The same where corners may be cut, once [`QuerySet::solve_cutting`] has found it.
    pub best_cutting: Option<f64>,
}

impl Case {
    /// The least length under `rule`; at any angle an upper limit, that of the benchmark's rule.
    pub const fn best(&self, rule: MovementRule) -> Option<f64> {
        match rule {
            MovementRule::Benchmark | MovementRule::AnyAngle => self.best,
            MovementRule::CutsCorners => self.best_cutting,
        }
    }
}

/// The queries of one map.
#[derive(Clone, PartialEq, Debug)]
pub struct QuerySet {
    /// The map's name, without folder and ending.
    pub name: String,
    /// The map.
    pub map: Raster,
    /// Which of its cells are open.
    pub open: OpenCells,
    /// The timed queries.
    pub cases: Vec<Case>,
    /// Other queries of the same map, to warm engines up; none of them is in `cases`.
    pub others: Vec<(Column, Column)>,
    cutting_solved: bool,
}

impl QuerySet {
    /// Queries from a map and its problems: `sample` of them, evenly spread over the list, or
    /// all; and up to `n_others` to warm up with. Where the problems do not state the least
    /// length, it is found here.
    pub fn new(
        name: &str,
        map: Raster,
        problems: &[Problem],
        sample: Option<usize>,
        n_others: usize,
    ) -> Self {
        let open = OpenCells::of(&map);
        let chosen = spread(problems.len(), sample.unwrap_or(problems.len()));
        let mut reference = Reference::new(&open, MovementRule::Benchmark);
        let cases: Vec<Case> = chosen
            .iter()
            .map(|&index| {
                let problem = &problems[index];
                let (start, goal) = (problem.start.column(), problem.goal.column());
                let best = match problem.expected {
                    Expected::Length(length) => Some(length),
                    Expected::Unreachable => None,
                    Expected::Unknown => reference.length(start, goal),
                };
                Case {
                    start,
                    goal,
                    best,
                    best_cutting: None,
                }
            })
            .collect();
        let others = others(&cases, problems, n_others);
        Self {
            name: name.to_owned(),
            map,
            open,
            cases,
            others,
            cutting_solved: false,
        }
    }

    /// `n` queries between random open cells of `map`, and up to 4 to warm up with.
    ///
    /// # Panics
    /// If no cell of `map` is open.
    pub fn random(name: &str, map: Raster, n: usize, rng: &mut Rng) -> Self {
        let is_open = |cell: &Column| map.is_walkable(cell.x, cell.y);
        let open: Vec<Column> = map.rect().columns().filter(is_open).collect();
        let mut draw = || rng.pick(&open).expect("a map with an open cell").at(0);
        let problem = |_| Problem {
            start: draw(),
            goal: draw(),
            expected: Expected::Unknown,
        };
        let problems: Vec<Problem> = (0..n).map(problem).collect();
        Self::new(name, map, &problems, None, 4)
    }

    /// Finds the least lengths where corners may be cut, once.
    pub fn solve_cutting(&mut self) {
        if self.cutting_solved {
            return;
        }
        let mut reference = Reference::new(&self.open, MovementRule::CutsCorners);
        for case in &mut self.cases {
            case.best_cutting = reference.length(case.start, case.goal);
        }
        self.cutting_solved = true;
    }
}

/// `n` positions evenly spread over `len`, in order; all of them if `n` is not below `len`.
///
/// ```
/// assert_eq!(wayfarer_bench::query::spread(10, 4), [0, 2, 5, 7]);
/// assert_eq!(wayfarer_bench::query::spread(3, 9), [0, 1, 2]);
/// ```
pub fn spread(len: usize, n: usize) -> Vec<usize> {
    let n = n.min(len);
    let index = |i: usize| i as u128 * len as u128 / n as u128;
    (0..n)
        .map(|i| usize::try_from(index(i)).expect("below `len`"))
        .collect()
}

/// Queries that are not among `cases`: first the problems left out, evenly spread, then from the
/// start of one case to the goal of another.
fn others(cases: &[Case], problems: &[Problem], n: usize) -> Vec<(Column, Column)> {
    let mut known: Vec<(Column, Column)> = cases.iter().map(|it| (it.start, it.goal)).collect();
    known.sort_unstable();
    let is_new = |ends: &(Column, Column)| known.binary_search(ends).is_err();
    let left: Vec<(Column, Column)> = problems
        .iter()
        .filter(|problem| problem.expected != Expected::Unreachable)
        .map(|problem| (problem.start.column(), problem.goal.column()))
        .filter(is_new)
        .collect();
    let mut found: Vec<(Column, Column)> =
        spread(left.len(), n).into_iter().map(|i| left[i]).collect();
    let mut rng = Rng::new(1);
    // Two ends that are reachable from somewhere are mostly reachable from each other.
    for _ in 0..4 * n {
        if found.len() >= n {
            break;
        }
        if let (Some(from), Some(to)) = (rng.pick(cases), rng.pick(cases))
            && from.best.is_some()
            && to.best.is_some()
            && is_new(&(from.start, to.goal))
        {
            found.push((from.start, to.goal));
        }
    }
    found
}

#[cfg(test)]
mod tests;

//! Problems to solve on made worlds: where to start and where to go.

use wayfarer_base::{Cell, Expected, Problem, Raster, Rng, WorldData};

use crate::carving_grid::Board;

/// One problem in this many leads to a place that cannot be reached, where there is one.
const ONE_UNREACHABLE_IN: u32 = 10;
/// How often a goal that is the start is drawn again.
const TRIES: u32 = 8;

/// `count` problems for the benchmark's walker on a flat map, each drawn from numbers of its own:
/// asking for more problems leaves the first ones as they were. None if nothing can be walked on.
///
/// Start and goal are walkable and mostly reach each other by straight steps; then nobody has said
/// how long the way is, unless it is none at all. One in ten leads to another part of the map and
/// is expected to be unreachable. Takes up to 16 bytes for each cell of the map while it works.
///
/// ```
/// use wayfarer_base::{Raster, Terrain};
/// use wayfarer_make::scenario;
/// let mut map = Raster::new(3, 1).unwrap();
/// map.set(1, 0, Some(Terrain::GROUND));
/// let problems = scenario(&map, 4, 1);
/// assert_eq!(problems.len(), 4); // all from (1, 0) to (1, 0)
/// ```
pub fn scenario(map: &Raster, count: u32, seed: u64) -> Vec<Problem> {
    let Some(places) = Places::of(map) else {
        return Vec::new();
    };
    (0..u64::from(count))
        .map(|number| places.problem(&mut Rng::for_part(seed, number)))
        .collect()
}

/// `count` problems in a world with heights, between cells that the world's profile may walk on;
/// whether and how they reach each other nobody has said. None if there is no such cell.
pub fn plan_scenario(plan: &WorldData, count: u32, seed: u64) -> Vec<Problem> {
    let cells = walkable_cells(plan);
    let draw = |number: u64| draw_problem(&cells, &mut Rng::for_part(seed, number));
    (0..u64::from(count)).filter_map(draw).collect()
}

/// The cells that the plan's profile may walk on.
pub(crate) fn walkable_cells(plan: &WorldData) -> Vec<Cell> {
    let may_walk = plan
        .cells
        .iter()
        .filter(|(_, terrain)| plan.profile.may_walk(*terrain));
    may_walk.map(|(cell, _)| *cell).collect()
}

/// From one of `cells` to another, or to itself if there is no other.
pub(crate) fn draw_problem(cells: &[Cell], rng: &mut Rng) -> Option<Problem> {
    let start = *rng.pick(cells)?;
    let mut goal = *rng.pick(cells)?;
    for _ in 0..TRIES {
        if goal == start {
            goal = *rng.pick(cells)?;
        }
    }
    Some(problem(start, goal))
}

fn problem(start: Cell, goal: Cell) -> Problem {
    let expected = if start == goal {
        Expected::Length(0.0)
    } else {
        Expected::Unknown
    };
    Problem {
        start,
        goal,
        expected,
    }
}

/// The walkable cells of a map, part by part.
struct Places {
    width: u32,
    /// Indices of cells, sorted by part.
    cells: Vec<u32>,
    /// Where each part begins in `cells`, and where the last ends.
    starts: Vec<u32>,
}

impl Places {
    /// `None` if nothing can be walked on.
    fn of(map: &Raster) -> Option<Self> {
        let board = Board::from_raster(map)?;
        let (part, sizes) = board.parts();
        // Part 0 is what cannot be walked on.
        let mut starts = vec![0_u32];
        let mut end = 0;
        for size in &sizes[1..] {
            end += size;
            starts.push(end);
        }
        let mut cells = vec![0; end as usize];
        let mut next = starts.clone();
        for (index, &part) in (0..).zip(&part) {
            if let Some(part) = part.checked_sub(1) {
                let slot = &mut next[part as usize];
                cells[*slot as usize] = index;
                *slot += 1;
            }
        }
        (end > 0).then_some(Self {
            width: map.width(),
            cells,
            starts,
        })
    }

    fn problem(&self, rng: &mut Rng) -> Problem {
        let n_all = self.starts.last().copied().unwrap_or(0);
        let start = rng.below(n_all);
        let part = self.starts.partition_point(|&begin| begin <= start) - 1;
        let (begin, end) = (self.starts[part], self.starts[part + 1]);
        let n_others = n_all - (end - begin);
        if n_others > 0 && rng.chance(1, ONE_UNREACHABLE_IN) {
            let other = rng.below(n_others);
            let goal = if other < begin {
                other
            } else {
                other + (end - begin)
            };
            return Problem {
                expected: Expected::Unreachable,
                ..problem(self.cell(start), self.cell(goal))
            };
        }
        let mut goal = begin + rng.below(end - begin);
        for _ in 0..TRIES {
            if goal == start {
                goal = begin + rng.below(end - begin);
            }
        }
        problem(self.cell(start), self.cell(goal))
    }

    fn cell(&self, place: u32) -> Cell {
        let index = self.cells[place as usize];
        Cell::flat(
            (index % self.width).cast_signed(),
            (index / self.width).cast_signed(),
        )
    }
}

#[cfg(test)]
mod tests;

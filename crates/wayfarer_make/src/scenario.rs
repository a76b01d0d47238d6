//! Random benchmark problems on generated worlds.

use wayfarer_base::{Cell, Expected, Problem, Raster, Rng, WorldData};

use crate::carving_grid::CarvingGrid;

/// One in this many problems has an unreachable goal, where there is one.
const ONE_UNREACHABLE_IN: u32 = 10;
/// Redraws of a goal that equals the start.
const MAX_REDRAWS: u32 = 8;

/// `count` problems for the benchmark agent on a flat map; none if no cell is walkable. Each
/// problem has its own random stream: a larger count extends the list.
///
/// Start and goal are walkable and mostly in the same component, with unknown length unless they
/// are equal. One in ten has a goal in another component and is expected to be unreachable. Scratch
/// memory: up to 16 bytes per cell.
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
    let Some(cells) = CellsByComponent::new(map) else {
        return Vec::new();
    };
    (0..u64::from(count))
        .map(|number| cells.problem(&mut Rng::for_stream(seed, number)))
        .collect()
}

/// `count` problems of unknown result between floors of terrains that the world's profile allows;
/// none if there is no such floor.
pub fn world_scenario(data: &WorldData, count: u32, seed: u64) -> Vec<Problem> {
    let cells = walkable_cells(data);
    let draw = |number: u64| draw_problem(&cells, &mut Rng::for_stream(seed, number));
    (0..u64::from(count)).filter_map(draw).collect()
}

/// The floors of terrains that the profile allows.
pub(crate) fn walkable_cells(data: &WorldData) -> Vec<Cell> {
    let walkable = data
        .cells
        .iter()
        .filter(|(_, terrain)| data.profile.allows_terrain(*terrain));
    walkable.map(|(cell, _)| *cell).collect()
}

/// A problem between two random cells, equal only if repeated redraws fail.
pub(crate) fn draw_problem(cells: &[Cell], rng: &mut Rng) -> Option<Problem> {
    let start = *rng.pick(cells)?;
    let mut goal = *rng.pick(cells)?;
    for _ in 0..MAX_REDRAWS {
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

/// The walkable cells of a map, grouped by component.
struct CellsByComponent {
    width: u32,
    /// Cell indices, sorted by component.
    cells: Vec<u32>,
    /// Start of each component in `cells`, and the end of the last.
    starts: Vec<u32>,
}

impl CellsByComponent {
    /// `None` if no cell is walkable.
    fn new(map: &Raster) -> Option<Self> {
        let (component, sizes) = CarvingGrid::from_raster(map)?.components();
        // Component 0 is not walkable.
        let mut starts = vec![0_u32];
        let mut end = 0;
        for size in &sizes[1..] {
            end += size;
            starts.push(end);
        }
        let mut cells = vec![0; end as usize];
        let mut next = starts.clone();
        for (index, &component) in (0..).zip(&component) {
            if let Some(component) = component.checked_sub(1) {
                let slot = &mut next[component as usize];
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
        let component = self.starts.partition_point(|&begin| begin <= start) - 1;
        let (begin, end) = (self.starts[component], self.starts[component + 1]);
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
        for _ in 0..MAX_REDRAWS {
            if goal == start {
                goal = begin + rng.below(end - begin);
            }
        }
        problem(self.cell(start), self.cell(goal))
    }

    fn cell(&self, position: u32) -> Cell {
        let index = self.cells[position as usize];
        Cell::flat(
            (index % self.width).cast_signed(),
            (index / self.width).cast_signed(),
        )
    }
}

#[cfg(test)]
mod tests;

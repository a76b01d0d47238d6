//! Why there is no way over a flat map, and which single cell would open one.

use wayfarer_base::explain::BlockedStep;
use wayfarer_base::{Budget, Cell, Column, Cost, Direction, Explain, Place, Refusal};
use wayfarer_world::dense::DenseGround;

use super::{DenseRequest, DenseSearcher, distances_from};

/// Most places an explanation's frontier names.
const FRONTIER_LIMIT: usize = 16;

/// What stands between the start and the goal of a request that found no way.
///
/// * The frontier: the cells that can be reached beside an obstacle, nearest to the goal first by
///   octile distance, then by row and column; at most 16.
/// * The cheapest blocked step: the one onto the single cell that, if one could stand on it, would
///   open the cheapest way to the goal; the first by row and column of equals, and `None` if no
///   single cell is enough.
/// * Nothing under openers: a dense ground has no doors.
///
/// The goal may be blocked itself. If there is a way already, nothing stands between: the
/// explanation is empty. Each of two searches takes at most `request.budget`, and what lies beyond
/// is not looked at. Allocates 8 bytes per cell of the map.
///
/// ```
/// use wayfarer_base::{Cell, Cost, Raster};
/// use wayfarer_search::dense::{DenseRequest, DenseSearcher, explain};
/// use wayfarer_world::dense::DenseGround;
///
/// let map = Raster::from_bytes(3, 1, vec![0, 255, 0]).unwrap(); // ground, nothing, ground
/// let ground = DenseGround::from_raster(map)?;
/// let request = DenseRequest::new(Cell::flat(0, 0), Cell::flat(2, 0));
/// let why = explain(&ground, &mut DenseSearcher::default(), &request)?;
/// let step = why.cheapest_blocked.unwrap();
/// assert_eq!(step.to, Cell::flat(1, 0).into());
/// assert_eq!(step.cost, Cost::STRAIGHT + Cost::STRAIGHT);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(
    ground: &DenseGround,
    searcher: &mut DenseSearcher,
    request: &DenseRequest,
) -> Result<Explain, Refusal> {
    let (start, goal) = (request.start, request.goal);
    if ground.is_connected(start, goal) {
        return Ok(Explain::default());
    }
    let from_start = costs_from(ground, searcher, start, request.budget)?;
    let to_goal = if ground.is_walkable(goal) {
        costs_from(ground, searcher, goal, request.budget)?
    } else {
        Vec::new()
    };
    Ok(Explain {
        frontier: frontier(ground, &from_start, goal),
        cheapest_blocked: cheapest_blocked(ground, &from_start, &to_goal, goal),
        openers: Vec::new(),
    })
}

/// What it costs to get from `source` to every cell, row by row.
fn costs_from(
    ground: &DenseGround,
    searcher: &mut DenseSearcher,
    source: Cell,
    budget: Budget,
) -> Result<Vec<Option<Cost>>, Refusal> {
    let costs = distances_from(ground, searcher, source, budget)?;
    let columns = ground.rect().columns();
    Ok(columns.map(|at| costs.cost_to(at.at(0))).collect())
}

fn frontier(ground: &DenseGround, reached: &[Option<Cost>], goal: Cell) -> Vec<Place> {
    let is_beside_obstacle = |at: Column| {
        let mut beside = Direction::STRAIGHT.into_iter().filter_map(|to| at.step(to));
        beside.any(|at| ground.rect().contains(at) && !ground.is_walkable(at.at(0)))
    };
    let mut cells: Vec<Cell> = ground
        .rect()
        .columns()
        .zip(reached)
        .filter(|(at, cost)| cost.is_some() && is_beside_obstacle(*at))
        .map(|(at, _)| at.at(0))
        .collect();
    cells.sort_by_key(|cell| {
        let rest = Cost::octile(cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
        (rest, cell.y, cell.x)
    });
    cells.truncate(FRONTIER_LIMIT);
    cells.into_iter().map(Place::Cell).collect()
}

fn cheapest_blocked(
    ground: &DenseGround,
    from_start: &[Option<Cost>],
    to_goal: &[Option<Cost>],
    goal: Cell,
) -> Option<BlockedStep> {
    let blocked = ground.rect().columns().filter_map(|at| {
        let to = at.at(0);
        let because = ground.obstacle(to)?;
        let (before, from) = cheapest_beside(ground, from_start, at)?;
        let rest = if to == goal {
            Cost::ZERO
        } else {
            cheapest_beside(ground, to_goal, at)?.0
        };
        Some(BlockedStep {
            from: Place::Cell(from),
            to: Place::Cell(to),
            cost: before + rest,
            because,
        })
    });
    blocked.min_by_key(|step| step.cost)
}

/// The cheapest step between the blocked column `at`, if one could stand there, and a neighbour
/// with a known cost; the first of equals in the order of directions.
fn cheapest_beside(
    ground: &DenseGround,
    costs: &[Option<Cost>],
    at: Column,
) -> Option<(Cost, Cell)> {
    let is_open = |direction: Direction| {
        let beside = at.step(direction);
        beside.is_some_and(|beside| ground.is_walkable(beside.at(0)))
    };
    let steps = Direction::ALL.into_iter().filter_map(|direction| {
        let is_legal = !direction.is_diagonal()
            || (is_open(direction.turned(1)) && is_open(direction.turned(7)));
        let beside = at.step(direction).filter(|_| is_legal)?;
        let cost = (*costs.get(ground.raster().index(beside.x, beside.y)?)?)?;
        Some((cost + Cost::of_step(direction.is_diagonal()), beside.at(0)))
    });
    steps.min_by_key(|(cost, _)| *cost)
}

#[cfg(test)]
mod tests;

//! Crate `pathfinding`: A* over any graph, with a binary heap and a hash map.
//!
//! Two configurations: as documented, with cells as pairs and successors looked up on the map at every
//! expansion; and tuned, with integer nodes and precomputed moves that allocate nothing per expansion.
//! Costs are integers in both.

use pathfinding::directed::astar::astar;
use wayfarer_engine::base::{Cell, Column, Cost, Direction, Raster};

use crate::engine::{Engine, EngineError, EngineInfo, EngineResult, MovementRule, PathBuffer};
use crate::open_cells::OpenCells;

/// A* of the crate `pathfinding`, used as its documentation shows.
#[derive(Clone, Debug, Default)]
pub struct Pathfinding {
    open: OpenCells,
}

impl Engine for Pathfinding {
    fn about(&self) -> EngineInfo {
        about("pathfinding")
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.open = OpenCells::of(map);
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let mut expansions = 0;
        let found = astar(
            &(start.x, start.y),
            |&(x, y)| {
                expansions += 1;
                let is_open = |dx: i32, dy: i32| self.open.is_open(Column::new(x + dx, y + dy));
                let mut next = Vec::with_capacity(8);
                for direction in Direction::ALL {
                    let (dx, dy) = direction.offset();
                    if is_open(dx, dy) && is_open(dx, 0) && is_open(0, dy) {
                        let cost = Cost::for_step(direction.is_diagonal()).units();
                        next.push(((x + dx, y + dy), cost));
                    }
                }
                next
            },
            |&(x, y)| Cost::octile(x.abs_diff(goal.x), y.abs_diff(goal.y)).units(),
            |&cell| cell == (goal.x, goal.y),
        );
        let found = found.map(|(cells, cost)| {
            let cells = cells.iter().map(|&(x, y)| Cell::flat(x, y));
            path.cells.extend(cells);
            cost
        });
        result(found, expansions)
    }
}

fn about(name: &str) -> EngineInfo {
    EngineInfo {
        name: name.to_owned(),
        rule: MovementRule::Benchmark,
        bound: Some(1.0),
    }
}

fn result(cost: Option<u32>, expansions: u64) -> EngineResult {
    EngineResult {
        found: cost.is_some(),
        length: cost.map(|cost| Cost::from_units(cost).to_cells()),
        expansions: Some(expansions),
    }
}

/// A* of the crate `pathfinding`, given every help.
#[derive(Clone, Debug, Default)]
pub struct TunedPathfinding {
    map: Option<Moves>,
}

#[derive(Clone, Debug)]
struct Moves {
    open: OpenCells,
    /// For each cell a bit per legal move, in the order of `Direction::ALL`.
    moves: Vec<u8>,
}

impl Moves {
    fn of(map: &Raster) -> Self {
        let open = OpenCells::of(map);
        let moves = map
            .rect()
            .columns()
            .map(|cell| {
                let legal = |direction: &Direction| {
                    let (dx, dy) = direction.offset();
                    let side = |x, y| open.is_open(Column::new(cell.x + x, cell.y + y));
                    open.is_open(cell) && side(dx, dy) && side(dx, 0) && side(0, dy)
                };
                let all = Direction::ALL.into_iter().filter(legal);
                all.fold(0, |moves, direction| moves | 1 << direction.index())
            })
            .collect();
        Self { open, moves }
    }

    fn number(&self, cell: Column) -> Option<u32> {
        u32::try_from(self.open.index(cell)?).ok()
    }
}

impl Engine for TunedPathfinding {
    fn about(&self) -> EngineInfo {
        about("pathfinding-tuned")
    }

    fn prepare(&mut self, map: &Raster) -> Result<(), EngineError> {
        self.map = Some(Moves::of(map));
        Ok(())
    }

    fn result(&mut self, start: Column, goal: Column, path: &mut PathBuffer) -> EngineResult {
        let Some(map) = &self.map else {
            return EngineResult::default();
        };
        let (Some(start), Some(end)) = (map.number(start), map.number(goal)) else {
            return EngineResult::default();
        };
        let width = map.open.width();
        let offsets = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.offset();
            dy.wrapping_mul(width.cast_signed())
                .wrapping_add(dx)
                .cast_unsigned()
        });
        let mut expansions = 0;
        let found = astar(
            &start,
            |&cell| {
                expansions += 1;
                let moves = map.moves[cell as usize];
                (0..8_u8)
                    .filter(move |index| moves >> index & 1 == 1)
                    .map(move |index| {
                        let cost = Cost::for_step(index & 1 == 1).units();
                        (cell.wrapping_add(offsets[usize::from(index)]), cost)
                    })
            },
            |&cell| {
                let (x, y) = (cell % width, cell / width);
                Cost::octile(x.abs_diff(end % width), y.abs_diff(end / width)).units()
            },
            |&cell| cell == end,
        );
        let found = found.map(|(cells, cost)| {
            let cells = cells
                .iter()
                .map(|&cell| map.open.column(cell as usize).at(0));
            path.cells.extend(cells);
            cost
        });
        result(found, expansions)
    }
}

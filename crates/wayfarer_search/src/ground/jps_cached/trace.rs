//! Writing a way down, cell by cell, from the places where it turned.

use wayfarer_base::{Cell, Cost, Outcome};
use wayfarer_world::ground::{Ground, NodeId};

use super::HeuristicWeight;
use super::cache::NONE;
use super::searcher::CachedJpsSearcher;
use super::successor_scan::BY_STEP;
use crate::ground::jps::{write_cells, write_run};
use crate::ground::path::known_step;
use crate::kernel::StopReason;

impl CachedJpsSearcher {
    /// The answer to a search that stopped for good, its way written to `nodes`: the whole way,
    /// or the best so far, or nothing.
    pub fn outcome(
        &mut self,
        ground: &Ground,
        stop: StopReason,
        nodes: &mut Vec<NodeId>,
    ) -> Outcome<Cost> {
        nodes.clear();
        if self.fell_back_to_jps {
            return self.plain.outcome(ground, stop, nodes);
        }
        let (number, goal) = self.last_place(stop);
        write(ground, self, number, goal, nodes);
        self.conclude(ground, number, goal)
    }

    /// As [`CachedJpsSearcher::outcome`], with the cells themselves instead of their numbers.
    pub fn outcome_in_cells(
        &mut self,
        ground: &Ground,
        stop: StopReason,
        cells: &mut Vec<Cell>,
    ) -> Outcome<Cost> {
        let mut path = std::mem::take(&mut self.path);
        let outcome = match self.board.level() {
            Some(z) if !self.fell_back_to_jps => {
                let (number, goal) = self.last_place(stop);
                write_level((self, number, goal), z, &mut path, cells);
                self.conclude(ground, number, goal)
            }
            _ => {
                let outcome = self.outcome(ground, stop, &mut path);
                write_cells(ground, &path, cells);
                outcome
            }
        };
        self.path = path;
        outcome
    }

    /// The last place of the way that is told, and the goal if it leads on to it.
    fn last_place(&self, stop: StopReason) -> (u32, Option<(i32, i32)>) {
        match stop {
            StopReason::Goal(number) => (number, Some((self.aim.x, self.aim.y))),
            _ => (self.nearest.0, None),
        }
    }

    /// What the way costs that was written down; forgets what is too much to be kept.
    fn conclude(
        &mut self,
        ground: &Ground,
        number: u32,
        goal: Option<(i32, i32)>,
    ) -> Outcome<Cost> {
        let is_cheapest = goal.is_some() && self.aim.weight == HeuristicWeight::ONE;
        let cost = if is_cheapest {
            self.seen[number as usize].cost
        } else {
            cost(ground, self, number)
        };
        let (x, y) = self.place(self.seen[number as usize].slot).at();
        let found = cost + self.aim.rest(x, y);
        self.at_least = goal.map(|_| self.least_of_all(found));
        self.keep_to_cap();
        match goal {
            Some(_) => Outcome::Found(Cost::from_units(found)),
            None => Outcome::OutOfBudget {
                best: Cost::from_units(cost),
                stats: self.stats(),
            },
        }
    }
}

/// Writes every cell from where the search began to place `number`, and on to `goal` if that is
/// given: each piece is a single step, or goes diagonally first, then straight, over uniform ground.
fn write(
    ground: &Ground,
    searcher: &CachedJpsSearcher,
    number: u32,
    goal: Option<(i32, i32)>,
    cells: &mut Vec<NodeId>,
) {
    // In the room that the cells will take.
    let mut turns = std::mem::take(cells);
    write_turns(searcher, number, &mut turns);
    let n_turns = turns.len();
    let first = searcher.seen[0].slot;
    let (mut x, mut y) = searcher.place(first).at();
    let mut node = searcher.stand(first).node;
    turns.push(node);
    // Written behind the turns, which are taken away at the end.
    for turn in 1..n_turns {
        let slot = searcher.seen[turns[turn].index() as usize].slot;
        let at = searcher.place(slot).at();
        if slot & 7 == u32::from(BY_STEP) {
            node = searcher.stand(slot).node;
            turns.push(node);
        } else {
            node = piece(ground, node, (at.0 - x, at.1 - y), &mut turns);
        }
        (x, y) = at;
    }
    if let Some(goal) = goal {
        piece(ground, node, (goal.0 - x, goal.1 - y), &mut turns);
    }
    turns.drain(..n_turns);
    *cells = turns;
}

/// The same for ground that is all at height `z`, with the cells themselves; `turns` is room.
fn write_level(
    (searcher, number, goal): (&CachedJpsSearcher, u32, Option<(i32, i32)>),
    z: i32,
    turns: &mut Vec<NodeId>,
    cells: &mut Vec<Cell>,
) {
    write_turns(searcher, number, turns);
    let (mut x, mut y) = searcher.place(searcher.seen[0].slot).at();
    cells.clear();
    cells.push(Cell::new(x, y, z));
    let ends = turns[1..].iter().map(|turn| {
        let slot = searcher.seen[turn.index() as usize].slot;
        searcher.place(slot).at()
    });
    for end in ends.chain(goal) {
        let (wide, high) = (end.0 - x, end.1 - y);
        let n_diagonal = wide.abs().min(high.abs());
        let (dx, dy) = (wide.signum(), high.signum());
        let run = (1..=n_diagonal).map(|step| Cell::new(x + dx * step, y + dy * step, z));
        cells.extend(run);
        (x, y) = (x + dx * n_diagonal, y + dy * n_diagonal);
        let n_straight = wide.abs().max(high.abs()) - n_diagonal;
        let (dx, dy) = ((end.0 - x).signum(), (end.1 - y).signum());
        cells.extend((1..=n_straight).map(|step| Cell::new(x + dx * step, y + dy * step, z)));
        (x, y) = end;
    }
}

/// Writes the numbers of the places where a way turns, from where the search began to place
/// `number`.
fn write_turns(searcher: &CachedJpsSearcher, number: u32, turns: &mut Vec<NodeId>) {
    turns.clear();
    let mut at = number;
    while at != NONE {
        turns.push(NodeId::from_index(at));
        at = searcher.seen[at as usize].parent;
    }
    turns.reverse();
}

/// What the way to place `number` costs. Where a cheaper way to one of its turns was found after
/// the next one was come to, that is less than what the search has noted there.
fn cost(ground: &Ground, searcher: &CachedJpsSearcher, number: u32) -> u32 {
    let noted = searcher.seen[number as usize].cost;
    if searcher.stats.pushes == searcher.seen.len() as u64 {
        return noted; // Nothing was ever come to more cheaply than at first.
    }
    let (mut at, mut cost) = (number, 0);
    while searcher.seen[at as usize].parent != NONE {
        let (here, parent) = (
            searcher.seen[at as usize],
            searcher.seen[at as usize].parent,
        );
        let from = searcher.seen[parent as usize];
        let leap = if here.slot & 7 == u32::from(BY_STEP) {
            let end = |slot: u32| {
                let node = searcher.stand(slot).node;
                (node, ground.cell(node))
            };
            let step = known_step(ground.into(), end(from.slot), end(here.slot));
            step.map_or(Cost::ZERO, |(cost, _)| cost)
        } else {
            let (x, y) = searcher.place(here.slot).at();
            let (from_x, from_y) = searcher.place(from.slot).at();
            Cost::octile(x.abs_diff(from_x), y.abs_diff(from_y))
        };
        cost += leap.units();
        at = parent;
    }
    cost
}

/// Writes the cells of a piece that leads (`wide`, `high`) cells on from `node`, left out; returns
/// the last.
fn piece(
    ground: &Ground,
    node: NodeId,
    (wide, high): (i32, i32),
    cells: &mut Vec<NodeId>,
) -> NodeId {
    let (wide_by, high_by) = (wide.unsigned_abs(), high.unsigned_abs());
    let n_diagonal = wide_by.min(high_by);
    let (dx, dy) = (wide.signum(), high.signum());
    let node = write_run(ground, node, (dx, dy), n_diagonal, cells);
    if wide_by > n_diagonal {
        write_run(ground, node, (dx, 0), wide_by - n_diagonal, cells)
    } else {
        write_run(ground, node, (0, dy), high_by - n_diagonal, cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::jps_cached::Query;
    use wayfarer_base::{Budget, Column, GroundEdit, NoopObserver, Raster, Rng, Terrain};

    #[test]
    fn cells_are_those_of_the_numbers_on_level_and_on_hilly_ground() {
        let mut rng = Rng::new(17);
        let mut n_by_board = 0;
        for round in 0..12 {
            let mut flat = vec![0; 96 * 96];
            for cell in &mut flat {
                if rng.chance(1, 4) {
                    *cell = 255;
                }
            }
            let raster = Raster::from_bytes(96, 96, flat).unwrap();
            let mut ground = Ground::from_raster(&raster);
            let [mut one, mut other] = [(); 2].map(|()| CachedJpsSearcher::default());
            let (mut path, mut cells) = (Vec::new(), Vec::new());
            let mut nodes: Vec<NodeId> = ground.nodes().collect();
            for number in 0..160 {
                if number % 20 == 19 {
                    // Floors come and go, sometimes one step up or far from all others.
                    let z = i32::from(round % 3 == 2 && rng.chance(1, 3));
                    let column = Column::new(rng.between(0, 160), rng.between(0, 95));
                    let edit = match ground.node(column.at(0)) {
                        Some(_) => GroundEdit::RemoveCell { cell: column.at(0) },
                        None => GroundEdit::PutCell {
                            cell: column.at(z),
                            terrain: Terrain::GROUND,
                        },
                    };
                    let changes = ground.apply(&[edit]).unwrap();
                    one.apply_changes(&ground, &changes);
                    other.apply_changes(&ground, &changes);
                    nodes = ground.nodes().collect();
                }
                let mut any = || *rng.pick(&nodes).unwrap();
                let query = Query::new(any(), any());
                let weight =
                    [HeuristicWeight::ONE, HeuristicWeight::BOUNDED][rng.below(2) as usize];
                let most = [u64::MAX, 5][rng.below(2) as usize];
                let budget = Budget::expansions(most);
                let began = one.begin(&ground, &query, weight);
                assert_eq!(began, other.begin(&ground, &query, weight));
                if began.is_some() {
                    continue;
                }
                let stop = one.advance(&ground, &mut NoopObserver, budget);
                assert_eq!(stop, other.advance(&ground, &mut NoopObserver, budget));
                n_by_board += u32::from(other.board.level().is_some());
                let result = one.outcome(&ground, stop, &mut path);
                assert_eq!(result, other.outcome_in_cells(&ground, stop, &mut cells));
                assert_eq!(one.at_least(), other.at_least());
                let due: Vec<Cell> = path.iter().map(|node| ground.cell(*node)).collect();
                assert_eq!(cells, due);
            }
        }
        assert!(n_by_board > 200, "{n_by_board} by the board");
    }
}

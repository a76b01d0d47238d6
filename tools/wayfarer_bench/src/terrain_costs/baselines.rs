//! Other libraries on weighted maps: a step costs the mean of its cells' multipliers times its
//! length, or what the library allows.

use hierarchical_pathfinding::prelude::{Neighborhood, PathCache, PathCacheConfig};
use pathfinding::directed::astar::astar;
use wayfarer_engine::base::{Column, Cost, Direction};

use super::kinds::WeightedMap;
use crate::query::{Case, QuerySet};

type Point = (usize, usize);

/// A library under test.
pub(super) enum Baseline<'m> {
    /// HPA* with chunks of this size.
    Hierarchical(&'m WeightedMap, Box<PathCache<AroundCorners<'m>>>),
    /// A* over a hash map.
    Pathfinding(&'m WeightedMap),
}

/// Eight neighbors, diagonals only where both cardinal cells are open.
#[derive(Clone)]
pub(super) struct AroundCorners<'m>(&'m WeightedMap);

impl std::fmt::Debug for AroundCorners<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AroundCorners")
    }
}

impl Neighborhood for AroundCorners<'_> {
    fn get_all_neighbors(&self, point: Point, target: &mut Vec<Point>) {
        for_each_step(self.0, column(point), |to, _| target.push(point_of(to)));
    }

    fn heuristic(&self, point: Point, goal: Point) -> usize {
        point.0.abs_diff(goal.0).max(point.1.abs_diff(goal.1))
    }
}

impl<'m> Baseline<'m> {
    /// Their names, with their preparation.
    pub(super) fn all(map: &'m WeightedMap, set: &QuerySet) -> Vec<(String, Self, f64)> {
        let size = (set.map.width() as usize, set.map.height() as usize);
        let timer = wayfarer_measure::clock::Timer::new();
        let mut all = Vec::new();
        for chunk_size in [16, 32] {
            let config = PathCacheConfig {
                chunk_size,
                ..PathCacheConfig::HIGH_PERFORMANCE
            };
            let build =
                || PathCache::new(size, |point| cost(map, point), AroundCorners(map), config);
            let (cache, nanoseconds) = timer.time(build);
            let name = format!("hierarchical_pathfinding {chunk_size}");
            all.push((
                name,
                Self::Hierarchical(map, Box::new(cache)),
                nanoseconds / 1e3,
            ));
        }
        all.push(("pathfinding".to_owned(), Self::Pathfinding(map), 0.0));
        all
    }

    /// The cells of a path, without the start.
    pub(super) fn find(&self, case: &Case) -> Option<Vec<Column>> {
        match self {
            Self::Hierarchical(map, cache) => {
                let ends = (point_of(case.start), point_of(case.goal));
                let path = cache.find_path(ends.0, ends.1, |point| cost(map, point))?;
                Some(path.map(column).collect())
            }
            Self::Pathfinding(map) => {
                let goal = case.goal;
                let path = astar(
                    &case.start,
                    |at| {
                        let mut next = Vec::with_capacity(8);
                        for_each_step(map, *at, |to, cost| next.push((to, cost)));
                        next
                    },
                    |at| Cost::octile(at.x.abs_diff(goal.x), at.y.abs_diff(goal.y)).units(),
                    |at| *at == goal,
                );
                path.map(|(cells, _)| cells[1..].to_vec())
            }
        }
    }
}

/// The cost of a path under the rule of the ground.
pub(super) fn path_cost(map: &WeightedMap, start: Column, cells: &[Column]) -> u64 {
    let mut at = start;
    let mut sum = 0;
    for to in cells {
        sum += u64::from(step_cost(map, at, *to));
        at = *to;
    }
    sum
}

fn for_each_step(map: &WeightedMap, from: Column, mut visit: impl FnMut(Column, u32)) {
    for direction in Direction::ALL {
        let (dx, dy) = direction.offset();
        let is_open = |dx, dy| map.at(Column::new(from.x + dx, from.y + dy)) > 0;
        if is_open(dx, dy) && is_open(dx, 0) && is_open(0, dy) {
            let to = Column::new(from.x + dx, from.y + dy);
            visit(to, step_cost(map, from, to));
        }
    }
}

fn step_cost(map: &WeightedMap, from: Column, to: Column) -> u32 {
    let is_diagonal = from.x != to.x && from.y != to.y;
    let sum = u32::from(map.at(from)) + u32::from(map.at(to));
    Cost::for_step(is_diagonal).units() * sum / 2
}

fn cost(map: &WeightedMap, point: Point) -> isize {
    match map.at(column(point)) {
        0 => -1,
        multiplier => isize::from(multiplier),
    }
}

fn column(point: Point) -> Column {
    let number = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    Column::new(number(point.0), number(point.1))
}

fn point_of(cell: Column) -> Point {
    let number = |n: i32| usize::try_from(n).unwrap_or(usize::MAX);
    (number(cell.x), number(cell.y))
}

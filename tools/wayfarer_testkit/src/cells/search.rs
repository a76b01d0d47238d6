//! Reference searches over the reference ground: Dijkstra, path checks, connected components.

use std::collections::{BTreeMap, BTreeSet};

use wayfarer_base::{Cell, Cost, Profile};

use super::ReferenceWorld;
use crate::dijkstra_until;

/// The whole graph of a profile: successors with costs of every walkable cell.
pub type SuccessorTable = BTreeMap<Cell, Vec<(Cell, Cost)>>;

impl ReferenceWorld {
    /// The successors of every cell that is walkable for `profile`.
    pub fn successor_table(&self, profile: &Profile) -> SuccessorTable {
        let cells = self.cells().map(|(cell, _)| cell);
        let walkable = cells.filter(|cell| self.is_walkable(*cell, profile));
        walkable
            .map(|cell| (cell, self.successors(cell, profile)))
            .collect()
    }

    /// The optimal cost to every cell reachable from `from`, itself included; empty if `from` is
    /// not walkable.
    pub fn dijkstra(&self, from: Cell, profile: &Profile) -> BTreeMap<Cell, Cost> {
        self.dijkstra_until(from, None, profile)
    }

    /// The optimal cost from `from` to `to`; `None` if unreachable.
    pub fn path_cost(&self, from: Cell, to: Cell, profile: &Profile) -> Option<Cost> {
        self.dijkstra_until(from, Some(to), profile)
            .get(&to)
            .copied()
    }

    /// Stops when `goal` is expanded; the costs of other cells are then not final.
    fn dijkstra_until(
        &self,
        from: Cell,
        goal: Option<Cell>,
        profile: &Profile,
    ) -> BTreeMap<Cell, Cost> {
        if !self.is_walkable(from, profile) {
            return BTreeMap::new();
        }
        dijkstra_until(from, goal, |cell| self.successors(cell, profile))
    }

    /// The cost of a path of legal steps from a walkable cell; of several steps to the same cell
    /// the cheapest applies.
    ///
    /// # Errors
    /// A description of the first illegal step.
    pub fn check_path(&self, path: &[Cell], profile: &Profile) -> Result<Cost, String> {
        let start = path.first().ok_or("the path has no cell")?;
        if !self.is_walkable(*start, profile) {
            return Err(format!("the start {start} is not walkable"));
        }
        let mut total: u32 = 0;
        for (index, pair) in path.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let successors = self.successors(from, profile);
            let costs = successors.iter().filter(|(cell, _)| *cell == to);
            let cost = costs.map(|(_, cost)| cost.units()).min();
            let cost = cost.ok_or_else(|| {
                let legal: Vec<String> = successors
                    .iter()
                    .map(|(cell, _)| cell.to_string())
                    .collect();
                let legal = legal.join(" ");
                format!("step {index} from {from} to {to} is illegal; legal: {legal}")
            })?;
            total = total.saturating_add(cost);
        }
        Ok(Cost::from_units(total))
    }

    /// The weakly connected component of every walkable cell, identified by its smallest cell: no
    /// path exists between different components.
    pub fn components(&self, profile: &Profile) -> BTreeMap<Cell, Cell> {
        let mut neighbors: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
        for (from, successors) in &self.successor_table(profile) {
            neighbors.entry(*from).or_default();
            for (to, _) in successors {
                neighbors.entry(*from).or_default().push(*to);
                neighbors.entry(*to).or_default().push(*from);
            }
        }
        let mut component = BTreeMap::new();
        for cell in neighbors.keys() {
            if !component.contains_key(cell) {
                for found in flood_fill(&neighbors, *cell) {
                    component.insert(found, *cell);
                }
            }
        }
        component
    }
}

fn flood_fill(neighbors: &BTreeMap<Cell, Vec<Cell>>, from: Cell) -> BTreeSet<Cell> {
    let mut visited = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(cell) = open.pop() {
        for next in neighbors.get(&cell).into_iter().flatten() {
            if visited.insert(*next) {
                open.push(*next);
            }
        }
    }
    visited
}

#[cfg(test)]
mod tests;

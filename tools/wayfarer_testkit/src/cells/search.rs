//! Where an agent can get to and what the best path costs, by trying everything.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use wayfarer_base::{Cell, Cost, Profile};

use super::ReferenceWorld;

/// Every step of a world: for each cell where the agent stands, where it may go and at what cost.
pub type StepTable = BTreeMap<Cell, Vec<(Cell, Cost)>>;

impl ReferenceWorld {
    /// The steps of every cell where `profile` can stand; a cell without steps has an empty list.
    pub fn step_table(&self, profile: &Profile) -> StepTable {
        let cells = self.cells().map(|(cell, _)| cell);
        let standing = cells.filter(|cell| self.stands(*cell, profile));
        standing
            .map(|cell| (cell, self.steps(cell, profile)))
            .collect()
    }

    /// The least cost to every cell that can be reached from `from`, itself included; empty if
    /// the agent cannot stand there.
    pub fn dijkstra(&self, from: Cell, profile: &Profile) -> BTreeMap<Cell, Cost> {
        self.dijkstra_until(from, None, profile)
    }

    /// The least cost from `from` to `to`, or `None` if there is no way.
    pub fn path_cost(&self, from: Cell, to: Cell, profile: &Profile) -> Option<Cost> {
        self.dijkstra_until(from, Some(to), profile)
            .get(&to)
            .copied()
    }

    /// Stops early once the cost of `goal` is settled; costs of other cells are then not final.
    fn dijkstra_until(
        &self,
        from: Cell,
        goal: Option<Cell>,
        profile: &Profile,
    ) -> BTreeMap<Cell, Cost> {
        let mut costs = BTreeMap::new();
        if !self.stands(from, profile) {
            return costs;
        }
        let mut open = BinaryHeap::from([Reverse((Cost::ZERO, from))]);
        costs.insert(from, Cost::ZERO);
        while let Some(Reverse((cost, cell))) = open.pop() {
            if cost > costs[&cell] {
                continue;
            }
            if goal == Some(cell) {
                break;
            }
            for (next, step_cost) in self.steps(cell, profile) {
                let units = cost.units().saturating_add(step_cost.units());
                let cost = Cost::from_units(units);
                if costs.get(&next).is_none_or(|known| cost < *known) {
                    costs.insert(next, cost);
                    open.push(Reverse((cost, next)));
                }
            }
        }
        costs
    }

    /// What a path costs, checked step by step: it begins in a cell where the agent stands and
    /// goes on by legal steps, the cheapest where several lead to the same cell.
    ///
    /// # Errors
    /// A sentence that names the first place where it goes wrong.
    pub fn check_path(&self, path: &[Cell], profile: &Profile) -> Result<Cost, String> {
        let start = path.first().ok_or("the path has no cell")?;
        if !self.stands(*start, profile) {
            return Err(format!("nobody can stand at the start {start}"));
        }
        let mut total: u32 = 0;
        for (index, pair) in path.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let steps = self.steps(from, profile);
            let costs = steps.iter().filter(|(cell, _)| *cell == to);
            let cost = costs.map(|(_, cost)| cost.units()).min();
            let cost = cost.ok_or_else(|| {
                let paths: Vec<String> = steps.iter().map(|(cell, _)| cell.to_string()).collect();
                let paths = paths.join(" ");
                format!("step {index} from {from} to {to} is not allowed; allowed: {paths}")
            })?;
            total = total.saturating_add(cost);
        }
        Ok(Cost::from_units(total))
    }

    /// For every cell where `profile` can stand the smallest cell of its component, steps taken
    /// both ways whichever way they lead: two cells with different names have no way between.
    pub fn components(&self, profile: &Profile) -> BTreeMap<Cell, Cell> {
        let steps = self.step_table(profile);
        let mut beside: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
        for (from, successors) in &steps {
            beside.entry(*from).or_default();
            for (to, _) in successors {
                beside.entry(*from).or_default().push(*to);
                beside.entry(*to).or_default().push(*from);
            }
        }
        let mut names = BTreeMap::new();
        for cell in beside.keys() {
            if !names.contains_key(cell) {
                for found in flood(&beside, *cell) {
                    names.insert(found, *cell);
                }
            }
        }
        names
    }
}

fn flood(beside: &BTreeMap<Cell, Vec<Cell>>, from: Cell) -> BTreeSet<Cell> {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(cell) = open.pop() {
        for next in beside.get(&cell).into_iter().flatten() {
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests;

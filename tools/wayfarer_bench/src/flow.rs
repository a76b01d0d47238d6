//! `bench flow`: flow fields built whole, in slices and repaired after edits, for several agents.
//!
//! A generated map of walls, one field over all of it. Every edit closes or opens a cell; the field is
//! compared with a fresh Dijkstra search over all edges after the first build and after some edits.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use serde::Serialize;
use wayfarer_engine::base::{
    Cell, ChangeLog, Column, CostModifier, CostModifierId, CostMultiplier, Fixed, GroundEdit,
    Profile, Raster, Rect, Rng, Shape, Terrain,
};
use wayfarer_engine::search::ground::{FlowField, FlowUpdate, NavGraph};
use wayfarer_engine::world::ground::{
    Ground, GroundDifference, NodeId, ProfileId, SuccessorBuffer,
};
use wayfarer_measure::clock::Timer;
use wayfarer_measure::statistics::{mean, percentile};

use crate::error::BenchError;
use crate::report::{Benchmark, CommandLine, Faults, Figures, Progress};
use crate::table::table;

/// What to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Columns along a side of the map.
    pub side: u32,
    /// Edits of each agent.
    pub n_edits: usize,
    /// Builds of each field; the best counts.
    pub runs: usize,
    /// Seed of map, goals and edits.
    pub seed: u64,
}

/// The fields of one agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FlowRow {
    /// The agent and its ground.
    pub agent: &'static str,
    /// Cells that reach the goal.
    pub cells: usize,
    /// A whole build, in milliseconds.
    pub build_ms: f64,
    /// The same by cells, in nanoseconds.
    pub ns_per_cell: f64,
    /// The longest of the slices of 1,000 cells, in microseconds.
    pub slice_us: f64,
    /// Repair after one edited cell, in milliseconds: mean.
    pub repair_ms: f64,
    /// 99th percentile.
    pub repair_p99_ms: f64,
    /// Longest.
    pub repair_max_ms: f64,
    /// Cells checked or changed by a repair, mean.
    pub repaired_cells: f64,
    /// Repairs that were rebuilds.
    pub rebuilt: usize,
}

/// The fields of all agents.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct FlowFigures {
    /// Agent by agent.
    pub rows: Vec<FlowRow>,
    /// Fields that differ from a fresh search.
    #[serde(flatten)]
    pub faults: Faults,
}

impl Figures for FlowFigures {
    const SCHEMA: &'static str = "wayfarer-bench-flow/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn render(&self) -> String {
        table!(row in &self.rows;
            "agent" => row.agent,
            "cells" => row.cells,
            "build ms" => row.build_ms,
            "ns a cell" => row.ns_per_cell,
            "slice of 1,000 us" => row.slice_us,
            "repair ms" => row.repair_ms,
            "p99" => row.repair_p99_ms,
            "max" => row.repair_max_ms,
            "cells repaired" => row.repaired_cells,
            "rebuilt" => row.rebuilt,
        )
    }

    fn faults(&self) -> Vec<String> {
        self.faults.of("flow")
    }
}

impl Benchmark for Arguments {
    type Figures = FlowFigures;

    fn command(&self) -> String {
        CommandLine::new("flow")
            .option("side", self.side)
            .option("edits", self.n_edits)
            .option("runs", self.runs)
            .option("seed", self.seed)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<FlowFigures, BenchError> {
        let mut figures = FlowFigures::default();
        let wide = |radius: i32| Profile {
            radius: Fixed::from_raw(radius),
            ..Profile::DEFAULT
        };
        const N_AGENTS: usize = 5;
        let agents: [_; N_AGENTS] = [
            ("walker", None, false),
            ("radius 1.0", Some(wide(256)), false),
            ("radius 1.5", Some(wide(384)), false),
            ("walker, a fifth weighted", None, true),
            ("radius 1.5, a fifth weighted", Some(wide(384)), true),
        ];
        for (agent, profile, is_weighted) in agents {
            progress(agent, N_AGENTS);
            let mut ground = self.ground(is_weighted)?;
            let id = profile.map(|profile| ground.register_profile(profile));
            let id = id.transpose().map_err(BenchError::world("profile"))?;
            let row = self.measure_agent(agent, ground, id, &mut figures.faults)?;
            figures.rows.push(row);
        }
        Ok(figures)
    }
}

impl Arguments {
    fn area(&self) -> Rect {
        let last = self.side.cast_signed() - 1;
        Rect::around(Column::new(0, 0), Column::new(last, last))
    }

    /// A map with walls on about an eighth of its columns, and areas of double cost.
    fn ground(&self, is_weighted: bool) -> Result<Ground, BenchError> {
        let side = self.side.cast_signed();
        let mut rng = Rng::for_stream(self.seed, 71);
        let n_columns = (self.side * self.side) as usize;
        let open = Raster::from_bytes(self.side, self.side, vec![0; n_columns]);
        let mut map = open.ok_or_else(|| BenchError::world("map")("too large"))?;
        for _ in 0..n_columns / 120 {
            let (x, y) = (rng.between(0, side - 1), rng.between(0, side - 1));
            let (dx, dy) = if rng.chance(1, 2) { (1, 0) } else { (0, 1) };
            for step in 0..rng.between(4, 24) {
                map.set(x + step * dx, y + step * dy, None);
            }
        }
        let mut ground = Ground::from_raster(&map);
        let mut n_weighted = 0;
        while is_weighted && n_weighted * 5 < self.side * self.side {
            let (x, y) = (rng.between(0, side - 1), rng.between(0, side - 1));
            let low = Column::new(x, y);
            let high = Column::new(x + rng.between(3, 20), y + rng.between(3, 20));
            let edit = GroundEdit::PutCostModifier {
                id: CostModifierId(n_weighted.into()),
                modifier: CostModifier {
                    shape: Shape::Box(Rect::around(low, high)),
                    heights: (0, 0),
                    multiplier: CostMultiplier::from_sixteenths(32).unwrap_or(CostMultiplier::ONE),
                },
            };
            ground.apply(&[edit]).map_err(BenchError::world("map"))?;
            n_weighted += ((high.x - low.x + 1) * (high.y - low.y + 1)).unsigned_abs();
        }
        Ok(ground)
    }

    fn measure_agent(
        &self,
        agent: &'static str,
        mut ground: Ground,
        id: Option<ProfileId>,
        faults: &mut Faults,
    ) -> Result<FlowRow, BenchError> {
        let timer = Timer::new();
        let mut rng = Rng::for_stream(self.seed, 72);
        let graph = NavGraph::new(&ground, id).map_err(BenchError::world("profile"))?;
        let goal = self.random_cell(graph, &mut rng);
        let mut flow = FlowField::new(graph, self.area(), &[goal]);
        let build_ns = timer.best(self.runs, || flow.retarget(graph, self.area(), &[goal]));
        let mut slice_ns: f64 = 0.0;
        flow.begin_retarget(graph, self.area(), &[goal]);
        loop {
            let (is_complete, ns) = timer.time(|| flow.advance(graph, 1_000));
            slice_ns = slice_ns.max(ns);
            if is_complete {
                break;
            }
        }
        check(&flow, graph, goal, agent, faults);
        let cells = flow.len();
        let (mut times, mut n_cells, mut rebuilt) = (Vec::new(), 0, 0);
        let mut log: ChangeLog<GroundDifference> = ChangeLog::starting_at(ground.revision(), 8);
        for number in 0..self.n_edits {
            let last = self.side.cast_signed() - 1;
            let cell = Cell::flat(rng.between(0, last), rng.between(0, last));
            let terrain = Terrain::GROUND;
            let edit = match ground.terrain(cell) {
                Some(_) if cell != goal => GroundEdit::RemoveCell { cell },
                _ => GroundEdit::PutCell { cell, terrain },
            };
            let changes = ground.apply(&[edit]).map_err(BenchError::world("edit"))?;
            log.push(changes.changes);
            let (update, ns) = timer.time(|| flow.update(&ground, &log));
            times.push(ns / 1e6);
            match update {
                FlowUpdate::Repaired { n_cells: n } => n_cells += n,
                FlowUpdate::Rebuilt => rebuilt += 1,
                FlowUpdate::Unchanged => {}
            }
            if number % (self.n_edits / 8 + 1) == 0 {
                let graph = NavGraph::new(&ground, id).map_err(BenchError::world("profile"))?;
                check(&flow, graph, goal, agent, faults);
            }
        }
        times.sort_by(f64::total_cmp);
        Ok(FlowRow {
            agent,
            cells,
            build_ms: build_ns / 1e6,
            ns_per_cell: build_ns / cells.max(1) as f64,
            slice_us: slice_ns / 1e3,
            repair_ms: mean(&times).unwrap_or_default(),
            repair_p99_ms: percentile(&times, 99).unwrap_or_default(),
            repair_max_ms: times.last().copied().unwrap_or_default(),
            repaired_cells: n_cells as f64 / self.n_edits.max(1) as f64,
            rebuilt,
        })
    }

    fn random_cell(&self, graph: NavGraph<'_>, rng: &mut Rng) -> Cell {
        let last = self.side.cast_signed() - 1;
        for _ in 0..10_000 {
            let cell = Cell::flat(rng.between(0, last), rng.between(0, last));
            if graph.node(cell).is_some() {
                return cell;
            }
        }
        Cell::flat(0, 0)
    }
}

/// Compares a field with Dijkstra's algorithm over the reversed edges of all cells.
fn check(flow: &FlowField, graph: NavGraph<'_>, goal: Cell, agent: &str, faults: &mut Faults) {
    let mut incoming: BTreeMap<NodeId, Vec<(NodeId, u32)>> = BTreeMap::new();
    let mut buffer = SuccessorBuffer::default();
    let nodes: Vec<NodeId> = graph.profile_ground().nodes().collect();
    for node in &nodes {
        for (to, cost) in graph.successors(*node, &mut buffer) {
            incoming.entry(to).or_default().push((*node, cost.units()));
        }
    }
    let mut costs: BTreeMap<NodeId, u32> = BTreeMap::new();
    let mut open = BinaryHeap::new();
    open.extend(graph.node(goal).map(|node| Reverse((0, node))));
    while let Some(Reverse((cost, node))) = open.pop() {
        if costs.contains_key(&node) {
            continue;
        }
        costs.insert(node, cost);
        for (from, step) in incoming.get(&node).into_iter().flatten() {
            open.push(Reverse((cost + step, *from)));
        }
    }
    let found = |node: &NodeId| flow.cost(graph.cell(*node)).map(|cost| cost.units());
    let n_wrong = nodes
        .iter()
        .filter(|node| found(node) != costs.get(node).copied())
        .count();
    if n_wrong > 0 || flow.len() != costs.len() {
        faults.push(format!("{agent}: {n_wrong} cells, {} known", flow.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_equal_a_fresh_search_for_every_agent() {
        let arguments = Arguments {
            side: 60,
            n_edits: 40,
            runs: 1,
            seed: 3,
        };
        let report = arguments.run(false, |_, _| ()).unwrap();
        assert_eq!(
            (report.faults.faults.as_slice(), report.rows.len()),
            (&[][..], 5)
        );
        assert!(report.rows.iter().all(|row| row.cells > 500));
    }
}

//! Repaired lists against new scans.

#![expect(clippy::cast_possible_truncation, reason = "small worlds")]

use wayfarer_base::{Cell, Column, GroundEdit, Raster, Rng, SectorId, Terrain};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::super::successor_scan::{ALL_DIRECTIONS, ARRIVAL_ANY, JumpEdge};
use super::*;

/// Scattered obstacles, with the lists of a third of the cells.
struct Case {
    ground: Ground,
    bitmap: JumpBitmap,
    graph: JumpPointGraph,
    scan: SuccessorScan,
    n_unaffected: usize,
}

/// One slot with all directions, and one with some.
fn slots_of(jump_point: u32) -> [u32; 2] {
    [
        jump_point << 3 | u32::from(ARRIVAL_ANY),
        jump_point << 3 | jump_point & 3,
    ]
}

/// Arbitrary but fixed.
fn directions_of(slot: u32) -> u8 {
    if slot & 7 == u32::from(ARRIVAL_ANY) {
        return ALL_DIRECTIONS;
    }
    (slot.wrapping_mul(0x9E37_79B9) >> 24) as u8
}

impl Case {
    fn new(side: (u32, u32), one_in: u32, rng: &mut Rng) -> Self {
        let cells = (0..side.0 * side.1).map(|_| if rng.chance(1, one_in) { 255 } else { 0 });
        let map = Raster::from_bytes(side.0, side.1, cells.collect()).unwrap();
        let ground = Ground::from_raster(&map);
        let mut case = Self {
            bitmap: JumpBitmap::default(),
            graph: JumpPointGraph::default(),
            scan: SuccessorScan::default(),
            ground,
            n_unaffected: 0,
        };
        case.graph.clear(usize::MAX);
        case.bitmap.build_now(&case.ground);
        let nodes: Vec<_> = case.ground.nodes().step_by(3).collect();
        for node in nodes {
            let Cell { x, y, .. } = case.ground.cell(node);
            let edge = JumpEdge {
                node,
                x,
                y,
                cost: 0,
                directions: ALL_DIRECTIONS,
                arrival: ARRIVAL_ANY,
            };
            let jump_point = case.insert(&edge);
            for slot in slots_of(jump_point) {
                let (bitmap, directions) = (case.bitmap.built(), directions_of(slot));
                (case.scan).scan(
                    (&case.ground).into(),
                    bitmap,
                    (node, x, y),
                    directions,
                    true,
                );
                let edges = case.scan.edges.clone();
                let edge_slots = case.resolve(&edges);
                case.graph.insert_list(slot, &case.scan, &edge_slots);
            }
        }
        case
    }

    fn insert(&mut self, edge: &JumpEdge) -> u32 {
        let known = self.graph.find_end(edge);
        known.unwrap_or_else(|| self.graph.insert(edge))
    }

    /// The slots of the ends of edges.
    fn resolve(&mut self, edges: &[JumpEdge]) -> Vec<u32> {
        (edges.iter())
            .map(|edge| self.insert(edge) << 3 | u32::from(edge.arrival))
            .collect()
    }

    fn edit(&mut self, cells: &[Cell]) {
        let edits: Vec<GroundEdit> = (cells.iter())
            .map(|&cell| match self.ground.node(cell) {
                Some(_) => GroundEdit::RemoveCell { cell },
                None => GroundEdit::PutCell {
                    cell,
                    terrain: Terrain::GROUND,
                },
            })
            .collect();
        let changes = self.ground.apply(&edits).unwrap();
        for difference in &changes.changes.differences {
            if let GroundDifference::Floor { cell, .. } = difference {
                let at = cell.column();
                let rect = Rect::around(at, at);
                self.graph.invalidate(rect, true);
                self.bitmap
                    .apply_changes((&self.ground).into(), SectorId::from_column(at), rect);
            }
        }
    }

    /// Repairs all stale lists and compares each with a new scan. Returns how many were repaired,
    /// and how many replaced.
    #[track_caller]
    fn repair_all(&mut self, note: &str) -> (usize, usize) {
        let (mut n_repaired, mut n_replaced) = (0, 0);
        let mut fresh = SuccessorScan::default();
        let n_jump_points = self.graph.jump_points.len() as u32;
        for slot in (0..n_jump_points).flat_map(slots_of) {
            let directions = directions_of(slot);
            let (x, y) = self.graph.jump_points[(slot >> 3) as usize].at();
            let note = format!("{note}, from {}", Column::new(x, y));
            let stale = self.graph.stale(slot);
            if stale.is_none() && self.graph.list_words(slot).is_none() {
                continue;
            }
            let node = self.ground.node(Cell::flat(x, y));
            let origin = (node.expect("a jump point is walkable"), x, y);
            fresh.scan(
                (&self.ground).into(),
                self.bitmap.built(),
                origin,
                directions,
                true,
            );
            let edges = fresh.edges.clone();
            let edge_slots = self.resolve(&edges);
            if let Some(stale) = stale {
                if self.repair(slot, &stale, &fresh, &note) {
                    n_repaired += 1;
                } else {
                    self.graph.remove_list(stale.list);
                    self.graph.insert_list(slot, &fresh, &edge_slots);
                    n_replaced += 1;
                }
            }
            let words = self.graph.list_words(slot);
            assert_eq!(
                words,
                Some(&*self.graph.words_of(&fresh, &edge_slots)),
                "{note}"
            );
        }
        (n_repaired, n_replaced)
    }

    /// Repairs a list; false if it cannot be repaired.
    #[track_caller]
    fn repair(&mut self, slot: u32, stale: &StaleList, fresh: &SuccessorScan, note: &str) -> bool {
        let repair = ListRepair {
            bitmap: &self.bitmap,
            graph: &self.graph,
            directions: directions_of(slot),
        };
        let Some(affected) = repair.rescan(stale, &mut self.scan) else {
            self.n_unaffected += 1;
            self.graph.restore(stale);
            return true;
        };
        assert_eq!(self.scan.diagonals, fresh.diagonals, "{note}");
        for (repaired, fresh) in self.scan.extents.iter().zip(fresh.extents) {
            assert!(*repaired >= fresh, "{note}: {repaired} for {fresh}");
        }
        let edges = self.scan.edges.clone();
        let edge_slots = self.resolve(&edges);
        let may_grow = slot >> 3 & 1 == 0;
        let (graph, scan) = (&mut self.graph, &mut self.scan);
        graph
            .repair(stale, &affected, scan, &edge_slots, may_grow)
            .is_some()
    }
}

#[test]
fn a_repaired_list_equals_a_new_scan() {
    let (mut n_repaired, mut n_replaced, mut n_unaffected) = (0, 0, 0);
    let sides = [(40, 40), (90, 20), (24, 100), (60, 60)];
    for (seed, one_in) in (0..20).zip([4, 12, 60, 400].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let side = sides[seed as usize / 5];
        let mut case = Case::new(side, one_in, &mut rng);
        for round in 0..30 {
            // Several changes before the repair, most of them near each other.
            for _ in 0..rng.between(1, 3) {
                let at = rng.below(side.0 * side.1).cast_signed();
                let (x, y) = (at % side.0.cast_signed(), at / side.0.cast_signed());
                let n_cells = [1, 1, 2, 6][rng.below(4) as usize];
                let near = |at: i32, rng: &mut Rng| at + rng.between(0, 2);
                let mut cells: Vec<Cell> = (0..n_cells)
                    .map(|_| Cell::flat(near(x, &mut rng), near(y, &mut rng)))
                    .collect();
                cells.sort_unstable();
                cells.dedup();
                case.edit(&cells);
            }
            if case.bitmap.built().is_none() {
                break;
            }
            let note = format!("seed {seed}, round {round}");
            let (repaired, replaced) = case.repair_all(&note);
            (n_repaired, n_replaced) = (n_repaired + repaired, n_replaced + replaced);
        }
        n_unaffected += case.n_unaffected;
    }
    assert!(
        n_repaired > 5_000 && n_replaced > 500,
        "{n_repaired}, {n_replaced}"
    );
    assert!(n_unaffected > 5_000, "{n_unaffected}");
}

#![expect(clippy::cast_possible_truncation, reason = "small worlds")]

use wayfarer_base::{Cell, Column, GroundEdit, Raster, Rng, SectorId, Terrain};
use wayfarer_world::ground::{Ground, GroundDifference};

use super::super::successor_scan::{BY_LEAP, ALL_DIRECTIONS, JumpEdge};
use super::*;

/// A field with scattered closed cells, and everything that can be remembered of it.
struct Case {
    ground: Ground,
    board: JumpBitmap,
    cache: Cache,
    draft: SuccessorScan,
    n_unharmed: usize,
}

/// A place looks around, and in some directions if it was come to straight.
fn slots_of(place: u32) -> [u32; 2] {
    [place << 3 | u32::from(BY_LEAP), place << 3 | place & 3]
}

/// Any will do, as long as they are always the same.
fn directions_of(slot: u32) -> u8 {
    if slot & 7 == u32::from(BY_LEAP) {
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
            board: JumpBitmap::default(),
            cache: Cache::default(),
            draft: SuccessorScan::default(),
            ground,
            n_unharmed: 0,
        };
        case.cache.clear(usize::MAX);
        case.board.make_now(&case.ground);
        let nodes: Vec<_> = case.ground.nodes().step_by(3).collect();
        for node in nodes {
            let Cell { x, y, .. } = case.ground.cell(node);
            let sight = JumpEdge {
                node,
                x,
                y,
                cost: 0,
                directions: ALL_DIRECTIONS,
                arrival: BY_LEAP,
            };
            let number = case.enter(&sight);
            let place = (node, x, y);
            for slot in slots_of(number) {
                let (board, directions) = (case.board.made(), directions_of(slot));
                (case.draft).make(&case.ground, board, place, directions, true);
                let sights = case.draft.sights.clone();
                let edges = case.enter_all(&sights);
                case.cache.keep(slot, &case.draft, &edges);
            }
        }
        case
    }

    fn enter(&mut self, sight: &JumpEdge) -> u32 {
        let known = self.cache.see(sight);
        known.unwrap_or_else(|| self.cache.enter(sight))
    }

    /// The sights as edges.
    fn enter_all(&mut self, sights: &[JumpEdge]) -> Vec<u32> {
        let edges = sights.iter();
        edges
            .map(|sight| self.enter(sight) << 3 | u32::from(sight.arrival))
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
                self.cache.forget(rect, true);
                self.board
                    .apply_changes(&self.ground, SectorId::from_column(at), rect);
            }
        }
    }

    /// Repairs the lists that are spoiled, each compared with a fresh look; how many were repaired in
    /// their place, and how many were not.
    #[track_caller]
    fn repair_all(&mut self, note: &str) -> (usize, usize) {
        let (mut n_repaired, mut n_moved) = (0, 0);
        let mut fresh = SuccessorScan::default();
        let n_places = self.cache.locations.len() as u32;
        for slot in (0..n_places).flat_map(slots_of) {
            let (number, directions) = ((slot >> 3) as usize, directions_of(slot));
            let (x, y) = self.cache.locations[number].at();
            let note = format!("{note}, from {}", Column::new(x, y));
            let stale = self.cache.stale(slot);
            if stale.is_none() && self.cache.list_words(slot).is_none() {
                continue;
            }
            let node = self.ground.node(Cell::flat(x, y));
            let place = (node.expect("a place is a cell"), x, y);
            fresh.make(&self.ground, self.board.made(), place, directions, true);
            let sights = fresh.sights.clone();
            let edges = self.enter_all(&sights);
            if let Some(stale) = stale {
                if self.repair(slot, &stale, &fresh, &note) {
                    n_repaired += 1;
                } else {
                    self.cache.forget_list(stale.list);
                    self.cache.keep(slot, &fresh, &edges);
                    n_moved += 1;
                }
            }
            let words = self.cache.list_words(slot);
            assert_eq!(
                words,
                Some(&*self.cache.words_now(&fresh, &edges)),
                "{note}"
            );
        }
        (n_repaired, n_moved)
    }

    /// Repairs a list; false if that cannot be.
    #[track_caller]
    fn repair(&mut self, slot: u32, stale: &StaleList, fresh: &SuccessorScan, note: &str) -> bool {
        let mender = ListRepair {
            board: &self.board,
            cache: &self.cache,
            directions: directions_of(slot),
        };
        let Some(again) = mender.look_again(stale, &mut self.draft) else {
            self.n_unharmed += 1;
            self.cache.restore(stale);
            return true;
        };
        assert_eq!(self.draft.diagonals, fresh.diagonals, "{note}");
        for (repaired, fresh) in self.draft.reach.iter().zip(fresh.reach) {
            assert!(*repaired >= fresh, "{note}: {repaired} for {fresh}");
        }
        let sights = self.draft.sights.clone();
        let edges = self.enter_all(&sights);
        let may_grow = slot >> 3 & 1 == 0;
        let (cache, draft) = (&mut self.cache, &mut self.draft);
        cache
            .repair(stale, &again, draft, &edges, may_grow)
            .is_some()
    }
}

#[test]
fn a_mended_list_is_what_looking_around_would_find() {
    let (mut n_repaired, mut n_moved, mut n_unharmed) = (0, 0, 0);
    let sides = [(40, 40), (90, 20), (24, 100), (60, 60)];
    for (seed, one_in) in (0..20).zip([4, 12, 60, 400].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let side = sides[seed as usize / 5];
        let mut case = Case::new(side, one_in, &mut rng);
        for round in 0..30 {
            // Several changes may come before anybody asks; most of them lie near each other.
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
            if case.board.made().is_none() {
                break;
            }
            let note = format!("seed {seed}, round {round}");
            let (repaired, moved) = case.repair_all(&note);
            (n_repaired, n_moved) = (n_repaired + repaired, n_moved + moved);
        }
        n_unharmed += case.n_unharmed;
    }
    assert!(
        n_repaired > 5_000 && n_moved > 500,
        "{n_repaired}, {n_moved}"
    );
    assert!(n_unharmed > 5_000, "{n_unharmed}");
}

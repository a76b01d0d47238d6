//! A level too large for copies lists every obstacle once, in its cell, under all moves.

use wayfarer_base::{Aabb2, Fixed, Point2, Rng};

use super::super::{
    Obstacle, ObstacleCategories, ObstacleId, ObstaclePairScratch, ObstacleSet, ObstacleShape,
};

const N_OBSTACLES: u32 = 34_000;
const WORLD: i32 = 40_000 * Fixed::UNITS_PER_CELL;
const SIDE: i32 = 90 * Fixed::UNITS_PER_CELL;

fn point([x, y]: [i32; 2]) -> Point2 {
    Point2::from_raw(x, y)
}

fn boxed(low: [i32; 2]) -> Obstacle {
    Obstacle {
        shape: ObstacleShape::Box(Aabb2 {
            low: point(low),
            high: point(low.map(|low| low + SIDE)),
        }),
        categories: ObstacleCategories::ALL,
    }
}

/// A large set, the ids of its obstacles and their positions.
struct LargeSet {
    obstacles: ObstacleSet,
    ids: Vec<ObstacleId>,
    lows: Vec<[i32; 2]>,
    rng: Rng,
}

impl LargeSet {
    fn new(seed: u64) -> Self {
        let mut set = Self {
            obstacles: ObstacleSet::square(WORLD / Fixed::UNITS_PER_CELL).unwrap(),
            ids: Vec::new(),
            lows: Vec::new(),
            rng: Rng::new(seed),
        };
        let mut batch = set.obstacles.edit_bulk();
        for _ in 0..N_OBSTACLES {
            // A third of them in one corner, some out of bounds.
            let far = if set.rng.chance(1, 3) { 8 } else { 1 };
            let low = [0, 1].map(|_| set.rng.between(-SIDE, WORLD / far));
            set.ids.push(batch.insert(&boxed(low)).unwrap());
            set.lows.push(low);
        }
        drop(batch);
        set
    }

    /// Moves every obstacle by at most `max_step` per axis.
    fn tick(&mut self, max_step: i32) {
        let mut batch = self.obstacles.edit_bulk();
        for (id, low) in self.ids.iter().zip(&mut self.lows) {
            *low = low.map(|low| low + self.rng.between(-max_step, max_step));
            batch.move_to(*id, point(*low)).unwrap();
        }
    }

    fn check(&mut self, what: &str) {
        let grid = &self.obstacles.grid;
        let [level] = &grid.levels[..] else {
            panic!("{what}: one size, one level");
        };
        assert!(level.copies().is_none(), "{what}: large");
        let [columns, rows] = level.counts();
        let mut cells = vec![None; self.obstacles.bodies.len()];
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            let [start, end] = level.run(row, column, column);
            for &slot in &level.slots()[start..end] {
                if let Some(cell) = cells.get_mut(slot as usize) {
                    assert_eq!(*cell, None, "{what}: {slot} is listed twice");
                    *cell = Some([column, row]);
                }
            }
        }
        for slot in level.chained() {
            let body = &self.obstacles.bodies[slot as usize];
            assert_eq!(cells[slot as usize], None, "{what}: {slot} is listed twice");
            cells[slot as usize] = Some([0, 1].map(|axis| level.index(axis, body.low[axis])));
        }
        for (id, low) in self.ids.iter().zip(&self.lows) {
            let cell = [0, 1].map(|axis| level.index(axis, low[axis]));
            assert_eq!(cells[id.index() as usize], Some(cell), "{what}: {id:?}");
        }
        let n_listed = cells.iter().flatten().count();
        assert_eq!(
            n_listed,
            self.ids.len(),
            "{what}: a removed obstacle is listed"
        );
        // A rebuilt set has the same pairs.
        let fresh = ObstacleSet::from_record(&self.obstacles.record()).unwrap();
        let (mut grid_scratch, mut fresh_scratch) = (
            ObstaclePairScratch::default(),
            ObstaclePairScratch::default(),
        );
        let pairs = self
            .obstacles
            .pairs(
                ObstacleCategories::ALL,
                ObstacleCategories::ALL,
                &mut grid_scratch,
            )
            .to_vec();
        assert!(!pairs.is_empty(), "{what}");
        let fresh_pairs = fresh.pairs(
            ObstacleCategories::ALL,
            ObstacleCategories::ALL,
            &mut fresh_scratch,
        );
        assert!(
            pairs == fresh_pairs,
            "{what}: pairs differ from those of a rebuilt set"
        );
        let mut hits = Vec::new();
        for _ in 0..20 {
            let low = [0, 1].map(|_| self.rng.between(-SIDE, WORLD));
            let high = low.map(|low| low + 10 * SIDE);
            let area = Aabb2 {
                low: point(low),
                high: point(high),
            };
            self.obstacles
                .in_box(area, ObstacleCategories::ALL, &mut hits);
            let lows = self.ids.iter().zip(&self.lows);
            let inside = lows.filter(|(_, at)| {
                (0..2).all(|axis| at[axis] < high[axis] && low[axis] < at[axis] + SIDE)
            });
            let mut expected: Vec<ObstacleId> = inside.map(|(id, _)| *id).collect();
            expected.sort_unstable();
            assert_eq!(hits, expected, "{what}");
        }
    }
}

#[test]
fn every_obstacle_of_a_large_level_is_listed_once_in_its_cell() {
    let mut set = LargeSet::new(3);
    set.check("at first");
    for (max_step, n_ticks) in [(40, 40), (600, 20), (SIDE, 6), (20 * SIDE, 3), (200, 10)] {
        for tick in 0..n_ticks {
            set.tick(max_step);
            if tick % 5 == 0 {
                set.check(&format!("tick {tick} of moves by {max_step}"));
            }
        }
    }
}

#[test]
fn slow_moves_update_the_grid_and_fast_moves_rebuild_it() {
    let mut set = LargeSet::new(4);
    // The first tick measures the volatility.
    set.tick(200);
    assert!(!set.obstacles.grid.is_volatile);
    for _ in 0..5 {
        set.tick(200);
    }
    assert_eq!(set.obstacles.grid.n_batches, 5, "no rebuild");
    set.tick(SIDE);
    assert_eq!(set.obstacles.grid.n_batches, 0);
    assert!(set.obstacles.grid.is_volatile);
    set.tick(SIDE);
    assert_eq!(set.obstacles.grid.n_batches, 0);
    set.tick(200);
    assert!(!set.obstacles.grid.is_volatile);
}

#[test]
fn crowding_into_one_cell_and_leaving_it_keeps_the_lists_correct() {
    let mut set = LargeSet::new(5);
    set.tick(100);
    // One by one, so that gaps run out and bodies are chained.
    for (i, x) in (0..1_500).zip(0..) {
        let low = [x, 5 * SIDE];
        set.lows[i] = low;
        set.obstacles
            .edit()
            .move_to(set.ids[i], point(low))
            .unwrap();
    }
    let is_chained = set.obstacles.grid.levels[0].chained().next().is_some();
    assert!(is_chained, "no body is chained");
    set.check("crowded");
    for i in 0..700 {
        let low = [0, 1].map(|_| set.rng.between(0, WORLD));
        set.lows[i] = low;
        set.obstacles
            .edit()
            .move_to(set.ids[i], point(low))
            .unwrap();
    }
    for _ in 0..200 {
        let i = set.rng.below(set.ids.len() as u32) as usize;
        set.obstacles.edit().remove(set.ids[i]).unwrap();
        let low = [0, 1].map(|_| set.rng.between(0, WORLD));
        set.lows[i] = low;
        set.ids[i] = set.obstacles.edit().insert(&boxed(low)).unwrap();
    }
    set.check("dispersed");
}

//! A field too large for copies lists every obstacle once, in its cell, however they move.

use wayfarer_base::{Aabb2, Fixed, Point2, Rng};

use super::super::{
    Obstacle, ObstacleCategories, ObstacleId, ObstaclePairScratch, ObstacleSet, ObstacleShape,
};

const N_OBSTACLES: u32 = 34_000;
const WORLD: i32 = 40_000 * Fixed::PARTS;
const SIDE: i32 = 90 * Fixed::PARTS;

fn point([x, y]: [i32; 2]) -> Point2 {
    Point2::new(Fixed::from_raw(x), Fixed::from_raw(y))
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

/// A large field, the names of its obstacles and where each is.
struct Large {
    obstacles: ObstacleSet,
    ids: Vec<ObstacleId>,
    lows: Vec<[i32; 2]>,
    rng: Rng,
}

impl Large {
    fn new(seed: u64) -> Self {
        let mut large = Self {
            obstacles: ObstacleSet::square(WORLD / Fixed::PARTS).unwrap(),
            ids: Vec::new(),
            lows: Vec::new(),
            rng: Rng::new(seed),
        };
        let mut batch = large.obstacles.edit_bulk();
        for _ in 0..N_OBSTACLES {
            // A third of them in one corner, some out of bounds.
            let far = if large.rng.chance(1, 3) { 8 } else { 1 };
            let low = [0, 1].map(|_| large.rng.between(-SIDE, WORLD / far));
            large.ids.push(batch.insert(&boxed(low)).unwrap());
            large.lows.push(low);
        }
        drop(batch);
        large
    }

    /// Moves every obstacle by at most `most` each way.
    fn tick(&mut self, most: i32) {
        let mut batch = self.obstacles.edit_bulk();
        for (id, low) in self.ids.iter().zip(&mut self.lows) {
            *low = low.map(|low| low + self.rng.between(-most, most));
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
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |it| (row, it))) {
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
        assert_eq!(n_listed, self.ids.len(), "{what}: the dead are listed");
        // The same field made anew has the same pairs.
        let fresh = ObstacleSet::from_record(&self.obstacles.record()).unwrap();
        let (mut one, mut other) = (
            ObstaclePairScratch::default(),
            ObstaclePairScratch::default(),
        );
        let pairs = self
            .obstacles
            .pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut one)
            .to_vec();
        assert!(!pairs.is_empty(), "{what}");
        let anew = fresh.pairs(ObstacleCategories::ALL, ObstacleCategories::ALL, &mut other);
        assert!(
            pairs == anew,
            "{what}: other pairs than in a field made anew"
        );
        let mut found = Vec::new();
        for _ in 0..20 {
            let low = [0, 1].map(|_| self.rng.between(-SIDE, WORLD));
            let high = low.map(|low| low + 10 * SIDE);
            let area = Aabb2 {
                low: point(low),
                high: point(high),
            };
            self.obstacles
                .in_box(area, ObstacleCategories::ALL, &mut found);
            let lows = self.ids.iter().zip(&self.lows);
            let inside = lows.filter(|(_, at)| {
                (0..2).all(|axis| at[axis] < high[axis] && low[axis] < at[axis] + SIDE)
            });
            let mut wanted: Vec<ObstacleId> = inside.map(|(id, _)| *id).collect();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{what}");
        }
    }
}

#[test]
fn every_entity_of_a_large_field_is_listed_once_in_its_cell() {
    let mut large = Large::new(3);
    large.check("at first");
    for (most, n_ticks) in [(40, 40), (600, 20), (SIDE, 6), (20 * SIDE, 3), (200, 10)] {
        for tick in 0..n_ticks {
            large.tick(most);
            if tick % 5 == 0 {
                large.check(&format!("tick {tick} of moves by {most}"));
            }
        }
    }
}

#[test]
fn slow_movers_are_followed_and_fast_ones_sorted_anew() {
    let mut large = Large::new(4);
    // The first tick finds out how restless they are.
    large.tick(200);
    assert!(!large.obstacles.grid.is_restless);
    for _ in 0..5 {
        large.tick(200);
    }
    assert_eq!(large.obstacles.grid.n_batches, 5, "no rebuild");
    large.tick(SIDE);
    assert_eq!(large.obstacles.grid.n_batches, 0);
    assert!(large.obstacles.grid.is_restless);
    large.tick(SIDE);
    assert_eq!(large.obstacles.grid.n_batches, 0);
    large.tick(200);
    assert!(!large.obstacles.grid.is_restless);
}

#[test]
fn a_large_field_that_crowds_into_one_cell_and_leaves_it_is_listed_right() {
    let mut large = Large::new(5);
    large.tick(100);
    // One by one, so that lists run out of gaps and bodies are chained.
    for (which, x) in (0..1_500).zip(0..) {
        let low = [x, 5 * SIDE];
        large.lows[which] = low;
        large
            .obstacles
            .edit()
            .move_to(large.ids[which], point(low))
            .unwrap();
    }
    let is_chained = large.obstacles.grid.levels[0].chained().next().is_some();
    assert!(is_chained, "there is no room for so many");
    large.check("crowded");
    for which in 0..700 {
        let low = [0, 1].map(|_| large.rng.between(0, WORLD));
        large.lows[which] = low;
        large
            .obstacles
            .edit()
            .move_to(large.ids[which], point(low))
            .unwrap();
    }
    for _ in 0..200 {
        let which = large.rng.below(large.ids.len() as u32) as usize;
        large.obstacles.edit().remove(large.ids[which]).unwrap();
        let low = [0, 1].map(|_| large.rng.between(0, WORLD));
        large.lows[which] = low;
        large.ids[which] = large.obstacles.edit().insert(&boxed(low)).unwrap();
    }
    large.check("on their ways");
}

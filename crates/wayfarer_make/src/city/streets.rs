//! The avenues that cut a city into blocks, the same for its whole length.

use wayfarer_base::{Column, Rect, Rng, Terrain};

use super::block::Block;
use super::{Canvas, City, overlap};
use crate::carving_grid::GROUND;

/// Mean distance from one avenue to the next.
const PITCH: i32 = 72;
/// How far an avenue may lie from its even place.
const SWAY: i32 = 12;
// Avenues never meet, however they sway.
const _: () = assert!(PITCH > 2 * SWAY + 7);
/// The road around the city.
const BORDER: i32 = 2;

/// The avenues of a city.
pub(super) struct Streets<'a> {
    city: &'a City,
}

/// Which way an avenue runs.
#[derive(Clone, Copy)]
enum Run {
    /// From north to south: placed by x.
    South = 1,
    /// From west to east: placed by y.
    East = 2,
}

/// The columns an avenue takes, from its first on.
struct Avenue {
    first: i32,
    width: i32,
}

impl<'a> Streets<'a> {
    pub(super) const fn new(city: &'a City) -> Self {
        Self { city }
    }

    /// Draws `area`: open ground first, then the blocks, then the trees of the boulevards.
    pub(super) fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        canvas.fill(area, GROUND);
        for j in self.numbers(Run::East, area.low.y, area.high.y) {
            for i in self.numbers(Run::South, area.low.x, area.high.x) {
                self.tree_lines(i, j, canvas);
                if let Some(rect) = self.block(i, j) {
                    let place = u64::from(i.cast_unsigned()) << 32 | u64::from(j.cast_unsigned());
                    Block::new(rect, self.city.seed, place).draw(canvas);
                }
            }
        }
    }

    /// Numbers of the avenues from the last at or before `low` to the last at or before `high`.
    fn numbers(&self, run: Run, low: i32, high: i32) -> std::ops::RangeInclusive<i32> {
        let last_before = |at: i32| {
            let heuristic = at / PITCH + 1;
            (0..=heuristic)
                .rev()
                .find(|&number| self.avenue(run, number).first <= at)
                .unwrap_or(0)
        };
        last_before(low)..=last_before(high)
    }

    fn avenue(&self, run: Run, number: i32) -> Avenue {
        // A number for each avenue, far from those of the blocks.
        let part = (run as u64) << 62 | u64::from(number.cast_unsigned());
        let mut rng = Rng::for_part(self.city.seed, part);
        let sway = rng.between(-SWAY, SWAY);
        Avenue {
            first: if number == 0 {
                0
            } else {
                number * PITCH + sway
            },
            width: match rng.below(4) {
                0 => 7,
                1 | 2 => 4,
                _ => 3,
            },
        }
    }

    /// The ground between avenues `i` and `j` and the next, if there is any inside the city.
    fn block(&self, i: i32, j: i32) -> Option<Rect> {
        let from = |run, number| {
            let avenue = self.avenue(run, number);
            avenue.first + avenue.width
        };
        let to = |run, number: i32| self.avenue(run, number + 1).first - 1;
        let between = Rect {
            low: Column::new(from(Run::South, i), from(Run::East, j)),
            high: Column::new(to(Run::South, i), to(Run::East, j)),
        };
        let mut inside = self.city.rect;
        inside.high.x -= BORDER;
        inside.high.y -= BORDER;
        overlap(between, inside)
    }

    /// Trees along the middle of the wide avenues `i` and `j`, beside their block.
    fn tree_lines(&self, i: i32, j: i32, canvas: &mut Canvas<'_>) {
        let Some(block) = self.block(i, j) else {
            return;
        };
        let (avenue_x, avenue_y) = (self.avenue(Run::South, i), self.avenue(Run::East, j));
        let trees = Terrain::TREES.number();
        if avenue_x.width == 7 {
            let x = avenue_x.first + 3;
            let line = Rect {
                low: Column::new(x, block.low.y),
                high: Column::new(x, block.high.y),
            };
            canvas.each(line, |at| (at.y % 3 != 0).then_some(trees));
        }
        if avenue_y.width == 7 {
            let y = avenue_y.first + 3;
            let line = Rect {
                low: Column::new(block.low.x, y),
                high: Column::new(block.high.x, y),
            };
            canvas.each(line, |at| (at.x % 3 != 0).then_some(trees));
        }
    }
}

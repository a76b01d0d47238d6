//! The avenues that divide a city into blocks.

use wayfarer_base::{Column, Rect, Rng, Terrain};

use super::block::Block;
use super::{Canvas, City, intersection};
use crate::carving_grid::GROUND;

/// Mean distance between avenues, in cells.
const PITCH: i32 = 72;
/// Maximum offset of an avenue from its mean position, in cells.
const JITTER: i32 = 12;
// Avenues never overlap.
const _: () = assert!(PITCH > 2 * JITTER + 7);
/// Width of the road around the city, in cells.
const BORDER: i32 = 2;

/// The avenues of a city.
pub(super) struct Streets<'a> {
    city: &'a City,
}

/// The direction of an avenue.
#[derive(Clone, Copy)]
enum Run {
    /// From north to south, positioned by x.
    South = 1,
    /// From west to east, positioned by y.
    East = 2,
}

/// First column or row of an avenue, and its width.
struct Avenue {
    first: i32,
    width: i32,
}

impl<'a> Streets<'a> {
    pub(super) const fn new(city: &'a City) -> Self {
        Self { city }
    }

    /// Draws `area`: ground, then trees of the boulevards and blocks.
    pub(super) fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        canvas.fill(area, GROUND);
        for j in self.numbers(Run::East, area.low.y, area.high.y) {
            for i in self.numbers(Run::South, area.low.x, area.high.x) {
                self.tree_lines(i, j, canvas);
                if let Some(rect) = self.block(i, j) {
                    let stream = u64::from(i.cast_unsigned()) << 32 | u64::from(j.cast_unsigned());
                    Block::new(rect, self.city.seed, stream).draw(canvas);
                }
            }
        }
    }

    /// Numbers of the avenues from the last at or before `low` to the last at or before `high`.
    fn numbers(&self, run: Run, low: i32, high: i32) -> std::ops::RangeInclusive<i32> {
        let last_before = |at: i32| {
            let upper_bound = at / PITCH + 1;
            (0..=upper_bound)
                .rev()
                .find(|&number| self.avenue(run, number).first <= at)
                .unwrap_or(0)
        };
        last_before(low)..=last_before(high)
    }

    fn avenue(&self, run: Run, number: i32) -> Avenue {
        // A random stream per avenue, disjoint from those of the blocks.
        let stream = (run as u64) << 62 | u64::from(number.cast_unsigned());
        let mut rng = Rng::for_stream(self.city.seed, stream);
        let jitter = rng.between(-JITTER, JITTER);
        Avenue {
            first: if number == 0 {
                0
            } else {
                number * PITCH + jitter
            },
            width: match rng.below(4) {
                0 => 7,
                1 | 2 => 4,
                _ => 3,
            },
        }
    }

    /// The block between avenues `i` and `j` and the next ones, if it is inside the city.
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
        intersection(between, inside)
    }

    /// Trees along the center line of the wide avenues `i` and `j`, beside their block.
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
            canvas.fill_with(line, |at| (at.y % 3 != 0).then_some(trees));
        }
        if avenue_y.width == 7 {
            let y = avenue_y.first + 3;
            let line = Rect {
                low: Column::new(block.low.x, y),
                high: Column::new(block.high.x, y),
            };
            canvas.fill_with(line, |at| (at.x % 3 != 0).then_some(trees));
        }
    }
}

//! A block between avenues: a park, a square, or lots by recursive splitting with streets.

use wayfarer_base::{Column, Rect, Rng, Terrain};

use super::lot::Lot;
use super::{Canvas, intersection};
use crate::carving_grid::{GROUND, SWAMP};

/// Minimum side of a lot, in cells.
const MIN_LOT_SIDE: i32 = 6;

/// One block.
pub(super) struct Block {
    rect: Rect,
    seed: u64,
}

impl Block {
    /// The block at `rect` with its own random stream.
    pub(super) const fn new(rect: Rect, seed: u64, stream: u64) -> Self {
        let mut rng = Rng::for_stream(seed, stream);
        Self {
            rect,
            seed: rng.next_u64(),
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        if intersection(self.rect, canvas.area).is_none() {
            return;
        }
        let mut rng = Rng::for_stream(self.seed, 0);
        let side = self.rect.width().min(self.rect.height());
        match rng.below(100) {
            _ if side < 5 => {} // part of the avenue
            0..9 if side >= 20 => self.park(rng, canvas),
            9..13 if side >= 20 => self.square(canvas),
            _ => {
                let mut lots = Vec::new();
                split(self.rect, 0, &mut rng, &mut lots);
                for (number, lot) in (1..).zip(lots) {
                    Lot::new(lot, Rng::for_stream(self.seed, number)).draw(canvas);
                }
            }
        }
    }

    /// Scattered trees and a pond with a swampy bank. Trees stand on even rows and columns only, so
    /// that no cell is enclosed.
    fn park(&self, mut rng: Rng, canvas: &mut Canvas<'_>) {
        let radius = rng.between(4, 7);
        let margin = radius + 3;
        let pond = Column::new(
            rng.between(self.rect.low.x + margin, self.rect.high.x - margin),
            rng.between(self.rect.low.y + margin, self.rect.high.y - margin),
        );
        let (seed, percent) = (rng.next_u64(), u32::try_from(rng.between(15, 45)));
        let percent = percent.unwrap_or(15);
        canvas.fill_with(self.rect, |at| {
            let (dx, dy) = (at.x - pond.x, at.y - pond.y);
            let distance_squared = dx * dx + dy * dy;
            if distance_squared <= radius * radius {
                return Some(Terrain::WATER.number());
            }
            if distance_squared <= (radius + 1) * (radius + 2) {
                return Some(SWAMP);
            }
            let stream = u64::from(at.x.cast_unsigned()) << 32 | u64::from(at.y.cast_unsigned());
            let is_tree = at.x % 2 == 0
                && at.y % 2 == 0
                && Rng::for_stream(seed, stream).chance(percent, 100);
            Some(if is_tree {
                Terrain::TREES.number()
            } else {
                GROUND
            })
        });
    }

    /// An open square with trees around it and a fountain at the center.
    fn square(&self, canvas: &mut Canvas<'_>) {
        let (low, high) = (self.rect.low, self.rect.high);
        let center = Column::new(low.x.midpoint(high.x), low.y.midpoint(high.y));
        canvas.fill_with(self.rect, |at| {
            let is_edge = |low: i32, at: i32, high: i32| at == low + 3 || at == high - 3;
            let is_within = |low: i32, at: i32, high: i32| at >= low + 3 && at <= high - 3;
            let is_on_row = is_edge(low.y, at.y, high.y) && is_within(low.x, at.x, high.x);
            let is_on_column = is_edge(low.x, at.x, high.x) && is_within(low.y, at.y, high.y);
            let (dx, dy) = (at.x - center.x, at.y - center.y);
            if dx * dx + dy * dy <= 7 {
                Some(Terrain::WATER.number())
            } else if is_on_row && at.x % 3 == 0 || is_on_column && at.y % 3 == 0 {
                Some(Terrain::TREES.number())
            } else {
                Some(GROUND)
            }
        });
    }
}

/// Splits `rect` by streets, wide ones first, until the lots are small; every lot borders a street
/// or avenue on all four sides.
fn split(rect: Rect, depth: u32, rng: &mut Rng, lots: &mut Vec<Rect>) {
    let (width, height) = (rect.high.x - rect.low.x + 1, rect.high.y - rect.low.y + 1);
    let is_split_in_x = width > height || width == height && rng.chance(1, 2);
    let length = width.max(height);
    let street = match depth {
        0 => 3,
        1 | 2 => 2,
        _ => 1,
    };
    let slack = length - street - 2 * MIN_LOT_SIDE;
    let is_small = length <= rng.between(12, 26);
    if slack < 0 || is_small {
        lots.push(rect);
        return;
    }
    let at = MIN_LOT_SIDE + rng.between(slack / 3, slack - slack / 3);
    let (mut low_half, mut high_half) = (rect, rect);
    if is_split_in_x {
        low_half.high.x = rect.low.x + at - 1;
        high_half.low.x = rect.low.x + at + street;
    } else {
        low_half.high.y = rect.low.y + at - 1;
        high_half.low.y = rect.low.y + at + street;
    }
    split(low_half, depth + 1, rng, lots);
    split(high_half, depth + 1, rng, lots);
}

//! What lies between the avenues: a park, a square, or houses cut up by streets and alleys.

use wayfarer_base::{Column, Rect, Rng, Terrain};

use super::lot::Lot;
use super::{Canvas, overlap};
use crate::carving_grid::{GROUND, SWAMP};

/// No house is narrower than this.
const SHORTEST_LOT: i32 = 6;

/// One block.
pub(super) struct Block {
    rect: Rect,
    seed: u64,
}

impl Block {
    /// The block at `rect`; `place` tells it from all others.
    pub(super) const fn new(rect: Rect, seed: u64, place: u64) -> Self {
        let mut rng = Rng::for_part(seed, place);
        Self {
            rect,
            seed: rng.next_u64(),
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        if overlap(self.rect, canvas.area).is_none() {
            return;
        }
        let mut rng = Rng::for_part(self.seed, 0);
        let least = self.rect.width().min(self.rect.height());
        match rng.below(100) {
            _ if least < 5 => {} // a widening of the avenue
            0..9 if least >= 20 => self.park(rng, canvas),
            9..13 if least >= 20 => self.square(canvas),
            _ => {
                let mut lots = Vec::new();
                cut(self.rect, 0, &mut rng, &mut lots);
                for (number, lot) in (1..).zip(lots) {
                    Lot::new(lot, Rng::for_part(self.seed, number)).draw(canvas);
                }
            }
        }
    }

    /// Trees here and there, a pond with a swampy bank. Trees stand on every other row and column
    /// only, so that no place is shut in.
    fn park(&self, mut rng: Rng, canvas: &mut Canvas<'_>) {
        let radius = rng.between(4, 7);
        let margin = radius + 3;
        let pond = Column::new(
            rng.between(self.rect.low.x + margin, self.rect.high.x - margin),
            rng.between(self.rect.low.y + margin, self.rect.high.y - margin),
        );
        let (seed, thick) = (rng.next_u64(), u32::try_from(rng.between(15, 45)));
        let thick = thick.unwrap_or(15);
        canvas.each(self.rect, |at| {
            let (dx, dy) = (at.x - pond.x, at.y - pond.y);
            let far = dx * dx + dy * dy;
            if far <= radius * radius {
                return Some(Terrain::WATER.number());
            }
            if far <= (radius + 1) * (radius + 2) {
                return Some(SWAMP);
            }
            let place = u64::from(at.x.cast_unsigned()) << 32 | u64::from(at.y.cast_unsigned());
            let tree =
                at.x % 2 == 0 && at.y % 2 == 0 && Rng::for_part(seed, place).chance(thick, 100);
            Some(if tree {
                Terrain::TREES.number()
            } else {
                GROUND
            })
        });
    }

    /// An open square with trees around it and a fountain in the middle.
    fn square(&self, canvas: &mut Canvas<'_>) {
        let (low, high) = (self.rect.low, self.rect.high);
        let center = Column::new(low.x.midpoint(high.x), low.y.midpoint(high.y));
        canvas.each(self.rect, |at| {
            let beside = |low: i32, at: i32, high: i32| at == low + 3 || at == high - 3;
            let within = |low: i32, at: i32, high: i32| at >= low + 3 && at <= high - 3;
            let row = beside(low.y, at.y, high.y) && within(low.x, at.x, high.x);
            let column = beside(low.x, at.x, high.x) && within(low.y, at.y, high.y);
            let (dx, dy) = (at.x - center.x, at.y - center.y);
            if dx * dx + dy * dy <= 7 {
                Some(Terrain::WATER.number())
            } else if row && at.x % 3 == 0 || column && at.y % 3 == 0 {
                Some(Terrain::TREES.number())
            } else {
                Some(GROUND)
            }
        });
    }
}

/// Cuts `rect` by streets, wide ones first, until the lots are small; all that is not a lot is
/// street, and every lot has street or avenue on all four sides.
fn cut(rect: Rect, depth: u32, rng: &mut Rng, lots: &mut Vec<Rect>) {
    let (width, height) = (rect.high.x - rect.low.x + 1, rect.high.y - rect.low.y + 1);
    let along_x = width > height || width == height && rng.chance(1, 2);
    let length = width.max(height);
    let street = match depth {
        0 => 3,
        1 | 2 => 2,
        _ => 1,
    };
    let room = length - street - 2 * SHORTEST_LOT;
    let enough = length <= rng.between(12, 26);
    if room < 0 || enough {
        lots.push(rect);
        return;
    }
    let at = SHORTEST_LOT + rng.between(room / 3, room - room / 3);
    let (mut low_half, mut high_half) = (rect, rect);
    if along_x {
        low_half.high.x = rect.low.x + at - 1;
        high_half.low.x = rect.low.x + at + street;
    } else {
        low_half.high.y = rect.low.y + at - 1;
        high_half.low.y = rect.low.y + at + street;
    }
    cut(low_half, depth + 1, rng, lots);
    cut(high_half, depth + 1, rng, lots);
}

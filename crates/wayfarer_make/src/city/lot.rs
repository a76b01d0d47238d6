//! A lot of a block: a house, often with a courtyard and gates, or a garden.

use wayfarer_base::{Column, Rect, Rng, Terrain};

use super::{Canvas, intersection};
use crate::carving_grid::{GROUND, ROCK};

/// A lot; it borders a street or avenue on all four sides.
pub(super) struct Lot {
    rect: Rect,
    rng: Rng,
}

impl Lot {
    pub(super) const fn new(rect: Rect, rng: Rng) -> Self {
        Self { rect, rng }
    }

    pub(super) fn draw(mut self, canvas: &mut Canvas<'_>) {
        if intersection(self.rect, canvas.area).is_none() {
            return;
        }
        // Some houses are set back from the street.
        if self.min_side() >= 8 && self.rng.chance(1, 3) {
            self.rect = deflated(self.rect, 1);
        }
        let side = self.min_side();
        match self.rng.below(20) {
            0 => self.garden(canvas),
            1..=9 if side >= 11 => self.courtyard(canvas),
            10..=13 if side >= 8 => self.wing(canvas),
            _ => canvas.fill(self.rect, ROCK),
        }
    }

    fn min_side(&self) -> i32 {
        let (low, high) = (self.rect.low, self.rect.high);
        (high.x - low.x).min(high.y - low.y) + 1
    }

    /// Trees on even rows and columns only, so that no cell is enclosed.
    fn garden(&self, canvas: &mut Canvas<'_>) {
        canvas.fill_with(self.rect, |at| {
            let is_tree = at.x % 2 == 0 && at.y % 2 == 0 && (at.x / 2 + at.y / 2) % 2 == 0;
            Some(if is_tree {
                Terrain::TREES.number()
            } else {
                GROUND
            })
        });
    }

    /// A house around a yard, with one or two gates.
    fn courtyard(&mut self, canvas: &mut Canvas<'_>) {
        let thickness = self.rng.between(3, (self.min_side() - 4) / 2).min(6);
        let yard = deflated(self.rect, thickness);
        canvas.fill(self.rect, ROCK);
        canvas.fill(yard, GROUND);
        for _ in 0..=self.rng.below(2) {
            let width = self.rng.between(1, 2);
            let mut gate = self.rect;
            let side = self.rng.below(4);
            if side < 2 {
                gate.low.x = self.rng.between(yard.low.x, yard.high.x - width + 1);
                gate.high.x = gate.low.x + width - 1;
            } else {
                gate.low.y = self.rng.between(yard.low.y, yard.high.y - width + 1);
                gate.high.y = gate.low.y + width - 1;
            }
            match side {
                0 => gate.high.y = yard.low.y,
                1 => gate.low.y = yard.high.y,
                2 => gate.high.x = yard.low.x,
                _ => gate.low.x = yard.high.x,
            }
            canvas.fill(gate, GROUND);
        }
        if yard.width().min(yard.height()) >= 5 {
            let center = Column::new(
                yard.low.x.midpoint(yard.high.x),
                yard.low.y.midpoint(yard.high.y),
            );
            canvas.fill(Rect::around(center, center), Terrain::TREES.number());
        }
    }

    /// A house with one corner open to the street.
    fn wing(&mut self, canvas: &mut Canvas<'_>) {
        canvas.fill(self.rect, ROCK);
        let Rect { low, high } = self.rect;
        let size = Column::new(
            self.rng.between(2, (high.x - low.x) / 2),
            self.rng.between(2, (high.y - low.y) / 2),
        );
        let corner = match self.rng.below(4) {
            0 => Rect::around(low, Column::new(low.x + size.x, low.y + size.y)),
            1 => Rect::around(high, Column::new(high.x - size.x, high.y - size.y)),
            2 => Rect::around(
                Column::new(low.x, high.y),
                Column::new(low.x + size.x, high.y - size.y),
            ),
            _ => Rect::around(
                Column::new(high.x, low.y),
                Column::new(high.x - size.x, low.y + size.y),
            ),
        };
        canvas.fill(corner, GROUND);
    }
}

const fn deflated(rect: Rect, by: i32) -> Rect {
    Rect {
        low: Column::new(rect.low.x + by, rect.low.y + by),
        high: Column::new(rect.high.x - by, rect.high.y - by),
    }
}

//! Hill shading: light from the north-west.

use wayfarer_engine::base::{Cell, Column, Rect};
use wayfarer_engine::picture::{HeightBand, Mark, Picture};

use super::super::color::Color;

/// Most cells that are shaded; larger worlds are drawn without shading.
const MAX_CELLS: u64 = 4_000_000;
const NOTHING: i32 = i32::MIN;

/// The heights of one band.
pub(super) struct Relief {
    bounds: Rect,
    /// Row by row; empty if there is nothing to shade.
    heights: Vec<i32>,
    /// Light or shadow per height step.
    strength: f32,
}

impl Relief {
    /// Collects the heights of `band`; none if all are equal.
    pub(super) fn new(picture: &Picture, band: HeightBand, (low, high): (i32, i32)) -> Self {
        let bounds = picture.bounds();
        let n_cells = u64::from(bounds.width()) * u64::from(bounds.height());
        let mut relief = Self {
            bounds,
            heights: Vec::new(),
            strength: strength(low, high),
        };
        if low < high && n_cells <= MAX_CELLS {
            relief.heights = vec![NOTHING; usize::try_from(n_cells).unwrap_or(0)];
            for mark in picture.marks() {
                if let Mark::Ground { from, length, .. } = mark
                    && band.contains(from.z)
                    && let Some(first) = relief.index(from.column())
                {
                    relief.heights[first..first + *length as usize].fill(from.z);
                }
            }
        }
        relief
    }

    fn index(&self, at: Column) -> Option<usize> {
        if self.heights.is_empty() || !self.bounds.contains(at) {
            return None;
        }
        let (x, y) = (
            at.x.abs_diff(self.bounds.low.x),
            at.y.abs_diff(self.bounds.low.y),
        );
        Some(y as usize * self.bounds.width() as usize + x as usize)
    }

    fn height(&self, at: Column) -> Option<i32> {
        let height = self.heights[self.index(at)?];
        (height != NOTHING).then_some(height)
    }

    /// Light and shadow along a row of floors, only on slopes.
    pub(super) fn shades(
        &self,
        from: Cell,
        length: u32,
    ) -> impl Iterator<Item = (Column, Color)> + '_ {
        let length = if self.heights.is_empty() { 0 } else { length };
        (0..length).filter_map(move |step| {
            let at = Column::new(from.x.checked_add_unsigned(step)?, from.y);
            let beside = |dx: i32, dy: i32| {
                let at = Column::new(at.x.checked_sub(dx)?, at.y.checked_sub(dy)?);
                self.height(at)
            };
            let neighbors = [beside(1, 0), beside(0, 1)];
            let rise: i64 = neighbors
                .into_iter()
                .flatten()
                .map(|z| i64::from(from.z) - i64::from(z))
                .sum();
            self.shade(rise).map(|shade| (at, shade))
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "clamped to a few hundred steps")]
    fn shade(&self, rise: i64) -> Option<Color> {
        let light = rise.clamp(-999, 999) as f32 * self.strength;
        match rise {
            0 => None,
            1.. => Some(Color::hex(0xFF_FF_FF).thin(light.min(0.55))),
            _ => Some(Color::hex(0x3A_2E_1E).thin((-light).min(0.45))),
        }
    }
}

/// Weak for a large range of heights, strong for a small one.
fn strength(low: i32, high: i32) -> f32 {
    let range = u16::try_from(high.abs_diff(low)).unwrap_or(u16::MAX);
    (2.4 / f32::from(range.max(1))).clamp(0.012, 0.05)
}

//! Moments of a crowd side by side, as a gray PNG file: walls dark, agents in two shades by their
//! direction, flyers darker the higher they are.

use std::path::Path;

use wayfarer_engine::base::Heightmap;
use wayfarer_engine::formats::heightmap::write_png;

use super::RADIUS;
use super::scenario::Setup;
use crate::error::BenchError;

/// Moments kept while a crowd walks, and drawn at its end.
const MAX_KEPT: usize = 24;
const MAX_DRAWN: usize = 6;
/// Largest side of a moment, in pixels, and the gap between two.
const MAX_SIDE: f64 = 480.0;
const GAP: usize = 4;

const WHITE: i32 = 0xffff;
const WALL: i32 = 0x3000;

/// Positions at some ticks, evenly spaced: if there are too many, every other is dropped.
#[derive(Default)]
pub(super) struct Strip {
    stride: usize,
    kept: Vec<(usize, Vec<[f64; 3]>)>,
}

impl Strip {
    pub(super) fn note(&mut self, tick: usize, now: &[[f64; 3]]) {
        self.stride = self.stride.max(1);
        if (tick - 1).is_multiple_of(self.stride) {
            self.kept.push((tick - 1, now.to_vec()));
        }
        if self.kept.len() > MAX_KEPT {
            self.stride *= 2;
            let stride = self.stride;
            self.kept.retain(|(tick, _)| tick.is_multiple_of(stride));
        }
    }

    /// Draws some of the moments.
    pub(super) fn write(&self, setup: &Setup, file: &Path) -> Result<(), BenchError> {
        let height = setup.is_blocked.len() / setup.width;
        let longest = setup.width.max(height);
        let scale = (MAX_SIDE / super::scenario::float(longest)).clamp(1.0, 16.0);
        let pixels = |cells: usize| super::scenario::whole(super::scenario::float(cells) * scale);
        let (width, height) = (pixels(setup.width), pixels(height));
        let n = self.kept.len().min(MAX_DRAWN);
        let is_wide = width > 2 * height;
        let (columns, rows) = if is_wide { (1, n) } else { (n, 1) };
        let mut canvas = Canvas {
            width: columns * (width + GAP),
            samples: vec![0x8000; columns * (width + GAP) * rows * (height + GAP)],
            scale,
        };
        for place in 0..n {
            let last = self.kept.len() - 1;
            let (_, at) = &self.kept[place * last / (n - 1).max(1)];
            let corner = match is_wide {
                true => (0, place * (height + GAP)),
                false => (place * (width + GAP), 0),
            };
            canvas.draw(setup, at, (corner, (width, height)));
        }
        let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let rows = canvas.samples.len() / canvas.width;
        let map = Heightmap::new(size(canvas.width), size(rows), canvas.samples);
        let fault = |error: String| BenchError::Arguments(format!("{}: {error}", file.display()));
        let map = map.ok_or_else(|| fault("the picture is too large".to_owned()))?;
        let bytes = write_png(&map).map_err(|error| fault(error.to_string()))?;
        std::fs::write(file, bytes).map_err(|error| fault(error.to_string()))
    }
}

struct Canvas {
    width: usize,
    samples: Vec<i32>,
    scale: f64,
}

impl Canvas {
    fn draw(
        &mut self,
        setup: &Setup,
        agents: &[[f64; 3]],
        ((left, top), (width, height)): ((usize, usize), (usize, usize)),
    ) {
        use super::scenario::{float, floor, whole};
        for y in 0..height {
            for x in 0..width {
                let [column, row] = [x, y].map(|at| whole((float(at) / self.scale).floor()));
                let is_wall = setup.is_blocked.get(row * setup.width + column);
                let sample = if is_wall == Some(&false) { WHITE } else { WALL };
                self.samples[(top + y) * self.width + left + x] = sample;
            }
        }
        let radius = RADIUS * self.scale;
        for (index, [x, y, z]) in agents.iter().enumerate() {
            let goes_east = setup.goals[index][0] >= setup.starts[index][0];
            let shade = match (setup.air, goes_east) {
                (0, true) => 0x5000,
                (0, false) => 0xb000,
                (air, _) => 0xd000 - floor(z / float(air) * 32_768.0),
            };
            let (x, y) = (x * self.scale, y * self.scale);
            let range = |at: f64, end: usize| {
                let low = whole((at - radius).max(0.0).floor());
                low..whole((at + radius).max(0.0)).min(end)
            };
            for row in range(y, height) {
                for column in range(x, width) {
                    let (dx, dy) = (float(column) + 0.5 - x, float(row) + 0.5 - y);
                    if dx * dx + dy * dy <= radius * radius {
                        self.samples[(top + row) * self.width + left + column] = shade;
                    }
                }
            }
        }
    }
}

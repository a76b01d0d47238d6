//! A raster image to draw on: areas of cells, anti-aliased lines, discs and text.

use super::color::Color;
use super::font;
use super::scene::{Block, Item, Scene, Zoom};

/// Red, green and blue of every pixel, row by row.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[f32; 3]>,
}

impl Canvas {
    /// Draws a whole scene.
    pub(crate) fn new(scene: &Scene) -> Self {
        let (width, height) = (scene.width as usize, scene.height as usize);
        let mut canvas = Self {
            width,
            height,
            pixels: vec![scene.paper.rgb; width * height],
        };
        for item in &scene.items {
            canvas.draw(item);
        }
        canvas
    }

    /// The pixels as bytes, three each.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let color = |&rgb: &[f32; 3]| Color { rgb, cover: 1.0 }.bytes();
        self.pixels.iter().flat_map(color).collect()
    }

    fn draw(&mut self, item: &Item) {
        match item {
            Item::Blocks {
                left,
                top,
                width,
                height,
                zoom,
                blocks,
            } => self.blocks((*left, *top), (*width, *height), *zoom, blocks),
            Item::Area {
                left,
                top,
                width,
                height,
                color,
            } => self.area((*left, *top), (*width, *height), *color),
            Item::Line {
                points,
                width,
                color,
            } => self.line(points, *width, *color),
            Item::Triangle { corners, color } => self.triangle(corners, *color),
            Item::Disc {
                center,
                radius,
                color,
            } => self.disc(*center, *radius, *color),
            Item::Text {
                left,
                top,
                capital,
                color,
                text,
            } => self.text((*left, *top), *capital, *color, text),
        }
    }

    fn blend(&mut self, x: usize, y: usize, color: Color, part: f32) {
        if x < self.width && y < self.height {
            let pixel = &mut self.pixels[y * self.width + x];
            let part = (color.cover * part).clamp(0.0, 1.0);
            for (there, new) in pixel.iter_mut().zip(color.rgb) {
                *there += (new - *there) * part;
            }
        }
    }

    /// Draws blocks of cells; where several share a pixel, each contributes by its coverage.
    fn blocks(&mut self, at: (f64, f64), size: (u32, u32), zoom: Zoom, blocks: &[Block]) {
        let (width, height) = (size.0 as usize, size.1 as usize);
        let mut layer = vec![[0.0_f32; 4]; width * height];
        for block in blocks {
            let (x, wide) = zoom.span(block.x, block.width);
            let (y, high) = zoom.span(block.y, block.height);
            let [red, green, blue] = block.color.rgb;
            for (row, part_y) in coverage(y, high, height) {
                for (column, part_x) in coverage(x, wide, width) {
                    let part = block.color.cover * part_x * part_y;
                    let pixel = &mut layer[row * width + column];
                    if block.covers && part_x * part_y > 0.0 {
                        *pixel = [0.0; 4];
                    }
                    let part = if block.covers {
                        block.color.cover
                    } else {
                        part
                    };
                    for (sum, add) in pixel.iter_mut().zip([red, green, blue, 1.0]) {
                        *sum += add * part;
                    }
                }
            }
        }
        let (left, top) = (whole(at.0), whole(at.1));
        for (index, &[red, green, blue, cover]) in layer.iter().enumerate() {
            if cover > 0.0 {
                let color = Color {
                    rgb: [red, green, blue].map(|sum| sum / cover),
                    cover: cover.min(1.0),
                };
                self.blend(left + index % width, top + index / width, color, 1.0);
            }
        }
    }

    fn area(&mut self, at: (f64, f64), size: (f64, f64), color: Color) {
        for (y, part_y) in coverage(at.1, size.1, self.height) {
            for (x, part_x) in coverage(at.0, size.0, self.width) {
                self.blend(x, y, color, part_x * part_y);
            }
        }
    }

    fn line(&mut self, points: &[(f64, f64)], width: f64, color: Color) {
        // The polyline is one stroke: a pixel near two segments is blended once.
        let reach = width / 2.0 + 1.0;
        let low = |pick: fn(&(f64, f64)) -> f64| {
            points.iter().map(pick).fold(f64::INFINITY, f64::min) - reach
        };
        let high = |pick: fn(&(f64, f64)) -> f64| {
            points.iter().map(pick).fold(f64::NEG_INFINITY, f64::max) + reach
        };
        let xs = whole(low(|p| p.0))..whole(high(|p| p.0)).min(self.width.saturating_sub(1)) + 1;
        let ys = whole(low(|p| p.1))..whole(high(|p| p.1)).min(self.height.saturating_sub(1)) + 1;
        if points.is_empty() || xs.is_empty() || ys.is_empty() {
            return;
        }
        let mut layer = vec![0.0_f32; xs.len() * ys.len()];
        let ends = points.iter().skip(1).chain(points.last());
        for (&from, &to) in points.iter().zip(ends) {
            let rows = whole(from.1.min(to.1) - reach).max(ys.start)
                ..whole(from.1.max(to.1) + reach)
                    .saturating_add(1)
                    .min(ys.end);
            for y in rows {
                let row = (y - ys.start) * xs.len();
                for x in near_row(from, to, reach, y, &xs) {
                    let away = distance(from, to, (pixel_center(x), pixel_center(y)));
                    let part = (width / 2.0 + 0.5 - away).clamp(0.0, 1.0);
                    let pixel = &mut layer[row + x - xs.start];
                    *pixel = pixel.max(narrow(part));
                }
            }
        }
        for (index, &part) in layer.iter().enumerate() {
            if part > 0.0 {
                let (x, y) = (xs.start + index % xs.len(), ys.start + index / xs.len());
                self.blend(x, y, color, part);
            }
        }
    }

    fn disc(&mut self, at: (f64, f64), radius: f64, color: Color) {
        self.line(&[at, at], radius * 2.0, color);
    }

    fn triangle(&mut self, corners: &[(f64, f64); 3], color: Color) {
        let [a, b, c] = *corners;
        let side = |p: (f64, f64), q: (f64, f64), x: f64, y: f64| {
            (q.0 - p.0) * (y - p.1) - (q.1 - p.1) * (x - p.0)
        };
        let turn = side(a, b, c.0, c.1);
        let xs = whole(a.0.min(b.0).min(c.0))
            ..whole(a.0.max(b.0).max(c.0))
                .saturating_add(1)
                .min(self.width);
        let ys = whole(a.1.min(b.1).min(c.1))
            ..whole(a.1.max(b.1).max(c.1))
                .saturating_add(1)
                .min(self.height);
        for y in ys {
            for x in xs.clone() {
                let (at_x, at_y) = (pixel_center(x), pixel_center(y));
                let inside = [(a, b), (b, c), (c, a)]
                    .iter()
                    .all(|&(p, q)| side(p, q, at_x, at_y) * turn >= 0.0);
                if inside && turn != 0.0 {
                    self.blend(x, y, color, 1.0);
                }
            }
        }
    }

    fn text(&mut self, at: (f64, f64), capital: f64, color: Color, text: &str) {
        let unit = capital / font::CAPITAL;
        let mut left = at.0;
        for letter in text.chars() {
            for stroke in font::strokes(letter) {
                let points: Vec<_> = stroke
                    .map(|(x, y)| (left + x * unit, at.1 + y * unit))
                    .collect();
                self.line(&points, (unit * 0.85).max(1.1), color);
            }
            left += font::ADVANCE * unit;
        }
    }
}

/// The columns of row `y` that may lie within `reach` of the segment.
fn near_row(
    from: (f64, f64),
    to: (f64, f64),
    reach: f64,
    y: usize,
    xs: &std::ops::Range<usize>,
) -> std::ops::Range<usize> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut low, mut high) = (from.0.min(to.0), from.0.max(to.0));
    if dy.abs() > 1.0 {
        // Where the segment crosses the rows up to `reach` above and below.
        let slope = dx / dy;
        let (above, below) = (
            pixel_center(y) - reach * 2.0 - from.1,
            pixel_center(y) + reach * 2.0 - from.1,
        );
        let (a, b) = (from.0 + slope * above, from.0 + slope * below);
        low = low.max(a.min(b));
        high = high.min(a.max(b));
    }
    whole(low - reach).max(xs.start)..whole(high + reach).saturating_add(1).min(xs.end)
}

/// The pixels that a span overlaps, each with its coverage.
fn coverage(from: f64, length: f64, limit: usize) -> impl Iterator<Item = (usize, f32)> {
    let to = from + length;
    let end = if to <= 0.0 { 0 } else { whole(to.ceil()) };
    (whole(from)..end.min(limit)).filter_map(move |pixel| {
        let low = pixel_center(pixel) - 0.5;
        let part = narrow(to.min(low + 1.0) - from.max(low));
        (part > 0.0).then_some((pixel, part))
    })
}

fn distance(from: (f64, f64), to: (f64, f64), at: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (x, y) = (at.0 - from.0, at.1 - from.1);
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 {
        ((x * dx + y * dy) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    wayfarer_engine::base::math::length(x - along * dx, y - along * dy)
}

/// The pixel of a coordinate; 0 below 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float to integer cast saturates, as documented"
)]
fn whole(at: f64) -> usize {
    at.floor() as usize
}

fn pixel_center(pixel: usize) -> f64 {
    f64::from(u32::try_from(pixel).unwrap_or(u32::MAX)) + 0.5
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "coverage from 0 to 1 needs no more digits"
)]
fn narrow(part: f64) -> f32 {
    part as f32
}

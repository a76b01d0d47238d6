//! Quads, influence and obstacles.

#![expect(clippy::cast_possible_truncation, reason = "fractions, for shades")]

use wayfarer_engine::base::{Aabb2, Cost, Fixed, Point2, Shape};
use wayfarer_engine::picture::Mark;
use wayfarer_engine::world::obstacles::ObstacleShape;

use super::{Color, Item, Panel, color};

impl Panel<'_> {
    /// Draws quads and influence, and the obstacles over them.
    pub(super) fn obstacles(&mut self) {
        let (mut farthest, mut strongest) = (Cost::ZERO, 1);
        for mark in self.picture.marks() {
            match mark {
                Mark::SearchedQuad { cost, .. } => farthest = farthest.max(*cost),
                Mark::Influence { strength, .. } => strongest = strongest.max(*strength),
                _ => {}
            }
        }
        let far = |cost: Cost| {
            let part = cost.to_cells() / farthest.to_cells().max(1e-9);
            part as f32
        };
        for mark in self.picture.marks() {
            match mark {
                Mark::SearchedQuad { area, cost } => {
                    self.area(*area, color::searched_quad(far(*cost)));
                }
                Mark::Influence { area, strength } => {
                    let part = f64::from(*strength) / f64::from(strongest);
                    self.area(*area, color::explored(part as f32));
                }
                Mark::Quad {
                    area,
                    is_free: false,
                } => self.area(*area, color::blocked_quad()),
                _ => {}
            }
        }
        for mark in self.picture.marks() {
            if let Mark::Obstacle { shape, categories } = mark {
                self.obstacle(*shape, color::obstacle(*categories));
            }
        }
    }

    /// Draws a rectangle, clipped to the picture.
    fn area(&mut self, Aabb2 { low, high }: Aabb2, color: Color) {
        let bounds = self.grid.bounds;
        let inside = |at: Fixed, low: i32, high: i32| {
            at.to_cells().clamp(f64::from(low), f64::from(high) + 1.0)
        };
        let corner = |at: Point2| {
            (
                inside(at.x, bounds.low.x, bounds.high.x),
                inside(at.y, bounds.low.y, bounds.high.y),
            )
        };
        let (low, high) = (corner(low), corner(high));
        let (left, top) = self.point(low.0, low.1);
        let (right, bottom) = self.point(high.0, high.1);
        // At least one pixel.
        let (width, height) = (right - left, bottom - top);
        if width > 0.0 && height > 0.0 {
            self.scene.items.push(Item::Area {
                left,
                top,
                width: width.max(1.0),
                height: height.max(1.0),
                color,
            });
        }
    }

    fn obstacle(&mut self, shape: ObstacleShape, color: Color) {
        match shape {
            ObstacleShape::Box(area) => self.area(area, color),
            ObstacleShape::Disc { center, radius } => {
                let circle = Shape::Circle { center, radius };
                let (around, bounds) = (circle.bounds(), self.grid.bounds);
                let is_inside = bounds.low.x <= around.low.x
                    && bounds.low.y <= around.low.y
                    && around.high.x <= bounds.high.x
                    && around.high.y <= bounds.high.y;
                if is_inside {
                    let at = self.point(center.x.to_cells(), center.y.to_cells());
                    let radius = self.grid.zoom.pixels(radius.to_cells()).max(0.7);
                    self.disc(at, radius, color);
                } else {
                    self.clipped_disc((center.x.to_cells(), center.y.to_cells()), radius, color);
                }
            }
        }
    }

    /// Draws a disc clipped to the picture, row by row of pixels.
    fn clipped_disc(&mut self, (x, y): (f64, f64), radius: Fixed, color: Color) {
        let (x, y) = self.point(x, y);
        let radius = self.grid.zoom.pixels(radius.to_cells());
        let (width, height) = self.grid.panel_size();
        let (left, top) = self.at;
        let (right, bottom) = (left + f64::from(width), top + f64::from(height));
        let mut row = top.max((y - radius).floor());
        while row < bottom.min(y + radius) {
            let away = row + 0.5 - y;
            let half = (radius * radius - away * away).max(0.0).sqrt();
            let (from, to) = ((x - half).max(left), (x + half).min(right));
            if from < to {
                self.scene.items.push(Item::Area {
                    left: from,
                    top: row,
                    width: to - from,
                    height: 1.0,
                    color,
                });
            }
            row += 1.0;
        }
    }
}

//! Bodies: grid bins and outlines of footprints, visible columns, and the bodies themselves.

use wayfarer_engine::picture::{Mark, Role};

use super::super::super::color;
use super::super::Item;
use super::Panel;

impl Panel<'_> {
    /// Draws visible columns, and over them the grid bins with gaps between.
    pub(super) fn grid_bins(&mut self) {
        let mut seen = Vec::new();
        let mut bins = Vec::new();
        for mark in self.picture.marks() {
            match mark {
                Mark::InSight { from, length } if self.band.contains(from.z) => {
                    // Overlapping fields of view are drawn once.
                    let block = self.block(from.column(), *length, 1, color::in_sight());
                    seen.push(super::Block {
                        covers: true,
                        ..block
                    });
                }
                Mark::GridBin { area, is_inside } => {
                    let cells = |at: wayfarer_engine::base::Fixed| at.to_cells();
                    let (left, top) = self.point(cells(area.low.x), cells(area.low.y));
                    let (right, bottom) = self.point(cells(area.high.x), cells(area.high.y));
                    let gap = ((right - left) * 0.04).clamp(0.5, 1.5);
                    bins.push(Item::Area {
                        left: left + gap,
                        top: top + gap,
                        width: (right - left - 2.0 * gap).max(0.5),
                        height: (bottom - top - 2.0 * gap).max(0.5),
                        color: color::grid_bin(*is_inside),
                    });
                }
                _ => {}
            }
        }
        self.layer(seen);
        self.scene.items.extend(bins);
    }

    /// Draws outlines of footprints, then bodies, the origins of queries on top.
    pub(super) fn bodies(&mut self) {
        let width = (self.cell() * 0.2).clamp(1.2, 2.5);
        for mark in self.picture.marks() {
            if let Mark::Outline { points } = mark {
                let points = points.iter();
                let points = points.map(|at| self.point(at.x.to_cells(), at.y.to_cells()));
                self.line(points.collect(), width, color::outline());
            }
        }
        for wanted in [Role::Other, Role::Hidden, Role::Found, Role::QueryOrigin] {
            let radius = match wanted {
                Role::QueryOrigin => (self.cell() * 0.75).clamp(4.0, 9.0),
                Role::Found | Role::Hidden => (self.cell() * 0.45).clamp(2.4, 6.0),
                Role::Other => (self.cell() * 0.32).clamp(1.6, 4.0),
            };
            for mark in self.picture.marks() {
                if let Mark::Body { at, role } = mark
                    && *role == wanted
                    && self.band.contains(at.z.cell())
                {
                    let center = self.point(at.x.to_cells(), at.y.to_cells());
                    self.disc(center, radius + 1.2, color::halo().thin(1.0));
                    self.disc(center, radius, color::body(*role));
                }
            }
        }
    }
}

//! One height band: ground, expansions, paths, obstacles and bodies.

use wayfarer_engine::base::{Cell, Column, Fixed, Point2, Point3, Rect, Shape, Wall, WallSide};
use wayfarer_engine::picture::{HeightBand, Mark, Picture, SliceContent};

mod obstacles;

use super::super::color::{self, Color};
use super::super::font;
use super::relief::Relief;
use super::{Block, Grid, Item, Scene, Zoom};

mod bodies;

/// Draws band `number` of `bands` at `at`.
pub(super) fn draw(
    scene: &mut Scene,
    picture: &Picture,
    bands: &[HeightBand],
    number: usize,
    grid: &Grid,
    at: (f64, f64),
) {
    let mut panel = Panel {
        scene,
        picture,
        band: bands[number],
        grid,
        at,
    };
    let several = bands.len() > 1;
    panel.ground(number.checked_sub(1).map(|below| bands[below]), several);
    panel.slice();
    panel.mesh();
    panel.areas();
    panel.grid_bins();
    panel.lines();
    panel.walls();
    panel.paths();
    panel.bodies();
    panel.ends();
}

/// True if the picture shows the air: the background is sky then.
fn has_slice(picture: &Picture) -> bool {
    let cut = |mark: &Mark| matches!(mark, Mark::Slice { .. });
    picture.marks().iter().any(cut)
}

struct Panel<'a> {
    scene: &'a mut Scene,
    picture: &'a Picture,
    band: HeightBand,
    grid: &'a Grid,
    at: (f64, f64),
}

impl Panel<'_> {
    /// The size of a cell in pixels; 1 if a pixel holds several.
    fn cell(&self) -> f64 {
        match self.grid.zoom {
            Zoom::PixelsPerCell(pixels) => f64::from(pixels),
            Zoom::CellsPerPixel(_) => 1.0,
        }
    }

    fn point(&self, x: f64, y: f64) -> (f64, f64) {
        let low = self.grid.bounds.low;
        (
            self.at.0 + self.grid.zoom.pixels(x - f64::from(low.x)),
            self.at.1 + self.grid.zoom.pixels(y - f64::from(low.y)),
        )
    }

    fn center(&self, cell: Cell) -> (f64, f64) {
        self.point(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
    }

    fn block(&self, from: Column, width: u32, height: u32, color: Color) -> Block {
        let low = self.grid.bounds.low;
        Block {
            x: i64::from(from.x) - i64::from(low.x),
            y: i64::from(from.y) - i64::from(low.y),
            width,
            height,
            color,
            covers: false,
        }
    }

    fn layer(&mut self, blocks: Vec<Block>) {
        if !blocks.is_empty() {
            let (width, height) = self.grid.panel_size();
            self.scene.items.push(Item::Blocks {
                left: self.at.0,
                top: self.at.1,
                width,
                height,
                zoom: self.grid.zoom,
                blocks,
            });
        }
    }

    fn line(&mut self, points: Vec<(f64, f64)>, width: f64, color: Color) {
        self.scene.items.push(Item::Line {
            points,
            width,
            color,
        });
    }

    fn ground(&mut self, below: Option<HeightBand>, several: bool) {
        let (width, height) = self.grid.panel_size();
        self.scene.items.push(Item::Area {
            left: self.at.0,
            top: self.at.1,
            width: width.into(),
            height: height.into(),
            color: color::nothing(several || has_slice(self.picture)),
        });
        let heights = self.picture.heights().unwrap_or_default();
        let relief = Relief::new(self.picture, self.band, heights);
        let mut shades = Vec::new();
        let mut ghosts = Vec::new();
        let mut floors = Vec::new();
        let mut solids = Vec::new();
        for mark in self.picture.marks() {
            match mark {
                Mark::Ground {
                    from,
                    length,
                    terrain,
                } => {
                    let color = color::ground(*terrain, part(from.z, heights));
                    if self.band.contains(from.z) {
                        floors.push(self.block(from.column(), *length, 1, color));
                        shades.extend(
                            relief
                                .shades(*from, *length)
                                .map(|(at, shade)| self.block(at, 1, 1, shade)),
                        );
                    } else if below.is_some_and(|below| below.contains(from.z)) {
                        let faint = color.thin(color::FADED);
                        ghosts.push(self.block(from.column(), *length, 1, faint));
                    }
                }
                Mark::Solid { low, high } if low.z <= self.band.high && self.band.low <= high.z => {
                    let rect = mark.bounds();
                    let top = high.z.min(self.band.high);
                    let color = color::solid(part(top, heights));
                    let block = self.block(rect.low, rect.width(), rect.height(), color);
                    let covers = true;
                    solids.push((top, Block { covers, ..block }));
                }
                _ => {}
            }
        }
        solids.sort_by_key(|(top, _)| *top);
        self.layer(ghosts);
        self.layer(floors);
        self.layer(shades);
        self.layer(solids.into_iter().map(|(_, block)| block).collect());
    }

    /// Draws a slice or projection of the air; large octree nodes get an outline.
    fn slice(&mut self) {
        let heights = self.picture.heights().unwrap_or_default();
        let mut blocks = Vec::new();
        let mut outlines = Vec::new();
        for mark in self.picture.marks() {
            let Mark::Slice {
                from,
                width,
                height,
                what,
            } = mark
            else {
                continue;
            };
            let color = color::cut(*what, part(from.z, heights));
            let block = self.block(from.column(), *width, *height, color);
            if matches!(what, SliceContent::Free { .. }) {
                let (x, across) = self.grid.zoom.span(block.x, *width);
                let (y, down) = self.grid.zoom.span(block.y, *height);
                if across >= 7.0 && down >= 7.0 {
                    let (left, top) = (self.at.0 + x, self.at.1 + y);
                    outlines.push((left, top, across, 1.0));
                    outlines.push((left, top, 1.0, down));
                }
            }
            let covers = true;
            blocks.push(Block { covers, ..block });
        }
        self.layer(blocks);
        let color = color::ink().thin(0.3);
        for (left, top, width, height) in outlines {
            self.scene.items.push(Item::Area {
                left,
                top,
                width,
                height,
                color,
            });
        }
    }

    fn mesh(&mut self) {
        let heights = self.picture.heights().unwrap_or_default();
        let mut triangles: Vec<_> = self
            .picture
            .marks()
            .iter()
            .filter_map(|mark| match mark {
                Mark::Triangle { corners } => Some(corners),
                _ => None,
            })
            .collect();
        triangles.sort_by_key(|corners| sum_of_heights(corners));
        for corners in triangles {
            let height = sum_of_heights(corners) / (3 * i64::from(Fixed::UNITS_PER_CELL));
            let height = i32::try_from(height).unwrap_or_default();
            let color = color::solid(part(height, heights));
            let color = color.towards(color::ink(), 0.55 * steepness(corners));
            let corners = corners.map(|c| self.point(c.x.to_cells(), c.y.to_cells()));
            self.scene.items.push(Item::Triangle { corners, color });
        }
    }

    fn areas(&mut self) {
        let last = self.picture.marks().iter().filter_map(|mark| match mark {
            Mark::Expanded { order, .. } => Some(*order),
            _ => None,
        });
        let last = i32::try_from(last.max().unwrap_or(0)).unwrap_or(i32::MAX);
        let most = self.picture.marks().iter().filter_map(|mark| match mark {
            Mark::Explored { times, .. } => Some(*times),
            _ => None,
        });
        let most = most.max().unwrap_or(1);
        let mut regions = Vec::new();
        let mut expanded = Vec::new();
        let mut footprints = Vec::new();
        let mut zones = Vec::new();
        for mark in self.picture.marks() {
            match mark {
                Mark::Region { cell, number } | Mark::Component { cell, number }
                    if self.band.contains(cell.z) =>
                {
                    let color = color::number(*number).thin(0.6);
                    regions.push(self.block(cell.column(), 1, 1, color));
                }
                Mark::Expanded { cell, order } if self.band.contains(cell.z) => {
                    let order = i32::try_from(*order).unwrap_or(i32::MAX);
                    let color = color::expanded(part(order, (0, last)));
                    expanded.push(self.block(cell.column(), 1, 1, color));
                }
                Mark::Explored { cell, times } if self.band.contains(cell.z) => {
                    let color = color::explored(heat(*times, most));
                    expanded.push(self.block(cell.column(), 1, 1, color));
                }
                Mark::Footprint { shape, z } if self.band.contains(*z) => {
                    footprints.extend(self.blocks(shape, color::footprint()));
                }
                Mark::Zone {
                    kind,
                    shape,
                    heights,
                } if self.band.low <= heights.1 && heights.0 <= self.band.high => {
                    zones.extend(self.blocks(shape, color::zone(*kind)));
                }
                _ => {}
            }
        }
        self.layer(regions);
        self.layer(expanded);
        self.layer(zones);
        self.layer(footprints);
        self.obstacles();
    }

    /// The columns of a shape, clipped to the picture.
    fn blocks(&self, shape: &Shape, color: Color) -> Vec<Block> {
        let (inside, around) = (self.grid.bounds, shape.bounds());
        let seen = Rect {
            low: Column::new(
                inside.low.x.max(around.low.x),
                inside.low.y.max(around.low.y),
            ),
            high: Column::new(
                inside.high.x.min(around.high.x),
                inside.high.y.min(around.high.y),
            ),
        };
        if seen.is_empty() {
            return Vec::new();
        }
        if let Shape::Box(_) = shape {
            return vec![self.block(seen.low, seen.width(), seen.height(), color)];
        }
        let belongs =
            |at: &Column| Point2::center_of(*at).is_some_and(|center| shape.contains(center));
        let columns = seen.columns().filter(belongs);
        columns.map(|at| self.block(at, 1, 1, color)).collect()
    }

    /// Draws thin walls; collinear ones become one line.
    fn walls(&mut self) {
        let mut edges: Vec<(WallSide, i32, i32)> = Vec::new();
        for mark in self.picture.marks() {
            if let Mark::Wall(Wall { cell, side }) = mark
                && self.band.contains(cell.z)
            {
                // The line, then the position along it.
                edges.push(match side {
                    WallSide::East => (*side, cell.x, cell.y),
                    WallSide::South => (*side, cell.y, cell.x),
                });
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let follows = |a: &(WallSide, i32, i32), b: &(WallSide, i32, i32)| {
            (a.0, a.1) == (b.0, b.1) && a.2.checked_add(1) == Some(b.2)
        };
        for row in edges.chunk_by(follows) {
            let ((side, line, from), to) = (row[0], row[row.len() - 1].2);
            let line = f64::from(line) + 1.0;
            let ends = [f64::from(from), f64::from(to) + 1.0].map(|along| match side {
                WallSide::East => self.point(line, along),
                WallSide::South => self.point(along, line),
            });
            let width = (self.cell() * 0.22).clamp(1.0, 4.0);
            self.line(ends.to_vec(), width, color::wall());
        }
    }

    fn lines(&mut self) {
        let cell = self.cell();
        let (width, height) = self.grid.panel_size();
        let (right, bottom) = (self.at.0 + f64::from(width), self.at.1 + f64::from(height));
        for mark in self.picture.marks() {
            match mark {
                Mark::SectorLine(sector) if cell >= 2.0 => {
                    let low = sector.origin();
                    let (x, y) = self.point(low.x.into(), low.y.into());
                    // North and west edges; the others belong to the next sectors.
                    let side = self.grid.zoom.pixels(16.0);
                    if x > self.at.0 {
                        let from = y.max(self.at.1);
                        let points = vec![(x, from), (x, (y + side).min(bottom))];
                        self.line(points, 1.0, color::sector());
                    }
                    if y > self.at.1 {
                        let from = x.max(self.at.0);
                        let points = vec![(from, y), ((x + side).min(right), y)];
                        self.line(points, 1.0, color::sector());
                    }
                }
                Mark::Portal { from, to, support }
                    if self.band.contains(from.z) || self.band.contains(to.z) =>
                {
                    let points = vec![self.center(*from), self.center(*to)];
                    let wide = (cell * 0.035 * f64::from(*support)).clamp(1.0, cell * 2.0 + 1.0);
                    self.line(points, wide, color::portal());
                }
                Mark::Edge { from, to }
                    if self.band.contains(from.z) || self.band.contains(to.z) =>
                {
                    let points = vec![self.center(*from), self.center(*to)];
                    self.line(points, (cell * 0.12).clamp(0.8, 2.0), color::edge());
                }
                Mark::Center(at) if self.band.contains(at.z) => {
                    let radius = (cell * 0.35).clamp(1.2, 5.0);
                    self.disc(self.center(*at), radius, color::center());
                }
                Mark::AbstractPath { cells } => {
                    let points: Vec<_> = cells.iter().map(|c| (self.center(*c), c.z)).collect();
                    let wide = (cell * 0.9).clamp(5.0, 12.0);
                    for chain in self.chains(&points) {
                        self.line(chain, wide, color::abstract_path());
                    }
                }
                _ => {}
            }
        }
    }

    fn paths(&mut self) {
        let cell = self.cell();
        let thin = (cell * 0.22).clamp(1.4, 3.5);
        let wide = (cell * 0.3).clamp(2.0, 5.0);
        let has_path = self
            .picture
            .marks()
            .iter()
            .any(|mark| matches!(mark, Mark::Path { .. }));
        // Where both run along each other, one sees the other on both sides of it.
        let smoothed = if has_path { wide * 0.5 } else { wide };
        for mark in self.picture.marks() {
            match mark {
                Mark::NavLink {
                    from,
                    to,
                    kind,
                    is_open,
                } => {
                    let color = color::nav_link(*kind, *is_open);
                    let ends = [*from, *to].map(|end| self.band.contains(end.z));
                    if ends == [true; 2] {
                        let points = vec![self.center(*from), self.center(*to)];
                        self.line(points, thin, color);
                    }
                    for (end, here) in [from, to].into_iter().zip(ends) {
                        if here {
                            let at = self.center(*end);
                            self.disc(at, (cell * 0.32).clamp(1.6, 6.0), color);
                        }
                    }
                }
                Mark::Path { cells } => {
                    let points: Vec<_> = cells.iter().map(|c| (self.center(*c), c.z)).collect();
                    self.path(&points, wide, color::path());
                }
                Mark::Quad { area, is_free } => {
                    let corners = [
                        (area.low.x, area.low.y),
                        (area.high.x, area.low.y),
                        (area.high.x, area.high.y),
                        (area.low.x, area.high.y),
                        (area.low.x, area.low.y),
                    ];
                    let points = corners.map(|(x, y)| self.point(x.to_cells(), y.to_cells()));
                    self.line(points.to_vec(), 0.8, color::quad(*is_free));
                }
                Mark::Corner { at, .. } => {
                    let at = self.point(at.x.to_cells(), at.y.to_cells());
                    self.disc(at, 2.2, color::corner());
                }
                Mark::Segment { cells, number } => {
                    let points: Vec<_> = cells.iter().map(|c| (self.center(*c), c.z)).collect();
                    self.path(&points, wide, color::segment(*number));
                }
                Mark::Smoothed { points } => {
                    let point = |p: &Point3| self.point(p.x.to_cells(), p.y.to_cells());
                    let points: Vec<_> = points.iter().map(|p| (point(p), p.z.cell())).collect();
                    self.path(&points, smoothed, color::smoothed());
                }
                _ => {}
            }
        }
    }

    /// Draws the parts of a path in this band, over a halo.
    fn path(&mut self, points: &[((f64, f64), i32)], width: f64, color: Color) {
        let chains = self.chains(points);
        for chain in &chains {
            self.line(chain.clone(), width * 1.4 + 1.0, color::halo());
        }
        for chain in chains {
            self.line(chain, width, color);
        }
    }

    /// The parts of a path in this band.
    fn chains(&self, points: &[((f64, f64), i32)]) -> Vec<Vec<(f64, f64)>> {
        let mut chains: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
        for pair in points.windows(2) {
            let here = [pair[0], pair[1]].map(|(_, z)| self.band.contains(z));
            let chain = chains.last_mut().expect("one chain from the start on");
            if here == [false; 2] {
                if !chain.is_empty() {
                    chains.push(Vec::new());
                }
                continue;
            }
            if chain.is_empty() {
                chain.push(pair[0].0);
            }
            chain.push(pair[1].0);
        }
        chains.retain(|chain| !chain.is_empty());
        for chain in &mut chains {
            straighten(chain);
        }
        chains
    }

    fn disc(&mut self, center: (f64, f64), radius: f64, color: Color) {
        self.scene.items.push(Item::Disc {
            center,
            radius,
            color,
        });
    }

    fn ends(&mut self) {
        let radius = (self.cell() * 0.42).clamp(4.5, 8.0);
        for mark in self.picture.marks() {
            match mark {
                Mark::Start(cell) | Mark::Goal(cell) if self.band.contains(cell.z) => {
                    let color = match mark {
                        Mark::Start(_) => color::start(),
                        _ => color::goal(),
                    };
                    let center = self.center(*cell);
                    self.disc(center, radius + 1.8, color::halo().thin(1.0));
                    self.disc(center, radius, color);
                    if matches!(mark, Mark::Goal(_)) {
                        self.disc(center, radius * 0.4, color::halo().thin(1.0));
                    }
                }
                Mark::Label { at, text } if self.band.contains(at.z) => {
                    let (x, y) = self.center(*at);
                    let capital = 8.0;
                    let width = super::text_width(text, capital);
                    self.scene.items.push(Item::Area {
                        left: x + radius,
                        top: y - capital,
                        width: width + 6.0,
                        height: capital + 10.0,
                        color: color::paper().thin(0.85),
                    });
                    let unit = capital / font::CAPITAL;
                    self.scene.text(
                        (x + radius + 3.0 * unit, y - capital / 2.0),
                        capital,
                        text.clone(),
                    );
                }
                _ => {}
            }
        }
    }
}

/// `z` between the lowest and the highest, 0 to 1; 1 if they are equal.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a part of 1, for a shade of color"
)]
fn part(z: i32, (low, high): (i32, i32)) -> f32 {
    if low >= high {
        return 1.0;
    }
    let (z, low, high) = (f64::from(z), f64::from(low), f64::from(high));
    ((z - low) / (high - low)) as f32
}

fn sum_of_heights(corners: &[Point3; 3]) -> i64 {
    corners.iter().map(|corner| i64::from(corner.z.raw())).sum()
}

/// 0 for a horizontal triangle, 1 for a vertical one.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a part of 1, for a shade of color"
)]
fn steepness(corners: &[Point3; 3]) -> f32 {
    let [a, b, c] = corners.map(|p| [p.x.to_cells(), p.y.to_cells(), p.z.to_cells()]);
    let (u, v) = (
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]],
        [c[0] - a[0], c[1] - a[1], c[2] - a[2]],
    );
    let (x, y, z) = (
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    );
    let length = wayfarer_engine::base::math::length_3(x, y, z);
    if length > 0.0 {
        (1.0 - z.abs() / length) as f32
    } else {
        0.0
    }
}

/// Drops collinear points.
fn straighten(chain: &mut Vec<(f64, f64)>) {
    let mut kept: Vec<(f64, f64)> = Vec::with_capacity(chain.len());
    for &point in chain.iter() {
        if let [.., a, b] = kept[..] {
            let (u, v) = ((b.0 - a.0, b.1 - a.1), (point.0 - b.0, point.1 - b.1));
            let bend = (u.0 * v.1 - u.1 * v.0).abs();
            if bend < 1e-9 && u.0 * v.0 + u.1 * v.1 > 0.0 {
                kept.pop();
            }
        }
        kept.push(point);
    }
    *chain = kept;
}

/// The heat of a count on a logarithmic scale: 0 for one expansion, 1 for the most.
fn heat(times: u32, most: u32) -> f32 {
    let doublings = |n: u32| {
        let n = n.max(1);
        let below = n.ilog2();
        let between = f64::from(n) / f64::from(1_u32 << below) - 1.0;
        f64::from(below) + between
    };
    #[expect(clippy::cast_possible_truncation, reason = "0 to 1")]
    let part = (doublings(times) / doublings(most).max(1.0)) as f32;
    part.clamp(0.0, 1.0)
}

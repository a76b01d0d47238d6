//! Pictures as text, for examples, tests and terminals.

use wayfarer_base::{Cell, Column, NavLinkKind, Point2, Rect, Shape, Terrain};
use wayfarer_world::obstacles::ObstacleShape;

use super::obstacles::columns;
use super::{HeightBand, Mark, Picture, Role, SliceContent};

/// Maximum number of columns and rows of a text picture.
const MAX_SIDE: u32 = 500;

impl Picture {
    /// The picture as text, one character per cell, rows from north to south, height bands from the
    /// lowest up. At most 500 by 500 cells from the north-west corner.
    ///
    /// * Terrain: `.` ground, `s` swamp, `w` water, `t` trees, `:` other, `#` no floor (a blank if
    ///   there are several bands).
    /// * `O` solid or obstacle, `+` free space outside the largest component.
    /// * Search: `o` expanded, a digit for how often, `*` path from `A` to `B`.
    /// * Bodies: `@` query origin, `!` found, `?` in range and hidden, `,` other; `-` in sight.
    /// * Nav links: `/` stairs, `H` ladder, `+` door (`X` if closed), `>` other.
    ///
    /// Walls, outlines, meshes, graphs and labels are not drawn.
    pub fn to_text(&self) -> String {
        let bands = self.height_bands();
        let several = bands.len() > 1;
        let mut text = String::new();
        for (number, band) in (1..).zip(&bands) {
            if several {
                text.push_str(&format!("floor {number}\n"));
            }
            let mut canvas = Canvas::new(self.bounds, if several { ' ' } else { '#' });
            for mark in &self.marks {
                canvas.draw(mark, *band);
            }
            canvas.write(&mut text);
        }
        text
    }
}

/// The characters of one height band.
struct Canvas {
    low: Column,
    width: u32,
    letters: Vec<char>,
}

impl Canvas {
    fn new(bounds: Rect, blank: char) -> Self {
        let (width, height) = (bounds.width().min(MAX_SIDE), bounds.height().min(MAX_SIDE));
        Self {
            low: bounds.low,
            width,
            letters: vec![blank; width as usize * height as usize],
        }
    }

    fn draw(&mut self, mark: &Mark, band: HeightBand) {
        match mark {
            Mark::Ground {
                from,
                length,
                terrain,
            } => {
                let letter = letter_of(*terrain);
                let cells = (0..*length).map_while(|n| from.x.checked_add_unsigned(n));
                for x in cells.take(MAX_SIDE as usize * 2) {
                    self.put(Cell::new(x, from.y, from.z), band, letter);
                }
            }
            Mark::Solid { low, high } => {
                let rect = Rect::around(Column::new(low.x, low.y), Column::new(high.x, high.y));
                for column in self.clipped(rect).columns() {
                    self.put(column.at(low.z), band, 'O');
                }
            }
            Mark::Slice { from, what, .. } => {
                let letter = match what {
                    SliceContent::Solid | SliceContent::Seen { .. } => 'O',
                    SliceContent::Free { .. } | SliceContent::Component { number: 0 } => '.',
                    SliceContent::Component { .. } => '+',
                };
                for column in self.clipped(mark.bounds()).columns() {
                    self.put(column.at(from.z), band, letter);
                }
            }
            Mark::Expanded { cell, .. } => self.put(*cell, band, 'o'),
            Mark::Explored { cell, times } => {
                let digit = char::from_digit((*times).min(9), 10);
                self.put(*cell, band, digit.unwrap_or('9'));
            }
            Mark::Path { cells } | Mark::Segment { cells, .. } => {
                for cell in cells {
                    self.put(*cell, band, '*');
                }
            }
            Mark::InSight { from, length } => {
                let cells = (0..*length).map_while(|n| from.x.checked_add_unsigned(n));
                for x in cells.take(MAX_SIDE as usize * 2) {
                    self.put(Cell::new(x, from.y, from.z), band, '-');
                }
            }
            Mark::Body { at, role } => {
                let letter = match role {
                    Role::QueryOrigin => '@',
                    Role::Found => '!',
                    Role::Hidden => '?',
                    Role::Other => ',',
                };
                let cell = Cell::new(at.x.cell(), at.y.cell(), at.z.cell());
                self.put(cell, band, letter);
            }
            Mark::Start(cell) => self.put(*cell, band, 'A'),
            Mark::Goal(cell) => self.put(*cell, band, 'B'),
            Mark::NavLink {
                from,
                to,
                kind,
                is_open,
            } => {
                let letter = match (kind, is_open) {
                    (NavLinkKind::Door, false) => 'X',
                    (NavLinkKind::Door, true) => '+',
                    (NavLinkKind::Stairs, _) => '/',
                    (NavLinkKind::Ladder, _) => 'H',
                    _ => '>',
                };
                self.put(*from, band, letter);
                self.put(*to, band, letter);
            }
            Mark::Obstacle { shape, .. } => {
                let shape = match shape {
                    ObstacleShape::Box(area) => Shape::Box(columns(area.low, area.high)),
                    ObstacleShape::Disc { center, radius } => Shape::Circle {
                        center: *center,
                        radius: *radius,
                    },
                };
                for column in self.clipped(shape.bounds()).columns() {
                    if Point2::center_of(column).is_some_and(|center| shape.contains(center)) {
                        self.put(column.at(0), band, 'O');
                    }
                }
            }
            Mark::Triangle { .. }
            | Mark::Wall(_)
            | Mark::SectorLine(_)
            | Mark::Region { .. }
            | Mark::Component { .. }
            | Mark::Portal { .. }
            | Mark::Edge { .. }
            | Mark::Center(_)
            | Mark::AbstractPath { .. }
            | Mark::Smoothed { .. }
            | Mark::Footprint { .. }
            | Mark::Zone { .. }
            | Mark::Quad { .. }
            | Mark::GridBin { .. }
            | Mark::Outline { .. }
            | Mark::SearchedQuad { .. }
            | Mark::Corner { .. }
            | Mark::Influence { .. }
            | Mark::Label { .. } => {}
        }
    }

    /// The part of `rect` on the canvas.
    fn clipped(&self, rect: Rect) -> Rect {
        let far = Column::new(
            self.low.x.saturating_add_unsigned(MAX_SIDE),
            self.low.y.saturating_add_unsigned(MAX_SIDE),
        );
        Rect {
            low: Column::new(rect.low.x.max(self.low.x), rect.low.y.max(self.low.y)),
            high: Column::new(rect.high.x.min(far.x), rect.high.y.min(far.y)),
        }
    }

    fn put(&mut self, cell: Cell, band: HeightBand, letter: char) {
        let (x, y) = (
            cell.x.checked_sub(self.low.x),
            cell.y.checked_sub(self.low.y),
        );
        let (Some(Ok(x)), Some(Ok(y))) = (x.map(u32::try_from), y.map(u32::try_from)) else {
            return;
        };
        if x < self.width && y < MAX_SIDE && band.contains(cell.z) {
            let index = y as usize * self.width as usize + x as usize;
            if let Some(old) = self.letters.get_mut(index) {
                *old = letter;
            }
        }
    }

    fn write(&self, text: &mut String) {
        for row in self.letters.chunks(self.width.max(1) as usize) {
            let line: String = row.iter().collect();
            text.push_str(line.trim_end_matches(' '));
            text.push('\n');
        }
    }
}

const fn letter_of(terrain: Terrain) -> char {
    match terrain {
        Terrain::GROUND => '.',
        Terrain::SWAMP => 's',
        Terrain::WATER => 'w',
        Terrain::TREES => 't',
        _ => ':',
    }
}

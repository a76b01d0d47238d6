//! Pictures drawn with letters, for examples, tests and terminals.

use wayfarer_base::{Cell, Column, NavLinkKind, Point2, Rect, Shape, Terrain};
use wayfarer_world::obstacles::ObstacleShape;

use super::obstacles::columns;
use super::{HeightBand, Mark, Picture, Role, SliceContent};

/// Most columns and rows that are drawn with letters.
const LIMIT: u32 = 500;

impl Picture {
    /// The picture as letters, one a cell, rows from north to south, floors from the ground up.
    ///
    /// `.` is ground, `s` swamp, `w` water, `t` trees, `:` other terrain, `#` nothing (a blank if
    /// there are several floors), `O` solid or an obstacle, `+` free space cut off from the largest part, `o`
    /// expanded, `*` the path from `A` to `B`, `-` in sight; objects are `@` who asks, `!` found, `?`
    /// in range and hidden, `,` the rest; nav links are `/` stairs, `H` ladder, `+` door (`X` if shut), `>` the rest. Walls, outlines,
    /// meshes and words are left out, and so is what lies more than 500 cells from the north-west
    /// corner.
    pub fn to_text(&self) -> String {
        let bands = self.height_bands();
        let several = bands.len() > 1;
        let mut text = String::new();
        for (number, band) in (1..).zip(&bands) {
            if several {
                text.push_str(&format!("storey {number}\n"));
            }
            let mut sheet = Sheet::new(self.bounds, if several { ' ' } else { '#' });
            for mark in &self.marks {
                sheet.draw(mark, *band);
            }
            sheet.write(&mut text);
        }
        text
    }
}

/// One floor as letters.
struct Sheet {
    low: Column,
    width: u32,
    letters: Vec<char>,
}

impl Sheet {
    fn new(bounds: Rect, blank: char) -> Self {
        let (width, height) = (bounds.width().min(LIMIT), bounds.height().min(LIMIT));
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
                for x in cells.take(LIMIT as usize * 2) {
                    self.put(Cell::new(x, from.y, from.z), band, letter);
                }
            }
            Mark::Solid { low, high } => {
                let rect = Rect::around(Column::new(low.x, low.y), Column::new(high.x, high.y));
                for column in self.seen(rect).columns() {
                    self.put(column.at(low.z), band, 'O');
                }
            }
            Mark::Cut { from, what, .. } => {
                let letter = match what {
                    SliceContent::Solid | SliceContent::Seen { .. } => 'O',
                    SliceContent::Free { .. } | SliceContent::Component { number: 0 } => '.',
                    SliceContent::Component { .. } => '+',
                };
                for column in self.seen(mark.bounds()).columns() {
                    self.put(column.at(from.z), band, letter);
                }
            }
            Mark::Expanded { cell, .. } => self.put(*cell, band, 'o'),
            Mark::Explored { cell, times } => {
                let digit = char::from_digit((*times).min(9), 10);
                self.put(*cell, band, digit.unwrap_or('9'));
            }
            Mark::Path { cells } | Mark::Piece { cells, .. } => {
                for cell in cells {
                    self.put(*cell, band, '*');
                }
            }
            Mark::InSight { from, length } => {
                let cells = (0..*length).map_while(|n| from.x.checked_add_unsigned(n));
                for x in cells.take(LIMIT as usize * 2) {
                    self.put(Cell::new(x, from.y, from.z), band, '-');
                }
            }
            Mark::Body { at, role } => {
                let letter = match role {
                    Role::Asks => '@',
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
                open,
            } => {
                let letter = match (kind, open) {
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
                    ObstacleShape::Disc {
                        center: centre,
                        radius,
                    } => Shape::Circle {
                        center: *centre,
                        radius: *radius,
                    },
                };
                for column in self.seen(shape.bounds()).columns() {
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
            | Mark::Plan { .. }
            | Mark::Smoothed { .. }
            | Mark::Footprint { .. }
            | Mark::Zone { .. }
            | Mark::Space { .. }
            | Mark::Square { .. }
            | Mark::Outline { .. }
            | Mark::Walked { .. }
            | Mark::Corner { .. }
            | Mark::Influence { .. }
            | Mark::Label { .. } => {}
        }
    }

    /// The part of `rect` that is drawn.
    fn seen(&self, rect: Rect) -> Rect {
        let far = Column::new(
            self.low.x.saturating_add_unsigned(LIMIT),
            self.low.y.saturating_add_unsigned(LIMIT),
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
        if x < self.width && y < LIMIT && band.contains(cell.z) {
            let place = y as usize * self.width as usize + x as usize;
            if let Some(there) = self.letters.get_mut(place) {
                *there = letter;
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

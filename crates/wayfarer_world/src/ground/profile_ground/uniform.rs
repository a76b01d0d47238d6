//! The same on uniform ground, with bits: squares where a round body fits are what is left when the
//! ground is eroded by the body's disc.

use wayfarer_base::{Direction, SectorId};

use super::ProfileData;
use crate::ground::Ground;
use crate::ground::bitboard::{self, Bitboard, EMPTY, PaddedBitboard};

/// The open squares of a sector and of the eight around it: bit x + 16 of row y + 16.
type Rows = [u64; 48];

/// What a view's agent can do in a sector and one step outside it.
pub(super) struct UniformSector {
    /// Squares where it stands: bit x + 16 of row y + 1, from -1 to 16 each.
    standing: [u64; 18],
    /// Squares from which it can step diagonally south-east and south-west, likewise.
    south_east: [u64; 18],
    south_west: [u64; 18],
    /// True if the standing squares tell all steps.
    pub(super) reported: bool,
    /// True if some square here or next to here is costlier than 1.
    pub(super) costly: bool,
}

/// The nine sectors' open squares for the view's agent, if all are plain and at one height, or
/// out of reach of each other; and true if any of them is costlier than 1.
fn open_rows(ground: &Ground, data: &ProfileData, sector: SectorId) -> Option<(Rows, bool)> {
    let mut rows = [0; 48];
    let mut costly = 0;
    let base = ground.sheets_at(sector).next()?.1.base;
    for dy in 0..3_i32 {
        for dx in 0..3_i32 {
            let next = SectorId::new(sector.x + dx - 1, sector.y + dy - 1);
            let mut sheets = ground.sheets_at(next);
            let Some((_, sheet)) = sheets.next() else {
                continue;
            };
            if sheet.side.is_some() || sheets.next().is_some() {
                return None;
            }
            if sheet.base != base {
                let walker = &data.walker;
                if walker.can_step(base, sheet.base) || walker.can_step(sheet.base, base) {
                    return None;
                }
                continue;
            }
            if data.walker.may_walk(sheet.terrain) {
                costly |= data.walker.costly_terrains & sheet.terrain.bit();
                let top = usize::try_from(dy * 16).unwrap_or(0);
                for (row, bits) in rows[top..top + 16].iter_mut().zip(sheet.plane.board()) {
                    *row |= u64::from(bits) << (dx * 16);
                }
            }
        }
    }
    Some((rows, costly != 0))
}

/// Row y, -16 to 31, moved so that bit x holds what was at x + dx.
fn moved(rows: &Rows, y: usize, (dx, dy): (i32, i32)) -> u64 {
    let row = rows[y.wrapping_add_signed(dy as isize)];
    if dx >= 0 { row >> dx } else { row << -dx }
}

impl UniformSector {
    /// What the agent can do in a sector, if that sector and all around it are plain.
    pub(super) fn new(ground: &Ground, data: &ProfileData, sector: SectorId) -> Option<Self> {
        let (rows, costly) = open_rows(ground, data, sector)?;
        let mut found = Self {
            standing: [0; 18],
            south_east: [0; 18],
            south_west: [0; 18],
            reported: !data.disc.is_wide(),
            costly,
        };
        for (y, standing) in (15..).zip(&mut found.standing) {
            let squares = data.disc.standing.iter();
            *standing = squares.fold(rows[y], |left, at| left & moved(&rows, y, *at));
        }
        if found.reported {
            // The rule of corners is the walker's own: the squares tell.
            return Some(found);
        }
        for index in 0..17 {
            let y = index + 15;
            let (here, below) = (found.standing[index], found.standing[index + 1]);
            // Both ways around the corner must be open to a point.
            let east = rows[y] >> 1 & rows[y + 1];
            let west = rows[y] << 1 & rows[y + 1];
            let between = |direction: Direction| {
                let squares = data.disc.between(direction).iter();
                squares.fold(u64::MAX, |left, at| left & moved(&rows, y, *at))
            };
            found.south_east[index] = here & below >> 1 & east & between(Direction::SouthEast);
            found.south_west[index] = here & below << 1 & west & between(Direction::SouthWest);
        }
        found.reported = found.squares_tell();
        Some(found)
    }

    /// True if a diagonal can be taken exactly where its four squares can be stood on.
    fn squares_tell(&self) -> bool {
        // From -1 to 15, and from 0 to 16.
        let (to_east, to_west) = (0x1_FFFF << 15, 0x1_FFFF << 16);
        (0..17).all(|index| {
            let (here, below) = (self.standing[index], self.standing[index + 1]);
            let east = here & here >> 1 & below & below >> 1;
            let west = here & here << 1 & below & below << 1;
            (self.south_east[index] ^ east) & to_east == 0
                && (self.south_west[index] ^ west) & to_west == 0
        })
    }

    /// Where the agent stands, with the neighbors' borders.
    pub(super) fn plane(&self) -> PaddedBitboard {
        plane_of(&self.standing)
    }

    /// From where it can step south-east and south-west, if its squares do not tell.
    pub(super) fn diagonals(&self) -> Option<Box<[PaddedBitboard; 2]>> {
        let both = || Box::new([plane_of(&self.south_east), plane_of(&self.south_west)]);
        (!self.reported).then(both)
    }

    /// Squares of the sector where the agent stands.
    fn standing(&self) -> Bitboard {
        std::array::from_fn(|y| low_bits(self.standing[y + 1]))
    }

    /// The parts of the sector's standing squares that are connected inside it.
    pub(super) fn parts(&self) -> Vec<Bitboard> {
        let mut rest = self.standing();
        let mut parts = Vec::new();
        while let Some(first) = bitboard::first(&rest) {
            let part = if self.reported {
                bitboard::flood_first(&rest)
            } else {
                self.flood(first)
            };
            for (rest, part) in rest.iter_mut().zip(&part) {
                *rest &= !part;
            }
            parts.push(part);
        }
        parts
    }

    fn flood(&self, first: u8) -> Bitboard {
        let standing = self.standing();
        // Diagonals that stay inside the sector.
        let east: Bitboard = std::array::from_fn(|y| low_bits(self.south_east[y + 1]) & 0x7FFF);
        let west: Bitboard = std::array::from_fn(|y| low_bits(self.south_west[y + 1]) & 0xFFFE);
        let mut part = EMPTY;
        bitboard::put(&mut part, first, true);
        loop {
            let before = part;
            for y in 0..16 {
                part[y] = run(part[y], standing[y]);
                if y < 15 {
                    part[y + 1] |= part[y] & standing[y + 1] | diagonal(part[y], east[y], west[y]);
                }
            }
            for y in (0..15).rev() {
                let up = part[y + 1] & standing[y]
                    | part[y + 1] >> 1 & east[y]
                    | part[y + 1] << 1 & west[y];
                part[y] = run(part[y] | up, standing[y]);
            }
            if part == before {
                return part;
            }
        }
    }
}

/// Rows -1 to 16 cut to columns -1 to 16.
fn plane_of(rows: &[u64; 18]) -> PaddedBitboard {
    let mut plane = PaddedBitboard::default();
    for (y, row) in (-1..17).zip(rows) {
        let bytes = (row >> 15).to_le_bytes();
        let row = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        plane.set_whole_row(y, row);
    }
    plane
}

/// The squares that diagonals lead to in the row below.
fn diagonal(row: u16, east: u16, west: u16) -> u16 {
    (row & east) << 1 | (row & west) >> 1
}

/// All of `open` that `seed` reaches along the row.
fn run(seed: u16, open: u16) -> u16 {
    let mut reached = seed & open;
    loop {
        let grown = reached | (reached << 1 | reached >> 1) & open;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// The sixteen bits of the sector itself.
fn low_bits(row: u64) -> u16 {
    let bytes = (row >> 16).to_le_bytes();
    u16::from_le_bytes([bytes[0], bytes[1]])
}

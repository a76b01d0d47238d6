//! Cells drawn as letters: which letter stands for which terrain, in rows of map files.

use wayfarer_base::{Raster, Terrain};

use crate::text::{Line, TextError, quoted};

/// How [`Raster::bytes`] says that there is nothing.
pub(crate) const NOTHING: u8 = u8::MAX;
/// What stands in the table for a letter that means nothing.
const UNKNOWN: u8 = u8::MAX - 1;

/// Letters and the terrains that they stand for.
#[derive(Clone, Debug)]
pub(crate) struct Letters {
    /// For every byte the byte of a raster, or `UNKNOWN`.
    cells: [u8; 256],
    expected: &'static str,
}

impl Letters {
    /// The letters of the benchmarks: `.` and `G` ground, `S` swamp, `W` water, `T` trees, `@` and
    /// `O` nothing.
    pub(crate) const BENCHMARK: Self = {
        let mut cells = [UNKNOWN; 256];
        cells[b'.' as usize] = Terrain::GROUND.number();
        cells[b'G' as usize] = Terrain::GROUND.number();
        cells[b'S' as usize] = Terrain::SWAMP.number();
        cells[b'W' as usize] = Terrain::WATER.number();
        cells[b'T' as usize] = Terrain::TREES.number();
        cells[b'@' as usize] = NOTHING;
        cells[b'O' as usize] = NOTHING;
        Self {
            cells,
            expected: "one of . G S W T @ O",
        }
    };

    /// Lets `letter` stand for `terrain` too; false if it already means something, is not
    /// printable ASCII, or is `|`, `#` or a space.
    pub(crate) fn define(&mut self, letter: u8, terrain: Terrain) -> bool {
        let free = letter.is_ascii_graphic()
            && !matches!(letter, b'|' | b'#')
            && self.cells[usize::from(letter)] == UNKNOWN;
        if free {
            self.cells[usize::from(letter)] = terrain.number();
            self.expected = "one of . G S W T @ O or of the `letter` lines";
        }
        free
    }

    /// Appends the cells of the row that begins at byte `start` of its line.
    pub(crate) fn read_row(
        &self,
        line: &Line<'_>,
        start: usize,
        cells: &mut Vec<u8>,
    ) -> Result<(), TextError> {
        for (index, &letter) in line.bytes.iter().enumerate().skip(start) {
            let cell = self.cells[usize::from(letter)];
            if cell == UNKNOWN {
                return Err(TextError::UnknownLetter {
                    line: line.number,
                    column: index + 1,
                    expected: self.expected,
                    found: quoted(&[letter]),
                });
            }
            cells.push(cell);
        }
        Ok(())
    }
}

/// Checks that the row that begins at byte `start` of its line has `width` cells.
pub(crate) fn check_width(line: &Line<'_>, start: usize, width: u64) -> Result<(), TextError> {
    let found = line.bytes.len().saturating_sub(start);
    if found as u64 == width {
        return Ok(());
    }
    let kept = usize::try_from(width).map_or(found, |width| width.min(found));
    Err(TextError::RowLength {
        line: line.number,
        column: start + kept + 1,
        found,
        expected: width,
    })
}

/// Letters for all terrains: those of the benchmarks, and others for those that have none there.
#[derive(Clone, Debug)]
pub(crate) struct Pen {
    /// For every terrain its letter.
    letters: [u8; Terrain::COUNT as usize],
}

impl Pen {
    /// All 64 terrains have a letter of their own.
    pub(crate) const ALL: Self = {
        const OTHERS: &[u8; 60] = b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFHIJKLMNPQRUVXYZ+=~";
        let mut letters = [b'.'; Terrain::COUNT as usize];
        letters[Terrain::SWAMP.number() as usize] = b'S';
        letters[Terrain::WATER.number() as usize] = b'W';
        letters[Terrain::TREES.number() as usize] = b'T';
        let mut other = 0;
        while other < OTHERS.len() {
            letters[other + 4] = OTHERS[other];
            other += 1;
        }
        Self { letters }
    };

    /// Terrains that the benchmarks have no letter for are drawn as ground.
    pub(crate) const BENCHMARK: Self = {
        let mut pen = Self::ALL;
        let mut other = 4;
        while other < pen.letters.len() {
            pen.letters[other] = b'.';
            other += 1;
        }
        pen
    };

    /// The letter of a terrain, or `@` for nothing.
    pub(crate) fn letter(&self, terrain: Option<Terrain>) -> char {
        let letter = terrain.map(|terrain| self.letters[usize::from(terrain.number())]);
        char::from(letter.unwrap_or(b'@'))
    }

    /// Appends the rows of `map`, each after `prefix`.
    pub(crate) fn write_rows(&self, map: &Raster, prefix: &str, text: &mut String) {
        let width = map.width() as usize;
        for row in 0..map.height() as usize {
            text.push_str(prefix);
            let cells = &map.bytes()[row * width..(row + 1) * width];
            text.extend(cells.iter().map(|&cell| self.letter(Terrain::new(cell))));
            text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests;

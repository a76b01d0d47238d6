//! Letter tables of drawn maps: letter to terrain for readers, terrain to letter for writers.

use wayfarer_base::{Raster, Terrain};

use crate::text::{Line, TextError, quoted};

/// The byte of an empty cell in [`Raster::bytes`].
pub(crate) const EMPTY: u8 = u8::MAX;
/// Table entry of an undefined letter.
const UNDEFINED: u8 = u8::MAX - 1;

/// Letter to terrain.
#[derive(Clone, Debug)]
pub(crate) struct Letters {
    /// Raster byte of every letter, or `UNDEFINED`.
    cells: [u8; 256],
    expected: &'static str,
}

impl Letters {
    /// The benchmark letters: `.` and `G` ground, `S` swamp, `W` water, `T` trees, `@` and `O`
    /// empty.
    pub(crate) const BENCHMARK: Self = {
        let mut cells = [UNDEFINED; 256];
        cells[b'.' as usize] = Terrain::GROUND.number();
        cells[b'G' as usize] = Terrain::GROUND.number();
        cells[b'S' as usize] = Terrain::SWAMP.number();
        cells[b'W' as usize] = Terrain::WATER.number();
        cells[b'T' as usize] = Terrain::TREES.number();
        cells[b'@' as usize] = EMPTY;
        cells[b'O' as usize] = EMPTY;
        Self {
            cells,
            expected: "one of . G S W T @ O",
        }
    };

    /// Defines `letter` as `terrain`; false if it is already defined, not printable ASCII, or `|`,
    /// `#` or a space.
    pub(crate) fn define(&mut self, letter: u8, terrain: Terrain) -> bool {
        let is_free = letter.is_ascii_graphic()
            && !matches!(letter, b'|' | b'#')
            && self.cells[usize::from(letter)] == UNDEFINED;
        if is_free {
            self.cells[usize::from(letter)] = terrain.number();
            self.expected = "one of . G S W T @ O or of the `letter` lines";
        }
        is_free
    }

    /// Appends the cells of the row that starts at byte `start` of its line.
    pub(crate) fn read_row(
        &self,
        line: &Line<'_>,
        start: usize,
        cells: &mut Vec<u8>,
    ) -> Result<(), TextError> {
        for (index, &letter) in line.bytes.iter().enumerate().skip(start) {
            let cell = self.cells[usize::from(letter)];
            if cell == UNDEFINED {
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

/// Checks that the row that starts at byte `start` of its line has `width` cells.
pub(crate) fn check_width(line: &Line<'_>, start: usize, width: u64) -> Result<(), TextError> {
    let found = line.bytes.len().saturating_sub(start);
    if found as u64 == width {
        return Ok(());
    }
    let n_matching = usize::try_from(width).map_or(found, |width| width.min(found));
    Err(TextError::RowLength {
        line: line.number,
        column: start + n_matching + 1,
        found,
        expected: width,
    })
}

/// Terrain to letter.
#[derive(Clone, Debug)]
pub(crate) struct LetterWriter {
    /// Letter of every terrain.
    letters: [u8; Terrain::COUNT as usize],
}

impl LetterWriter {
    /// A distinct letter for each of the 64 terrains; benchmark letters where they exist.
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

    /// Benchmark letters only; all other terrains are written as ground.
    pub(crate) const BENCHMARK: Self = {
        let mut pen = Self::ALL;
        let mut other = 4;
        while other < pen.letters.len() {
            pen.letters[other] = b'.';
            other += 1;
        }
        pen
    };

    /// The letter of a terrain, `@` for empty.
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

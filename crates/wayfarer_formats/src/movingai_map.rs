//! Flat maps of the `MovingAI` benchmarks (`.map`, `type octile`).
//!
//! Header lines `type octile`, `height H`, `width W` (these two in either order) and `map`, then
//! `H` rows of `W` letters from (0, 0): `.` and `G` ground, `S` swamp, `W` water, `T` trees, `@`
//! and `O` empty. Blank lines may follow the last row.

use wayfarer_base::Raster;

use crate::letters::{LetterWriter, Letters, check_width};
use crate::text::{Line, Lines, TextError};

/// Reads a `.map` file.
///
/// ```
/// use wayfarer_base::Terrain;
/// let map = wayfarer_formats::movingai_map::read(b"type octile\nheight 1\nwidth 3\nmap\n.@W\n")?;
/// assert_eq!(map.get(0, 0), Some(Terrain::GROUND));
/// assert_eq!(map.get(1, 0), None);
/// assert_eq!(map.get(2, 0), Some(Terrain::WATER));
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first syntax error, row of wrong length, wrong number of rows, undefined letter, or more
/// than [`Raster::MAX_CELLS`] cells.
pub fn read(bytes: &[u8]) -> Result<Raster, TextError> {
    let mut lines = Lines::new(bytes);
    keywords(&lines.require("`type octile`")?, &["type", "octile"])?;
    let (width, height) = size(&mut lines)?;
    keywords(&lines.require("`map`")?, &["map"])?;

    let map = rows(&mut lines, width, height)?;
    lines.end("the end of the file after the last row")?;
    Ok(map)
}

/// Reads the rows of a map of this size and nothing after them.
pub(crate) fn rows(lines: &mut Lines<'_>, width: u32, height: u32) -> Result<Raster, TextError> {
    let first_line = lines.next_number();
    let mut cells = Vec::new();
    for row in 0..height {
        let line = lines.next().ok_or(TextError::TooFew {
            line: lines.next_number(),
            what: "rows",
            found: row.into(),
            expected: height.into(),
        })?;
        check_width(&line, 0, width.into())?;
        Letters::BENCHMARK.read_row(&line, 0, &mut cells)?;
    }
    cells.shrink_to_fit();
    Raster::from_bytes(width, height, cells).ok_or(too_many_cells(first_line, width, height))
}

/// Reads the `width` and `height` lines in either order; returns (width, height).
pub(crate) fn size(lines: &mut Lines<'_>) -> Result<(u32, u32), TextError> {
    const EXPECTED: &str = "`height H` or `width W`";
    let mut sizes = [None; 2];
    for _ in 0..2 {
        let line = lines.require(EXPECTED)?;
        let mut words = line.words();
        let name = words.word(EXPECTED)?;
        let size = match name.text {
            b"width" => &mut sizes[0],
            b"height" => &mut sizes[1],
            _ => return Err(name.unexpected(EXPECTED)),
        };
        if size.is_some() {
            return Err(name.unexpected("the other one of `height H` and `width W`"));
        }
        *size = Some(words.number::<u32>()?);
        words.end()?;
    }
    let [Some(width), Some(height)] = sizes else {
        unreachable!("two lines with different keywords")
    };
    let line = lines.next_number() - 1;
    if (width == 0) != (height == 0) {
        return Err(TextError::Expected {
            line,
            column: 1,
            expected: "a map with cells, or 0 for both sizes",
            found: format!("{width} x {height}"),
        });
    }
    if u64::from(width) * u64::from(height) > Raster::MAX_CELLS {
        return Err(too_many_cells(line, width, height));
    }
    Ok((width, height))
}

fn too_many_cells(line: usize, width: u32, height: u32) -> TextError {
    TextError::TooLarge {
        line,
        column: 1,
        what: "cells",
        found: u64::from(width) * u64::from(height),
        limit: Raster::MAX_CELLS,
    }
}

/// Checks that the line consists of these words.
pub(crate) fn keywords(line: &Line<'_>, expected: &[&'static str]) -> Result<(), TextError> {
    let mut words = line.words();
    for word in expected {
        words.keyword(word)?;
    }
    words.end()
}

/// Writes a `.map` file; terrains without a letter in the format become `.`.
///
/// A raster of ground, swamp, water, trees and empty cells reads back unchanged.
pub fn write(map: &Raster) -> String {
    let mut text = format!(
        "type octile\nheight {}\nwidth {}\nmap\n",
        map.height(),
        map.width()
    );
    LetterWriter::BENCHMARK.write_rows(map, "", &mut text);
    text
}

#[cfg(test)]
mod tests;

//! The flat maps of the `MovingAI` benchmarks (`.map`, `type octile`).
//!
//! Header lines `type octile`, `height H`, `width W` (these two in either order) and `map`, then
//! `H` rows of `W` letters, (0, 0) first: `.` and `G` ground, `S` swamp, `W` water, `T` trees,
//! `@` and `O` nothing. Lines end with LF or CR LF; blank lines may follow the last row.

use wayfarer_base::{Raster, Terrain};

use crate::text::{Line, Lines, TextError, quoted};

const LETTERS: &str = "one of . G S W T @ O";
/// How [`Raster::bytes`] says that there is nothing.
const NOTHING: u8 = u8::MAX;

/// Reads a whole `.map` file.
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
/// The first line and column where the file is not such a map: rows too short, too long, too few
/// or too many, letters that mean nothing, more than [`Raster::MAX_CELLS`] cells.
pub fn read(bytes: &[u8]) -> Result<Raster, TextError> {
    let mut lines = Lines::new(bytes);
    keywords(&lines.need("`type octile`")?, &["type", "octile"])?;
    let (width, height) = size(&mut lines)?;
    keywords(&lines.need("`map`")?, &["map"])?;

    let mut cells = Vec::new();
    for row in 0..height {
        let line = lines.next().ok_or(TextError::TooFew {
            line: lines.next_number(),
            what: "rows",
            found: row.into(),
            expected: height.into(),
        })?;
        read_row(&line, 0, width, &mut cells)?;
    }
    let line = lines.next_number();
    lines.end("the end of the file after the last row")?;
    Raster::from_bytes(width, height, cells).ok_or(too_many_cells(line, width, height))
}

/// Reads `width` and `height`, in either order.
pub(crate) fn size(lines: &mut Lines<'_>) -> Result<(u32, u32), TextError> {
    const EXPECTED: &str = "`height H` or `width W`";
    let mut sizes = [None; 2];
    for _ in 0..2 {
        let line = lines.need(EXPECTED)?;
        let mut words = line.words();
        let name = words.word(EXPECTED)?;
        let size = match name.text {
            b"width" => &mut sizes[0],
            b"height" => &mut sizes[1],
            _ => return Err(name.wrong(EXPECTED)),
        };
        if size.is_some() {
            return Err(name.wrong("the other one of `height H` and `width W`"));
        }
        *size = Some(words.number::<u32>()?);
        words.end()?;
    }
    let [Some(width), Some(height)] = sizes else {
        unreachable!("two lines, each names another size")
    };
    let line = lines.next_number() - 1;
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

/// The line must hold these words and no more.
pub(crate) fn keywords(line: &Line<'_>, expected: &[&'static str]) -> Result<(), TextError> {
    let mut words = line.words();
    for word in expected {
        words.keyword(word)?;
    }
    words.end()
}

/// Appends the cells of a row that begins at byte `start` of its line and must be `width` long.
pub(crate) fn read_row(
    line: &Line<'_>,
    start: usize,
    width: u32,
    cells: &mut Vec<u8>,
) -> Result<(), TextError> {
    let row = &line.bytes[start..];
    if row.len() as u64 != u64::from(width) {
        let kept = row.len().min(width as usize);
        return Err(TextError::RowLength {
            line: line.number,
            column: start + kept + 1,
            found: row.len(),
            expected: width.into(),
        });
    }
    for (index, &letter) in row.iter().enumerate() {
        let cell = cell_of(letter).ok_or_else(|| TextError::UnknownLetter {
            line: line.number,
            column: start + index + 1,
            expected: LETTERS,
            found: quoted(&[letter]),
        })?;
        cells.push(cell);
    }
    Ok(())
}

/// The byte of [`Raster::bytes`] that a letter stands for.
const fn cell_of(letter: u8) -> Option<u8> {
    match letter {
        b'.' | b'G' => Some(Terrain::GROUND.number()),
        b'S' => Some(Terrain::SWAMP.number()),
        b'W' => Some(Terrain::WATER.number()),
        b'T' => Some(Terrain::TREES.number()),
        b'@' | b'O' => Some(NOTHING),
        _ => None,
    }
}

/// The letter that a terrain, or nothing, is drawn with.
pub(crate) fn letter_of(terrain: Option<Terrain>) -> Option<char> {
    match terrain {
        None => Some('@'),
        Some(Terrain::GROUND) => Some('.'),
        Some(Terrain::SWAMP) => Some('S'),
        Some(Terrain::WATER) => Some('W'),
        Some(Terrain::TREES) => Some('T'),
        Some(_) => None,
    }
}

/// Writes a `.map` file; terrains that the format has no letter for become `.`.
///
/// Reading gives the same raster back if it holds ground, swamp, water, trees and nothing only.
pub fn write(map: &Raster) -> String {
    let mut text = format!(
        "type octile\nheight {}\nwidth {}\nmap\n",
        map.height(),
        map.width()
    );
    write_rows(map, "", &mut text);
    text
}

/// Appends the rows of `map`, each after `prefix`.
pub(crate) fn write_rows(map: &Raster, prefix: &str, text: &mut String) {
    let width = map.width() as usize;
    for row in 0..map.height() as usize {
        text.push_str(prefix);
        let cells = &map.bytes()[row * width..(row + 1) * width];
        text.extend(
            cells
                .iter()
                .map(|&cell| letter_of(Terrain::new(cell)).unwrap_or('.')),
        );
        text.push('\n');
    }
}

#[cfg(test)]
mod tests;

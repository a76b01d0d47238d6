//! Pieces of changed map of the grid competition's dynamic track (`.patch`).
//!
//! Header lines `type patch` and `patches N`, then N times: `patch I` (counting from 0),
//! `height H` and `width W` (in either order), `map`, and H rows of W letters, with the meaning
//! that they have in `.map` files.

use std::fmt::Write as _;

use wayfarer_base::Raster;

use crate::letters::Pen;
use crate::movingai_map::{keywords, rows, size};
use crate::text::{Lines, TextError, push};

/// Reads a whole `.patch` file: the patches in order.
///
/// ```
/// let file = b"type patch\npatches 1\npatch 0\nheight 1\nwidth 3\nmap\n@.@\n";
/// let patches = wayfarer_formats::patch::read(file)?;
/// assert_eq!(patches.len(), 1);
/// assert!(patches[0].is_walkable(1, 0));
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first line and column where the file is not such a list: too few or too many patches,
/// numbers out of order, and whatever is wrong with a patch's rows.
pub fn read(bytes: &[u8]) -> Result<Vec<Raster>, TextError> {
    let mut lines = Lines::new(bytes);
    keywords(&lines.need("`type patch`")?, &["type", "patch"])?;
    let count = lines.need("`patches N`")?;
    let mut words = count.words();
    words.keyword("patches")?;
    let n_patches: u32 = words.number()?;
    words.end()?;

    let mut patches = Vec::new();
    for number in 0..n_patches {
        let missing = TextError::TooFew {
            line: lines.next_number(),
            what: "patches",
            found: number.into(),
            expected: n_patches.into(),
        };
        let line = lines.next_full().ok_or(missing)?;
        let mut words = line.words();
        words.keyword("patch")?;
        let found = words.word("the patch's number")?;
        if found.text != number.to_string().as_bytes() {
            return Err(found.wrong("the number after that of the patch before, from 0"));
        }
        words.end()?;
        let (width, height) = size(&mut lines)?;
        keywords(&lines.need("`map`")?, &["map"])?;
        push(&mut patches, rows(&mut lines, width, height)?);
    }
    lines.end("the end of the file after the last patch")?;
    Ok(patches)
}

/// Writes a `.patch` file; terrains that the format has no letter for become `.`.
pub fn write(patches: &[Raster]) -> String {
    let mut text = format!("type patch\npatches {}\n", patches.len());
    for (number, patch) in patches.iter().enumerate() {
        writeln!(
            text,
            "patch {number}\nheight {}\nwidth {}\nmap",
            patch.height(),
            patch.width()
        )
        .expect("a string takes all that is written");
        Pen::BENCHMARK.write_rows(patch, "", &mut text);
    }
    text
}

#[cfg(test)]
mod tests;

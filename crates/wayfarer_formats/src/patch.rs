//! Map patches of the dynamic track of the Grid-Based Path Planning Competition (`.patch`).
//!
//! Header lines `type patch` and `patches N`, then N times: `patch I` (from 0), `height H` and
//! `width W` (in either order), `map`, and H rows of W letters as in `.map` files.

use std::fmt::Write as _;

use wayfarer_base::Raster;

use crate::letters::LetterWriter;
use crate::movingai_map::{keywords, rows, size};
use crate::text::{Lines, TextError, push};

/// Reads a `.patch` file: the patches in order.
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
/// The first syntax error, wrong number or order of patches, or invalid row.
pub fn read(bytes: &[u8]) -> Result<Vec<Raster>, TextError> {
    let mut lines = Lines::new(bytes);
    keywords(&lines.require("`type patch`")?, &["type", "patch"])?;
    let count = lines.require("`patches N`")?;
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
        let line = lines.next_non_blank().ok_or(missing)?;
        let mut words = line.words();
        words.keyword("patch")?;
        let found = words.word("the patch's number")?;
        if found.text != number.to_string().as_bytes() {
            return Err(found.unexpected("consecutive patch numbers from 0"));
        }
        words.end()?;
        let (width, height) = size(&mut lines)?;
        keywords(&lines.require("`map`")?, &["map"])?;
        push(&mut patches, rows(&mut lines, width, height)?);
    }
    lines.end("the end of the file after the last patch")?;
    Ok(patches)
}

/// Writes a `.patch` file; terrains without a letter in the format become `.`.
pub fn write(patches: &[Raster]) -> String {
    let mut text = format!("type patch\npatches {}\n", patches.len());
    for (number, patch) in patches.iter().enumerate() {
        writeln!(
            text,
            "patch {number}\nheight {}\nwidth {}\nmap",
            patch.height(),
            patch.width()
        )
        .expect("writing to a string cannot fail");
        LetterWriter::BENCHMARK.write_rows(patch, "", &mut text);
    }
    text
}

#[cfg(test)]
mod tests;

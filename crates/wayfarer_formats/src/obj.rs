//! Meshes as Wavefront OBJ text: corners (`v`) and faces (`f`), everything else is left out.
//!
//! Faces with more than three corners are cut into a fan from their first. Corners are counted
//! from 1, or from the last one backwards if negative; they must stand before the face that names
//! them. Of `7/2/3` only the 7 counts. Free-form curves and surfaces, and lines that go on after
//! a backslash, are refused. Written by hand rather than with a crate so that a bad file is an
//! error with its line, and holds at most ten times the bytes read.

use std::fmt::Write as _;

use wayfarer_base::TriangleSoup;

use crate::mesh::{MeshOptions, Up, flipped};
use crate::text::{Lines, TextError, Word, Words, push};

/// Reads a whole OBJ file, y up, coordinates as they are.
///
/// ```
/// let floor = wayfarer_formats::obj::read(b"v 0 5 0\nv 0 5 1\nv 1 5 0\nf 1 2 3\n")?;
/// // x stays east, z becomes south, y becomes up.
/// assert_eq!(floor.vertices()[1], [0.0, 1.0, 5.0]);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first line and column where the file is not such a mesh.
pub fn read(bytes: &[u8]) -> Result<TriangleSoup, TextError> {
    read_with(bytes, &MeshOptions::default())
}

/// Reads a whole OBJ file, turned and scaled; see [`crate::mesh`].
///
/// # Errors
/// As [`read`], and the corner that is not finite any more once scaled.
pub fn read_with(bytes: &[u8], options: &MeshOptions) -> Result<TriangleSoup, TextError> {
    const KEYWORD: &str = "v, f, or another keyword of polygon files";
    let mut corners = Vec::new();
    let mut triangles = Vec::new();
    for line in Lines::new(bytes) {
        let mut words = line.words();
        let Some(keyword) = words.next() else {
            continue;
        };
        match keyword.text {
            b"v" => push(&mut corners, corner(&mut words, options)?),
            b"f" => face(&mut words, corners.len(), &mut triangles)?,
            [b'#', ..]
            | b"vt"
            | b"vn"
            | b"l"
            | b"p"
            | b"g"
            | b"o"
            | b"s"
            | b"mg"
            | b"usemtl"
            | b"mtllib"
            | b"usemap"
            | b"maplib"
            | b"lod"
            | b"bevel"
            | b"c_interp"
            | b"d_interp"
            | b"shadow_obj"
            | b"trace_obj" => {}
            _ => return Err(keyword.wrong(KEYWORD)),
        }
    }
    TriangleSoup::new(corners, triangles).map_err(|_checked| TextError::Ends {
        line: 1,
        expected: "corners that are finite and triangles that name them",
    })
}

fn corner(words: &mut Words<'_>, options: &MeshOptions) -> Result<[f64; 3], TextError> {
    let at = words.clone();
    let corner = [words.number()?, words.number()?, words.number()?];
    options
        .corner(corner)
        .ok_or_else(|| at.wrong("coordinates that stay finite when scaled"))
}

fn face(
    words: &mut Words<'_>,
    n_corners: usize,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), TextError> {
    const CORNER: &str = "at least three corners";
    let mut next = || corner_number(&words.word(CORNER)?, n_corners);
    let (first, second) = (next()?, next()?);
    let mut last = next()?;
    push(triangles, flipped([first, second, last]));
    for word in words {
        let corner = corner_number(&word, n_corners)?;
        push(triangles, flipped([first, last, corner]));
        last = corner;
    }
    Ok(())
}

/// The corner that a word of a face names, from 0.
fn corner_number(word: &Word<'_>, n_corners: usize) -> Result<u32, TextError> {
    let number = word.text.split(|&byte| byte == b'/').next();
    let number: Option<i64> = number
        .and_then(|number| std::str::from_utf8(number).ok())
        .and_then(|number| number.parse().ok());
    let count = i64::try_from(n_corners).unwrap_or(i64::MAX);
    let index = match number {
        None | Some(0) => None,
        Some(number @ 1..) => Some(number - 1),
        Some(number) => count.checked_add(number),
    };
    index
        .filter(|index| (0..count).contains(index))
        .and_then(|index| u32::try_from(index).ok())
        .ok_or_else(|| word.wrong("the number of a corner that stands before"))
}

/// Writes an OBJ file; reading it with the same axis up gives the same triangles back.
pub fn write(soup: &TriangleSoup, up: Up) -> String {
    const TAKES_ALL: &str = "a string takes all that is written";
    let mut text = String::new();
    for &corner in soup.vertices() {
        let [x, y, z] = up.turn(corner);
        writeln!(text, "v {x} {y} {z}").expect(TAKES_ALL);
    }
    for &triangle in soup.triangles() {
        let [a, b, c] = flipped(triangle).map(|corner| u64::from(corner) + 1);
        writeln!(text, "f {a} {b} {c}").expect(TAKES_ALL);
    }
    text
}

#[cfg(test)]
mod tests;

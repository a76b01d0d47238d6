//! Wavefront OBJ meshes: vertices (`v`) and faces (`f`); other polygon keywords are ignored.
//!
//! Faces with more than three vertices become a triangle fan. Vertex indices start at 1, count
//! backwards from the last vertex if negative, and must refer to preceding lines; of `7/2/3` only
//! the 7 is used. Free-form curves and surfaces and continued lines (backslash) are errors. No
//! external crate: errors carry line and column, and memory is at most ten times the bytes read.

use std::fmt::Write as _;

use wayfarer_base::TriangleSoup;

use crate::mesh::{MeshOptions, Up, flipped};
use crate::text::{Lines, TextError, Word, Words, push};

/// Reads an OBJ file, y up, scale 1.
///
/// ```
/// let floor = wayfarer_formats::obj::read(b"v 0 5 0\nv 0 5 1\nv 1 5 0\nf 1 2 3\n")?;
/// // x stays east, z becomes south, y becomes up.
/// assert_eq!(floor.vertices()[1], [0.0, 1.0, 5.0]);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first syntax error, unknown keyword or invalid vertex index.
pub fn read(bytes: &[u8]) -> Result<TriangleSoup, TextError> {
    read_with(bytes, &MeshOptions::default())
}

/// Reads an OBJ file with up axis and scale; see [`crate::mesh`].
///
/// # Errors
/// As [`read`]; also a vertex that is not finite after scaling.
pub fn read_with(bytes: &[u8], options: &MeshOptions) -> Result<TriangleSoup, TextError> {
    const KEYWORD: &str = "v, f, or another keyword of polygon files";
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for line in Lines::new(bytes) {
        let mut words = line.words();
        let Some(keyword) = words.next() else {
            continue;
        };
        match keyword.text {
            b"v" => push(&mut vertices, vertex(&mut words, options)?),
            b"f" => face(&mut words, vertices.len(), &mut triangles)?,
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
            _ => return Err(keyword.unexpected(KEYWORD)),
        }
    }
    TriangleSoup::new(vertices, triangles).map_err(|_checked| TextError::Ends {
        line: 1,
        expected: "finite vertices and valid vertex indices",
    })
}

fn vertex(words: &mut Words<'_>, options: &MeshOptions) -> Result<[f64; 3], TextError> {
    let at = words.clone();
    let position = [words.number()?, words.number()?, words.number()?];
    options
        .convert(position)
        .ok_or_else(|| at.unexpected("coordinates that stay finite when scaled"))
}

fn face(
    words: &mut Words<'_>,
    n_vertices: usize,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), TextError> {
    const VERTEX: &str = "at least three vertices";
    let mut next = || vertex_index(&words.word(VERTEX)?, n_vertices);
    let (first, second) = (next()?, next()?);
    let mut last = next()?;
    push(triangles, flipped([first, second, last]));
    for word in words {
        let vertex = vertex_index(&word, n_vertices)?;
        push(triangles, flipped([first, last, vertex]));
        last = vertex;
    }
    Ok(())
}

/// The vertex index of a word of a face, from 0.
fn vertex_index(word: &Word<'_>, n_vertices: usize) -> Result<u32, TextError> {
    let number = word.text.split(|&byte| byte == b'/').next();
    let number: Option<i64> = number
        .and_then(|number| std::str::from_utf8(number).ok())
        .and_then(|number| number.parse().ok());
    let count = i64::try_from(n_vertices).unwrap_or(i64::MAX);
    let index = match number {
        None | Some(0) => None,
        Some(number @ 1..) => Some(number - 1),
        Some(number) => count.checked_add(number),
    };
    index
        .filter(|index| (0..count).contains(index))
        .and_then(|index| u32::try_from(index).ok())
        .ok_or_else(|| word.unexpected("the index of a preceding vertex"))
}

/// Writes an OBJ file; with the same up axis it reads back unchanged.
pub fn write(soup: &TriangleSoup, up: Up) -> String {
    const CANNOT_FAIL: &str = "writing to a string cannot fail";
    let mut text = String::new();
    for &vertex in soup.vertices() {
        let [x, y, z] = up.convert(vertex);
        writeln!(text, "v {x} {y} {z}").expect(CANNOT_FAIL);
    }
    for &triangle in soup.triangles() {
        let [a, b, c] = flipped(triangle).map(|vertex| u64::from(vertex) + 1);
        writeln!(text, "f {a} {b} {c}").expect(CANNOT_FAIL);
    }
    text
}

#[cfg(test)]
mod tests;

//! Obstacle set files (`.field`): boxes and discs of up to 64 categories as plain text.
//!
//! The format is specified in `docs/design/field-format.md`. Example:
//!
//! ```text
//! wayfarer field 1
//! bounds 0 0 100 80          # west, north, east, south
//! box 20 0 10 60             # west, north, width, height; in every category
//! disc 70 40 12.5 types 0 7  # center and radius; in categories 0 and 7
//! end
//! ```

use wayfarer_base::{Aabb2, Fixed, ObstacleData, ObstacleSetData, ObstacleShapeData, Point2};

use crate::TextError;
use crate::grammar::{header, next_line};
use crate::text::{Lines, Words, push};

/// First line of a `.field` file.
const HEADER: &str = "wayfarer field 1";
const KEYWORD: &str = "bounds, box, disc, end or a comment";
const CELLS: &str = "a number of cells from -8388608 to 8388607";
const SIZE: &str = "a number of cells above 0";
const CATEGORIES: &str = "one or more category numbers, 0 to 63";

/// Reads a `.field` file. Lengths round to the nearest 1/256 cell.
///
/// ```
/// let data = wayfarer_formats::obstacle_file::read(
///     b"wayfarer field 1\nbounds 0 0 10 10\nbox 1 2 3 4 types 5\nend\n",
/// )?;
/// assert_eq!(data.obstacles[0].categories, 1 << 5);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first unknown keyword or number out of range; missing, duplicate or empty bounds.
pub fn read(bytes: &[u8]) -> Result<ObstacleSetData, TextError> {
    let mut lines = Lines::new(bytes);
    let ending = header(&mut lines, HEADER)?;
    let mut data = ObstacleSetData::default();
    let mut has_bounds = false;
    let mut last_line = 1;
    while let Some(line) = next_line(&mut lines, ending)? {
        last_line = line.number;
        let mut words = line.words();
        let keyword = words.word(KEYWORD)?;
        match keyword.text {
            b"bounds" if has_bounds => return Err(keyword.unexpected("one line `bounds` only")),
            b"bounds" => {
                (data.low, data.high) = (point(&mut words)?, point(&mut words)?);
                if data.low.x >= data.high.x || data.low.y >= data.high.y {
                    return Err(keyword.unexpected("bounds of positive width and height"));
                }
                has_bounds = true;
            }
            b"box" => {
                let low = point(&mut words)?;
                let end = |from: Fixed, words: &mut Words<'_>| {
                    let before = words.clone();
                    let end = from.raw().checked_add(size(words)?.raw());
                    end.map(Fixed::from_raw)
                        .ok_or_else(|| before.unexpected(SIZE))
                };
                let high = Point2::new(end(low.x, &mut words)?, end(low.y, &mut words)?);
                let shape = ObstacleShapeData::Box(Aabb2 { low, high });
                let categories = categories(&mut words)?;
                push(&mut data.obstacles, ObstacleData { shape, categories });
            }
            b"disc" => {
                let (center, radius) = (point(&mut words)?, size(&mut words)?);
                let shape = ObstacleShapeData::Disc { center, radius };
                let categories = categories(&mut words)?;
                push(&mut data.obstacles, ObstacleData { shape, categories });
            }
            _ => return Err(keyword.unexpected(KEYWORD)),
        }
        words.end()?;
    }
    if has_bounds {
        Ok(data)
    } else {
        let expected = "a line `bounds` before the line `end`";
        Err(TextError::Ends {
            line: last_line + 1,
            expected,
        })
    }
}

fn cells(words: &mut Words<'_>, expected: &'static str) -> Result<Fixed, TextError> {
    let before = words.clone();
    let found = words.number().ok().and_then(Fixed::from_cells);
    found.ok_or_else(|| before.unexpected(expected))
}

fn point(words: &mut Words<'_>) -> Result<Point2, TextError> {
    Ok(Point2::new(cells(words, CELLS)?, cells(words, CELLS)?))
}

fn size(words: &mut Words<'_>) -> Result<Fixed, TextError> {
    let before = words.clone();
    let size = cells(words, SIZE)?;
    if size.raw() > 0 {
        Ok(size)
    } else {
        Err(before.unexpected(SIZE))
    }
}

/// The keyword `types` and category numbers as a bit mask; all categories if absent.
fn categories(words: &mut Words<'_>) -> Result<u64, TextError> {
    if words.clone().next().is_none() {
        return Ok(u64::MAX);
    }
    words.keyword("types")?;
    let mut categories = 0_u64;
    loop {
        let before = words.clone();
        let number: Option<u32> = words.number().ok().filter(|number| *number < 64);
        categories |= 1 << number.ok_or_else(|| before.unexpected(CATEGORIES))?;
        if words.clone().next().is_none() {
            return Ok(categories);
        }
    }
}

/// Writes a `.field` file; it reads back unchanged.
pub fn write(data: &ObstacleSetData) -> String {
    let point = |at: Point2| format!("{} {}", at.x.to_cells(), at.y.to_cells());
    let mut text = format!(
        "{HEADER}\nbounds {} {}\n",
        point(data.low),
        point(data.high)
    );
    for obstacle in &data.obstacles {
        text += &match obstacle.shape {
            ObstacleShapeData::Box(Aabb2 { low, high }) => {
                let side = |low: Fixed, high: Fixed| {
                    (f64::from(high.raw()) - f64::from(low.raw()))
                        / f64::from(Fixed::UNITS_PER_CELL)
                };
                let sides = (side(low.x, high.x), side(low.y, high.y));
                format!("box {} {} {}", point(low), sides.0, sides.1)
            }
            ObstacleShapeData::Disc { center, radius } => {
                format!("disc {} {}", point(center), radius.to_cells())
            }
        };
        if obstacle.categories != u64::MAX {
            text += " types";
            for number in (0..64).filter(|number| obstacle.categories >> number & 1 == 1) {
                text += &format!(" {number}");
            }
        }
        text.push('\n');
    }
    text + "end\n"
}

#[cfg(test)]
mod tests;

//! Our own plain-text field files (`.field`): boxes and discs of up to 64 types.
//!
//! Made to be written by hand. `docs/design/field-format.md` describes it in full. A small one:
//!
//! ```text
//! wayfarer field 1
//! bounds 0 0 100 80          # west, north, east, south
//! box 20 0 10 60             # west, north, width, height: of every type
//! disc 70 40 12.5 types 0 7  # middle and radius
//! end
//! ```

use wayfarer_base::{Aabb2, Fixed, ObstacleData, ObstacleSetData, ObstacleShapeData, Point2};

use crate::TextError;
use crate::grammar::{header, next_line};
use crate::text::{Lines, Words, push};

/// The first line of every `.field` file.
const HEADER: &str = "wayfarer field 1";
const KEYWORD: &str = "bounds, box, disc, end or a comment";
const CELLS: &str = "a number of cells from -8388608 to 8388607";
const SIZE: &str = "a number of cells above 0";
const TYPES: &str = "the numbers of one or more types, 0 to 63";

/// Reads a whole `.field` file. Numbers of cells are taken to the nearest 1/256.
///
/// ```
/// let plan = wayfarer_formats::obstacle_file::read(
///     b"wayfarer field 1\nbounds 0 0 10 10\nbox 1 2 3 4 types 5\nend\n",
/// )?;
/// assert_eq!(plan.obstacles[0].categories, 1 << 5);
/// # Ok::<(), wayfarer_formats::TextError>(())
/// ```
///
/// # Errors
/// The first line and column where the file is not such a field: unknown words, numbers out of
/// range, no or two lines `bounds`, nothing inside.
pub fn read(bytes: &[u8]) -> Result<ObstacleSetData, TextError> {
    let mut lines = Lines::new(bytes);
    let ending = header(&mut lines, HEADER)?;
    let mut plan = ObstacleSetData::default();
    let mut is_bounded = false;
    let mut last = 1;
    while let Some(line) = next_line(&mut lines, ending)? {
        last = line.number;
        let mut words = line.words();
        let keyword = words.word(KEYWORD)?;
        match keyword.text {
            b"bounds" if is_bounded => return Err(keyword.wrong("one line `bounds` only")),
            b"bounds" => {
                (plan.low, plan.high) = (point(&mut words)?, point(&mut words)?);
                if plan.low.x >= plan.high.x || plan.low.y >= plan.high.y {
                    return Err(keyword.wrong("bounds with something inside"));
                }
                is_bounded = true;
            }
            b"box" => {
                let low = point(&mut words)?;
                let far = |from: Fixed, words: &mut Words<'_>| {
                    let before = words.clone();
                    let far = from.raw().checked_add(size(words)?.raw());
                    far.map(Fixed::from_raw).ok_or_else(|| before.wrong(SIZE))
                };
                let high = Point2::new(far(low.x, &mut words)?, far(low.y, &mut words)?);
                let shape = ObstacleShapeData::Box(Aabb2 { low, high });
                let types = types(&mut words)?;
                push(&mut plan.obstacles, ObstacleData { shape, categories: types });
            }
            b"disc" => {
                let (center, radius) = (point(&mut words)?, size(&mut words)?);
                let shape = ObstacleShapeData::Disc { center, radius };
                let types = types(&mut words)?;
                push(&mut plan.obstacles, ObstacleData { shape, categories: types });
            }
            _ => return Err(keyword.wrong(KEYWORD)),
        }
        words.end()?;
    }
    if is_bounded {
        Ok(plan)
    } else {
        let expected = "a line `bounds` before the line `end`";
        Err(TextError::Ends {
            line: last + 1,
            expected,
        })
    }
}

fn cells(words: &mut Words<'_>, expected: &'static str) -> Result<Fixed, TextError> {
    let before = words.clone();
    let found = words.number().ok().and_then(Fixed::from_cells);
    found.ok_or_else(|| before.wrong(expected))
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
        Err(before.wrong(SIZE))
    }
}

/// The word `types` and their numbers; nothing means all.
fn types(words: &mut Words<'_>) -> Result<u64, TextError> {
    if words.clone().next().is_none() {
        return Ok(u64::MAX);
    }
    words.keyword("types")?;
    let mut types = 0_u64;
    loop {
        let before = words.clone();
        let number: Option<u32> = words.number().ok().filter(|number| *number < 64);
        types |= 1 << number.ok_or_else(|| before.wrong(TYPES))?;
        if words.clone().next().is_none() {
            return Ok(types);
        }
    }
}

/// The file of a plan; read again it is the same plan.
pub fn write(plan: &ObstacleSetData) -> String {
    let point = |at: Point2| format!("{} {}", at.x.to_cells(), at.y.to_cells());
    let mut text = format!(
        "{HEADER}\nbounds {} {}\n",
        point(plan.low),
        point(plan.high)
    );
    for thing in &plan.obstacles {
        text += &match thing.shape {
            ObstacleShapeData::Box(Aabb2 { low, high }) => {
                let side = |low: Fixed, high: Fixed| {
                    (f64::from(high.raw()) - f64::from(low.raw())) / f64::from(Fixed::PARTS)
                };
                let sides = (side(low.x, high.x), side(low.y, high.y));
                format!("box {} {} {}", point(low), sides.0, sides.1)
            }
            ObstacleShapeData::Disc {
                center: centre,
                radius,
            } => {
                format!("disc {} {}", point(centre), radius.to_cells())
            }
        };
        if thing.categories != u64::MAX {
            text += " types";
            for number in (0..64).filter(|number| thing.categories >> number & 1 == 1) {
                text += &format!(" {number}");
            }
        }
        text.push('\n');
    }
    text + "end\n"
}

#[cfg(test)]
mod tests;

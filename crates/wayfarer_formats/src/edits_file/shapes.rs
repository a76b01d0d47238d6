//! Shapes in `.edits` files, such as `circle 4.5 4.5 radius 3` or `box 0 0 to 9 9`.

use wayfarer_base::{Fixed, Point2, Rect, Shape};

use crate::grammar::{ShapeCoordinate, ShapeRadius, column, fixed_text};
use crate::text::{TextError, Words, push};

fn point(words: &mut Words<'_>) -> Result<Point2, TextError> {
    let (x, y): (ShapeCoordinate, ShapeCoordinate) = (words.number()?, words.number()?);
    Ok(Point2::new(x.0, y.0))
}

fn radius(words: &mut Words<'_>) -> Result<Fixed, TextError> {
    words.keyword("radius")?;
    let ShapeRadius(radius) = words.number()?;
    Ok(radius)
}

fn direction(words: &mut Words<'_>) -> Result<(i32, i32), TextError> {
    let at = words.clone();
    match (words.number()?, words.number()?) {
        (0, 0) => Err(at.unexpected("a direction other than 0 0")),
        direction => Ok(direction),
    }
}

/// Reads a shape; a polygon extends to the end of the line.
pub(super) fn read_shape(words: &mut Words<'_>) -> Result<Shape, TextError> {
    const SHAPE: &str = "circle, box, polygon, segment or wedge";
    let word = words.word(SHAPE)?;
    Ok(match word.text {
        b"circle" => Shape::Circle {
            center: point(words)?,
            radius: radius(words)?,
        },
        b"box" => {
            let low = column(words)?;
            words.keyword("to")?;
            let high = column(words)?;
            Shape::Box(Rect { low, high })
        }
        b"polygon" => {
            const MIN_VERTICES: usize = 3;
            let mut vertices = Vec::new();
            while vertices.len() < MIN_VERTICES || words.clone().next().is_some() {
                push(&mut vertices, point(words)?);
            }
            vertices.shrink_to_fit();
            Shape::Polygon(vertices)
        }
        b"segment" => {
            let from = point(words)?;
            words.keyword("to")?;
            Shape::Segment {
                from,
                to: point(words)?,
                radius: radius(words)?,
            }
        }
        b"wedge" => {
            let (tip, radius) = (point(words)?, radius(words)?);
            words.keyword("from")?;
            let left = direction(words)?;
            words.keyword("to")?;
            Shape::Wedge {
                tip,
                radius,
                left,
                right: direction(words)?,
            }
        }
        _ => return Err(word.unexpected(SHAPE)),
    })
}

fn point_text(point: Point2) -> String {
    format!("{} {}", fixed_text(point.x), fixed_text(point.y))
}

/// The text of a shape; an empty box is written as `box 0 0 to -1 -1`.
pub(super) fn shape_text(shape: &Shape) -> String {
    match shape {
        Shape::Circle { center, radius } => format!(
            "circle {} radius {}",
            point_text(*center),
            fixed_text(*radius)
        ),
        Shape::Box(rect) if rect.is_empty() => String::from("box 0 0 to -1 -1"),
        Shape::Box(Rect { low, high }) => {
            format!("box {} {} to {} {}", low.x, low.y, high.x, high.y)
        }
        Shape::Polygon(vertices) => {
            let vertices: Vec<_> = vertices.iter().map(|vertex| point_text(*vertex)).collect();
            format!("polygon {}", vertices.join(" "))
        }
        Shape::Segment { from, to, radius } => format!(
            "segment {} to {} radius {}",
            point_text(*from),
            point_text(*to),
            fixed_text(*radius)
        ),
        Shape::Wedge {
            tip,
            radius,
            left,
            right,
        } => format!(
            "wedge {} radius {} from {} {} to {} {}",
            point_text(*tip),
            fixed_text(*radius),
            left.0,
            left.1,
            right.0,
            right.1
        ),
    }
}

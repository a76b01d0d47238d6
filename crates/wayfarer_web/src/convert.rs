//! Conversions between arrays of numbers and the types of the library.

use wayfarer::Terrain;
use wayfarer::prelude::*;

/// A message for the page.
pub(crate) fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The position of three numbers.
pub(crate) fn position(numbers: &[f64]) -> Result<Position, String> {
    match numbers {
        &[x, y, z, ..] => Ok(Position::new(x, y, z)),
        _ => Err(format!("{} numbers, expected 3: x, y, z", numbers.len())),
    }
}

/// Two positions: six numbers.
pub(crate) fn pair(numbers: &[f64]) -> Result<(Position, Position), String> {
    let second = numbers.get(3..).unwrap_or_default();
    Ok((position(numbers)?, position(second)?))
}

/// The terrain of a number from 0 to 63.
pub(crate) fn terrain(number: u8) -> Result<Terrain, String> {
    Terrain::new(number).ok_or_else(|| format!("terrain {number}, expected 0 to 63"))
}

/// The positions as numbers, three each.
pub(crate) fn numbers(positions: impl IntoIterator<Item = Position>) -> Vec<f64> {
    positions.into_iter().flat_map(Position::units).collect()
}

/// A count as a number of JavaScript, exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) const fn count(number: u64) -> f64 {
    number as f64
}

/// The method of a name.
pub(crate) fn method(name: &str) -> Result<Method, String> {
    Ok(match name {
        "bounded" => Method::Bounded,
        "optimal" => Method::Optimal,
        "jps" => Method::Jps,
        "astar" => Method::AStar,
        "dijkstra" => Method::Dijkstra,
        "any-angle" => Method::AnyAngle,
        "hierarchical" => Method::Hierarchical,
        _ => return Err(format!("unknown method {name}")),
    })
}

/// The footprint of a name: its numbers are, after the center (or eye, or start),
/// `disc` radius · `ring` inner, outer · `cone` heading x, heading y, angle, range ·
/// `capsule` end (three), radius · `box` heading x, heading y, half length, half width.
pub(crate) fn footprint(kind: &str, numbers: &[f64]) -> Result<Footprint, String> {
    let at = position(numbers)?;
    let heading = |x: f64, y: f64| Heading { x, y };
    match (kind, numbers.get(3..).unwrap_or_default()) {
        ("disc", &[radius]) => Ok(Footprint::disc(at, radius)),
        ("ring", &[inner, outer]) => Ok(Footprint::ring(at, inner, outer)),
        ("cone", &[x, y, angle, range]) => Ok(Footprint::cone(at, heading(x, y), angle, range)),
        ("capsule", &[x, y, z, radius]) => {
            Ok(Footprint::capsule(at, Position::new(x, y, z), radius))
        }
        ("box", &[x, y, length, width]) => {
            Ok(Footprint::oriented_box(at, heading(x, y), length, width))
        }
        (kind, rest) => Err(format!("footprint {kind} with {} numbers", rest.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_numbers_are_no_position() {
        assert!(position(&[1.0, 2.0]).is_err());
        assert!(pair(&[1.0, 2.0, 3.0, 4.0, 5.0]).is_err());
        assert_eq!(position(&[1.0, 2.0, 3.0]), Ok(Position::new(1.0, 2.0, 3.0)));
    }

    #[test]
    fn a_footprint_needs_its_numbers() {
        assert!(footprint("disc", &[0.0, 0.0, 0.0, 4.0]).is_ok());
        assert!(footprint("disc", &[0.0, 0.0, 0.0]).is_err());
        assert!(footprint("star", &[0.0, 0.0, 0.0, 4.0]).is_err());
    }
}

//! Places in a made city.

use wayfarer::streaming::CitySource;
use wayfarer::{Position, Terrain};
use wayfarer_engine::base::Rng;

use crate::error::BenchError;

fn open_at(city: &CitySource, (x, y): (u32, u32)) -> Option<Position> {
    let terrain = city.terrain((x.cast_signed(), y.cast_signed()));
    let center = Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0);
    (terrain == Some(Terrain::GROUND)).then_some(center)
}

/// Open cells near two opposite corners.
pub(super) fn corners(city: &CitySource, size: u32) -> Result<(Position, Position), BenchError> {
    let none = || BenchError::Arguments("the city has no ground".into());
    let from = (0..size).find_map(|step| open_at(city, (step, step)));
    let to = (0..size).rev().find_map(|step| open_at(city, (step, step)));
    Ok((from.ok_or_else(none)?, to.ok_or_else(none)?))
}

/// A random open cell.
pub(super) fn open_cell(city: &CitySource, size: u32, rng: &mut Rng) -> Position {
    loop {
        let at = (rng.below(size), rng.below(size));
        if let Some(center) = open_at(city, at) {
            return center;
        }
    }
}
